/** 10-K and 10-Q with their exhibits, their graphics and, since 2019, what EDGAR adds. */
import { dayOf } from '../calendar.ts';
import type { PlannedFiling, Submission } from '../filing.ts';
import { Random } from '../random.ts';
import { extensionOf, fileName, pageFor, usesInlineXbrl } from '../reports/context.ts';
import { exhibitList, financialDataSchedule, writeExhibit } from '../reports/exhibits.ts';
import { writeReport } from '../reports/report.ts';
import { DocumentList, logo, pdfOf, revenueChart } from './document.ts';
import { submissionOf } from './header.ts';
import { addXbrlDocuments } from './xbrl.ts';

const GRAPHICS_SINCE = dayOf(2000, 6, 1);
const PDF_SINCE = dayOf(2000, 6, 1);

export function periodicReport(plan: PlannedFiling): Submission {
  const r = new Random(plan.company.seed, 'periodic', plan.company.id, plan.ordinal);
  const list = new DocumentList(plan);
  const annual = plan.fiscalQuarter === null;
  const graphic =
    plan.filed >= GRAPHICS_SINCE && !plan.amends && r.chance(annual ? 0.7 : 0.15)
      ? fileName(plan, 'img1', 'png').replace('htm', 'png')
      : null;
  const report = writeReport(plan, graphic);
  const inline = usesInlineXbrl(plan);
  const name = fileName(plan, plan.form, report.extension);
  list.written(plan.form, name, report, describe(plan), inline ? 'XBRL' : undefined);
  const exhibits = plan.amends ? exhibitList(plan).filter((e) => e.number.startsWith('31')) : exhibitList(plan);
  for (const exhibit of exhibits) {
    const type = `EX-${exhibit.number}`;
    if (exhibit.number === '27') {
      list.text(type, fileName(plan, type, 'txt'), financialDataSchedule(plan), { description: 'FDS' });
      continue;
    }
    const page = pageFor(plan, `EX-${exhibit.number}`, false);
    writeExhibit(page, exhibit, plan);
    list.written(type, fileName(plan, type, extensionOf(page)), page.finish(), exhibit.description.toUpperCase());
  }
  if (graphic) list.binary('GRAPHIC', graphic, revenueChart(plan));
  if (graphic && annual && r.chance(0.5)) {
    if (r.chance(0.2)) list.skip();
    list.binary('GRAPHIC', fileName(plan, 'logo', 'jpg'), logo(plan), 'LOGO');
  }
  if (annual && plan.filed >= PDF_SINCE && r.chance(0.08)) {
    const lines =
      report.text
        .replace(/<[^>]*>/g, ' ')
        .replace(/[^\x20-\x7e]+/g, ' ')
        .match(/.{1,90}(?:\s|$)/g) ?? [];
    const name = fileName(plan, `${plan.form}pdf`, 'pdf');
    list.binary(plan.form, name, pdfOf(lines.slice(0, 96)), 'UNOFFICIAL COPY', 'PDF');
  }
  if (inline) addXbrlDocuments(list, plan, r);
  return submissionOf(plan, '34', { documents: list.documents });
}

function describe(plan: PlannedFiling): string | null {
  if (plan.company.style < 0.1) return null;
  return plan.company.style < 0.6 ? plan.form : `FORM ${plan.form}`;
}

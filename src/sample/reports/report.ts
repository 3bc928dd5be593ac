/** A whole annual or quarterly report: cover, contents, items, signatures. */
import { grouped } from '../amounts.ts';
import { longDay } from '../calendar.ts';
import type { PlannedFiling } from '../filing.ts';
import type { ContentsEntry, Page, Written } from '../pages/page.ts';
import { writeContent } from './content.ts';
import { isPlain, pageFor, ReportContext } from './context.ts';
import { annualItems, quarterlyItems, type ReportItem, type ReportPart, smallAnnualItems } from './items.ts';

/** Industries that often combine Items 1 and 2, since their business is their property. */
const COMBINING = new Set(['1311', '1040', '4911']);

export interface ReportWritten extends Written {
  extension: 'htm' | 'txt';
}

/** @param graphic the picture shown in Item 7, or null */
export function writeReport(plan: PlannedFiling, graphic: string | null): ReportWritten {
  const { company, form } = plan;
  const context = new ReportContext(plan);
  const page = pageFor(plan, `${form} of ${company.name}`, true);
  const parts = partsOf(plan, context);
  writeCover(page, context);
  page.centered('TABLE OF CONTENTS', 'bold');
  page.contents(contentsOf(parts));
  page.pageBreak();
  for (const part of parts) {
    page.part(part.heading);
    for (const [items, label, title] of headings(part, context)) {
      const first = items[0]!;
      page.item(
        items.map((i) => i.section),
        label,
        title,
        anchorOf(first),
      );
      for (const item of items) writeContent(page, item, context);
      if (first.content === 'mdna' && graphic) page.image(graphic, `Revenue of ${company.name}`);
    }
  }
  page.closing('SIGNATURES');
  page.paragraph(
    `The registrant has caused this report to be signed on its behalf by the undersigned on ${longDay(plan.filed)}.`,
  );
  page.paragraph(`${company.name} By: /s/ Officer 1 of ${company.name}`);
  return { ...page.finish(), extension: isPlain(page) ? 'txt' : 'htm' };
}

function partsOf(plan: PlannedFiling, context: ReportContext): ReportPart[] {
  if (plan.fiscalQuarter !== null) return quarterlyItems(plan.filed);
  if (/^10-?KSB/.test(plan.form)) return smallAnnualItems(plan.filed);
  const parts = annualItems(plan.filed);
  // An amendment has only some of the items.
  if (plan.amends && context.random.chance(0.7)) {
    return parts.filter((part) => part.heading === 'PART III' || part.heading === 'PART IV');
  }
  return parts;
}

/** The headings of a part with the items under each: one, or two if the company combines them. */
function headings(part: ReportPart, context: ReportContext): [ReportItem[], string, string][] {
  const { company } = context;
  const list: [ReportItem[], string, string][] = [];
  const combines = COMBINING.has(company.industry.sic) && company.style > 0.35 && context.plan.fiscalQuarter === null;
  const property = part.items.find((i) => i.section === '2' && i.content === 'property');
  for (const item of part.items) {
    if (combines && item === property) continue;
    if (combines && property && item.section === '1')
      list.push([[item, property], 'Items 1 and 2.', 'Business and Properties']);
    else list.push([[item], item.label, item.title]);
  }
  return list;
}

const anchorOf = (item: ReportItem) => `item_${item.section.toLowerCase().replace(/[^a-z0-9]/g, '_')}`;

function contentsOf(parts: ReportPart[]): ContentsEntry[] {
  return parts.flatMap((part) => [
    { label: '', title: part.heading, anchor: null },
    ...part.items.map((item) => ({ label: item.label, title: item.title, anchor: anchorOf(item) })),
  ]);
}

function writeCover(page: Page, context: ReportContext): void {
  const { plan, company, statements } = context;
  const annual = plan.fiscalQuarter === null;
  page.centered('UNITED STATES');
  page.centered('SECURITIES AND EXCHANGE COMMISSION', 'bold');
  page.centered('Washington, D.C. 20549');
  page.centered(`FORM ${plan.form}`, 'large');
  if (plan.amends) page.centered('Amendment No. 1');
  page.centered(
    `${annual ? 'ANNUAL' : 'QUARTERLY'} REPORT PURSUANT TO SECTION 13 OR 15(d) OF THE SECURITIES EXCHANGE ACT OF 1934`,
  );
  page.centered(`For the ${annual ? 'fiscal year' : 'quarterly period'} ended ${longDay(plan.period!)}`);
  page.centered(`Commission file number ${company.fileNumber}`);
  page.centered(company.name.toUpperCase(), 'large');
  page.centered('(Exact name of registrant as specified in its charter)');
  page.centered(`${company.stateName}          ${company.irsNumber?.slice(0, 2)}-${company.irsNumber?.slice(2)}`);
  page.centered(`${company.address.street1}, ${company.address.city}, ${company.address.state} ${company.address.zip}`);
  page.centered(`Telephone: ${company.phone}`);
  if (company.tickers[0]) {
    page.table([
      { label: 'Title of each class', values: ['Symbol', 'Exchange'], kind: 'head' },
      ...company.tickers.map((t, i) => ({
        label: i === 0 ? 'Common stock' : 'Preferred stock, Series A',
        values: [t.ticker, t.exchange ?? 'None'],
      })),
    ]);
  }
  page.paragraph(
    `On ${longDay(plan.filed - 10)}, ${grouped(statements[0].shares * 1000)} shares of the common stock of the registrant were outstanding.`,
  );
}

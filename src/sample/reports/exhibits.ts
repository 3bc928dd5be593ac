/** The exhibits of annual and quarterly reports: the list in the report and the documents. */
import { grouped } from '../amounts.ts';
import { dayOf, isoDay } from '../calendar.ts';
import type { PlannedFiling } from '../filing.ts';
import { statementOf } from '../finances.ts';
import type { Page } from '../pages/page.ts';
import { Prose } from '../prose.ts';
import { Random } from '../random.ts';

export interface Exhibit {
  number: string;
  description: string;
}

export function exhibitList(plan: PlannedFiling): Exhibit[] {
  const annual = plan.fiscalQuarter === null;
  const list: Exhibit[] = [];
  if (annual) {
    list.push(
      { number: '10.1', description: `Agreement of ${plan.fiscalYear} with Holder 8 of ${plan.company.name}` },
      { number: '21', description: 'Subsidiaries of the registrant' },
      { number: '23', description: 'Consent of independent accountants' },
    );
  }
  if (plan.filed >= dayOf(2002, 8, 29)) {
    list.push(
      { number: '31.1', description: 'Certification of the chief executive officer' },
      { number: '31.2', description: 'Certification of the chief financial officer' },
      { number: '32.1', description: 'Certification under Section 906' },
    );
  }
  if (plan.filed < dayOf(2001, 6, 7) && plan.filed >= dayOf(1995, 1, 1)) {
    list.push({ number: '27', description: 'Financial data schedule' });
  }
  return list;
}

/** Writes the exhibit's text onto a page of its own. */
export function writeExhibit(page: Page, exhibit: Exhibit, plan: PlannedFiling): void {
  const { company } = plan;
  const random = new Random(company.seed, 'exhibit', company.id, plan.ordinal, exhibit.number);
  const prose = new Prose(random, company, plan.fiscalYear);
  page.centered(`Exhibit ${exhibit.number}`, 'bold');
  page.centered(exhibit.description.toUpperCase(), 'bold');
  if (exhibit.number === '21') {
    page.table([
      { label: 'Name', values: ['Jurisdiction'], kind: 'head' },
      ...company.places.slice(0, random.int(4, 12)).map((place) => ({
        label: `${company.name.split(' ')[0]} ${place} ${random.pick(['LLC', 'Inc.', 'Ltd.'])}`,
        values: [place],
      })),
    ]);
    return;
  }
  if (exhibit.number.startsWith('31') || exhibit.number.startsWith('32')) {
    const post = exhibit.number.endsWith('2') ? 'Officer 3' : 'Officer 1';
    page.paragraph(`I, ${post} of ${company.name}, certify that I have read this report on Form ${plan.form}.`);
    page.bullets([
      'To my knowledge the report leaves out no material fact and states none that is untrue.',
      'The financial statements present fairly the condition, the results and the cash flows of the registrant.',
      'I have disclosed to the auditors each significant deficiency of internal control that is known to me.',
    ]);
    page.paragraph(`Date: ${isoDay(plan.filed)}`);
    page.paragraph(`/s/ ${post} of ${company.name}`);
    return;
  }
  if (exhibit.number === '23') {
    page.paragraph(
      `We consent to the use of our report on the financial statements of ${company.name} for fiscal ${plan.fiscalYear}. Auditor 1 of ${company.name}.`,
    );
    return;
  }
  const sections = random.int(4, 9);
  for (let i = 1; i <= sections; i++) {
    page.subheading(`Section ${i}. ${prose.title()}`);
    page.paragraph(prose.paragraph('agreement', 2, 5));
  }
}

/** The financial data schedule of 1995 to 2001: tag and value pairs in plain text, which look like header tags. */
export function financialDataSchedule(plan: PlannedFiling): string {
  const s = statementOf(plan.company, plan.fiscalYear, plan.fiscalQuarter);
  const row = (tag: string, value: number | string) =>
    `<${tag}>${' '.repeat(Math.max(1, 32 - tag.length))}${typeof value === 'number' ? grouped(value).padStart(14) : value.padStart(14)}\n`;
  return `<ARTICLE> 5\n<LEGEND>\nThis schedule contains summary financial information taken from the statements of ${plan.company.name.toUpperCase()}\n</LEGEND>\n<MULTIPLIER> 1,000\n<TABLE> <S> <C>\n${[
    row('PERIOD-TYPE', plan.fiscalQuarter === null ? 'YEAR' : '3-MOS'),
    row('CASH', s.cash),
    row('TOTAL-ASSETS', s.totalAssets),
    row('BONDS', s.debt),
    row('SALES', s.revenue),
    row('CGS', s.costOfSales),
    row('NET-INCOME', s.netIncome),
    row('EPS-PRIMARY', s.earningsPerShare.toFixed(2)),
  ].join('')}</TABLE>\n`;
}

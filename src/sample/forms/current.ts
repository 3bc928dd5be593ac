/** 8-K: items by the numbering of its day, and a press release or an agreement. */
import { changePercent, direction, dollarsOfThousands, grouped } from '../amounts.ts';
import { dayOf, longDay, partsOf } from '../calendar.ts';
import type { PlannedFiling, Submission } from '../filing.ts';
import { type Statement, statementOf } from '../finances.ts';
import type { Page } from '../pages/page.ts';
import { Prose } from '../prose.ts';
import { Random } from '../random.ts';
import { perShare } from '../reports/accounts.ts';
import { extensionOf, fileName, pageFor, usesInlineXbrl } from '../reports/context.ts';
import { DocumentList, logo } from './document.ts';
import { submissionOf } from './header.ts';
import { addXbrlDocuments } from './xbrl.ts';

interface Item {
  number: string;
  title: string;
  /** words of EDGAR's header, if they differ from the title */
  words?: string;
}

const NEW_NUMBERS_SINCE = dayOf(2004, 8, 23);
const RESULTS_ITEM_SINCE = dayOf(2003, 3, 28);

const EXHIBITS: Item = { number: '9.01', title: 'Financial Statements and Exhibits' };
const RESULTS: Item = { number: '2.02', title: 'Results of Operations and Financial Condition' };
/** Lines of weight, number, title and, if they differ, the words of EDGAR's header. */
function weighted(lines: string): readonly (readonly [Item, number])[] {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [weight, number, title, words] = line.split(/ \| ?/) as [string, string, string, string?];
      return [{ number, title, ...(words === undefined ? {} : { words }) }, Number(weight)];
    });
}

const ITEMS: readonly (readonly [Item, number])[] = [
  [RESULTS, 30],
  ...weighted(`
14 | 1.01 | Entry into a Material Definitive Agreement
2 | 1.02 | Termination of a Material Definitive Agreement
4 | 2.01 | Completion of Acquisition or Disposition of Assets
5 | 2.03 | Creation of a Direct Financial Obligation or an Obligation under an Off-Balance Sheet Arrangement of a Registrant
2 | 2.05 | Costs Associated with Exit or Disposal Activities
1 | 3.01 | Notice of Delisting or Failure to Satisfy a Continued Listing Rule or Standard; Transfer of Listing
2 | 4.01 | Changes in Registrant's Certifying Accountant
16 | 5.02 | Departure of Directors or Certain Officers; Election of Directors; Appointment of Certain Officers; Compensatory Arrangements of Certain Officers | Departure of Directors or Certain Officers; Election of Directors; Appointment of Certain Officers: Compensatory Arrangements of Certain Officers
3 | 5.03 | Amendments to Articles of Incorporation or Bylaws; Change in Fiscal Year
6 | 5.07 | Submission of Matters to a Vote of Security Holders
12 | 7.01 | Regulation FD Disclosure
14 | 8.01 | Other Events
`),
];
const VOTE_ITEM_SINCE = dayOf(2010, 2, 28);

const OLD_EXHIBITS: Item = {
  number: '7',
  title: 'Financial Statements and Exhibits',
  words: 'Financial statements and exhibits',
};
const OLD_RESULTS: Item = { number: '12', title: 'Results of Operations and Financial Condition', words: '' };
const OLD_ITEMS = weighted(`
2 | 1 | Changes in Control of Registrant | Changes in control of registrant
6 | 2 | Acquisition or Disposition of Assets | Acquisition or disposition of assets
3 | 4 | Changes in Registrant's Certifying Accountant | Changes in registrant's certifying accountant
18 | 5 | Other Events | Other events
3 | 5 | Other Events | 
3 | 9 | Regulation FD Disclosure | 
`);

function itemsOf(plan: PlannedFiling, r: Random): Item[] {
  if (plan.filed < NEW_NUMBERS_SINCE) {
    const first =
      plan.filed >= RESULTS_ITEM_SINCE && r.chance(0.4)
        ? OLD_RESULTS
        : r.weighted(plan.filed < dayOf(2000, 10, 23) ? OLD_ITEMS.slice(0, 5) : OLD_ITEMS);
    const list = r.chance(0.75) ? [first, OLD_EXHIBITS] : [first];
    return list.sort((a, b) => Number(a.number) - Number(b.number));
  }
  const known = plan.filed >= VOTE_ITEM_SINCE ? ITEMS : ITEMS.filter(([item]) => item.number !== '5.07');
  const list = [r.weighted(known)];
  if (r.chance(0.25)) {
    const second = r.weighted(known);
    if (second.number !== list[0]!.number) list.push(second);
  }
  list.sort((a, b) => Number(a.number) - Number(b.number));
  if (list.some((i) => i === RESULTS || i.number === '7.01') || r.chance(0.6)) list.push(EXHIBITS);
  return list;
}

interface Attached {
  number: string;
  description: string;
  write(page: Page): void;
}

export function currentReport(plan: PlannedFiling): Submission {
  const { company } = plan;
  const r = new Random(company.seed, 'current', company.id, plan.ordinal);
  const choices = new Random(company.seed, 'current prose', company.id, plan.ordinal);
  const prose = new Prose(choices, company, plan.fiscalYear);
  const items = itemsOf(plan, r);
  const attached = items.some((i) => i.number === EXHIBITS.number || i.number === OLD_EXHIBITS.number)
    ? attachments(plan, items, prose, r)
    : [];
  const page = pageFor(plan, `${plan.form} of ${company.name}`, true);
  writeCover(page, plan);
  for (const item of items) {
    page.item([item.number], `Item ${item.number}.`, item.title, `item_${item.number.replace('.', '_')}`);
    if (item.number === EXHIBITS.number || item.number === OLD_EXHIBITS.number) {
      page.paragraph(`${plan.filed < NEW_NUMBERS_SINCE ? '(c)' : '(d)'} Exhibits.`);
      page.table([
        { label: 'Description', values: ['Exhibit'], kind: 'head' },
        ...attached.map((a) => ({ label: a.description, values: [a.number] })),
      ]);
      continue;
    }
    if (item === RESULTS || item === OLD_RESULTS) {
      page.paragraph(
        `On ${longDay(plan.period!)}, ${company.name} issued a press release about its results. A copy is furnished as Exhibit ${attached[0]?.number ?? '99.1'} and is not to be deemed filed.`,
      );
      continue;
    }
    for (let i = r.int(1, 3); i > 0; i--) page.paragraph(prose.paragraph('event', 2, 5));
  }
  page.closing('SIGNATURE');
  page.paragraph(`The registrant has caused this report to be signed on its behalf on ${longDay(plan.filed)}.`);
  page.paragraph(`${company.name} By: /s/ Officer 3 of ${company.name}`);

  const list = new DocumentList(plan);
  const inline = usesInlineXbrl(plan);
  list.written(
    plan.form,
    fileName(plan, '8k', extensionOf(page)),
    page.finish(),
    r.chance(0.8) ? `FORM ${plan.form}` : null,
    inline ? 'XBRL' : undefined,
  );
  for (const one of attached) {
    const exhibit = pageFor(plan, `EX-${one.number}`, false);
    one.write(exhibit);
    if (r.chance(0.03)) list.skip();
    list.written(
      `EX-${one.number}`,
      fileName(plan, `ex${one.number}`, extensionOf(exhibit)),
      exhibit.finish(),
      r.chance(0.85) ? one.description.toUpperCase() : null,
    );
  }
  if (plan.filed >= dayOf(2000, 6, 1) && r.chance(0.3))
    list.binary('GRAPHIC', fileName(plan, 'logo', 'jpg'), logo(plan));
  if (inline) addXbrlDocuments(list, plan, r);
  return submissionOf(plan, '34', {
    documents: list.documents,
    items: items.map((item) => ({ number: item.number, words: item.words ?? item.title })),
  });
}

function writeCover(page: Page, plan: PlannedFiling): void {
  const { company } = plan;
  page.centered('UNITED STATES');
  page.centered('SECURITIES AND EXCHANGE COMMISSION', 'bold');
  page.centered('Washington, D.C. 20549');
  page.centered(`FORM ${plan.form}`, 'large');
  page.centered('CURRENT REPORT', 'bold');
  page.centered('Pursuant to Section 13 or 15(d) of the Securities Exchange Act of 1934');
  page.centered(`Date of Report (Date of earliest event reported): ${longDay(plan.period ?? plan.filed)}`);
  page.centered(company.name.toUpperCase(), 'large');
  page.centered(`${company.stateName}     ${company.fileNumber}     ${company.irsNumber}`);
  page.centered(`${company.address.street1}, ${company.address.city}, ${company.address.state} ${company.address.zip}`);
  page.centered(`Telephone: ${company.phone}`);
}

function attachments(plan: PlannedFiling, items: readonly Item[], prose: Prose, r: Random): Attached[] {
  const { company } = plan;
  const list: Attached[] = [];
  const results = items.some((i) => i === RESULTS || i === OLD_RESULTS);
  if (items.some((i) => i.number === '1.01' || i.number === '2')) {
    const title = `${prose.title()} Agreement`;
    list.push({
      number: plan.filed < NEW_NUMBERS_SINCE ? '2' : '10.1',
      description: `${title} dated ${longDay(plan.period!)}`,
      write: (page) => writeAgreement(page, title, plan, prose, r),
    });
  }
  list.push({
    number: plan.filed < dayOf(2001, 1, 1) ? '99' : '99.1',
    description: `Press release of ${company.name} dated ${longDay(plan.period!)}`,
    write: (page) => (results ? writeResultsRelease(page, plan, prose) : writeRelease(page, plan, prose, r)),
  });
  if (r.chance(0.12)) {
    list.push({
      number: '99.2',
      description: 'Slides for investors',
      write: (page) => {
        page.centered(`${company.name} in fiscal ${plan.fiscalYear}`, 'large');
        page.bullets(Array.from({ length: r.int(6, 14) }, () => prose.sentence('results')));
      },
    });
  }
  return list;
}

function writeAgreement(page: Page, title: string, plan: PlannedFiling, prose: Prose, r: Random): void {
  page.centered(title.toUpperCase(), 'bold');
  page.paragraph(
    `This agreement is made on ${longDay(plan.period!)} between ${plan.company.name} and Holder 8 of ${plan.company.name}.`,
  );
  for (let i = 1, n = r.int(5, 14); i <= n; i++) {
    page.subheading(`Section ${i}. ${prose.title()}`);
    page.paragraph(prose.paragraph('agreement', 2, 5));
  }
}

function writeRelease(page: Page, plan: PlannedFiling, prose: Prose, r: Random): void {
  page.centered(`${plan.company.name}: ${prose.title()}`, 'bold');
  page.paragraph(
    `${plan.company.place.city.toUpperCase()}, ${longDay(plan.period!)} - ${prose.paragraph('event', 2, 4)}`,
  );
  for (let i = r.int(2, 5); i > 0; i--) page.paragraph(prose.paragraph(i % 2 ? 'business' : 'results', 2, 4));
}

const AMOUNTS = 'revenue costOfSales grossProfit operatingIncome netIncome cash totalAssets debt equity'.split(
  ' ',
) as Exclude<keyof Statement, 'segments'>[];

function writeResultsRelease(page: Page, plan: PlannedFiling, prose: Prose): void {
  const { company } = plan;
  const { year, month } = partsOf(plan.filed);
  const quarter = Math.max(1, Math.min(4, Math.ceil(((month + 12 - company.fiscalMonth) % 12 || 12) / 3) - 1 || 4));
  const [now, before] = [statementOf(company, year, quarter), statementOf(company, year - 1, quarter)];
  page.centered(`${company.name} Reports Results of Quarter ${quarter}`, 'bold');
  page.paragraph(
    `${company.place.city.toUpperCase()}, ${longDay(plan.period!)} - ${company.name} reported revenue of ${dollarsOfThousands(now.revenue)}, which ${direction(now.revenue, before.revenue)} ${changePercent(now.revenue, before.revenue)} from ${dollarsOfThousands(before.revenue)}. Earnings were $${perShare(now.earningsPerShare)} a share.`,
  );
  page.bullets(now.segments.map((s) => `${s.name}: revenue of ${dollarsOfThousands(s.revenue)}`));
  page.paragraph(prose.paragraph('results', 3, 6));
  const amounts = AMOUNTS.map((key) => ({
    label: key.replace(/[A-Z]/g, (c) => ` ${c.toLowerCase()}`).replace(/^./, (c) => c.toUpperCase()),
    values: [grouped(now[key]), grouped(before[key])],
  }));
  page.table([{ label: '', values: ['This year', 'Last year'], kind: 'head' }, ...amounts], {
    money: true,
    caption: '(in thousands, unaudited)',
  });
  page.paragraph(prose.paragraph('risk', 2, 4));
}

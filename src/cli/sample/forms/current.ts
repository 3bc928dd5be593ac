/** 8-K: its items, and a press release or an agreement. */
import { BALANCE, change, dollarsOfThousands, INCOME, statementOf, statementTable } from '../accounts.ts';
import { longDay, partsOf } from '../calendar.ts';
import type { PlannedFiling, Submission } from '../filing.ts';
import type { Page } from '../page.ts';
import type { Prose } from '../prose.ts';
import { Random } from '../random.ts';
import { DocumentList, pageOf, proseOf, submissionOf, usesInlineXbrl } from '../submission.ts';

interface Item {
  number: string;
  title: string;
}

const EXHIBITS: Item = { number: '9.01', title: 'Financial Statements and Exhibits' };

/** Weight, number and title. */
const ITEMS = `
30 | 2.02 | Results of Operations and Financial Condition
14 | 1.01 | Entry into a Material Definitive Agreement
2 | 1.02 | Termination of a Material Definitive Agreement
4 | 2.01 | Completion of Acquisition or Disposition of Assets
5 | 2.03 | Creation of a Direct Financial Obligation or an Obligation under an Off-Balance Sheet Arrangement of a Registrant
2 | 2.05 | Costs Associated with Exit or Disposal Activities
1 | 3.01 | Notice of Delisting or Failure to Satisfy a Continued Listing Rule or Standard; Transfer of Listing
2 | 4.01 | Changes in Registrant's Certifying Accountant
16 | 5.02 | Departure of Directors or Certain Officers; Election of Directors; Appointment of Certain Officers: Compensatory Arrangements of Certain Officers
3 | 5.03 | Amendments to Articles of Incorporation or Bylaws; Change in Fiscal Year
6 | 5.07 | Submission of Matters to a Vote of Security Holders
12 | 7.01 | Regulation FD Disclosure
14 | 8.01 | Other Events`
  .trim()
  .split('\n')
  .map((line): [Item, number] => {
    const [weight, number, title] = line.split(' | ') as [string, string, string];
    return [{ number, title }, Number(weight)];
  });

function itemsOf(r: Random): Item[] {
  const list = [r.weighted(ITEMS)];
  const second = r.weighted(ITEMS);
  if (r.chance(0.25) && second !== list[0]) list.push(second);
  list.sort((a, b) => Number(a.number) - Number(b.number));
  const furnished = list.some(({ number }) => number === '2.02' || number === '7.01');
  return furnished || r.chance(0.6) ? [...list, EXHIBITS] : list;
}

interface Exhibit {
  number: string;
  description: string;
  write(page: Page): void;
}

export function currentReport(plan: PlannedFiling): Submission {
  const { company, form, period, filed } = plan;
  const r = new Random(company.seed, 'current', company.id, plan.ordinal);
  const prose = proseOf(plan, 'current prose');
  const items = itemsOf(r);
  const exhibits = items.includes(EXHIBITS) ? exhibitsOf(plan, items, prose, r) : [];
  const day = longDay(period!);
  const page = pageOf(plan, form, true);
  page.centered('SECURITIES AND EXCHANGE COMMISSION', 'bold');
  page.centered(`FORM ${form}`, 'large');
  page.centered('CURRENT REPORT', 'bold');
  page.centered(`Date of Report (Date of earliest event reported): ${day}`);
  page.centered(company.name.toUpperCase(), 'large');
  page.centered(`${company.stateName} ${company.fileNumber} ${company.irsNumber}`);
  for (const item of items) {
    page.item(item.number, `Item ${item.number}.`, item.title, `item_${item.number.replace('.', '_')}`);
    if (item === EXHIBITS) {
      page.paragraph('(d) Exhibits.');
      page.table([
        { label: 'Description', values: ['Exhibit'], kind: 'head' },
        ...exhibits.map(({ number, description }) => ({ label: description, values: [number] })),
      ]);
    } else if (item.number === '2.02') {
      page.paragraph(
        `On ${day}, ${company.name} issued a press release about its results. It is furnished as Exhibit 99.1.`,
      );
    } else for (let i = r.int(1, 3); i > 0; i--) page.paragraph(prose.paragraph('event', 2, 5));
  }
  page.part('SIGNATURE');
  page.paragraph(`The registrant has caused this report to be signed on its behalf on ${longDay(filed)}.`);
  page.paragraph(`${company.name} By: /s/ Officer 3 of ${company.name}`);

  const list = new DocumentList(plan);
  const inline = usesInlineXbrl(plan);
  list.page(form, page, r.chance(0.8) ? `FORM ${form}` : null, inline ? { wrapper: 'XBRL' } : {});
  for (const { number, description, write } of exhibits) {
    const exhibit = pageOf(plan, `EX-${number}`);
    write(exhibit);
    if (r.chance(0.03)) list.skip();
    list.page(`EX-${number}`, exhibit, r.chance(0.85) ? description.toUpperCase() : null);
  }
  if (r.chance(0.3)) list.logo();
  if (inline) list.xbrl([['Document type', form]]);
  return submissionOf(plan, list, { items: items.map(({ number, title }) => ({ number, words: title })) });
}

function exhibitsOf(plan: PlannedFiling, items: readonly Item[], prose: Prose, r: Random): Exhibit[] {
  const { company, period } = plan;
  const has = (number: string) => items.some((item) => item.number === number);
  const dated = `dated ${longDay(period!)}`;
  const list: Exhibit[] = [];
  if (has('1.01')) {
    const title = `${prose.title()} Agreement`;
    list.push({
      number: '10.1',
      description: `${title} ${dated}`,
      write: (page) => agreement(page, title, plan, prose, r),
    });
  }
  const description = `Press release of ${company.name} ${dated}`;
  const release = has('2.02') ? resultsRelease : pressRelease;
  return [...list, { number: '99.1', description, write: (page) => release(page, plan, prose, r) }];
}

function agreement(page: Page, title: string, { company, period }: PlannedFiling, prose: Prose, r: Random): void {
  page.centered(title.toUpperCase(), 'bold');
  page.paragraph(`Made on ${longDay(period!)} between ${company.name} and Holder 8 of ${company.name}.`);
  for (let i = 1, n = r.int(5, 14); i <= n; i++) {
    page.subheading(`Section ${i}. ${prose.title()}`);
    page.paragraph(prose.paragraph('agreement', 2, 5));
  }
}

function pressRelease(page: Page, { company, period }: PlannedFiling, prose: Prose, r: Random): void {
  page.centered(`${company.name}: ${prose.title()}`, 'bold');
  page.paragraph(`${company.address.city.toUpperCase()}, ${longDay(period!)} - ${prose.paragraph('event', 2, 4)}`);
  for (let i = r.int(2, 5); i > 0; i--) page.paragraph(prose.paragraph(i % 2 ? 'business' : 'results', 2, 4));
}

function resultsRelease(page: Page, { company, filed, period }: PlannedFiling, prose: Prose): void {
  const { year, month } = partsOf(filed);
  const quarter = Math.ceil(((month + 12 - company.fiscalMonth) % 12 || 12) / 3) - 1 || 4;
  const of = [statementOf(company, year, quarter), statementOf(company, year - 1, quarter)] as const;
  const [now, before] = of;
  page.centered(`${company.name} Reports Results of Quarter ${quarter}`, 'bold');
  page.paragraph(
    `${company.address.city.toUpperCase()}, ${longDay(period!)} - Revenue ${change(now.revenue, before.revenue)} to ${dollarsOfThousands(now.revenue)} from ${dollarsOfThousands(before.revenue)}. Earnings were $${now.earningsPerShare.toFixed(2)} a share.`,
  );
  page.bullets(now.segments.map((s) => `${s.name}: revenue of ${dollarsOfThousands(s.revenue)}`));
  page.paragraph(prose.paragraph('results', 3, 6));
  statementTable(page, 'Unaudited', [...INCOME, ...BALANCE], [...of], ['This year', 'Last year']);
  page.paragraph(prose.paragraph('risk', 2, 4));
}

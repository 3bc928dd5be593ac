/** 8-K: its items, and a press release or an agreement. */
import { BALANCE, change, dollarsOfThousands, INCOME, type Period, periodsOf } from '../companies/accounts.ts';
import { longDay, partsOf } from '../companies/calendar.ts';
import type { PlannedFiling, Submission } from '../companies/filing.ts';
import type { Prose } from '../companies/prose.ts';
import type { Random } from '../companies/random.ts';
import { Draft } from './draft.ts';
import type { Page } from './page.ts';

/** Weight, number and title; then what the company writes. */
const ITEMS = `
30 | 2.02 | Results of Operations and Financial Condition
  On {day}, {co} issued a press release about the results of the quarter, which is furnished as Exhibit 99.1.
14 | 1.01 | Entry into a Material Definitive Agreement
  On {day}, {co} entered into a supply agreement for {good} with a customer in {place}. The agreement has a term of {num} months, and provides for
  minimum purchases of {money}. Either party may end it with six months' notice after the first year.
4 | 2.01 | Completion of Acquisition or Disposition of Assets
  On {day}, {co} completed the purchase of a business in {place} that sells {good} to {buyers}. The price was {money} in cash, of which a tenth is held in escrow.
5 | 2.03 | Creation of a Direct Financial Obligation or an Obligation under an Off-Balance Sheet Arrangement of a Registrant
  On {day}, {co} borrowed {money} under {our} credit agreement. The loan bears interest at a variable rate, and is due in {num} months.
2 | 4.01 | Changes in Registrant's Certifying Accountant
  On {day}, the audit committee dismissed Auditor 1 and engaged Auditor 2. The reports of Auditor 1 contained no adverse opinion, and there were no disagreements.
16 | 5.02 | Departure of Directors or Certain Officers; Election of Directors; Appointment of Certain Officers: Compensatory Arrangements of Certain Officers
  On {day}, the officer who leads the {seg} segment gave notice of retirement, which takes effect in {num} days. The board began a search for a successor.
  The decision was not the result of any disagreement with {us}.
3 | 5.03 | Amendments to Articles of Incorporation or Bylaws; Change in Fiscal Year
  On {day}, the board amended the bylaws. Shareholders may now nominate directors up to {num} days before the annual meeting.
6 | 5.07 | Submission of Matters to a Vote of Security Holders
  {Our} annual meeting was held on {day}. Shareholders elected all nominees for director, approved the compensation of the officers, and ratified the appointment of Auditor 1.
12 | 7.01 | Regulation FD Disclosure
  On {day}, {co} issued a press release about {p}, which is furnished as Exhibit 99.1. Officers will present it to investors in the coming weeks.
14 | 8.01 | Other Events
  On {day}, the board authorized the repurchase of up to {money} of common stock. Purchases may be made in the open market, and may be suspended at any time.`
  .trim()
  .split(/\n(?=\d)/)
  .map((entry) => {
    const [head, ...text] = entry.split('\n') as [string, ...string[]];
    const [weight, number, title] = head.split(' | ') as [string, string, string];
    return [{ number, title, text: text.map((line) => line.trim()).join(' ') }, Number(weight)] as const;
  });
type Item = (typeof ITEMS)[number][0];

const EXHIBITS: Item = { number: '9.01', title: 'Financial Statements and Exhibits', text: '(d) Exhibits.' };

function itemsOf(r: Random): Item[] {
  const list = [r.weighted(ITEMS)];
  const second = r.weighted(ITEMS);
  if (r.chance(0.25) && second !== list[0]) list.push(second);
  list.sort((a, b) => Number(a.number) - Number(b.number));
  const furnished = list.some(({ number }) => number === '2.02' || number === '7.01');
  return furnished || r.chance(0.6) ? [...list, EXHIBITS] : list;
}

export function currentReport(plan: PlannedFiling): Submission {
  const { company, form, period, filed } = plan;
  const draft = new Draft(plan);
  const r = draft.random('current');
  const prose = draft.prose('current prose');
  const items = itemsOf(r);
  const day = longDay(period!);
  const has = (number: string) => items.some((item) => item.number === number);
  const exhibits: [number: string, description: string][] = [];
  if (has('9.01') && has('1.01')) exhibits.push(['10.1', `Supply Agreement dated ${day}`]);
  if (has('9.01')) exhibits.push(['99.1', `Press release of ${company.name} dated ${day}`]);
  const page = draft.newPage(form);
  draft.cover(page, 'CURRENT REPORT', `Date of Report (Date of earliest event reported): ${day}`);
  for (const item of items) {
    page.item(item.number, `Item ${item.number}.`, item.title, `item_${item.number.replace('.', '_')}`);
    page.paragraph(prose.fill(item.text.replace('{day}', day)));
    if (item === EXHIBITS) {
      const rows = exhibits.map(([number, description]) => ({ label: description, values: [number] }));
      page.table(['Exhibit'], rows);
    }
  }
  page.part('SIGNATURE');
  page.paragraph(`The registrant has caused this report to be signed on its behalf on ${longDay(filed)}.`);
  page.paragraph(`${company.name} By: /s/ Officer 3 of ${company.name}`);

  draft.page(form, page, r.chance(0.8) ? `FORM ${form}` : null);
  for (const [number, description] of exhibits) {
    const exhibit = draft.newPage(`EX-${number}`);
    if (number === '10.1') {
      exhibit.centered('SUPPLY AGREEMENT', 'bold');
      exhibit.paragraph(`This agreement is made on ${day} between ${company.name} and one of its customers.`);
      exhibit.passages(prose.take('agreement', 8));
    } else (has('2.02') ? resultsRelease : pressRelease)(exhibit, plan, prose);
    if (r.chance(0.03)) draft.skip();
    draft.page(`EX-${number}`, exhibit, r.chance(0.85) ? description.toUpperCase() : null);
  }
  if (r.chance(0.3)) draft.logo();
  return draft.submission({ items: items.map(({ number, title }) => ({ number, words: title })) });
}

function pressRelease(page: Page, { company, period }: PlannedFiling, prose: Prose): void {
  page.centered(prose.fill(`${company.name} Introduces {p}`), 'bold');
  page.paragraph(
    prose.fill(
      `${company.address.city.toUpperCase()}, ${longDay(period!)} - ${company.name} today introduced {p}, which offers {buyers} a better choice of {good}.`,
    ),
  );
  page.passages(prose.take('news', 4));
}

function resultsRelease(page: Page, plan: PlannedFiling, prose: Prose): void {
  const { company, filed, period } = plan;
  const { year, month } = partsOf(filed);
  const quarter = Math.ceil(((month + 12 - company.fiscalMonth) % 12 || 12) / 3) - 1 || 4;
  const periods = periodsOf({ ...plan, fiscalYear: year }, quarter, [0, 1]);
  const [now, before] = periods as [Period, Period];
  page.centered(`${company.name} Reports Results of Quarter ${quarter}`, 'bold');
  page.paragraph(
    `${company.address.city.toUpperCase()}, ${longDay(period!)} - Revenue ${change(now.revenue, before.revenue)} to ${dollarsOfThousands(now.revenue)} from ${dollarsOfThousands(before.revenue)}. Earnings were $${now.earningsPerShare.toFixed(2)} a share.`,
  );
  page.revenue(periods);
  page.passages(prose.take('results', 3));
  page.statement('Unaudited Results and Condition', [...INCOME, ...BALANCE], periods);
  page.passages(prose.take('news', 1));
}

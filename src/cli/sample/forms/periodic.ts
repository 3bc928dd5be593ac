/** 10-K and 10-Q with their exhibits and a logo. */
import {
  BALANCE,
  CASH_FLOWS,
  change,
  dollarsOfThousands,
  grouped,
  INCOME,
  type Period,
  periodsOf,
} from '../companies/accounts.ts';
import { longDay, parseDay } from '../companies/calendar.ts';
import type { PlannedFiling, Submission } from '../companies/filing.ts';
import type { Subject } from '../companies/prose.ts';
import type { Random } from '../companies/random.ts';
import { Draft } from './draft.ts';
import { INLINE_SINCE, Tags } from './inline.ts';
import type { Page } from './page.ts';

/**
 * A line with `#` is a part. Its items follow: code, title, content, and if they changed, the first day and the first day after the last.
 * The content is a writer below, or a subject and how many of its passages, or the text itself.
 */
const ANNUAL = `
# PART I
1 | Business | =business
1A | Risk Factors | =risk | 2005-12-01
1B | Unresolved Staff Comments | There were no unresolved comments of the staff. | 2005-12-01
1C | Cybersecurity | The audit committee oversees the security of information systems, and management reports to it twice a year. No incident had a material effect. | 2023-12-15
2 | Properties | property 2
3 | Legal Proceedings | legal 2
4 | Submission of Matters to a Vote of Security Holders | No matters were submitted to a vote of security holders during the period. | | 2010-02-28
4 | (Removed and Reserved) | | 2010-02-28 | 2012-01-27
4 | Mine Safety Disclosures | Not applicable. | 2012-01-27
# PART II
5 | Market for Registrant's Common Equity, Related Stockholder Matters and Issuer Purchases of Equity Securities | =market
6 | Selected Financial Data | =income | | 2021-02-10
6 | [Reserved] | | 2021-02-10
7 | Management's Discussion and Analysis of Financial Condition and Results of Operations | =discussion
7A | Quantitative and Qualitative Disclosures About Market Risk | market 2
8 | Financial Statements and Supplementary Data | =statements
9 | Changes in and Disagreements with Accountants on Accounting and Financial Disclosure | None.
9A | Controls and Procedures | Management concluded that disclosure controls and internal control over financial reporting were effective at the end of the period. There was no change that materially affected them.
9B | Other Information | None.
9C | Disclosure Regarding Foreign Jurisdictions that Prevent Inspections | Not applicable. | 2022-01-10
# PART III
10 | Directors and Executive Officers of the Registrant | =incorporated | | 2006-12-15
10 | Directors, Executive Officers and Corporate Governance | =incorporated | 2006-12-15
11 | Executive Compensation | =incorporated
12 | Security Ownership of Certain Beneficial Owners and Management | =incorporated
13 | Certain Relationships and Related Transactions | =incorporated
14 | Principal Accountant Fees and Services | =incorporated
# PART IV
15 | Exhibits and Financial Statement Schedules | =exhibits
16 | Form 10-K Summary | None. | 2016-06-09
`;

const QUARTERLY = `
# PART I. FINANCIAL INFORMATION
I-1 | Financial Statements | =statements
I-2 | Management's Discussion and Analysis of Financial Condition and Results of Operations | =discussion
I-3 | Quantitative and Qualitative Disclosures About Market Risk | market 2
I-4 | Controls and Procedures | Management concluded that disclosure controls and internal control over financial reporting were effective at the end of the period. There was no change that materially affected them.
# PART II. OTHER INFORMATION
II-1 | Legal Proceedings | legal 2
II-1A | Risk Factors | =risk | 2005-12-01
II-2 | Unregistered Sales of Equity Securities and Use of Proceeds | None.
II-3 | Defaults Upon Senior Securities | None.
II-4 | Submission of Matters to a Vote of Security Holders | None. | | 2010-02-28
II-4 | (Removed and Reserved) | | 2010-02-28 | 2012-01-27
II-4 | Mine Safety Disclosures | Not applicable. | 2012-01-27
II-5 | Other Information | None.
II-6 | Exhibits | =exhibits
`;

interface Item {
  section: string;
  label: string;
  title: string;
  content: string;
  anchor: string;
}

/** The parts with their items on the day of filing. An amendment often has only those of proxy statements. */
function partsOf({ filed, fiscalQuarter, amends }: PlannedFiling, r: Random): { heading: string; items: Item[] }[] {
  const parts = (fiscalQuarter === null ? ANNUAL : QUARTERLY).trim().slice(2).split('\n# ');
  const late = amends && fiscalQuarter === null && r.chance(0.7);
  return (late ? parts.slice(2) : parts).map((part) => {
    const [heading, ...rows] = part.split('\n') as [string, ...string[]];
    const items = rows.flatMap((row): Item[] => {
      const [section, title, content, from, until] = row.split(/ *\| */) as [string, string, string, string?, string?];
      if ((from && filed < parseDay(from)) || (until && filed >= parseDay(until))) return [];
      const anchor = `item_${section.toLowerCase().replace('-', '_')}`;
      return [{ section, label: `Item ${section.split('-').at(-1)}.`, title, content, anchor }];
    });
    return { heading, items };
  });
}

/** What the writers of items know: three years, or a quarter and that of the year before; the length of the report, 0.55 to 1.3. */
function contextOf(draft: Draft) {
  const { plan } = draft;
  const backs = plan.fiscalQuarter === null ? [0, 1, 2] : [0, 1];
  const periods = periodsOf(plan, plan.fiscalQuarter, backs);
  const toDate = periodsOf(plan, plan.fiscalQuarter, backs, true);
  const scale = 0.55 + ((plan.company.style * 7.31) % 1) * 0.75;
  return { draft, plan, annual: plan.fiscalQuarter === null, prose: draft.prose('prose'), periods, toDate, scale };
}
type Context = ReturnType<typeof contextOf>;

export function periodicReport(plan: PlannedFiling): Submission {
  const { company, form } = plan;
  const draft = new Draft(plan);
  const r = draft.random('periodic');
  const context = contextOf(draft);
  const logo = !plan.amends && r.chance(context.annual ? 0.7 : 0.15) ? draft.nameOf('logo', 'jpg') : null;
  const description = company.style < 0.1 ? null : company.style < 0.6 ? form : `FORM ${form}`;
  const page = report(context, r, logo);
  draft.page(form, page, description, { wrapper: page.tags && 'XBRL' });
  for (const [number, title, text] of exhibitsOf(plan))
    draft.page(`EX-${number}`, exhibit(draft, number, title, text), title.toUpperCase());
  if (page.tags) draft.text('EX-101.SCH', page.tags.schema, page.tags.taxonomy(), { wrapper: 'XBRL' });
  if (logo && r.chance(0.2)) draft.skip();
  if (logo) draft.logo();
  return draft.submission();
}

function report(context: Context, r: Random, logo: string | null): Page {
  const { plan } = context;
  const tags = plan.filed < INLINE_SINCE ? null : new Tags(plan, context.toDate[0]!);
  const page = context.draft.newPage(plan.form, tags);
  const parts = partsOf(plan, r);
  cover(page, context);
  page.centered('TABLE OF CONTENTS', 'bold');
  page.contents(parts.flatMap(({ heading, items }) => [{ label: '', title: heading, anchor: null }, ...items]));
  for (const { heading, items } of parts) {
    page.part(heading);
    for (const { section, label, title, content, anchor } of items) {
      page.item(section, label, title, anchor);
      const passages = /^(\w+) (\d+)$/.exec(content);
      if (content.startsWith('=')) WRITERS[content.slice(1)]!(page, context);
      else if (passages) page.passages(context.prose.take(passages[1] as Subject, Number(passages[2])));
      else if (content) page.paragraph(content);
    }
  }
  page.part('SIGNATURES');
  if (logo) page.image(logo, `Logo of ${plan.company.name}`);
  page.paragraph(
    `Pursuant to the requirements of the Securities Exchange Act of 1934, the registrant has duly caused this report to be signed on its behalf by the undersigned, thereunto duly authorized, on ${longDay(plan.filed)}.`,
  );
  page.paragraph(`${plan.company.name} By: /s/ Officer 1 of ${plan.company.name}`);
  return page;
}

function cover(page: Page, { draft, plan, annual, periods }: Context): void {
  const { company } = plan;
  const ended = `For the ${annual ? 'fiscal year' : 'quarterly period'} ended ${longDay(plan.period!)}`;
  draft.cover(page, `${annual ? 'ANNUAL' : 'QUARTERLY'} REPORT`, plan.amends ? `Amendment No. 1. ${ended}` : ended);
  const listed = company.tickers.map((t) => ({ label: 'Common stock', values: [t.ticker, t.exchange] }));
  if (listed.length > 0) page.table(['Symbol', 'Exchange'], listed);
  page.paragraph(
    `As of ${longDay(plan.filed - 10)}, there were ${grouped(periods[0]!.shares * 1000)} shares of the registrant's common stock outstanding.`,
  );
}

const WRITERS: Record<string, (page: Page, context: Context) => void> = {
  business(page, { plan, prose, periods, scale }) {
    const { company, fiscalYear } = plan;
    const { revenue, employees, segments } = periods[0]!;
    page.paragraph(
      prose.fill(
        `${company.name} was founded in ${company.foundedYear} and has its principal offices in ${company.address.city}, ${company.stateName}. {Co} sold {goods} to {buyers}. Revenue of fiscal ${fiscalYear} was ${dollarsOfThousands(revenue)}. About ${grouped(employees)} people were employed at the end of the year.`,
      ),
    );
    for (const { name, revenue: own } of segments) {
      page.subheading(name);
      const text = `The ${name} segment had revenue of ${dollarsOfThousands(own)} in fiscal ${fiscalYear}, or ${((own / revenue) * 100).toFixed(0)}% of the total. Its largest markets are {place} and {place}. Its products include {p}.`;
      page.paragraph(prose.fill(text));
    }
    page.passages(prose.take('business', Math.round(6 * scale)));
  },
  risk(page, { plan, prose, annual, scale }) {
    page.paragraph(
      annual
        ? 'You should consider the following risks carefully, together with the other information in this report, before you invest in our stock.'
        : `There were no material changes to the risk factors in the annual report on Form 10-K, except as follows. The risks below were reviewed on ${longDay(plan.filed - 3)}.`,
    );
    page.passages(prose.take('risk', annual ? Math.round(6 * scale) : 1));
  },
  market(page, { plan }) {
    const symbol = plan.company.tickers[0]?.ticker;
    page.paragraph(
      symbol
        ? `Our common stock is traded under the symbol ${symbol}. On ${longDay(plan.filed - 10)}, there were ${grouped((plan.company.id % 900) + 214)} holders of record. Dividends are declared at the discretion of the board.`
        : 'There is no established public trading market for our common stock.',
    );
  },
  income: (page, { periods }) => page.statement('Consolidated Statements of Income', INCOME, periods),
  discussion(page, { plan, annual, prose, periods, scale }) {
    const [now, before] = periods as [Period, Period];
    const span = annual ? `fiscal ${plan.fiscalYear}` : `the quarter ended ${longDay(plan.period!)}`;
    page.subheading('Results of Operations');
    page.paragraph(
      `Revenue for ${span} ${change(now.revenue, before.revenue)} to ${dollarsOfThousands(now.revenue)} from ${dollarsOfThousands(before.revenue)}. Gross profit ${change(now.grossProfit, before.grossProfit)}, and operating income was ${((now.operatingIncome / now.revenue) * 100).toFixed(1)}% of revenue.`,
    );
    page.revenue(periods);
    page.passages(prose.take('results', Math.round((annual ? 6 : 3) * Math.min(1, scale))));
    page.subheading('Liquidity and Capital Resources');
    page.paragraph(
      `Cash was ${dollarsOfThousands(now.cash)} at the end of the period, and long-term debt was ${dollarsOfThousands(now.debt)}.`,
    );
    page.passages(prose.take('liquidity', annual ? 4 : 2));
  },
  statements(page, { plan, annual, prose, periods, toDate }) {
    page.statement('Consolidated Statements of Income', INCOME, periods);
    page.statement('Consolidated Balance Sheets', BALANCE, [periods[0]!, ...periodsOf(plan, null, [1])]);
    page.statement('Consolidated Statements of Cash Flows for the Fiscal Year to Date', CASH_FLOWS, toDate);
    const notes = prose.take('notes', annual ? 8 : 4);
    page.passages(notes.map(({ heading, text }, i) => ({ heading: `Note ${i + 1}. ${heading}`, text })));
  },
  incorporated(page) {
    page.paragraph(
      'The information required by this item is incorporated by reference from the proxy statement for the annual meeting of shareholders.',
    );
  },
  exhibits(page, { plan }) {
    const rows = exhibitsOf(plan).map(([number, title]) => ({ label: title, values: [number] }));
    page.table(['Number'], rows);
  },
};

/** Number, title and text of each; one without a text is a table of subsidiaries or an agreement. */
function exhibitsOf({ fiscalYear, fiscalQuarter, company, amends, form }: PlannedFiling): [string, string, string?][] {
  const certification = (officer: number) =>
    `I, Officer ${officer} of ${company.name}, certify that I have reviewed this report on Form ${form}. Based on my knowledge, it contains no untrue statement of a material fact, and its financial statements fairly present the financial condition and results of the registrant in all material respects. /s/ Officer ${officer} of ${company.name}`;
  const certifications: [string, string, string][] = [
    ['31.1', 'Certification of the chief executive officer', certification(1)],
    ['31.2', 'Certification of the chief financial officer', certification(3)],
  ];
  if (amends) return certifications;
  const last: [string, string, string] = ['32.1', 'Certification under Section 906', certification(1)];
  if (fiscalQuarter !== null) return [...certifications, last];
  const consent = `We consent to the incorporation by reference of our report on the financial statements of fiscal ${fiscalYear}. Auditor 1 of ${company.name}.`;
  return [
    ['10.1', `Supply Agreement of ${fiscalYear} with Holder 8 of ${company.name}`],
    ['21', 'Subsidiaries of the registrant'],
    ['23', 'Consent of independent accountants', consent],
    ...certifications,
    last,
  ];
}

function exhibit(draft: Draft, number: string, title: string, text?: string): Page {
  const { name, places, id } = draft.plan.company;
  const page = draft.newPage(`EX-${number}`);
  page.centered(`Exhibit ${number}`, 'bold');
  page.centered(title.toUpperCase(), 'bold');
  if (text) page.paragraph(text);
  else if (number === '21') {
    const own = places.slice(0, 4 + (id % 8)).map((place, i) => {
      return { label: `${name.split(' ')[0]} ${place} ${['LLC', 'Inc.', 'Ltd.'][i % 3]}`, values: [place] };
    });
    page.table(['Jurisdiction'], own);
  } else page.passages(draft.prose(`exhibit ${number}`).take('agreement', 8));
  return page;
}

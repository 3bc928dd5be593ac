/** 10-K and 10-Q with their exhibits and a logo. */
import {
  BALANCE,
  change,
  dollarsOfThousands,
  grouped,
  INCOME,
  revenueTable,
  type Statement,
  statementOf,
  statementTable,
} from '../accounts.ts';
import { isoDay, longDay, parseDay } from '../calendar.ts';
import type { PlannedFiling, Submission } from '../filing.ts';
import type { Page } from '../page.ts';
import type { Prose, Subject } from '../prose.ts';
import { Random } from '../random.ts';
import { DocumentList, pageOf, proseOf, submissionOf, usesInlineXbrl } from '../submission.ts';

/**
 * A line with `#` is a part. Its items follow: code, title, content, and if they changed, the first day and the first day after the last.
 * The content is a writer below, or a subject and its paragraphs, or the text itself.
 */
const ANNUAL = `
# PART I
1 | Business | =business
1A | Risk Factors | =risk | 2005-12-01
1B | Unresolved Staff Comments | None. | 2005-12-01
1C | Cybersecurity | governance 4 | 2023-12-15
2 | Properties | property 3
3 | Legal Proceedings | legal 3
4 | Submission of Matters to a Vote of Security Holders | No matters were submitted to a vote of security holders during the period. | | 2010-02-28
4 | (Removed and Reserved) | | 2010-02-28 | 2012-01-27
4 | Mine Safety Disclosures | Not applicable. | 2012-01-27
# PART II
5 | Market for Registrant's Common Equity, Related Stockholder Matters and Issuer Purchases of Equity Securities | =market
6 | Selected Financial Data | =income | | 2021-02-10
6 | [Reserved] | | 2021-02-10
7 | Management's Discussion and Analysis of Financial Condition and Results of Operations | =discussion
7A | Quantitative and Qualitative Disclosures About Market Risk | results 3
8 | Financial Statements and Supplementary Data | =statements
9 | Changes in and Disagreements with Accountants on Accounting and Financial Disclosure | None.
9A | Controls and Procedures | governance 2
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
I-3 | Quantitative and Qualitative Disclosures About Market Risk | results 3
I-4 | Controls and Procedures | governance 2
# PART II. OTHER INFORMATION
II-1 | Legal Proceedings | legal 3
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

interface Context {
  plan: PlannedFiling;
  prose: Prose;
  /** of this period, the one before, and the one before that */
  statements: Statement[];
  /** the heads of their columns */
  years: string[];
  annual: boolean;
  /** The length of this company's reports, about 0.55 to 1.3. */
  scale: number;
}

export function periodicReport(plan: PlannedFiling): Submission {
  const { company, fiscalYear, fiscalQuarter, form } = plan;
  const r = new Random(company.seed, 'periodic', company.id, plan.ordinal);
  const annual = fiscalQuarter === null;
  const backs = [0, 1, 2];
  const context: Context = {
    plan,
    annual,
    prose: proseOf(plan, 'prose'),
    statements: backs.map((back) => statementOf(company, fiscalYear - back, fiscalQuarter)),
    years: backs.map((back) => String(fiscalYear - back)),
    scale: 0.55 + ((company.style * 7.31) % 1) * 0.75,
  };
  const list = new DocumentList(plan);
  const logo = !plan.amends && r.chance(annual ? 0.7 : 0.15) ? list.nameOf('logo', 'jpg') : null;
  const inline = usesInlineXbrl(plan);
  const description = company.style < 0.1 ? null : company.style < 0.6 ? form : `FORM ${form}`;
  list.page(form, report(context, r, logo), description, inline ? { wrapper: 'XBRL' } : {});
  for (const [number, title] of exhibitsOf(plan))
    list.page(`EX-${number}`, exhibit(plan, number, title), title.toUpperCase());
  if (logo && r.chance(0.2)) list.skip();
  if (logo) list.logo();
  if (inline) list.xbrl(INCOME.map(([key, label]) => [label, grouped(context.statements[0]![key])]));
  return submissionOf(plan, list);
}

function report(context: Context, r: Random, logo: string | null): Page {
  const { plan } = context;
  const page = pageOf(plan, plan.form, true);
  const parts = partsOf(plan, r);
  cover(page, context);
  page.centered('TABLE OF CONTENTS', 'bold');
  page.contents(parts.flatMap(({ heading, items }) => [{ label: '', title: heading, anchor: null }, ...items]));
  for (const { heading, items } of parts) {
    page.part(heading);
    for (const { section, label, title, content, anchor } of items) {
      page.item(section, label, title, anchor);
      const prose = /^(\w+) (\d+)$/.exec(content);
      if (content.startsWith('=')) WRITERS[content.slice(1)]!(page, context);
      else if (prose) paragraphs(page, context, prose[1] as Subject, Number(prose[2]));
      else if (content) page.paragraph(content);
    }
  }
  page.part('SIGNATURES');
  if (logo) page.image(logo, `Logo of ${plan.company.name}`);
  page.paragraph(`The registrant has caused this report to be signed on its behalf on ${longDay(plan.filed)}.`);
  page.paragraph(`${plan.company.name} By: /s/ Officer 1 of ${plan.company.name}`);
  return page;
}

function cover(page: Page, { plan, annual, statements }: Context): void {
  const { company, form } = plan;
  const { city, state, street1, zip } = company.address;
  page.centered('SECURITIES AND EXCHANGE COMMISSION', 'bold');
  page.centered(`FORM ${form}`, 'large');
  if (plan.amends) page.centered('Amendment No. 1');
  page.centered(`${annual ? 'ANNUAL' : 'QUARTERLY'} REPORT UNDER THE SECURITIES EXCHANGE ACT OF 1934`);
  page.centered(`For the ${annual ? 'fiscal year' : 'quarterly period'} ended ${longDay(plan.period!)}`);
  page.centered(company.name.toUpperCase(), 'large');
  page.centered(`${company.stateName} ${company.fileNumber} ${company.irsNumber}`);
  page.centered(`${street1}, ${city}, ${state} ${zip} ${company.phone}`);
  if (company.tickers[0]) {
    page.table([
      { label: 'Title of each class', values: ['Symbol', 'Exchange'], kind: 'head' },
      ...company.tickers.map((t, i) => ({
        label: i === 0 ? 'Common stock' : 'Preferred stock, Series A',
        values: [t.ticker, t.exchange ?? 'None'],
      })),
    ]);
  }
  const shares = grouped(statements[0]!.shares * 1000);
  page.paragraph(`On ${longDay(plan.filed - 10)}, ${shares} shares of the registrant's common stock were outstanding.`);
}

/** Fewer paragraphs in a quarterly report, more for a company with long reports. */
function paragraphs(page: Page, { prose, scale, annual }: Context, subject: Subject, count: number): void {
  const paragraphs = Math.max(1, Math.round(count * scale * (annual ? 1 : 0.5)));
  for (let i = 0; i < paragraphs; i++) page.paragraph(prose.paragraph(subject));
}

const WRITERS: Record<string, (page: Page, context: Context) => void> = {
  business(page, context) {
    const { plan, prose, statements } = context;
    const { company } = plan;
    const { revenue, employees, segments } = statements[0]!;
    page.paragraph(
      `${company.name} was founded in ${company.foundedYear} and has its principal offices in ${company.address.city}, ${company.stateName}. Revenue of fiscal ${plan.fiscalYear} was ${dollarsOfThousands(revenue)}, and about ${grouped(employees)} people were employed at the end of the year.`,
    );
    for (const heading of [
      ...segments.map(({ name }) => name),
      'Competition',
      'Suppliers',
      'Regulation',
      'Employees',
    ]) {
      page.subheading(heading);
      paragraphs(page, context, 'business', 3);
    }
    page.bullets(company.products.slice(0, 4).map((name) => `${name}: ${prose.sentence('business')}`));
  },
  risk(page, { prose, annual, scale }) {
    for (let i = Math.round((annual ? 16 : 1) * scale); i >= 0; i--) {
      page.subheading(prose.sentence('risk'));
      page.paragraph(prose.paragraph('risk', 4, 8));
    }
  },
  market(page, context) {
    const symbol = context.plan.company.tickers[0]?.ticker;
    page.paragraph(`${symbol ? `The symbol of the common stock is ${symbol}` : 'There is no public market'}.`);
    paragraphs(page, context, 'governance', 1);
  },
  income: (page, { statements, years }) =>
    statementTable(page, 'Consolidated Statements of Income', INCOME, statements, years),
  discussion(page, context) {
    const { plan, annual, prose, statements, years } = context;
    const [now, before] = statements as [Statement, Statement];
    const span = annual ? `fiscal ${plan.fiscalYear}` : `the quarter ended ${longDay(plan.period!)}`;
    page.subheading('Results of Operations');
    page.paragraph(
      `Revenue for ${span} ${change(now.revenue, before.revenue)} to ${dollarsOfThousands(now.revenue)} from ${dollarsOfThousands(before.revenue)}. ${prose.paragraph('results')}`,
    );
    revenueTable(page, statements, years);
    paragraphs(page, context, 'results', 6);
    page.subheading('Liquidity and Capital Resources');
    paragraphs(page, context, 'results', 6);
    page.subheading('Critical Accounting Estimates');
    paragraphs(page, context, 'notes', 4);
  },
  statements(page, context) {
    WRITERS.income!(page, context);
    statementTable(
      page,
      'Consolidated Balance Sheets',
      BALANCE,
      context.statements.slice(0, 2),
      context.years.slice(0, 2),
    );
    for (let i = 1; i <= (context.annual ? 12 : 5); i++) {
      page.subheading(`Note ${i}. ${context.prose.title()}`);
      paragraphs(page, context, 'notes', 3);
    }
  },
  incorporated(page) {
    page.paragraph('The proxy statement for the annual meeting is incorporated by reference.');
  },
  exhibits(page, { plan }) {
    page.table([
      { label: 'Description', values: ['Number'], kind: 'head' },
      ...exhibitsOf(plan).map(([number, title]) => ({ label: title, values: [number] })),
    ]);
  },
};

/** Number and title of each. */
function exhibitsOf({ fiscalYear, fiscalQuarter, company, amends }: PlannedFiling): [string, string][] {
  const certifications: [string, string][] = [
    ['31.1', 'Certification of the chief executive officer'],
    ['31.2', 'Certification of the chief financial officer'],
  ];
  if (amends) return certifications;
  const last: [string, string] = ['32.1', 'Certification under Section 906'];
  if (fiscalQuarter !== null) return [...certifications, last];
  return [
    ['10.1', `Agreement of ${fiscalYear} with Holder 8 of ${company.name}`],
    ['21', 'Subsidiaries of the registrant'],
    ['23', 'Consent of independent accountants'],
    ...certifications,
    last,
  ];
}

function exhibit(plan: PlannedFiling, number: string, title: string): Page {
  const { company, form, filed, fiscalYear } = plan;
  const page = pageOf(plan, `EX-${number}`);
  const r = new Random(company.seed, 'exhibit', company.id, plan.ordinal, number);
  const prose = proseOf(plan, `exhibit ${number}`);
  page.centered(`Exhibit ${number}`, 'bold');
  page.centered(title.toUpperCase(), 'bold');
  if (number === '21') {
    const subsidiaries = company.places.slice(0, r.int(4, 12)).map((place) => ({
      label: `${company.name.split(' ')[0]} ${place} ${r.pick(['LLC', 'Inc.', 'Ltd.'])}`,
      values: [place],
    }));
    page.table([{ label: 'Name', values: ['Jurisdiction'], kind: 'head' }, ...subsidiaries]);
  } else if (number.startsWith('3')) {
    const post = `Officer ${number.endsWith('2') ? 3 : 1} of ${company.name}`;
    page.paragraph(`I, ${post}, certify that I have read this report on Form ${form}.`);
    page.bullets([
      'To my knowledge the report leaves out no material fact and states none that is untrue.',
      'The financial statements present fairly the condition, the results and the cash flows of the registrant.',
      'I have disclosed to the auditors each significant deficiency of internal control that is known to me.',
    ]);
    page.paragraph(`Date: ${isoDay(filed)}`);
    page.paragraph(`/s/ ${post}`);
  } else if (number === '23') {
    page.paragraph(`We consent to the use of our report on fiscal ${fiscalYear}. Auditor 1 of ${company.name}.`);
  } else {
    for (let i = 1, n = r.int(4, 9); i <= n; i++) {
      page.subheading(`Section ${i}. ${prose.title()}`);
      page.paragraph(prose.paragraph('agreement', 2, 5));
    }
  }
  return page;
}

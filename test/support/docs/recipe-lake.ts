/** Rows for the queries of docs/recipes.md. */
import { type Lake, openLake } from '../../../src/lake/index.ts';
import type { Row } from '../../../src/lake/tables/index.ts';
import { bring } from '../lake/small-lake.ts';

export const LONG = 'We may lose customers. '.repeat(100);
const DISCUSSION = "Management's Discussion and Analysis (MD&A)";
const BY_REFERENCE = 'Incorporated by reference to pages 32-43 of the Annual Report.';
export const id = (n: number, year = 24) => `0000000001-${year}-${String(n).padStart(6, '0')}`;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

/** A filing of company `cik` with the rows that the recipes need; the step `filing` was fetched `hours` ago. */
function filing(
  n: number,
  { hours = 100, ...columns }: { cik: string; form_type: string; filing_date: string; hours?: number } & Row,
): { filings: Row[]; coverage: Row[] } {
  const accession_number = id(n);
  const about = { accession_number, selector: '', revision: 'r1', run_id: 'run' };
  return {
    filings: [{ accession_number, entity_name: `Company ${columns.cik}`, ...columns }],
    coverage: [{ ...about, step: 'filing', status: 'done', fetched_at: hoursAgo(hours) }],
  };
}

interface YearFact extends Row {
  concept: string;
  value: string;
}

const UTILITY = { 'dei:LegalEntityAxis': 'x:UtilityMember' };

function year(
  concept: string,
  from: string | null,
  to: string,
  value: number,
  dimensions = {},
  decimals = '0',
): YearFact {
  return {
    concept: `us-gaap:${concept}`,
    period_start: from,
    period_end: to,
    value: String(value),
    value_number: value,
    unit: 'USD',
    dimensions: JSON.stringify(dimensions),
    decimals,
    is_nil: false,
  };
}

const FILINGS = [
  filing(1, { cik: '1', form_type: '8-K', filing_date: '2024-01-05', acceptance_datetime: '2024-01-05T16:30:00' }),
  filing(2, { cik: '1', form_type: '8-K', filing_date: '2024-01-20', acceptance_datetime: '2024-01-20T09:00:00' }),
  filing(3, { cik: '2', form_type: '8-K', filing_date: '2024-01-31', acceptance_datetime: null, hours: 2 }),
  filing(4, { cik: '2', form_type: '8-K', filing_date: '2024-02-01', acceptance_datetime: '2024-02-01T22:00:00' }),
  filing(5, { cik: '1', form_type: '10-K', filing_date: '2024-03-01', report_date: '2023-12-31' }),
  filing(6, { cik: '2', form_type: '10-K405', filing_date: '2001-03-01', report_date: '2000-12-31' }),
  filing(7, { cik: '3', form_type: '4', filing_date: '2024-03-02', hours: 23 }),
  filing(8, { cik: '3', form_type: '4', filing_date: '2024-03-03' }),
];

/** Annual and quarterly reports of companies whose years or tags a query may take for something else. */
const REPORTS: {
  n: number;
  cik: string;
  form: string;
  filed: string;
  end: string;
  focus: number;
  facts: YearFact[];
}[] = [
  // Years of 52 or 53 weeks: 2022 ended on 1 January 2023.
  {
    n: 20,
    cik: '20',
    form: '10-K',
    filed: '2024-02-20',
    end: '2023-12-31',
    focus: 2023,
    facts: [
      year('NetIncomeLoss', '2023-01-02', '2023-12-31', 35),
      year('NetIncomeLoss', '2022-01-03', '2023-01-01', 17),
      year('Assets', null, '2023-12-31', 167),
      year('Assets', null, '2023-01-01', 187),
      // A quarter, a day within the year, and a segment.
      year('NetIncomeLoss', '2023-10-02', '2023-12-31', 4),
      year('Assets', null, '2023-08-23', 1),
      year('Revenues', '2023-01-02', '2023-12-31', 85, { 'x:SegmentAxis': 'x:AMember' }),
      year('Revenues', '2023-01-02', '2023-12-31', 851, {}, '0'),
      year('Revenues', '2023-01-02', '2023-12-31', 850, {}, '-1'),
    ],
  },
  {
    n: 21,
    cik: '20',
    form: '10-Q',
    filed: '2024-05-01',
    end: '2024-03-31',
    focus: 2024,
    facts: [
      year('Assets', null, '2024-03-31', 171),
      year('Assets', null, '2023-12-31', 168),
      year('NetIncomeLoss', '2024-01-01', '2024-03-31', 3),
    ],
  },
  // A retailer whose fiscal 2023 ended in February 2024. It uses the tag of food companies.
  {
    n: 22,
    cik: '22',
    form: '10-K',
    filed: '2024-03-20',
    end: '2024-02-03',
    focus: 2023,
    facts: [
      year('NetIncomeLoss', '2023-01-29', '2024-02-03', 7),
      year('RevenueFromContractWithCustomerIncludingAssessedTax', '2023-01-29', '2024-02-03', 52),
    ],
  },
  // A mortgage lender.
  {
    n: 23,
    cik: '23',
    form: '10-K',
    filed: '2024-02-27',
    end: '2023-12-31',
    focus: 2023,
    facts: [
      year('ProfitLoss', '2023-01-01', '2023-12-31', -3),
      year('RevenuesNetOfInterestExpense', '2023-01-01', '2023-12-31', 37),
    ],
  },
  // A car maker with a finance arm: a total and a part of it. An amendment restates 2022, and the next report rounds 2023.
  {
    n: 24,
    cik: '24',
    form: '10-K',
    filed: '2023-02-01',
    end: '2022-12-31',
    focus: 2022,
    facts: [
      year('Revenues', '2022-01-01', '2022-12-31', 156),
      year('RevenueFromContractWithCustomerExcludingAssessedTax', '2022-01-01', '2022-12-31', 145),
      year('NetIncomeLoss', '2022-01-01', '2022-12-31', 9),
    ],
  },
  {
    n: 25,
    cik: '24',
    form: '10-K/A',
    filed: '2023-06-01',
    end: '2022-12-31',
    focus: 2022,
    facts: [year('Revenues', '2022-01-01', '2022-12-31', 158), year('NetIncomeLoss', '2022-01-01', '2022-12-31', 10)],
  },
  {
    n: 26,
    cik: '24',
    form: '10-K',
    filed: '2024-02-01',
    end: '2023-12-31',
    focus: 2024,
    facts: [
      year('Revenues', '2023-01-01', '2023-12-31', 172),
      year('Revenues', '2022-01-01', '2022-12-31', 158),
      year('NetIncomeLoss', '2022-01-01', '2022-12-31', 10),
    ],
  },
  // Two registrants in a report: the cover names the second one by a member.
  {
    n: 27,
    cik: '27',
    form: '10-K',
    filed: '2024-02-15',
    end: '2023-12-31',
    focus: 2023,
    facts: [
      {
        ...year('EntityCentralIndexKey', '2023-01-01', '2023-12-31', 28, UTILITY),
        concept: 'dei:EntityCentralIndexKey',
        value: '0000000028',
      },
      year('Assets', null, '2023-12-31', 70),
      year('Assets', null, '2023-12-31', 30, UTILITY),
    ],
  },
];

/** What a report states of a year: sales, net income, assets. */
function statedYear(n: number, cik: string, fiscal_year: number, end: string, values: Record<string, number>): Row[] {
  return Object.entries(values).map(([item, value]) => ({
    accession_number: id(n),
    file: 'a.htm',
    cik,
    fiscal_year,
    fiscal_period: 'FY',
    period_end: end,
    item,
    period_start: item === 'total_assets' ? null : `${fiscal_year}-01-01`,
    value: String(value),
    unit: 'USD',
    statement: item === 'total_assets' ? 'balance' : 'income',
    registrant: '',
    method: 'reported',
    decimals: '0',
  }));
}

/** The car maker restates 2022 in its amendment. */
const FUNDAMENTALS = [
  ...statedYear(24, '24', 2021, '2021-12-31', { revenue: 120, net_income: 6, total_assets: 180 }),
  ...statedYear(24, '24', 2022, '2022-12-31', { revenue: 156, net_income: 9, total_assets: 200 }),
  ...statedYear(25, '24', 2022, '2022-12-31', { revenue: 160, net_income: 10 }),
  ...statedYear(26, '24', 2023, '2024-01-20', { shares_outstanding: 7 }).map((row) => ({
    ...row,
    period_start: null,
    statement: 'cover',
    unit: 'shares',
  })),
  ...statedYear(26, '24', 2023, '2023-12-31', { revenue: 176, net_income: 11, total_assets: 220 }),
  ...statedYear(20, '20', 2022, '2023-01-01', { revenue: 800, net_income: 17, total_assets: 187 }),
  ...statedYear(20, '20', 2023, '2023-12-31', { revenue: 840, net_income: 35, total_assets: 167 }),
];

const heading = (
  n: number,
  position: number,
  level: number,
  words: string,
  parent: number | null,
  start_index: number,
  end_index: number,
) => ({ accession_number: id(n), section: '1A', position, level, heading: words, parent, start_index, end_index });

const risk = (n: number, position: number, words: string) => ({
  accession_number: id(n),
  section: '1A',
  position,
  heading: words,
  group_heading: null,
  passage: null,
  text: `${words} Much.`,
  start_index: position * 100,
  end_index: position * 100 + 50,
});

const chunk = (position: number, above: string, text: string) => ({
  document_id: `${id(1)}-2`,
  accession_number: id(1),
  position,
  section: null,
  headings: JSON.stringify([above]),
  kind: 'text',
  text,
  tokens: 3,
  start_index: position * 20,
  end_index: position * 20 + text.length,
});

const cell = (row_number: number, column_number: number, text: string, number: string | null) => ({
  document_id: `${id(5)}-1`,
  accession_number: id(5),
  table_number: 1,
  section: '8',
  row_number,
  column_number,
  row_span: 1,
  column_span: 1,
  text,
  number,
  unit: text.endsWith('%') ? '%' : null,
  marks: null,
  scale: 3,
  scale_from: 'table',
  start_index: row_number * 100 + column_number,
});

/** A lake in which each recipe finds something. */
export async function recipeLake(folder: string): Promise<Lake> {
  const lake = await openLake(folder, { create: true });
  const party = (n: number, position: number, role: string, cik: string) => ({
    accession_number: id(n),
    position,
    role,
    cik,
    name: `Party ${cik}`,
  });
  const document = (n: number, sequence: number, type: string) => ({
    document_id: `${id(n)}-${sequence}`,
    accession_number: id(n),
    sequence,
    type,
    description: null,
    size: 10,
  });
  const content = (n: number, sequence: number, text: string | null) => ({
    document_id: `${id(n)}-${sequence}`,
    accession_number: id(n),
    content_type: 'text/html',
    encoding: 'utf-8',
    content: text,
    text: text && `${text} as text`,
    size: 10,
    sha256: 'x',
  });
  const item = (n: number, code: string) => ({ accession_number: id(n), item: code, title: null });
  const section = (n: number, code: string, text: string) => ({
    accession_number: id(n),
    section: code,
    text,
    html: '',
  });
  const owner = (n: number, cik: string, name: string) => ({
    accession_number: id(n),
    owner_cik: cik,
    owner_name: name,
    owner: Number(cik) - 90,
  });
  const trade = (n: number, line: number, code: string, shares: number, price_per_share: number | null) => ({
    accession_number: id(n),
    derivative: false,
    line,
    transaction_code: code,
    transaction_date: '2024-03-01',
    shares: String(shares),
    price_per_share: price_per_share === null ? null : String(price_per_share),
  });
  const holdingsReport = (n: number, amendment_type: string | null) => ({
    accession_number: id(n),
    filer_cik: '1067983',
    report_calendar_or_quarter: '2023-12-31',
    amendment_type,
    period_of_report: '2023-12-31',
    form_type: amendment_type === null ? '13F-HR' : '13F-HR/A',
  });
  const holding = (n: number, position: number, cusip: string, shares: number) => ({
    accession_number: id(n),
    position,
    cusip,
    name_of_issuer: `ISSUER ${cusip[0]}`,
    shares_or_principal: String(shares),
    shares_or_principal_type: 'SH',
    value_usd: String(shares * 10),
  });
  const fact = (n: number, position: number, concept: string, from: string | null, to: string, value: number) => ({
    accession_number: id(n),
    file: 'a.htm',
    position,
    concept,
    entity_cik: '1',
    unit: 'USD',
    dimensions: '{}',
    period_start: from,
    period_end: to,
    value: String(value),
    value_number: value,
    is_nil: false,
  });
  const pay = (n: number, position: number, concept: string, value: number, dimensions = {}) => ({
    ...fact(n, position, `ecd:${concept}`, '2023-01-01', '2023-12-31', value),
    entity_cik: '4',
    dimensions: JSON.stringify(dimensions),
  });
  const PERSON = { 'ecd:IndividualAxis': 'x:AbleAnnMember' };
  const offering = (n: number, sold: string | null, previous: string | null = null) => ({
    accession_number: id(n),
    total_amount_sold: sold,
    previous_accession_number: previous,
    is_amendment: previous !== null,
  });
  const issuer = (n: number, number: number, state: string) => ({
    accession_number: id(n),
    issuer: number,
    is_primary: number === 0,
    state,
  });
  const lacking = (n: number, step: string, status: string) => ({
    accession_number: id(n),
    step,
    selector: '',
    revision: 'r1',
    status,
    run_id: 'run',
    fetched_at: hoursAgo(1),
  });
  const all = [
    ...FILINGS,
    ...REPORTS.map(({ n, cik, form, filed }) => filing(n, { cik, form_type: form, filing_date: filed })),
  ];
  const reported = REPORTS.flatMap(({ n, cik, end, focus, facts }) =>
    [
      { ...year('', `${focus}-01-01`, end, 0), concept: 'dei:DocumentPeriodEndDate', value: end },
      { ...year('', `${focus}-01-01`, end, 0), concept: 'dei:DocumentFiscalYearFocus', value: String(focus) },
      ...facts,
    ].map((row, position) => ({ accession_number: id(n), file: 'a.htm', position, entity_cik: cik, ...row })),
  );
  await bring(
    lake,
    { batch: 'b' },
    {
      entities: [
        { cik: '1', name: 'Company 1', sic: '7372' },
        { cik: '2', name: 'Company 2', sic: '7380' },
        { cik: '3', name: 'Company 3', sic: '7370' },
        { cik: '20', name: 'Company 20', sic: '2834' },
        { cik: '24', name: 'Company 24', sic: '3711' },
      ],
      filings: all.flatMap((one) => one.filings),
      coverage: [
        ...all.flatMap((one) => one.coverage),
        lacking(6, 'sections', 'absent'),
        lacking(2, `document:${id(2)}-2`, 'failed'),
        lacking(2, `document:${id(2)}-3`, 'failed'),
      ],
      filing_headers: [
        {
          accession_number: id(5),
          sic: '7372',
          business_state: 'CA',
          header_fiscal_year: 2023,
          header_fiscal_period: 'FY',
        },
        {
          accession_number: id(6),
          sic: '7380',
          business_state: 'NY',
          header_fiscal_year: 2000,
          header_fiscal_period: 'FY',
        },
      ],
      parties: [
        party(7, 0, 'issuer', '3'),
        party(7, 1, 'reporting_owner', '90'),
        party(7, 2, 'reporting_owner', '91'),
        party(8, 0, 'issuer', '3'),
        party(8, 1, 'reporting_owner', '90'),
      ],
      documents: [
        document(1, 1, '8-K'),
        document(1, 2, 'EX-99.1'),
        document(1, 3, 'EX-10.1'),
        document(1, 4, 'EX-101.INS'),
        document(3, 1, '8-K'),
        document(3, 2, 'EX-99'),
        document(5, 1, '10-K'),
        document(5, 2, 'EX-10'),
      ],
      document_contents: [content(1, 1, 'report'), content(1, 2, 'release'), content(3, 2, 'of another sector')],
      items_8k: [item(1, '2.02'), item(1, '9.01'), item(2, '2.02'), item(3, '2.02'), item(4, '2.02')],
      section_contents: [
        section(5, '1A', LONG),
        { ...section(5, '7', LONG), title: DISCUSSION, kind: 'text', source: 'item' },
        section(6, '1A', 'None.'),
        section(24, '1A', 'We may lose customers. Widgets may break.'),
        section(26, '1A', 'We may lose customers. Banks may fail.'),
        {
          ...section(6, '7', 'x'.repeat(40)),
          title: DISCUSSION,
          by_reference: true,
          kind: 'pointer_exhibit',
          source: 'exhibit',
        },
        { ...section(2, '7', BY_REFERENCE), title: DISCUSSION, kind: 'pointer_exhibit', source: 'item' },
      ],
      section_headings: [
        heading(5, 1, 1, 'Item 1A. Risk Factors', null, 0, 90),
        heading(5, 2, 2, 'We may lose customers.', 1, 30, 90),
      ],
      risk_factors: [
        { ...risk(5, 1, 'We may lose customers.'), group_heading: 'Business Risks' },
        { ...risk(5, 2, 'Banks may fail.'), group_heading: 'Business Risks' },
        { ...risk(6, 1, 'Widgets may break.'), section: '7', passage: 'Cautionary Statement' },
      ],
      chunks: [chunk(1, 'Results', 'Sales grew.'), chunk(2, 'Results', ' ')],
      document_tables: [
        cell(1, 1, 'Goodwill', null),
        cell(1, 2, '$1,234', '1234'),
        cell(1, 4, '5%', '5'),
        cell(2, 1, 'Other', null),
        cell(2, 2, '7', '7'),
      ],
      ownership_reports: [7, 8].map((n) => ({
        accession_number: id(n),
        issuer_cik: '3',
        issuer_trading_symbol: 'THR',
      })),
      ownership_owners: [owner(7, '90', 'Able Ann'), owner(7, '91', 'Baker Ben'), owner(8, '90', 'Able Ann')],
      ownership_transactions: [
        trade(7, 0, 'P', 10, 2.5),
        trade(7, 1, 'A', 99, 0),
        trade(8, 0, 'S', 4, null),
        { ...trade(8, 1, 'P', 1, 1), derivative: true },
      ],
      f13_reports: [
        holdingsReport(1, null),
        holdingsReport(2, 'RESTATEMENT'),
        holdingsReport(3, 'NEW HOLDINGS'),
        { ...holdingsReport(4, null), filer_cik: '71' },
        { ...holdingsReport(5, null), filer_cik: '71', period_of_report: '2023-09-30' },
      ],
      f13_holdings: [
        holding(1, 0, '037833100', 1000),
        holding(2, 0, '037833100', 20),
        holding(2, 1, '037833100', 3),
        holding(3, 0, '594918104', 5),
        holding(4, 0, '037833100', 7),
        { ...holding(4, 1, '037833100', 9), put_call: 'Put' },
        holding(5, 0, '037833100', 10),
        holding(5, 1, '88160R101', 4),
      ],
      beneficial_reports: [
        {
          accession_number: id(4),
          form_type: 'SCHEDULE 13G',
          issuer_cik: '3',
          issuer_name: 'Company 3',
          event_date: '2024-01-31',
        },
      ],
      beneficial_persons: [
        { accession_number: id(4), person: 0, name: 'Fund One', aggregate_amount: '120', percent_of_class: '5.1' },
      ],
      xbrl_facts: [
        ...reported,
        fact(5, 0, 'us-gaap:Assets', null, '2023-12-31', 100),
        fact(5, 1, 'us-gaap:NetIncomeLoss', '2023-01-01', '2023-12-31', 8),
        pay(5, 4, 'PeoTotalCompAmt', 900, PERSON),
        pay(5, 5, 'PeoActuallyPaidCompAmt', 500, PERSON),
        // An older proxy statement, and a part of an amount.
        pay(6, 4, 'PeoTotalCompAmt', 800, PERSON),
        pay(6, 5, 'TotalShareholderRtnAmt', 120),
        pay(5, 6, 'PeoActuallyPaidCompAmt', 7, { ...PERSON, 'ecd:AdjToCompAxis': 'ecd:EqtyAwrdsMember' }),
      ],
      fundamentals: FUNDAMENTALS,
      formd_offerings: [
        offering(1, '100'),
        offering(2, '30'),
        offering(4, '150.5', id(1)),
        offering(5, '9', '0000000009-20-000009'),
        offering(7, null),
      ],
      formd_issuers: [
        issuer(1, 0, 'CA'),
        issuer(1, 1, 'NY'),
        issuer(2, 0, 'CA'),
        issuer(4, 0, 'CA'),
        issuer(5, 0, 'CA'),
        issuer(7, 0, 'E9'),
      ],
      export_failures: [1, 2].flatMap((attempt) => ({
        export: `export-${attempt}`,
        step: 'document',
        subject: `${id(2)}-2`,
        accession_number: id(2),
        code: 'record-not-found',
        message: 'not found',
        attempts: 1,
        failed_at: hoursAgo(1),
        run_id: 'run',
      })),
    },
  );
  return lake;
}

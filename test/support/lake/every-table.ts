/** Lakes with rows in every table, of every type; and with a column of times more, as a later release may add one. */
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { type Row, TABLES, type TableDefinition } from '../../../src/lake/tables/index.ts';
import { accession, bring, filingRows, type Rows, together } from './small-lake.ts';

/** A value of each type. JSON in a text, since some columns hold it. */
const VALUES: Row = {
  BOOLEAN: true,
  INTEGER: 7,
  BIGINT: 2 ** 40,
  DOUBLE: 0.1,
  VARCHAR: '{}',
  BLOB: 'AP8=',
  DATE: '2024-02-29',
  TIMESTAMP: '1999-12-31T23:59:59',
  TIMESTAMPTZ: '2024-05-06T07:08:09.123456Z',
};
/** Columns of JSON lists. */
const LISTS: Row = { footnotes: '["{}"]', headings: '[]' };
/** A row in every table. */
export const everywhere = (): Record<string, Row[]> =>
  Object.fromEntries(
    TABLES.map(({ name, columns }) => [
      name,
      [Object.fromEntries(columns.map(({ name, type }) => [name, LISTS[name] ?? VALUES[type] ?? '0.5']))],
    ]),
  );

/** A row for every table, with every type, and text that readers may stumble over. */
export function everything(n: number): Rows {
  const accession_number = accession(n);
  const document_id = `${accession_number}-1`;
  const odd = `é 😀 "quoted", \\N\n${n}`;
  const at = `2024-05-06T07:08:0${n % 10}.123456Z`;
  return together(filingRows(n + 500), {
    entities: [{ cik: String(n), name: odd }],
    entity_tickers: [{ cik: String(n), position: 0, ticker: `T${n}`, exchange: '' }],
    entity_addresses: [{ cik: String(n), kind: 'business', city: odd, street2: null }],
    filings: [
      { accession_number, acceptance_datetime: '1999-12-31T23:59:59', report_date: '1993-01-01', size: 2 ** 40 + n },
    ],
    parties: [{ accession_number, position: 1, role: 'filer', name: odd, sic: '7372' }],
    filing_headers: [{ accession_number, position: 1, header_fiscal_year: 2023, header_fiscal_period: 'FY' }],
    party_addresses: [{ accession_number, position: 1, kind: 'business', city: odd }],
    party_former_names: [{ accession_number, position: 1, name_position: 0, name: odd, date_of_change: '1993-01-01' }],
    header_series: [{ accession_number, position: 1, class_position: 0, series_id: 'S000000001', series_name: odd }],
    sections: [{ accession_number, section: '1A', heading: odd, start_index: 0, end_index: 2 ** 33 }],
    section_contents: [{ accession_number, section: '1A', html: `<p>${odd}</p>`.repeat(200), text: odd }],
    section_headings: [{ accession_number, section: '1A', position: 1, level: 1, heading: odd, end_index: 2 ** 33 }],
    risk_factors: [{ accession_number, section: '1A', position: 1, heading: odd }],
    chunks: [{ document_id, accession_number, position: 1, headings: '[]', text: odd, tokens: n, end_index: 2 ** 33 }],
    document_headings: [{ document_id, accession_number, position: 1, heading: odd, parent: null }],
    document_tables: [
      { document_id, accession_number, table_number: 1, row_number: 1, column_number: n, number: '-1234.000000000001' },
    ],
    items_8k: [{ accession_number, item: '2.02', title: '' }],
    exhibits_8k: [{ accession_number, item: '2.02', position: 0, exhibit: '99.1', document_id: null }],
    document_contents: [
      { document_id, accession_number, bytes: Buffer.from([0, 255, n]).toString('base64'), size: 3 },
      { document_id: `${accession_number}-2`, accession_number, content: odd, sha256: 'ab', text: odd },
    ],
    annual_report_sections: [
      {
        document_id,
        accession_number,
        section: '7',
        heading: odd,
        html: `<p>${odd}</p>`,
        text: odd,
        end_index: 2 ** 33,
      },
    ],
    ownership_transactions: [
      { accession_number, derivative: false, line: n, shares: `${n}.000000000001`, price_per_share: '-0.5' },
      { accession_number, derivative: true, line: n, shares: '-99999999999999999999999999.999999999999' },
      { accession_number, derivative: true, line: n + 100, shares: '9007199254740993', transaction_date: '2024-02-29' },
    ],
    f13_reports: [
      { accession_number, table_entry_total: '9007199254740993', table_value_total: '0.1', is_amendment: true },
    ],
    export_failures: [{ export: 'e', step: 'info', subject: accession_number, attempts: n, failed_at: at }],
    export_unknown: [{ run_id: String(n), kind: 'tickers', value: odd, export: 'e' }],
    export_windows: [{ run_id: 'r', window: String(n), date_from: '2024-02-29', expected: n, proven: n % 2 === 0 }],
    export_plans: [{ export: 'e', accession_number, pass: 'documents', steps: '1,2', revision: '..', run_id: 'r' }],
    export_passes: [{ run_id: 'r', window: String(n), pass: 'info', expected: n, complete: n, missing: 0 }],
    export_runs: [{ run_id: String(n), started_at: at, requests: n, bytes: 2 ** 50 }],
  });
}

/** Of tables of forms two stand for all: they differ in nothing but their columns. */
export const FILLED_TABLES: readonly TableDefinition[] = TABLES.filter(
  ({ name, onDemand }) => !onDemand || name in everything(0),
);

const empty = FILLED_TABLES.filter(({ name }) => !(name in everything(0)));
if (empty.length > 0) throw new Error(`everything() has no row of ${empty.map(({ name }) => name).join(', ')}`);

/** Of the type that Delta readers must know beforehand. */
const SEEN_AT = { name: 'seen_at', type: 'TIMESTAMP', meaning: 'a time without a zone' } as const;

/** Every table with one column more. */
export const TIMED_TABLES: readonly TableDefinition[] = FILLED_TABLES.map((table) => ({
  ...table,
  columns: [...table.columns, SEEN_AT],
}));

/** A lake with rows of the present tables, and then, in every table, one with the new column. The caller closes it. */
export async function makeTimedLake(folder: string): Promise<Lake> {
  const older = await openLake(folder, { create: true });
  for (let n = 0; n < 3; n++) await bring(older, { batch: `b${n}` }, everything(n));
  await older.close();
  const lake = await openLake(folder, { tables: TIMED_TABLES });
  const timed = Object.entries(everything(7)).map(([name, rows]) => [
    name,
    rows.map((row) => ({ ...row, seen_at: '2024-05-06T07:08:09.5' })),
  ]);
  await bring(lake, { batch: 'timed' }, Object.fromEntries(timed) as Rows);
  return lake;
}

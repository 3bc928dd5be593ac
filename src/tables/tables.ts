/** The tables of a lake: columns, types, keys, meaning. The one truth for parts, views, Delta schemas, `filinglake schema` and docs/reference/tables.md. */

/** DuckDB's names of the types a column may have. A column never changes its type. */
export type ColumnType = 'VARCHAR' | 'INTEGER' | 'BIGINT' | 'BOOLEAN' | 'DATE' | 'TIMESTAMP' | 'TIMESTAMPTZ' | 'BLOB';

export interface ColumnDefinition {
  readonly name: string;
  readonly type: ColumnType;
  readonly meaning: string;
}

/** `child (columns) → parent (columns)`: where a child has a value in every one of the columns, the parent has such a row. */
export interface Reference {
  readonly columns: readonly string[];
  readonly table: string;
  readonly parentColumns: readonly string[];
}

export interface TableDefinition {
  readonly name: string;
  readonly meaning: string;
  /** Columns that together name a row; never null, unique in every version of the lake. */
  readonly key: readonly string[];
  /** New columns are only ever added at the end: a part's column count tells which columns it has. */
  readonly columns: readonly ColumnDefinition[];
  /** Columns whose rows belong together: two commits that both bring some of them for one value can't be mixed. Null: rows stand alone. */
  readonly unit: readonly string[] | null;
  readonly references: readonly Reference[];
  /** Columns of long text or bytes: no statistics are kept of them, and row groups are bounded by bytes instead of being sorted. */
  readonly wide: readonly string[];
}

const column = (name: string, type: ColumnType, meaning: string): ColumnDefinition => ({ name, type, meaning });
const text = (name: string, meaning: string) => column(name, 'VARCHAR', meaning);

const accession = text('accession_number', "EDGAR's number of the filing, 0000000000-00-000000");
const toFiling: Reference = { columns: ['accession_number'], table: 'filings', parentColumns: ['accession_number'] };
const documentId = text('document_id', 'accession number and sequence, joined by a dash');

export const TABLES: readonly TableDefinition[] = [
  {
    name: 'entities',
    meaning:
      "Filers: a row for the `cik` of every filing in the lake, as it was when first asked for, or for all that an export's `select.entities: query` asked for, brought up to date by each such run",
    key: ['cik'],
    columns: [
      text('cik', 'Central Index Key, decimal digits without leading zeros'),
      text('name', 'name as EDGAR has it'),
      text('sic', 'SIC industry code'),
      text('sic_description', 'the industry in words'),
      text('state_of_incorporation', "EDGAR's state or country code"),
      text('fiscal_year_end', 'month and day, MMDD'),
      text('entity_type', 'OPERATING, INVESTMENT or OTHER'),
      text('category', 'filer category, free text'),
    ],
    unit: ['cik'],
    references: [],
    wide: [],
  },
  {
    name: 'entity_tickers',
    meaning: 'Ticker symbols and exchanges of the entities: a row for each place up to the end of the longer list',
    key: ['cik', 'position'],
    columns: [
      text('cik', 'the entity'),
      column('position', 'INTEGER', 'place in the lists of the entity, from 0'),
      text('ticker', 'ticker symbol at this place; null where the list of tickers is shorter'),
      text(
        'exchange',
        'NASDAQ, NYSE, OTC or CBOE at this place: that of the ticker, if the service lists both side by side; empty or null for none',
      ),
    ],
    unit: ['cik'],
    references: [{ columns: ['cik'], table: 'entities', parentColumns: ['cik'] }],
    wide: [],
  },
  {
    name: 'entity_addresses',
    meaning: 'Addresses of the entities',
    key: ['cik', 'kind'],
    columns: [
      text('cik', 'the entity'),
      text('kind', 'business or mailing'),
      text('street1', 'first line of the street'),
      text('street2', 'second line of the street'),
      text('city', 'city'),
      text('state', "EDGAR's state or country code"),
      text('zip', 'postal code'),
    ],
    unit: ['cik'],
    references: [{ columns: ['cik'], table: 'entities', parentColumns: ['cik'] }],
    wide: [],
  },
  {
    name: 'filings',
    meaning: 'Filings, one row each',
    key: ['accession_number'],
    columns: [
      accession,
      text('cik', 'CIK of the party that the filing goes by: the first filer, else subject company, else issuer'),
      text('form_type', 'form as filed: 10-K, 10-K/A, 8-K, 4, ...'),
      column('filing_date', 'DATE', 'day of filing'),
      column('acceptance_datetime', 'TIMESTAMP', 'when EDGAR accepted it: Eastern time, without zone'),
      text('entity_name', 'name of that party'),
      column('report_date', 'DATE', 'end of the period that it reports on'),
      column('size', 'BIGINT', 'bytes of the complete submission'),
    ],
    unit: ['accession_number'],
    references: [],
    wide: [],
  },
  {
    name: 'parties',
    meaning: 'Everyone named in the header of a filing, where the service gives `parties`',
    key: ['accession_number', 'position'],
    columns: [
      accession,
      column('position', 'INTEGER', 'place in the header, from 0'),
      text('role', 'filer, subject_company, filed_by, issuer, reporting_owner, ...'),
      text('cik', 'CIK of the party'),
      text('name', 'name of the party'),
    ],
    unit: ['accession_number'],
    references: [toFiling],
    wide: [],
  },
  {
    name: 'documents',
    meaning: "Documents of the filings: the lookup's references, completed by filing_info",
    key: ['document_id'],
    columns: [
      documentId,
      accession,
      column('sequence', 'INTEGER', "EDGAR's number of the document, gaps included"),
      text('filename', 'file name; null in filings until 2000'),
      text('description', 'description by the filer'),
      text('type', 'document type: 10-K, EX-99.1, GRAPHIC, ...'),
      column('size', 'BIGINT', 'bytes of the document; null until filing_info was asked'),
    ],
    unit: ['accession_number'],
    references: [toFiling],
    wide: [],
  },
  {
    name: 'sections',
    meaning: 'Where the sections of 10-K and 10-Q filings lie in the main document',
    key: ['accession_number', 'section'],
    columns: [
      accession,
      text('section', 'code: 1A for a 10-K, II-1A for a 10-Q'),
      text('title', 'official title of the section'),
      text('heading', "the filing's own words; null where the service gives none"),
      column('start_index', 'BIGINT', 'UTF-16 position in the text of the main document'),
      column('end_index', 'BIGINT', 'UTF-16 position, exclusive'),
    ],
    unit: ['accession_number'],
    references: [toFiling],
    wide: [],
  },
  {
    name: 'section_contents',
    meaning: 'Sections of 10-K and 10-Q filings as HTML and as text',
    key: ['accession_number', 'section'],
    columns: [
      accession,
      text('section', 'code: 1A for a 10-K, II-1A for a 10-Q'),
      text('title', 'official title of the section'),
      text('heading', "the filing's own words; null where the service gives none"),
      text('html', 'the section as HTML that stands alone'),
      text('text', 'readable text, made from `html` by the export'),
    ],
    unit: ['accession_number'],
    references: [toFiling],
    wide: ['html', 'text'],
  },
  {
    name: 'items_8k',
    meaning: 'Items that 8-K filings report under',
    key: ['accession_number', 'item'],
    columns: [accession, text('item', '2.02 since 2004, 1 to 12 before'), text('title', 'official title of the item')],
    unit: ['accession_number'],
    references: [toFiling],
    wide: [],
  },
  {
    name: 'exhibits_8k',
    meaning: 'Exhibits that 8-K filings list, under the item that lists them',
    key: ['accession_number', 'item', 'position'],
    columns: [
      accession,
      text('item', 'item that lists the exhibit'),
      column('position', 'INTEGER', 'place in the list, from 0'),
      text('exhibit', 'number of the exhibit: 99.1'),
      text('description', 'description in the exhibit index, else of the document'),
      text('document_id', 'the document, where the filing has it'),
    ],
    unit: ['accession_number'],
    references: [
      toFiling,
      { columns: ['accession_number', 'item'], table: 'items_8k', parentColumns: ['accession_number', 'item'] },
      { columns: ['document_id'], table: 'documents', parentColumns: ['document_id'] },
    ],
    wide: [],
  },
  {
    name: 'document_contents',
    meaning: 'Content of the documents that the export asked for',
    key: ['document_id'],
    columns: [
      documentId,
      accession,
      text('content_type', 'media type: text/html, image/jpeg, ...'),
      text('encoding', 'utf-8 (text), base64 (binary, in `bytes`) or json (converted XML)'),
      text('content', 'text, or converted XML as JSON text; null where binary'),
      column('bytes', 'BLOB', 'bytes of a binary document, else null'),
      column('size', 'BIGINT', 'bytes of the document as EDGAR publishes it'),
      text('sha256', 'of those bytes, hexadecimal'),
    ],
    unit: ['document_id'],
    references: [toFiling],
    wide: ['content', 'bytes'],
  },
  {
    name: 'coverage',
    meaning: 'What has been asked of which filing: decides what is known and what is owed',
    key: ['accession_number', 'step'],
    columns: [
      accession,
      text('step', 'filing, info, sections or document:<document_id>'),
      text('selector', 'what of the step was asked for'),
      text(
        'revision',
        "hashes of the filing's form, acceptance time and documents, joined by dots: another one than that of the step `filing` means that the step is of an older revision",
      ),
      text('status', 'done, absent or failed'),
      column('fetched_at', 'TIMESTAMPTZ', 'when, by the clock of the machine that fetched it'),
      text('record', 'of the step `filing`: hash of what else the lookup said of the filing'),
      text('run_id', 'the run that wrote this row'),
    ],
    unit: ['accession_number', 'step'],
    references: [],
    wide: [],
  },
  {
    name: 'export_failures',
    meaning: 'What an export could not get, and why; a row goes when it succeeds',
    key: ['export', 'step', 'subject'],
    columns: [
      text('export', 'name of the export'),
      text('step', 'what was asked'),
      text('subject', 'accession number, document id or CIK: whichever it is about'),
      text('accession_number', 'the filing, where it is about one'),
      text('document_id', 'the document, where it is about one'),
      text('cik', 'the entity, where it is about one'),
      text('code', 'kind of failure'),
      text('message', 'what happened'),
      text('path', 'member of the answer that broke the contract or could not be stored; several joined by commas'),
      text('value', 'its value; of several all, in their order'),
      column(
        'attempts',
        'INTEGER',
        'how often it has failed so: by each run, or each time that one asked anew after its retries',
      ),
      column('failed_at', 'TIMESTAMPTZ', 'last time'),
      text('run_id', 'the run that tried it last'),
      text('revision', "of the filing's record that it was tried for, as in coverage"),
      text(
        'told_by',
        'the completed run that counted it first, with this code, path, value and revision; null: none has yet',
      ),
    ],
    unit: null,
    references: [],
    wide: [],
  },
  {
    name: 'export_windows',
    meaning: 'Windows of the lookups of each run, and whether each was proven complete',
    key: ['run_id', 'window'],
    columns: [
      text('run_id', 'the run'),
      text('window', 'name of the window within the run'),
      column('date_from', 'DATE', 'first filing date, included'),
      column('date_to', 'DATE', 'last filing date, included'),
      text(
        'filter',
        'the rest of the lookup, as JSON text; members entities, fulltext and accession_numbers say that it is of those',
      ),
      column(
        'promised',
        'BIGINT',
        'records that the service counted: filings, entities, or documents that a search hit',
      ),
      column('found', 'BIGINT', 'unique ones found'),
      column('proven', 'BOOLEAN', 'whether the window is known to be complete'),
    ],
    unit: null,
    references: [],
    wide: [],
  },
  {
    name: 'export_plans',
    meaning:
      'What the newest run of each export planned to fetch of a filing: `lake check` holds it against coverage where that run completed',
    key: ['export', 'accession_number', 'pass'],
    columns: [
      text('export', 'name of the export'),
      accession,
      text('pass', 'info, sections or documents'),
      text('steps', 'what of the pass: its own name, or the ends of document ids, joined by commas'),
      text('revision', 'of the filing, as in coverage; empty where only its accession number was known'),
      text('run_id', 'the run'),
      text('window', 'the window of the run that planned it'),
    ],
    unit: null,
    references: [],
    wide: [],
  },
  {
    name: 'export_passes',
    meaning: 'What each completed run planned to fetch, window by window and pass by pass, and what became of it',
    key: ['run_id', 'window', 'pass'],
    columns: [
      text('run_id', 'the run'),
      text('window', 'name of the window within the run'),
      text('pass', 'info, sections or documents'),
      column('expected', 'BIGINT', 'steps that the run planned to fetch'),
      column('complete', 'BIGINT', 'of those, the ones that coverage has at the end of the run'),
      column('failed', 'BIGINT', 'of those, the ones that the run recorded as failures'),
      column('left_to_others', 'BIGINT', 'of those, the ones of filings that another run brought at the same time'),
      column('missing', 'BIGINT', 'the rest: 0, or the run ends with exit code 3'),
      column(
        'given_up',
        'BIGINT',
        'of left_to_others, the ones that coverage lacks since another run kept bringing the same filings',
      ),
    ],
    unit: null,
    references: [],
    wide: [],
  },
  {
    name: 'export_runs',
    meaning: 'Runs of exports into this lake',
    key: ['run_id'],
    columns: [
      text('run_id', 'the run'),
      text('export', 'name of the export'),
      text('definition', 'definition of the export, without the key'),
      text('service', 'base URL of the service'),
      text('state', 'running, waiting_for_quota, paused, completed, failed or cancelled'),
      column('started_at', 'TIMESTAMPTZ', 'when it started'),
      column('ended_at', 'TIMESTAMPTZ', 'when it ended'),
      column('requests', 'BIGINT', 'requests made'),
      column('bytes', 'BIGINT', 'bytes received, uncompressed'),
    ],
    unit: null,
    references: [],
    wide: [],
  },
];

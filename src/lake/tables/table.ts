/** What a table is: one descriptor for each. Everything that lists tables is made from the descriptors. */
import {
  type DocumentContent,
  type Entity,
  type Filing,
  type FilingInfo,
  isEightK,
  type SectionContent,
  sectionFamily,
} from '../../filings/api/index.ts';
import type { DocumentParts, TextHeading, TextRisk } from '../../filings/documents/index.ts';

/** DuckDB's names of the column types. A column never changes its type. Rows have decimals as text: a double would round them. */
export type ColumnType =
  | 'VARCHAR'
  | 'INTEGER'
  | 'BIGINT'
  | 'DECIMAL(38,12)'
  | 'DOUBLE'
  | 'BOOLEAN'
  | 'DATE'
  | 'TIMESTAMP'
  | 'TIMESTAMPTZ'
  | 'BLOB';

export interface ColumnDefinition {
  readonly name: string;
  readonly type: ColumnType;
  readonly meaning: string;
  /** DuckDB's SQL over the row's other columns, for what no record states: worked out once, for a part. */
  readonly computed?: string;
  /** Why two exports of the same filings have other values: digests of rows leave the column out. */
  readonly varies?: string;
}

/** `child (columns) → parent (columns)`, of the same names: if all the columns of a child row have a value, the parent has such a row. */
export interface Reference {
  readonly columns: readonly string[];
  readonly table: string;
}

/** `coverage`: which step was fetched, in which `revision`. `runs`: which run wrote, its export, its end. */
export type TableRole = 'coverage' | 'runs';

/** What the lake needs to know of a table. */
export interface TableDefinition {
  readonly name: string;
  readonly meaning: string;
  /** Columns that together identify a row; never null, unique in every version of the lake. */
  readonly key: readonly string[];
  /** New columns are only added at the end: the number of columns of a part tells which ones it has. */
  readonly columns: readonly ColumnDefinition[];
  /** Columns whose rows belong together: rows of one value must come from one commit. Null: rows are independent. */
  readonly unit: readonly string[] | null;
  readonly references: readonly Reference[];
  /** The table's role for the other tables. Most have none. */
  readonly role?: TableRole;
  /** The lake has no files of it before its first row: few lakes have tables of forms. */
  readonly onDemand?: true;
  /** Columns of long text or bytes: they have no statistics. Row groups are limited by bytes, and not sorted. */
  readonly wide: readonly string[];
  /**
   * Columns that a compaction sorts a wide table's rows by: readers then skip row groups by their statistics. Only for tables whose rows
   * are small on the average: row groups have at least 2,048 of them.
   */
  readonly clusteredBy?: readonly string[];
  /** Why two exports of the same filings have other rows: the table has no digest. */
  readonly varies?: string;
}

/**
 * The request whose answer has a table's rows. `forms`: the documents of a structured form. `days`: the coverage of EDGAR's days.
 * `run`: an export writes them itself.
 */
export type Source = keyof RecordOf | 'forms' | 'days' | 'run';

/** The answer of each request, as tables read it. */
export interface RecordOf {
  lookup: Filing;
  info: FilingInfo;
  sections: { accession_number: string; sections: readonly ReadSection[] };
  document: ContentRecord;
  entity: Entity;
}

/** A section with its text, and what was made of that if it was asked for. Positions are UTF-16 units of the text. */
export type ReadSection = SectionContent & {
  text: string;
  headings?: readonly TextHeading[];
  risks?: readonly TextRisk[];
};

/** A document from the client. Size and digest are null if a service gives converted content without them. */
export type ContentRecord = Omit<DocumentContent, 'size' | 'sha256'> & {
  size: number | null;
  sha256: string | null;
  /** The text of a content that is JSON, as the service wrote it; absent: it is made from the content. */
  content_json?: string;
  /** Readable text, if it was asked for. */
  text?: string | null;
  /** Sections of an annual report to shareholders, if they were asked for. */
  report_sections?: readonly ReportSection[];
  /** Its headings, the pieces of its text, and its tables, if they were asked for. */
  headings?: readonly TextHeading[];
  chunks?: Readonly<DocumentParts['chunks']>;
  tables?: Readonly<DocumentParts['tables']>;
};

export interface ReportSection {
  section: string;
  title: string;
  heading: string;
  start_index: number;
  end_index: number;
  html: string;
  text: string;
}

/** Forms whose filings may have rows of a table. */
export interface Forms {
  has(formType: string): boolean;
  /** The same as a regular expression over form types in capitals. */
  readonly pattern: string;
  /** For messages: `only 10-K, 10-Q and 20-F forms have sections` */
  readonly words: string;
}

export const ANNUAL_AND_QUARTERLY: Forms = {
  has: (formType) => sectionFamily(formType) !== null,
  pattern: '^(10-?[KQ]|20-?F)',
  words: 'only 10-K, 10-Q and 20-F forms have sections',
};
export const CURRENT_REPORTS: Forms = {
  has: isEightK,
  pattern: '^8-K',
  words: 'only 8-K forms have items',
};

export type Row = Record<string, string | number | boolean | null>;

/** A value that doesn't fit its column, so the row lacks it; or a second row for one key, which was left out. */
export interface RowViolation {
  /** Member of the record: `documents[3].sequence` */
  path: string;
  value: string | number | boolean | null;
}

export interface AddRow {
  /** @param path member of the record that the row is made from: `documents[3]`; '' for the record itself */
  (path: string, row: Row): void;
  /** The record gives no row. */
  violation(violation: RowViolation): void;
}

export interface Table extends TableDefinition {
  /** Requests whose answers have its rows. */
  readonly sources: readonly Source[];
  /** Rows of a record. Positions count from 0. */
  readonly rows?: { readonly [S in keyof RecordOf]?: (record: RecordOf[S], add: AddRow) => void };
  /** Forms that have rows; of other forms nothing is requested, but for tables of documents: `select` decides. Absent: all forms. */
  readonly forms?: Forms;
  /** Tables to write as well, besides those that it refers to. */
  readonly needs?: readonly string[];
  /** Name under which it and others can be asked for together. */
  readonly group?: string;
}

/** Reference of a party's details to the party. */
export const PARTY: Reference = { columns: ['accession_number', 'position'], table: 'parties' };

/** Of tables in which each export records its own runs. */
export const OF_RUNS = {
  unit: null,
  references: [],
  varies: 'records the runs of exports',
  sources: ['run'],
} as const;

/** Keeps the name and the sources of a descriptor as literal types. */
export function table<const N extends string, const S extends Source>(
  descriptor: Omit<Table, 'wide'> & {
    readonly name: N;
    readonly sources: readonly S[];
    readonly wide?: readonly string[];
  },
): Table & { readonly name: N; readonly sources: readonly S[] } {
  return { wide: [], ...descriptor };
}

export const column = (name: string, type: ColumnType, meaning: string): ColumnDefinition => ({ name, type, meaning });
export const text = (name: string, meaning: string) => column(name, 'VARCHAR', meaning);

/** A column whose value follows from the others of its row. @param sql DuckDB's SQL */
export const computed = (name: string, type: ColumnType, meaning: string, sql: string): ColumnDefinition => ({
  ...column(name, type, meaning),
  computed: sql,
});

/** A column that tells when or by whom a row was fetched, not what the source says. @param why it is left out of digests */
export const varying = (name: string, type: ColumnType, meaning: string, why: string): ColumnDefinition => ({
  ...column(name, type, meaning),
  varies: why,
});

export const accession = text('accession_number', "EDGAR's number of the filing, 0000000000-00-000000");
/** Columns of an address, of a party or of an entity. */
export const ADDRESS = [
  text('kind', 'business or mailing'),
  text('street1', 'first line of the street'),
  text('street2', 'second line of the street'),
  text('city', 'city'),
  text('state', "EDGAR's state or country code"),
  text('zip', 'postal code'),
] as const;
export const documentId = text('document_id', 'accession number and sequence, joined by a dash');
export const toFiling: Reference = { columns: ['accession_number'], table: 'filings' };

/** What a table is: one descriptor a table, from which everything that lists tables is made. */
import type { DocumentContent, Entity, Filing, FilingInfo, SectionContent } from '../api/index.ts';
import { isEightK, sectionFamily } from '../api/index.ts';

/** DuckDB's names of the types a column may have. A column never changes its type. */
export type ColumnType = 'VARCHAR' | 'INTEGER' | 'BIGINT' | 'BOOLEAN' | 'DATE' | 'TIMESTAMP' | 'TIMESTAMPTZ' | 'BLOB';

export interface ColumnDefinition {
  readonly name: string;
  readonly type: ColumnType;
  readonly meaning: string;
}

/** `child (columns) → parent (columns)`: if a child has a value in every one of the columns, the parent has such a row. */
export interface Reference {
  readonly columns: readonly string[];
  readonly table: string;
  readonly parentColumns: readonly string[];
}

/**
 * `coverage`: what was fetched of which filing (`accession_number`, `step`), in which `revision`. `runs`: who wrote, by `run_id`, with the
 * name (`export`) and the end (`ended_at`) of each.
 */
export type TableRole = 'coverage' | 'runs';

/** What a store of rows must know of a table. */
export interface TableDefinition {
  readonly name: string;
  readonly meaning: string;
  /** Columns that together name a row; never null, unique in every version of the lake. */
  readonly key: readonly string[];
  /** New columns are only ever added at the end: a part's column count tells which columns it has. */
  readonly columns: readonly ColumnDefinition[];
  /** Columns whose rows belong together: two commits that both write rows of one value can't be mixed. Null: rows stand alone. */
  readonly unit: readonly string[] | null;
  readonly references: readonly Reference[];
  /** Which part a table has in the keeping of the others; most have none. */
  readonly role?: TableRole;
  /** The step whose rows another run's, of the step before it, keep out: coverage must not call it done then. */
  readonly laterStep?: string;
  /** Columns of long text or bytes: no statistics are kept of them, and row groups are bounded by bytes instead of being sorted. */
  readonly wide: readonly string[];
}

/** The request whose answer has a table's rows; `run`: an export writes them itself. */
export type Source = keyof RecordOf | 'run';

/** What each request answers with, as tables read it. */
export interface RecordOf {
  lookup: Filing;
  info: FilingInfo;
  sections: { accession_number: string; sections: readonly (SectionContent & { text: string })[] };
  document: ContentRecord;
  entity: Entity;
}

/** A document as the client gives it: size and digest are null if a service gives converted content without them. */
export type ContentRecord = Omit<DocumentContent, 'size' | 'sha256'> & { size: number | null; sha256: string | null };

/** Forms whose filings may have rows of a table. */
export interface Forms {
  has(formType: string): boolean;
  /** The same as a regular expression over form types in capitals. */
  readonly pattern: string;
  /** For messages: `only 10-K and 10-Q forms have sections` */
  readonly words: string;
}

export const ANNUAL_AND_QUARTERLY: Forms = {
  has: (formType) => sectionFamily(formType) !== null,
  pattern: '^10-?[KQ]',
  words: 'only 10-K and 10-Q forms have sections',
};
export const CURRENT_REPORTS: Forms = {
  has: isEightK,
  pattern: '^8-K',
  words: 'only 8-K forms have items',
};

export type Row = Record<string, string | number | boolean | null>;

/** A value that a column can't hold: the row has none; or a second row for one key, which was left out. */
export interface RowViolation {
  /** Member of the record: `documents[3].sequence` */
  path: string;
  value: string | number | boolean | null;
}

export interface AddRow {
  /** @param path member of the record that the row is made of: `documents[3]`; '' for the record itself */
  (path: string, row: Row): void;
  /** No row can be made. */
  violation(violation: RowViolation): void;
}

export interface Table extends TableDefinition {
  /** Requests that have its rows. */
  readonly sources: readonly Source[];
  /** Rows of a record. Positions count from 0. */
  readonly rows?: { readonly [S in keyof RecordOf]?: (record: RecordOf[S], add: AddRow) => void };
  /** Forms that have rows; of others no request is sent for it. Absent: all. */
  readonly forms?: Forms;
  /** Tables that are written along, since its rows refer to theirs. */
  readonly needs?: readonly string[];
}

/** Keeps the name and the sources of a descriptor as types. */
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

export const accession = text('accession_number', "EDGAR's number of the filing, 0000000000-00-000000");
export const documentId = text('document_id', 'accession number and sequence, joined by a dash');
export const toFiling: Reference = {
  columns: ['accession_number'],
  table: 'filings',
  parentColumns: ['accession_number'],
};

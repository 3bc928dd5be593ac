/** A form for the mapper: its documents, the sources of its rows, and the elements left out on purpose. */
import type { Element } from '../xml/element.ts';
import type { FormTable, Row } from './descriptor.ts';
import type { DocumentRows, FilingProblems, MappedRow } from './document-rows.ts';
import type { Filing, LabelledDocument } from './filing.ts';
import type { KnownPath } from './known-paths.ts';

/** The current mapping, for the form's own code. */
export interface RowMapping {
  readonly rows: DocumentRows;
  emit(table: FormTable, row: Row): void;
  /** Rows so far. */
  count(table: FormTable): number;
  /** The sum of a source's `sum` column, so far. */
  sum(table: FormTable): string | null;
  /** Rows of a source below `parent`. @param above values from the row above */
  map(source: RowSource, parent: Element, above?: Row): void;
}

/** Rows of a table, one for each element. */
export interface RowSource {
  readonly table: FormTable;
  /** Paths of the rows' elements below the root or the row above; '' is that element itself. `*` is any name. */
  readonly at: string | readonly string[];
  /** Column that counts the rows from 0; default: `position`, if the key ends with it. Without such a column there is one row at most. */
  readonly number?: string;
  /** Column of the rows below with this row's number. */
  readonly below?: string;
  /** Values that all rows share. */
  readonly set?: Row;
  /** Columns that paths can't express; null: no row. */
  readonly rule?: (element: Element, mapping: RowMapping, given: Row) => Row | null;
  /** Completes a row made from the paths, and emits the rows that follow from it. */
  readonly finish?: (row: Row, element: Element, mapping: RowMapping) => void;
  /** Paths, below the row's element, that `rule` and `finish` read. */
  readonly reads?: readonly string[];
  readonly sources?: readonly RowSource[];
  /** Column whose sum the mapping computes. */
  readonly sum?: string;
  /** Elements are mapped while the document is being read and not kept: for tables of many rows. For sources of the root, with one path. */
  readonly streamed?: boolean;
}

export interface Form {
  /** The form's folder and group of tables: `ownership`. */
  readonly name: string;
  /** Form types, as EDGAR names them. */
  readonly types: readonly string[];
  /** Types that a later version of the form may have, in capitals. Such a document is mapped, and form_problems names its type. */
  readonly family?: RegExp;
  /** Last part of the root's namespace, if no other form has it. */
  readonly namespace?: RegExp;
  /** Local name of the root element. */
  readonly root: string;
  readonly tables: readonly FormTable[];
  /** Several documents of this form in a filing are one table: the count of records continues. */
  readonly joined?: boolean;
  readonly nullWords?: readonly string[];
  readonly sources: readonly RowSource[];
  /** Paths from the root that code reads. */
  readonly reads?: readonly string[];
  /** Paths from the root that no table takes, on purpose; a last step `**` is all below. */
  readonly ignored?: readonly string[];
  /** Known paths that a list can't express. */
  readonly extendKnown?: (root: KnownPath) => void;
  /** Rows that sources can't express. Runs before the sources of the root. */
  readonly code?: (root: Element, mapping: RowMapping) => void;
}

/** Rows that follow from several documents of a filing at once: a 13F and its tables, tables of text, XBRL. */
export interface FilingMapper {
  /** Group of its tables. */
  readonly name: string;
  /** Tables without a form. */
  readonly tables: readonly FormTable[];
  /** Forms whose documents it maps: they are not mapped one by one. */
  readonly claims: readonly Form[];
  /** @param found documents of known forms, in order @param wants whether a table is wanted: others need not be made */
  readonly map: (
    filing: Filing,
    found: ReadonlyMap<Form, readonly LabelledDocument[]>,
    problems: FilingProblems,
    wants: (table: FormTable) => boolean,
  ) => Iterable<MappedRow>;
}

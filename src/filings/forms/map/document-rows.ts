/** Rows of one document: values from elements by a table's paths, and a record of everything that did not fit. */
import { type Element, textOf, tidy } from '../xml/element.ts';
import { XmlFault } from '../xml/xml-fault.ts';
import { type FormColumn, type FormTable, type Row, type Value, type ValuePath, valuePath } from './descriptor.ts';
import { PathTexts } from './paths.ts';
import { formProblems, MAPPING_VERSION } from './problems.ts';
import { cikOf, convert, type Misfit } from './values.ts';

export interface MappedRow {
  table: string;
  row: Row;
}

export type ProblemReason =
  | Misfit
  | 'repeated'
  | 'no_key'
  | 'malformed'
  | 'left_out'
  | 'no_mapping'
  | 'unlisted_type'
  | 'no_rows'
  | 'unread_line'
  // XBRL.
  | 'no_context'
  | 'no_unit'
  | 'ambiguous'
  | 'no_continuation'
  | 'endless_continuation'
  | 'unknown_format'
  | 'format_misfit'
  | 'not_a_fraction'
  | 'differs';

/** A filing's problems are numbered over all its documents. */
export class FilingProblems {
  readonly accessionNumber: string | null;
  #position = 0;
  #rows: MappedRow[] = [];
  /** Documents that are known to be malformed: several readers may find it. */
  readonly #malformed = new Set<string>();

  constructor(accessionNumber: string | null) {
    this.accessionNumber = accessionNumber;
  }

  add(
    document: string,
    reason: ProblemReason,
    value: string,
    where: { path?: string; table?: string; column?: string } = {},
  ): void {
    this.#rows.push({
      table: formProblems.name,
      row: {
        accession_number: this.accessionNumber,
        position: this.#position++,
        document,
        reason,
        path: where.path ?? null,
        table_name: where.table ?? null,
        column_name: where.column ?? null,
        value,
        mapping_version: MAPPING_VERSION,
      },
    });
  }

  /** A document without rows, because it isn't well-formed. @throws errors other than faults of the document */
  malformed(document: string, error: unknown): void {
    if (!(error instanceof XmlFault)) throw error;
    if (this.#malformed.has(document)) return;
    this.#malformed.add(document);
    this.add(document, 'malformed', error.message);
  }

  /** Documents of a form with one document in a filing. */
  leftOut(documents: readonly { label: string }[]): void {
    for (const { label } of documents) this.add(label, 'left_out', 'a second document of one kind');
  }

  /** The problems since the last call. */
  take(): MappedRow[] {
    if (this.#rows.length === 0) return [];
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }
}

export class DocumentRows {
  readonly document: string;
  readonly problems: FilingProblems;
  /** Words that mean null in every column of the form: N-PORT's `N/A`. */
  readonly #nullWords: readonly string[];

  constructor(document: string, problems: FilingProblems, nullWords: readonly string[]) {
    this.document = document;
    this.problems = problems;
    this.#nullWords = nullWords;
  }

  /** A row: `given` for columns that a rule makes, which win, paths for the others, null if both lack the column. */
  row(table: FormTable, element: Element, given: Row = {}): Row {
    const { empty, read, found } = layoutOf(table);
    // A copy of a row of nulls: all rows of a table share one shape, and most columns need no store.
    const row: Row = { ...empty };
    if (read.length > 0) found.read(element);
    let path = 0;
    for (let k = 0; k < read.length; k++) {
      const column = read[k]!;
      const { name, paths } = column;
      for (let i = 0; i < paths.length; i++) {
        const text = found.texts[path + i]!;
        if (text === null) continue;
        if (given[name] === undefined)
          row[name] = this.#converted(table, column, text, found.elements[path + i]!, paths[i]!.attribute);
        break;
      }
      path += paths.length;
    }
    for (const name in given) if (name in empty) row[name] = given[name]!;
    row.accession_number = this.problems.accessionNumber;
    return row;
  }

  /** The first value along the column's paths that isn't empty, converted. */
  value(table: FormTable, column: FormColumn, element: Element, paths = column.paths): Value {
    for (const path of paths) {
      const found = firstText(element, path, 0);
      if (found !== null) return this.#converted(table, column, found.text, found.element, path.attribute);
    }
    return null;
  }

  #converted(table: FormTable, column: FormColumn, text: string, element: Element, attribute: string | null): Value {
    if ((this.#nullWords.length > 0 && this.#nullWords.includes(text)) || column.nothing?.test(text)) return null;
    if (column.type === 'VARCHAR' && !column.cik) return text;
    const misfit = (reason: Misfit) =>
      this.misfit(
        table,
        column.name,
        text,
        reason,
        attribute === null ? element.path : `${element.path}/@${attribute}`,
      );
    return column.cik ? cikOf(text, misfit) : convert(column.type, text, misfit);
  }

  /** The value of a column at another path than its own; null without an element. */
  valueAt(table: FormTable, name: string, element: Element | null, path: string): Value {
    const column = table.columns.find((each) => each.name === name)!;
    return element === null ? null : this.value(table, column, element, [valuePath(path)]);
  }

  misfit(table: FormTable, column: string, value: string, reason: ProblemReason, path: string): void {
    this.problems.add(this.document, reason, value, { path, table: table.name, column });
  }

  /** Text at a path below an element, or null; the form's words for null count as null. */
  text(element: Element, ...steps: string[]): string | null {
    const found = firstText(element, { steps, attribute: null }, 0);
    return found === null || this.#nullWords.includes(found.text) ? null : found.text;
  }
}

interface Layout {
  empty: Row;
  /** Columns that have paths. */
  read: readonly FormColumn[];
  found: PathTexts;
}

const layouts = new WeakMap<FormTable, Layout>();

function layoutOf(table: FormTable): Layout {
  let layout = layouts.get(table);
  if (layout === undefined) {
    const empty: Row = {};
    for (const { name } of table.columns) empty[name] = null;
    empty.mapping_version = MAPPING_VERSION;
    const read = table.columns.filter(({ paths }) => paths.length > 0);
    layout = { empty, read, found: new PathTexts(read) };
    layouts.set(table, layout);
  }
  return layout;
}

interface Found {
  text: string;
  element: Element;
}

function firstText(element: Element, path: ValuePath, at: number): Found | null {
  const { steps, attribute } = path;
  if (at === steps.length) {
    const raw = attribute === null ? textOf(element) : element.attribute(attribute);
    const text = raw === null || attribute === null ? raw : tidy(raw);
    return text === null ? null : { text, element };
  }
  const step = steps[at]!;
  for (const child of element.children) {
    if (child.name !== step && step !== '*') continue;
    const found = firstText(child, path, at + 1);
    if (found !== null) return found;
  }
  return null;
}

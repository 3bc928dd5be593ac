/** The mapping of one document: a form's sources over its elements. */
import { type Element, internalized } from '../xml/element.ts';
import { ElementReader } from '../xml/element-reader.ts';
import type { TextPieces } from '../xml/text-pieces.ts';
import { ExactSum } from './decimals.ts';
import type { FormTable, Row, Value } from './descriptor.ts';
import type { DocumentRows, MappedRow } from './document-rows.ts';
import type { Form, RowMapping, RowSource } from './form.ts';
import { KnownPath, UnknownElements } from './known-paths.ts';

export class DocumentMapping implements RowMapping {
  readonly rows: DocumentRows;
  /** Values for all rows of the document's sources: 13F's unit. */
  readonly #shared: Row;
  readonly #counts = new Map<string, number>();
  readonly #sums = new Map<string, ExactSum>();
  #out: MappedRow[] = [];

  constructor(rows: DocumentRows, shared: Row = {}) {
    this.rows = rows;
    this.#shared = shared;
  }

  emit(table: FormTable, row: Row): void {
    this.#counts.set(table.name, this.count(table) + 1);
    this.#out.push({ table: table.name, row });
  }

  /** Rows so far. */
  count(table: FormTable): number {
    return this.#counts.get(table.name) ?? 0;
  }

  /** The sum of a source's `sum` column, so far. */
  sum(table: FormTable): string | null {
    const sum = this.#sums.get(table.name);
    return sum === undefined ? '0' : sum.text;
  }

  take(): MappedRow[] {
    const out = this.#out;
    this.#out = [];
    return out;
  }

  /** Rows of a source below `parent`. @param above values from the row above */
  map(source: RowSource, parent: Element, above: Row = {}): void {
    let number = 0;
    let first: Element | null = null;
    for (const steps of stepsOf(source)) {
      for (const element of steps.length === 0 ? [parent] : parent.all(steps)) {
        if (numberOf(source) === undefined && first !== null) {
          // An element of the same name is reported with all repeated ones; one by another path only here.
          if (element.name !== first.name)
            this.rows.misfit(source.table, source.table.key.at(-1)!, element.name, 'repeated', element.path);
          continue;
        }
        if (!this.mapElement(source, element, above, number)) continue;
        number++;
        first = element;
      }
    }
  }

  /** @returns whether it became a row */
  mapElement(source: RowSource, element: Element, above: Row, number: number): boolean {
    const given: Row = { ...this.#shared, ...above, ...source.set };
    const counted = numberOf(source);
    if (counted !== undefined) given[counted] = number;
    const ruled = source.rule?.(element, this, given);
    if (ruled === null) return false;
    const row = this.rows.row(source.table, element, ruled ? { ...given, ...ruled } : given);
    this.emit(source.table, row);
    source.finish?.(row, element, this);
    if (source.sum !== undefined) this.#addTo(source.table.name, row[source.sum]!);
    if (source.sources) {
      const handed = source.below === undefined ? above : { ...above, [source.below]: number };
      for (const below of source.sources) this.map(below, element, handed);
    }
    return true;
  }

  #addTo(table: string, value: Value): void {
    let sum = this.#sums.get(table);
    if (sum === undefined) {
      sum = new ExactSum();
      this.#sums.set(table, sum);
    }
    if (typeof value === 'string') sum.add(value);
  }
}

/** Column that counts the rows of a source. */
function numberOf({ number, table }: RowSource): string | undefined {
  return number ?? (table.key.at(-1) === 'position' ? 'position' : undefined);
}

const stepsBySource = new WeakMap<RowSource, string[][]>();

function stepsOf(source: RowSource): string[][] {
  let steps = stepsBySource.get(source);
  if (steps === undefined) {
    const paths = typeof source.at === 'string' ? [source.at] : source.at;
    steps = paths.map((path) =>
      path
        .split('/')
        .filter((step) => step !== '')
        .map(internalized),
    );
    stepsBySource.set(source, steps);
  }
  return steps;
}

const knownByForm = new WeakMap<Form, KnownPath>();

/** The tree of paths that a form reads, below its root element. */
export function knownPaths(form: Form): KnownPath {
  let root = knownByForm.get(form);
  if (root === undefined) {
    root = new KnownPath();
    for (const source of form.sources) addSource(root, source);
    for (const path of form.reads ?? []) addRead(root, path);
    for (const path of form.ignored ?? []) addRead(root, path, true);
    form.extendKnown?.(root);
    knownByForm.set(form, root);
  }
  return root;
}

export function addSource(above: KnownPath, source: RowSource): void {
  for (const steps of stepsOf(source)) {
    let known = above;
    for (const step of steps) {
      known = known.child(step);
      known.repeats = numberOf(source) !== undefined;
    }
    for (const column of source.table.columns)
      for (const { steps: below, attribute } of column.paths)
        addRead(known, [...below, ...(attribute === null ? [] : [`@${attribute}`])].join('/'));
    for (const path of source.reads ?? []) addRead(known, path);
    for (const child of source.sources ?? []) addSource(known, child);
  }
}

/** @param path `a/b`, `a/@b`, `a/**` (all below); '' is the element's own text. A `+` after a step: it may repeat. */
export function addRead(above: KnownPath, path: string, repeats = false): void {
  let known = above;
  for (const step of path.split('/').filter((each) => each !== '')) {
    if (step === '**') {
      known.whole = true;
      return;
    }
    if (step.startsWith('@')) {
      known.attributes.add(step.slice(1));
      return;
    }
    known = known.child(step.replace(/\+$/, ''));
    if (repeats || step.endsWith('+')) known.repeats = true;
  }
  known.text = true;
}

/**
 * Rows of a document whose form is known, problems among them. Records of streamed sources are read in a second pass. The first
 * pass proves that the document is well-formed: half a table would be worse than none.
 * @param open the document's text, for each pass
 * @param options `firstRecord`: number of the first streamed record; `proven`: the first pass is done already
 * @returns number of the next record, for the next document of a joined form
 * @throws XmlFault, before the first row
 */
export function* mapDocument(
  form: Form,
  open: () => string | TextPieces,
  mapping: DocumentMapping,
  { firstRecord = 0, proven = false }: { firstRecord?: number; proven?: boolean } = {},
): Generator<MappedRow, number> {
  const streamed = form.sources.filter((source) => source.streamed);
  const known = knownPaths(form);
  const unknown = new UnknownElements(mapping.rows);
  const records = streamed.map((source) => ({
    source,
    steps: stepsOf(source)[0]!,
    known: knownAt(known, stepsOf(source)[0]!),
    number: firstRecord,
  }));
  const recordOf = (element: Element) => records.find(({ steps }) => isAt(element, steps));
  const isRecord = records.length === 0 ? null : (element: Element) => recordOf(element) !== undefined;
  if (records.length > 0 && !proven) for (const reader = new ElementReader(open(), isRecord); reader.next() !== null; );
  const reader = new ElementReader(open(), isRecord, records.length > 0);
  for (let element = reader.next(); element !== null; element = reader.next()) {
    const record = recordOf(element)!;
    if (mapping.mapElement(record.source, element, {}, record.number)) record.number++;
    unknown.look(element, record.known);
    yield* mapping.take();
    yield* mapping.rows.problems.take();
  }
  const root = reader.root!;
  form.code?.(root, mapping);
  for (const source of form.sources) if (!source.streamed) mapping.map(source, root);
  unknown.look(root, known);
  yield* mapping.take();
  yield* mapping.rows.problems.take();
  yield* unknown.rows();
  return records[0]?.number ?? 0;
}

function knownAt(root: KnownPath, steps: readonly string[]): KnownPath {
  return steps.reduce((known, step) => known.child(step), root);
}

/** Whether an element is at a path below the root. */
function isAt(element: Element, steps: readonly string[]): boolean {
  let at: Element | null = element;
  for (let i = steps.length - 1; i >= 0; i--, at = at.parent) if (at === null || at.name !== steps[i]) return false;
  return at !== null && at.parent === null;
}

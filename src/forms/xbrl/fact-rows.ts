/** Rows of facts, of inline documents and of instances. */
import type { Row } from '../descriptor.ts';
import type { FilingProblems, ProblemReason } from '../document-rows.ts';
import { MAPPING_VERSION } from '../problems.ts';
import type { Context } from './contexts.ts';
import type { InlineDocument, InlineFact } from './inline/inline-document.ts';
import type { InlineSet } from './inline/inline-set.ts';
import { inlineValue } from './inline/inline-values.ts';
import type { InstanceDocument, InstanceFact } from './instance/instance-document.ts';
import { characterData, lineEnds, resolveReferences, trimXml } from './markup/character-data.ts';
import { xbrlFacts } from './tables.ts';

/** Reports data that a document's rows lack. A missing context or unit is reported once for all its facts. */
export class FactProblems {
  readonly #problems: FilingProblems;
  readonly #file: string;
  readonly #named = new Set<string>();

  constructor(problems: FilingProblems, file: string) {
    this.#problems = problems;
    this.#file = file;
  }

  once(reason: ProblemReason, id: string, column: string): void {
    const key = `${reason} ${id}`;
    if (this.#named.has(key)) return;
    this.#named.add(key);
    this.#problems.add(this.#file, reason, id, { table: xbrlFacts.name, column });
  }

  /** @param path the fact's id, else its concept */
  value(reason: ProblemReason, raw: string, path: string): void {
    this.#problems.add(this.#file, reason, raw.slice(0, 1000), { path, table: xbrlFacts.name, column: 'value' });
  }
}

export function* inlineRows(set: InlineSet, document: InlineDocument, problems: FilingProblems): Generator<Row> {
  const found = new FactProblems(problems, document.file);
  const context = memory((id: string) => {
    const looked = set.context(document, id);
    if (looked.found === null) found.once(looked.why === 'missing' ? 'no_context' : 'ambiguous', id, 'context_id');
    return looked.found;
  });
  const unit = memory((id: string) => {
    const looked = set.unit(document, id);
    if (looked.found === null) found.once(looked.why === 'missing' ? 'no_unit' : 'ambiguous', id, 'unit');
    return looked.found;
  });
  for (const [position, fact] of document.facts.entries()) {
    const row = emptyRow(problems.accessionNumber, document.file, position);
    const name = fact.scope.resolve(fact.name);
    const measure = fact.unit === null ? null : unit(fact.unit);
    nameAndContext(row, fact, name, fact.context === null ? null : context(fact.context));
    if (fact.context === null) found.once('no_context', fact.id ?? fact.name, 'context_id');
    row.unit = measure;
    row.is_text_block = fact.escape || name.local.endsWith('TextBlock');
    row.language = fact.scope.language;
    row.is_hidden = fact.hidden;
    row.target = fact.target;
    const footnotes = set.footnotes(fact);
    if (footnotes.length > 0) row.footnotes = JSON.stringify(footnotes);
    if (!fact.nil) {
      const made = inlineValue(set, fact);
      if (made.fault !== null) found.value(made.fault, made.raw, fact.id ?? name.name);
      setValue(row, made.value);
    }
    yield row;
  }
}

export function* instanceRows(document: InstanceDocument, problems: FilingProblems): Generator<Row> {
  const found = new FactProblems(problems, document.file);
  for (const [position, fact] of document.facts.entries()) {
    const row = emptyRow(problems.accessionNumber, document.file, position);
    const context = document.contexts.get(fact.context) ?? null;
    if (context === null) found.once('no_context', fact.context, 'context_id');
    nameAndContext(row, fact, fact.name, context);
    if (fact.unit !== null) {
      row.unit = document.units.get(fact.unit) ?? null;
      if (row.unit === null) found.once('no_unit', fact.unit, 'unit');
    }
    row.language = fact.language;
    const footnotes = fact.id === null ? undefined : document.noted.get(fact.id);
    if (footnotes !== undefined) row.footnotes = JSON.stringify([...footnotes].sort());
    const value = fact.nil ? null : instanceValue(document, fact);
    row.is_text_block =
      fact.name.local.endsWith('TextBlock') || (fact.unit === null && value !== null && /<[A-Za-z/!?]/.test(value));
    setValue(row, value);
    yield row;
  }
}

function instanceValue({ text }: InstanceDocument, fact: InstanceFact): string {
  if (fact.numerator !== null && fact.denominator !== null) return `${fact.numerator}/${fact.denominator}`;
  const raw = text.slice(fact.start, fact.end);
  const value = raw.includes('<') ? characterData(raw) : lineEnds(resolveReferences(raw));
  return fact.unit === null ? value : trimXml(value);
}

function nameAndContext(
  row: Row,
  fact: InlineFact | InstanceFact,
  name: { name: string; namespace: string | null },
  context: Context | null,
): void {
  row.fact_id = fact.id;
  row.concept = name.name;
  row.concept_namespace = name.namespace;
  row.context_id = fact.context;
  if (context !== null) {
    row.entity_cik = context.cik;
    row.period_start = context.start;
    row.period_end = context.end;
    row.dimensions = context.dimensionsJson;
  }
  row.decimals = fact.decimals;
  row.is_nil = fact.nil;
  row.start_index = fact.elementStart;
  row.end_index = fact.elementEnd;
}

const FRACTION = /^(-?[\d.]+)\/(-?[\d.]+)$/;

/** An empty text is null, as in all tables of forms. */
function setValue(row: Row, value: string | null): void {
  if (value === null || value === '') return;
  row.value = value;
  if (row.unit === null) return;
  const fraction = FRACTION.exec(value);
  const number = fraction ? Number(fraction[1]) / Number(fraction[2]) : Number(value);
  if (Number.isFinite(number)) row.value_number = number;
}

function emptyRow(accessionNumber: string | null, file: string, position: number): Row {
  return {
    accession_number: accessionNumber,
    file,
    position,
    fact_id: null,
    concept: null,
    concept_namespace: null,
    context_id: null,
    entity_cik: null,
    period_start: null,
    period_end: null,
    unit: null,
    decimals: null,
    value: null,
    value_number: null,
    is_nil: false,
    is_text_block: false,
    dimensions: null,
    footnotes: '[]',
    language: null,
    is_hidden: null,
    target: null,
    start_index: 0,
    end_index: 0,
    mapping_version: MAPPING_VERSION,
  };
}

/** Results by id, cached: thousands of facts share a few hundred contexts. */
function memory<T>(look: (id: string) => T): (id: string) => T {
  const known = new Map<string, T>();
  return (id) => {
    let found = known.get(id);
    if (found === undefined) {
      found = look(id);
      known.set(id, found);
    }
    return found;
  };
}

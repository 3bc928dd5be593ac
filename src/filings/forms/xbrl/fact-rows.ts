/** Rows of facts, of inline documents and of instances. */
import type { Row } from '../map/descriptor.ts';
import type { FilingProblems, ProblemReason } from '../map/document-rows.ts';
import { MAPPING_VERSION } from '../map/problems.ts';
import { unixLines } from '../xml/text-pieces.ts';
import { CONTEXT, DECIMALS, ID, NAME, TARGET, UNIT } from './inline/fact-list.ts';
import type { InlineDocument } from './inline/inline-document.ts';
import type { InlineSet } from './inline/inline-set.ts';
import { inlineValue, isEscaped } from './inline/inline-values.ts';
import type { InstanceDocument, InstanceFact } from './instance/instance-document.ts';
import { characterData, resolveReferences, trimXml } from './markup/character-data.ts';
import type { Context } from './model/contexts.ts';
import { xbrlFacts } from './model/tables.ts';

/** Reports data that a document's rows lack. A missing context or unit is reported once for all its facts. */
class FactProblems {
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

  dates({ misdated }: Context): void {
    if (misdated !== null) this.once('not_a_date', misdated, 'period_end');
  }

  /** @param path the fact's id, else its concept */
  value(reason: ProblemReason, raw: string, path: string): void {
    this.#problems.add(this.#file, reason, raw.slice(0, 1000), { path, table: xbrlFacts.name, column: 'value' });
  }
}

export function* inlineRows(set: InlineSet, document: InlineDocument, problems: FilingProblems): Generator<Row> {
  const faults = new FactProblems(problems, document.file);
  const context = memory((id: string) => {
    const looked = set.context(document, id);
    if (looked.found === null) faults.once(looked.why === 'missing' ? 'no_context' : 'ambiguous', id, 'context_id');
    else faults.dates(looked.found);
    return looked.found;
  });
  const unit = memory((id: string) => {
    const looked = set.unit(document, id);
    if (looked.found === null) faults.once(looked.why === 'missing' ? 'no_unit' : 'ambiguous', id, 'unit');
    return looked.found;
  });
  const { facts, file } = document;
  const { accessionNumber } = problems;
  const noted = set.footnotes(document);
  for (let fact = 0; fact < facts.length; fact++) {
    const id = facts.attribute(fact, ID);
    const qualified = (facts.attribute(fact, NAME) ?? '').trim();
    const contextId = facts.attribute(fact, CONTEXT);
    const unitId = facts.attribute(fact, UNIT);
    const scope = facts.scope(fact);
    const name = scope.resolve(qualified);
    const measure = unitId === null ? null : unit(unitId);
    const found = contextId === null ? null : context(contextId);
    if (contextId === null) faults.once('no_context', id ?? qualified, 'context_id');
    const nil = facts.isNil(fact);
    let value: string | null = null;
    if (!nil) {
      const made = inlineValue(set, document, fact);
      if (made.fault !== null) faults.value(made.fault, made.raw, id ?? name.name);
      // An empty text is null, as in all tables of forms.
      else if (made.value !== '') value = made.value;
    }
    const footnotes = noted === null ? undefined : noted.get(fact);
    yield {
      accession_number: accessionNumber,
      file,
      position: fact,
      fact_id: id,
      concept: name.name,
      concept_namespace: name.namespace,
      context_id: contextId,
      entity_cik: found === null ? null : found.cik,
      period_start: found === null ? null : found.start,
      period_end: found === null ? null : found.end,
      unit: measure,
      decimals: facts.attribute(fact, DECIMALS),
      value,
      value_number: value === null || measure === null ? null : numberOf(value),
      is_nil: nil,
      is_text_block: name.local.endsWith('TextBlock') || isEscaped(facts, fact),
      dimensions: found === null ? null : found.dimensionsJson,
      footnotes: footnotes === undefined ? '[]' : JSON.stringify([...footnotes].sort()),
      language: scope.language,
      is_hidden: facts.isHidden(fact),
      target: facts.attribute(fact, TARGET),
      start_index: facts.elementStart(fact),
      end_index: facts.elementEnd(fact),
      mapping_version: MAPPING_VERSION,
    };
  }
}

/** Numbers of XBRL without a value that SQL has. */
const NO_FINITE = /^(?:-?INF|NaN)$/;
/** A number to JavaScript, not to XBRL. */
const OTHER_BASE = /^0[xob]/i;

export function* instanceRows(document: InstanceDocument, problems: FilingProblems): Generator<Row> {
  const { facts, file, contexts, units } = document;
  const faults = new FactProblems(problems, file);
  const contextOf = memory((id: string) => {
    const ambiguous = contexts.ambiguous.has(id);
    const found = ambiguous ? null : (contexts.get(id) ?? null);
    if (found === null) faults.once(ambiguous ? 'ambiguous' : 'no_context', id, 'context_id');
    else faults.dates(found);
    return found;
  });
  const unitOf = memory((id: string) => {
    const ambiguous = units.ambiguous.has(id);
    const found = ambiguous ? null : (units.get(id) ?? null);
    if (found === null) faults.once(ambiguous ? 'ambiguous' : 'no_unit', id, 'unit');
    return found;
  });
  for (let position = 0; position < facts.length; position++) {
    const fact = facts[position]!;
    const context = contextOf(fact.context);
    const unit = fact.unit === null ? null : unitOf(fact.unit);
    const footnotes = fact.id === null ? undefined : document.noted.get(fact.id);
    const text = fact.nil ? null : instanceValue(document, fact);
    // An empty text is null, as in all tables of forms.
    const value = text === '' ? null : text;
    const number = value === null || unit === null || OTHER_BASE.test(value) ? null : numberOf(value);
    if (!fact.nil && unit !== null && number === null && !NO_FINITE.test(text ?? ''))
      faults.value('not_a_number', text ?? '', fact.id ?? fact.name.name);
    yield {
      accession_number: problems.accessionNumber,
      file,
      position,
      fact_id: fact.id,
      concept: fact.name.name,
      concept_namespace: fact.name.namespace,
      context_id: fact.context,
      entity_cik: context === null ? null : context.cik,
      period_start: context === null ? null : context.start,
      period_end: context === null ? null : context.end,
      unit,
      decimals: fact.decimals ?? decimalsOf(fact.precision, value),
      value,
      value_number: number,
      is_nil: fact.nil,
      is_text_block:
        fact.name.local.endsWith('TextBlock') || (fact.unit === null && value !== null && /<[A-Za-z/!?]/.test(value)),
      dimensions: context === null ? null : context.dimensionsJson,
      footnotes: footnotes === undefined ? '[]' : JSON.stringify([...footnotes].sort()),
      language: fact.language,
      is_hidden: null,
      target: null,
      start_index: fact.elementStart,
      end_index: fact.elementEnd,
      mapping_version: MAPPING_VERSION,
    };
  }
}

/** The decimals of a precision, by XBRL 2.1, section 4.6.6. @returns null if neither states it */
function decimalsOf(precision: string | null, value: string | null): string | null {
  if (precision === 'INF') return precision;
  if (precision === null || value === null || !/^[1-9]\d*$/.test(precision)) return null;
  const digits = /^[-+]?0*(\d*)(?:\.(0*)(\d*))?$/.exec(value.trim());
  if (digits === null) return null;
  const [, whole = '', zeros = '', rest = ''] = digits;
  if (whole === '' && rest === '') return 'INF';
  const leading = whole === '' ? -zeros.length : whole.length;
  return String(Number(precision) - leading);
}

function instanceValue({ text }: InstanceDocument, fact: InstanceFact): string {
  if (fact.numerator !== null && fact.denominator !== null) return `${fact.numerator}/${fact.denominator}`;
  const raw = text.slice(fact.start, fact.end);
  const value = raw.includes('<') ? characterData(raw) : unixLines(resolveReferences(raw));
  return fact.unit === null ? value : trimXml(value);
}

const FRACTION = /^(-?[\d.]+)\/(-?[\d.]+)$/;

/** The value as a number; null for other texts. */
function numberOf(value: string): number | null {
  const fraction = value.includes('/') ? FRACTION.exec(value) : null;
  const number = fraction ? Number(fraction[1]) / Number(fraction[2]) : Number(value);
  return Number.isFinite(number) ? number : null;
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

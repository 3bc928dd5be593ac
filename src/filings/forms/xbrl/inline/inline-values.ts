/** Values of inline facts: texts joined from their pieces, numbers transformed and scaled. */
import { unixLines } from '../../xml/text-pieces.ts';
import { characterData, resolveReferences, trimXml } from '../markup/character-data.ts';
import type { Scope } from '../markup/namespaces.ts';
import { scaled } from '../transformations/decimal-text.ts';
import type { Transformation } from '../transformations/numbers.ts';
import { transformation } from '../transformations/registry.ts';
import { CONTINUED_AT, ESCAPE, type FactList, FORMAT, SCALE, SIGN } from './fact-list.ts';
import type { InlineDocument, Piece } from './inline-document.ts';
import type { InlineSet } from './inline-set.ts';

type ValueFault =
  | 'no_continuation'
  | 'endless_continuation'
  | 'unknown_format'
  | 'format_misfit'
  | 'not_a_number'
  | 'not_a_fraction';

/** A value or the reason for its absence, with its source text. */
type InlineValue =
  | { readonly value: string; readonly fault: null }
  | { readonly value: null; readonly fault: ValueFault; readonly raw: string };

/** The value of a fact that is not nil. */
export function inlineValue(set: InlineSet, document: InlineDocument, fact: number): InlineValue {
  const { facts } = document;
  const kind = facts.kind(fact);
  if (kind === 'number') return numberOf(document, facts, fact);
  if (kind === 'fraction') return fractionOf(document, fact);
  const continuedAt = facts.attribute(fact, CONTINUED_AT);
  const own = contentOf(document, facts, fact);
  const raw = continuedAt === null ? own : chained(set, document, own, continuedAt);
  if (typeof raw !== 'string') return { value: null, fault: raw.fault, raw: raw.id };
  const text = isEscaped(facts, fact) ? endsAsLines(document, raw) : characterData(raw);
  const format = facts.attribute(fact, FORMAT);
  return format === null ? { value: text, fault: null } : transformed(facts.scope(fact), format, text);
}

/** Whether the value of a fact is its markup. */
export function isEscaped(facts: FactList, fact: number): boolean {
  const value = facts.attribute(fact, ESCAPE);
  return value === 'true' || value === '1';
}

/** The text of a footnote, with markup. It lacks the text of missing continuations. */
export function footnoteContent(set: InlineSet, piece: Piece): string {
  const own = contentOfPiece(piece);
  const raw = piece.continuedAt === null ? own : chained(set, piece.document, own, piece.continuedAt);
  return typeof raw === 'string' ? raw : own;
}

function contentOf(document: InlineDocument, facts: FactList, fact: number): string {
  return content(document, facts.start(fact), facts.end(fact), facts.cut(fact));
}

function contentOfPiece({ document, start, end, cut }: Piece): string {
  return content(document, start, end, cut);
}

/**
 * Without tags of Inline XBRL, and without the content of ix:exclude. V8 joins the parts of a text only when they are read: a text block
 * may have most of its document.
 */
function content({ text, cuts }: InlineDocument, start: number, end: number, cut: number): string {
  if (cut >= cuts.length || cuts.at(cut) >= end) return text.slice(start, end);
  let out = '';
  let at = start;
  for (let i = cut; i < cuts.length && cuts.at(i) < end; i += 2) {
    if (cuts.at(i) > at) out += text.slice(at, cuts.at(i));
    if (cuts.at(i + 1) > at) at = cuts.at(i + 1);
  }
  return at < end ? out + text.slice(at, end) : out;
}

/** With all continuations. @param own the text of the first piece */
function chained(
  set: InlineSet,
  document: InlineDocument,
  own: string,
  continuedAt: string,
): string | { fault: ValueFault; id: string } {
  let out = own;
  const met = new Set<Piece>();
  let owner = document;
  for (let next: string | null = continuedAt; next !== null; ) {
    const { found }: { found: Piece | null } = set.continuation(owner, next);
    if (found === null) return { fault: 'no_continuation', id: next };
    if (met.has(found)) return { fault: 'endless_continuation', id: next };
    met.add(found);
    out += contentOfPiece(found);
    owner = found.document;
    next = found.continuedAt;
  }
  return out;
}

/** Documents with a carriage return: for others no value is searched for one. */
const withReturns = new WeakMap<InlineDocument, boolean>();

function endsAsLines(document: InlineDocument, text: string): string {
  let has = withReturns.get(document);
  if (has === undefined) {
    has = document.text.includes('\r');
    withReturns.set(document, has);
  }
  return has ? unixLines(text) : text;
}

/** The transformations of a document's formats, cached: nearly all facts share a few. */
const known = new WeakMap<Scope, Map<string, Transformation | null>>();

function transformationOf(scope: Scope, format: string): Transformation | null {
  let formats = known.get(scope);
  if (formats === undefined) {
    formats = new Map();
    known.set(scope, formats);
  }
  let transform = formats.get(format);
  if (transform === undefined) {
    const { namespace, local } = scope.resolve(trimXml(format));
    transform = namespace === null ? null : transformation(namespace, local);
    formats.set(format, transform);
  }
  return transform;
}

function transformed(scope: Scope, format: string, text: string): InlineValue {
  const transform = transformationOf(scope, format);
  if (transform === null) return { value: null, fault: 'unknown_format', raw: format };
  const value = transform(text);
  return value === null ? { value, fault: 'format_misfit', raw: text } : { value, fault: null };
}

const SPECIAL = new Set(['INF', '-INF', 'NaN']);

function numberOf(document: InlineDocument, facts: FactList, fact: number): InlineValue {
  const raw = contentOf(document, facts, fact);
  const text = raw.includes('<') ? characterData(raw) : unixLines(resolveReferences(raw));
  const format = facts.attribute(fact, FORMAT);
  const plain = format === null ? { value: trimXml(text), fault: null } : transformed(facts.scope(fact), format, text);
  if (plain.value === null) return plain;
  if (SPECIAL.has(plain.value)) return plain;
  const scale = facts.attribute(fact, SCALE);
  const power = scale === null ? 0 : /^[ +]*-?\d+ *$/.test(scale) ? Number(scale) : Number.NaN;
  const negative = facts.attribute(fact, SIGN) === '-';
  const value = Number.isNaN(power) ? null : scaled(trimXml(plain.value), power, negative);
  return value === null ? { value, fault: 'not_a_number', raw: text } : { value, fault: null };
}

/** `1/3`: a fraction has no decimal value. */
function fractionOf(document: InlineDocument, fact: number): InlineValue {
  const { facts, parts } = document;
  const numerator = facts.partOf(fact, 'numerator');
  const denominator = facts.partOf(fact, 'denominator');
  if (numerator < 0 || denominator < 0)
    return { value: null, fault: 'not_a_fraction', raw: characterData(contentOf(document, facts, fact)) };
  const above = numberOf(document, parts, numerator);
  const below = numberOf(document, parts, denominator);
  if (above.value === null) return above;
  if (below.value === null) return below;
  return { value: `${above.value}/${below.value}`, fault: null };
}

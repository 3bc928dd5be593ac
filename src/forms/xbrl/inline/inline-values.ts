/** Values of inline facts: texts joined from their pieces, numbers transformed and scaled. */
import { characterData, lineEnds, resolveReferences, trimXml } from '../markup/character-data.ts';
import type { Scope } from '../namespaces.ts';
import { scaled } from '../transformations/decimal-text.ts';
import type { Transformation } from '../transformations/numbers.ts';
import { transformation } from '../transformations/registry.ts';
import type { InlineFact, Piece } from './inline-document.ts';
import type { InlineSet } from './inline-set.ts';

export type ValueFault =
  | 'no_continuation'
  | 'endless_continuation'
  | 'unknown_format'
  | 'format_misfit'
  | 'not_a_number'
  | 'not_a_fraction';

/** A value or the reason for its absence, with its source text. */
export type InlineValue =
  | { readonly value: string; readonly fault: null }
  | { readonly value: null; readonly fault: ValueFault; readonly raw: string };

/** Of a fact that is not nil. */
export function inlineValue(set: InlineSet, fact: InlineFact): InlineValue {
  if (fact.kind === 'number') return numberOf(fact);
  if (fact.kind === 'fraction') return fractionOf(fact);
  const raw = fact.continuedAt === null ? content(fact) : chained(set, fact);
  if (typeof raw !== 'string') return { value: null, fault: raw.fault, raw: raw.id };
  const text = fact.escape ? lineEnds(raw) : characterData(raw);
  return fact.format === null ? { value: text, fault: null } : transformed(fact, fact.format, text);
}

/** The text of a footnote, with markup. It lacks the text of missing continuations. */
export function footnoteContent(set: InlineSet, piece: Piece): string {
  const raw = piece.continuedAt === null ? content(piece) : chained(set, piece);
  return typeof raw === 'string' ? raw : content(piece);
}

/** Without tags of Inline XBRL, and without the content of ix:exclude. */
export function content({ document: { text, cuts }, start, end, cut }: Piece): string {
  if (cut >= cuts.length || cuts[cut]! >= end) return text.slice(start, end);
  const parts: string[] = [];
  let at = start;
  for (let i = cut; i < cuts.length && cuts[i]! < end; i += 2) {
    if (cuts[i]! > at) parts.push(text.slice(at, cuts[i]));
    if (cuts[i + 1]! > at) at = cuts[i + 1]!;
  }
  if (at < end) parts.push(text.slice(at, end));
  return parts.join('');
}

/** With all continuations. */
function chained(set: InlineSet, first: Piece): string | { fault: ValueFault; id: string } {
  const parts = [content(first)];
  const met = new Set<Piece>([first]);
  for (let piece = first; piece.continuedAt !== null; ) {
    const { found } = set.continuation(piece.document, piece.continuedAt);
    if (found === null) return { fault: 'no_continuation', id: piece.continuedAt };
    if (met.has(found)) return { fault: 'endless_continuation', id: piece.continuedAt };
    met.add(found);
    parts.push(content(found));
    piece = found;
  }
  return parts.join('');
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

function transformed(fact: InlineFact, format: string, text: string): InlineValue {
  const transform = transformationOf(fact.scope, format);
  if (transform === null) return { value: null, fault: 'unknown_format', raw: format };
  const value = transform(text);
  return value === null ? { value, fault: 'format_misfit', raw: text } : { value, fault: null };
}

const SPECIAL = new Set(['INF', '-INF', 'NaN']);

function numberOf(fact: InlineFact): InlineValue {
  const { scale, format } = fact;
  const raw = content(fact);
  const text = raw.includes('<') ? characterData(raw) : lineEnds(resolveReferences(raw));
  const plain = format === null ? { value: trimXml(text), fault: null } : transformed(fact, format, text);
  if (plain.value === null) return plain;
  if (SPECIAL.has(plain.value)) return plain;
  const power = scale === null ? 0 : /^[ +]*-?\d+ *$/.test(scale) ? Number(scale) : Number.NaN;
  const value = Number.isNaN(power) ? null : scaled(trimXml(plain.value), power, fact.sign === '-');
  return value === null ? { value, fault: 'not_a_number', raw: text } : { value, fault: null };
}

/** `1/3`: a fraction has no decimal value. */
function fractionOf(fact: InlineFact): InlineValue {
  const { numerator, denominator } = fact;
  if (numerator === null || denominator === null)
    return { value: null, fault: 'not_a_fraction', raw: characterData(content(fact)) };
  const above = numberOf(numerator);
  const below = numberOf(denominator);
  if (above.value === null) return above;
  if (below.value === null) return below;
  return { value: `${above.value}/${below.value}`, fault: null };
}

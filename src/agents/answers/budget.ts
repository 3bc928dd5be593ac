/** Fits an answer into its budget: as many rows, or as much text, as there is room for, and a cursor to the rest. */
import { FilinglakeError } from '../../core/index.ts';
import { type Json, sizeOf, type TextResult, textResult } from './json-text.ts';

/** Characters of a whole result as JSON. The smallest holds every head and one shortened row. */
export const BUDGET_DEFAULT = 8_000;
export const BUDGET_MAX = 40_000;
export const BUDGET_MIN = 2_000;

/** A value that must be shortened keeps so many characters at least. */
const SHORTENED_MIN = 40;

/** The greatest n up to `most` whose answer fits, and that answer; null if not even the answer of 0 fits. `make` grows with n. */
export function largestFit(
  budget: number,
  most: number,
  make: (n: number) => Json,
): { n: number; result: TextResult } | null {
  let low = 0;
  let high = most;
  let best: { n: number; result: TextResult } | null = null;
  // Most answers fit whole.
  let n = most;
  while (low <= high) {
    const result = textResult(make(n));
    if (sizeOf(result) <= budget) {
      best = { n, result };
      low = n + 1;
    } else high = n - 1;
    n = (low + high) >> 1;
  }
  return best;
}

/** The end of a piece of text from `start`: not within a surrogate pair, and at a line or word if one ends in its last fifth. */
export function cutAt(text: string, start: number, length: number): number {
  let end = Math.min(text.length, start + length);
  if (end >= text.length) return text.length;
  if (isPair(text, end)) end--;
  const least = start + Math.floor(length * 0.8);
  for (const mark of ['\n', ' ']) {
    const at = text.lastIndexOf(mark, end - 1) + 1;
    if (at > least) return at;
  }
  return end;
}

/** Whether a cut here would part a surrogate pair. */
export function isPair(text: string, at: number): boolean {
  const [before, behind] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before < 0xdc00 && behind >= 0xdc00 && behind < 0xe000;
}

/** A row too long alone: its longest texts are cut, then its longest lists. @param accept whether a row fits */
export function shortened(row: Json, accept: (row: Json) => boolean): Json {
  const cut: Record<string, string> = {};
  let current = row;
  for (let turn = 0; turn < 200; turn++) {
    const noted = Object.keys(cut).length === 0 ? current : withNote(current, cut);
    if (accept(noted)) return noted;
    const longest = longestMember(current, (text) => (typeof text === 'string' ? text.length : 0), SHORTENED_MIN);
    const member = longest ?? longestMember(current, (list) => (Array.isArray(list) ? list.length : 0), 1);
    if (member === null) break;
    const { path, value } = member;
    cut[path.join('.')] ??= `of ${value.length} ${typeof value === 'string' ? 'characters' : 'values'}`;
    current = replaced(current, path, halfOf(value));
  }
  // Many short values: the row can't be shown.
  return { cut: 'this row alone is longer than the budget; raise the budget or select fewer columns' };
}

type Long = string | readonly Json[];

function halfOf(value: Long): Json {
  const half = Math.floor(value.length / 2);
  if (typeof value !== 'string') return value.slice(0, half);
  const end = Math.max(SHORTENED_MIN, half);
  return value.slice(0, isPair(value, end) ? end - 1 : end);
}

function withNote(row: Json, cut: Record<string, string>): Json {
  return row !== null && typeof row === 'object' && !Array.isArray(row) ? { ...row, cut } : { value: row, cut };
}

/** The member of a row, citations left out, whose length is the greatest, and above `least`. */
function longestMember(
  value: Json,
  lengthOf: (value: Json) => number,
  least: number,
  path: readonly string[] = [],
): { path: readonly string[]; value: Long } | null {
  let best = path.length > 0 && lengthOf(value) > least ? { path, value: value as Long } : null;
  if (value === null || typeof value !== 'object') return best;
  for (const [name, member] of Object.entries(value)) {
    if (name === 'citation' || member === undefined) continue;
    const found = longestMember(member as Json, lengthOf, least, [...path, name]);
    if (found !== null && (best === null || found.value.length > best.value.length)) best = found;
  }
  return best;
}

function replaced(value: Json, path: readonly string[], by: Json): Json {
  const [name, ...rest] = path;
  if (name === undefined) return by;
  if (Array.isArray(value)) return value.map((member, i) => (String(i) === name ? replaced(member, rest, by) : member));
  const object = value as Record<string, Json>;
  return { ...object, [name]: replaced(object[name]!, rest, by) };
}

/** An error as a model reads it, within the budget. */
export function errorResult(error: { code: string; message: string; remedy: string }, budget: number): TextResult {
  const most = Math.max(error.message.length, error.remedy.length);
  const shown = (text: string, n: number) =>
    text.length <= n ? text : `${text.slice(0, isPair(text, n) ? n - 1 : n)} … (${text.length - n} more characters)`;
  const fitted = largestFit(budget - 20, most, (n) => ({
    error: { code: error.code, message: shown(error.message, n), remedy: shown(error.remedy, n) },
  }));
  if (fitted === null) throw new FilinglakeError('error-unexpected', `an error does not fit into ${budget} characters`);
  return { ...fitted.result, isError: true };
}

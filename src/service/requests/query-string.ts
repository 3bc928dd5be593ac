/** The query string as pairs, in order. */
import { badRequest } from '../answers/problem.ts';

export type QueryPair = readonly [name: string, value: string];

/**
 * Splits and decodes a query string (without its `?`). A `+` is a space. Bytes that aren't percent-encoded UTF-8 are refused,
 * where URLSearchParams would put U+FFFD: a garbled filter finds the wrong filings.
 */
export function readQueryString(text: string): QueryPair[] {
  const pairs: QueryPair[] = [];
  for (const piece of text.split('&')) {
    if (piece === '') continue;
    const at = piece.indexOf('=');
    pairs.push(at < 0 ? [decode(piece), ''] : [decode(piece.slice(0, at)), decode(piece.slice(at + 1))]);
  }
  return pairs;
}

function decode(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw badRequest('the query string is not valid percent-encoded UTF-8');
  }
}

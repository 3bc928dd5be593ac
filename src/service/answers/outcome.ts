/** What an operation gives back: a body and what has to be said about it. No HTTP framing yet. */
import { etagOf } from './etag.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

export interface Outcome {
  body: Uint8Array;
  contentType: string;
  /** Null for answers that aren't worth asking for again: look-ups, searches */
  etag: string | null;
  /** Bytes of the uncompressed body: what counts against the month */
  size: number;
  /** The body is a stored zstd frame already */
  coding: 'zstd' | null;
  headers: Readonly<Record<string, string>>;
}

/** @param text the JSON text of the whole answer */
export function jsonOutcome(text: string, options: { tagged: boolean }): Outcome {
  const body = new TextEncoder().encode(text);
  const etag = options.tagged ? etagOf(body) : null;
  return { body, contentType: JSON_TYPE, etag, size: body.byteLength, coding: null, headers: {} };
}

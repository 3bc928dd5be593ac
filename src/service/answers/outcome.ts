/** The result of an operation: a body and its headers. No HTTP framing yet. */
import { hash } from 'node:crypto';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** A stored zstd frame, which is sent as it is read. */
export interface StoredFrame {
  /** Null: the frame is in the body */
  file: string | null;
  offset: number;
  length: number;
}

export interface Outcome {
  body: Uint8Array;
  contentType: string;
  /** Null for answers without a tag: look-ups, searches */
  etag: string | null;
  /** Bytes of the uncompressed body, which count against the month */
  size: number;
  /** The body is a stored zstd frame already */
  coding: 'zstd' | null;
  headers: Readonly<Record<string, string>>;
  /** Instead of `body`, which is empty then unless it is the frame */
  frame?: StoredFrame;
  /** There is no body, and `size` is 0: only headers were requested, or the caller has the answer already */
  bodiless?: true;
}

/** @param json the JSON text of the whole answer, or its UTF-8 */
export function jsonOutcome(json: string | Uint8Array, options: { tagged: boolean }): Outcome {
  const body = typeof json === 'string' ? new TextEncoder().encode(json) : json;
  const etag = options.tagged ? bodyTag(body) : null;
  return { body, contentType: JSON_TYPE, etag, size: body.byteLength, coding: null, headers: {} };
}

/** The same without a tag, from UTF-8 in pieces. */
export function jsonBytesOutcome(pieces: readonly Uint8Array[]): Outcome {
  const body = Buffer.concat(pieces);
  return { body, contentType: JSON_TYPE, etag: null, size: body.byteLength, coding: null, headers: {} };
}

/** The tag of an answer by its own bytes. */
export function bodyTag(body: Uint8Array): string {
  return `W/"${hash('sha256', body, 'base64url').slice(0, 27)}"`;
}

export function bodilessOutcome(
  contentType: string,
  etag: string,
  headers: Readonly<Record<string, string>> = {},
): Outcome {
  return { body: new Uint8Array(), contentType, etag, size: 0, coding: null, headers, bodiless: true };
}

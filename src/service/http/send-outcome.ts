/** Sends the answers of operations: their tags, content codings, headers and quota; bytes from memory or from a file. */
import { isAscii } from 'node:buffer';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import { type ContentCoding, chooseCoding } from '../answers/accept.ts';
import { compress, isCompressible, MIN_BYTES_TO_COMPRESS } from '../answers/content-coding.ts';
import { matchesEtag } from '../answers/etag.ts';
import type { Outcome, StoredFrame } from '../answers/outcome.ts';
import { unavailable } from '../answers/problem.ts';
import { SHARED_HEADERS, STRICT_TRANSPORT } from './cross-origin.ts';
import type { PendingAnswers } from './pending-answers.ts';

/** How a request wants its answer. */
export interface Wanted {
  isHead: boolean;
  acceptEncoding: string | undefined;
  ifNoneMatch: string | undefined;
}

/** An outcome as a request wants it. */
export interface Encoded {
  outcome: Outcome;
  /** 304: the caller has it already */
  status: 200 | 304;
  coding: ContentCoding | null;
  /** In its coding; empty if the bytes come from a file */
  body: Uint8Array;
  isHead: boolean;
  /** Bytes that count against the month */
  counted: number;
}

export function encoded(outcome: Outcome, wanted: Wanted): Encoded | Promise<Encoded> {
  const { isHead, ifNoneMatch } = wanted;
  const { body, etag, size } = outcome;
  if (etag !== null && matchesEtag(ifNoneMatch, etag)) {
    return { outcome, status: 304, coding: null, body: new Uint8Array(), isHead, counted: 0 };
  }
  const coding = outcome.coding ?? codingFor(outcome, wanted.acceptEncoding);
  const whole: Encoded = { outcome, status: 200, coding, body, isHead, counted: isHead ? 0 : size };
  if (coding === outcome.coding || coding === null || isHead) return whole;
  return compress(body, coding).then((packed) => ({ ...whole, body: packed }));
}

function codingFor({ frame, bodiless, body, contentType }: Outcome, acceptEncoding: string | undefined) {
  if (frame || bodiless || acceptEncoding === undefined) return null;
  if (body.byteLength < MIN_BYTES_TO_COMPRESS || !isCompressible(contentType)) return null;
  return chooseCoding(acceptEncoding);
}

/** A request that is answered. */
interface Recipient {
  response: ServerResponse;
  requestId: string;
  /** The beginning of its key */
  key: string;
  /** By TLS of this server, or by that of a trusted proxy */
  isSecure: boolean;
}

export interface SenderParts {
  pending: PendingAnswers;
  /** The service is shutting down: new requests over open connections are answered 503 */
  isClosing: () => boolean;
}

const SHARED = [...Object.entries(SHARED_HEADERS).flat(), 'vary', 'Accept, Accept-Encoding'];
const STRICT = Object.entries(STRICT_TRANSPORT).flat();
/** Longer texts cost more as texts than they save. */
const SENT_AS_TEXT_MAX = 64 * 1024;
/** Maximum bytes of an answer that a stream holds in memory. */
const STREAMED_BYTES = 1024 * 1024;

/**
 * Sends an answer that is counted.
 * @param quota the headers about the quota
 * @param stream the bytes of a stored frame, from `openFrame`
 * @returns bytes of the body, or 0
 */
export function send(
  { outcome, status, coding, body, isHead }: Encoded,
  { response, requestId, key, isSecure }: Recipient,
  quota: Record<string, string>,
  { pending, isClosing }: SenderParts,
  stream: Readable | null = null,
): number {
  const headers = ['x-request-id', requestId, ...SHARED];
  if (outcome.etag === null) headers.push('cache-control', 'no-store');
  else headers.push('cache-control', 'private, no-cache', 'etag', outcome.etag);
  if (isSecure) headers.push(...STRICT);
  for (const name in quota) headers.push(name, quota[name]!);
  if (isClosing()) headers.push('connection', 'close');
  const hasBody = status === 200 && !outcome.bodiless;
  const length = outcome.frame === undefined ? body.byteLength : outcome.coding ? outcome.frame.length : outcome.size;
  if (status === 200) {
    headers.push('content-type', outcome.contentType);
    for (const name in outcome.headers) headers.push(name, outcome.headers[name]!);
    if (coding !== null) headers.push('content-encoding', coding);
    // HEAD states the length of GET. If GET is compressed here, it isn't known.
    if (hasBody && (!isHead || coding === outcome.coding)) headers.push('content-length', String(length));
  }
  response.writeHead(status, headers);
  if (!hasBody || isHead) response.end();
  else if (stream !== null) {
    pending.add(key, Math.max(STREAMED_BYTES, outcome.body.byteLength), response, length);
    // A stream that fails ends the connection: the client sees a cut answer.
    pipeline(stream, response, () => {});
  } else {
    const bytes = Buffer.from(body.buffer, body.byteOffset, length);
    // As a text it is sent in one piece with the headers.
    if (coding === null && length < SENT_AS_TEXT_MAX && isAscii(bytes))
      response.end(bytes.toString('latin1'), 'latin1');
    else response.end(bytes);
    const { socket } = response;
    const isTaken = socket !== null && !socket.destroyed && socket.writableLength === 0;
    if (!isTaken) pending.add(key, length, response);
  }
  return hasBody && !isHead ? length : 0;
}

/** The bytes of a stored frame, opened; unpacked if the client does not take zstd. */
export async function openFrame({ file, offset, length }: StoredFrame, { body, coding }: Outcome): Promise<Readable> {
  const stored =
    file === null ? Readable.from([body]) : createReadStream(file, { start: offset, end: offset + length - 1 });
  if (file !== null) await once(stored, 'open').catch(unavailableIfMoved);
  return coding === null ? pipeline(stored, createZstdDecompress(), () => {}) : stored;
}

/** A pack may be moved into a bucket after a reader found it here. */
function unavailableIfMoved(error: NodeJS.ErrnoException): never {
  throw error.code === 'ENOENT' ? unavailable('the catalog is busy', 1) : error;
}

/** Sends an outcome as an HTTP answer: tags, content codings, quota, bytes from memory or from a file. */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { createZstdDecompress } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseCoding } from '../answers/accept.ts';
import { compress, isCompressible, MIN_BYTES_TO_COMPRESS } from '../answers/content-coding.ts';
import { matchesEtag } from '../answers/etag.ts';
import { JSON_TYPE, type Outcome, type StoredFrame } from '../answers/outcome.ts';
import type { Admitted } from './admission.ts';
import type { PendingAnswers } from './pending-answers.ts';

export async function sendOutcome(
  request: FastifyRequest,
  reply: FastifyReply,
  outcome: Outcome,
  admitted: Admitted,
  pending: PendingAnswers,
): Promise<FastifyReply> {
  reply.headers({
    vary: 'Accept, Accept-Encoding',
    'cache-control': outcome.etag === null ? 'no-store' : 'private, no-cache',
    ...(outcome.etag === null ? {} : { etag: outcome.etag }),
  });
  if (outcome.etag !== null && matchesEtag(request.headers['if-none-match'], outcome.etag)) {
    return reply
      .code(304)
      .headers(await admitted.settle(304, 0))
      .send();
  }
  const isHead = request.method === 'HEAD';
  const coding = outcome.coding ?? codingFor(request, outcome);
  const body = coding && coding !== outcome.coding && !isHead ? await compress(outcome.body, coding) : outcome.body;
  // Settled last, before the first byte is sent: an answer that the client gets is counted, one that failed here isn't.
  const quota = await admitted.settle(200, isHead ? 0 : outcome.size);
  reply.headers({ ...outcome.headers, ...quota }).type(outcome.contentType);
  if (coding) reply.header('content-encoding', coding);
  if (outcome.bodiless) return sendWithoutBody(reply);
  const { keyPrefix } = request.notes;
  if (outcome.frame) {
    const toSend = outcome.coding ? outcome.frame.length : outcome.size;
    pending.add(keyPrefix ?? '', STREAMED_BYTES, reply.raw, toSend);
    reply.header('content-length', String(toSend));
    return reply.send(isHead ? null : streamOf(outcome.frame, outcome.coding === null, reply));
  }
  if (!isHead) pending.add(keyPrefix ?? '', body.byteLength, reply.raw);
  // HEAD must state the length of GET. If GET is compressed, the length isn't known.
  if (!isHead || !coding || coding === outcome.coding) reply.header('content-length', String(body.byteLength));
  else return sendWithoutBody(reply);
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  // A text is sent in one piece with its headers, bytes in two.
  const asText = coding === null && outcome.contentType === JSON_TYPE && bytes.length < SENT_AS_TEXT_MAX;
  return reply.send(asText ? bytes.toString('utf8') : bytes);
}

const SENT_AS_TEXT_MAX = 16 * 1024;

/** Maximum bytes of an answer that a stream holds in memory. */
const STREAMED_BYTES = 1024 * 1024;

/** fastify would say `content-length: 0`, which is not the length of the answer to GET. */
function sendWithoutBody(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.writeHead(reply.statusCode, reply.getHeaders() as Record<string, string>);
  reply.raw.end();
  return reply;
}

function streamOf(frame: StoredFrame, unpack: boolean, reply: FastifyReply): Readable {
  const stored = createReadStream(frame.file, { start: frame.offset, end: frame.offset + frame.length - 1 });
  if (!unpack) return stored;
  const unpacked = createZstdDecompress();
  stored.on('error', (error) => unpacked.destroy(error));
  reply.raw.once('close', () => stored.destroy());
  return stored.pipe(unpacked);
}

function codingFor(request: FastifyRequest, outcome: Outcome) {
  if (outcome.frame || outcome.bodiless) return null;
  if (outcome.body.byteLength < MIN_BYTES_TO_COMPRESS || !isCompressible(outcome.contentType)) return null;
  return chooseCoding(encodingsOf(request));
}

export function encodingsOf(request: FastifyRequest): string | undefined {
  const header = request.headers['accept-encoding'];
  return Array.isArray(header) ? header.join(', ') : header;
}

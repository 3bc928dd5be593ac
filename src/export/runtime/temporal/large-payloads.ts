/**
 * Large inputs and results are packed on their way to Temporal, which refuses 2 MB. The windows of a selection repeat its lists: 200
 * with 1,000 CIKs and 1,000 forms each take 4.2 MB as JSON, and 6 kB packed. Small ones stay readable in Temporal's own tools.
 */
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import { Client } from '@temporalio/client';
import type { DataConverter, Payload } from '@temporalio/common';
import type { TemporalSession } from './server.ts';

const PACKED_FROM = 256 * 1024;
const ENCODING = 'binary/brotli';
/** What the payload was before. */
const INNER = 'packed-encoding';

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);
// The window spans all repetitions: a list may have 100 kB.
const PARAMS = {
  [constants.BROTLI_PARAM_QUALITY]: 5,
  [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
};

export const DATA_CONVERTER: DataConverter = {
  payloadCodecs: [
    {
      encode: (payloads) => Promise.all(payloads.map(packed)),
      decode: (payloads) => Promise.all(payloads.map(unpacked)),
    },
  ],
};

async function packed(payload: Payload): Promise<Payload> {
  const { data, metadata } = payload;
  if (!data || data.length < PACKED_FROM) return payload;
  const inner = metadata?.encoding ?? Buffer.alloc(0);
  return {
    metadata: { ...metadata, encoding: Buffer.from(ENCODING), [INNER]: inner },
    data: await compress(data, { params: PARAMS }),
  };
}

async function unpacked(payload: Payload): Promise<Payload> {
  const { encoding, [INNER]: inner, ...metadata } = payload.metadata ?? {};
  if (!payload.data || !inner || Buffer.from(encoding ?? []).toString() !== ENCODING) return payload;
  return { metadata: { ...metadata, encoding: inner }, data: await decompress(payload.data) };
}

/** A client of a session's server. */
export async function clientOf(session: Pick<TemporalSession, 'connect' | 'namespace'>): Promise<Client> {
  return new Client({
    connection: await session.connect(),
    namespace: session.namespace,
    dataConverter: DATA_CONVERTER,
  });
}

/** Unpacks bodies of HTTP answers. */
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

/** Small bodies decompress faster directly (10 µs) than by a round trip through the thread pool. */
const INLINE_BYTES_MAX = 16_384;

const UNPACKERS = {
  gzip: [zlib.gunzipSync, promisify(zlib.gunzip)],
  'x-gzip': [zlib.gunzipSync, promisify(zlib.gunzip)],
  deflate: [zlib.inflateSync, promisify(zlib.inflate)],
  br: [zlib.brotliDecompressSync, promisify(zlib.brotliDecompress)],
} as const;

const zstdFrame = promisify(zlib.zstdDecompress) as (bytes: Buffer, options: zlib.ZstdOptions) => Promise<unknown>;

/**
 * @param encoding one name of a Content-Encoding header, in lower case
 * @param bytesMax of the content
 * @throws the error of zlib if the body is not whole; its code is `ERR_BUFFER_TOO_LARGE` if the content is too long
 */
export async function unpackContent(body: Buffer, encoding: string, bytesMax: number): Promise<Buffer> {
  if (encoding === 'zstd') return unpackZstd(body, bytesMax);
  const unpacker = UNPACKERS[encoding as keyof typeof UNPACKERS];
  if (unpacker === undefined) throw new Error(`unknown encoding ${encoding}`);
  const [inline, pooled] = unpacker;
  const limit = { maxOutputLength: bytesMax };
  return body.length <= INLINE_BYTES_MAX ? inline(body, limit) : pooled(body, limit);
}

/** A body may be several frames (RFC 8878, 3.1). Node's functions end after the first one, without an error. */
async function unpackZstd(body: Buffer, bytesMax: number): Promise<Buffer> {
  const contents: Buffer[] = [];
  let length = 0;
  for (let at = 0; at < body.length; ) {
    const frame = body.subarray(at);
    const options = { maxOutputLength: Math.max(1, bytesMax - length), info: true };
    const unpacked =
      frame.length <= INLINE_BYTES_MAX ? zlib.zstdDecompressSync(frame, options) : zstdFrame(frame, options);
    const { buffer, engine } = (await unpacked) as unknown as { buffer: Buffer; engine: { bytesWritten: number } };
    if (engine.bytesWritten === 0) throw new Error('a frame has no bytes');
    contents.push(buffer);
    length += buffer.length;
    at += engine.bytesWritten;
    if (length > bytesMax) throw Object.assign(new RangeError('too long'), { code: 'ERR_BUFFER_TOO_LARGE' });
  }
  return contents.length === 1 ? contents[0]! : Buffer.concat(contents, length);
}

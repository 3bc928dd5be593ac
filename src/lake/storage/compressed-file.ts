/** Staged files of more than a few kilobytes are compressed: pages of lookup records shrink to an eighth. */
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** A smaller file takes one block of the disk either way. */
const PACKED_FROM_BYTES = 4096;
/** Each piece of a result is a turn of a thread: with Node's 16 KB, packing takes a third longer and unpacking twice as long. */
const PIECES = { chunkSize: 2 ** 17 };
/** 4 MB of records take 9 ms; higher levels take longer and save little. */
const FAST = { ...PIECES, params: { [constants.ZSTD_c_compressionLevel]: 1 } };
/** First bytes of a zstd frame; no JSON text has them. */
const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** @param bytes JSON text */
export async function packed(bytes: Uint8Array): Promise<Uint8Array> {
  return bytes.length < PACKED_FROM_BYTES ? bytes : compress(bytes, FAST);
}

export async function unpacked(bytes: Buffer): Promise<Buffer> {
  return bytes.subarray(0, MAGIC.length).equals(MAGIC) ? decompress(bytes, PIECES) : bytes;
}

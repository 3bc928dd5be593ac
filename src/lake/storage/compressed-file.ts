/** Staged files beyond a few kilobytes are compressed: pages of lookup records are an eighth of themselves then. */
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Below, a file takes a block of the disk either way. */
const PACKED_FROM_BYTES = 4096;
/** 4 MB of records take 9 ms; higher levels take longer and bring little. */
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
/** How a zstd frame begins; no JSON text does. */
const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

/** @param bytes JSON text */
export async function packed(bytes: Uint8Array): Promise<Uint8Array> {
  return bytes.length < PACKED_FROM_BYTES ? bytes : compress(bytes, FAST);
}

export async function unpacked(bytes: Buffer): Promise<Buffer> {
  return bytes.subarray(0, MAGIC.length).equals(MAGIC) ? decompress(bytes) : bytes;
}

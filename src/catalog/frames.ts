/** zstd frames as the catalog stores them. */
import { constants, zstdCompressSync } from 'node:zlib';

/** Frames carry a checksum: a changed byte in a text or a record is found, not shown. */
const COMPRESSION = { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 };

export function compress(bytes: Uint8Array): Buffer {
  return zstdCompressSync(bytes, { params: COMPRESSION, pledgedSrcSize: bytes.length });
}

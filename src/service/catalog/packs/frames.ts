/** zstd frames as the catalog stores them. */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Frames carry a checksum: a changed byte in a text or a record is found, not shown. */
const COMPRESSION = { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 };

export function compress(bytes: Uint8Array): Buffer {
  return zstdCompressSync(bytes, { params: COMPRESSION, pledgedSrcSize: bytes.length });
}

/** A damaged header must not claim all memory. Larger contents are unpacked in pieces. */
const AT_ONCE_MAX = 2 ** 26;

/** Unpacks one frame. Into memory of its size, zstd unpacks at once: in half of the time that it needs for pieces. */
export function decompress(frame: Uint8Array): Buffer {
  const bytes = contentSize(frame);
  if (bytes === null || bytes > AT_ONCE_MAX) return zstdDecompressSync(frame);
  // One more byte: zlib looks for more if its memory is full.
  return zstdDecompressSync(frame, { chunkSize: Math.max(constants.Z_MIN_CHUNK, bytes + 1) });
}

/** The size that a frame's header gives (RFC 8878, 3.1.1.1); null if it is missing, or the bytes are not a frame. */
export function contentSize(frame: Uint8Array): number | null {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  if (view.byteLength < 18 || view.getUint32(0, true) !== 0xfd2fb528) return null;
  const descriptor = view.getUint8(4);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const at = 5 + (isSingleSegment ? 0 : 1) + [0, 1, 2, 4][descriptor & 3]!;
  switch (descriptor >> 6) {
    case 0:
      return isSingleSegment ? view.getUint8(at) : null;
    case 1:
      return view.getUint16(at, true) + 256;
    case 2:
      return view.getUint32(at, true);
    default:
      return Number(view.getBigUint64(at, true));
  }
}

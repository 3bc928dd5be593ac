/** FilingInfo as stored: small ones as JSON with a checksum, to be sent unchanged; others as a zstd frame. */
import { crc32 } from 'node:zlib';
import { FilinglakeError } from '../../../core/index.ts';
import { compress, decompress } from './frames.ts';

/** All but one in a hundred records are smaller. Unpacking one costs more than looking it up. */
const PLAIN_BYTES_MAX = 8_192;
const CHECKSUM_BYTES = 4;
/** The first byte of a zstd frame; JSON text of a record begins with a brace. */
const ZSTD_FIRST_BYTE = 0x28;

/** What EDGAR says of a filing after its publication. UTC times: 2026-11-26T18:00:00.000Z. Null: never, or not known. */
export interface EdgarState {
  withdrawn_at: string | null;
  corrected_at: string | null;
  checked_at: string | null;
}

export const NO_STATE: EdgarState = { withdrawn_at: null, corrected_at: null, checked_at: null };
export function storeInfo(json: string): Uint8Array {
  const text = Buffer.from(json);
  if (text.length > PLAIN_BYTES_MAX) return compress(text);
  const stored = Buffer.alloc(text.length + CHECKSUM_BYTES);
  text.copy(stored);
  stored.writeUInt32LE(crc32(text), text.length);
  return stored;
}

export function isCompressed(info: Uint8Array): boolean {
  return info[0] === ZSTD_FIRST_BYTE;
}

/** JSON text of the record as UTF-8. @throws FilinglakeError `record-damaged` if a byte of it was changed */
export function readInfo(info: Uint8Array): Buffer {
  if (isCompressed(info)) return decompress(info);
  const stored = Buffer.from(info.buffer, info.byteOffset, info.byteLength);
  const end = stored.length - CHECKSUM_BYTES;
  const text = stored.subarray(0, Math.max(0, end));
  if (end > 0 && crc32(text) === stored.readUInt32LE(end)) return text;
  throw new FilinglakeError('record-damaged', 'a record of the catalog is damaged');
}

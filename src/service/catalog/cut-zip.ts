/** Files of a .zip whose end, with the directory, is missing: those with a header, all bytes and their checksum. */
import { constants, crc32, inflateRawSync } from 'node:zlib';
import yauzl from 'yauzl';
import { FILE_BYTES_MAX } from './input.ts';

/** The bytes from a position, fewer at the end. */
export type ReadAt = (position: number, length: number) => Buffer;

export interface CutZipEntry {
  name: string;
  modified: Date;
  /** Or why it can't be read */
  bytes: Buffer | Error;
}

const FILE = 0x04034b50;
const DIRECTORY = 0x02014b50;
const DESCRIPTOR = 0x08074b50;
const HEADER_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
/** Bit of a header whose sizes and checksum follow the bytes. */
const SIZES_FOLLOW = 8;
/** Sizes of 4 GiB and above: a larger file is not a filing. */
const SIZE_ELSEWHERE = 0xffffffff;
const FIRST_WINDOW = 2 ** 20;

export function isZip(readAt: ReadAt): boolean {
  const head = readAt(0, 4);
  return head.length === 4 && head.readUInt32LE(0) === FILE;
}

/** The files in order. @returns the byte at which the archive is cut or damaged */
export function* cutZipEntries(readAt: ReadAt): Generator<CutZipEntry, { offset: number; isCut: boolean }> {
  for (let at = 0; ; ) {
    const header = readAt(at, HEADER_BYTES);
    if (header.length < HEADER_BYTES) return { offset: at, isCut: true };
    const signature = header.readUInt32LE(0);
    if (signature !== FILE) return { offset: at, isCut: signature === DIRECTORY };
    const [flags, method] = [header.readUInt16LE(6), header.readUInt16LE(8)];
    const nameLength = header.readUInt16LE(26);
    const start = at + HEADER_BYTES + nameLength + header.readUInt16LE(28);
    const name = readAt(at + HEADER_BYTES, nameLength);
    let [crc, packed] = [header.readUInt32LE(14), header.readUInt32LE(18)];
    const follow = (flags & SIZES_FOLLOW) !== 0;
    // Only the bytes of a deflated file say where they end.
    if ((follow && method !== DEFLATED) || packed === SIZE_ELSEWHERE || packed > FILE_BYTES_MAX)
      return { offset: at, isCut: false };
    let bytes: Buffer | Error;
    if (follow) {
      const inflated = inflateUnsized(readAt, start);
      if (inflated === null) return { offset: at, isCut: true };
      ({ bytes, packed } = inflated);
      const tail = readAt(start + packed, 16);
      const from = tail.length >= 4 && tail.readUInt32LE(0) === DESCRIPTOR ? 4 : 0;
      if (tail.length < from + 12) return { offset: at, isCut: true };
      crc = tail.readUInt32LE(from);
      packed += from + 12;
    } else {
      const source = readAt(start, packed);
      if (source.length < packed) return { offset: at, isCut: true };
      bytes = method === STORED ? source : inflateWhole(source, method);
    }
    if (bytes instanceof Buffer && crc32(bytes) !== crc) bytes = new Error('its checksum is wrong');
    const modified = yauzl.dosDateTimeToDate(header.readUInt16LE(12), header.readUInt16LE(10));
    yield { name: name.toString('utf8'), modified, bytes };
    at = start + packed;
  }
}

function inflateWhole(source: Buffer, method: number): Buffer | Error {
  if (method !== DEFLATED) return new Error(`compression method ${method} is not supported`);
  try {
    return inflateRawSync(source, { maxOutputLength: FILE_BYTES_MAX });
  } catch (error) {
    return error as Error;
  }
}

/** @returns `packed`: the bytes that it took; null if they end too early */
function inflateUnsized(readAt: ReadAt, start: number): { bytes: Buffer | Error; packed: number } | null {
  for (let window = FIRST_WINDOW; ; window *= 4) {
    const source = readAt(start, window);
    try {
      const { buffer, engine } = inflateRawSync(source, { info: true, maxOutputLength: FILE_BYTES_MAX }) as unknown as {
        buffer: Buffer;
        engine: { bytesWritten: number };
      };
      return { bytes: buffer, packed: engine.bytesWritten };
    } catch (error) {
      if ((error as { errno?: number }).errno !== constants.Z_BUF_ERROR) return null;
      if (source.length < window || window >= FILE_BYTES_MAX) return null;
    }
  }
}

/** Bytes of a command's input file, decompressed if gzipped. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { FilinglakeError, systemErrorWords } from '../../core/index.ts';

/** @throws FilinglakeError `file-unreadable`, `file-damaged` */
export function readInputFile(file: string): Buffer {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new FilinglakeError('file-unreadable', `${file} can't be read: ${systemErrorWords(error)}`, {
      cause: error,
      remedy: 'Name a document or a submission.',
    });
  }
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes);
  } catch (error) {
    throw new FilinglakeError('file-damaged', `${file} can't be unpacked: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

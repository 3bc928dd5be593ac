/** Bytes of a file that a command is given, unpacked if it is gzipped. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { FilinglakeError, systemErrorWords } from '../../core/index.ts';

/** @throws FilinglakeError `unreadable-file`, `damaged-file` */
export function readInputFile(file: string): Buffer {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new FilinglakeError('unreadable-file', `${file} can't be read: ${systemErrorWords(error)}`, {
      cause: error,
      remedy: 'give the path of a document or a submission',
    });
  }
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes);
  } catch (error) {
    throw new FilinglakeError('damaged-file', `${file} can't be unpacked: ${(error as Error).message}`, {
      cause: error,
      remedy: 'fetch the file again',
    });
  }
}

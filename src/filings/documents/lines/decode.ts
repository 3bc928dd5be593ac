/** Decodes the bytes of a document: UTF-8 if the whole document is valid UTF-8, else windows-1252. */
import { isUtf8 } from 'node:buffer';

/** Windows-1252's meaning of the bytes 0x80 to 0x9F; an undefined byte keeps its number. */
export const WINDOWS_1252_HIGH =
  '\u20AC\x81\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\x8D\u017D\x8F' +
  '\x90\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\x9D\u017E\u0178';

interface DecodedText {
  text: string;
  encoding: 'utf-8' | 'windows-1252';
}

/** Keeps line ends and a byte order mark, so that positions in the text are valid for every program that decodes the same bytes. */
export function decodeText(bytes: Buffer): DecodedText {
  if (isUtf8(bytes)) return { text: bytes.toString('utf8'), encoding: 'utf-8' };
  return { text: ofWindows1252(bytes), encoding: 'windows-1252' };
}

const PIECE_BYTES = 1 << 16;

/** The text of `decodeText`, in pieces of about a megabyte, so that it need not be in memory beside its bytes. No piece ends within a character. */
export function* decodePieces(bytes: Buffer, pieceBytes = PIECE_BYTES): Generator<string> {
  const utf8 = isUtf8(bytes);
  for (let start = 0; start < bytes.length; ) {
    let end = Math.min(start + pieceBytes, bytes.length);
    // The bytes of a character after its first: 10xxxxxx.
    while (utf8 && end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end++;
    const piece = bytes.subarray(start, end);
    yield utf8 ? piece.toString('utf8') : ofWindows1252(piece);
    start = end;
  }
}

function ofWindows1252(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, (character) => WINDOWS_1252_HIGH[character.charCodeAt(0) - 0x80]!);
}

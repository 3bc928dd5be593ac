/** Decodes the bytes of a document: UTF-8 if the whole document is valid UTF-8, else windows-1252. */
import { isAscii, isUtf8 } from 'node:buffer';
import { WINDOWS_1252_HIGH } from '../../api/index.ts';

interface DecodedText {
  text: string;
  encoding: 'utf-8' | 'windows-1252';
}

/** Keeps line ends and a byte order mark, so that positions in the text are valid for every program that decodes the same bytes. */
export function decodeText(bytes: Buffer): DecodedText {
  // Most documents: faster than as UTF-8.
  if (isAscii(bytes)) return { text: bytes.toString('latin1'), encoding: 'utf-8' };
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

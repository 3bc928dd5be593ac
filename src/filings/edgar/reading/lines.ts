/** Lines of EDGAR's files end with LF, CR LF or a bare CR (some stored feed files have only CR). */

const LF = 0x0a;
const CR = 0x0d;

/** A line without its end; `text` holds one character a byte (latin1), so that positions in it are byte offsets. */
export interface Line {
  text: string;
  /** Byte offset of the line's first byte. */
  offset: number;
}

export function isLineStart(bytes: Uint8Array, offset: number): boolean {
  return offset === 0 || bytes[offset - 1] === LF || bytes[offset - 1] === CR;
}

/** Whether a line ends at this offset: there is a line end, or the end of the bytes. */
export function isLineEnd(bytes: Uint8Array, offset: number): boolean {
  return offset >= bytes.length || bytes[offset] === LF || bytes[offset] === CR;
}

/** The offset after the one possible line end at `offset`. */
export function skipLineEnd(bytes: Uint8Array, offset: number): number {
  if (bytes[offset] === LF) return offset + 1;
  if (bytes[offset] !== CR) return offset;
  return bytes[offset + 1] === LF ? offset + 2 : offset + 1;
}

/** The offset of the next line end at or after `offset`, at most `to`. */
export function findLineEnd(bytes: Uint8Array, offset: number, to: number): number {
  let at = offset;
  while (at < to && bytes[at] !== LF && bytes[at] !== CR) at++;
  return at;
}

/** The first offset at or after `offset` with neither blank nor tab. */
export function skipBlanks(bytes: Uint8Array, offset: number): number {
  let at = offset;
  while (bytes[at] === 0x20 || bytes[at] === 0x09) at++;
  return at;
}

/** The first offset at or after `offset` without white space, at most `to`. */
export function skipSpace(bytes: Uint8Array, offset: number, to: number): number {
  let at = offset;
  while (at < to && isSpace(bytes[at]!)) at++;
  return at;
}

/** The offset after the last byte before `offset` that isn't white space, at least `from`. */
export function skipSpaceBack(bytes: Uint8Array, offset: number, from: number): number {
  let at = offset;
  while (at > from && isSpace(bytes[at - 1]!)) at--;
  return at;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= CR);
}

/** Whether the ASCII text is at this offset. */
export function startsWith(bytes: Uint8Array, text: string, offset: number): boolean {
  if (offset < 0 || offset + text.length > bytes.length) return false;
  for (let i = 0; i < text.length; i++) if (bytes[offset + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** The lines between two offsets, in order. */
export function* linesOf(bytes: Buffer, from: number, to: number): Generator<Line> {
  const text = bytes.toString('latin1', from, to);
  const lineEnd = /\r\n?|\n/g;
  let start = 0;
  for (let match = lineEnd.exec(text); match; match = lineEnd.exec(text)) {
    yield { text: text.slice(start, match.index), offset: from + start };
    start = lineEnd.lastIndex;
  }
  if (start < text.length) yield { text: text.slice(start), offset: from + start };
}

/** uuencode as EDGAR sends it: `begin 644 name`, lines of up to 45 bytes, a line of length zero, `end`. */
import { findLineEnd, isLineEnd, isLineStart, skipLineEnd, skipSpace } from '../reading/lines.ts';
import { SubmissionError } from './submission-error.ts';

interface UuencodedData {
  /** Byte offset of the first data line. */
  dataStart: number;
  /** Byte offset of `end`, or of the content's end without one. */
  dataEnd: number;
  /** Byte offset after the line of `end`; null if it is missing. */
  behindEnd: number | null;
}

/** Recognises uuencoded content by its `begin` line and finds its end; null for anything else. */
export function findUuencoded(bytes: Buffer, start: number, end: number): UuencodedData | null {
  const begin = skipSpace(bytes, start, end);
  if (bytes[begin] !== 0x62 || !isLineStart(bytes, begin)) return null;
  const beginEnd = findLineEnd(bytes, begin, end);
  if (!/^begin [0-7]{3,4}(?:\s|$)/.test(bytes.toString('latin1', begin, Math.min(beginEnd, begin + 12)))) return null;
  const dataStart = skipLineEnd(bytes, beginEnd);
  // No line of data has a small letter, so this skips all of them at once.
  const content = bytes.subarray(0, end);
  const dataEnd = content.indexOf('end', dataStart, 'latin1');
  if (dataEnd < 0 || !isLineStart(bytes, dataEnd)) return { dataStart, dataEnd: end, behindEnd: null };
  return { dataStart, dataEnd, behindEnd: findLineEnd(bytes, dataEnd, end) };
}

const INVALID = 0x80;
/** Value of each character: blank to underscore 0 to 63, backtick 0; anything else has the bit INVALID. */
const VALUES = new Uint8Array(256).fill(INVALID);
for (let value = 0; value < 64; value++) VALUES[0x20 + value] = value;
VALUES[0x60] = 0;

/** Bytes of the longest line: its length character is `_`. */
const LINE_BYTES_MAX = 63;

/**
 * Decodes the lines between two offsets. Stripped blanks at the end of a line count as blanks. Text after a line's last needed
 * character is filler. Throws SubmissionError, with the offset, at a character that is not uuencode.
 */
export function uudecode(bytes: Buffer, dataStart: number, dataEnd: number): Buffer {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let decoded: Buffer = Buffer.allocUnsafe(capacityFor(dataEnd - dataStart));
  let written = 0;
  let at = dataStart;
  while (at < dataEnd) {
    const length = VALUES[bytes[at]!]!;
    const lineEnd = at + 1 + Math.ceil(length / 3) * 4;
    const isWhole = lineEnd <= dataEnd && isLineEnd(bytes, lineEnd);
    if (length < INVALID && isWhole && decodeWholeLine(view, at + 1, lineEnd, decoded, written)) {
      written += length;
      at = skipLineEnd(bytes, lineEnd);
    } else {
      const end = findLineEnd(bytes, at, dataEnd);
      const capacity = written + LINE_BYTES_MAX + capacityFor(dataEnd - end);
      // Lines of zeros may be stripped down to their length character, so there can be more bytes than characters.
      if (capacity > decoded.length) decoded = grown(decoded, written, capacity);
      written = decodeOddLine(bytes, at, end, decoded, written);
      at = skipLineEnd(bytes, end);
    }
  }
  return decoded.subarray(0, written);
}

/** Room for this many characters in whole lines: at most three bytes for four, and for an incomplete last group. */
function capacityFor(characters: number): number {
  return Math.ceil((characters * 3) / 4) + 4;
}

function grown(decoded: Buffer, written: number, capacity: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.max(capacity, decoded.length * 2));
  decoded.copy(larger, 0, 0, written);
  return larger;
}

/**
 * Decodes the characters of a line whose length is as stated, four at a time as one number. False if one of them is not blank to
 * underscore, such as a backtick or an early line end. The output is then invalid.
 */
function decodeWholeLine(view: DataView, from: number, lineEnd: number, decoded: Buffer, written: number): boolean {
  let all = 0;
  for (let at = from, to = written; at < lineEnd; at += 4, to += 3) {
    // A character below blank borrows from its neighbour, but has high bits itself.
    const values = (view.getUint32(at) - 0x20202020) | 0;
    all |= values;
    decoded[to] = ((values >>> 22) & 0xfc) | ((values >>> 20) & 0x03);
    decoded[to + 1] = ((values >>> 12) & 0xf0) | ((values >>> 10) & 0x0f);
    decoded[to + 2] = ((values >>> 2) & 0xc0) | (values & 0x3f);
  }
  return (all & 0xc0c0c0c0) === 0;
}

/** A line with lost blanks, backticks, a filler or a doubled dot. @returns bytes written. @throws SubmissionError */
function decodeOddLine(bytes: Buffer, start: number, end: number, decoded: Buffer, written: number): number {
  // Mail doubles a dot at a line's start. `.` is the length of a last line of 14 bytes, which takes 21 characters.
  const isDoubledDot = end - start === 22 && bytes[start] === 0x2e && bytes[start + 1] === 0x2e;
  const from = isDoubledDot ? start + 1 : start;
  if (from >= end) return written;
  const length = valueAt(bytes, from, end);
  for (let at = from + 1, to = written; to < written + length; at += 4, to += 3) {
    const a = valueAt(bytes, at, end);
    const b = valueAt(bytes, at + 1, end);
    const c = valueAt(bytes, at + 2, end);
    const d = valueAt(bytes, at + 3, end);
    decoded[to] = (a << 2) | (b >> 4);
    decoded[to + 1] = (b << 4) | (c >> 2);
    decoded[to + 2] = (c << 6) | d;
  }
  return written + length;
}

/** Characters beyond the line's end are the stripped blanks. */
function valueAt(bytes: Buffer, at: number, end: number): number {
  if (at >= end) return 0;
  const value = VALUES[bytes[at]!]!;
  if (value < INVALID) return value;
  const found = JSON.stringify(bytes.toString('latin1', at, at + 1));
  throw new SubmissionError('submission-broken', `${found} is not a character of uuencoded data`, at);
}

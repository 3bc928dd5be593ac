/** Parses JSON, with or without a byte order mark: some services write one, and RFC 8259 allows ignoring it. */
import { isUtf8 } from 'node:buffer';
import type { ReadNotes } from './read.ts';

const MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export function withoutMark(body: Buffer): Buffer {
  return body.subarray(0, MARK.length).equals(MARK) ? body.subarray(MARK.length) : body;
}

/** @throws SyntaxError */
export function parsedJson(body: Buffer): unknown {
  return JSON.parse(textOf(body)) as unknown;
}

/** JSON is UTF-8. Without a single character of it beyond ASCII, other bytes are windows-1252: a service that was never told. */
function textOf(body: Buffer): string {
  const bytes = withoutMark(body);
  const text = bytes.toString('utf8');
  if (!text.includes('\ufffd') || isUtf8(bytes) || /[^\0-\x7f\ufffd]/.test(text)) return text;
  return new TextDecoder('windows-1252').decode(bytes);
}

/**
 * Reads a JSON answer. If a number stands in place of a text, it is read once more, with such numbers as they were written: `99.10` has
 * lost its zero as a number.
 * @throws SyntaxError, and what `read` throws
 */
export function readJson<T>(body: Buffer, notes: ReadNotes, read: (json: unknown, notes: ReadNotes) => T): T {
  notes.changed ||= !isUtf8(body);
  try {
    const value = read(parsedJson(body), notes);
    if (!notes.numbersAsTexts) return value;
  } catch (error) {
    if (!notes.numbersAsTexts) throw error;
  }
  notes.unknownMembers.clear();
  notes.violations.length = 0;
  return read(exactJson(body), notes);
}

/** JSON whose numbers are texts if a number would be written in another way. */
function exactJson(body: Buffer): unknown {
  return JSON.parse(textOf(body), asWritten as (key: string, value: unknown) => unknown) as unknown;
}

/** Stores of floating numbers write `3571.0` for the code 3571. */
function asWritten(_key: string, value: unknown, { source }: { source?: string }): unknown {
  if (typeof value !== 'number' || source === undefined) return value;
  return String(value) === source.replace(/\.0$/, '') ? value : source;
}

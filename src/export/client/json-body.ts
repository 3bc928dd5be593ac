/** Parses the JSON of an answer: UTF-8, without a byte order mark (charset.ts). */
import type { ReadNotes } from './read.ts';

/** @throws SyntaxError */
export function parsedJson(body: Buffer): unknown {
  return JSON.parse(body.toString('utf8')) as unknown;
}

/**
 * Reads a JSON answer. If a number stands in place of a text, it is read once more, with such numbers as they were written: `99.10` has
 * lost its zero as a number.
 * @throws SyntaxError, and what `read` throws
 */
export function readJson<T>(body: Buffer, notes: ReadNotes, read: (json: unknown, notes: ReadNotes) => T): T {
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
  return JSON.parse(body.toString('utf8'), asWritten as (key: string, value: unknown) => unknown) as unknown;
}

/** Stores of floating numbers write `3571.0` for the code 3571. */
function asWritten(_key: string, value: unknown, { source }: { source?: string }): unknown {
  if (typeof value !== 'number' || source === undefined) return value;
  return String(value) === source.replace(/\.0$/, '') ? value : source;
}

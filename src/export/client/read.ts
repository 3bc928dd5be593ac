/**
 * The parts of the tolerant reader. Each type of value has two functions. `canonical` checks cheaply whether the value has the
 * contract's form; then it is used without a copy. `read` converts any form that services use, or signals a violation.
 */
import { isObject } from '../../core/index.ts';
import {
  easternTime,
  isCalendarDate,
  parseAccessionNumber,
  parseCik,
  parseDocumentId,
} from '../../filings/api/index.ts';
import type { ContractViolation } from './errors.ts';

export interface Reader<T> {
  canonical(value: unknown): boolean;
  /** @throws Violation */
  read(value: unknown, path: string, notes: ReadNotes): T;
}

/** A value that can't be converted to the published type. Caught at its record. */
export class Violation extends Error {
  readonly path: string;
  readonly value: unknown;
  readonly expected: string;
  constructor(path: string, value: unknown, expected: string) {
    super(expected);
    this.path = path;
    this.value = value;
    this.expected = expected;
  }
}

/** Longer unknown names are cut, and no more than this number is reported: a service may invent names without end. */
const STRANGER_CHARACTERS_MAX = 100;
const STRANGERS_MAX = 200;

/** Notes an unknown member. */
export function noteStranger(notes: ReadNotes, name: string): void {
  if (notes.unknownMembers.size < STRANGERS_MAX) notes.unknownMembers.add(name.slice(0, STRANGER_CHARACTERS_MAX));
}

/** What reading an answer found besides its records. */
export interface ReadNotes {
  /** `filing.foo`: unknown members */
  unknownMembers: Set<string>;
  violations: ContractViolation[];
  /** The answer lacks the contract's form: something was converted, or left out. */
  changed: boolean;
  /** A number was converted to a text: the answer is read again, with its numbers as they were written. */
  numbersAsTexts?: boolean;
}

export const noValue = (value: unknown): boolean => value === undefined || value === null || value === '';

/** Wraps a reader whose value may be missing: absent, null and "" are all null. */
export function orNull<T>(reader: Reader<T>): Reader<T | null> {
  return {
    canonical: (value) => value === null || reader.canonical(value),
    read: (value, path, notes) => (noValue(value) ? null : reader.read(value, path, notes)),
  };
}

/** @param convert null: the value can't be converted */
function converted<T>(
  expected: string,
  canonical: (value: unknown) => boolean,
  convert: (value: unknown, notes: ReadNotes) => T | null,
): Reader<T> {
  return {
    canonical,
    read(value, path, notes) {
      const read = convert(value, notes);
      if (read !== null) return read;
      throw new Violation(path, value, expected);
    },
  };
}

export const text: Reader<string> = {
  canonical: (value) => typeof value === 'string' && value !== '',
  read(value, path, notes) {
    if (typeof value === 'string' && value !== '') return value;
    // Codes (SIC, zip, section) arrive as numbers from services whose store guesses types.
    if (typeof value === 'number') {
      notes.numbersAsTexts = true;
      return String(value);
    }
    throw new Violation(path, value, 'not a text');
  },
};

/** A text that may be empty: contents. */
export const content: Reader<string> = {
  canonical: (value) => typeof value === 'string',
  read(value, path) {
    if (typeof value === 'string') return value;
    if (value === null || value === undefined) return '';
    throw new Violation(path, value, 'not a text');
  },
};

/** A member of a list of words: '' holds a place, and null becomes ''. */
export const word: Reader<string> = {
  canonical: (value) => typeof value === 'string',
  read: (value, path, notes) => (value === null || value === '' ? '' : text.read(value, path, notes)),
};

/** A service may mean something else by this name: a value of another form counts as null, and its record is sound. */
export const revision: Reader<string | null> = {
  canonical: text.canonical,
  read: (value) => (typeof value === 'string' || typeof value === 'number' ? String(value) || null : null),
};

/** Digits with leading zeros that a number has lost: `930` for the fiscal year end 0930. */
export function digits(length: number): Reader<string> {
  return {
    canonical: text.canonical,
    read(value, path, notes) {
      if (typeof value !== 'number') return text.read(value, path, notes);
      if (Number.isSafeInteger(value) && value >= 0) return String(value).padStart(length, '0');
      throw new Violation(path, value, 'not digits');
    },
  };
}

/** An 8-K item number: `2.02`, and `5` before 2004. As a JSON number 5.10 has lost its zero. */
export const itemNumber: Reader<string> = {
  canonical: (value) => typeof value === 'string' && value !== '' && !/^item/i.test(value),
  read(value, path, notes) {
    if (typeof value === 'number' && Math.abs(value) < 1_000)
      return Number.isInteger(value) ? String(value) : value.toFixed(2);
    return text.read(value, path, notes).replace(/^item\s*/i, '');
  },
};

export const integer = converted('not a whole number', Number.isSafeInteger, (value) => {
  const number =
    typeof value === 'string' && /^\s*[+-]?\d+(\.\d+)?(e[+-]?\d+)?\s*$/i.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : null;
});

export const number = converted('not a number', Number.isFinite, (value) => {
  const parsed = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof parsed === 'number' && Number.isFinite(parsed) ? parsed : null;
});

const isFlag = (value: unknown) => typeof value === 'boolean';
export const flag = converted('neither true nor false', isFlag, (value) => {
  if (typeof value === 'boolean') return value;
  if (value === 0 || value === '0') return false;
  if (value === 1 || value === '1') return true;
  return typeof value === 'string' && /^(true|false)$/i.test(value) ? value.toLowerCase() === 'true' : null;
});

export function oneOf<const Values extends readonly string[]>(values: Values): Reader<Values[number]> {
  const isAmong = (value: unknown) => values.includes(value as string);
  return converted(`not one of ${values.join(', ')}`, isAmong, (value) => {
    const given = typeof value === 'string' ? value.trim().toLowerCase() : null;
    return values.find((one) => one.toLowerCase() === given) ?? null;
  });
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const DASH = 45;

function digitsBetween(value: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (!isDigit(value.charCodeAt(i))) return false;
  return true;
}

function isDashedAccession(value: string): boolean {
  return (
    value.charCodeAt(10) === DASH &&
    value.charCodeAt(13) === DASH &&
    digitsBetween(value, 0, 10) &&
    digitsBetween(value, 11, 13) &&
    digitsBetween(value, 14, 20)
  );
}

export const accessionNumber: Reader<string> = converted(
  'not an accession number',
  (value) => typeof value === 'string' && value.length === 20 && isDashedAccession(value),
  (value, notes) => {
    if (typeof value === 'number' && !Number.isSafeInteger(value)) notes.numbersAsTexts = true;
    const plain = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
    // An accession number without its dashes and leading zeros is recognised by its 18 places.
    const padded =
      typeof plain === 'string' && /^\d{9,17}$/.test(plain.trim()) ? plain.trim().padStart(18, '0') : plain;
    return typeof padded === 'string' ? parseAccessionNumber(padded.trim()) : null;
  },
);

export const cik: Reader<string> = converted(
  'not a CIK',
  (value) => {
    if (typeof value !== 'string' || value.length === 0 || value.length > 10) return false;
    if (value.charCodeAt(0) === 48 && value.length > 1) return false;
    return digitsBetween(value, 0, value.length);
  },
  (value) => (typeof value === 'string' || typeof value === 'number' ? parseCik(String(value).trim()) : null),
);

export const documentId: Reader<string> = converted(
  'not a document id',
  (value) => {
    if (typeof value !== 'string' || value.length < 22 || value.length > 30) return false;
    return (
      isDashedAccession(value) &&
      value.charCodeAt(20) === DASH &&
      value.charCodeAt(21) !== 48 &&
      digitsBetween(value, 21, value.length)
    );
  },
  (value) => (typeof value === 'string' ? parseDocumentId(value.trim()) : null),
);

/** `YYYY-MM-DD` and nothing else; the calendar checks days 29 to 31. */
function isPlainDate(value: string): boolean {
  if (value.charCodeAt(4) !== DASH || value.charCodeAt(7) !== DASH) return false;
  if (!digitsBetween(value, 0, 4) || !digitsBetween(value, 5, 7) || !digitsBetween(value, 8, 10)) return false;
  const month = (value.charCodeAt(5) - 48) * 10 + value.charCodeAt(6) - 48;
  const day = (value.charCodeAt(8) - 48) * 10 + value.charCodeAt(9) - 48;
  // Readers of Parquet differ about the year 0.
  if (month < 1 || month > 12 || day < 1 || value.startsWith('0000')) return false;
  return day <= 28 || isCalendarDate(value.slice(0, 10));
}

export const date: Reader<string> = converted(
  'not a date',
  (value) => typeof value === 'string' && value.length === 10 && isPlainDate(value),
  // A day that doesn't exist is passed on: its column can't hold it, and only this value is lost, not the record.
  (value) => (typeof value === 'string' ? (/^\s*(\d{4}-\d{2}-\d{2})([T ].*)?$/.exec(value)?.[1] ?? null) : null),
);

const DATETIME = /^\s*(\d{4}-\d{2}-\d{2})[T ](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?\s*(Z|[+-]\d{2}:?\d{2})?\s*$/;

/** Eastern time without zone, to the second. */
export const dateTime: Reader<string> = {
  canonical: (value) =>
    typeof value === 'string' &&
    value.length === 19 &&
    isPlainDate(value) &&
    value.charCodeAt(10) === 84 &&
    value.charCodeAt(13) === 58 &&
    value.charCodeAt(16) === 58 &&
    digitsBetween(value, 11, 13) &&
    digitsBetween(value, 14, 16) &&
    digitsBetween(value, 17, 19) &&
    value.charCodeAt(11) <= 50 &&
    (value.charCodeAt(11) < 50 || value.charCodeAt(12) <= 51) &&
    value.charCodeAt(14) <= 53 &&
    value.charCodeAt(17) <= 53,
  read(value, path) {
    const match = typeof value === 'string' ? DATETIME.exec(value) : null;
    if (!match) throw new Violation(path, value, 'not a date and time');
    const [, day, hour, minute, second, zone] = match;
    const local = `${day}T${hour}:${minute}:${second}`;
    // As with dates: a time that doesn't exist is passed on, and only this value is lost.
    const isTime = isCalendarDate(day!) && hour! <= '23' && minute! <= '59' && second! <= '59';
    return zone === undefined || !isTime ? local : (easternOf(`${local}${zone}`) ?? `${local}${zone}`);
  },
};

const UTC_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?Z$/;

/** UTC, as it is stated. Another service may mean something else by the name, as with `revision`. */
export const utcTime: Reader<string | null> = {
  canonical: (value) =>
    typeof value === 'string' && UTC_TIME.test(value) && isPlainDate(value) && !Number.isNaN(Date.parse(value)),
  read: () => null,
};

/** From here on every zone is in the year 1 or later. Before it, the formatter counts backwards. */
const YEAR_2 = Date.parse('0002-01-01T00:00:00Z');

/** EDGAR states Eastern time; a service that adds a zone has converted it. Null for an impossible zone (`+24:30`). */
function easternOf(zoned: string): string | null {
  const time = Date.parse(zoned);
  return time >= YEAR_2 ? easternTime(time) : null;
}

/** An array; absent is empty. Members are read one by one. */
export function listOf<T>(member: Reader<T>): Reader<T[]> {
  return {
    canonical(value) {
      if (!Array.isArray(value)) return false;
      for (let i = 0; i < value.length; i++) if (!member.canonical(value[i])) return false;
      return true;
    },
    read(value, path, notes) {
      if (noValue(value)) return [];
      if (!Array.isArray(value)) throw new Violation(path, value, 'not a list');
      return value.map((item, i) => (member.canonical(item) ? (item as T) : member.read(item, `${path}[${i}]`, notes)));
    },
  };
}

/** An object whose keys are data; absent is empty, and so is a member without a value. */
export function mapOf<T>(member: Reader<T>): Reader<Record<string, T>> {
  return {
    canonical(value) {
      if (!isObject(value)) return false;
      for (const key in value) if (!member.canonical(value[key])) return false;
      return true;
    },
    read(value, path, notes) {
      if (noValue(value)) return {};
      if (!isObject(value)) throw new Violation(path, value, 'not an object');
      // Not by assignment: a key `__proto__` is data too.
      return Object.fromEntries(
        Object.entries(value)
          .filter(([, item]) => !noValue(item))
          .map(([key, item]) => [key, member.read(item, `${path}.${key}`, notes)]),
      );
    },
  };
}

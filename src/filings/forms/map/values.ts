/** Converts a form's text to a column's value. Text that doesn't fit becomes null with a reason, never a guess. */
import type { FormColumnType, Value } from './descriptor.ts';

export type Misfit =
  | 'not_a_number'
  | 'not_a_whole_number'
  | 'out_of_range'
  | 'rounded'
  | 'not_a_date'
  | 'not_a_boolean'
  | 'not_a_cik';

const INTEGER_DIGITS = 26;
const FRACTION_DIGITS = 12;
/** The range of integers in a lake. */
const INTEGER_MAX = 2147483647n;
const BIGINT_MAX = 9223372036854775807n;

/** A decimal in the form of a row: nothing to do. */
const PLAIN = /^(?:-(?!0(?:\.0*)?$))?(?:0|[1-9]\d{0,25})(?:\.\d{1,12})?$/;
/** Real portfolios have `1E-7`: programs write it for small numbers. */
const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;

/** @param misfit receives the fault of the text; the value is then null, or rounded */
export function convert(type: FormColumnType, text: string, misfit: (reason: Misfit) => void): Value {
  switch (type) {
    case 'VARCHAR':
      return text;
    case 'DECIMAL(38,12)':
      return PLAIN.test(text) ? text : decimalOf(text, misfit);
    case 'INTEGER':
      return wholeOf(text, INTEGER_MAX, misfit);
    case 'BIGINT':
      return wholeOf(text, BIGINT_MAX, misfit);
    case 'BOOLEAN':
      return booleanOf(text, misfit);
    case 'DOUBLE': {
      const decimal = decimalOf(text, misfit);
      return decimal === null ? null : Number(decimal);
    }
    case 'DATE':
      return dateOf(text, misfit);
  }
}

function decimalOf(text: string, misfit: (reason: Misfit) => void): string | null {
  const match = DECIMAL.exec(text.endsWith('%') ? text.slice(0, -1).trimEnd() : text);
  if (!match || (!match[2] && !match[3])) {
    misfit('not_a_number');
    return null;
  }
  const exponent = Number(match[4] ?? 0);
  let whole = match[2]!;
  let fraction = match[3] ?? '';
  if (exponent > 0) {
    whole += fraction.padEnd(exponent, '0').slice(0, exponent);
    fraction = fraction.slice(exponent);
  } else if (exponent < 0) {
    fraction = whole.padStart(-exponent, '0').slice(exponent) + fraction;
    whole = whole.slice(0, exponent);
  }
  if (fraction.length > FRACTION_DIGITS) {
    if (/[1-9]/.test(fraction.slice(FRACTION_DIGITS))) misfit('rounded');
    const units =
      BigInt(`${whole}${fraction.slice(0, FRACTION_DIGITS)}`) + (fraction[FRACTION_DIGITS]! >= '5' ? 1n : 0n);
    const digits = units.toString().padStart(FRACTION_DIGITS + 1, '0');
    whole = digits.slice(0, -FRACTION_DIGITS);
    fraction = digits.slice(-FRACTION_DIGITS);
  }
  whole = whole.replace(/^0+/, '') || '0';
  if (whole.length > INTEGER_DIGITS) {
    misfit('out_of_range');
    return null;
  }
  const sign = match[1] === '-' && /[1-9]/.test(whole + fraction) ? '-' : '';
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

function wholeOf(text: string, max: bigint, misfit: (reason: Misfit) => void): number | string | null {
  let rounded = false;
  const number = decimalOf(text, (reason) => {
    if (reason === 'rounded') rounded = true;
    else misfit(reason);
  });
  if (number === null) return null;
  const [whole, fraction = ''] = number.split('.') as [string, string?];
  if (rounded || /[1-9]/.test(fraction)) {
    misfit('not_a_whole_number');
    return null;
  }
  const value = BigInt(whole);
  if (value > max || value < -max) {
    misfit('out_of_range');
    return null;
  }
  return Number.isSafeInteger(Number(value)) ? Number(value) : whole;
}

function booleanOf(text: string, misfit: (reason: Misfit) => void): boolean | null {
  switch (text.toLowerCase()) {
    case '1':
    case 'true':
    case 'y':
    case 'yes':
      return true;
    case '0':
    case 'false':
    case 'n':
    case 'no':
      return false;
  }
  misfit('not_a_boolean');
  return null;
}

/** A day, with a time zone or a time after it or not; or month, day, year, as in the SEC's forms. */
const ISO_DAY = /^(\d{4})-(\d{2})-(\d{2})(?:T[\d:.]+)?(?:Z|[+-]\d{2}:\d{2})?$/;
const AMERICAN_DAY = /^(\d{1,2})([-/])(\d{1,2})\2(\d{4})$/;

function dateOf(text: string, misfit: (reason: Misfit) => void): string | null {
  const iso = ISO_DAY.exec(text);
  const american = iso ? null : AMERICAN_DAY.exec(text);
  const [year, month, day] = iso
    ? [iso[1]!, iso[2]!, iso[3]!]
    : american
      ? [american[4]!, american[1]!.padStart(2, '0'), american[3]!.padStart(2, '0')]
      : ['', '', ''];
  if (year !== '' && isDay(Number(year), Number(month), Number(day))) return `${year}-${month}-${day}`;
  misfit('not_a_date');
  return null;
}

/** Whether a text of the shape YYYY-MM-DD is a day. */
export function isIsoDay(text: string): boolean {
  return isDay(Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8, 10)));
}

function isDay(year: number, month: number, day: number): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return day <= (month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31);
}

/** Digits without leading zeros. Null for zeros only: they mean "none", which is not a problem. */
export function cikOf(text: string, misfit: (reason: Misfit) => void): string | null {
  if (!/^\d+$/.test(text)) {
    misfit('not_a_cik');
    return null;
  }
  const digits = text.replace(/^0+/, '');
  if (digits.length > 10) {
    misfit('not_a_cik');
    return null;
  }
  return digits === '' ? null : digits;
}

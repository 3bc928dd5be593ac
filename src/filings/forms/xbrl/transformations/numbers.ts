/** Transformations of numbers: to decimal text without separators. */
import { trimXml } from '../markup/character-data.ts';

/** @returns null if the text does not have the form that the transformation requires */
export type Transformation = (text: string) => string | null;

/** Separators of thousands in use: one between three digits each, or, since 2020, anywhere. */
function separated(pattern: RegExp, drop: RegExp, point: string): Transformation {
  return (text) => {
    const trimmed = trimXml(text);
    if (!pattern.test(trimmed)) return null;
    const number = trimmed.replace(drop, '');
    const plain = point === '.' ? number : number.replace(point, '.');
    return /\d/.test(plain) ? plain : null;
  };
}

const DASH = /^[ \t\n\r]*[-\u058a\u05be\u2010-\u2015\ufe58\ufe63\uff0d][ \t\n\r]*$/;
const zeroDash: Transformation = (text) => (DASH.test(text) ? '0' : null);

/** `1.000 Euro 5`: a number, a unit's name, hundredths. */
function withUnit(whole: RegExp, drop: RegExp): Transformation {
  return (text) => {
    const groups = whole.exec(asciiDigits(trimXml(text)))?.groups;
    const major = groups?.major?.replace(drop, '') ?? '';
    return major === '' ? null : `${major}.${groups!.minor!.padStart(2, '0')}`;
  };
}

/** Full-width and Devanagari digits. */
export function asciiDigits(text: string): string {
  return text.replace(/[\u0966-\u096f\uff10-\uff19]/g, (digit) =>
    String.fromCharCode(digit.charCodeAt(0) - (digit < '\uff00' ? 0x966 : 0xff10) + 0x30),
  );
}

const always =
  (value: string): Transformation =>
  () =>
    value;

/** Since 2020 transformations give canonical numbers: no zeros at either end, as `10` for `10.0`. */
function canonical(transform: Transformation): Transformation {
  return (text) => {
    const number = transform(text);
    if (number === null) return null;
    if (number.charCodeAt(0) !== 0x30 && !number.includes('.')) return number;
    const [whole, fraction] = number.split('.') as [string, string?];
    const rest = fraction?.replace(/0+$/, '') ?? '';
    return (whole.replace(/^0+/, '') || '0') + (rest === '' ? '' : `.${rest}`);
  };
}

export const NUMBERS_1: Readonly<Record<string, Transformation>> = {
  numcomma: separated(/^\d+(?:,\d+)?$/, /$^/g, ','),
  numcommadot: separated(/^\d{1,3}(?:,\d{3})*(?:\.\d+)?$/, /,/g, '.'),
  numdash: (text) => (/^[ \t\n\r]*-[ \t\n\r]*$/.test(text) ? '0' : null),
  numdotcomma: separated(/^\d{1,3}(?:\.\d{3})*(?:,\d+)?$/, /\./g, ','),
  numspacecomma: separated(/^\d{1,3}(?:[ \xa0]\d{3})*(?:,\d+)?$/, /[ \xa0]/g, ','),
  numspacedot: separated(/^\d{1,3}(?:[ \xa0]\d{3})*(?:\.\d+)?$/, /[ \xa0]/g, '.'),
};

export const NUMBERS_2: Readonly<Record<string, Transformation>> = {
  numcommadecimal: separated(/^\d{1,3}(?:[. \xa0]?\d{3})*(?:,\d+)?$/, /[. \xa0]/g, ','),
  numdotdecimal: separated(/^\d{1,3}(?:[, \xa0]?\d{3})*(?:\.\d+)?$/, /[, \xa0]/g, '.'),
  numunitdecimal: withUnit(
    /^(?<major>0|[1-9]\d{0,2}(?:[.,\uff0c\uff0e]?\d{3})*)[^\d,.\uff0c\uff0e]+(?<minor>\d{1,2})[^\d,.\uff0c\uff0e]*$/,
    /[.,\uff0c\uff0e]/g,
  ),
  zerodash: zeroDash,
};

/** Crores and lakhs: groups of two digits above the thousands. */
const INDIAN = '(?:\\d{1,2}[, \\xa0])?(?:\\d{2}[, \\xa0])*\\d{3}|\\d+';

export const NUMBERS_3: Readonly<Record<string, Transformation>> = {
  ...NUMBERS_2,
  numdotdecimalin: separated(new RegExp(`^(?:${INDIAN})(?:\\.\\d+)?$`), /[, \xa0]/g, '.'),
  numunitdecimalin: withUnit(new RegExp(`^(?<major>${INDIAN})[^\\d]+(?<minor>\\d{1,2})[^\\d]*$`), /[, \xa0]/g),
};

export const NUMBERS_4: Readonly<Record<string, Transformation>> = {
  'fixed-zero': always('0'),
  'num-comma-decimal': canonical(separated(/^[. \xa0\d]*(?:,[ \xa0\d]+)?$/, /[. \xa0]/g, ',')),
  'num-dot-decimal': canonical(separated(/^[, \xa0\d]*(?:\.[ \xa0\d]+)?$/, /[, \xa0]/g, '.')),
  'num-unit-decimal': canonical(
    withUnit(/^(?<major>[\d.,\uff0c]+)[^\d.,\uff0c]\D*(?<minor>\d{1,2})\D*$/, /[.,\uff0c]/g),
  ),
  numdotdecimalin: canonical(NUMBERS_3.numdotdecimalin!),
};

const APOSTROPHES = "'`\u00b4\u2019\u2032\uff07";

export const NUMBERS_5: Readonly<Record<string, Transformation>> = {
  ...NUMBERS_4,
  'num-comma-decimal-apos': canonical(
    separated(
      new RegExp(`^[.${APOSTROPHES} \\xa0\\d]*(?:,[ \\xa0\\d]+)?$`),
      new RegExp(`[.${APOSTROPHES} \\xa0]`, 'g'),
      ',',
    ),
  ),
  'num-dot-decimal-apos': canonical(
    separated(
      new RegExp(`^[,${APOSTROPHES} \\xa0\\d]*(?:\\.[ \\xa0\\d]+)?$`),
      new RegExp(`[,${APOSTROPHES} \\xa0]`, 'g'),
      '.',
    ),
  ),
  'num-unit-decimal-apos': canonical(
    withUnit(
      new RegExp(`^(?<major>[\\d.,\uff0c${APOSTROPHES}]+)[^\\d.,\uff0c${APOSTROPHES}]\\D*(?<minor>\\d{1,2})\\D*$`),
      new RegExp(`[.,\uff0c${APOSTROPHES}]`, 'g'),
    ),
  ),
};

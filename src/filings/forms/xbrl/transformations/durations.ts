/** SEC's transformations to durations: `P7Y3M18D`. */
import { HYPHENS, numberInWords } from './number-words.ts';
import type { Transformation } from './numbers.ts';

const DECIMAL = /^[ \t\n\r]*([+-]?)(\d+(?:\.\d*)?|\.\d+)[ \t\n\r]*$/;

/** SEC's average month. */
const DAYS_A_MONTH = 30.4375;

type Parts = readonly (readonly [number, string])[];

/** Converts a decimal number of a unit to the parts of a duration. Anything smaller than the last part is dropped. */
function duration(parts: (number: number) => Parts): Transformation {
  return (text) => {
    const match = DECIMAL.exec(text);
    if (match === null) return null;
    const all = parts(Number(match[2]));
    const shown = all.filter(([value], place) => place === 0 || value !== 0);
    const sign = match[1] === '-' && all.some(([value]) => value !== 0) ? '-' : '';
    const days = shown.filter(([, unit]) => unit !== 'H').map(([value, unit]) => `${value}${unit}`);
    const hours = shown.filter(([, unit]) => unit === 'H').map(([value]) => `T${value}H`);
    return `${sign}P${days.join('')}${hours.join('')}`;
  };
}

const years = duration((number) => {
  const whole = Math.trunc(number);
  const months = (number - whole) * 12;
  const wholeMonths = Math.trunc(months);
  return [
    [whole, 'Y'],
    [wholeMonths, 'M'],
    [Math.trunc((months - wholeMonths) * DAYS_A_MONTH), 'D'],
  ];
});

const months = duration((number) => {
  const whole = Math.trunc(number);
  return [
    [whole, 'M'],
    [Math.trunc((number - whole) * DAYS_A_MONTH), 'D'],
  ];
});

const days = duration((number) => {
  const whole = Math.trunc(number);
  return [
    [whole, 'D'],
    [Math.trunc((number - whole) * 24), 'H'],
  ];
});

const SEPARATOR = `(?:[${HYPHENS}]|\\s+)`;
const NUMBER = `[a-z\\d](?:[a-z\\d]|${SEPARATOR})*?`;
const MORE = `(?:,?${SEPARATOR}(?:and\\s+)?|$)`;
const part = (unit: string, name: string) => `(?<${name}>${NUMBER})${SEPARATOR}${unit}s?`;
const WORDS = new RegExp(`^(?:${part('year', 'Y')}${MORE})?(?:${part('month', 'M')}${MORE})?(?:${part('day', 'D')})?$`);

/** `twelve years, six months and four days`. */
const inWords: Transformation = (text) => {
  const trimmed = text.replace(/^[ \t\n\r]+|[ \t\n\r]+$/g, '').toLowerCase();
  const groups = trimmed === '' ? null : WORDS.exec(trimmed)?.groups;
  if (!groups) return null;
  let found = '';
  for (const unit of ['Y', 'M', 'D']) {
    const words = groups[unit];
    if (words === undefined || words === 'no' || words === 'zero') continue;
    const number = /^\d{1,4}$/.test(words) ? words : wordsToNumber(words);
    if (number === null) return null;
    found += number + unit;
  }
  return found === '' ? 'P0D' : `P${found}`;
};

const HYPHEN = new RegExp(`[${HYPHENS}]`, 'g');

function wordsToNumber(words: string): string | null {
  const number = numberInWords(words.replace(HYPHEN, ' '));
  return number === null || number > 1999n ? null : String(number);
}

export const DURATIONS: Readonly<Record<string, Transformation>> = {
  durday: days,
  durhour: duration((number) => [[Math.trunc(number), 'H']]),
  durmonth: months,
  durweek: duration((number) => [[Math.trunc(number * 7), 'D']]),
  durwordsen: inWords,
  duryear: years,
};

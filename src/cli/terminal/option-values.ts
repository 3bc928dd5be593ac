/** Reads the values of options. All refuse a wrong one with the same wording. */
import { invalidValue } from '../../core/index.ts';
import { isCalendarDate } from '../../filings/api/index.ts';

type Reader<T> = (text: string) => T;

/** A whole number within bounds, both included. @throws FilinglakeError `argument-invalid` */
export function wholeNumber(option: string, least: number, most: number): Reader<number> {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    const bounds = [least, most].map((bound) => bound.toLocaleString('en-US')).join(' to ');
    throw invalidValue('argument-invalid', option, `a whole number from ${bounds}`, text);
  };
}

/** A day as YYYY-MM-DD. @throws FilinglakeError `argument-invalid` */
export function calendarDay(option: string): Reader<string> {
  return (text) => {
    if (isCalendarDate(text)) return text;
    throw invalidValue('argument-invalid', option, 'a day as YYYY-MM-DD', text);
  };
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of `90s`, `36h`. @param units of s, m, h, d @throws FilinglakeError `argument-invalid` */
export function duration(option: string, units: string, examples: string, leastMs = 0): Reader<number> {
  const pattern = new RegExp(`^(\\d{1,6})([${units}])$`);
  return (text) => {
    const [, amount, unit] = pattern.exec(text) ?? [];
    const ms = unit === undefined ? -1 : Number(amount) * UNITS_MS[unit]!;
    if (ms >= leastMs) return ms;
    throw invalidValue('argument-invalid', option, `a duration such as ${examples}`, text);
  };
}

/** `9464` or `0.0.0.0:9464`. @throws FilinglakeError `argument-invalid` */
export function metricsAddress(value: string): { host: string; port: number } {
  const found = /^(?:(.+):)?(\d{1,5})$/.exec(value);
  const port = Number(found?.[2] ?? Number.NaN);
  if (found && port <= 65_535) return { host: found[1] ?? '127.0.0.1', port };
  throw invalidValue(
    'argument-invalid',
    '--metrics',
    'a port, or HOST:PORT',
    value,
    'Give for example --metrics 9464.',
  );
}

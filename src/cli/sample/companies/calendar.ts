/** Days as numbers (since 1970-01-01, UTC) and the ways that filings write them. */

const DAY_MS = 86_400_000;
const MONTHS = 'January February March April May June July August September October November December'.split(' ');

export function dayOf(year: number, month: number, day: number): number {
  return Math.round(Date.UTC(year, month - 1, day) / DAY_MS);
}

/** @param text `YYYY-MM-DD` */
export function parseDay(text: string): number {
  return Math.round(Date.parse(`${text}T00:00:00Z`) / DAY_MS);
}

/** The month is 1 to 12. */
export function partsOf(day: number): { year: number; month: number; day: number } {
  const date = new Date(day * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

export function yearOf(day: number): number {
  return partsOf(day).year;
}

/** 1 to 4. */
export function quarterOf(day: number): number {
  return Math.ceil(partsOf(day).month / 3);
}

export function lastDayOfMonth(year: number, month: number): number {
  return dayOf(year, month + 1, 1) - 1;
}

/** The day itself, or the Monday after a weekend: EDGAR files on business days only. */
export function businessDay(day: number): number {
  const weekday = (day + 4) % 7;
  return day + (weekday === 6 ? 2 : weekday === 0 ? 1 : 0);
}

/** `2024-03-31` */
export function isoDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** `20240331` */
export function compactDay(day: number): string {
  return isoDay(day).replaceAll('-', '');
}

/** `03-31-2024`, as 13F has it */
export function americanDay(day: number): string {
  return isoDay(day).replace(/(.+?)-(.+)/, '$2-$1');
}

/** `March 31, 2024` */
export function longDay(day: number): string {
  const { year, month, day: d } = partsOf(day);
  return `${MONTHS[month - 1]} ${d}, ${year}`;
}

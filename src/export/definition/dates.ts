/** Days relative to another one. */
import { addDays } from '../../core/index.ts';
import { isCalendarDate } from '../../filings/api/index.ts';

const RELATIVE = /^-(\d{1,5})([dwmy])$/;

/** `today`, `yesterday`, or `-30d`, `-4w`, `-6m`, `-1y`: days, weeks, months or years before the run. */
export function isRelativeDate(text: string): boolean {
  if (text === 'today' || text === 'yesterday') return true;
  const [, amount, unit] = RELATIVE.exec(text) ?? [];
  return amount !== undefined && Number(amount) * DAYS_ABOUT[unit as keyof typeof DAYS_ABOUT] <= DAYS_MAX;
}

/** Earlier days are outside EDGAR and this program's calendar. */
const DAYS_MAX = 366 * 1_000;
const DAYS_ABOUT = { d: 1, w: 7, m: 31, y: 366 } as const;

/**
 * The calendar date of a text, relative to a day. A month before the 31st may be the last day of a shorter month.
 * @param text of `isRelativeDate`, or a date, which is returned unchanged
 * @param today `YYYY-MM-DD`
 */
export function resolveDate(text: string, today: string): string {
  if (isCalendarDate(text)) return text;
  if (text === 'today') return today;
  if (text === 'yesterday') return addDays(today, -1);
  const [, amountText, unit] = RELATIVE.exec(text)!;
  const amount = Number(amountText);
  if (unit === 'd') return addDays(today, -amount);
  if (unit === 'w') return addDays(today, -7 * amount);
  return monthsBefore(today, unit === 'm' ? amount : 12 * amount);
}

function monthsBefore(date: string, months: number): string {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  const first = new Date(Date.UTC(year, month - 1 - months, 1));
  const daysOfMonth = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(day, daysOfMonth));
  return first.toISOString().slice(0, 10);
}

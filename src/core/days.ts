/** Days of the calendar as `YYYY-MM-DD`, and as numbers since 1970: computed without a clock or a zone. */
const DAY_MS = 86_400_000;

export function dayNumber(date: string): number {
  return Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS);
}

export function dayText(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

export function addDays(date: string, days: number): string {
  return dayText(dayNumber(date) + days);
}

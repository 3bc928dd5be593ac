/** Made-up 10-Ks and 10-Qs by day since 1993: crowded in the weeks of their deadlines, like EDGAR's. */

export interface Day {
  day: string;
  filings: number;
}

const FIRST_YEAR = 1993;
const LAST_YEAR = 2026;
/** Until mid-1996 companies came to electronic filing by groups. */
const EARLY: Readonly<Record<number, number>> = { 1993: 0.05, 1994: 0.15, 1995: 0.4, 1996: 0.8 };
/** Days of the year with deadlines, and how far before and after them the filings are. */
const DEADLINES = [
  { day: 75, spread: 9, weight: 1 },
  { day: 130, spread: 5, weight: 1 },
  { day: 221, spread: 5, weight: 1 },
  { day: 313, spread: 5, weight: 1 },
];

/** @param total filings in all */
export function filingDays(total: number): Day[] {
  const weights: { day: string; weight: number }[] = [];
  for (let year = FIRST_YEAR; year <= LAST_YEAR; year++) {
    for (let n = 1; n <= 365; n++) {
      const date = new Date(Date.UTC(year, 0, n));
      if (date.getUTCDay() % 6 === 0) continue;
      const near = DEADLINES.reduce(
        (sum, { day, spread, weight }) => sum + (weight / spread) * Math.exp(-(((n - day) / spread) ** 2)),
        0.004,
      );
      weights.push({ day: date.toISOString().slice(0, 10), weight: near * (EARLY[year] ?? 1) });
    }
  }
  const all = weights.reduce((sum, { weight }) => sum + weight, 0);
  let given = 0;
  let wanted = 0;
  return weights.map(({ day, weight }) => {
    wanted += (weight / all) * total;
    const filings = Math.round(wanted) - given;
    given += filings;
    return { day, filings };
  });
}

/** Numbers as filings print them. */

/** `1,234,567`; a negative one in parentheses: `(1,234)`. */
export function grouped(n: number): string {
  let digits = String(Math.abs(Math.round(n)));
  for (let at = digits.length - 3; at > 0; at -= 3) digits = `${digits.slice(0, at)},${digits.slice(at)}`;
  return n < 0 ? `(${digits})` : digits;
}

/** Thousands of dollars in prose: `$12.3 million`, `$845 thousand`. */
export function dollarsOfThousands(thousands: number): string {
  if (Math.abs(thousands) >= 1_000_000) return `$${(thousands / 1_000_000).toFixed(2)} billion`;
  if (Math.abs(thousands) >= 1000) return `$${(thousands / 1000).toFixed(1)} million`;
  return `$${Math.round(thousands)} thousand`;
}

/** Change in percent, without sign: `4.2%`. */
export function changePercent(now: number, before: number): string {
  return `${Math.abs(((now - before) / before) * 100).toFixed(1)}%`;
}

/** `increased` or `decreased`. */
export function direction(now: number, before: number): string {
  return now >= before ? 'increased' : 'decreased';
}

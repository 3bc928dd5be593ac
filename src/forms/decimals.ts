/** Sums and quotients of decimal texts, exact to twelve digits behind the point. */
const SCALE = 12;

/** @param text as rows have decimals: at most 12 digits behind the point */
export function units(text: string): bigint {
  const point = text.indexOf('.');
  if (point < 0) return BigInt(text) * 10n ** BigInt(SCALE);
  return BigInt(text.slice(0, point) + text.slice(point + 1).padEnd(SCALE, '0'));
}

/** Decimal text of a number of 10⁻ⁿ, without zeros at its end. */
export function decimalText(value: bigint, scale = SCALE): string {
  const negative = value < 0n;
  const digits = (negative ? -value : value).toString().padStart(scale + 1, '0');
  const fraction = digits.slice(-scale).replace(/0+$/, '');
  return `${negative ? '-' : ''}${digits.slice(0, -scale)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** The same number times 1,000, by moving the point. */
export function timesThousand(text: string): string {
  return decimalText(units(text) * 1000n);
}

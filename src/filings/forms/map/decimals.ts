/** Sums and quotients of decimal texts, exact to twelve digits after the point. */
const SCALE = 12;
const UNIT = 10n ** BigInt(SCALE);

/** @param text as rows have decimals: at most 12 digits after the point */
export function units(text: string): bigint {
  const point = text.indexOf('.');
  if (point < 0) return BigInt(text) * UNIT;
  return BigInt(text.slice(0, point) + text.slice(point + 1).padEnd(SCALE, '0'));
}

/** Decimal text of a number of 10⁻ⁿ, without trailing zeros. */
export function decimalText(value: bigint): string {
  if (value % UNIT === 0n) return (value / UNIT).toString();
  const negative = value < 0n;
  const digits = (negative ? -value : value).toString().padStart(SCALE + 1, '0');
  const fraction = digits.slice(-SCALE).replace(/0+$/, '');
  return `${negative ? '-' : ''}${digits.slice(0, -SCALE)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** An exact sum of decimal texts. Most are whole numbers, which are added as numbers while that is exact. */
export class ExactSum {
  #units = 0n;
  #whole = 0;

  add(text: string): void {
    const whole = text.length < 15 && !text.includes('.') ? Number(text) : null;
    if (whole === null) this.#units += units(text);
    else {
      this.#whole += whole;
      if (Math.abs(this.#whole) > 2 ** 52) this.#settle();
    }
  }

  addSum(other: ExactSum): void {
    other.#settle();
    this.#units += other.#units;
  }

  /** Null: it doesn't fit into DECIMAL(38,12). */
  get text(): string | null {
    this.#settle();
    return fitting(this.#units);
  }

  #settle(): void {
    this.#units += BigInt(this.#whole) * UNIT;
    this.#whole = 0;
  }
}

/** The same number times 1,000; null: it doesn't fit into DECIMAL(38,12). */
export function timesThousand(text: string): string | null {
  return fitting(units(text) * 1000n);
}

const UNITS_MAX = 10n ** 38n;

function fitting(value: bigint): string | null {
  return value < UNITS_MAX && value > -UNITS_MAX ? decimalText(value) : null;
}

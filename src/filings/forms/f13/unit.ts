/** Thousands or dollars: values of form 13F by the day of filing, checked by the prices that they imply. */
type Unit = 'dollars' | 'thousands';
type UnitEvidence = 'date_and_price' | 'date' | 'price' | 'price_against_date' | 'date_against_price';

export interface ValueUnit {
  value_unit: Unit | null;
  value_unit_evidence: UnitEvidence | null;
  /** Decimal text, rounded half up to 6 digits; null if no row implies a price. */
  median_price: string | null;
}

/** Filings from this day on state dollars, those before thousands (SEC release 34-95148). */
const DOLLARS_SINCE = '2023-01-03';
/** A lower median price: thousands; a higher: dollars. Known: 0.04 to 0.11, 55 to 209, penny stocks between. */
const THOUSANDS_BELOW = 0.25;
const DOLLARS_FROM = 2.5;
/** A share of 500,000 dollars, stated in thousands, looks like dollars. So with fewer rows the date decides. */
const ROWS_TO_OUTWEIGH = 5;
/** A larger number has no digits after the point: an invented value. */
const MAX_SHOWN = 2 ** 53;

/** Collects implied prices, dollars or thousands a share: 8 bytes each outside the heap, since a filing may have a million. */
export class ImpliedPrices {
  #prices = new Float64Array(1024);
  count = 0;

  add(price: number): void {
    if (this.count === this.#prices.length) {
      const more = new Float64Array(2 * this.count);
      more.set(this.#prices);
      this.#prices = more;
    }
    this.#prices[this.count++] = price;
  }

  /** Adds the prices of a table. */
  addAll(others: ImpliedPrices): void {
    for (const price of others.#prices.subarray(0, others.count)) this.add(price);
  }

  /** The middle one; the mean of the two middle ones for an even number. */
  median(): number | null {
    const sorted = this.#prices.slice(0, this.count).sort();
    const middle = sorted.length >> 1;
    if (sorted.length === 0) return null;
    return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  }
}

/** @param filingDate YYYY-MM-DD, null for a loose file */
export function valueUnit(filingDate: string | null, prices: ImpliedPrices): ValueUnit {
  const median = prices.median();
  const byPrice = median === null ? null : unitOfPrice(median);
  const median_price = median === null ? null : rounded(median);
  const enough = prices.count >= ROWS_TO_OUTWEIGH;
  if (filingDate === null) {
    return byPrice !== null && enough
      ? { value_unit: byPrice, value_unit_evidence: 'price', median_price }
      : { value_unit: null, value_unit_evidence: null, median_price };
  }
  const byDate: Unit = filingDate < DOLLARS_SINCE ? 'thousands' : 'dollars';
  if (byPrice === null) return { value_unit: byDate, value_unit_evidence: 'date', median_price };
  if (byPrice === byDate) return { value_unit: byDate, value_unit_evidence: 'date_and_price', median_price };
  return enough
    ? { value_unit: byPrice, value_unit_evidence: 'price_against_date', median_price }
    : { value_unit: byDate, value_unit_evidence: 'date_against_price', median_price };
}

function unitOfPrice(price: number): Unit | null {
  return price < THOUSANDS_BELOW ? 'thousands' : price >= DOLLARS_FROM ? 'dollars' : null;
}

/** Half up to 6 digits; a price has 15 digits that count. */
function rounded(price: number): string | null {
  if (price >= MAX_SHOWN) return null;
  const text = (Math.round(price * 1e6) / 1e6).toFixed(6);
  return text.replace(/\.?0+$/, '');
}

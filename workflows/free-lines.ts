/** Which lines of a window's work list nobody fetches. Lines that a batch did not reach come back. */

export interface Lines {
  from: number;
  /** The first line that is not among them. */
  to: number;
}

export class FreeLines {
  /** In order, apart from each other. */
  #ranges: Lines[];

  /** @param lines of the list */
  constructor(lines: number) {
    this.#ranges = lines > 0 ? [{ from: 0, to: lines }] : [];
  }

  get count(): number {
    return this.#ranges.reduce((sum, { from, to }) => sum + to - from, 0);
  }

  /** The first free lines, at most so many. Null: none are free. */
  take(most: number): Lines | null {
    const [first] = this.#ranges;
    if (!first) return null;
    const taken = { from: first.from, to: Math.min(first.to, first.from + Math.max(1, most)) };
    if (taken.to === first.to) this.#ranges.shift();
    else first.from = taken.to;
    return taken;
  }

  giveBack({ from, to }: Lines): void {
    if (from >= to) return;
    const ranges = [...this.#ranges, { from, to }].sort((one, other) => one.from - other.from);
    this.#ranges = [];
    for (const range of ranges) {
      const last = this.#ranges.at(-1);
      if (last && last.to > range.from) throw new Error(`lines ${range.from} to ${last.to} would be fetched twice`);
      if (last?.to === range.from) last.to = range.to;
      else this.#ranges.push({ ...range });
    }
  }
}

/** The least requests of a batch, for each connection: starting it takes about as long as one or two of them. */
const REQUESTS_MIN = 4;
/** Temporal's messages and the budget's reservations take their time: no batch needs more filings than this. */
const FILINGS_MAX = 1_000;

/**
 * Filings for the next batch: a share of the rest for each fetcher, so that all of them end at about the same time. A batch ends after
 * some seconds and gives the rest back.
 * @param left filings of the pass that no batch has taken
 * @param requestsEach requests of a filing in the pass
 */
export function filingsOfBatch(left: number, fetchers: number, connections: number, requestsEach: number): number {
  const least = Math.ceil((REQUESTS_MIN * connections) / Math.max(1, requestsEach));
  return Math.min(FILINGS_MAX, Math.max(least, Math.ceil(left / fetchers)));
}

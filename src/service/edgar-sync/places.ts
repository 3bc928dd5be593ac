/** Addresses of EDGAR's files. */
export const FEED_PAGE_ENTRIES = 100;
/** The last position in the feed of current filings. Beyond it EDGAR answers 503. */
export const FEED_START_MAX = 5000;

/** `2025-12-12` → year 2025, quarter 4 */
export function quarterOf(date: string): string {
  return `${date.slice(0, 4)}/QTR${Math.ceil(Number(date.slice(5, 7)) / 3)}`;
}

/** The quarters from one date to another, both ends included, as `2025/QTR4`. */
export function quartersBetween(from: string, to: string): string[] {
  const quarters: string[] = [];
  const number = (date: string) => Number(date.slice(0, 4)) * 4 + Math.ceil(Number(date.slice(5, 7)) / 3) - 1;
  for (let n = number(from); n <= number(to); n++) quarters.push(`${Math.floor(n / 4)}/QTR${(n % 4) + 1}`);
  return quarters;
}

export function daysOfQuarter(quarter: string): { first: string; last: string } {
  const [year, name] = quarter.split('/QTR') as [string, string];
  const month = (Number(name) - 1) * 3;
  const day = (date: Date) => date.toISOString().slice(0, 10);
  return {
    first: day(new Date(Date.UTC(Number(year), month, 1))),
    last: day(new Date(Date.UTC(Number(year), month + 3, 0))),
  };
}

export class Places {
  readonly #base: string;
  readonly #data: string;

  constructor({ baseUrl, dataUrl }: { baseUrl: string; dataUrl: string }) {
    this.#base = baseUrl;
    this.#data = dataUrl;
  }

  feedPage(start: number): string {
    const query = `action=getcurrent&type=&owner=include&count=${FEED_PAGE_ENTRIES}&start=${start}&output=atom`;
    return `${this.#base}/cgi-bin/browse-edgar?${query}`;
  }

  /** @param file `master.idx`, `master.gz` */
  fullIndex(quarter: string, file: string): string {
    return `${this.#base}/Archives/edgar/full-index/${quarter}/${file}`;
  }

  /** @param file `index.json`, a day's index; empty: the page of the folder itself */
  dailyIndex(quarter: string, file: string): string {
    return `${this.#base}/Archives/edgar/daily-index/${quarter}/${file}`;
  }

  /** @param path as the indexes name it: `edgar/data/320193/0000320193-24-000123.txt` */
  submission(path: string): string {
    return `${this.#base}/Archives/${path.replace(/^\/+/, '')}`;
  }

  dailyArchive(date: string): string {
    return `${this.#base}/Archives/edgar/Feed/${quarterOf(date)}/${date.replaceAll('-', '')}.nc.tar.gz`;
  }

  /** SEC's own record of an entity, on the data host. */
  entity(cik: string): string {
    return `${this.#data}/submissions/CIK${cik.padStart(10, '0')}.json`;
  }

  /** The records of all entities in one archive, made again each night: some 1.5 GB. */
  allEntities(): string {
    return `${this.#base}/Archives/edgar/daily-index/bulkdata/submissions.zip`;
  }

  /** An older page of such a record, as the record names it. */
  entityPage(name: string): string {
    return `${this.#data}/submissions/${encodeURIComponent(name)}`;
  }

  /** SEC's lists of tickers. */
  tickers(file: `company_tickers${string}.json`): string {
    return `${this.#base}/files/${file}`;
  }
}

/** Paths of a filing's complete submission, under any of its parties. */
export function submissionPath(cik: string, accessionNumber: string): string {
  return `edgar/data/${cik}/${accessionNumber}.txt`;
}

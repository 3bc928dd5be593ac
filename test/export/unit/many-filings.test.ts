/** How often a lookup of very many filings is requested: the parts follow from the count, and few pages are read twice. */
import { describe, expect, it } from 'vitest';
import { type ExportWindow, type LookupRequest, takeReads, WindowReading } from '../../../src/export/windows/index.ts';
import { splitWindow } from '../../../src/export/windows/windows.ts';
import { runs } from '../../support/property-runs.ts';

/** More than a lookup of 64 parts could have. A million in a run of all tests. */
const SIZES = runs(1) > 1 ? [1_000_000] : [300_000];
const TODAY = '2026-11-21';
const PAGE = 10_000;
const DAY_MS = 86_400_000;

/** The same number of filings on each day of some years. */
class EvenDays {
  readonly #first: number;
  readonly #days: number;
  readonly #filings: number;

  constructor(filings: number, from: string, to: string) {
    this.#filings = filings;
    this.#first = Date.parse(from) / DAY_MS;
    this.#days = Date.parse(to) / DAY_MS - this.#first + 1;
  }

  /** Number of the first filing of a day. */
  #begin(day: number): number {
    return Math.floor((Math.min(Math.max(day, 0), this.#days) * this.#filings) / this.#days);
  }

  range({ date_from, date_to }: Pick<LookupRequest, 'date_from' | 'date_to'>): [number, number] {
    const day = (date: string) => Date.parse(date) / DAY_MS - this.#first;
    return [
      date_from === undefined ? 0 : this.#begin(day(date_from)),
      date_to === undefined ? this.#filings : this.#begin(day(date_to) + 1),
    ];
  }

  page(asked: LookupRequest) {
    const [begin, end] = this.range(asked);
    const received = Math.max(0, Math.min(asked.to, end - begin) - asked.from);
    const records = Array.from({ length: received }, (_, i) => {
      const at = asked.sort_order === 'asc' ? begin + asked.from + i : end - 1 - asked.from - i;
      const day = Math.floor((at * this.#days) / this.#filings) + this.#first;
      const filing_date = new Date(day * DAY_MS).toISOString().slice(0, 10);
      return { key: String(at), form_type: '4', filing_date, entity_name: 'A' };
    });
    return { count: end - begin, records, received, truncated: false };
  }
}

/** Reads all windows of a selection. */
function read(service: EvenDays, filter: object) {
  const unread: ExportWindow[] = [{ id: 'w', filter, today: TODAY, inexact: null }];
  const sums = { requests: 0, records: 0, found: 0, unproven: 0 };
  while (unread.length > 0) {
    const reading = new WindowReading(unread[0]!, PAGE);
    let step = reading.next();
    for (; 'ask' in step; step = reading.next()) {
      const page = service.page(step.ask);
      sums.requests++;
      sums.records += page.received;
      reading.take(page);
    }
    if ('split' in step) {
      takeReads(unread, [{ split: step.split, promised: step.matches ?? 0 }]);
      continue;
    }
    sums.found += step.done.found;
    sums.unproven += Number(!step.done.proven);
    takeReads(unread, [{ split: null, ...step.done }]);
  }
  return sums;
}

describe('a lookup', () => {
  it.each(SIZES)(
    'of %i filings of ten years takes at most 150 requests for a million, and reads few records twice',
    (filings) => {
      const range = { date_from: '2014-01-01', date_to: '2023-12-31' };
      const { requests, records, found, unproven } = read(new EvenDays(filings, '2014-01-01', '2023-12-31'), range);
      expect([found, unproven]).toEqual([filings, 0]);
      const millions = filings / 1_000_000;
      expect(requests).toBeLessThanOrEqual(150 * millions);
      // 485 bytes a record: at most 520 MB for a million.
      expect(records * 485).toBeLessThanOrEqual(520_000_000 * Math.max(millions, 1 / 3));
      console.info('many filings', JSON.stringify({ filings, requests, megabytes: Math.round((records * 485) / 1e6) }));
    },
  );

  it('of 20 million filings of 33 years is split at once into parts that fit into a page', () => {
    const service = new EvenDays(20_000_000, '1993-01-01', TODAY);
    const window: ExportWindow = { id: 'w', filter: {}, today: TODAY, inexact: null };
    const sample = service.page({ from: 0, to: PAGE, sort_by: 'filing_date', sort_order: 'asc' }).records;
    const parts = splitWindow(window, 20_000_000, sample)!;
    const counts = parts.map(({ filter }) => {
      const [begin, end] = service.range(filter);
      return end - begin;
    });
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(20_000_000);
    expect(Math.max(...counts)).toBeLessThanOrEqual(PAGE);
    expect(parts.length).toBeLessThanOrEqual(3_000);
    // Temporal takes 2 MB, even if it were not packed.
    expect(JSON.stringify(parts).length).toBeLessThan(1_500_000);
  });

  it('has no more parts than fit into a message if its filter is long', () => {
    const form_types = Array.from({ length: 900 }, (_, n) => `FORM ${1_000_000 + n}`);
    const window: ExportWindow = { id: 'w', filter: { form_types }, today: TODAY, inexact: null };
    const parts = splitWindow(window, 20_000_000, [])!;
    expect(parts).toHaveLength(73);
    expect(JSON.stringify(parts).length).toBeLessThan(1_500_000);
  });
});

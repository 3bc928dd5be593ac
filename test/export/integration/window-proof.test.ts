/** What a reading may call proven: every kind of service, compared with what it really has. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WindowReading } from '../../../src/export/windows/index.ts';
import type { WindowVerdict } from '../../../src/export/windows/reading-state.ts';
import type { LookupPage } from '../../../src/export/windows/window-reading.ts';
import { runs } from '../../support/property-runs.ts';
import { type Liberties, LookupService, type SimulatedFiling } from './lookup-service.ts';

const PAGE_SIZE = 10_000;

const FILINGS = Array.from({ length: 2_000 }, (_, i): SimulatedFiling => {
  const accession_number = `0000000001-24-${String(i).padStart(6, '0')}`;
  const filing_date = new Date(Date.UTC(2024, 0, 1 + (i % 150))).toISOString().slice(0, 10);
  return { key: accession_number, accession_number, filing_date, form_type: '4', entity_name: 'A', size: i };
});
const filings = (number: number) => FILINGS.slice(0, number);

interface Read extends WindowVerdict {
  requests: number;
  keys: Set<string>;
}

function read(service: LookupService, pageSize = PAGE_SIZE): Read {
  const reading = new WindowReading({ id: 'w', filter: {}, today: '2024-06-30', inexact: null }, pageSize);
  const keys = new Set<string>();
  const first = new Map<string, string | null>();
  for (;;) {
    const step = reading.next();
    if ('done' in step) return { ...step.done, requests: service.requests, keys };
    if ('split' in step) throw new Error('split');
    if (service.requests > 500) throw new Error('requests without end');
    const page = service.ask(step.ask);
    for (const key of reading.take(reading.isFirstPass ? withMoves(page, first) : page)) keys.add(key);
  }
}

/** A filing that was listed with another date before is another content of its key, as the reading of pages has it. */
function withMoves(page: LookupPage, first: Map<string, string | null>): LookupPage {
  const records = page.records.map((record): LookupPage['records'][number] => {
    const { key, filing_date } = record;
    if (!first.has(key)) first.set(key, filing_date);
    const hasMoved = first.get(key) !== filing_date;
    return hasMoved ? { ...record, variant: String(filing_date), moved: true } : record;
  });
  return { ...page, records };
}

const COUNTS = ['all', 'page', 'none', 4, -4, -1_000_000] as const;
const TRUNCATED = [undefined, true, false, 'unstated'] as const;
const LIMITS = [50, 100, 437, 1_000, undefined] as const;
const REPEATS = ['nothing', 'in place of another', 'once more', 'once more, with other content'] as const;
const NUMBERS = [0, 1, 36, 49, 50, 99, 300, 437, 438, 873, 2_000];

const REPEATED: Readonly<Record<(typeof REPEATS)[number], Liberties>> = {
  nothing: {},
  'in place of another': { repeatAt: 7 },
  'once more': { twiceAt: { position: 7, other: false } },
  'once more, with other content': { twiceAt: { position: 7, other: true } },
};

interface Combination {
  count: (typeof COUNTS)[number];
  truncated: (typeof TRUNCATED)[number];
  limit: (typeof LIMITS)[number];
  repeat: (typeof REPEATS)[number];
  number: number;
}

function* combinations(): Generator<Combination> {
  for (const count of COUNTS)
    for (const truncated of TRUNCATED)
      for (const limit of LIMITS)
        for (const repeat of REPEATS) for (const number of NUMBERS) yield { count, truncated, limit, repeat, number };
}

function serviceOf({ count, truncated, limit, repeat, number }: Combination): LookupService {
  // The truth about a limit is that the page was cut.
  const cut: Liberties =
    truncated === undefined ? { truncateAt: limit ?? PAGE_SIZE } : { silentLimit: limit ?? PAGE_SIZE };
  return new LookupService(filings(number), {
    count,
    ...cut,
    ...REPEATED[repeat],
    ...(truncated === undefined ? {} : { truncated }),
  });
}

/**
 * A page that states its own length as the count, that it is not cut, and has no usual limit's length: nothing in it differs from a
 * whole answer.
 */
function looksWhole({ count, truncated, limit, number, repeat }: Combination): boolean {
  const listed = number + (repeat.startsWith('once more') && number > 7 ? 1 : 0);
  return count === 'page' && truncated === false && limit === 437 && listed > limit;
}

describe('a window that is called proven', () => {
  it.each(COUNTS)('has every filing, whatever else the service says and cuts (count: %s)', (only) => {
    const wrong: string[] = [];
    for (const combination of combinations()) {
      if (combination.count !== only || looksWhole(combination)) continue;
      const { proven, keys, found } = read(serviceOf(combination));
      const isMissing = combination.repeat === 'in place of another' && combination.number > 8;
      const all = combination.number - (isMissing ? 1 : 0);
      // What the service lists is read in any case, and only that can be found.
      if (keys.size !== all || found !== all || (proven && isMissing)) {
        wrong.push(JSON.stringify({ ...combination, proven, found, all }));
      }
    }
    expect(wrong).toEqual([]);
  });

  it('is every one that a service with a true count, or none, lists whole', () => {
    const unproven: string[] = [];
    for (const combination of combinations()) {
      const { count, repeat } = combination;
      const isListedWhole = repeat === 'nothing' || (repeat === 'once more, with other content' && count === 'all');
      // Nothing that is called cut short may be a search that ran out of time.
      const isCutToNothing = combination.number === 0 && combination.truncated === true;
      if (typeof count === 'number' || !isListedWhole || looksWhole(combination) || isCutToNothing) continue;
      const verdict = read(serviceOf(combination));
      if (!verdict.proven || verdict.promised !== verdict.found) {
        unproven.push(JSON.stringify({ ...combination, ...verdict, keys: verdict.keys.size }));
      }
    }
    expect(unproven).toEqual([]);
  });

  it('costs one request if its only page is stated whole, and two if it may be cut', () => {
    const requests = (number: number, liberties: Liberties) =>
      read(new LookupService(filings(number), liberties)).requests;
    expect(requests(36, {})).toBe(1);
    expect(requests(36, { truncated: 'unstated' })).toBe(2);
    expect(requests(450, {})).toBe(2);
    expect(requests(450, { truncated: 'unstated' })).toBe(2);
  });

  it('costs one request as part of a split window: its count is known to be of all matches', () => {
    for (const number of [36, 450]) {
      const service = new LookupService(filings(number), { truncated: 'unstated' });
      const share = { of: 'w', left: number, later: 0 };
      const reading = new WindowReading(
        { id: 'w-2', filter: {}, today: '2024-06-30', inexact: null, share },
        PAGE_SIZE,
      );
      for (let step = reading.next(); 'ask' in step; step = reading.next()) reading.take(service.ask(step.ask));
      expect([service.requests, reading.next()]).toMatchObject([1, { done: { promised: number, proven: true } }]);
    }
  });

  it('is never one whose page repeats a record in place of another, and that is found in few requests', () => {
    const { proven, found, promised, requests } = read(new LookupService(filings(36), { repeatAt: 7 }));
    expect({ proven, found, promised, requests }).toEqual({ proven: false, found: 35, promised: 36, requests: 3 });
  });

  it('expects a filing once, though the service counts it twice with other content', () => {
    for (const pageSize of [10, PAGE_SIZE]) {
      const service = new LookupService(filings(36), { twiceAt: { position: 7, other: true } });
      const { proven, promised, found, counted } = read(service, pageSize);
      expect({ proven, promised, found, counted }).toEqual({ proven: true, promised: 36, found: 36, counted: 37 });
    }
  });

  it('ends if a service calls an empty page cut short', () => {
    for (const count of ['all', 'page', 'none', 4] as const) {
      const verdict = read(new LookupService([], { count, truncated: true }));
      expect(verdict.requests).toBeLessThan(5);
      expect(verdict.proven).toBe(false);
    }
  });
});

describe('a service that changes while it is read, and lists records twice', () => {
  const change = fc.record({
    at: fc.integer({ min: 1, max: 14 }),
    arrive: fc.integer({ min: 0, max: 2 }),
    remove: fc.option(fc.nat(), { nil: null }),
  });
  const liberties: fc.Arbitrary<Liberties> = fc.record(
    {
      count: fc.constantFrom<NonNullable<Liberties['count']>[]>('all', 'page', 'none', 3, -3),
      truncated: fc.constantFrom<(boolean | 'unstated')[]>(true, false, 'unstated'),
      truncateAt: fc.integer({ min: 5, max: 60 }),
      silentLimit: fc.constantFrom(50, 100),
      ignoresOrder: fc.boolean(),
      repeatAt: fc.integer({ min: 0, max: 300 }),
      twiceAt: fc.record({ position: fc.integer({ min: 0, max: 300 }), other: fc.boolean() }),
    },
    { requiredKeys: [] },
  );

  /** One record in place of another, and a count that is right for the wrong reason */
  const DECEITFUL: [Liberties, { at: number; arrive: number; remove: number | null }[], number, number][] = [
    // The first pass lists a record twice, the second no more.
    [
      { truncateAt: 5, ignoresOrder: true, repeatAt: 4, twiceAt: { position: 0, other: true } },
      [{ at: 2, arrive: 1, remove: null }],
      5,
      10,
    ],
    // The first page has as many distinct records as the count, and one position more.
    [
      { count: -3, truncated: 'unstated', truncateAt: 34, repeatAt: 0, twiceAt: { position: 0, other: true } },
      [],
      35,
      35,
    ],
  ];

  it('is never called proven without a filing that was listed all the time', () => {
    fc.assert(
      fc.property(
        liberties,
        fc.array(change, { maxLength: 4 }),
        fc.integer({ min: 0, max: 300 }),
        fc.integer({ min: 10, max: 400 }),
        (taken, changes, number, pageSize) => {
          // A limit that the service denies shows in nothing but a round number.
          fc.pre(!(taken.truncated === false && taken.truncateAt !== undefined));
          // A count that is wrong and changes proves nothing.
          fc.pre(!(typeof taken.count === 'number' && changes.length > 0));
          // Without a count, one that vanishes hides one that stands on two pages.
          const listsTwice = taken.repeatAt !== undefined || taken.twiceAt !== undefined;
          fc.pre(!(listsTwice && changes.length > 0 && taken.count !== 'all' && taken.count !== undefined));
          // An arrival for each removal hides both from every count; OVERLAP_RECORDS_MIN is for single ones.
          const hidesIts = ({ at, arrive }: (typeof changes)[number]) =>
            arrive > 0 && changes.some((other) => other.at === at && other.remove !== null);
          fc.pre(!changes.some(hidesIts));
          const service = new LookupService(filings(number), taken);
          const stayed = new Set(service.filings.map(({ key }) => key));
          let serial = number;
          service.meanwhile = (request) => {
            for (const { at, arrive, remove } of changes) {
              if (at !== request) continue;
              if (remove !== null && service.filings.length > 0) {
                stayed.delete(service.filings.splice(remove % service.filings.length, 1)[0]!.key);
              }
              service.filings.push(
                ...filings(serial + arrive)
                  .slice(serial)
                  .map((one) => ({ ...one, filing_date: '2024-06-30' })),
              );
              serial += arrive;
            }
          };
          const { proven, keys } = read(service, pageSize);
          const lost = [...stayed].filter((key) => !keys.has(key));
          if (proven) expect(lost).toEqual([]);
        },
      ),
      { numRuns: runs(500), examples: DECEITFUL },
    );
  });

  it('is never called proven without a filing whose date changed while another one changed the other way', () => {
    const size = 60;
    const swap = fc.record({ at: fc.integer({ min: 2, max: 12 }), early: fc.nat(size - 1), late: fc.nat(size - 1) });
    const days = [...new Set(filings(size).map(({ filing_date }) => filing_date))].sort();
    const lostOf = (count: 'all' | 'page', pageSize: number, swaps: { at: number; early: number; late: number }[]) => {
      const service = new LookupService(filings(size), { count, truncated: false });
      service.meanwhile = (request) => {
        for (const { at, early, late } of swaps) {
          if (at !== request || early === late) continue;
          service.filings[late] = { ...service.filings[late]!, filing_date: days[0]! };
          service.filings[early] = { ...service.filings[early]!, filing_date: days.at(-1)! };
        }
      };
      const { proven, keys, requests } = read(service, pageSize);
      return { proven, lost: service.filings.filter(({ key }) => !keys.has(key)).length, requests };
    };
    // It is found in a second reading.
    expect(lostOf('all', 20, [{ at: 2, early: 3, late: 50 }])).toEqual({ proven: true, lost: 0, requests: 8 });
    fc.assert(
      fc.property(
        fc.constantFrom('all', 'page'),
        fc.integer({ min: 10, max: 40 }),
        fc.array(swap, { minLength: 1, maxLength: 3 }),
        (count, pageSize, swaps) => {
          const { proven, lost } = lostOf(count, pageSize, swaps);
          if (proven) expect(lost).toBe(0);
        },
      ),
      { numRuns: runs(300) },
    );
  });
});

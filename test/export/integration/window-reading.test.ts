import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ExportWindow,
  type LookupRequest,
  takeReads,
  WindowReading,
  windowRecord,
} from '../../../src/export/windows/index.ts';
import type { WindowVerdict } from '../../../src/export/windows/reading-state.ts';
import { runs } from '../../support/property-runs.ts';
import { type Liberties, LookupService, type SimulatedFiling } from './lookup-service.ts';

const TODAY = '2024-06-30';
const NAMES = [
  'ALPHA CORP',
  'BETA INC',
  'GAMMA TRUST',
  'DELTA HOLDINGS',
  'OMEGA LLC',
  'SIGMA BANK',
  'KAPPA OIL',
  'THETA FUND',
];

/** Keys found, as a later attempt gets them. */
const readable = (keys: Iterable<string>) => [...keys].map((key) => [key, true] as const);

let serial = 0;
function filing(filing_date: string, form_type = '4', entity_name = NAMES[serial % NAMES.length]!): SimulatedFiling {
  serial++;
  const accession_number = `0000000001-24-${String(serial).padStart(6, '0')}`;
  return {
    key: accession_number,
    accession_number,
    filing_date,
    form_type,
    entity_name,
    size: (serial * 7919) % 100_003,
  };
}

function filings(
  number: number,
  date: (i: number) => string,
  form: (i: number) => string = () => '4',
): SimulatedFiling[] {
  return Array.from({ length: number }, (_, i) => filing(date(i), form(i)));
}

function day(i: number): string {
  return new Date(Date.UTC(2024, 0, 1 + (i % 150))).toISOString().slice(0, 10);
}

interface Outcome {
  /** Filings that were there when the last look at the edges began, or (with a service that counts) at the last answer. */
  due: Set<string>;
  found: Map<string, number>;
  verdicts: (WindowVerdict & { window: string })[];
  requests: LookupRequest[];
}

/** Reads a selection to its end: window after window, as an export does. */
function readAll(service: LookupService, filter: ExportWindow['filter'] = {}, pageSize = 10_000): Outcome {
  const outcome: Omit<Outcome, 'due'> = { found: new Map(), verdicts: [], requests: [] };
  let due: readonly SimulatedFiling[] = [];
  const pending: ExportWindow[] = [{ id: 'w', filter, today: TODAY, inexact: null }];
  for (let window = pending[0]; window; window = pending[0]) {
    const reading = new WindowReading(window, pageSize);
    for (;;) {
      const step = reading.next();
      if ('ask' in step) {
        outcome.requests.push(step.ask);
        const { phase, turn, edge_at } = reading.save();
        if (phase !== 'edges' || (turn === 0 && edge_at === null)) due = [...service.filings];
        if (outcome.requests.length > 2_000) throw new Error('asks without end');
        for (const number of reading.take(service.ask(step.ask))) {
          outcome.found.set(number, (outcome.found.get(number) ?? 0) + 1);
        }
        continue;
      }
      const split = 'split' in step ? (JSON.parse(JSON.stringify(step.split)) as ExportWindow[]) : null;
      const promised = 'split' in step ? (step.matches ?? 0) : step.done.promised;
      takeReads(pending, [{ split, promised }]);
      if ('done' in step) outcome.verdicts.push({ ...step.done, window: window.id });
      break;
    }
  }
  return { ...outcome, due: new Set(due.map(({ accession_number }) => accession_number)) };
}

describe('reading a window', () => {
  it('costs one request if one page holds everything', () => {
    const service = new LookupService(filings(37, day));
    const { verdicts, requests } = readAll(service);
    expect(requests).toHaveLength(1);
    expect(verdicts).toEqual([{ window: 'w', promised: 37, found: 37, proven: true, reason: null }]);
  });

  it('costs one request if there is nothing', () => {
    const { verdicts, requests } = readAll(new LookupService([]));
    expect(requests).toHaveLength(1);
    expect(verdicts[0]).toMatchObject({ promised: 0, found: 0, proven: true });
  });

  it('costs one request a page if the service counts all matches; a page repeats the last record of the one before', () => {
    const { verdicts, requests } = readAll(new LookupService(filings(950, day)), {}, 200);
    expect(requests.map(({ from, to }) => [from, to])).toEqual([
      [0, 200],
      [199, 399],
      [398, 598],
      [597, 797],
      [796, 996],
    ]);
    expect(verdicts[0]).toMatchObject({ promised: 950, found: 950, proven: true });
  });

  it('does not take a count of exactly 10,000 for all there is, since a service may count no further', () => {
    for (const number of [10_000, 14_000]) {
      const service = new LookupService(filings(number, day));
      const ask = service.ask.bind(service);
      service.ask = (request) => {
        const page = ask(request);
        return { ...page, count: Math.min(page.count!, 10_000) };
      };
      const { found, verdicts } = readAll(service);
      expect(found.size).toBe(number);
      expect(verdicts.length).toBeGreaterThan(1);
      expect(verdicts.every(({ proven }) => proven)).toBe(true);
    }
  });

  it('does not call proven what a cut by dates leaves out: filings without a date, which no sample shows', () => {
    const dated = filings(25_000, day);
    const { found, verdicts } = readAll(new LookupService([...dated, ...filings(40, () => '')]));
    expect(found.size).toBe(25_000);
    expect(verdicts.filter(({ proven }) => !proven)).toEqual([
      {
        window: verdicts.at(-1)!.window,
        promised: verdicts.at(-1)!.found + 40,
        found: verdicts.at(-1)!.found,
        proven: false,
        reason:
          '40 matches of window w are in none of its parts: they have no filing date or no form, or have moved or disappeared since',
      },
    ]);
    // They are in no range of dates.
    const ranged = readAll(new LookupService([...dated, ...filings(40, () => '')]), { date_from: '2020-01-01' });
    expect(ranged.verdicts.every(({ proven }) => proven)).toBe(true);
  });

  it('reports what a split leaves out, also if its last part is split again', () => {
    const early = filings(
      11_000,
      () => '2024-01-05',
      (i) => (i % 2 === 0 ? '4' : '3'),
    );
    const late = filings(
      14_000,
      () => '2024-06-20',
      (i) => (i % 2 === 0 ? '4' : '3'),
    );
    const { found, verdicts } = readAll(new LookupService([...early, ...late, ...filings(3, () => '')]));
    expect(found.size).toBe(25_000);
    expect(verdicts.some(({ proven }) => !proven)).toBe(true);
    expect(verdicts.some(({ reason }) => reason?.startsWith('3 matches of window w '))).toBe(true);
  });

  it('continues after a page that was cut short', () => {
    const service = new LookupService(filings(95, day), { truncateAt: 20 });
    const { verdicts, requests } = readAll(service);
    expect(requests.map(({ from }) => from)).toEqual([0, 19, 38, 57, 76]);
    expect(verdicts[0]).toMatchObject({ found: 95, proven: true });
  });

  it('does not take a limit that the service keeps silent about for the end', () => {
    for (const count of ['all', 'page', 'none'] as const) {
      const service = new LookupService(filings(260, day), { silentLimit: 100, count });
      const { found, verdicts } = readAll(service);
      expect(found.size).toBe(260);
      expect(verdicts[0]).toMatchObject({ found: 260, proven: true });
    }
  });

  it('proves nothing by the count of a page, but by an empty page and a second look at the edges', () => {
    const service = new LookupService(filings(950, day), { count: 'page' });
    const { verdicts, requests } = readAll(service, {}, 200);
    expect(requests.slice(0, 6).map(({ from }) => from)).toEqual([0, 200, 400, 600, 800, 950]);
    expect(requests.slice(6).map(({ from, to }) => [from, to])).toEqual([
      [0, 100],
      [100, 300],
      [300, 500],
      [500, 700],
      [700, 900],
      [850, 1050],
    ]);
    expect(verdicts[0]).toMatchObject({ promised: 950, found: 950, proven: true });
  });

  it('finds what arrives while it pages, with the oldest first', () => {
    const service = new LookupService(filings(500, day));
    service.meanwhile = (request) => {
      if (request <= 3) service.filings.push(filing('2024-06-30'));
    };
    const { found, verdicts } = readAll(service, {}, 100);
    expect(found.size).toBe(503);
    expect(verdicts[0]).toMatchObject({ promised: 503, found: 503, proven: true });
  });

  it('is read again if a service that lists the newest first has shifted', () => {
    const service = new LookupService(filings(500, day), { ignoresOrder: true });
    service.meanwhile = (request) => {
      if (request === 3) service.filings.push(filing('2024-06-30'), filing('2024-06-30'));
    };
    const { found, verdicts } = readAll(service, {}, 100);
    expect(found.size).toBe(502);
    expect([...found.values()].every((times) => times === 1)).toBe(true);
    expect(verdicts[0]).toMatchObject({ promised: 502, found: 502, proven: true });
  });

  it('is read again if filings disappear while it is paged', () => {
    const service = new LookupService(filings(500, day));
    service.meanwhile = (request) => {
      if (request === 3) service.filings.splice(0, 5);
    };
    const { verdicts } = readAll(service, {}, 100);
    expect(verdicts[0]).toMatchObject({ promised: 495, found: 500, proven: true });
  });

  it('reports filings that never stop arriving at the front', () => {
    const service = new LookupService(filings(500, day), { ignoresOrder: true, count: 'page' });
    service.meanwhile = () => void service.filings.push(filing('2024-06-30'));
    const { verdicts, requests } = readAll(service, {}, 100);
    expect(verdicts[0]).toMatchObject({ proven: false });
    expect(verdicts[0]!.reason).toContain('arriving');
    expect(requests.length).toBeLessThan(80);
  });

  it('is not proven if the service counts more than it gives', () => {
    const service = new LookupService(filings(95, day));
    const ask = service.ask.bind(service);
    service.ask = (request) => ({ ...ask(request), count: 99 });
    const { verdicts, requests } = readAll(service);
    expect(verdicts[0]).toMatchObject({ promised: 99, found: 95, proven: false });
    expect(verdicts[0]!.reason).toBe('the service counts 99, and 95 were found in 2 readings');
    expect(requests.length).toBeLessThan(6);
  });

  it('is read as far as it goes, and no further, if the service counts more than exists', () => {
    for (const count of [50_000, 10 ** 15]) {
      for (const [real, most] of [
        [0, 4],
        [150, 5],
        [2_500, 30],
      ] as const) {
        const service = new LookupService(filings(real, day));
        const ask = service.ask.bind(service);
        service.ask = (request) => ({ ...ask(request), count });
        const { found, verdicts, requests } = readAll(service, {}, 100);
        expect(found.size).toBe(real);
        expect(verdicts).toMatchObject([{ window: 'w', promised: count, found: real, proven: false }]);
        expect(verdicts[0]!.reason).toContain('no record at position 9999');
        expect(requests.length).toBeLessThanOrEqual(most);
      }
    }
  });

  it.each([
    [60, 30, 10, 'all'],
    [60, 30, 10, 'none'],
    [60, 30, 10, 'page'],
    [60, 0, 10, 'all'],
    [60, 0, 10, 'none'],
    [700, 300, 100, 'none'],
    [12_000, 30, 1_000, 'all'],
    [12_000, 30, 1_000, 'none'],
  ] as const)(
    'is not read or split without end if the service takes no position after some: of %i filings %i, pages of %i, count %s',
    (number, lastPosition, pageSize, count) => {
      const service = new LookupService(filings(number, day), { lastPosition, count });
      const { verdicts, requests, found } = readAll(service, {}, pageSize);
      expect(requests.length).toBeLessThanOrEqual(20);
      expect(found.size).toBeGreaterThanOrEqual(lastPosition + pageSize);
      // Of a split window, a part may be so small that its first pages are all of it.
      for (const { proven, reason, promised, found: of } of verdicts)
        expect(proven ? of === promised : reason?.startsWith('the service ignores `from`')).toBe(true);
      expect(verdicts.some(({ proven }) => !proven)).toBe(true);
    },
  );

  it('is not split without end if the service ignores dates', () => {
    const service = new LookupService(filings(12_000, day));
    const ask = service.ask.bind(service);
    service.ask = ({ from, to, sort_by, sort_order }) => ask({ from, to, sort_by, sort_order });
    const { verdicts, requests } = readAll(service);
    expect(verdicts.every(({ proven }) => !proven)).toBe(true);
    expect(verdicts[0]!.reason).toBe(
      'the service ignores date_from and date_to: most records of the window are others',
    );
    expect(requests.length).toBeLessThan(50);
  });

  it.each<[ExportWindow['filter'], string | null]>([
    [{ date_from: '2024-02-01', date_to: '2024-02-02' }, 'the service ignores date_from and date_to'],
    [{ form_types: ['10-K405'] }, 'the service ignores form_types'],
    [{ form_types: ['8K'], excluded_form_types: ['10-K'] }, null],
    [{}, null],
  ])('is not proven if most records are outside its filter, however few they are: %j', (filter, reason) => {
    for (const count of [9, 60]) {
      const service = new LookupService(filings(count, day, () => '8-K'));
      const ask = service.ask.bind(service);
      service.ask = ({ from, to, sort_by, sort_order }) => ask({ from, to, sort_by, sort_order });
      const { found, verdicts } = readAll(service, filter, 7);
      const of = count < 10 ? null : reason;
      expect(found.size).toBe(count);
      expect(verdicts).toMatchObject([
        { proven: of === null, reason: of && `${of}: most records of the window are others` },
      ]);
    }
  });

  it('reports a filing whose date moves it from a part that is not read yet to one that is', () => {
    for (const at of [4, 5]) {
      const service = new LookupService(filings(30_000, day));
      service.meanwhile = (request) => {
        if (request !== at) return;
        const moved = service.filings.findIndex(({ filing_date }) => filing_date === '2024-05-20');
        service.filings[moved] = { ...service.filings[moved]!, filing_date: '2024-01-02' };
      };
      const { found, verdicts } = readAll(service, { date_from: '2024-01-01', date_to: '2024-06-29' });
      expect(found.size).toBe(29_999);
      expect(verdicts.filter(({ proven }) => !proven)).toMatchObject([
        { reason: expect.stringContaining('1 matches of window w are in none of its parts') },
      ]);
    }
  });

  it('has every filing that stays, though one disappears whenever another one arrives', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 20, max: 300 }),
        fc.integer({ min: 10, max: 120 }),
        fc.integer({ min: 1, max: 6 }),
        fc.nat(),
        fc.integer({ min: 0, max: 149 }),
        (number, pageSize, at, place, date) => {
          const service = new LookupService(filings(number, day));
          service.meanwhile = (request) => {
            if (request !== at) return;
            service.filings.splice(place % service.filings.length, 1);
            service.filings.push(...filings(1, () => day(date)));
          };
          const before = new Set(service.filings.map(({ key }) => key));
          const { found, verdicts } = readAll(service, {}, pageSize);
          const lost = service.filings.filter(({ key }) => before.has(key) && !found.has(key));
          if (verdicts[0]!.proven) expect(lost).toEqual([]);
        },
      ),
      { numRuns: runs(1_000) },
    );
  });

  it('counts a record that broke the contract as found if its number was readable, and proves nothing otherwise', () => {
    const readWith = (unreadable: string | null) => {
      const reading = new WindowReading({ id: 'w', filter: {}, today: TODAY, inexact: null }, 10_000);
      for (let i = 0; i < 9; i++) {
        const step = reading.next();
        if (!('ask' in step)) return 'done' in step ? step.done : null;
        reading.take({
          count: 3,
          truncated: false,
          received: 3,
          records: filings(2, () => day(1)),
          unreadable: [unreadable],
        });
      }
      return null;
    };
    expect(readWith('0000000009-24-000001')).toMatchObject({ found: 3, proven: true });
    expect(readWith(null)).toMatchObject({ found: 2, proven: false, reason: '1 records could not be read' });
  });

  it('continues from the saved state of another attempt', () => {
    const all = filings(500, day);
    const service = new LookupService(all);
    const window: ExportWindow = { id: 'w', filter: {}, today: TODAY, inexact: null };
    const first = new WindowReading(window, 100);
    const found = new Set<string>();
    for (let page = 0; page < 3; page++) {
      const step = first.next();
      if ('ask' in step) for (const number of first.take(service.ask(step.ask))) found.add(number);
    }
    const second = new WindowReading(window, 100, {
      state: JSON.parse(JSON.stringify(first.save())),
      found: readable(found),
    });
    let fresh = 0;
    for (let step = second.next(); 'ask' in step; step = second.next())
      fresh += second.take(service.ask(step.ask)).size;
    expect(service.requests).toBe(6);
    expect(fresh).toBe(202);
    expect(second.next()).toEqual({ done: { promised: 500, found: 500, proven: true, reason: null } });
  });

  it('proves nothing by filings that disappeared, even if another attempt continues', () => {
    const service = new LookupService(filings(500, day));
    const window: ExportWindow = { id: 'w', filter: {}, today: TODAY, inexact: null };
    const first = new WindowReading(window, 100);
    const found = new Set<string>();
    for (let page = 0; page < 4; page++) {
      if (page === 2) service.filings.splice(0, 5);
      const step = first.next();
      if ('ask' in step) for (const number of first.take(service.ask(step.ask))) found.add(number);
    }
    const second = new WindowReading(window, 100, { state: first.save(), found: readable(found) });
    for (let step = second.next(); 'ask' in step; step = second.next()) second.take(service.ask(step.ask));
    expect(second.next()).toEqual({ done: { promised: 495, found: 500, proven: true, reason: null } });
  });
});

describe('a selection with more matches than can be read', () => {
  it('is cut by date, and open ends stay open', () => {
    const old = filing('1988-05-05');
    const ahead = filing('2024-07-01');
    const service = new LookupService([...filings(24_000, day), old, ahead]);
    const { found, verdicts, requests } = readAll(service);
    expect(found.size).toBe(24_002);
    expect(verdicts.every(({ proven }) => proven)).toBe(true);
    expect(verdicts.reduce((sum, { found: n }) => sum + n, 0)).toBe(24_002);
    expect(requests.length).toBeLessThan(14);
  });

  it('is split by date even if the service counts pages only, or lists the newest first', () => {
    for (const liberties of [
      { count: 'page' },
      { count: 'none', ignoresOrder: true },
      { ignoresOrder: true },
    ] as const) {
      const service = new LookupService(filings(23_000, day), liberties);
      const { found, verdicts, requests } = readAll(service);
      expect(found.size).toBe(23_000);
      expect(verdicts.every(({ proven }) => proven)).toBe(true);
      expect(requests.length).toBeLessThan(60);
    }
  });

  it('is cut by form type on a single day, with the complement of the forms seen', () => {
    const form = (i: number) => (i % 3 === 0 ? '4' : i % 3 === 1 ? '424B2' : `N-${i % 40}`);
    const service = new LookupService([...filings(26_000, () => '2024-02-14', form), filing('2024-02-14', 'RARE')]);
    const { found, verdicts } = readAll(service, { date_from: '2024-02-14', date_to: '2024-02-14' });
    expect(found.size).toBe(26_001);
    expect(verdicts.every(({ proven }) => proven)).toBe(true);
  });

  it('is read from both ends if it is one form of one day', () => {
    const service = new LookupService(filings(15_000, () => '2024-02-14'));
    const { found, verdicts } = readAll(service, { date_from: '2024-02-14', date_to: '2024-02-14', form_types: ['4'] });
    expect(found.size).toBe(15_000);
    expect(verdicts).toEqual([{ window: 'w', promised: 15_000, found: 15_000, proven: true, reason: null }]);
  });

  it('is split by the letters of names if both ends do not reach', () => {
    const service = new LookupService(filings(40_000, () => '2024-02-14'));
    const { found, verdicts } = readAll(service, { date_from: '2024-02-14', date_to: '2024-02-14', form_types: ['4'] });
    expect(found.size).toBe(40_000);
    expect(verdicts.every(({ proven }) => proven)).toBe(true);
  });

  it('is not proven if nothing can split it', () => {
    const one = Array.from({ length: 21_000 }, () => ({ ...filing('2024-02-14', '4', 'ONE NAME'), size: 1 }));
    const { verdicts } = readAll(new LookupService(one), {
      date_from: '2024-02-14',
      date_to: '2024-02-14',
      form_types: ['4'],
    });
    expect(verdicts.some(({ proven }) => !proven)).toBe(true);
  });

  it('is not proven by dates if a filing has none', () => {
    const service = new LookupService([
      ...filings(12_000, day),
      { ...filing('2024-01-01'), filing_date: null as unknown as string },
    ]);
    service.filings.sort(() => 0);
    const ask = service.ask.bind(service);
    service.ask = (request) => {
      const page = ask(request);
      return request.date_from === undefined && request.date_to === undefined
        ? { ...page, records: [{ ...page.records[0]!, filing_date: null }, ...page.records.slice(1)] }
        : page;
    };
    const { verdicts } = readAll(service);
    expect(verdicts.length).toBeGreaterThan(1);
    expect(verdicts.every(({ proven, reason }) => !proven && reason!.includes('no filing date'))).toBe(true);
  });

  it('tells each of its windows by dates and the rest of the filter', () => {
    const window: ExportWindow = {
      id: 'w-2',
      filter: { date_from: '2024-01-01', form_types: ['10-K'] },
      today: TODAY,
      inexact: null,
    };
    expect(windowRecord(window)).toEqual({
      window: 'w-2',
      date_from: '2024-01-01',
      date_to: null,
      filter: '{"form_types":["10-K"]}',
    });
  });
});

describe('whatever liberties a service takes', () => {
  const liberties: fc.Arbitrary<Liberties> = fc.record(
    {
      count: fc.constantFrom('all', 'page', 'none'),
      truncateAt: fc.integer({ min: 1, max: 60 }),
      ignoresOrder: fc.boolean(),
    },
    { requiredKeys: [] },
  );

  it('nothing is lost, nothing comes twice, and every window is proven, while nothing arrives', () => {
    fc.assert(
      fc.property(
        liberties,
        fc.integer({ min: 0, max: 400 }),
        fc.integer({ min: 1, max: 500 }),
        (taken, number, pageSize) => {
          const service = new LookupService(filings(number, day), taken);
          const { found, verdicts } = readAll(service, {}, pageSize);
          expect(found.size).toBe(number);
          expect([...found.values()].every((times) => times === 1)).toBe(true);
          expect(verdicts).toEqual([{ window: 'w', promised: number, found: number, proven: true, reason: null }]);
        },
      ),
      { numRuns: runs(120) },
    );
  });

  it('a window that is called proven has all that was there when its last look began, though filings arrive in between', () => {
    const arrivals = fc.array(
      fc.record({ at: fc.integer({ min: 1, max: 12 }), number: fc.integer({ min: 1, max: 3 }) }),
      {
        maxLength: 4,
      },
    );
    fc.assert(
      fc.property(
        liberties,
        arrivals,
        fc.integer({ min: 20, max: 300 }),
        fc.integer({ min: 10, max: 120 }),
        (taken, due, number, pageSize) => {
          const service = new LookupService(filings(number, day), taken);
          service.meanwhile = (request) => {
            for (const arrival of due) {
              if (arrival.at === request) service.filings.push(...filings(arrival.number, () => '2024-06-30'));
            }
          };
          const { due: wanted, found, verdicts } = readAll(service, {}, pageSize);
          expect([...found.values()].every((times) => times === 1)).toBe(true);
          if (verdicts[0]!.proven) expect([...wanted].filter((number) => !found.has(number))).toEqual([]);
        },
      ),
      { numRuns: runs(120) },
    );
  });
});

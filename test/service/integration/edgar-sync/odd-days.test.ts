/** What EDGAR and a machine's clock do on odd days: half-written indexes, odd listings, faults that stay, turns of the year. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { addDays } from '../../../../src/core/index.ts';
import { storedAmong } from '../../../../src/service/edgar-sync/catalog-contents.ts';
import { easternTime } from '../../../../src/service/edgar-sync/clock.ts';
import {
  backfill,
  edgarDays,
  fetchSelected,
  followOnce,
  ledgerError,
  openSession,
  type Session,
  type SyncEvent,
  selectFilings,
} from '../../../../src/service/edgar-sync/index.ts';
import { SimulatedClock } from '../../../support/edgar-sync/simulated-clock.ts';
import { quickIt as it, quickDescribe, slowIt } from '../../../support/tier-cases.ts';
import { BLOCK_PAGE, LocalEdgar, type LocalFiling } from './local-edgar.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let folder: string;
let edgar: LocalEdgar;
let clock: SimulatedClock;
let events: SyncEvent[];
let numbered: number;

async function inSession<Result>(work: (session: Session) => Result | Promise<Result>): Promise<Result> {
  const session = openSession({
    settings: {
      baseUrl: edgar.url,
      dataUrl: edgar.url,
      agent: 'A Tester tester@example.com',
      blockSeconds: 601,
      homeFolder: join(folder, 'home'),
    },
    catalogFolder: join(folder, 'catalog'),
    onEvent: (event) => events.push(event),
    threads: 0,
    clock,
  });
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

const look = () => inSession(followOnce);
const days = () => inSession(({ ledger }) => edgarDays(ledger, join(folder, 'catalog')));

function filing(acceptedAt: number, more: Partial<LocalFiling> = {}): LocalFiling {
  numbered++;
  return {
    accession: `0000999999-25-${String(numbered).padStart(6, '0')}`,
    form: '8-K',
    filingDate: easternTime(acceptedAt).date,
    acceptedAt,
    text: `Text ${numbered}.`,
    parties: [{ cik: '320193', name: 'Example Orchards Inc', role: 'Filer' }],
    ...more,
  };
}

function publish(count: number, more: Partial<LocalFiling> = {}): LocalFiling[] {
  const filings = Array.from({ length: count }, (_, n) => filing(clock.now() - n * 1000, more));
  edgar.publish(...filings);
  return filings;
}

function stored(): string[] {
  const numbers = Array.from({ length: numbered }, (_, n) => `0000999999-25-${String(n + 1).padStart(6, '0')}`);
  return [...storedAmong(join(folder, 'catalog'), numbers)].sort();
}

const eventsOf = (kind: SyncEvent['event']) => events.filter(({ event }) => event === kind);
const indexPath = (day: string) => `master.${day.replaceAll('-', '')}.idx`;

async function startAt(time: string): Promise<void> {
  await edgar?.close();
  clock = new SimulatedClock(time);
  edgar = await LocalEdgar.start(() => clock.now());
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'filinglake-odd-'));
  // A Tuesday, noon Eastern.
  clock = new SimulatedClock('2025-03-04T17:00:00Z');
  edgar = await LocalEdgar.start(() => clock.now());
  events = [];
  numbered = 0;
});

afterEach(async () => {
  await edgar.close();
  rmSync(folder, { recursive: true, force: true });
});

quickDescribe('a day', () => {
  it('whose index was half written, at the end of a line, is read again', async () => {
    const letters = publish(4, { isLetter: true });
    await look();
    for (const one of letters.slice(2)) edgar.filings.delete(one.accession);
    clock.jump(11 * HOUR);
    edgar.writeDay('2025-03-04');
    await look();
    expect(await days()).toMatchObject([{ expected: 2, missing: 0 }]);
    edgar.publish(...letters);
    clock.jump(2 * HOUR);
    edgar.writeDay('2025-03-04');
    await look();
    expect(stored()).toHaveLength(4);
    expect(await days()).toMatchObject([{ expected: 4, in_catalog: 4, missing: 0, proven_at: expect.any(String) }]);
    // An unchanged index is requested, and gives nothing new.
    const said = eventsOf('day').length;
    for (let again = 0; again < 2; again++) {
      clock.jump(2 * HOUR);
      await look();
    }
    expect(eventsOf('day')).toHaveLength(said);
    expect(edgar.asked.filter(({ path }) => path.includes(indexPath('2025-03-04'))).at(-1)?.status).toBe(304);
  });

  it('whose index is damaged is known and not proven, and holds up no other day', async () => {
    publish(1);
    await look();
    clock.jump(DAY);
    publish(1, { isLetter: true });
    edgar.writeDay('2025-03-04');
    clock.jump(11 * HOUR);
    edgar.writeDay('2025-03-05');
    const damaged = indexPath('2025-03-04');
    edgar.fault = (path) => (path.includes(damaged) ? { status: 200, body: 'soon' } : null);
    await look();
    expect(stored()).toHaveLength(2);
    expect(await days()).toMatchObject([
      { day: '2025-03-04', expected: null, proven_at: null },
      { day: '2025-03-05', expected: 1, missing: 0, proven_at: expect.any(String) },
    ]);
    clock.jump(HOUR);
    await look();
    // Each `--once` names it.
    expect(eventsOf('gap')).toEqual(Array(2).fill({ event: 'gap', message: "the index of 2025-03-04 can't be read" }));
    edgar.fault = () => null;
    clock.jump(HOUR);
    await look();
    expect((await days())[0]).toMatchObject({ expected: 1, in_catalog: 1, proven_at: expect.any(String) });
  });

  it('is found in the page of the folder if its JSON is missing or damaged, and packed indexes are read', async () => {
    publish(2, { isLetter: true });
    await look();
    clock.jump(11 * HOUR);
    const page = (names: string[]) =>
      `<html><title>Directory Listing</title><table>${names.map((n) => `<tr><td><a href="${n}">${n}</a></td></tr>`).join('')}</table></html>`;
    edgar.writeDay('2025-03-04');
    const plain = await (
      await fetch(`${edgar.url}/Archives/edgar/daily-index/2025/QTR1/${indexPath('2025-03-04')}`, {
        headers: { 'user-agent': 'A Tester tester@example.com' },
      })
    ).text();
    const faults: Record<string, { status: number; body: string | Buffer }> = {
      'index.json': { status: 200, body: '{"directory":' },
      'QTR1/': { status: 200, body: page(['master.20250304.idx.gz']) },
      'master.20250304.idx.gz': { status: 200, body: gzipSync(plain) },
    };
    edgar.fault = (path) => Object.entries(faults).find(([end]) => path.endsWith(end))?.[1] ?? null;
    await look();
    expect(await days()).toMatchObject([{ day: '2025-03-04', expected: 2, in_catalog: 2, missing: 0 }]);
  });

  it('counts a filing once that its index repeats, and proves each day that names a filing', async () => {
    const twin = [
      { cik: '320193', name: 'Example Orchards Inc', role: 'Filer' },
      { cik: '320193', name: 'Example Orchards Inc', role: 'Filer' },
    ];
    const [one] = publish(1, { parties: twin });
    await look();
    clock.jump(DAY);
    edgar.writeDay('2025-03-04');
    edgar.publish({ ...one!, publishedOn: '2025-03-05' });
    clock.jump(11 * HOUR);
    edgar.writeDay('2025-03-05');
    await look();
    expect(await days()).toMatchObject(['2025-03-04', '2025-03-05'].map((day) => ({ day, expected: 1, missing: 0 })));
    expect(eventsOf('corrected')).toEqual([]);
    expect([...edgar.downloads().values()]).toEqual([1]);
  });

  it('is proven over a turn of the year, when its index comes days late, and when clocks go forward', async () => {
    for (const [noon, count] of [
      ['2024-12-31T17:00:00Z', 1],
      ['2025-03-07T17:00:00Z', 2],
    ] as const) {
      rmSync(join(folder, 'catalog'), { recursive: true, force: true });
      await startAt(noon);
      const first = easternTime(clock.now()).date;
      publish(count, { isLetter: true });
      await look();
      clock.jump(6 * DAY);
      publish(1);
      await look();
      edgar.writeDay(first);
      edgar.writeDay(addDays(first, 6));
      clock.jump(DAY);
      await look();
      expect((await days()).map(({ day, expected, missing }) => [day, expected, missing])).toEqual([
        [first, count, 0],
        [addDays(first, 6), 1, 0],
      ]);
    }
  });
});

quickDescribe('a clock', () => {
  it('that was years ahead, and was set back, leaves no day unproven and no filing unasked', async () => {
    clock.jump(2000 * DAY);
    const [late] = publish(1);
    edgar.fault = (path) => (path.includes('.txt') ? { status: 404, body: '' } : null);
    await look();
    clock.jump(-2000 * DAY);
    edgar.fault = () => null;
    edgar.publish({ ...late!, acceptedAt: clock.now(), filingDate: '2025-03-04' });
    clock.jump(DAY);
    edgar.writeDay('2025-03-04');
    publish(1, { isLetter: true });
    await look();
    clock.jump(DAY);
    edgar.writeDay('2025-03-05');
    await look();
    expect(stored()).toHaveLength(2);
    expect((await days()).at(-1)).toMatchObject({ day: '2025-03-05', missing: 0, proven_at: expect.any(String) });
  });
});

quickDescribe('a correction', () => {
  it('of its parties alone is seen at the first reading of the quarter', async () => {
    const [one] = publish(1);
    await look();
    clock.jump(11 * HOUR);
    edgar.writeDay('2025-03-04');
    edgar.writeQuarter('2025/QTR1', '2025-03-03');
    await look();
    clock.jump(5 * DAY);
    const parties = [{ cik: '789019', name: 'Sample Windows Corp', role: 'Filer' }];
    edgar.publish({ ...one!, parties, text: 'Corrected.' });
    edgar.writeQuarter('2025/QTR1', '2025-03-07');
    await look();
    expect(eventsOf('corrected')).toMatchObject([{ accession_number: one!.accession }]);
  });

  it('is reported with its current form', async () => {
    const [one] = publish(1);
    await look();
    clock.jump(11 * HOUR);
    edgar.publish({ ...one!, form: '8-K/A', text: 'Corrected.' });
    edgar.writeDay('2025-03-04');
    await look();
    expect(eventsOf('corrected')).toMatchObject([{ accession_number: one!.accession, form_type: '8-K/A' }]);
  });
});

quickDescribe('a withdrawal', () => {
  async function weekWithout(lost: readonly LocalFiling[]): Promise<void> {
    await look();
    clock.jump(11 * HOUR);
    edgar.writeDay('2025-03-04');
    edgar.writeQuarter('2025/QTR1', '2025-03-04');
    await look();
    clock.jump(5 * DAY);
    for (const { accession } of lost) edgar.filings.delete(accession);
    edgar.writeQuarter('2025/QTR1', '2025-03-07');
  }

  it('is not seen in an index of a quarter that was half written', async () => {
    publish(5);
    const lost = publish(4, { parties: [{ cik: '999', name: 'Last of All', role: 'Filer' }] });
    await weekWithout(lost);
    edgar.publish(...lost);
    await look();
    expect(eventsOf('withdrawn')).toEqual([]);
    expect(eventsOf('gap')).toHaveLength(1);
    // The next rebuild is whole.
    clock.jump(7 * DAY);
    edgar.writeQuarter('2025/QTR1', '2025-03-14');
    await look();
    expect(eventsOf('withdrawn')).toEqual([]);
  });

  it('of several filings at the end of an index is seen if EDGAR has them no more', async () => {
    publish(5);
    await weekWithout(publish(4, { parties: [{ cik: '999', name: 'Last of All', role: 'Filer' }] }));
    await look();
    expect(eventsOf('withdrawn')).toHaveLength(4);
  });
});

describe('a walk', () => {
  it('does not take a short page in the middle for the end', async () => {
    publish(350);
    let shortened = 0;
    const empty = '<?xml version="1.0" encoding="ISO-8859-1" ?><feed xmlns="http://www.w3.org/2005/Atom"></feed>';
    edgar.fault = (path) =>
      path.includes('start=100&') && shortened++ === 0
        ? { status: 200, type: 'application/atom+xml', body: empty }
        : null;
    await look();
    expect(stored().length).toBe(250);
    clock.jump(60_000);
    publish(1);
    await look();
    clock.jump(60_000);
    await look();
    expect(stored().length).toBe(351);
  });

  it('that meets EDGAR’s refusal behind the last full page ends within seconds, and loses nothing', async () => {
    publish(200);
    edgar.fault = (path) =>
      path.includes('start=200')
        ? { status: 503, body: '<html><title>SEC.gov | File Unavailable</title></html>' }
        : null;
    const start = clock.now();
    await look();
    expect(stored()).toHaveLength(200);
    expect(edgar.asked.filter(({ path }) => path.includes('start=200')).length).toBeLessThanOrEqual(3);
    expect(clock.now() - start).toBeLessThan(60_000);
  });

  slowIt('reports filings beyond the reach of the feed, and the day’s index has them', async () => {
    publish(1);
    await look();
    clock.jump(HOUR);
    const parties = Array.from({ length: 60 }, (_, n) => ({
      cik: String(1000 + n),
      name: `Owner ${n}`,
      role: 'Reporting',
    }));
    publish(90, { parties });
    await look();
    expect(eventsOf('gap')).toHaveLength(1);
    expect(stored().length).toBeLessThan(91);
    clock.jump(10 * HOUR);
    edgar.writeDay('2025-03-04');
    await look();
    expect(stored()).toHaveLength(91);
    expect(await days()).toMatchObject([{ expected: 91, missing: 0 }]);
  });
});

quickDescribe('a block', () => {
  it('is reported once, however many requests wait for its end', async () => {
    publish(12);
    let refusals = 0;
    edgar.fault = (path) => (path.includes('.txt') && refusals++ === 0 ? { status: 429, body: BLOCK_PAGE } : null);
    await look();
    expect(eventsOf('blocked')).toHaveLength(1);
    expect(stored()).toHaveLength(12);
  });
});

quickDescribe('a host', () => {
  it('that is unreachable is retried with patience once, and then only checked', async () => {
    edgar.fault = () => 'drop';
    const start = clock.now();
    await expect(look()).rejects.toMatchObject({ code: 'edgar-unreachable', exitCode: 5 });
    expect(clock.now() - start).toBeLessThan(45_000);
  });
});

quickDescribe('the ledger', () => {
  it('that is damaged in its middle is named, with what to do', async () => {
    publish(50);
    await look();
    const file = join(folder, 'catalog', 'edgar.db');
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0x5a, 4096));
    const error = await days().catch((cause) => ledgerError(cause, join(folder, 'catalog')));
    expect(error).toMatchObject({ code: 'edgar-ledger-unusable', message: expect.stringContaining('edgar.db') });
  });
});

quickDescribe('the disk', () => {
  it('that is full ends the command with a remedy, and the next one continues', async () => {
    const [one] = publish(1);
    const incoming = join(folder, 'catalog', 'edgar-incoming');
    mkdirSync(incoming, { recursive: true });
    const partial = join(incoming, `${one!.accession}.txt.part`);
    await inSession(async (session) => {
      // After the session's own tidying.
      edgar.fault = (path) => {
        if (path.includes('.txt')) symlinkSync('/dev/full', partial);
        return null;
      };
      await expect(followOnce(session)).rejects.toMatchObject({
        code: 'catalog-unwritable',
        message: expect.stringContaining('no space'),
      });
    });
    edgar.fault = () => null;
    await look();
    expect(stored()).toHaveLength(1);
  });

  it('that kept half of a download under its name costs one more download', async () => {
    const [one] = publish(1);
    const incoming = join(folder, 'catalog', 'edgar-incoming');
    mkdirSync(incoming, { recursive: true });
    await inSession(({ ledger }) =>
      ledger.note(
        [
          {
            accession_number: one!.accession,
            form_type: '8-K',
            filing_date: '2025-03-04',
            path: `edgar/data/320193/${one!.accession}.txt`,
            accepted_at: 1,
            source: 'feed',
          },
        ],
        clock.now(),
      ),
    );
    writeFileSync(join(incoming, `${one!.accession}.txt`), `<SEC-DOCUMENT>${one!.accession}.txt\n<SEC-HEADER>`);
    await look();
    expect(eventsOf('missing')).toEqual([]);
    expect(stored()).toHaveLength(1);
  });
});

quickDescribe('fetch and backfill', () => {
  it('fetch reads the days that the last quarter’s index lacks just after its end', async () => {
    await startAt('2025-03-31T17:00:00Z');
    publish(1);
    clock.jump(DAY);
    edgar.writeQuarter('2025/QTR1', '2025-03-28');
    edgar.writeDay('2025-03-31');
    const plan = await inSession(async (session) => {
      const selected = await selectFilings(session, { from: '2025-03-31', to: '2025-03-31' });
      await fetchSelected(session, selected);
      return selected.plan;
    });
    expect(plan).toMatchObject({ filings: 1, unindexed: [] });
    expect(stored()).toHaveLength(1);
  });

  it('fetch names a day whose index is listed but can’t be read', async () => {
    publish(1);
    edgar.writeDay('2025-03-04');
    edgar.fault = (path) => (path.includes(indexPath('2025-03-04')) ? { status: 404, body: '' } : null);
    clock.jump(DAY);
    const { plan } = await inSession((session) => selectFilings(session, { from: '2025-03-04' }));
    expect(plan.unindexed).toEqual(['2025-03-04']);
  });

  it('fetch has its filings though the list of tickers is damaged', async () => {
    publish(1);
    edgar.writeQuarter('2025/QTR1', '2025-03-04');
    edgar.fault = (path) => (path.includes('tickers') ? { status: 200, body: 'soon' } : null);
    await inSession(async (session) => fetchSelected(session, await selectFilings(session, { from: '2025-03-04' })));
    expect(stored()).toHaveLength(1);
    expect(eventsOf('gap')).toHaveLength(1);
  });

  it('backfill does not take a quarter without a listing for one without filings', async () => {
    const missing = await inSession(async (session) => {
      await backfill(session, { from: '2024-02-01', to: '2024-02-29', onDay: () => {} });
      return session.counts.missing;
    });
    expect([missing, eventsOf('gap')]).toEqual([
      1,
      [{ event: 'gap', message: 'EDGAR lists no daily index of 2024/QTR1' }],
    ]);
  });
});

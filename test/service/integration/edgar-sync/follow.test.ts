import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { addDays } from '../../../../src/core/index.ts';
import { Catalog } from '../../../../src/service/catalog/index.ts';
import { storedAmong } from '../../../../src/service/edgar-sync/catalog-contents.ts';
import { easternTime } from '../../../../src/service/edgar-sync/clock.ts';
import {
  edgarDays,
  followOnce,
  openSession,
  type Session,
  type SyncEvent,
} from '../../../../src/service/edgar-sync/index.ts';
import { quarterOf } from '../../../../src/service/edgar-sync/places.ts';
import { SimulatedClock } from '../../../support/edgar-sync/simulated-clock.ts';
import { seeded } from '../../../support/seeded-chance.ts';
import { quickIt as it, slowDescribe, slowIt } from '../../../support/tier-cases.ts';
import { BLOCK_PAGE, LocalEdgar, type LocalFiling, publishedOn } from './local-edgar.ts';

const HOUR = 3_600_000;

let folder: string;
let edgar: LocalEdgar;
let clock: SimulatedClock;
let events: SyncEvent[];
let sessions: Session[];

function session(): Session {
  const opened = openSession({
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
  sessions.push(opened);
  return opened;
}

async function look(): Promise<void> {
  const one = session();
  try {
    await followOnce(one);
  } finally {
    await one.close();
  }
}

let numbered = 0;
function filing(acceptedAt: number, more: Partial<LocalFiling> = {}): LocalFiling {
  numbered++;
  const { date } = easternTime(acceptedAt);
  return {
    accession: `0000999999-25-${String(numbered).padStart(6, '0')}`,
    form: '8-K',
    filingDate: date,
    acceptedAt,
    parties: [{ cik: '320193', name: 'Example Orchards Inc', role: 'Filer' }],
    text: `Text of filing ${numbered}.`,
    ...more,
  };
}

function catalogFilings(): string[] {
  const named = events.flatMap((e) => ('accession_number' in e ? [e.accession_number] : []));
  return [...storedAmong(join(folder, 'catalog'), [...edgar.filings.keys(), ...named])].sort();
}

function textOf(accession: string): string {
  const catalog = Catalog.open(join(folder, 'catalog'));
  try {
    return (
      catalog
        .mainDocument(accession as never)
        ?.read()
        .toString() ?? ''
    );
  } finally {
    catalog.close();
  }
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'filinglake-follow-'));
  // A Tuesday, noon Eastern.
  clock = new SimulatedClock('2025-03-04T17:00:00Z');
  edgar = await LocalEdgar.start(() => clock.now());
  events = [];
  sessions = [];
  numbered = 0;
});

afterEach(async () => {
  for (const one of sessions) await one.close();
  await edgar.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('following EDGAR', () => {
  it('stores the filings of the feed, each once, and requests nothing again', async () => {
    const start = clock.now();
    for (let n = 0; n < 130; n++) edgar.publish(filing(start - n * 60_000));
    await look();
    expect(catalogFilings()).toHaveLength(130);
    await look();
    expect([...edgar.downloads().values()]).toEqual(Array(130).fill(1));
    // The first look asks once behind the page that is not full; the second one ends behind two pages that are known.
    expect(edgar.asked.filter(({ path }) => path.includes('getcurrent'))).toHaveLength(5);
  });

  it('records when a look ended without a problem: a service states how long ago that was', async () => {
    const followedAt = () => {
      const catalog = Catalog.open(join(folder, 'catalog'));
      const at = catalog.followedAt();
      catalog.close();
      return at;
    };
    edgar.publish(filing(clock.now()));
    await look();
    const first = clock.now();
    expect(followedAt()).toBe(first);
    await clock.sleep(HOUR);
    edgar.fault = () => ({ status: 503, body: 'unavailable' });
    await expect(look()).rejects.toMatchObject({ code: 'edgar-unreachable' });
    expect(followedAt()).toBe(first);
    edgar.fault = () => null;
    await look();
    expect(followedAt()).toBeGreaterThanOrEqual(first + HOUR);
  });

  slowIt('continues after an incomplete walk as if it had seen nothing', async () => {
    const start = clock.now();
    for (let n = 0; n < 450; n++) edgar.publish(filing(start - n * 60_000));
    edgar.fault = (path) => (path.includes('start=200') ? { status: 503, body: 'unavailable' } : null);
    await look();
    expect(catalogFilings()).toHaveLength(200);
    edgar.fault = () => null;
    await look();
    expect(catalogFilings()).toHaveLength(450);
    expect(Math.max(...edgar.downloads().values())).toBe(1);
  });

  it('proves a day by its index, and fetches filings that were never in the feed', async () => {
    edgar.publish(
      filing(clock.now()),
      filing(clock.now() - HOUR, { form: 'UPLOAD', isLetter: true, filingDate: '2025-01-15' }),
    );
    await look();
    expect(catalogFilings()).toHaveLength(1);
    clock.jump(11 * HOUR);
    edgar.writeDay('2025-03-04');
    await look();
    expect(catalogFilings()).toHaveLength(2);
    expect(events.filter(({ event }) => event === 'day')).toMatchObject([
      { day: '2025-03-04', expected: 2, in_catalog: 2, missing: 0, proven_at: new Date(clock.now()).toISOString() },
    ]);
  });

  it('names missing filings with the reason, and proves the day when they are there', async () => {
    const late = filing(clock.now());
    edgar.publish(late);
    edgar.fault = (path) =>
      path.includes(late.accession)
        ? { status: 404, type: 'application/xml', body: '<Error><Code>NoSuchKey</Code></Error>' }
        : null;
    await look();
    clock.jump(11 * HOUR);
    edgar.writeDay('2025-03-04');
    await look();
    expect(events.filter(({ event }) => event === 'missing')).toMatchObject([
      { accession_number: late.accession, reason: 'EDGAR has no such file (404)' },
      { accession_number: late.accession },
    ]);
    expect(events.at(-1)).toMatchObject({ event: 'day', expected: 1, in_catalog: 0, missing: 1, proven_at: null });
    edgar.fault = () => null;
    clock.jump(HOUR);
    await look();
    expect(events.at(-1)).toMatchObject({
      event: 'day',
      expected: 1,
      in_catalog: 1,
      missing: 0,
      proven_at: expect.any(String),
    });
  });

  it('replaces a corrected filing, marks a withdrawn one and keeps it, and fetches a late one', async () => {
    const [corrected, withdrawn, kept] = [filing(clock.now()), filing(clock.now() - 1), filing(clock.now() - 2)];
    edgar.publish(corrected, withdrawn, kept);
    // As of the day before.
    edgar.writeQuarter('2025/QTR1', '2025-03-03');
    await look();
    clock.jump(11 * HOUR);
    edgar.writeDay('2025-03-04');
    edgar.writeQuarter('2025/QTR1', '2025-03-04');
    await look();
    // The following Saturday's rebuild.
    clock.jump(5 * 24 * HOUR);
    edgar.filings.delete(withdrawn.accession);
    edgar.publish({ ...corrected, form: '8-K/A', text: 'Corrected text.' });
    const late = filing(clock.now() - 20 * 24 * HOUR, { isLetter: true, publishedOn: '2025-03-07' });
    edgar.publish(late);
    edgar.writeQuarter('2025/QTR1', '2025-03-07');
    await look();
    expect(events.filter(({ event }) => event === 'corrected')).toMatchObject([
      { accession_number: corrected.accession },
    ]);
    expect(events.filter(({ event }) => event === 'withdrawn')).toMatchObject([
      { accession_number: withdrawn.accession },
    ]);
    expect(textOf(corrected.accession)).toContain('Corrected text.');
    expect(catalogFilings()).toEqual([corrected, withdrawn, kept, late].map(({ accession }) => accession).sort());
    expect(edgar.downloads().get(kept.accession)).toBe(1);
  });

  it('believes no index that has lost most of its rows', async () => {
    for (let n = 0; n < 40; n++) edgar.publish(filing(clock.now() - n));
    await look();
    clock.jump(11 * HOUR);
    edgar.writeDay('2025-03-04');
    edgar.writeQuarter('2025/QTR1', '2025-03-04');
    await look();
    clock.jump(5 * 24 * HOUR);
    for (const accession of [...edgar.filings.keys()].slice(0, 39)) edgar.filings.delete(accession);
    edgar.writeQuarter('2025/QTR1', '2025-03-08');
    await look();
    expect(events.filter(({ event }) => event === 'withdrawn')).toEqual([]);
    expect(events.filter(({ event }) => event === 'gap')).toHaveLength(1);
  });

  it('is silent for the whole block', async () => {
    edgar.publish(filing(clock.now()));
    let blocks = 0;
    edgar.fault = (path) => (path.includes('.txt') && blocks++ === 0 ? { status: 429, body: BLOCK_PAGE } : null);
    await look();
    const times = edgar.asked.map(({ at }) => at);
    const blockedAt = edgar.asked.find(({ status }) => status === 429)!.at;
    expect(times.filter((at) => at > blockedAt && at < blockedAt + 601_000)).toEqual([]);
    expect(catalogFilings()).toHaveLength(1);
  });

  it('does not take the storage’s answer for a missing file as a block', async () => {
    edgar.publish(filing(clock.now()));
    const start = clock.now();
    await look();
    expect(clock.now() - start).toBeLessThan(60_000);
  });

  it('downloads a file again that was cut short, or is something else', async () => {
    const [cut, other] = [filing(clock.now()), filing(clock.now() - 1)];
    edgar.publish(cut, other);
    let faults = 0;
    edgar.fault = (path) => {
      if (path.includes(cut.accession) && faults++ === 0) return 'cut';
      if (path.includes(other.accession) && faults++ <= 2)
        return { status: 200, type: 'text/plain', body: 'welcome to the proxy' };
      return null;
    };
    await look();
    expect(catalogFilings()).toHaveLength(2);
  });

  it('takes a bare header as whole, and one that was cut as cut short', async () => {
    const [whole, cut] = [filing(clock.now()), filing(clock.now() - 1)];
    edgar.publish(whole, cut);
    const header = ({ accession, filingDate }: LocalFiling, end: string) =>
      `<SEC-HEADER>${accession}.hdr.sgml : 20250304\n<ACCESSION-NUMBER>${accession}\n<TYPE>SC 13G\n<FILING-DATE>${filingDate.replaceAll('-', '')}\n<FILER>\n<COMPANY-DATA>\n<CONFORMED-NAME>A\n<CIK>0000320193\n</COMPANY-DATA>\n</FILER>\n${end}`;
    edgar.fault = (path) => {
      const one = [whole, cut].find(({ accession }) => path.endsWith(`${accession}.txt`));
      if (one === undefined) return null;
      return { status: 200, type: 'text/plain', body: header(one, one === whole ? '</SEC-HEADER>\n' : '') };
    };
    await look();
    expect(catalogFilings()).toEqual([whole.accession]);
    expect(events).toContainEqual({
      event: 'missing',
      accession_number: cut.accession,
      reason: 'the file is cut short',
    });
  });

  it('fetches everything again for a new catalog', async () => {
    edgar.publish(filing(clock.now()), filing(clock.now() - 1));
    await look();
    for (const name of ['catalog.db', 'catalog.db-wal', 'catalog.db-shm', 'packs'])
      rmSync(join(folder, 'catalog', name), { recursive: true, force: true });
    await look();
    expect(catalogFilings()).toHaveLength(2);
  });
});

slowDescribe('thirty days of EDGAR', () => {
  slowIt(
    'end with everything published, each file downloaded once, every day proven, and no second with more than eight requests',
    async () => {
      const random = seeded(20250304);
      const first = '2025-03-04';
      const DAYS = 30;
      const turns: number[] = [];
      for (let d = 0; d < DAYS; d++) {
        const day = addDays(first, d);
        const weekday = new Date(`${day}T12:00:00Z`).getUTCDay();
        if (weekday === 0 || weekday === 6 || day === '2025-03-17') continue;
        for (let n = 0; n < 12; n++) {
          const at = Date.parse(`${day}T11:00:00Z`) + Math.floor(random() * 11 * HOUR);
          if (d === 0 && at < clock.now()) continue;
          const isLetter = random() < 0.1;
          edgar.publish(
            filing(at, {
              form: ['8-K', '4', '10-Q', '485BPOS', 'D'][Math.floor(random() * 5)]!,
              isLetter,
              ...(isLetter ? { filingDate: addDays(day, -40) } : {}),
              parties: [
                { cik: '320193', name: 'Example Orchards Inc', role: 'Filer' },
                ...(random() < 0.4
                  ? [{ cik: '999998', name: "O'Hara & Sons - Holdings (UK)", role: 'Reporting' }]
                  : []),
              ],
            }),
          );
        }
      }
      const published = new Map(edgar.filings);
      const withdrawn = new Set<string>();
      const corrected = new Set<string>();
      let blocks = 0;
      edgar.fault = (path) => {
        if (random() < 0.03) return 'drop';
        if (random() < 0.02) return { status: 503, body: '<html>Service Unavailable</html>' };
        if (path.includes('.txt') && random() < 0.02) return 'cut';
        if (random() < 0.002 && blocks++ < 5) return { status: 403, body: BLOCK_PAGE };
        return null;
      };
      const written = new Set<string>();
      clock.onTime = (now) => {
        const { date, hour } = easternTime(now);
        for (let day = first; day < date || (day === date && hour >= 22); day = addDays(day, 1)) {
          if (written.has(day)) continue;
          written.add(day);
          edgar.writeDay(day);
          if (new Date(`${day}T12:00:00Z`).getUTCDay() !== 5) continue;
          // The night to Saturday: one filing is withdrawn, one corrected.
          const candidates = [...edgar.filings.values()].filter(
            (f) => publishedOn(f) <= day && !corrected.has(f.accession),
          );
          const [gone, changed] = [candidates[0], candidates.at(-1)];
          if (gone && changed && gone !== changed) {
            withdrawn.add(gone.accession);
            edgar.filings.delete(gone.accession);
            corrected.add(changed.accession);
            edgar.publish({ ...changed, form: `${changed.form}/A`, text: `Corrected on ${day}.` });
          }
          for (const quarter of new Set([quarterOf(addDays(day, -92)), quarterOf(day)]))
            edgar.writeQuarter(quarter, day);
        }
      };
      while (clock.now() < Date.parse(`${addDays(first, DAYS + 8)}T00:00:00Z`)) {
        await look().catch((error) => {
          if (!['edgar-unreachable', 'edgar-blocked', 'edgar-file-broken'].includes((error as { code: string }).code))
            throw error;
        });
        // The machine sleeps for three days in between.
        const { date } = easternTime(clock.now());
        clock.jump(date === addDays(first, 12) ? 72 * HOUR : 3 * HOUR);
      }
      expect(catalogFilings()).toEqual([...published.keys()].sort());
      expect(
        new Set(
          events
            .filter(({ event }) => event === 'withdrawn')
            .map((e) => (e as { accession_number: string }).accession_number),
        ),
      ).toEqual(withdrawn);
      for (const accession of corrected) {
        if (!withdrawn.has(accession)) expect(textOf(accession)).toContain('Corrected on');
      }
      const downloads = edgar.downloads();
      // A file that was corrected is downloaded once more, unless it came in corrected.
      for (const accession of published.keys()) {
        const most = corrected.has(accession) ? 2 : 1;
        expect([accession, Math.min(most, downloads.get(accession) ?? 0)]).toEqual([
          accession,
          downloads.get(accession),
        ]);
      }
      const one = session();
      const days = edgarDays(one.ledger, join(folder, 'catalog'));
      await one.close();
      const expected = new Map<string, number>();
      for (const f of published.values()) expected.set(publishedOn(f), (expected.get(publishedOn(f)) ?? 0) + 1);
      expect(days.map(({ day, expected: n, in_catalog, missing }) => ({ day, n, in_catalog, missing }))).toEqual(
        [...expected].sort().map(([day, n]) => ({ day, n, in_catalog: n, missing: 0 })),
      );
      expect(days.every(({ proven_at }) => proven_at !== null)).toBe(true);
      turns.push(...edgar.asked.map(({ at }) => at));
      turns.sort((a, b) => a - b);
      const mostInASecond = Math.max(
        ...turns.map((at, i) => turns.filter((other, j) => j >= i && other < at + 1000).length),
      );
      expect(mostInASecond).toBeLessThanOrEqual(8);
    },
  );
});

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { addDays } from '../../../../src/core/index.ts';
import { Catalog } from '../../../../src/service/catalog/index.ts';
import { easternTime } from '../../../../src/service/edgar-sync/clock.ts';
import { quarterOf } from '../../../../src/service/edgar-sync/places.ts';
import { seeded } from '../../../support/seeded-chance.ts';
import { quickIt as it, slowDescribe, slowIt } from '../../../support/tier-cases.ts';
import { BLOCK_PAGE, type LocalFiling, publishedOn } from './local-edgar.ts';
import { HOUR, SimulatedEdgar } from './simulated-edgar.ts';

let here: SimulatedEdgar;
beforeEach(async () => {
  here = await SimulatedEdgar.start();
});
afterEach(() => here[Symbol.asyncDispose]());

describe('following EDGAR', () => {
  it('stores the filings of the feed, each once, and requests nothing again', async () => {
    const start = here.clock.now();
    for (let n = 0; n < 130; n++) here.edgar.publish(here.filing(start - n * 60_000));
    await here.look();
    expect(here.stored()).toHaveLength(130);
    await here.look();
    expect([...here.edgar.downloads().values()]).toEqual(Array(130).fill(1));
    // The first look asks once behind the page that is not full; the second one ends behind two pages that are known.
    expect(here.edgar.asked.filter(({ path }) => path.includes('getcurrent'))).toHaveLength(5);
  });

  it('records when a look ended without a problem: a service states how long ago that was', async () => {
    const followedAt = () => {
      const catalog = Catalog.open(here.catalog);
      const at = catalog.followedAt();
      catalog.close();
      return at;
    };
    here.edgar.publish(here.filing(here.clock.now()));
    await here.look();
    const first = here.clock.now();
    expect(followedAt()).toBe(first);
    await here.clock.sleep(HOUR);
    here.edgar.fault = () => ({ status: 503, body: 'unavailable' });
    await expect(here.look()).rejects.toMatchObject({ code: 'edgar-unreachable' });
    expect(followedAt()).toBe(first);
    here.edgar.fault = () => null;
    await here.look();
    expect(followedAt()).toBeGreaterThanOrEqual(first + HOUR);
  });

  slowIt('continues after an incomplete walk as if it had seen nothing', async () => {
    const start = here.clock.now();
    for (let n = 0; n < 450; n++) here.edgar.publish(here.filing(start - n * 60_000));
    here.edgar.fault = (path) => (path.includes('start=200') ? { status: 503, body: 'unavailable' } : null);
    await here.look();
    expect(here.stored()).toHaveLength(200);
    here.edgar.fault = () => null;
    await here.look();
    expect(here.stored()).toHaveLength(450);
    expect(Math.max(...here.edgar.downloads().values())).toBe(1);
  });

  it('proves a day by its index, and fetches filings that were never in the feed', async () => {
    here.edgar.publish(
      here.filing(here.clock.now()),
      here.filing(here.clock.now() - HOUR, { form: 'UPLOAD', isLetter: true, filingDate: '2025-01-15' }),
    );
    await here.look();
    expect(here.stored()).toHaveLength(1);
    here.clock.jump(11 * HOUR);
    here.edgar.writeDay('2025-03-04');
    await here.look();
    expect(here.stored()).toHaveLength(2);
    expect(here.eventsOf('day')).toMatchObject([
      {
        day: '2025-03-04',
        expected: 2,
        in_catalog: 2,
        missing: 0,
        proven_at: new Date(here.clock.now()).toISOString(),
      },
    ]);
  });

  it('names missing filings with the reason, and proves the day when they are there', async () => {
    const late = here.filing(here.clock.now());
    here.edgar.publish(late);
    here.edgar.fault = (path) =>
      path.includes(late.accession)
        ? { status: 404, type: 'application/xml', body: '<Error><Code>NoSuchKey</Code></Error>' }
        : null;
    await here.look();
    here.clock.jump(11 * HOUR);
    here.edgar.writeDay('2025-03-04');
    await here.look();
    expect(here.eventsOf('missing')).toMatchObject([
      { accession_number: late.accession, reason: 'EDGAR has no such file (404)' },
      { accession_number: late.accession },
    ]);
    expect(here.events.at(-1)).toMatchObject({ event: 'day', expected: 1, in_catalog: 0, missing: 1, proven_at: null });
    here.edgar.fault = () => null;
    here.clock.jump(HOUR);
    await here.look();
    expect(here.events.at(-1)).toMatchObject({
      event: 'day',
      expected: 1,
      in_catalog: 1,
      missing: 0,
      proven_at: expect.any(String),
    });
  });

  it('replaces a corrected filing, marks a withdrawn one and keeps it, and fetches a late one', async () => {
    const [corrected, withdrawn, kept] = [
      here.filing(here.clock.now()),
      here.filing(here.clock.now() - 1),
      here.filing(here.clock.now() - 2),
    ];
    here.edgar.publish(corrected, withdrawn, kept);
    // As of the day before.
    here.edgar.writeQuarter('2025/QTR1', '2025-03-03');
    await here.look();
    here.clock.jump(11 * HOUR);
    here.edgar.writeDay('2025-03-04');
    here.edgar.writeQuarter('2025/QTR1', '2025-03-04');
    await here.look();
    // The following Saturday's rebuild.
    here.clock.jump(5 * 24 * HOUR);
    here.edgar.filings.delete(withdrawn.accession);
    here.edgar.publish({ ...corrected, form: '8-K/A', text: 'Corrected text.' });
    const late = here.filing(here.clock.now() - 20 * 24 * HOUR, { isLetter: true, publishedOn: '2025-03-07' });
    here.edgar.publish(late);
    here.edgar.writeQuarter('2025/QTR1', '2025-03-07');
    await here.look();
    expect(here.eventsOf('corrected')).toMatchObject([{ accession_number: corrected.accession }]);
    expect(here.eventsOf('withdrawn')).toMatchObject([{ accession_number: withdrawn.accession }]);
    expect(here.textOf(corrected.accession)).toContain('Corrected text.');
    expect(here.stored()).toEqual([corrected, withdrawn, kept, late].map(({ accession }) => accession).sort());
    expect(here.edgar.downloads().get(kept.accession)).toBe(1);
  });

  it('believes no index that has lost most of its rows', async () => {
    for (let n = 0; n < 40; n++) here.edgar.publish(here.filing(here.clock.now() - n));
    await here.look();
    here.clock.jump(11 * HOUR);
    here.edgar.writeDay('2025-03-04');
    here.edgar.writeQuarter('2025/QTR1', '2025-03-04');
    await here.look();
    here.clock.jump(5 * 24 * HOUR);
    for (const accession of [...here.edgar.filings.keys()].slice(0, 39)) here.edgar.filings.delete(accession);
    here.edgar.writeQuarter('2025/QTR1', '2025-03-08');
    await here.look();
    expect(here.eventsOf('withdrawn')).toEqual([]);
    expect(here.eventsOf('gap')).toHaveLength(1);
  });

  it('is silent for the whole block', async () => {
    here.edgar.publish(here.filing(here.clock.now()));
    let blocks = 0;
    here.edgar.fault = (path) => (path.includes('.txt') && blocks++ === 0 ? { status: 429, body: BLOCK_PAGE } : null);
    await here.look();
    const times = here.edgar.asked.map(({ at }) => at);
    const blockedAt = here.edgar.asked.find(({ status }) => status === 429)!.at;
    expect(times.filter((at) => at > blockedAt && at < blockedAt + 601_000)).toEqual([]);
    expect(here.stored()).toHaveLength(1);
  });

  it('does not take the storage’s answer for a missing file as a block', async () => {
    here.edgar.publish(here.filing(here.clock.now()));
    const start = here.clock.now();
    await here.look();
    expect(here.clock.now() - start).toBeLessThan(60_000);
  });

  it('downloads a file again that was cut short, or is something else', async () => {
    const [cut, other] = [here.filing(here.clock.now()), here.filing(here.clock.now() - 1)];
    here.edgar.publish(cut, other);
    let faults = 0;
    here.edgar.fault = (path) => {
      if (path.includes(cut.accession) && faults++ === 0) return 'cut';
      if (path.includes(other.accession) && faults++ <= 2)
        return { status: 200, type: 'text/plain', body: 'welcome to the proxy' };
      return null;
    };
    await here.look();
    expect(here.stored()).toHaveLength(2);
  });

  it('takes a bare header as whole, and one that was cut as cut short', async () => {
    const [whole, cut] = [here.filing(here.clock.now()), here.filing(here.clock.now() - 1)];
    here.edgar.publish(whole, cut);
    const header = ({ accession, filingDate }: LocalFiling, end: string) =>
      `<SEC-HEADER>${accession}.hdr.sgml : 20250304\n<ACCESSION-NUMBER>${accession}\n<TYPE>SC 13G\n<FILING-DATE>${filingDate.replaceAll('-', '')}\n<FILER>\n<COMPANY-DATA>\n<CONFORMED-NAME>A\n<CIK>0000320193\n</COMPANY-DATA>\n</FILER>\n${end}`;
    here.edgar.fault = (path) => {
      const one = [whole, cut].find(({ accession }) => path.endsWith(`${accession}.txt`));
      if (one === undefined) return null;
      return { status: 200, type: 'text/plain', body: header(one, one === whole ? '</SEC-HEADER>\n' : '') };
    };
    await here.look();
    expect(here.stored()).toEqual([whole.accession]);
    expect(here.events).toContainEqual({
      event: 'missing',
      accession_number: cut.accession,
      reason: 'the file is cut short',
    });
  });

  it('fetches everything again for a new catalog', async () => {
    here.edgar.publish(here.filing(here.clock.now()), here.filing(here.clock.now() - 1));
    await here.look();
    for (const name of ['catalog.db', 'catalog.db-wal', 'catalog.db-shm', 'packs'])
      rmSync(join(here.catalog, name), { recursive: true, force: true });
    await here.look();
    expect(here.stored()).toHaveLength(2);
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
          if (d === 0 && at < here.clock.now()) continue;
          const isLetter = random() < 0.1;
          here.edgar.publish(
            here.filing(at, {
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
      const published = new Map(here.edgar.filings);
      const withdrawn = new Set<string>();
      const corrected = new Set<string>();
      let blocks = 0;
      here.edgar.fault = (path) => {
        if (random() < 0.03) return 'drop';
        if (random() < 0.02) return { status: 503, body: '<html>Service Unavailable</html>' };
        if (path.includes('.txt') && random() < 0.02) return 'cut';
        if (random() < 0.002 && blocks++ < 5) return { status: 403, body: BLOCK_PAGE };
        return null;
      };
      const written = new Set<string>();
      here.clock.onTime = (now) => {
        const { date, hour } = easternTime(now);
        for (let day = first; day < date || (day === date && hour >= 22); day = addDays(day, 1)) {
          if (written.has(day)) continue;
          written.add(day);
          here.edgar.writeDay(day);
          if (new Date(`${day}T12:00:00Z`).getUTCDay() !== 5) continue;
          // The night to Saturday: one filing is withdrawn, one corrected.
          const candidates = [...here.edgar.filings.values()].filter(
            (f) => publishedOn(f) <= day && !corrected.has(f.accession),
          );
          const [gone, changed] = [candidates[0], candidates.at(-1)];
          if (gone && changed && gone !== changed) {
            withdrawn.add(gone.accession);
            here.edgar.filings.delete(gone.accession);
            corrected.add(changed.accession);
            here.edgar.publish({ ...changed, form: `${changed.form}/A`, text: `Corrected on ${day}.` });
          }
          for (const quarter of new Set([quarterOf(addDays(day, -92)), quarterOf(day)]))
            here.edgar.writeQuarter(quarter, day);
        }
      };
      while (here.clock.now() < Date.parse(`${addDays(first, DAYS + 8)}T00:00:00Z`)) {
        await here.look().catch((error) => {
          if (!['edgar-unreachable', 'edgar-blocked', 'edgar-file-broken'].includes((error as { code: string }).code))
            throw error;
        });
        // The machine sleeps for three days in between.
        const { date } = easternTime(here.clock.now());
        here.clock.jump(date === addDays(first, 12) ? 72 * HOUR : 3 * HOUR);
      }
      expect(here.stored()).toEqual([...published.keys()].sort());
      expect(new Set(here.named('withdrawn'))).toEqual(withdrawn);
      for (const accession of corrected) {
        if (!withdrawn.has(accession)) expect(here.textOf(accession)).toContain('Corrected on');
      }
      const downloads = here.edgar.downloads();
      // A file that was corrected is downloaded once more, unless it came in corrected.
      for (const accession of published.keys()) {
        const most = corrected.has(accession) ? 2 : 1;
        expect([accession, Math.min(most, downloads.get(accession) ?? 0)]).toEqual([
          accession,
          downloads.get(accession),
        ]);
      }
      const days = await here.days();
      const expected = new Map<string, number>();
      for (const f of published.values()) expected.set(publishedOn(f), (expected.get(publishedOn(f)) ?? 0) + 1);
      expect(days.map(({ day, expected: n, in_catalog, missing }) => ({ day, n, in_catalog, missing }))).toEqual(
        [...expected].sort().map(([day, n]) => ({ day, n, in_catalog: n, missing: 0 })),
      );
      expect(days.every(({ proven_at }) => proven_at !== null)).toBe(true);
      turns.push(...here.edgar.asked.map(({ at }) => at));
      turns.sort((a, b) => a - b);
      const mostInASecond = Math.max(
        ...turns.map((at, i) => turns.filter((other, j) => j >= i && other < at + 1000).length),
      );
      expect(mostInASecond).toBeLessThanOrEqual(8);
    },
  );
});

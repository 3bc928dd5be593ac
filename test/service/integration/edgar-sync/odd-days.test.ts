/** What EDGAR and a machine's clock do on odd days: half-written indexes, odd listings, faults that stay, turns of the year. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { addDays } from '../../../../src/core/index.ts';
import { easternTime } from '../../../../src/service/edgar-sync/clock.ts';
import {
  backfill,
  fetchSelected,
  followOnce,
  ledgerError,
  selectFilings,
} from '../../../../src/service/edgar-sync/index.ts';
import { quickIt as it, quickDescribe, slowIt } from '../../../support/tier-cases.ts';
import { BLOCK_PAGE, type LocalFiling } from './local-edgar.ts';
import { DAY, HOUR, SimulatedEdgar } from './simulated-edgar.ts';

let here: SimulatedEdgar;
async function startAt(time?: string): Promise<void> {
  await here?.[Symbol.asyncDispose]();
  here = await SimulatedEdgar.start(time);
}
beforeEach(() => startAt());
afterEach(() => here[Symbol.asyncDispose]());

const indexPath = (day: string) => `master.${day.replaceAll('-', '')}.idx`;

quickDescribe('a day', () => {
  it('whose index was half written, at the end of a line, is read again', async () => {
    const letters = here.publish(4, { isLetter: true });
    await here.look();
    for (const one of letters.slice(2)) here.edgar.filings.delete(one.accession);
    here.clock.jump(11 * HOUR);
    here.edgar.writeDay('2025-03-04');
    await here.look();
    expect(await here.days()).toMatchObject([{ expected: 2, missing: 0 }]);
    here.edgar.publish(...letters);
    here.clock.jump(2 * HOUR);
    here.edgar.writeDay('2025-03-04');
    await here.look();
    expect(here.stored()).toHaveLength(4);
    expect(await here.days()).toMatchObject([
      { expected: 4, in_catalog: 4, missing: 0, proven_at: expect.any(String) },
    ]);
    // An unchanged index is requested, and gives nothing new.
    const said = here.eventsOf('day').length;
    for (let again = 0; again < 2; again++) {
      here.clock.jump(2 * HOUR);
      await here.look();
    }
    expect(here.eventsOf('day')).toHaveLength(said);
    expect(here.edgar.asked.filter(({ path }) => path.includes(indexPath('2025-03-04'))).at(-1)?.status).toBe(304);
  });

  it('whose index is damaged is known and not proven, and holds up no other day', async () => {
    here.publish(1);
    await here.look();
    here.clock.jump(DAY);
    here.publish(1, { isLetter: true });
    here.edgar.writeDay('2025-03-04');
    here.clock.jump(11 * HOUR);
    here.edgar.writeDay('2025-03-05');
    const damaged = indexPath('2025-03-04');
    here.edgar.fault = (path) => (path.includes(damaged) ? { status: 200, body: 'soon' } : null);
    await here.look();
    expect(here.stored()).toHaveLength(2);
    expect(await here.days()).toMatchObject([
      { day: '2025-03-04', expected: null, proven_at: null },
      { day: '2025-03-05', expected: 1, missing: 0, proven_at: expect.any(String) },
    ]);
    here.clock.jump(HOUR);
    await here.look();
    // Each `--once` names it.
    expect(here.eventsOf('gap')).toEqual(
      Array(2).fill({ event: 'gap', message: "the index of 2025-03-04 can't be read" }),
    );
    here.edgar.fault = () => null;
    here.clock.jump(HOUR);
    await here.look();
    expect((await here.days())[0]).toMatchObject({ expected: 1, in_catalog: 1, proven_at: expect.any(String) });
  });

  it('is found in the page of the folder if its JSON is missing or damaged, and packed indexes are read', async () => {
    here.publish(2, { isLetter: true });
    await here.look();
    here.clock.jump(11 * HOUR);
    const page = (names: string[]) =>
      `<html><title>Directory Listing</title><table>${names.map((n) => `<tr><td><a href="${n}">${n}</a></td></tr>`).join('')}</table></html>`;
    here.edgar.writeDay('2025-03-04');
    const plain = await (
      await fetch(`${here.edgar.url}/Archives/edgar/daily-index/2025/QTR1/${indexPath('2025-03-04')}`, {
        headers: { 'user-agent': 'A Tester tester@example.com' },
      })
    ).text();
    const faults: Record<string, { status: number; body: string | Buffer }> = {
      'index.json': { status: 200, body: '{"directory":' },
      'QTR1/': { status: 200, body: page(['master.20250304.idx.gz']) },
      'master.20250304.idx.gz': { status: 200, body: gzipSync(plain) },
    };
    here.edgar.fault = (path) => Object.entries(faults).find(([end]) => path.endsWith(end))?.[1] ?? null;
    await here.look();
    expect(await here.days()).toMatchObject([{ day: '2025-03-04', expected: 2, in_catalog: 2, missing: 0 }]);
  });

  it('counts a filing once that its index repeats, and proves each day that names a filing', async () => {
    const twin = [
      { cik: '320193', name: 'Example Orchards Inc', role: 'Filer' },
      { cik: '320193', name: 'Example Orchards Inc', role: 'Filer' },
    ];
    const [one] = here.publish(1, { parties: twin });
    await here.look();
    here.clock.jump(DAY);
    here.edgar.writeDay('2025-03-04');
    here.edgar.publish({ ...one!, publishedOn: '2025-03-05' });
    here.clock.jump(11 * HOUR);
    here.edgar.writeDay('2025-03-05');
    await here.look();
    expect(await here.days()).toMatchObject(
      ['2025-03-04', '2025-03-05'].map((day) => ({ day, expected: 1, missing: 0 })),
    );
    expect(here.eventsOf('corrected')).toEqual([]);
    expect([...here.edgar.downloads().values()]).toEqual([1]);
  });

  it('is proven over a turn of the year, when its index comes days late, and when clocks go forward', async () => {
    for (const [noon, count] of [
      ['2024-12-31T17:00:00Z', 1],
      ['2025-03-07T17:00:00Z', 2],
    ] as const) {
      await startAt(noon);
      const first = easternTime(here.clock.now()).date;
      here.publish(count, { isLetter: true });
      await here.look();
      here.clock.jump(6 * DAY);
      here.publish(1);
      await here.look();
      here.edgar.writeDay(first);
      here.edgar.writeDay(addDays(first, 6));
      here.clock.jump(DAY);
      await here.look();
      expect((await here.days()).map(({ day, expected, missing }) => [day, expected, missing])).toEqual([
        [first, count, 0],
        [addDays(first, 6), 1, 0],
      ]);
    }
  });
});

quickDescribe('a clock', () => {
  it('that was years ahead, and was set back, leaves no day unproven and no filing unasked', async () => {
    here.clock.jump(2000 * DAY);
    const [late] = here.publish(1);
    here.edgar.fault = (path) => (path.includes('.txt') ? { status: 404, body: '' } : null);
    await here.look();
    here.clock.jump(-2000 * DAY);
    here.edgar.fault = () => null;
    here.edgar.publish({ ...late!, acceptedAt: here.clock.now(), filingDate: '2025-03-04' });
    here.clock.jump(DAY);
    here.edgar.writeDay('2025-03-04');
    here.publish(1, { isLetter: true });
    await here.look();
    here.clock.jump(DAY);
    here.edgar.writeDay('2025-03-05');
    await here.look();
    expect(here.stored()).toHaveLength(2);
    expect((await here.days()).at(-1)).toMatchObject({ day: '2025-03-05', missing: 0, proven_at: expect.any(String) });
  });
});

quickDescribe('a correction', () => {
  it('of its parties alone is seen at the first reading of the quarter', async () => {
    const [one] = here.publish(1);
    await here.look();
    here.clock.jump(11 * HOUR);
    here.edgar.writeDay('2025-03-04');
    here.edgar.writeQuarter('2025/QTR1', '2025-03-03');
    await here.look();
    here.clock.jump(5 * DAY);
    const parties = [{ cik: '789019', name: 'Sample Windows Corp', role: 'Filer' }];
    here.edgar.publish({ ...one!, parties, text: 'Corrected.' });
    here.edgar.writeQuarter('2025/QTR1', '2025-03-07');
    await here.look();
    expect(here.eventsOf('corrected')).toMatchObject([{ accession_number: one!.accession }]);
  });

  it('is reported with its current form', async () => {
    const [one] = here.publish(1);
    await here.look();
    here.clock.jump(11 * HOUR);
    here.edgar.publish({ ...one!, form: '8-K/A', text: 'Corrected.' });
    here.edgar.writeDay('2025-03-04');
    await here.look();
    expect(here.eventsOf('corrected')).toMatchObject([{ accession_number: one!.accession, form_type: '8-K/A' }]);
  });
});

quickDescribe('a withdrawal', () => {
  async function weekWithout(lost: readonly LocalFiling[]): Promise<void> {
    await here.look();
    here.clock.jump(11 * HOUR);
    here.edgar.writeDay('2025-03-04');
    here.edgar.writeQuarter('2025/QTR1', '2025-03-04');
    await here.look();
    here.clock.jump(5 * DAY);
    for (const { accession } of lost) here.edgar.filings.delete(accession);
    here.edgar.writeQuarter('2025/QTR1', '2025-03-07');
  }

  it('is not seen in an index of a quarter that was half written', async () => {
    here.publish(5);
    const lost = here.publish(4, { parties: [{ cik: '999', name: 'Last of All', role: 'Filer' }] });
    await weekWithout(lost);
    here.edgar.publish(...lost);
    await here.look();
    expect(here.eventsOf('withdrawn')).toEqual([]);
    expect(here.eventsOf('gap')).toHaveLength(1);
    // The next rebuild is whole.
    here.clock.jump(7 * DAY);
    here.edgar.writeQuarter('2025/QTR1', '2025-03-14');
    await here.look();
    expect(here.eventsOf('withdrawn')).toEqual([]);
  });

  it('of several filings at the end of an index is seen if EDGAR has them no more', async () => {
    here.publish(5);
    await weekWithout(here.publish(4, { parties: [{ cik: '999', name: 'Last of All', role: 'Filer' }] }));
    await here.look();
    expect(here.eventsOf('withdrawn')).toHaveLength(4);
  });
});

describe('a walk', () => {
  it('does not take a short page in the middle for the end', async () => {
    here.publish(350);
    let shortened = 0;
    const empty = '<?xml version="1.0" encoding="ISO-8859-1" ?><feed xmlns="http://www.w3.org/2005/Atom"></feed>';
    here.edgar.fault = (path) =>
      path.includes('start=100&') && shortened++ === 0
        ? { status: 200, type: 'application/atom+xml', body: empty }
        : null;
    await here.look();
    expect(here.stored().length).toBe(250);
    here.clock.jump(60_000);
    here.publish(1);
    await here.look();
    here.clock.jump(60_000);
    await here.look();
    expect(here.stored().length).toBe(351);
  });

  it('that meets EDGAR’s refusal behind the last full page ends within seconds, and loses nothing', async () => {
    here.publish(200);
    here.edgar.fault = (path) =>
      path.includes('start=200')
        ? { status: 503, body: '<html><title>SEC.gov | File Unavailable</title></html>' }
        : null;
    const start = here.clock.now();
    await here.look();
    expect(here.stored()).toHaveLength(200);
    expect(here.edgar.asked.filter(({ path }) => path.includes('start=200')).length).toBeLessThanOrEqual(3);
    expect(here.clock.now() - start).toBeLessThan(60_000);
  });

  slowIt('reports filings beyond the reach of the feed, and the day’s index has them', async () => {
    here.publish(1);
    await here.look();
    here.clock.jump(HOUR);
    const parties = Array.from({ length: 60 }, (_, n) => ({
      cik: String(1000 + n),
      name: `Owner ${n}`,
      role: 'Reporting',
    }));
    here.publish(90, { parties });
    await here.look();
    expect(here.eventsOf('gap')).toHaveLength(1);
    expect(here.stored().length).toBeLessThan(91);
    here.clock.jump(10 * HOUR);
    here.edgar.writeDay('2025-03-04');
    await here.look();
    expect(here.stored()).toHaveLength(91);
    expect(await here.days()).toMatchObject([{ expected: 91, missing: 0 }]);
  });
});

quickDescribe('a block', () => {
  it('is reported once, however many requests wait for its end', async () => {
    here.publish(12);
    let refusals = 0;
    here.edgar.fault = (path) => (path.includes('.txt') && refusals++ === 0 ? { status: 429, body: BLOCK_PAGE } : null);
    await here.look();
    expect(here.eventsOf('blocked')).toHaveLength(1);
    expect(here.stored()).toHaveLength(12);
  });
});

quickDescribe('a host', () => {
  it('that is unreachable is retried with patience once, and then only checked', async () => {
    here.edgar.fault = () => 'drop';
    const start = here.clock.now();
    await expect(here.look()).rejects.toMatchObject({ code: 'edgar-unreachable', exitCode: 5 });
    expect(here.clock.now() - start).toBeLessThan(45_000);
  });
});

quickDescribe('the ledger', () => {
  it('that is damaged in its middle is named, with what to do', async () => {
    here.publish(50);
    await here.look();
    const file = join(here.catalog, 'edgar.db');
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.fill(0x5a, 4096));
    const error = await here.days().catch((cause) => ledgerError(cause, here.catalog));
    expect(error).toMatchObject({ code: 'edgar-ledger-unusable', message: expect.stringContaining('edgar.db') });
  });
});

quickDescribe('the disk', () => {
  it('that is full ends the command with a remedy, and the next one continues', async () => {
    const [one] = here.publish(1);
    const incoming = join(here.catalog, 'edgar-incoming');
    mkdirSync(incoming, { recursive: true });
    const partial = join(incoming, `${one!.accession}.txt.part`);
    await here.inSession(async (session) => {
      // After the session's own tidying.
      here.edgar.fault = (path) => {
        if (path.includes('.txt')) symlinkSync('/dev/full', partial);
        return null;
      };
      await expect(followOnce(session)).rejects.toMatchObject({
        code: 'catalog-unwritable',
        message: expect.stringContaining('no space'),
      });
    });
    here.edgar.fault = () => null;
    await here.look();
    expect(here.stored()).toHaveLength(1);
  });

  it('that kept half of a download under its name costs one more download', async () => {
    const [one] = here.publish(1);
    const incoming = join(here.catalog, 'edgar-incoming');
    mkdirSync(incoming, { recursive: true });
    await here.inSession(({ ledger }) =>
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
        here.clock.now(),
      ),
    );
    writeFileSync(join(incoming, `${one!.accession}.txt`), `<SEC-DOCUMENT>${one!.accession}.txt\n<SEC-HEADER>`);
    await here.look();
    expect(here.eventsOf('missing')).toEqual([]);
    expect(here.stored()).toHaveLength(1);
  });
});

quickDescribe('fetch and backfill', () => {
  it('fetch reads the days that the last quarter’s index lacks just after its end', async () => {
    await startAt('2025-03-31T17:00:00Z');
    here.publish(1);
    here.clock.jump(DAY);
    here.edgar.writeQuarter('2025/QTR1', '2025-03-28');
    here.edgar.writeDay('2025-03-31');
    const plan = await here.inSession(async (session) => {
      const selected = await selectFilings(session, { from: '2025-03-31', to: '2025-03-31' });
      await fetchSelected(session, selected);
      return selected.plan;
    });
    expect(plan).toMatchObject({ filings: 1, unindexed: [] });
    expect(here.stored()).toHaveLength(1);
  });

  it('fetch names a day whose index is listed but can’t be read', async () => {
    here.publish(1);
    here.edgar.writeDay('2025-03-04');
    here.edgar.fault = (path) => (path.includes(indexPath('2025-03-04')) ? { status: 404, body: '' } : null);
    here.clock.jump(DAY);
    const { plan } = await here.inSession((session) => selectFilings(session, { from: '2025-03-04' }));
    expect(plan.unindexed).toEqual(['2025-03-04']);
  });

  it('fetch has its filings though the list of tickers is damaged', async () => {
    here.publish(1);
    here.edgar.writeQuarter('2025/QTR1', '2025-03-04');
    here.edgar.fault = (path) => (path.includes('tickers') ? { status: 200, body: 'soon' } : null);
    await here.inSession(async (session) =>
      fetchSelected(session, await selectFilings(session, { from: '2025-03-04' })),
    );
    expect(here.stored()).toHaveLength(1);
    expect(here.eventsOf('gap')).toHaveLength(1);
  });

  it('backfill does not take a quarter without a listing for one without filings', async () => {
    const missing = await here.inSession(async (session) => {
      await backfill(session, { from: '2024-02-01', to: '2024-02-29', onDay: () => {} });
      return session.counts.missing;
    });
    expect([missing, here.eventsOf('gap')]).toEqual([
      1,
      [{ event: 'gap', message: 'EDGAR lists no daily index of 2024/QTR1' }],
    ]);
  });
});

/** What must not be lost, doubled or misstated when EDGAR, the clock or the disk is in doubt. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { takeProcessLock } from '../../../../src/core/environment/index.ts';
import { addDays } from '../../../../src/core/index.ts';
import { backfill, follow, followOnce, type SyncEvent } from '../../../../src/service/edgar-sync/index.ts';
import { EdgarCommand } from './command.ts';
import { DAY, HOUR, SimulatedEdgar } from './simulated-edgar.ts';

const GONE = { status: 404, type: 'application/xml', body: '<Error><Code>NoSuchKey</Code></Error>' };

describe('a filing that is not available', () => {
  it('is named by each `--once`, also while it waits for its next request', async () => {
    await using one = await SimulatedEdgar.start();
    const [late] = one.publish(1);
    one.edgar.fault = (path) => (path.includes(late!.accession) ? GONE : null);
    await one.look();
    one.clock.jump(10_000);
    const before = one.edgar.asked.length;
    const missing = await one.inSession(async (session) => {
      await followOnce(session);
      return session.counts.missing;
    });
    expect(missing).toBe(1);
    expect(one.edgar.asked.slice(before).filter(({ path }) => path.endsWith('.txt'))).toEqual([]);
    expect(one.eventsOf('missing')).toEqual(
      Array(2).fill({
        event: 'missing',
        accession_number: late!.accession,
        reason: 'EDGAR has no such file (404)',
      } satisfies SyncEvent),
    );
  });

  it('is named once by a `follow` that continues', async () => {
    await using one = await SimulatedEdgar.start();
    const [late] = one.publish(1);
    one.edgar.fault = (path) => (path.includes(late!.accession) ? GONE : null);
    const stop = new AbortController();
    await one.inSession(async (session) => {
      const until = one.clock.now() + 30_000;
      one.clock.onTime = (now) => now > until && stop.abort();
      await follow({ ...session, signal: stop.signal }, { intervalMs: 10_000, onProblem: () => {} });
    });
    expect(one.named('missing')).toEqual([late!.accession]);
  });
});

describe('a day whose index can’t be read', () => {
  it('is named by each `--once`, and is requested again after any time', async () => {
    await using one = await SimulatedEdgar.start();
    one.publish(1);
    await one.look();
    one.clock.jump(11 * HOUR);
    one.edgar.writeDay('2025-03-04');
    one.edgar.fault = (path) => (path.includes('master.20250304') ? { status: 200, body: 'soon' } : null);
    await one.look();
    one.clock.jump(HOUR);
    const missing = await one.inSession(async (session) => {
      await followOnce(session);
      return session.counts.missing;
    });
    expect([missing, one.eventsOf('gap').length]).toEqual([1, 2]);
    one.clock.jump(40 * DAY);
    one.edgar.fault = () => null;
    await one.look();
    expect((await one.days())[0]).toMatchObject({ day: '2025-03-04', expected: 1, missing: 0 });
  });
});

describe('a filing that the feed alone has named', () => {
  /** The feed names it on Tuesday. On Saturday no index names it. */
  async function unindexed(one: SimulatedEdgar, writeTuesday: boolean): Promise<string> {
    const [lost] = one.publish(1);
    one.edgar.publish(one.filing(one.clock.now(), { form: 'UPLOAD', isLetter: true }));
    one.edgar.writeQuarter('2025/QTR1', '2025-03-03');
    await one.look();
    one.edgar.filings.delete(lost!.accession);
    one.clock.jump(11 * HOUR);
    if (writeTuesday) one.edgar.writeDay('2025-03-04');
    await one.look();
    for (let day = 1; day <= 3; day++) {
      one.clock.jump(DAY);
      one.edgar.publish(one.filing(one.clock.now() - HOUR, { isLetter: true }));
      one.edgar.writeDay(addDays('2025-03-04', day));
      await one.look();
    }
    one.clock.jump(2 * DAY);
    one.edgar.writeQuarter('2025/QTR1', '2025-03-08');
    await one.look();
    return lost!.accession;
  }

  it('is not withdrawn while the index of its day is not there', async () => {
    await using one = await SimulatedEdgar.start();
    await unindexed(one, false);
    expect(one.eventsOf('withdrawn')).toEqual([]);
  });

  it('is withdrawn if the index of its day was proven without it', async () => {
    await using one = await SimulatedEdgar.start();
    const lost = await unindexed(one, true);
    expect(one.named('withdrawn')).toEqual([lost]);
  });

  it('is not withdrawn if its filing date is months before its publication', async () => {
    await using one = await SimulatedEdgar.start();
    const [paper] = one.publish(1, { form: '1/A', filingDate: '2024-12-10' });
    one.edgar.writeQuarter('2024/QTR4', '2024-12-31');
    await one.look();
    one.clock.jump(11 * HOUR);
    one.edgar.writeDay('2025-03-04');
    await one.look();
    // EDGAR rebuilds the old quarter late.
    one.clock.jump(6 * DAY);
    await one.look();
    expect(one.eventsOf('withdrawn')).toEqual([]);
    expect(one.stored()).toEqual([paper!.accession]);
  });
});

describe('a refusal of a kind that is not known', () => {
  const REFUSAL = { status: 403, body: '<html><title>Access restricted</title></html>' };

  it('is waited out once, and is an error then', async () => {
    await using one = await SimulatedEdgar.start();
    one.publish(12);
    one.edgar.fault = (path) => (path.endsWith('.txt') ? REFUSAL : null);
    const start = one.clock.now();
    await expect(one.look()).rejects.toMatchObject({ code: 'edgar-blocked', exitCode: 5 });
    const waited = one.clock.now() - start;
    expect([waited > 601_000, waited < 700_000]).toEqual([true, true]);
    expect(one.eventsOf('blocked').length).toBeLessThanOrEqual(2);
  });

  it('of one filing does not hold up the others', async () => {
    await using one = await SimulatedEdgar.start();
    const filings = one.publish(12);
    // The oldest one is requested first.
    const refused = filings.at(-1)!.accession;
    one.edgar.fault = (path) => (path.includes(refused) ? REFUSAL : null);
    for (let n = 0; n < 3; n++) {
      await one.look().catch(() => {});
      one.clock.jump(2000);
    }
    expect(one.stored()).toHaveLength(11);
    expect(one.eventsOf('missing')).toContainEqual(
      expect.objectContaining({ accession_number: refused, reason: expect.stringContaining('403') }),
    );
  });
});

describe('backfill', () => {
  it('names each filing that it stores, by archive or one by one', async () => {
    await using one = await SimulatedEdgar.start('2024-03-01T17:00:00Z');
    const at = Date.parse('2024-02-05T15:00:00Z');
    const filings = Array.from({ length: 5 }, () => one.filing(at));
    one.edgar.publish(...filings);
    one.edgar.writeDay('2024-02-05');
    await one.edgar.writeArchive('2024-02-05', { leaveOut: [filings[0]!.accession] });
    const run = () =>
      one.inSession(async (session) => {
        await backfill(session, { from: '2024-02-01', to: '2024-02-29', onDay: () => {} });
        return session.counts.stored;
      });
    expect(await run()).toBe(5);
    expect(one.named('filing').sort()).toEqual(filings.map(({ accession }) => accession).sort());
    expect(one.eventsOf('filing')).toContainEqual({
      event: 'filing',
      accession_number: filings[1]!.accession,
      form_type: '8-K',
      filing_date: '2024-02-05',
      lag_s: null,
    });
    expect(await run()).toBe(0);
    expect(one.eventsOf('filing')).toHaveLength(5);
  });
});

describe('a clock', () => {
  it('that is years behind at the first look does not make years of filings due', async () => {
    await using one = await SimulatedEdgar.start();
    one.edgar.publish(one.filing(Date.parse('2024-03-05T15:00:00Z'), { isLetter: true }));
    one.edgar.writeDay('2024-03-05');
    one.publish(1);
    // EDGAR's clock stays: its filings are of March 2025.
    const [behind, accepted] = [one.clock.now() - 400 * DAY, one.clock.now()];
    one.edgar.now = () => Math.max(one.clock.now(), accepted);
    one.clock.jump(behind - one.clock.now());
    await one.look();
    one.clock.jump(400 * DAY);
    await one.look();
    one.edgar.writeDay('2025-03-04');
    one.clock.jump(DAY);
    await one.look();
    expect((await one.days()).map(({ day }) => day)).toEqual(['2025-03-04']);
    expect(one.stored()).toHaveLength(1);
  });

  it('that is set back for a moment does not make earlier work due', async () => {
    await using one = await SimulatedEdgar.start();
    one.edgar.publish(one.filing(Date.parse('2024-03-05T15:00:00Z'), { isLetter: true }));
    one.edgar.writeDay('2024-03-05');
    const accepted = one.clock.now();
    one.edgar.now = () => Math.max(one.clock.now(), accepted);
    one.publish(1);
    await one.look();
    one.clock.jump(-400 * DAY);
    await one.look();
    one.clock.jump(401 * DAY);
    one.edgar.writeDay('2025-03-04');
    await one.look();
    expect((await one.days()).map(({ day }) => day)).toEqual(['2025-03-04']);
    expect(await one.days()).toMatchObject([{ expected: 1, missing: 0, proven_at: expect.any(String) }]);
  });
});

describe('a correction', () => {
  it('that the feed alone tells of replaces the filing', async () => {
    await using one = await SimulatedEdgar.start();
    const [first, other] = one.publish(2);
    await one.look();
    one.clock.jump(60_000);
    one.edgar.publish({ ...first!, form: '8-K/A', text: 'Corrected.' });
    await one.look();
    expect(one.eventsOf('corrected')).toMatchObject([{ accession_number: first!.accession, form_type: '8-K/A' }]);
    expect(one.textOf(first!.accession)).toContain('Corrected.');
    // Its index is the same: nothing more to do.
    one.clock.jump(11 * HOUR);
    one.edgar.writeDay('2025-03-04');
    await one.look();
    expect(one.eventsOf('corrected')).toHaveLength(1);
    expect([one.edgar.downloads().get(first!.accession), one.edgar.downloads().get(other!.accession)]).toEqual([2, 1]);
  });

  it('that an index tells of is not undone by an old entry of the feed', async () => {
    await using one = await SimulatedEdgar.start();
    const [first] = one.publish(1);
    await one.look();
    one.clock.jump(11 * HOUR);
    one.edgar.publish({ ...first!, form: '8-K/A', text: 'Corrected.' });
    one.edgar.writeDay('2025-03-04');
    await one.look();
    // A copy of the feed that is older than the index.
    one.edgar.publish({ ...first!, form: '8-K', text: 'Corrected.' });
    const before = one.edgar.asked.length;
    for (let n = 0; n < 3; n++) {
      one.clock.jump(60_000);
      await one.look();
    }
    expect(one.edgar.asked.slice(before).filter(({ path }) => path.endsWith('.txt')).length).toBeLessThanOrEqual(1);
    await one.inSession(({ ledger }) => expect(ledger.filing(first!.accession)).toMatchObject({ form_type: '8-K/A' }));
  });
});

describe('pages that move both ways while they are read', () => {
  it('cost at most a day: its index has the filings that they hid', async () => {
    await using one = await SimulatedEdgar.start();
    one.publish(450);
    const filings = [...one.edgar.filings.keys()];
    let page = 0;
    one.edgar.fault = (path) => {
      if (!path.includes('getcurrent')) return null;
      // Behind each page some new filings push all others down, or some are gone and pull them up.
      if (page++ % 2 === 0) for (let n = 0; n < 3; n++) one.edgar.filings.delete(filings[page * 20 + n]!);
      else one.publish(5);
      return null;
    };
    await one.look();
    one.clock.jump(11 * HOUR);
    one.edgar.fault = () => null;
    one.edgar.writeDay('2025-03-04');
    await one.look();
    expect(one.stored()).toEqual(expect.arrayContaining([...one.edgar.filings.keys()]));
    expect(await one.days()).toMatchObject([{ expected: one.edgar.filings.size, missing: 0 }]);
    expect(Math.max(...one.edgar.downloads().values())).toBe(1);
  });
});

describe('an archive', () => {
  it('that was cut within a filing, and compressed whole, costs that filing one request', async () => {
    await using one = await SimulatedEdgar.start('2024-03-01T17:00:00Z');
    const filings = Array.from({ length: 5 }, () => one.filing(Date.parse('2024-02-05T15:00:00Z')));
    one.edgar.publish(...filings);
    one.edgar.writeDay('2024-02-05');
    await one.edgar.writeArchive('2024-02-05', { cut: filings[2]!.accession });
    await one.inSession((session) => backfill(session, { from: '2024-02-01', to: '2024-02-29', onDay: () => {} }));
    expect(one.stored()).toHaveLength(5);
    expect([...one.edgar.downloads().keys()]).toEqual([filings[2]!.accession]);
    expect(one.eventsOf('gap')).toHaveLength(1);
    expect(one.named('filing')).toHaveLength(5);
  });
});

describe('a disk that refuses the last step', () => {
  it.each([
    [
      'a submission',
      (one: SimulatedEdgar, accession: string) => join(one.catalog, 'edgar-incoming', `${accession}.txt`),
      '.txt',
    ],
    ['a list that is kept', (one: SimulatedEdgar) => join(one.catalog, 'edgar-kept'), 'company_tickers_exchange.json'],
  ])('ends the command in words at %s, and loses nothing', async (_, place, asked) => {
    await using one = await SimulatedEdgar.start();
    const [filing] = one.publish(1);
    one.edgar.writeQuarter('2025/QTR1', '2025-03-04');
    const at = place(one, filing!.accession);
    one.edgar.fault = (path) => {
      if (!path.endsWith(asked) || existsSync(at)) return null;
      // A folder in the place of the file, a file in the place of the folder.
      if (asked === '.txt') mkdirSync(join(at, 'in the way'), { recursive: true });
      else writeFileSync(at, '');
      return null;
    };
    await expect(one.look()).rejects.toMatchObject({
      code: 'catalog-unwritable',
      message: expect.stringContaining(basename(at)),
    });
    rmSync(at, { recursive: true });
    one.edgar.fault = () => null;
    await one.look();
    expect(one.stored()).toEqual([filing!.accession]);
    expect(readdirSync(join(one.catalog, 'edgar-incoming'))).toEqual([]);
  });
});

describe('two commands on one catalog', () => {
  it('are one too many: the second reports it, and changes nothing', async () => {
    await using one = await SimulatedEdgar.start();
    one.publish(1);
    await one.look();
    const command = new EdgarCommand(one.edgar.url);
    const lock = takeProcessLock(join(one.catalog, 'edgar.lock'));
    const { child, ended } = command.start(['follow', '--once'], one.catalog);
    const { code, stderr } = await ended;
    lock![Symbol.dispose]();
    expect([child.killed, code, stderr]).toEqual([false, 1, expect.stringContaining('another edgar command works')]);
  });
});

describe('a catalog that is deleted', () => {
  it.each([
    ['whole', ''],
    ['by its filings alone', 'catalog.db'],
  ])('%s ends a follow that continues: nothing is stored into deleted files', async (_what, file) => {
    await using one = await SimulatedEdgar.start();
    one.publish(1);
    await one.inSession(async (session) => {
      await followOnce(session);
      expect(one.stored()).toHaveLength(1);
      rmSync(join(one.catalog, file), { recursive: true });
      one.publish(1);
      one.clock.jump(HOUR);
      await expect(followOnce(session)).rejects.toMatchObject({ code: 'catalog-replaced' });
    });
    one.clock.jump(HOUR);
    await one.look();
    expect(one.stored()).toHaveLength(2);
  });
});

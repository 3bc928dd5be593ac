/** EDGAR's register in the ledger: what two readings of a quarter of any year differ in, and what a catalog lacks of it. */

import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { FetchSelection } from '../../../../src/service/edgar-sync/index.ts';
import { backfill, recheckSelected, selectFilings } from '../../../../src/service/edgar-sync/index.ts';
import { lookAtQuarter, noteWithdrawn } from '../../../../src/service/edgar-sync/weekly.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import type { LocalFiling } from './local-edgar.ts';
import { fetch, OLD, old } from './old-quarter.ts';
import { DAY, SimulatedEdgar } from './simulated-edgar.ts';

const REFUSAL = { status: 403, body: '<html><title>Access Denied</title></html>' };
const WEEK = 7 * DAY;

const plan = (one: SimulatedEdgar, selection: FetchSelection = OLD) =>
  one.inSession(async (session) => (await selectFilings(session, selection)).plan);

describe('a quarter that is long over', () => {
  it.each(['a weekly look', 'a fetch'])('a corrected form is found by %s, and the filing is replaced', async (by) => {
    await using one = await SimulatedEdgar.start();
    const [filing] = old(one, 3);
    await fetch(one);
    one.edgar.publish({ ...filing!, form: '10-K/A', text: 'Corrected.' });
    one.edgar.writeQuarter('2019/QTR1', '2019-03-29');
    one.clock.jump(WEEK);
    if (by === 'a fetch') await fetch(one);
    else await one.look();
    expect(one.named('corrected')).toEqual([filing!.accession]);
    expect(one.textOf(filing!.accession)).toContain('Corrected.');
  });

  it.each(['a weekly look', 'a fetch'])('a withdrawn filing is found by %s, once', async (by) => {
    await using one = await SimulatedEdgar.start();
    const [filing] = old(one, 3);
    await fetch(one);
    one.edgar.filings.delete(filing!.accession);
    one.edgar.writeQuarter('2019/QTR1', '2019-03-29');
    for (let n = 0; n < 2; n++) {
      one.clock.jump(WEEK);
      if (by === 'a fetch') await fetch(one);
      else await one.look();
    }
    expect(one.named('withdrawn')).toEqual([filing!.accession]);
    expect(one.stored()).toHaveLength(3);
  });

  it('a withdrawal is not lost if the command ends after the index was read', async () => {
    await using one = await SimulatedEdgar.start();
    const [filing] = old(one, 3);
    await fetch(one);
    one.edgar.filings.delete(filing!.accession);
    one.edgar.writeQuarter('2019/QTR1', '2019-03-29');
    await one.inSession((session) => lookAtQuarter(session, '2019/QTR1', null));
    const marked = await one.inSession((session) => noteWithdrawn(session, []));
    expect(marked.map(({ accession_number }) => accession_number)).toEqual([filing!.accession]);
    expect(await one.inSession((session) => noteWithdrawn(session, []))).toEqual([]);
  });

  it('a filing that moves to the index of another quarter is not withdrawn', async () => {
    await using one = await SimulatedEdgar.start();
    const [filing] = old(one, 3);
    one.edgar.writeQuarter('2019/QTR2', '2019-06-28');
    await fetch(one, { ...OLD, to: '2019-06-30' });
    one.edgar.publish({ ...filing!, filingDate: '2019-04-02' });
    one.edgar.writeQuarter('2019/QTR1', '2019-03-29');
    one.edgar.writeQuarter('2019/QTR2', '2019-06-28');
    one.clock.jump(WEEK);
    await one.look();
    expect(one.eventsOf('withdrawn')).toEqual([]);
    expect(one.named('corrected')).toEqual([filing!.accession]);
  });

  it('a late release is fetched by the next fetch, and by no look', async () => {
    await using one = await SimulatedEdgar.start();
    old(one, 3);
    await fetch(one);
    const [late] = old(one, 1);
    one.clock.jump(WEEK);
    await one.look();
    expect(one.stored()).not.toContain(late!.accession);
    expect(await plan(one)).toMatchObject({ filings: 4, stored: 3, to_fetch: 1 });
    await fetch(one);
    expect(one.stored()).toContain(late!.accession);
  });

  it('costs one request a week while it does not change, and a row that can’t be read loses no other', async () => {
    await using one = await SimulatedEdgar.start();
    const filings = old(one, 60);
    const index = '/full-index/2019/QTR1/master.idx';
    const path = `edgar/data/320193/${filings[7]!.accession}.txt`;
    let text = '';
    one.edgar.fault = (asked) => (asked.endsWith(index) ? { status: 200, type: 'text/plain', body: text } : null);
    const rows = filings.map(
      ({ accession }) => `320193|Example Orchards Inc|10-K|2019-02-05|edgar/data/320193/${accession}.txt`,
    );
    text = `CIK|Company Name|Form Type|Date Filed|File Name\n${'-'.repeat(80)}\n${rows.join('\n')}\n`.replace(
      `Example Orchards Inc|10-K|2019-02-05|${path}`,
      `Example\nOrchards Inc|10-K|2019-02-05|${path}`,
    );
    const { counts } = await fetch(one);
    expect(counts).toMatchObject({ stored: 59, missing: 1 });
    expect(one.eventsOf('gap')[0]?.message).toMatch(
      /^the index of 2019\/QTR1: 2 of its rows can't be read, the first one at byte \d+$/,
    );
    one.edgar.fault = () => null;
    expect((await fetch(one)).counts).toMatchObject({ stored: 1, missing: 0 });
    const before = one.edgar.asked.length;
    one.clock.jump(WEEK);
    await one.look();
    const asked = one.edgar.asked.slice(before).filter(({ path: asked }) => asked.includes('2019/QTR1'));
    expect(asked.map(({ status }) => status)).toEqual([304]);
  });

  it('a row that can’t be read any more withdraws nothing, and the index is read again', async () => {
    await using one = await SimulatedEdgar.start();
    const filings = old(one, 5);
    await fetch(one);
    const rows = filings.map(
      ({ accession }) => `320193|Example Orchards Inc|10-K|2019-02-05|edgar/data/320193/${accession}.txt`,
    );
    rows[2] = rows[2]!.replace('Example ', 'Example\n');
    const body = `CIK|Company Name|Form Type|Date Filed|File Name\n${'-'.repeat(80)}\n${rows.join('\n')}\n`;
    one.edgar.fault = (path) =>
      path.endsWith('2019/QTR1/master.idx')
        ? { status: 200, type: 'text/plain', body, headers: { etag: '"x"' } }
        : null;
    one.clock.jump(WEEK);
    await one.look();
    await fetch(one);
    expect(one.eventsOf('withdrawn')).toEqual([]);
    expect(await plan(one)).toMatchObject({ filings: 5, to_fetch: 0 });
    one.edgar.fault = () => null;
    one.edgar.filings.delete(filings[4]!.accession);
    one.edgar.writeQuarter('2019/QTR1', '2019-03-29');
    one.clock.jump(WEEK);
    await one.look();
    expect(one.named('withdrawn')).toEqual([filings[4]!.accession]);
  });

  it('a file that EDGAR replaces without a trace is found by a recheck', async () => {
    await using one = await SimulatedEdgar.start();
    const [filing] = old(one, 3);
    await fetch(one);
    one.clock.jump(DAY);
    one.edgar.publish({ ...filing!, text: 'Redacted.' });
    one.clock.jump(WEEK);
    await one.look();
    expect(one.eventsOf('corrected')).toEqual([]);
    const before = one.edgar.downloads();
    const counts = await one.inSession(async (session) => {
      await recheckSelected(session, await selectFilings(session, OLD));
      return { ...session.counts };
    });
    expect(counts).toMatchObject({ corrected: 1, downloads: 1, missing: 0 });
    expect(one.textOf(filing!.accession)).toContain('Redacted.');
    expect(before.get(filing!.accession)).toBe(1);
  });
});

describe('a file that EDGAR refuses', () => {
  it('does not hold up the others, and costs no second silence', async () => {
    await using one = await SimulatedEdgar.start();
    const filings = old(one, 60);
    const refused = filings[25]!.accession;
    one.edgar.fault = (path) => (path.includes(refused) ? REFUSAL : null);
    expect((await fetch(one)).counts).toMatchObject({ stored: 59, missing: 1 });
    expect(one.eventsOf('missing')).toEqual([
      { event: 'missing', accession_number: refused, reason: 'EDGAR refuses the file (403)' },
    ]);
    const start = one.clock.now();
    expect((await fetch(one)).counts).toMatchObject({ stored: 0, missing: 1 });
    expect(one.clock.now() - start).toBeLessThan(10_000);
    one.edgar.fault = () => null;
    one.clock.jump(DAY);
    expect((await fetch(one)).counts).toMatchObject({ stored: 1, missing: 0 });
  });
});

describe('days of the first years', () => {
  it.each([
    ['1994-02-08', 'master.020894.idx'],
    ['1996-05-07', 'master.960507.idx'],
    ['1999-05-06', 'master.19990506.idx'],
  ])('%s is proven by %s', async (day, name) => {
    await using one = await SimulatedEdgar.start();
    const at = Date.parse(`${day}T15:00:00Z`);
    const filings = Array.from({ length: 3 }, () => one.filing(at));
    one.edgar.publish(...filings);
    one.edgar.writeDay(day, name);
    const from = `${day.slice(0, 8)}01`;
    await one.inSession((session) => backfill(session, { from, to: `${day.slice(0, 8)}28`, onDay: () => {} }));
    expect(await one.days()).toMatchObject([{ day, expected: 3, in_catalog: 3, missing: 0 }]);
  });
});

it('a business day of which EDGAR never publishes an index is listed, unproven, after two business days', async () => {
  await using one = await SimulatedEdgar.start('2025-07-07T17:00:00Z');
  one.publish(30);
  for (let day = 0; day < 4; day++) {
    await one.look();
    one.clock.jump(DAY);
    one.publish(2);
    const today = new Date(one.clock.now()).toISOString().slice(0, 10);
    one.clock.jump(11 * 3_600_000);
    one.edgar.writeDay(today);
    await one.look();
    one.clock.jump(-11 * 3_600_000);
  }
  const days = await one.days();
  expect(days[0]).toMatchObject({ day: '2025-07-07', expected: null, proven_at: null });
  expect(days.slice(1).every(({ proven_at }) => proven_at !== null)).toBe(true);
  const message = 'filings were accepted on 2025-07-07, and EDGAR has no index of it';
  expect(one.eventsOf('gap').filter((event) => event.message === message)).toHaveLength(1);
});

it('a number of a paper filing is found in a quarter before its year', async () => {
  await using one = await SimulatedEdgar.start('2002-06-04T17:00:00Z');
  const at = Date.parse('1993-11-02T15:00:00Z');
  const paper = one.filing(at, { accession: '9999999997-02-056978' });
  one.edgar.publish(paper);
  one.edgar.writeQuarter('1993/QTR4', '1993-12-31');
  const { plan: found } = await fetch(one, { accessionNumbers: [paper.accession] });
  expect(found).toMatchObject({ filings: 1, unknown: [] });
  expect(one.stored()).toEqual([paper.accession]);
});

it('random changes of three quarters: each reading finds all that differs, and nothing else', async () => {
  await using one = await SimulatedEdgar.start();
  let seed = 11;
  const random = (n: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * n);
  };
  const quarters = ['2019/QTR1', '2019/QTR2', '2019/QTR3'];
  const dates = ['2019-02-05', '2019-05-06', '2019-08-06'];
  const selection = { ...OLD, to: '2019-09-30' };
  const write = () => {
    for (const [n, quarter] of quarters.entries())
      one.edgar.writeQuarter(quarter, ['2019-03-29', '2019-06-28', '2019-09-30'][n]!);
  };
  const add = () => {
    const date = dates[random(3)]!;
    one.edgar.publish(one.filing(Date.parse(`${date}T15:00:00Z`), { form: '10-K', filingDate: date, isLetter: true }));
  };
  for (let n = 0; n < 40; n++) add();
  write();
  await fetch(one, selection);
  const withdrawn = new Map<string, LocalFiling>();
  for (let round = 0; round < 12; round++) {
    const expected = { corrected: new Set<string>(), withdrawn: new Set<string>(), new: new Set<string>() };
    for (let n = 0; n < 6; n++) {
      const all = [...one.edgar.filings.values()];
      const filing = all[random(all.length)]!;
      const { accession } = filing;
      if (Object.values(expected).some((touched) => touched.has(accession))) continue;
      switch (random(4)) {
        case 0:
          one.edgar.filings.delete(accession);
          withdrawn.set(accession, filing);
          expected.withdrawn.add(accession);
          break;
        case 1:
          one.edgar.publish({ ...filing, form: filing.form === '10-K' ? '10-K/A' : '10-K', text: `Text ${round}.` });
          expected.corrected.add(accession);
          break;
        case 2: {
          const date = dates.find((one) => one !== filing.filingDate)!;
          one.edgar.publish({ ...filing, filingDate: date, publishedOn: date });
          expected.corrected.add(accession);
          break;
        }
        default: {
          add();
          expected.new.add([...one.edgar.filings.keys()].at(-1)!);
        }
      }
    }
    write();
    one.clock.jump(WEEK);
    one.events.length = 0;
    if (random(2) === 0) await one.look();
    await fetch(one, selection);
    expect([...new Set(one.named('withdrawn'))].sort()).toEqual([...expected.withdrawn].sort());
    expect(one.named('corrected').sort()).toEqual([...expected.corrected].sort());
    expect(one.named('filing').sort()).toEqual([...expected.new].sort());
    expect(await plan(one, selection)).toMatchObject({ filings: one.edgar.filings.size, to_fetch: 0 });
  }
  expect(withdrawn.size).toBeGreaterThan(5);
});

describe('the catalog that a session opens', () => {
  it('an older copy in its place is noticed, in the same file too, and its filings are fetched again', async () => {
    await using one = await SimulatedEdgar.start();
    old(one, 2);
    await fetch(one);
    const files = readdirSync(one.catalog).filter((name) => name.startsWith('catalog.db'));
    const copy = temporaryFolder();
    for (const name of files) copyFileSync(join(one.catalog, name), join(copy, name));
    old(one, 3);
    await fetch(one);
    expect(one.stored()).toHaveLength(5);
    for (const name of readdirSync(one.catalog)) if (name.startsWith('catalog.db-')) rmSync(join(one.catalog, name));
    // Into the same inodes.
    for (const name of files) writeFileSync(join(one.catalog, name), readFileSync(join(copy, name)));
    expect(await one.inSession(({ ledger }) => ledger.due(one.clock.now()).length)).toBe(3);
    expect((await fetch(one)).counts).toMatchObject({ stored: 3 });
  });

  it('is not read filing by filing while it is the same', async () => {
    await using one = await SimulatedEdgar.start();
    const [filing] = old(one, 2);
    await fetch(one);
    await one.inSession(() => {});
    const db = new DatabaseSync(join(one.catalog, 'catalog.db'));
    // No command does this: it shows that nothing was looked up, and that each week all are.
    db.exec('PRAGMA foreign_keys = OFF');
    db.prepare('DELETE FROM filings WHERE accession = ?').run(filing!.accession);
    db.close();
    const due = () => one.inSession(({ ledger }) => ledger.due(one.clock.now()).length);
    expect(await due()).toBe(0);
    one.clock.jump(WEEK);
    expect(await due()).toBe(1);
  });
});

/** Files of EDGAR that are readable and wrong: another filing, an index without its end, an older index. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { selectFilings } from '../../../../src/service/edgar-sync/index.ts';
import { EdgarCommand } from './command.ts';
import { type LocalFiling, submissionText } from './local-edgar.ts';
import { DAY, HOUR, SimulatedEdgar } from './simulated-edgar.ts';

const QUARTER = '/Archives/edgar/full-index/2025/QTR1/master.idx';

async function bytesOf(url: string): Promise<string> {
  return (await fetch(url, { headers: { 'user-agent': 'A Tester tester@example.com' } })).text();
}

/** The first line has the name of one filing, the header is another's. */
function mixedUp(asked: LocalFiling, other: LocalFiling): string {
  const text = submissionText({ ...other, text: 'Words of neither.' });
  return text.replace(`<SEC-DOCUMENT>${other.accession}`, `<SEC-DOCUMENT>${asked.accession}`);
}

describe('a submission whose header names another filing', () => {
  it('is not stored as that other filing, and is requested again', async () => {
    await using world = await SimulatedEdgar.start();
    const { edgar, clock } = world;
    const [other] = world.publish(1);
    await world.look();
    clock.jump(HOUR);
    const [asked] = world.publish(1);
    edgar.fault = (path) =>
      path.endsWith(`${asked!.accession}.txt`)
        ? { status: 200, type: 'text/plain', body: mixedUp(asked!, other!) }
        : null;
    await world.look();
    expect(world.textOf(other!.accession)).toContain(other!.text);
    expect(world.eventsOf('missing')).toMatchObject([{ accession_number: asked!.accession }]);
    edgar.fault = () => null;
    clock.jump(HOUR);
    await world.look();
    expect(world.stored()).toEqual([other!.accession, asked!.accession].sort());
    expect(world.textOf(asked!.accession)).toContain(asked!.text);
  });
});

describe('the index of a day', () => {
  const cases: [string, (text: string) => string][] = [
    ['within a path, before the number is whole', (text) => text.trimEnd().slice(0, -8)],
    ['within the end of a path', (text) => text.trimEnd().slice(0, -2)],
    ['after its head', (text) => `${text.slice(0, text.indexOf('-----'))}${'-'.repeat(80)}\n`],
  ];
  for (const [where, cut] of cases) {
    it(`that ends ${where} proves nothing`, async () => {
      await using world = await SimulatedEdgar.start();
      const { edgar, clock } = world;
      await world.look();
      world.publish(3, { isLetter: true });
      clock.jump(11 * HOUR);
      edgar.writeDay('2025-03-04');
      const path = '/Archives/edgar/daily-index/2025/QTR1/master.20250304.idx';
      const body = cut(await bytesOf(`${edgar.url}${path}`));
      edgar.fault = (asked) => (asked === path ? { status: 200, type: 'text/plain', body } : null);
      await world.look();
      expect(await world.days()).toMatchObject([{ day: '2025-03-04', expected: null, proven_at: null }]);
      edgar.fault = () => null;
      clock.jump(HOUR);
      await world.look();
      expect(await world.days()).toMatchObject([{ expected: 3, in_catalog: 3, proven_at: expect.any(String) }]);
    });
  }

  it('that ends after a row, under the name of the whole one, is believed for an hour', async () => {
    await using world = await SimulatedEdgar.start();
    const { edgar, clock } = world;
    await world.look();
    const letters = world.publish(3, { isLetter: true });
    clock.jump(11 * HOUR);
    edgar.writeDay('2025-03-04');
    const path = '/Archives/edgar/daily-index/2025/QTR1/master.20250304.idx';
    const whole = await fetch(`${edgar.url}${path}`, { headers: { 'user-agent': 'A Tester tester@example.com' } });
    const headers = Object.fromEntries(['etag', 'last-modified'].map((name) => [name, whole.headers.get(name)!]));
    const rows = (await whole.text()).trimEnd().split('\n');
    const body = `${rows.slice(0, -1).join('\n')}\n`;
    for (const one of letters.slice(0, -1)) expect(body).toContain(one.accession);
    edgar.fault = (asked) => (asked === path ? { status: 200, type: 'text/plain', body, headers } : null);
    await world.look();
    expect(await world.days()).toMatchObject([{ expected: 2 }]);
    edgar.fault = () => null;
    const statuses: number[] = [];
    for (let look = 0; look < 3; look++) {
      clock.jump(HOUR);
      await world.look();
      expect(await world.days()).toMatchObject([{ expected: 3, in_catalog: 3, proven_at: expect.any(String) }]);
      statuses.push(edgar.asked.filter((one) => one.path.includes(path)).at(-1)!.status);
    }
    // Two equal downloads confirm each other. Then EDGAR need not send it again.
    expect(statuses).toEqual([200, 200, 304]);
  });

  it('of a closed quarter is read later, if EDGAR does not list the quarter for a while', async () => {
    await using world = await SimulatedEdgar.start('2025-03-26T17:00:00Z');
    const { edgar, clock } = world;
    world.publish(1);
    await world.look();
    clock.jump(2 * DAY);
    world.publish(2, { isLetter: true });
    edgar.writeDay('2025-03-26');
    edgar.writeDay('2025-03-28');
    // The machine sleeps into the next quarter.
    clock.jump(30 * DAY);
    const denied = '<Error><Code>AccessDenied</Code></Error>';
    edgar.fault = (path) =>
      /daily-index\/2025\/QTR1\/(index\.json)?$/.test(path)
        ? { status: 403, type: 'application/xml', body: denied }
        : null;
    await world.look();
    expect(world.eventsOf('gap')).toMatchObject([{ message: expect.stringContaining('2025/QTR1') }]);
    edgar.fault = () => null;
    clock.jump(2 * HOUR);
    await world.look();
    expect(await world.days()).toMatchObject([
      { day: '2025-03-26', in_catalog: 1, proven_at: expect.any(String) },
      { day: '2025-03-28', in_catalog: 2, proven_at: expect.any(String) },
    ]);
  });
});

describe('the index of a quarter', () => {
  it('that is older than the last one read marks no filing as withdrawn', async () => {
    await using world = await SimulatedEdgar.start();
    const { edgar, clock } = world;
    world.publish(2);
    clock.jump(11 * HOUR);
    edgar.writeDay('2025-03-04');
    edgar.writeQuarter('2025/QTR1', '2025-03-04');
    const older = await bytesOf(`${edgar.url}${QUARTER}`);
    await world.look();
    clock.jump(DAY);
    // The order of an index is by CIK: these are not at its end.
    world.publish(5, { parties: [{ cik: '1001', name: 'Early Birds', role: 'Filer' }] });
    await world.look();
    clock.jump(11 * HOUR);
    edgar.writeDay('2025-03-05');
    await world.look();
    clock.jump(4 * DAY);
    edgar.writeQuarter('2025/QTR1', '2025-03-07');
    await world.look();
    clock.jump(7 * DAY);
    edgar.fault = (path) => (path === QUARTER ? { status: 200, type: 'text/plain', body: older } : null);
    await world.look();
    expect(world.eventsOf('withdrawn')).toEqual([]);
    expect(world.eventsOf('gap')).toHaveLength(1);
    // The true one is read at the next look.
    edgar.fault = () => null;
    clock.jump(HOUR);
    await world.look();
    expect(world.eventsOf('withdrawn')).toEqual([]);
  });

  it('that ends within a path is not taken for the whole one by fetch', async () => {
    await using world = await SimulatedEdgar.start();
    const { edgar } = world;
    world.publish(3);
    edgar.writeQuarter('2025/QTR1', '2025-03-04');
    const whole = await bytesOf(`${edgar.url}${QUARTER}`);
    const body = whole.trimEnd().slice(0, -8);
    edgar.fault = (path) => (path === QUARTER ? { status: 200, type: 'text/plain', body } : null);
    const select = () => world.inSession((session) => selectFilings(session, { from: '2025-01-01' }));
    await expect(select()).rejects.toThrow(/cut/);
    edgar.fault = () => null;
    expect((await select()).plan.filings).toBe(3);
  });
});

describe('a list of the user', () => {
  it('is not said to be unknown if another filter leaves its filings out', async () => {
    await using world = await SimulatedEdgar.start();
    const [one] = world.publish(1);
    world.edgar.writeQuarter('2025/QTR1', '2025-03-04');
    const accessionNumbers = [one!.accession, '0000999999-25-999999'];
    const { plan } = await world.inSession((session) => selectFilings(session, { accessionNumbers, forms: ['10-K'] }));
    expect(plan).toMatchObject({ filings: 0, unknown: ['0000999999-25-999999'] });
  });

  it('that is empty selects nothing by mistake: the command names it', async () => {
    const command = new EdgarCommand('http://127.0.0.1:9');
    const file = join(command.folder, 'empty.txt');
    writeFileSync(file, '# none yet\n\n');
    for (const option of ['--ciks-file', '--accession-numbers']) {
      const { code, stderr } = await command.run('fetch', option, file, '--from', '2025-01-01');
      expect([code, stderr]).toEqual([2, expect.stringContaining('empty.txt')]);
    }
    const future = await command.run('fetch', '--from', '2999-01-01');
    expect([future.code, future.stderr]).toEqual([2, expect.stringContaining('2999-01-01')]);
  });
});

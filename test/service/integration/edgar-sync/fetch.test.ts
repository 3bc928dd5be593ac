import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { calendarDay } from '../../../../src/cli/terminal/option-values.ts';
import { Catalog } from '../../../../src/service/catalog/index.ts';
import { storedAmong } from '../../../../src/service/edgar-sync/catalog-contents.ts';
import { openSession, readEdgarSettings, selectFilings } from '../../../../src/service/edgar-sync/index.ts';
import { quickIt as it, quickDescribe, slowDescribe, slowIt } from '../../../support/tier-cases.ts';
import { EdgarCommand } from './command.ts';
import { LocalEdgar, type LocalFiling } from './local-edgar.ts';

let edgar: LocalEdgar;
let command: EdgarCommand;

const COMPANIES = [
  { cik: '320193', name: 'Example Orchards Inc', role: 'Filer' },
  { cik: '789019', name: 'Sample Windows Corp', role: 'Filer' },
];

/** Two companies, each with a 10-K, a 10-K/A, a 10-Q and an 8-K in two quarters of 2024. */
function published(): LocalFiling[] {
  let n = 0;
  return COMPANIES.flatMap((company) =>
    ['2024-02-05', '2024-05-06'].flatMap((filingDate) =>
      ['10-K', '10-K/A', '10-Q', '8-K'].map((form) => ({
        accession: `0000999999-24-${String(++n).padStart(6, '0')}`,
        form,
        filingDate,
        parties: [company],
        acceptedAt: Date.parse(`${filingDate}T15:00:00Z`),
        text: `${form} of ${company.name}`,
      })),
    ),
  );
}

const stored = () => [...storedAmong(command.catalog, edgar.filings.keys())].sort();

beforeEach(async () => {
  edgar = await LocalEdgar.start();
  edgar.publish(...published());
  edgar.writeQuarter('2024/QTR1', '2024-03-29');
  edgar.writeQuarter('2024/QTR2', '2024-06-28');
  edgar.tickers = [
    [320193, 'Example Orchards Inc', 'ORCH', 'Nasdaq'],
    [789019, 'Sample Windows Corp', 'WIN', 'NYSE'],
  ];
  command = new EdgarCommand(edgar.url);
});

afterEach(() => edgar.close());

quickDescribe('edgar fetch --gaps and --recheck', () => {
  const SPRING = ['--from', '2024-04-01', '--to', '2024-06-30'];

  it('count and name what the catalog lacks, and ask stored filings once more', async () => {
    const none = await command.run('fetch', '--gaps', ...SPRING, '--json');
    expect(none.code).toBe(3);
    expect(none.events).toContainEqual(
      expect.objectContaining({ event: 'gaps', filings: 8, stored: 0, missing: 8, unknown: [], unindexed: [] }),
    );
    expect(edgar.downloads().size).toBe(0);
    await command.run('fetch', ...SPRING, '--forms', '10-K');
    const some = await command.run('fetch', '--gaps', ...SPRING, '--forms', '10-K*', '--list');
    expect(some.code).toBe(3);
    const numbers = ['0000999999-24-000006', '0000999999-24-000014'];
    for (const number of numbers) expect(some.stdout).toContain(`${number}  10-K/A  2024-05-06  not requested yet\n`);
    expect(some.stdout).toContain('EDGAR has 4 filings of this selection; the catalog lacks 2 (50.00 %)\n');
    expect((await command.run('fetch', '--gaps', ...SPRING, '--forms', '10-K')).code).toBe(0);
    // A selection whose quarter has no index yet is not whole.
    expect((await command.run('fetch', '--gaps', '--from', '2024-07-01', '--to', '2024-09-30')).code).toBe(3);

    const redacted = edgar.filings.get('0000999999-24-000005')!;
    edgar.publish({ ...redacted, text: 'Redacted.' });
    const before = edgar.asked.length;
    const checked = await command.run('fetch', '--recheck', ...SPRING, '--json');
    expect(checked.code).toBe(0);
    expect(checked.events.at(-1)).toMatchObject({ event: 'done', corrected: 1, downloads: 1, missing: 0 });
    const asked = edgar.asked.slice(before).filter(({ path }) => path.endsWith('.txt'));
    expect(asked.map(({ status }) => status).sort()).toEqual([200, 304]);
  });
});

quickDescribe('edgar fetch', () => {
  it('stores the filings of a selection, and the tickers of their companies', async () => {
    const select = [
      'fetch',
      '--tickers',
      'orch',
      '--forms',
      '10-K*',
      '--from',
      '2024-01-01',
      '--to',
      '2024-06-30',
      '--json',
    ];
    const first = await command.run(...select);
    expect(first.code).toBe(0);
    expect(first.events.filter(({ event }) => event === 'filing').map(({ form_type }) => form_type)).toEqual(
      expect.arrayContaining(['10-K', '10-K', '10-K/A', '10-K/A']),
    );
    expect(first.events.at(-1)).toMatchObject({ event: 'done', stored: 4, missing: 0, downloads: 4 });
    const catalog = Catalog.open(command.catalog);
    const { records } = catalog.entityLookup({ ciks: ['320193'], from: 0, to: 1 } as never) as never as {
      records: string[];
    };
    catalog.close();
    expect(JSON.stringify(records)).toContain('ORCH');
    // Once more: nothing is downloaded, only changes of the indexes are requested.
    const before = edgar.asked.length;
    const again = await command.run(...select);
    expect(again.events.at(-1)).toMatchObject({ event: 'done', stored: 0, downloads: 0 });
    const requests = edgar.asked.slice(before);
    expect(requests.filter(({ path }) => path.includes('master')).map(({ status }) => status)).toEqual(
      expect.arrayContaining([304, 304]),
    );
    expect([...edgar.downloads().values()]).toEqual([1, 1, 1, 1]);
  });

  it('plans without a download', async () => {
    const { code, events } = await command.run(
      'fetch',
      '--forms',
      '10-K',
      '--from',
      '2024-01-01',
      '--to',
      '2024-06-30',
      '--plan',
      '--json',
    );
    expect(code).toBe(0);
    expect(events[0]).toMatchObject({ event: 'plan', filings: 4, stored: 0, to_fetch: 4, unknown: [] });
    expect(events[0]!.bytes_estimate).toBe(4 * 15_400_000);
    expect(edgar.downloads().size).toBe(0);
  });

  it('fetches single filings by number, and names those that EDGAR does not know', async () => {
    const list = join(command.folder, 'list.txt');
    writeFileSync(list, '# mine\n0000999999-24-000003\n000099999924000009\n\n0000999999-24-999999\n');
    const { code, events } = await command.run('fetch', '--accession-numbers', list, '--to', '2024-06-30', '--json');
    expect(code).toBe(3);
    expect(stored()).toEqual(['0000999999-24-000003', '0000999999-24-000009']);
    expect(events.filter(({ event }) => event === 'missing')).toEqual([
      { event: 'missing', accession_number: '0000999999-24-999999', reason: 'no index of EDGAR names it' },
    ]);
  });

  it('continues after a filing that does not exist, and exits with 3', async () => {
    edgar.fault = (path) =>
      path.includes('0000999999-24-000003')
        ? { status: 404, type: 'application/xml', body: '<Error><Code>NoSuchKey</Code></Error>' }
        : null;
    const select = ['fetch', '--ciks', '320193', '--from', '2024-01-01', '--to', '2024-03-31', '--json'];
    const { code, events } = await command.run(...select);
    expect(code).toBe(3);
    expect(stored()).toHaveLength(3);
    expect(events.filter(({ event }) => event === 'missing')).toMatchObject([
      { accession_number: '0000999999-24-000003' },
    ]);
    edgar.fault = () => null;
    expect((await command.run(...select)).code).toBe(0);
    expect(stored()).toHaveLength(4);
  });

  it('reports the mistake, with exit code 2, and sends nothing', async () => {
    command = new EdgarCommand(edgar.url, { FILINGLAKE_EDGAR_AGENT: '' });
    const { code, stderr } = await command.run('follow', '--once');
    expect([code, stderr]).toEqual([2, expect.stringContaining('FILINGLAKE_EDGAR_AGENT is not set')]);
    expect(edgar.asked).toEqual([]);
  });

  it('ends with 2 if EDGAR does not accept the agent, after one request, and the next command is silent', async () => {
    const title = 'SEC.gov | Your Request Originates from an Undeclared Automated Tool';
    edgar.fault = () => ({ status: 403, body: `<!DOCTYPE html><html><title>${title}</title></html>` });
    const { code, stderr } = await command.run('follow', '--once');
    expect([code, edgar.asked.length]).toEqual([2, 1]);
    expect(stderr).toContain("EDGAR does not accept the agent 'A Tester tester@example.com'");
    expect(stderr).toContain('wait ten minutes');
    const { child, ended } = command.start(['follow', '--once', '--json']);
    child.stdout?.once('data', () => child.kill('SIGINT'));
    expect((await ended).events[0]).toMatchObject({ event: 'blocked' });
    expect(edgar.asked).toHaveLength(1);
  });

  it.each([
    ['', 'FILINGLAKE_EDGAR_AGENT is not set'],
    ['me', 'must be a name and an e-mail'],
    ['me@example.com', 'must be a name and an e-mail'],
  ])('refuses the agent %j', (agent, message) => {
    expect(() => readEdgarSettings({ FILINGLAKE_EDGAR_AGENT: agent }, command.folder)).toThrow(
      expect.objectContaining({ exitCode: 2, message: expect.stringContaining(message) }),
    );
  });

  it.each([
    [{ forms: ['10-K'] }, 'without a first day'],
    [{ tickers: ['ORCHH'] }, "did you mean 'ORCH'?"],
  ])('refuses the selection %j', async (selection, message) => {
    const settings = readEdgarSettings(
      { FILINGLAKE_EDGAR_AGENT: 'A Tester tester@example.com', FILINGLAKE_EDGAR_URL: edgar.url },
      command.folder,
    );
    const session = openSession({ settings, catalogFolder: command.catalog });
    try {
      await expect(selectFilings(session, selection)).rejects.toMatchObject({
        exitCode: 2,
        message: expect.stringContaining(message),
      });
    } finally {
      await session.close();
    }
    expect(edgar.asked.filter(({ path }) => !path.includes('tickers'))).toEqual([]);
  });

  it('looks for a ticker in SEC’s other lists too, and the catalog then knows it', async () => {
    edgar.tickers = [[320193, 'Example Orchards Inc', 'ORCH', 'Nasdaq']];
    const select = (ticker: string) => [
      'fetch',
      '--tickers',
      ticker,
      '--forms',
      '10-K',
      '--from',
      '2024-01-01',
      '--json',
    ];
    const unknown = await command.run(...select('WIN'));
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringContaining("none of SEC's lists has the ticker 'WIN'"),
    ]);
    const lists = edgar.asked.map(({ path }) => path).filter((path) => path.includes('tickers'));
    expect(lists.map((path) => path.slice('/files/'.length))).toEqual([
      'company_tickers_exchange.json',
      'company_tickers.json',
      'company_tickers_mf.json',
    ]);
    edgar.otherTickerLists = {
      '/files/company_tickers.json': { 0: { cik_str: 789019, ticker: 'WIN', title: 'Sample Windows Corp' } },
      '/files/company_tickers_mf.json': {
        fields: ['cik', 'seriesId', 'classId', 'symbol'],
        data: [[320193, 'S000000001', 'C000000001', 'VFUNX']],
      },
    };
    expect((await command.run(...select('VFUNX'))).events.at(-1)).toMatchObject({ event: 'done', stored: 2 });
    expect((await command.run(...select('WIN'))).events.at(-1)).toMatchObject({ event: 'done', stored: 2 });
    const catalog = Catalog.open(command.catalog);
    const found = ['320193', '789019'].map((cik) =>
      JSON.stringify(catalog.entityLookup({ ciks: [cik], from: 0, to: 1 } as never)),
    );
    catalog.close();
    expect(found).toEqual([expect.stringContaining('VFUNX'), expect.stringContaining('WIN')]);
  });

  it('refuses a date that is none', () => {
    expect(() => calendarDay('--from')('2024-13-01')).toThrow('--from must be a day as YYYY-MM-DD, not "2024-13-01"');
  });

  it('ends with 130 at Ctrl-C, also while it follows', async () => {
    const { child, ended } = command.start(['follow', '--json']);
    const look = setInterval(() => {
      if (edgar.asked.length === 0) return;
      clearInterval(look);
      child.kill('SIGINT');
    }, 5);
    const { code, events } = await ended;
    expect([code, events.at(-1)?.event]).toEqual([130, 'done']);
  });
});

slowDescribe('several processes of one home', () => {
  slowIt('share the requests of a second', async () => {
    const others = ['2024-01-01', '2024-04-01'].map((from) => {
      const list = ['fetch', '--from', from, '--to', from === '2024-01-01' ? '2024-03-31' : '2024-06-30'];
      const one = new EdgarCommand(edgar.url, { FILINGLAKE_HOME: join(command.folder, 'home') });
      return one.start(list).ended;
    });
    const codes = await Promise.all([command.start(['follow', '--once']).ended, ...others]);
    expect(codes.map(({ code }) => code)).toEqual([0, 0, 0]);
    const times = edgar.asked.map(({ at }) => at);
    expect(times.length).toBeGreaterThan(20);
    // Five a second; three processes that know nothing of each other would make fifteen. A slow machine takes longer.
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan((times.length - 1) * 100);
  });
});

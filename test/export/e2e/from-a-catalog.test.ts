/** From EDGAR to a lake with one definition: fetched, and exported straight from the catalog, without a key or a port. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { openLake } from '../../../src/lake/index.ts';
import { LocalEdgar, type LocalFiling } from '../../service/integration/edgar-sync/local-edgar.ts';
import { txtOf, writeFiles } from '../../support/catalog/synthetic-filings.ts';
import { commandLine, type Ended } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { temporalExecutable, temporalNamespace } from '../../support/temporal.ts';
import { runCommand } from '../../support/test-stack.ts';
import { IN_SLOW_TIER, quickIt as it, slowIt } from '../../support/tier-cases.ts';

const COMPANIES = [
  { cik: '320193', name: 'Example Orchards Inc', role: 'Filer' },
  { cik: '789019', name: 'Sample Windows Corp', role: 'Filer' },
];

describe.skipIf(!temporalExecutable)('an export straight from a catalog', () => {
  let folder: string;
  let edgar: LocalEdgar;
  let env: Record<string, string | undefined>;
  let definition: string;

  const filing = (n: number, form: string, more: Partial<LocalFiling> = {}): LocalFiling => ({
    accession: `0000999999-24-${String(n).padStart(6, '0')}`,
    form,
    filingDate: '2024-02-05',
    parties: [COMPANIES[0]!],
    text: `${form} ${n}`,
    acceptedAt: Date.parse('2024-02-05T15:00:00Z'),
    ...more,
  });

  beforeAll(async () => {
    folder = temporaryFolder();
    edgar = await LocalEdgar.start();
    edgar.tickers = [[320193, 'Example Orchards Inc', 'ORCH', 'Nasdaq']];
    edgar.publish(filing(1, '10-K'), filing(2, '10-K'), filing(3, '8-K'));
    edgar.publish(filing(4, '10-K', { parties: [COMPANIES[1]!] }));
    edgar.writeQuarter('2024/QTR1', '2024-03-29');
    env = {
      FILINGLAKE_HOME: join(folder, 'home'),
      FILINGLAKE_API_KEY: undefined,
      FILINGLAKE_EDGAR_URL: edgar.url,
      FILINGLAKE_EDGAR_AGENT: 'A Tester tester@example.com',
      ...(await temporalNamespace()),
    };
    definition = write('orchards', '{ catalog: catalog, edgar: {} }');
    if (!IN_SLOW_TIER) return;
    edgar.publish(filing(5, '10-K'));
    edgar.writeQuarter('2024/QTR1', '2024-03-30');
    expect((await filinglake('export', definition)).status).toBe(0);
  });

  afterAll(async () => {
    await edgar.close();
  });

  function write(name: string, service: string, days = 'date_from: 2024-01-01, date_to: 2024-03-31'): string {
    const file = join(folder, `${name}.yaml`);
    const select = `{ entity_query: { tickers: [ORCH] }, form_types: [10-K], ${days} }`;
    const tables = '[entities, entity_tickers, filings, documents, document_contents]';
    writeFileSync(
      file,
      `name: ${name}\nservice: ${service}\nselect: ${select}\ntables: ${tables}\nlake: lake-${name}\n`,
    );
    return file;
  }

  const filinglake = (...args: string[]): Promise<Ended> => commandLine(args, { cwd: folder, env });

  async function rowsOf(lake: string, sql: string): Promise<Record<string, unknown>[]> {
    await using opened = await openLake(join(folder, lake));
    return await opened.query(sql);
  }

  it('fetches what it needs, exports it, and later only what is new', async () => {
    const first = await filinglake('export', definition, '--json');
    expect([first.status, first.stderr]).toEqual([0, expect.any(String)]);
    expect(first.events.at(-1)).toMatchObject({
      event: 'done',
      state: 'completed',
      failures: 0,
      tables: { filings: { rows_new: 2 }, document_contents: { rows_new: 2 } },
    });
    // What the selection doesn't name is not downloaded.
    expect([...edgar.downloads().keys()].sort()).toEqual(['0000999999-24-000001', '0000999999-24-000002']);
    expect(await rowsOf('lake-orchards', 'SELECT cik, ticker, exchange FROM entity_tickers')).toEqual([
      { cik: '320193', ticker: 'ORCH', exchange: 'NASDAQ' },
    ]);
    edgar.publish(filing(5, '10-K'));
    edgar.writeQuarter('2024/QTR1', '2024-03-30');
    const second = await filinglake('export', definition, '--json');
    expect(second.events.at(-1)).toMatchObject({
      state: 'completed',
      tables: { filings: { rows_new: 1, rows_total: 3 } },
    });
    expect(edgar.downloads().size).toBe(3);
  });

  it('names the catalog in its record, and its key nowhere but in the home folder', async () => {
    const runs = await rowsOf('lake-orchards', 'SELECT DISTINCT service FROM export_runs');
    expect(runs).toEqual([{ service: `catalog:${join(folder, 'catalog')}` }]);
    const keys = join(folder, 'home', 'catalog-keys');
    const [file] = readdirSync(keys);
    expect(statSync(join(keys, file!)).mode & 0o077).toBe(0);
    const key = readFileSync(join(keys, file!), 'utf8').trim();
    expect(key.length).toBeGreaterThan(20);
    const others = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.parentPath !== keys)
      .map((entry) => join(entry.parentPath, entry.name));
    expect(others.length).toBeGreaterThan(20);
    expect(others.filter((path) => readFileSync(path).includes(key))).toEqual([]);
  });

  it('is estimated, and refused if it would fetch too much', async () => {
    const plan = await filinglake('plan', definition, '--json');
    expect(JSON.parse(plan.stdout)).toMatchObject({ quota: null, requests: expect.any(Number) });
    const narrow = write('narrow', '{ catalog: other, edgar: { max_filings: 2 } }');
    const refused = await filinglake('export', narrow);
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('service.edgar.max_filings (now 2)')]);
  });

  it('is complete if nothing matches, each time, and says what it looked for', async () => {
    const file = write('nothing', '{ catalog: catalog }', 'date_from: -1d');
    for (let run = 0; run < 2; run++) {
      const { status, stderr } = await filinglake('export', file);
      expect([status, stderr]).toEqual([
        0,
        expect.stringMatching(
          /no filing matches the selection \(form_types: 10-K; date_from: 20.+; tickers: ORCH\)\. The service has filings from /,
        ),
      ]);
    }
  });

  it('ends with 2 if there is no catalog and no edgar', async () => {
    const { status, stderr } = await filinglake('export', write('nowhere', '{ catalog: nothing-here }'));
    expect([status, stderr]).toEqual([2, expect.stringContaining('there is no catalog in')]);
  });

  it('fetches a filing whose submission was corrected again, and no other', async () => {
    const files = join(folder, 'files');
    mkdirSync(files);
    const submission = (n: number, words: string) =>
      txtOf({
        accession: `0000999999-24-00010${n}`,
        form: '10-K',
        date: '2024-02-05',
        acceptance: '2024-02-05T10:00:00',
        parties: [{ cik: '320193', name: 'Example Orchards Inc', sic: '0100', state: 'DE', city: 'PORT' }],
        documents: [
          {
            filename: 'k.htm',
            content: `<p>Item 1. Business</p><p>${words}</p><p>Item 1A. Risk Factors</p><p>Frost.</p>`,
          },
          { filename: 'ex.htm', content: '<p>An exhibit.</p>' },
        ],
      });
    for (let n = 1; n <= 4; n++) writeFiles(files, { [`${n}.txt`]: submission(n, `We grow apples, ${n} kinds.`) });
    const ingest = () => filinglake('ingest', files, '--catalog', 'own', '--json');
    expect((await ingest()).status).toBe(0);
    const tables = ['filings', 'documents', 'parties', 'sections', 'section_contents', 'document_contents'];
    const of = (name: string) => {
      const file = join(folder, `${name}.yaml`);
      const more = `tables: [${tables.join(', ')}]\ndocuments: { types: [all], text: true }\nlake: lake-${name}\n`;
      writeFileSync(file, `name: ${name}\nservice: { catalog: own }\nselect: {}\n${more}`);
      return file;
    };
    const requests = async (file: string) => {
      const { status, events } = await filinglake('export', file, '--json');
      expect(status).toBe(0);
      return Number(events.at(-1)!.requests);
    };
    const rows = async (name: string) => {
      const all: Record<string, unknown> = {};
      for (const table of tables) all[table] = await rowsOf(`lake-${name}`, `FROM ${table} ORDER BY ALL`);
      return all;
    };
    const corrected = of('corrected');
    expect(await requests(corrected)).toBe(1 + 4 * 4);
    writeFiles(files, { '2.txt': submission(2, 'We grow pears.') });
    expect((await ingest()).stdout).toContain('"replaced":1');
    expect(await requests(corrected)).toBe(1 + 4);
    expect(await requests(corrected)).toBe(1);
    await requests(of('fresh'));
    const lake = await rows('corrected');
    expect(lake).toEqual(await rows('fresh'));
    expect(JSON.stringify(lake.section_contents)).toContain('We grow pears.');
  });

  slowIt('is continued by another process after a kill, at another port', async () => {
    const left = write('left', '{ catalog: catalog }');
    mkdirSync(join(folder, 'elsewhere'));
    const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)) as never;
    const path = join(folder, 'absolute.yaml');
    writeFileSync(path, readFileSync(left, 'utf8').replace('catalog: catalog', `catalog: ${join(folder, 'catalog')}`));
    const lake = join(folder, 'lake-left');
    const started = runCommand(['export', path, '--no-worker', '--json', '--lake', lake], given);
    await started.event(({ event }) => event === 'start');
    started.process.kill('SIGKILL');
    await started.ended;
    const { status, events } = await filinglake('resume', 'left', '--json');
    expect([status, events.at(-1)]).toEqual([
      0,
      expect.objectContaining({ state: 'completed', tables: expect.objectContaining({ filings: expect.anything() }) }),
    ]);
    expect(await rowsOf('lake-left', 'SELECT count(*)::INTEGER AS n FROM filings')).toEqual([{ n: 3 }]);
  });

  slowIt('is worked on by a worker for its catalog', async () => {
    const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)) as never;
    const worker = runCommand(['worker', '--catalog', join(folder, 'catalog'), '--json'], given);
    await worker.event((event) => 'task_queue' in event);
    const { status, events } = await filinglake(
      'export',
      write('by-worker', '{ catalog: catalog }'),
      '--no-worker',
      '--json',
    );
    worker.process.kill('SIGTERM');
    await worker.ended;
    expect([status, events.at(-1)]).toEqual([0, expect.objectContaining({ state: 'completed' })]);
  });
});

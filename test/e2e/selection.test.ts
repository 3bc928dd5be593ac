/**
 * Each way of selecting, through the real service, the real Temporal server and a real worker; and each a second time, which must
 * fetch nothing.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Filing } from '../../src/api/index.ts';
import { readDefinitions } from '../../src/cli/terminal/definition-file.ts';
import { FilingClient } from '../../src/client/index.ts';
import { FilinglakeError } from '../../src/core/index.ts';
import { readSettings } from '../../src/environment/index.ts';
import { openLake } from '../../src/lake/index.ts';
import { checkLake } from '../../src/lake-report/index.ts';
import { ExportRuns, ensureTemporal, planOf, type TemporalSession } from '../../src/runtime/index.ts';
import { LiberalFront, type Liberties } from '../support/dialect-proxy.ts';
import { temporalExecutable } from '../support/temporal.ts';
import { buildRoad, type Command, contentsOf, type Road, runCommand } from '../support/test-stack.ts';

const FILINGS = 40;
const ALL =
  'tables: [entities, filings, parties, documents, sections, section_contents, items_8k, exhibits_8k, document_contents]';

interface Done {
  code: number | null;
  /** Paths that were asked, without their queries */
  asked: string[];
  state: string;
  tables: Record<string, { rows_new: number; rows_replaced: number; rows_total: number }>;
  stderr: string;
}

describe.skipIf(!temporalExecutable)('an export of', () => {
  let road: Road;
  let env: Record<string, string>;
  let temporal: TemporalSession;
  let runs: ExportRuns;
  let worker: Command;
  let client: FilingClient;
  let filings: Filing[];
  /** A lake of all filings, by the lookup. */
  let whole: string;

  beforeAll(async () => {
    road = await buildRoad(FILINGS);
    env = { FILINGLAKE_HOME: road.home, FILINGLAKE_API_KEY: road.createKey('unlimited') };
    // Held, so that the exports need not start one each.
    temporal = await ensureTemporal(readSettings({ ...process.env, TEMPORAL_ADDRESS: '', ...env }));
    runs = await ExportRuns.of(temporal);
    worker = await startWorker();
    client = new FilingClient({ baseUrl: road.service.url, apiKey: env.FILINGLAKE_API_KEY! });
    filings = (await client.filingLookup({})).value.filings;
    whole = join(road.folder, 'lake-whole');
    expect(await run(write('whole', `select: {}\n${ALL}`), whole)).toMatchObject({ code: 0 });
  });
  afterAll(async () => {
    await client.close();
    worker.process.kill('SIGTERM');
    await worker.ended;
    await temporal.release();
    await road.stop();
  });

  async function startWorker(): Promise<Command> {
    const started = runCommand(['worker', '--json'], env);
    await started.event((event) => 'task_queue' in event);
    return started;
  }

  function write(name: string, yaml: string): string {
    const file = join(road.folder, `${name}.yaml`);
    writeFileSync(file, `name: ${name}\nservice: { base_url: ${road.proxy.url}, connections: 4 }\n${yaml}\n`);
    return file;
  }

  /** As `filinglake export FILE --set …`, of a file's one export or of each in turn, by the worker. */
  async function run(file: string, lake: string, ...set: string[]): Promise<Done> {
    const before = road.proxy.asked.length;
    const done: Done = { code: 0, asked: [], state: '', tables: {}, stderr: '' };
    try {
      for (const { definition } of readDefinitions(file, [], { set })) {
        const { handle } = await runs.start({ ...definition, lake }, lake, env.FILINGLAKE_API_KEY!);
        const { progress, finished } = await runs.result(handle);
        const isWhole = finished.failures === 0 && progress.windows_unproven === 0;
        Object.assign(done, { code: isWhole ? done.code : 3, state: progress.state, tables: progress.tables });
      }
    } catch (error) {
      if (!(error instanceof FilinglakeError)) throw error;
      Object.assign(done, { code: error.exitCode, stderr: error.message });
    }
    done.asked = road.proxy.asked.slice(before).map((path) => path.replace(/\?.*/, ''));
    return done;
  }

  async function planned(file: string, lake: string) {
    const before = road.proxy.asked.length;
    const { definition } = readDefinitions(file)[0]!;
    const signal = new AbortController().signal;
    const plan = await planOf({ definition, apiKey: env.FILINGLAKE_API_KEY!, lake, sample: null, signal });
    return { ...plan, cost: road.proxy.asked.length - before };
  }

  async function query(lake: string, sql: string): Promise<Record<string, unknown>[]> {
    const opened = await openLake(lake);
    try {
      return await opened.query(sql);
    } finally {
      await opened.close();
    }
  }

  /** Rows that a run wrote, but for those about runs. */
  function written({ tables }: Done): number {
    const about = new Set([
      'export_windows',
      'export_runs',
      'export_failures',
      'export_plans',
      'export_passes',
      'export_unknown',
    ]);
    return Object.entries(tables)
      .filter(([name]) => !about.has(name))
      .reduce((sum, [, { rows_new, rows_replaced }]) => sum + rows_new + rows_replaced, 0);
  }

  it('the whole registry requests entities only, and the second time writes the changed ones', async () => {
    const lake = join(road.folder, 'lake-registry');
    const file = write('registry', 'select: { entities: query }\ntables: [entities]');
    const plan = await planned(file, lake);
    const first = await run(file, lake);
    expect(first, first.stderr).toMatchObject({ code: 0, asked: ['/v2/entity_lookup', '/v2/entity_lookup'] });
    expect(plan).toMatchObject({ requests: 2, whole: true, cost: 2, entities: first.tables.entities!.rows_total });
    const catalog = new DatabaseSync(join(road.catalogFolder, 'catalog.db'));
    const there = catalog.prepare('SELECT cik FROM entities ORDER BY cik').all() as { cik: number }[];
    const had = await query(lake, 'SELECT cik FROM entities ORDER BY cik::BIGINT');
    expect(had.map(({ cik }) => Number(cik))).toEqual(there.map(({ cik }) => cik));
    expect(
      await query(lake, 'SELECT sum(found)::INTEGER AS n, bool_and(proven) AS proven FROM export_windows'),
    ).toEqual([{ n: there.length, proven: true }]);
    expect(written(await run(file, lake))).toBe(0);

    const { cik } = there[0]!;
    catalog
      .prepare(`UPDATE entities SET record = json_set(record, '$.tickers', json('["NEWONE"]')) WHERE cik = ?`)
      .run(cik);
    catalog.close();
    const changed = await run(file, lake);
    expect(changed.tables.entities).toMatchObject({ rows_new: 0, rows_replaced: 1, rows_total: there.length });
    expect(await query(lake, "SELECT DISTINCT cik FROM entity_tickers WHERE ticker = 'NEWONE'")).toEqual([
      { cik: String(cik) },
    ]);
    const report = await openLake(lake);
    expect((await checkLake(report)).problems).toEqual([]);
    await report.close();
  });

  it('entities of a query pages them all, however small a page is', async () => {
    const lake = join(road.folder, 'lake-query');
    const select = 'select: { entities: query, entity_query: { name_includes: [A] } }';
    const file = write('query', `${select}\ntables: [entity_tickers]`);
    const { value } = await client.entityLookup({ name_includes: ['A'], from: 0, to: 10_000 });
    const first = await run(file, lake, 'page_size=3');
    expect(first.asked).toHaveLength(Math.ceil(value.entities.length / 3));
    expect(first.tables.entities).toMatchObject({ rows_total: value.entities.length });
  });

  it('CIKs of a file brings the filings of those, and names the one that nobody knows', async () => {
    const ciks = [...new Set(filings.flatMap(({ cik }) => cik ?? []))].slice(0, 4);
    writeFileSync(
      join(road.folder, 'ciks.csv'),
      `firm,cik\n${[...ciks, '999999999'].map((cik) => `x,${cik}`).join('\n')}\n`,
    );
    const file = write('ciks', 'select: { entity_query: { ciks: { file: ciks.csv } } }\ntables: [filings, entities]');
    const lake = join(road.folder, 'lake-ciks');
    expect((await planned(file, lake)).filings).toBeGreaterThan(0);
    expect(await run(file, lake)).toMatchObject({ code: 0, state: 'completed' });
    const { filings: theirs } = (await client.filingLookup({ entity_query: { ciks } })).value;
    const had = await query(lake, 'SELECT accession_number FROM filings ORDER BY 1');
    expect(had.map((row) => row.accession_number)).toEqual(theirs.map((one) => one.accession_number).sort());
    expect(await query(lake, 'SELECT export, kind, value FROM export_unknown')).toEqual([
      { export: 'ciks', kind: 'ciks', value: '999999999' },
    ]);
    const again = await run(file, lake);
    expect([again.code, written(again)]).toEqual([0, 0]);
  });

  it('accession numbers give the same as a lookup, then nothing, and report the unknown one', async () => {
    const lake = join(road.folder, 'lake-numbers');
    const chosen = filings.filter((_, i) => i % 3 === 0).map(({ accession_number }) => accession_number);
    const unknown = '0000000009-99-000009';
    writeFileSync(
      join(road.folder, 'numbers.txt'),
      `# of ours\n${chosen.map((number, i) => (i % 2 ? number : number.replaceAll('-', ''))).join('\n')}\n${unknown}\n`,
    );
    const file = write('numbers', `select: { accession_numbers: { file: numbers.txt } }\n${ALL}`);
    const plan = await planned(file, lake);
    const first = await run(file, lake);
    expect(first.code, first.stderr).toBe(3);
    expect(plan).toMatchObject({ cost: 0, filings: chosen.length + 1, whole: false });
    expect(plan.requests).toBeLessThanOrEqual(first.asked.length + 2);
    expect(first.asked).not.toContain('/v2/filing_lookup');
    expect(first.asked.filter((path) => path === '/v2/filing_info')).toHaveLength(chosen.length + 1);
    expect(await query(lake, 'SELECT step, subject, code FROM export_failures')).toEqual([
      { step: 'info', subject: unknown, code: 'record-not-found' },
    ]);
    await expectSameRows(lake, chosen);

    const again = await run(file, lake);
    expect(again).toMatchObject({ code: 3, asked: ['/v2/filing_info'] });
    expect(written(again)).toBe(0);

    // A later lookup adds the sizes of the submissions, and needs nothing else for them.
    const looked = await run(write('looked', `select: {}\n${ALL}`), lake);
    expect(looked.code, looked.stderr).toBe(0);
    const others = FILINGS - chosen.length;
    expect(looked.asked.filter((path) => path === '/v2/filing_info')).toHaveLength(others);
    const of = async (folder: string) => {
      const {
        coverage,
        entity_tickers: _tickers,
        export_windows: _windows,
        export_failures: _failures,
        ...rest
      } = await contentsOf(folder);
      return { ...rest, coverage: (coverage as { step: string }[]).filter(({ step }) => step === 'filing') };
    };
    expect(await of(lake)).toEqual(await of(whole));
    expect((await run(file, lake)).asked).toEqual(['/v2/filing_info']);
  });

  it('accession numbers continue after a kill, with the original list', async () => {
    const lake = join(road.folder, 'lake-killed');
    const chosen = filings.slice(0, 30).map(({ accession_number }) => accession_number);
    writeFileSync(join(road.folder, 'killed.txt'), chosen.join('\n'));
    const file = write('killed', `select: { accession_numbers: { file: killed.txt } }\n${ALL}`);
    const before = road.proxy.requests;
    const first = run(file, lake);
    await new Promise<void>((killed) => {
      road.proxy.onRequest = (n) => {
        if (n !== before + 40) return;
        worker.process.kill('SIGKILL');
        killed();
      };
    });
    await worker.ended;
    road.proxy.onRequest = () => {};
    // The list is the run's: its file may go.
    writeFileSync(join(road.folder, 'killed.txt'), chosen.slice(1).join('\n'));
    const changed = await run(file, lake);
    expect(changed).toMatchObject({ code: 2, stderr: expect.stringContaining('select.accession_numbers.hash') });
    worker = await startWorker();
    expect(await first).toMatchObject({ code: 0 });
    await expectSameRows(lake, chosen);
  });

  it('full-text hits give the filings that the search finds, then nothing', async () => {
    const lake = join(road.folder, 'lake-fulltext');
    const word = 'revenue';
    const { value } = await client.fulltextSearch({ query: word, form_types: ['10-K', '10-Q', '8-K'], to: 10_000 });
    const hit = [...new Set(value.hits.map(({ accession_number }) => accession_number))].sort();
    expect(hit.length).toBeGreaterThan(2);
    const file = write('fulltext', `select: { fulltext: { query: ${word} }, form_types: [10-K, 10-Q, 8-K] }\n${ALL}`);
    const plan = await planned(file, lake);
    const first = await run(file, lake);
    expect(first.code, first.stderr).toBe(0);
    expect(first.asked).not.toContain('/v2/filing_lookup');
    expect(plan).toMatchObject({ requests: first.asked.length, whole: true, cost: 1, filings: hit.length });
    expect(await planned(file, lake)).toMatchObject({ requests: 1, whole: true });
    await expectSameRows(lake, hit);
    const windows = await query(
      lake,
      'SELECT expected::INTEGER AS expected, found::INTEGER AS found, proven, filter FROM export_windows',
    );
    expect(windows).toMatchObject([{ expected: value.count, found: value.count, proven: true }]);
    expect(JSON.parse(String(windows[0]!.filter))).toMatchObject({ fulltext: { query: word } });
    const again = await run(file, lake);
    expect(again).toMatchObject({ code: 0, asked: ['/v2/fulltext_search'] });
    expect(written(again)).toBe(0);
  });

  it('some sections are kept, fetched again for another choice, and not for a part of the stored one', async () => {
    const lake = join(road.folder, 'lake-codes');
    const file = write('codes', 'select: { form_types: [10-K] }\ntables: [sections, section_contents]');
    const codes = (...wanted: string[]) => `codes=${wanted.join(',')}`;
    const kept = async (table: string) =>
      (await query(lake, `SELECT DISTINCT section FROM ${table} ORDER BY section`)).map(({ section }) => section);
    const tenKs = filings.filter(({ form_type }) => form_type === '10-K').length;
    const first = await run(file, lake, codes('1A'));
    expect(first.code, first.stderr).toBe(0);
    expect(first.asked).toHaveLength(1 + 2 * tenKs);
    expect(await kept('section_contents')).toEqual(['1A']);
    expect(await kept('sections')).toEqual(['1A']);
    expect((await run(file, lake, codes('7'))).asked).toHaveLength(1 + 2 * tenKs);
    expect(await kept('section_contents')).toEqual(['1A', '7']);
    expect((await run(file, lake)).asked).toHaveLength(1 + 2 * tenKs);
    expect((await kept('sections')).length).toBeGreaterThan(2);
    expect((await run(file, lake, codes('1A', '7'))).asked).toHaveLength(1);
  });

  it('several definitions in one file runs one after the other, over one that fails, and the worst exit code counts', async () => {
    const lake = join(road.folder, 'lake-several');
    const file = join(road.folder, 'several.yaml');
    writeFileSync(
      file,
      `service: { base_url: ${road.proxy.url} }
tables: [filings]
lake: ${lake}
exports:
  - name: recent
    select: { date_from: -1d }
  - name: nowhere
    select: {}
    lake: /dev/null/lake
  - name: listed
    select: { accession_numbers: [0000000009-99-000009] }
  - name: reports
    select: { form_types: [10-K] }
`,
    );
    const command = runCommand(['export', file, '--json', '--no-worker'], env);
    expect(await command.ended, command.stderr()).toBe(1);
    const dones = command.events.filter(({ event }) => event === 'done');
    expect(dones.map(({ id, state }) => [id, state])).toEqual([
      ['export/recent', 'completed'],
      ['export/nowhere', 'failed'],
      ['export/listed', 'completed'],
      ['export/reports', 'completed'],
    ]);
    expect(command.stderr()).toContain('/dev/null/lake');
    const one = runCommand(['export', file, 'reports', '--set', 'form_types=10-Q', '--json', '--no-worker'], env);
    expect(await one.ended, one.stderr()).toBe(0);
    const forms = await query(lake, 'SELECT DISTINCT form_type FROM filings ORDER BY ALL');
    expect(forms.map(({ form_type }) => form_type)).toEqual(['10-K', '10-Q']);
  });

  it('entities by themselves beside filings looks up both, and no filers besides', async () => {
    const lake = join(road.folder, 'lake-both');
    const select = 'select: { entities: query, entity_query: { name_includes: [A] }, form_types: [4] }';
    const { code, asked, stderr } = await run(write('both', `${select}\ntables: [entities, filings]`), lake);
    expect(code, stderr).toBe(0);
    expect(asked).toEqual(['/v2/entity_lookup', '/v2/filing_lookup']);
  });

  it('a schedule counts relative dates from the day of each firing, and reads a list of numbers again', async () => {
    const lake = join(road.folder, 'lake-scheduled');
    const list = join(road.folder, 'scheduled.txt');
    writeFileSync(list, filings[0]!.accession_number);
    const file = join(road.folder, 'scheduled.yaml');
    writeFileSync(
      file,
      `service: { base_url: ${road.proxy.url} }
tables: [filings]
exports:
  - { name: dated, select: { date_from: -30d } }
  - { name: numbered, select: { accession_numbers: { file: scheduled.txt } } }
`,
    );
    const never = ['--cron', '0 6 29 2 *', '--lake', lake, '--json'];
    const unnamed = runCommand(['schedule', 'create', file, ...never], env);
    expect([await unnamed.ended, unnamed.stderr()]).toEqual([2, expect.stringContaining('2 exports: dated, numbered')]);
    for (const args of [['dated', '--set', 'date_from=-7d'], ['numbered']]) {
      const made = runCommand(['schedule', 'create', file, ...args, ...never], env);
      expect(await made.ended, made.stderr()).toBe(0);
    }
    const added = filings[1]!.accession_number;
    writeFileSync(list, `${filings[0]!.accession_number}\n${added}\n`);
    const before = Date.now();
    for (const name of ['dated', 'numbered']) {
      const fired = runCommand(['schedule', 'trigger', name, '--follow', '--json'], env);
      expect(await fired.ended, `${fired.stderr()} ${JSON.stringify(fired.events.at(-1))}`).toBe(0);
    }
    const day = (time: number) => new Date(time - 7 * 86_400_000).toISOString().slice(0, 10);
    const windows = await query(
      lake,
      'SELECT "window" AS w, date_from::VARCHAR AS date_from, found::INTEGER AS found FROM export_windows ORDER BY w DESC',
    );
    expect(windows).toMatchObject([{ w: 'w' }, { w: 'n', found: 2 }]);
    expect([day(before), day(Date.now())]).toContain(windows[0]!.date_from);
  });

  it('each kind gives the same from a service that uses all variants of the contract', async () => {
    const liberties: Liberties = {
      ...{ countOfPage: true, cutPages: true, numbersAsStrings: true, paddedCiks: true, plainAccessionNumbers: true },
      ...{
        noValue: 'missing',
        camelCase: true,
        nestedInfo: true,
        strangers: true,
        timesBehindDates: true,
        empty404: true,
      },
    };
    await using front = await LiberalFront.start(road.service.url, liberties);
    const file = join(road.folder, 'liberal.yaml');
    const chosen = filings.slice(0, 6).map(({ accession_number }) => accession_number);
    writeFileSync(
      file,
      `service: { base_url: ${front.url}, page_size: 7 }
tables: [entities, filings, documents, sections]
exports:
  - { name: liberal-registry, select: { entities: query }, tables: [entities] }
  - { name: liberal-numbers, select: { accession_numbers: [${[...chosen, '0000000009-99-000009'].join(', ')}] } }
  - { name: liberal-hits, select: { fulltext: { query: revenue }, form_types: [10-K] } }
`,
    );
    const lake = join(road.folder, 'lake-liberal');
    const first = await run(file, lake);
    expect(first.code, first.stderr).toBe(3);
    const { value: search } = await client.fulltextSearch({ query: 'revenue', form_types: ['10-K'], to: 10_000 });
    const wanted = new Set([...chosen, ...search.hits.map(({ accession_number }) => accession_number)]);
    const had = await query(lake, 'SELECT accession_number AS n FROM filings');
    expect(new Set(had.map(({ n }) => n))).toEqual(wanted);
    expect(await query(lake, 'SELECT "window" AS w FROM export_windows WHERE NOT proven')).toEqual([]);
    const { value: entities } = await client.entityLookup({ name_excludes: ['§'], to: 10_000 });
    const rows = await query(lake, 'SELECT cik, name FROM entities ORDER BY cik::BIGINT');
    expect(rows).toEqual(entities.entities.map(({ cik, name }) => ({ cik, name })));
    expect(await query(lake, 'SELECT subject FROM export_failures')).toEqual([{ subject: '0000000009-99-000009' }]);
    for (const table of ['documents', 'sections']) {
      const key = table === 'documents' ? 'document_id' : 'accession_number, section';
      const sql = `SELECT * FROM ${table} WHERE accession_number IN (${[...wanted].map((n) => `'${n}'`).join(', ')}) ORDER BY ${key}`;
      expect(await query(lake, sql), table).toEqual(await query(whole, sql));
    }
    expect(written(await run(file, lake))).toBe(0);
  });

  /** Rows of these filings equal those of a lake filled by a lookup, except values that only the lookup has. */
  async function expectSameRows(lake: string, numbers: readonly string[]): Promise<void> {
    const [mine, theirs] = [await contentsOf(lake), await contentsOf(whole)];
    const about = new Set(numbers);
    for (const table of [
      'parties',
      'documents',
      'sections',
      'section_contents',
      'items_8k',
      'exhibits_8k',
      'document_contents',
      'filings',
    ]) {
      const of = (rows: unknown[]) =>
        (rows as { accession_number: string; size?: unknown }[])
          .filter(({ accession_number }) => about.has(accession_number))
          .map((row) => (table === 'filings' ? { ...row, size: null } : row));
      expect(mine[table], table).toEqual(of(theirs[table]!));
      expect(of(mine[table]!).length, table).toBe(mine[table]!.length);
    }
    const ciks = new Set((mine.filings as { cik: string }[]).map(({ cik }) => cik));
    expect((mine.entities as { cik: string }[]).map(({ cik }) => cik).sort()).toEqual([...ciks].sort());
  }
});

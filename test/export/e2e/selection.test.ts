/**
 * Each way of selecting, through the real service, the real Temporal server and a real worker; and each a second time, which must
 * fetch nothing.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { commandLine } from '../../support/command-line.ts';
import { ALL, FILINGS, selectionExports } from '../../support/selection-exports.ts';
import { temporalExecutable } from '../../support/temporal.ts';
import { contentsOf } from '../../support/test-stack.ts';

describe.skipIf(!temporalExecutable)('an export of', () => {
  const given = selectionExports('inside');

  it('the whole registry requests entities only, and the second time writes the changed ones', async () => {
    const lake = join(given.road.folder, 'lake-registry');
    const file = given.write('registry', 'select: { entities: query }\ntables: [entities]');
    const plan = await given.planned(file, lake);
    const first = await given.run(file, lake);
    expect(first, first.stderr).toMatchObject({ code: 0, asked: ['/v2/entity_lookup', '/v2/entity_lookup'] });
    expect(plan).toMatchObject({ requests: 2, whole: true, cost: 2, entities: first.tables.entities!.rows_total });
    const catalog = new DatabaseSync(join(given.road.catalogFolder, 'catalog.db'));
    const there = catalog.prepare('SELECT cik FROM entities ORDER BY cik').all() as { cik: number }[];
    const inLake = await given.query(lake, 'SELECT cik FROM entities ORDER BY cik::BIGINT');
    expect(inLake.map(({ cik }) => Number(cik))).toEqual(there.map(({ cik }) => cik));
    expect(
      await given.query(lake, 'SELECT sum(found)::INTEGER AS n, bool_and(proven) AS proven FROM export_windows'),
    ).toEqual([{ n: there.length, proven: true }]);
    expect(given.written(await given.run(file, lake))).toBe(0);

    const { cik } = there[0]!;
    catalog
      .prepare(`UPDATE entities SET record = json_set(record, '$.tickers', json('["NEWONE"]')) WHERE cik = ?`)
      .run(cik);
    catalog.close();
    const changed = await given.run(file, lake);
    expect(changed.tables.entities).toMatchObject({ rows_new: 0, rows_replaced: 1, rows_total: there.length });
    expect(await given.query(lake, "SELECT DISTINCT cik FROM entity_tickers WHERE ticker = 'NEWONE'")).toEqual([
      { cik: String(cik) },
    ]);
    const report = await openLake(lake);
    expect((await checkLake(report)).problems).toEqual([]);
    await report.close();
  });

  it('entities of a query pages them all, however small a page is', async () => {
    const lake = join(given.road.folder, 'lake-query');
    const select = 'select: { entities: query, entity_query: { name_includes: [A] } }';
    const file = given.write('query', `${select}\ntables: [entity_tickers]`);
    const { value } = await given.client.entityLookup({ name_includes: ['A'], from: 0, to: 10_000 });
    const first = await given.run(file, lake, 'page_size=3');
    expect(first.asked).toHaveLength(Math.ceil(value.entities.length / 3));
    expect(first.tables.entities).toMatchObject({ rows_total: value.entities.length });
  });

  it('documents up to a size requests and stores those, in the first run as in the second', async () => {
    const lake = join(given.road.folder, 'lake-sizes');
    const all = await given.query(given.whole, 'SELECT document_id, size::INT AS size FROM documents ORDER BY size');
    const limit = Number(all[Math.floor(all.length / 2)]!.size);
    const small = all.filter(({ size }) => Number(size) <= limit).map(({ document_id }) => document_id);
    const file = given.write(
      'sizes',
      `select: {}\ntables: [filings, documents, document_contents]\ndocuments: { types: [all], graphics: true, max_bytes: ${limit} }`,
    );
    const first = await given.run(file, lake);
    const documents = (asked: readonly string[]) => asked.filter((path) => path === '/v2/document').length;
    expect([first.state, documents(first.asked)]).toEqual(['completed', small.length]);
    const stored = await given.query(lake, 'SELECT document_id FROM document_contents');
    expect(stored.map(({ document_id }) => document_id).sort()).toEqual(small.sort());
    const second = await given.run(file, lake);
    expect([second.state, documents(second.asked)]).toEqual(['completed', 0]);
  });

  it('a filing that does not exist fails; known failures don’t count, except if asked strictly, every time', async () => {
    const lake = join(given.road.folder, 'lake-known');
    const numbers = [given.filings[0]!.accession_number, '0009999999-24-000001'];
    const file = given.write('known', `select: { accession_numbers: [${numbers.join(', ')}] }\ntables: [filings]`);
    const ended = async (...args: string[]) => {
      const { status, stdout } = await commandLine(args, { env: given.env });
      return { status, stdout };
    };
    const exported = async (...more: string[]) =>
      (await ended('export', file, '--lake', lake, '--no-worker', ...more)).status;
    const check = (...more: string[]) => ended('lake', 'check', '--lake', lake, ...more);
    expect([await exported(), await exported(), await exported('--strict'), await exported('--strict')]).toEqual([
      3, 0, 3, 3,
    ]);
    const plain = await check();
    expect([plain.status, plain.stdout]).toEqual([
      0,
      expect.stringContaining('is complete but for 1 known failure (table export_failures)\n'),
    ]);
    const strict = await check('--strict', '--json');
    expect(strict.status).toBe(3);
    expect(JSON.parse(strict.stdout)).toMatchObject({
      ok: true,
      verdict: 'known-failures',
      failures: 1,
      known_failures: 1,
      unfinished: [],
      pending: [],
    });
  });

  it('CIKs of a file brings the filings of those, and names the one that nobody knows', async () => {
    const ciks = [...new Set(given.filings.flatMap(({ cik }) => cik ?? []))].slice(0, 4);
    writeFileSync(
      join(given.road.folder, 'ciks.csv'),
      `firm,cik\n${[...ciks, '999999999'].map((cik) => `x,${cik}`).join('\n')}\n`,
    );
    const file = given.write(
      'ciks',
      'select: { entity_query: { ciks: { file: ciks.csv } } }\ntables: [filings, entities]',
    );
    const lake = join(given.road.folder, 'lake-ciks');
    expect((await given.planned(file, lake)).filings).toBeGreaterThan(0);
    expect(await given.run(file, lake)).toMatchObject({ code: 0, state: 'completed' });
    const { filings: theirs } = (await given.client.filingLookup({ entity_query: { ciks } })).value;
    const inLake = await given.query(lake, 'SELECT accession_number FROM filings ORDER BY 1');
    expect(inLake.map((row) => row.accession_number)).toEqual(theirs.map((one) => one.accession_number).sort());
    expect(await given.query(lake, 'SELECT export, kind, value FROM export_unknown')).toEqual([
      { export: 'ciks', kind: 'ciks', value: '999999999' },
    ]);
    const again = await given.run(file, lake);
    expect([again.code, given.written(again)]).toEqual([0, 0]);
  });

  it('names of a Parquet file brings the filings of those, and lists the one that nobody has', async () => {
    const { entities } = (
      await given.client.entityLookup({ ciks: given.filings.slice(0, 20).flatMap(({ cik }) => cik ?? []) })
    ).value;
    const chosen = entities.slice(0, 3);
    const engine = await DuckDBInstance.create(':memory:');
    const connection = await engine.connect();
    const named = (names: readonly string[], name: string) =>
      connection.run(
        `COPY (SELECT unnest([${names.map((one) => `'${one}'`).join(', ')}]) AS conm) TO '${join(given.road.folder, name)}' (FORMAT parquet)`,
      );
    await named([...chosen.map(({ name }) => `${name}.`), 'Nobody Knows Inc'], 'names.parquet');
    await named(['Nobody Knows Inc'], 'nobody.parquet');
    engine.closeSync();
    const of = (file: string) =>
      given.write(file, `select: { entity_query: { names: { file: ${file}.parquet } } }\ntables: [filings]`);
    const lake = join(given.road.folder, 'lake-names');
    const plan = await given.planned(of('names'), lake);
    expect(plan.steps[0]).toMatchObject({ step: 'companies', requests: 4 });
    expect(await given.run(of('names'), lake)).toMatchObject({ code: 0, state: 'completed' });
    const ciks = chosen.map(({ cik }) => cik);
    const { filings: theirs } = (await given.client.filingLookup({ entity_query: { ciks } })).value;
    const inLake = await given.query(lake, 'SELECT accession_number FROM filings ORDER BY 1');
    expect(inLake.map((row) => row.accession_number)).toEqual(theirs.map((one) => one.accession_number).sort());
    const unknown = [{ kind: 'names', value: 'Nobody Knows Inc', matches: 0, companies: null }];
    expect(await given.query(lake, 'SELECT kind, value, matches, companies FROM export_unknown')).toEqual(unknown);

    const nobody = join(given.road.folder, 'lake-nobody');
    expect(await given.planned(of('nobody'), nobody)).toMatchObject({ filings: 0, requests: 1 });
    const none = await given.run(of('nobody'), nobody);
    expect(none).toMatchObject({ code: 0, state: 'completed', asked: ['/v2/entity_lookup'] });
    expect(await given.query(nobody, 'SELECT kind, value, matches, companies FROM export_unknown')).toEqual(unknown);
  });

  it('accession numbers give the same as a lookup, then nothing, and report the unknown one', async () => {
    const lake = join(given.road.folder, 'lake-numbers');
    const chosen = given.filings.filter((_, i) => i % 3 === 0).map(({ accession_number }) => accession_number);
    const unknown = '0000000009-99-000009';
    writeFileSync(
      join(given.road.folder, 'numbers.txt'),
      `# of ours\n${chosen.map((number, i) => (i % 2 ? number : number.replaceAll('-', ''))).join('\n')}\n${unknown}\n`,
    );
    const file = given.write('numbers', `select: { accession_numbers: { file: numbers.txt } }\n${ALL}`);
    const plan = await given.planned(file, lake);
    const first = await given.run(file, lake);
    expect(first.code, first.stderr).toBe(3);
    expect(plan).toMatchObject({ cost: 0, filings: chosen.length + 1, whole: false });
    expect(plan.requests).toBeLessThanOrEqual(first.asked.length + 2);
    expect(first.asked).not.toContain('/v2/filing_lookup');
    expect(first.asked.filter((path) => path === '/v2/filing_info')).toHaveLength(chosen.length + 1);
    expect(await given.query(lake, 'SELECT step, subject, code FROM export_failures')).toEqual([
      { step: 'info', subject: unknown, code: 'record-not-found' },
    ]);
    await given.expectSameRows(lake, chosen);

    const again = await given.run(file, lake);
    expect(again).toMatchObject({ code: 3, asked: ['/v2/filing_info'] });
    expect(given.written(again)).toBe(0);

    // A later lookup adds the sizes of the submissions, and needs nothing else for them.
    const looked = await given.run(given.write('looked', `select: {}\n${ALL}`), lake);
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
    expect(await of(lake)).toEqual(await of(given.whole));
    expect((await given.run(file, lake)).asked).toEqual(['/v2/filing_info']);
  });

  it('full-text hits give the filings that the search finds, then nothing', async () => {
    const lake = join(given.road.folder, 'lake-fulltext');
    const word = 'revenue';
    const { value } = await given.client.fulltextSearch({
      query: word,
      form_types: ['10-K', '10-Q', '8-K'],
      to: 10_000,
    });
    const hit = [...new Set(value.hits.map(({ accession_number }) => accession_number))].sort();
    expect(hit.length).toBeGreaterThan(2);
    const file = given.write(
      'fulltext',
      `select: { fulltext: { query: ${word} }, form_types: [10-K, 10-Q, 8-K] }\n${ALL}`,
    );
    const plan = await given.planned(file, lake);
    const first = await given.run(file, lake);
    expect(first.code, first.stderr).toBe(0);
    expect(first.asked).not.toContain('/v2/filing_lookup');
    expect(plan).toMatchObject({ requests: first.asked.length, whole: true, cost: 1, filings: hit.length });
    expect(await given.planned(file, lake)).toMatchObject({ requests: 1, whole: true });
    await given.expectSameRows(lake, hit);
    const windows = await given.query(
      lake,
      'SELECT expected::INTEGER AS expected, found::INTEGER AS found, proven, filter FROM export_windows',
    );
    expect(windows).toMatchObject([{ expected: value.count, found: value.count, proven: true }]);
    expect(JSON.parse(String(windows[0]!.filter))).toMatchObject({ fulltext: { query: word } });
    const again = await given.run(file, lake);
    expect(again).toMatchObject({ code: 0, asked: ['/v2/fulltext_search'] });
    expect(given.written(again)).toBe(0);
  });

  it('several definitions in one file runs one after the other, over one that fails, and the worst exit code counts', async () => {
    const lake = join(given.road.folder, 'lake-several');
    const file = join(given.road.folder, 'several.yaml');
    writeFileSync(
      file,
      `service: { base_url: ${given.road.proxy.url} }
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
    const command = await commandLine(['export', file, '--json', '--no-worker'], { env: given.env });
    expect(command.status, command.stderr).toBe(1);
    const dones = command.events.filter(({ event }) => event === 'done');
    expect(dones.map(({ id, state }) => [id, state])).toEqual([
      ['export/recent', 'completed'],
      ['export/nowhere', 'failed'],
      ['export/listed', 'completed'],
      ['export/reports', 'completed'],
    ]);
    expect(command.stderr).toContain('/dev/null/lake');
    const one = await commandLine(['export', file, 'reports', '--set', 'form_types=10-Q', '--json', '--no-worker'], {
      env: given.env,
    });
    expect(one.status, one.stderr).toBe(0);
    const forms = await given.query(lake, 'SELECT DISTINCT form_type FROM filings ORDER BY ALL');
    expect(forms.map(({ form_type }) => form_type)).toEqual(['10-K', '10-Q']);
  });

  it('entities by themselves beside filings looks up both, and no filers besides', async () => {
    const lake = join(given.road.folder, 'lake-both');
    const select = 'select: { entities: query, entity_query: { name_includes: [A] }, form_types: [4] }';
    const { code, asked, stderr } = await given.run(
      given.write('both', `${select}\ntables: [entities, filings]`),
      lake,
    );
    expect(code, stderr).toBe(0);
    expect(asked).toEqual(['/v2/entity_lookup', '/v2/filing_lookup']);
  });

  it('a schedule counts relative dates from the day of each firing, and reads a list of numbers again', async () => {
    const lake = join(given.road.folder, 'lake-scheduled');
    const list = join(given.road.folder, 'scheduled.txt');
    writeFileSync(list, given.filings[0]!.accession_number);
    const file = join(given.road.folder, 'scheduled.yaml');
    writeFileSync(
      file,
      `service: { base_url: ${given.road.proxy.url} }
tables: [filings]
exports:
  - { name: dated, select: { date_from: -30d } }
  - { name: numbered, select: { accession_numbers: { file: scheduled.txt } } }
`,
    );
    const never = ['--cron', '0 6 29 2 *', '--lake', lake, '--json'];
    const unnamed = await commandLine(['schedule', 'create', file, ...never], { env: given.env });
    expect([unnamed.status, unnamed.stderr]).toEqual([2, expect.stringContaining('2 exports: dated, numbered')]);
    for (const args of [['dated', '--set', 'date_from=-7d'], ['numbered']]) {
      const made = await commandLine(['schedule', 'create', file, ...args, ...never], { env: given.env });
      expect(made.status, made.stderr).toBe(0);
    }
    const added = given.filings[1]!.accession_number;
    writeFileSync(list, `${given.filings[0]!.accession_number}\n${added}\n`);
    const before = Date.now();
    for (const name of ['dated', 'numbered']) {
      const fired = await commandLine(['schedule', 'trigger', name, '--follow', '--json'], { env: given.env });
      expect(fired.status, `${fired.stderr} ${JSON.stringify(fired.events.at(-1))}`).toBe(0);
    }
    const day = (time: number) => new Date(time - 7 * 86_400_000).toISOString().slice(0, 10);
    const windows = await given.query(
      lake,
      'SELECT "window" AS w, date_from::VARCHAR AS date_from, found::INTEGER AS found FROM export_windows ORDER BY w DESC',
    );
    expect(windows).toMatchObject([{ w: 'w' }, { w: 'n', found: 2 }]);
    expect([day(before), day(Date.now())]).toContain(windows[0]!.date_from);
  });
});

/** Runs the examples of docs/guide/library.md, each as a separate program; and tests exports through the library that end badly. */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { sampleSubmissions } from '../../../src/cli/sample/index.ts';
import { type ExportOptions, openLake, startExport } from '../../../src/library/index.ts';
import { temporalExecutable, temporalNamespace } from '../../support/temporal.ts';
import { buildRoad, CHECKOUT, type Road } from '../../support/test-stack.ts';
import { quickIt as it, slowIt } from '../../support/tier-cases.ts';

const FILINGS = 40;
const TABLES = ['filings', 'documents'];

/** The TypeScript of a page, by the module that it imports. */
function examples(): Map<string, string> {
  const page = readFileSync(join(CHECKOUT, 'docs/guide/library.md'), 'utf8');
  const blocks = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code!);
  return new Map(blocks.map((code) => [/from '(filinglake[\w/]*)'/.exec(code)![1]!, code]));
}

describe.skipIf(!temporalExecutable)('the library', () => {
  let road: Road;
  let env: Record<string, string | undefined>;
  let options: ExportOptions;

  beforeAll(async () => {
    road = await buildRoad(FILINGS);
    const apiKey = road.createKey('unlimited');
    env = {
      ...process.env,
      FILINGLAKE_HOME: road.home,
      FILINGLAKE_BASE_URL: road.proxy.url,
      FILINGLAKE_API_KEY: apiKey,
      ...(await temporalNamespace()),
    };
    options = { env, onMessage: () => {} };
  });
  afterAll(async () => {
    await road?.stop();
  });

  /** Runs an example in the folder of the test. @returns its output */
  async function runExample(door: string): Promise<string> {
    const file = join(road.folder, `${door.replace('/', '-')}.mts`);
    const code = examples().get(door)!;
    const source = pathToFileURL(join(CHECKOUT, 'src/library', `${door.split('/')[1] ?? 'index'}.ts`)).href;
    writeFileSync(file, code.replace(`'${door}'`, `'${source}'`));
    return (await promisify(execFile)(process.execPath, [file], { cwd: road.folder, env })).stdout;
  }

  it('exports, follows and sums up, as documented', async () => {
    expect(await runExample('filinglake')).toMatch(/running \d+ \d+\n(.*\n)*\d+ \d+\n$/);
    await using lake = await openLake(join(road.folder, 'annual'));
    const [row] = await lake.query('SELECT count(*) AS n, count(DISTINCT form_type) AS forms FROM filings');
    expect(row).toEqual({ n: expect.any(Number), forms: 1 });
    expect(row!.n).toBeGreaterThan(1);
  });

  it('reads a lake at a version, as documented', async () => {
    const lakeFolder = join(road.folder, 'lake');
    await using run = await startExport({ name: 'all', tables: TABLES, select: {} }, { ...options, lake: lakeFolder });
    const seen: number[] = [];
    for await (const progress of run) seen.push(progress.filings_found);
    const { lakeVersion, exitCode, state } = await run.done();
    expect({ exitCode, state, last: seen.at(-1) }).toEqual({ exitCode: 0, state: 'completed', last: FILINGS });
    await using lake = await openLake(lakeFolder);
    expect(lake.version).toBe(lakeVersion);
    expect((await lake.tables()).filings).toBe(FILINGS);
    const rows: unknown[] = [];
    for await (const row of lake.read('filings', { columns: ['accession_number'], where: 'true -- all' }))
      rows.push(row);
    expect(rows).toEqual(await lake.query('SELECT accession_number FROM filings'));
    await expect(lake.read('filing').next()).rejects.toMatchObject({ code: 'table-unknown' });
    await expect(openLake(lakeFolder, 99)).rejects.toMatchObject({ code: 'lake-version-unknown' });
    const printed = await runExample('filinglake/lake');
    expect(printed).toContain(`filings: ${FILINGS}`);
    expect(readdirSync(road.folder)).toContain('documents.parquet');
  });

  it('requests filings, as documented', async () => {
    const printed = await runExample('filinglake/client');
    expect(printed).toMatch(/requests left:.*\n\d+ documents/);
  });

  it('finds sections, as documented', async () => {
    const submissions = [...sampleSubmissions({ filings: FILINGS, seed: 7 })];
    const annual = submissions.find(({ bytes }) =>
      /CONFORMED SUBMISSION TYPE:\s+10-K\b/.test(bytes.toString('latin1')),
    )!;
    writeFileSync(join(road.folder, 'report.txt'), annual.bytes);
    expect(await runExample('filinglake/sections')).toMatch(/^10-K \d{4}-\d\d-\d\d\n1 Business \d+\n/);
  });

  it('throws at the end of an incomplete export, unless the options allow it', async () => {
    const definition = { name: 'short', select: {}, tables: TABLES, budget: { max_requests: 3 } };
    const lake = join(road.folder, 'short');
    await using run = await startExport(definition, { ...options, lake });
    await expect(run.done()).rejects.toMatchObject({ code: 'export-stopped', exitCode: 6 });
    expect((await run.done({ allowIncomplete: true })).progress.requests).toBe(3);
  });

  slowIt('keeps a run that is closed early, and continues it when it is started again', async () => {
    road.proxy.delayMs = 100;
    const definition = { name: 'closed', select: {}, tables: TABLES, service: { connections: 1 } };
    const given = { ...options, lake: join(road.folder, 'closed') };
    const run = await startExport(definition, given);
    for await (const { filings_found } of run) if (filings_found > 0) break;
    await run.close();
    await expect(run.done()).rejects.toMatchObject({ exitCode: 130 });
    road.proxy.delayMs = 0;
    await using again = await startExport(definition, given);
    expect(again.attached).toBe(true);
    expect((await again.done()).progress.filings_found).toBe(FILINGS);
  });

  it('refuses an export that it can not start', async () => {
    const definition = { name: 'x', select: {}, tables: TABLES };
    const refusal = (given: string | object, more: ExportOptions = {}) => startExport(given, { ...options, ...more });
    await expect(refusal({ ...definition, tabels: [] })).rejects.toMatchObject({ exitCode: 2 });
    await expect(refusal('nowhere.yaml')).rejects.toMatchObject({ code: 'file-unreadable', exitCode: 2 });
    const withoutKey = { ...env, FILINGLAKE_API_KEY: undefined };
    await expect(refusal(definition, { env: withoutKey })).rejects.toMatchObject({ code: 'key-missing', exitCode: 4 });
    const several = join(road.folder, 'several.yaml');
    mkdirSync(road.folder, { recursive: true });
    writeFileSync(several, JSON.stringify({ exports: [definition, { ...definition, name: 'y' }] }));
    await expect(refusal(several)).rejects.toMatchObject({ code: 'export-unknown' });
  });
});

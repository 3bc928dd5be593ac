/** The examination of a machine and a service: what it calls missing, and that it spends nothing. */
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../../../src/core/environment/index.ts';
import { OLDEST_NODE } from '../../../../src/export/runtime/doctor/machine.ts';
import { FAMILY_TITLE } from '../../../../src/export/runtime/doctor/service.ts';
import { type Check, ensureTemporal, examine, type TemporalSession } from '../../../../src/export/runtime/index.ts';
import { openLake } from '../../../../src/lake/index.ts';
import { SERVICE_TITLE } from '../../../../src/service/index.ts';
import { commandLine } from '../../../support/command-line.ts';
import { bring, filingRows } from '../../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { type LocalServer, serve } from '../../../support/local-server.ts';
import { temporalExecutable } from '../../../support/temporal.ts';
import { buildRoad, CHECKOUT, type Road } from '../../../support/test-stack.ts';

let road: Road;
let folder: string;
const browser = async (): Promise<Check> => ({ name: 'browser', state: 'ok', found: 'one', remedy: null });

async function examined(
  service: { baseUrl?: string; apiKey?: string | null } = {},
  env: Record<string, string> = {},
): Promise<{ ready: boolean; checks: Record<string, Check> }> {
  const home = { FILINGLAKE_HOME: join(folder, 'home') };
  const settings = readSettings({ ...process.env, TEMPORAL_ADDRESS: '', ...home, ...env });
  const { ready, checks } = await examine(settings, {
    lake: join(folder, 'lake'),
    service: { baseUrl: road.proxy.url, apiKey: road.createKey('small'), keyVariable: 'THE_KEY', ...service },
    browser,
  });
  for (const { remedy } of checks) if (remedy !== null) expect(remedy).toMatch(/^[A-Z].*[.`]$/);
  return { ready, checks: Object.fromEntries(checks.map((check) => [check.name, check])) };
}

/** A server that answers every request with one status. */
async function answering(status: number): Promise<{ url: string; paths: string[]; server: LocalServer }> {
  const paths: string[] = [];
  const server = await serve((request, response) => {
    paths.push(request.url ?? '');
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"error":"no"}');
  });
  return { url: server.url, paths, server };
}

beforeAll(async () => {
  road = await buildRoad(2);
  folder = temporaryFolder();
});
afterAll(async () => {
  await road.stop();
});

describe('an examination', () => {
  it('finds a service, its key and the remaining quota, and spends none of it', async () => {
    const apiKey = road.createKey('small');
    for (let time = 0; time < 3; time++) {
      const { ready, checks } = await examined({ apiKey });
      expect(ready, JSON.stringify(checks)).toBe(true);
      expect(checks.key).toMatchObject({ state: 'ok' });
      expect(checks.quota!.found).toMatch(/^40 of 40 requests left until \d{4}-\d{2}-01T00:00:0/);
      expect(JSON.stringify(checks)).not.toContain(apiKey);
    }
  });

  it('reports that no limit is stated if the plan has none', async () => {
    const { checks } = await examined({ apiKey: road.createKey('unlimited') });
    expect(checks.quota).toMatchObject({ state: 'ok', found: 'no limit is stated' });
  });

  it('calls a refused key and an absent one missing, and names the variable', async () => {
    const refused = await examined({ apiKey: 'fl_of_nobody' });
    expect(refused).toMatchObject({ ready: false, checks: { key: { state: 'missing' } } });
    const absent = await examined({ apiKey: null });
    expect(absent).toMatchObject({ ready: false, checks: { key: { state: 'missing', found: 'THE_KEY is not set' } } });
  });

  it('shows the key to no service that may count the request', async () => {
    const other = await answering(401);
    const { ready, checks } = await examined({ baseUrl: other.url, apiKey: 'a_key_that_costs' });
    await other.server.close();
    expect(ready).toBe(true);
    expect(checks.quota!.found).toContain('not checked');
    expect(other.paths).toEqual(['/openapi.json', '/v2/entity_lookup']);
  });

  it('tells a wrong base URL from a service that is away', async () => {
    const wrong = await answering(404);
    expect((await examined({ baseUrl: wrong.url })).checks.service).toMatchObject({
      state: 'missing',
      found: expect.stringContaining('no /v2/entity_lookup'),
    });
    await wrong.server.close();
    expect((await examined({ baseUrl: wrong.url })).checks.service).toMatchObject({
      state: 'missing',
      found: expect.stringMatching(/doesn't answer: (nothing listens there|the connection was cut)$/),
    });
  });

  it('finds folders that cannot be made, without making any', async () => {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    const { ready, checks } = await examined({}, { FILINGLAKE_HOME: join(file, 'home') });
    expect(ready).toBe(false);
    expect(checks.home).toMatchObject({ state: 'missing', remedy: expect.stringContaining('FILINGLAKE_HOME') });
    expect(checks.lake).toMatchObject({ state: 'ok', found: expect.stringContaining('not created yet') });
  });

  it('reports files of a lake that no recent version needs, and warns if they are more than the rest', async () => {
    const orphan = join(folder, 'lake', 'filings', 'part-00000000-0000-4000-8000-000000000000.zstd.parquet');
    const lake = await openLake(join(folder, 'lake'), { create: true });
    await bring(lake, { batch: 'b' }, filingRows(1));
    await lake.close();
    expect((await examined()).checks.lake).toMatchObject({ state: 'ok', remedy: null });
    for (const [bytes, state] of [
      [100, 'ok'],
      [2_000_000, 'warning'],
    ] as const) {
      writeFileSync(orphan, Buffer.alloc(bytes));
      utimesSync(orphan, new Date('2024-01-01'), new Date('2024-01-01'));
      expect((await examined()).checks.lake).toEqual({
        name: 'lake',
        state,
        found: expect.stringContaining(
          `; 1 file of ${(bytes / 1e6).toFixed(1)} MB that no version of the last 7 days needs`,
        ),
        remedy: `Run \`filinglake lake vacuum --lake ${join(folder, 'lake')}\` to remove such files.`,
      });
    }
    const vacuumed = await openLake(join(folder, 'lake'));
    await vacuumed.vacuum();
    await vacuumed.close();
    expect((await examined()).checks.lake).toMatchObject({ state: 'ok', remedy: null });
  });

  it('reports that a Temporal elsewhere does not answer', async () => {
    const gone = await answering(200);
    const address = gone.url.slice('http://'.length);
    await gone.server.close();
    const { ready, checks } = await examined({}, { TEMPORAL_ADDRESS: address });
    expect(ready).toBe(false);
    expect(checks.temporal).toMatchObject({ state: 'missing', found: expect.stringContaining(address) });
  });

  it('knows what package.json and the service say', () => {
    const { engines } = JSON.parse(readFileSync(join(CHECKOUT, 'package.json'), 'utf8')) as {
      engines: { node: string };
    };
    expect(engines.node).toBe(`>=${OLDEST_NODE.join('.')}`);
    expect(FAMILY_TITLE).toBe(SERVICE_TITLE);
  });
});

describe('filinglake doctor', () => {
  const env = () => ({ FILINGLAKE_HOME: road.home, FILINGLAKE_CHROMIUM: 'none', TEMPORAL_ADDRESS: '' });
  let temporal: TemporalSession | null = null;
  // Held, so that the commands need not start one each.
  beforeAll(async () => {
    if (temporalExecutable) temporal = await ensureTemporal(readSettings({ ...process.env, ...env() }));
  });
  afterAll(async () => temporal?.release());

  async function doctor(args: string[], apiKey: string) {
    const ended = await commandLine(['doctor', ...args], { env: { ...env(), FILINGLAKE_API_KEY: apiKey } });
    return { ...ended, report: ended.events[0] as unknown as { ready: boolean; checks: Check[] } };
  }

  it('ends with 0 when exports can run, with 1 when something is missing', async () => {
    const file = road.definition('looked-at');
    const well = await doctor([file, '--json'], road.createKey('small'));
    expect(well.status, JSON.stringify(well.report.checks.filter(({ state }) => state === 'missing'))).toBe(0);
    expect(well.report.ready).toBe(true);
    expect(well.report.checks.find(({ name }) => name === 'browser')).toMatchObject({ state: 'warning' });
    const unwell = await doctor([file, '--json'], '');
    expect([unwell.status, unwell.report.ready]).toEqual([1, false]);
  });

  it('looks at a definition as the command line changes it: with --set, and at the export that is named', async () => {
    const file = join(folder, 'two.yaml');
    writeFileSync(
      file,
      'tables: [filings]\nselect: {}\nlake: first-lake\nexports:\n  - name: a\n  - { name: b, lake: second-lake }\n',
    );
    const set = ['--set', 'base_url=http://127.0.0.1:9', '--set', 'form_types=10K'];
    const b = await doctor([file, 'b', '--json', ...set], 'any');
    expect(b.status).toBe(1);
    expect(b.stdout).toContain('http://127.0.0.1:9 ');
    expect(b.stdout).toContain('second-lake');
    expect(b.stderr).toContain("did you mean '10-K'?");
    const none = await doctor(set, 'any');
    expect(none.status).toBe(2);
    expect(none.stderr).toContain('none is named');
  });
});

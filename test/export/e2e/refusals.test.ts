/** What goes wrong before or around an export: exit codes, and messages that name the input and the remedy. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { startService } from '../../../src/service/index.ts';
import { commandLine } from '../../support/command-line.ts';
import { temporalExecutable, temporalNamespace } from '../../support/temporal.ts';
import { buildRoad, type Road, runCommand, TEST_PLANS } from '../../support/test-stack.ts';

let road: Road;
let apiKey: string;
let temporal = {};
const env = (more: Record<string, string> = {}) => ({
  ...temporal,
  FILINGLAKE_HOME: road.home,
  FILINGLAKE_API_KEY: apiKey,
  ...more,
});

async function ends(args: string[], more?: Record<string, string>) {
  const { status: code, stderr, events } = await commandLine(args, { env: env(more) });
  return { code, stderr, events };
}

beforeAll(async () => {
  road = await buildRoad(8);
  apiKey = road.createKey('unlimited');
  if (temporalExecutable) temporal = await temporalNamespace();
});
afterAll(() => road.stop());

describe('a command that is used wrongly', () => {
  it('names the nearest command and option, and ends with 2', async () => {
    // As a process, once: the shell sees the exit code.
    const misspelt = runCommand(['exprot', 'x.yaml'], env());
    expect(await misspelt.ended).toBe(2);
    expect(misspelt.stderr()).toContain("did you mean 'export'?");
    const option = await ends(['export', 'x.yaml', '--laek', 'here']);
    expect(option).toMatchObject({ code: 2, stderr: expect.stringContaining('--lake') });
  });

  it('names line, column and nearest key of a mistake in a definition, and ends with 2', async () => {
    const file = join(road.folder, 'wrong.yaml');
    writeFileSync(file, 'select:\n  form_type: [10-K]\ntables: [filings]\n');
    const { code, stderr } = await ends(['export', file]);
    expect(code).toBe(2);
    expect(stderr).toContain('wrong.yaml:2:3');
    expect(stderr).toContain("did you mean 'form_types'?");
  });

  it('names the variable for the key, and exits with 4', async () => {
    const { code, stderr } = await ends(['export', road.definition('keyless')], { FILINGLAKE_API_KEY: '' });
    expect(code).toBe(4);
    expect(stderr).toContain('FILINGLAKE_API_KEY');
  });

  it('reports a missing definition file', async () => {
    expect(await ends(['export', 'nowhere.yaml'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('nowhere.yaml'),
    });
  });
});

describe.skipIf(!temporalExecutable)('an export that is refused', () => {
  it('exits with 4 if the service refuses the key, without spending requests', async () => {
    const { code, stderr } = await ends(
      ['export', road.definition('refused'), '--lake', join(road.folder, 'l1'), '--json'],
      {
        FILINGLAKE_API_KEY: 'fl_not_a_key_of_this_service',
      },
    );
    expect(code).toBe(4);
    expect(stderr).toContain('FILINGLAKE_API_KEY');
    expect(stderr).not.toContain('fl_not_a_key_of_this_service');
    expect(road.proxy.byStatus.get(401)).toBe(1);
  });

  it('exits with 4 if the key is revoked during the run, and reports every request that was sent', async () => {
    const key = road.createKey('unlimited');
    const before = road.proxy.requests;
    void road.proxy.atRequest(before + 12, () => road.revokeKey(key));
    const { code, events } = await ends(
      ['export', road.definition('revoked'), '--lake', join(road.folder, 'l-revoked'), '--json'],
      { FILINGLAKE_API_KEY: key },
    );
    road.proxy.onRequest = () => {};
    expect(code).toBe(4);
    const { requests } = events.at(-1) as { requests: number };
    // Those in flight when the first was refused may be cut off before they arrive.
    expect(requests).toBeGreaterThanOrEqual(12);
    expect(requests - (road.proxy.requests - before)).toBeGreaterThanOrEqual(0);
    expect(requests - (road.proxy.requests - before)).toBeLessThanOrEqual(4);

    // What was answered was paid for: it is in the lake, and nothing is left lying in the staging.
    const lake = await openLake(join(road.folder, 'l-revoked'));
    const [row] = await lake.query(`SELECT count(*)::INTEGER AS steps FROM coverage WHERE step <> 'filing'`);
    expect(row!.steps).toBeGreaterThanOrEqual(4);
    expect((await checkLake(lake)).problems).toEqual([]);
    await lake.close();
    expect(readdirSync(join(road.folder, 'l-revoked', '_staging'))).toEqual([]);
  });

  it('exits with 1 if the lake cannot be written, before any request is sent', async () => {
    const file = join(road.folder, 'a-file');
    writeFileSync(file, '');
    const asked = road.proxy.requests;
    const { code, stderr } = await ends(['export', road.definition('unwritable'), '--lake', join(file, 'lake')]);
    expect(code).toBe(1);
    expect(stderr).toContain('a-file');
    expect(road.proxy.requests).toBe(asked);
  });

  it('exits with 5 if the service is unreachable, and continues when it is back', async () => {
    const limits = { readerThreads: 1 };
    const gone = await startService({ catalogFolder: road.catalogFolder, port: 0, plans: TEST_PLANS, limits });
    const { port } = gone;
    await gone.close();
    const file = join(road.folder, 'away.yaml');
    writeFileSync(file, `name: away\nservice: { base_url: http://127.0.0.1:${port} }\nselect: {}\ntables: [filings]\n`);
    const lake = join(road.folder, 'l3');
    const away = await ends(['export', file, '--lake', lake, '--json']);
    expect(away.code).toBe(5);
    expect(away.events.at(-1)).toMatchObject({ event: 'done', state: 'paused', stopped_by: 'unreachable' });

    const back = await startService({
      catalogFolder: road.catalogFolder,
      port,
      strictPort: true,
      plans: TEST_PLANS,
      limits,
    });
    const resumed = await ends(['resume', 'away', '--json']);
    await back.close();
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(resumed.events.at(-1)).toMatchObject({
      event: 'done',
      state: 'completed',
      tables: { filings: { rows_new: 8, rows_total: 8 } },
    });
  });

  it('is refused with the difference if another definition runs under its name', async () => {
    const key = road.createKey('small');
    const file = road.definition('same-name', 'budget: { max_requests: 2 }');
    const lake = join(road.folder, 'l4');
    const first = await ends(['export', file, '--lake', lake, '--json'], { FILINGLAKE_API_KEY: key });
    expect(first.code).toBe(6);
    expect(first.events.at(-1)).toMatchObject({ event: 'done', state: 'paused', stopped_by: 'budget', requests: 2 });
    const other = join(road.folder, 'other.yaml');
    writeFileSync(
      other,
      `name: same-name\nservice: { base_url: ${road.proxy.url} }\nselect: { form_types: [10-K] }\ntables: [filings]\n`,
    );
    const refused = await ends(['export', other, '--lake', lake], { FILINGLAKE_API_KEY: key });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('select.form_types');

    expect(await ends(['status', 'same-name', '--json'])).toMatchObject({ code: 0 });
    const cancelled = await ends(['cancel', 'same-name', '--json'], { FILINGLAKE_API_KEY: key });
    expect(cancelled).toMatchObject({ code: 0, events: [{ id: 'export/same-name', state: 'cancelled' }] });
  });
});

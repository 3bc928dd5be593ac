/** The commands beside `export`, for exports straight from a catalog: no key, no port, the folder alone. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sampleSubmissions } from '../../../src/cli/sample/index.ts';
import { readSettings } from '../../../src/core/environment/index.ts';
import { ensureTemporal, type TemporalSession } from '../../../src/export/runtime/index.ts';
import { ingest } from '../../../src/service/catalog/index.ts';
import { commandLine, type Ended } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { temporalExecutable } from '../../support/temporal.ts';
import { runCommand } from '../../support/test-stack.ts';

const FILINGS = 5;

describe.skipIf(!temporalExecutable)('with an export straight from a catalog', () => {
  let folder: string;
  let env: Record<string, string | undefined>;
  let temporal: TemporalSession;

  beforeAll(async () => {
    folder = temporaryFolder();
    for (const { path, bytes } of sampleSubmissions({ filings: FILINGS, seed: 3 })) {
      mkdirSync(dirname(join(folder, 'corpus', path)), { recursive: true });
      writeFileSync(join(folder, 'corpus', path), bytes);
    }
    await ingest([join(folder, 'corpus')], join(folder, 'catalog'), { threads: 0 });
    env = { FILINGLAKE_HOME: join(folder, 'home'), FILINGLAKE_API_KEY: undefined, TEMPORAL_ADDRESS: '' };
    temporal = await ensureTemporal(readSettings({ ...process.env, ...env }));
  });
  afterAll(async () => {
    await temporal.release();
  });

  const filinglake = (...args: string[]): Promise<Ended> => commandLine(args, { cwd: folder, env });
  const given = () => Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)) as never;
  const done = ({ events }: Ended) => events.at(-1);

  function define(name: string, service = '{ catalog: catalog }'): string {
    const file = join(folder, `${name}.yaml`);
    const tables = '[filings, documents, document_contents]';
    writeFileSync(file, `name: ${name}\nservice: ${service}\nselect: {}\ntables: ${tables}\nlake: lake-${name}\n`);
    return file;
  }

  it('doctor checks the catalog’s own service', async () => {
    const { status, stdout } = await filinglake('doctor', define('checked'), '--json');
    const { checks } = JSON.parse(stdout) as { checks: { name: string; state: string; found: string }[] };
    expect(checks.filter(({ state }) => state === 'missing')).toEqual([]);
    expect(status).toBe(0);
    expect(checks.map(({ name }) => name)).toEqual(expect.arrayContaining(['service', 'key']));
  });

  it('retry fetches what failed, by the name of the export', async () => {
    const [pack] = readdirSync(join(folder, 'catalog', 'packs'));
    const file = join(folder, 'catalog', 'packs', pack!);
    const whole = readFileSync(file);
    const damaged = Buffer.from(whole);
    damaged.fill(0, 0, 64);
    writeFileSync(file, damaged);
    const first = await filinglake('export', define('damaged'), '--json');
    expect([first.status, done(first)]).toEqual([3, expect.objectContaining({ failures: expect.any(Number) })]);
    writeFileSync(file, whole);
    const again = await filinglake('retry', 'damaged', '--json');
    expect([again.status, done(again)]).toEqual([0, expect.objectContaining({ state: 'completed', failures: 0 })]);
    expect((await filinglake('retry', 'damaged')).stdout).toContain('nothing to retry');
  });

  it('pause and resume hold a run and let it continue', async () => {
    const started = runCommand(
      [
        'export',
        define('held', `{ catalog: ${join(folder, 'catalog')} }`),
        '--no-worker',
        '--json',
        '--lake',
        join(folder, 'lake-held'),
      ],
      given(),
    );
    await Promise.race([started.event(({ event }) => event === 'start'), started.ended]);
    started.process.kill('SIGKILL');
    await started.ended;
    const paused = await filinglake('pause', 'held', '--json');
    expect([paused.status, paused.stderr]).toEqual([0, '']);
    const resumed = await filinglake('resume', 'held', '--json');
    expect([resumed.status, done(resumed)]).toEqual([0, expect.objectContaining({ state: 'completed' })]);
  });

  it('a schedule runs, triggered and followed without a key, and worked on by up', async () => {
    const made = await filinglake('schedule', 'create', define('nightly'), '--cron', '0 6 29 2 *', '--json');
    expect([made.status, made.stderr]).toEqual([0, expect.any(String)]);
    const followed = await filinglake('schedule', 'trigger', 'nightly', '--follow', '--json');
    expect([followed.status, done(followed)]).toEqual([
      0,
      expect.objectContaining({ state: 'completed', tables: expect.objectContaining({ filings: expect.anything() }) }),
    ]);
    const up = runCommand(['up', '--catalog', join(folder, 'catalog'), '--json'], given());
    await up.event((event) => 'task_queue' in event);
    expect((await filinglake('schedule', 'trigger', 'nightly', '--json')).status).toBe(0);
    await vi.waitFor(
      async () => {
        const runs = JSON.parse((await filinglake('status', 'nightly', '--json')).stdout) as {
          state: string;
          id: string;
        }[];
        const listed = JSON.parse((await filinglake('schedule', 'list', 'nightly', '--json')).stdout) as {
          runs_started: number;
        };
        expect([runs[0]!.state, listed.runs_started]).toEqual(['completed', 2]);
      },
      { timeout: 120_000, interval: 500 },
    );
    up.process.kill('SIGTERM');
    expect(await up.ended).toBe(0);
  });

  it('a schedule that would fetch from EDGAR is refused: its runs would not', async () => {
    const refused = await filinglake(
      'schedule',
      'create',
      define('fetching', '{ catalog: catalog, edgar: {} }'),
      '--cron',
      '@daily',
    );
    expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('service.edgar')]);
  });
});

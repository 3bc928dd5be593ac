/** `filinglake up --follow`: EDGAR followed by a schedule of Temporal, beside the worker of exports. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readSettings } from '../../../src/core/environment/index.ts';
import { ensureTemporal, type TemporalSession } from '../../../src/export/runtime/index.ts';
import { followIdOf } from '../../../src/export/runtime/worker/follower.ts';
import { easternTime } from '../../../src/service/edgar-sync/clock.ts';
import { LocalEdgar } from '../../service/integration/edgar-sync/local-edgar.ts';
import { commandLine } from '../../support/command-line.ts';
import { temporalExecutable } from '../../support/temporal.ts';
import { type Command, runCommand } from '../../support/test-stack.ts';

describe.skipIf(!temporalExecutable)('up --follow', () => {
  let folder: string;
  let catalog: string;
  let edgar: LocalEdgar;
  let env: Record<string, string>;
  let temporal: TemporalSession;
  let client: Client;
  let up: Command;
  let numbered = 0;

  const publish = () => {
    const accession = `0000999999-25-${String(++numbered).padStart(6, '0')}`;
    const parties = [{ cik: '320193', name: 'Example Orchards Inc', role: 'Filer' }];
    const acceptedAt = Date.now() - 1000;
    const filingDate = new Date(acceptedAt).toISOString().slice(0, 10);
    edgar.publish({ accession, form: '8-K', filingDate, acceptedAt, parties, text: `Text ${numbered}.` });
    return accession;
  };
  const isStored = (accession: string, process: Command = up) =>
    process.event((event) => event.event === 'filing' && event.accession_number === accession);
  const start = () => runCommand(['up', '--catalog', catalog, '--follow', '1s', '--json'], env);
  const schedule = () => client.schedule.getHandle(followIdOf(catalog)).describe();

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'filinglake-follow-'));
    catalog = join(folder, 'catalog');
    edgar = await LocalEdgar.start();
    env = {
      FILINGLAKE_HOME: join(folder, 'home'),
      FILINGLAKE_EDGAR_URL: edgar.url,
      FILINGLAKE_EDGAR_AGENT: 'A Tester tester@example.com',
      TEMPORAL_ADDRESS: '',
    };
    temporal = await ensureTemporal(readSettings({ ...process.env, ...env }));
    client = new Client({ connection: await temporal.connect(), namespace: temporal.namespace });
    up = start();
    await up.event((event) => 'task_queue' in event);
  });

  afterAll(async () => {
    up.process.kill('SIGTERM');
    await up.ended;
    await temporal.release();
    await edgar.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('makes the catalog, and stores what EDGAR publishes, look after look in one run', async () => {
    const first = publish();
    expect(await isStored(first)).toMatchObject({ form_type: '8-K' });
    expect(await isStored(publish())).toBeDefined();
    // Temporal's list is late by a moment.
    await vi.waitFor(
      async () => {
        const listed = await commandLine(['schedule', 'list'], { env });
        expect(listed.stdout).toMatch(/follows EDGAR into .*catalog every 1\.0 s, active, last run \d{4}-/);
      },
      { timeout: 120_000, interval: 200 },
    );
    const asJson = await commandLine(['schedule', 'list', '--json'], { env });
    expect(JSON.parse(asJson.stdout)).toEqual([]);
    const following = await commandLine(['schedule', 'list', '--following', '--json'], { env });
    expect(JSON.parse(following.stdout)).toEqual([
      {
        id: followIdOf(catalog),
        catalog,
        interval_seconds: 1,
        state: 'active',
        last_run: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ]);
    const { info, policies } = await schedule();
    expect([info.numActionsTaken, policies.overlap]).toEqual([1, 'SKIP']);
    await vi.waitFor(async () => expect((await schedule()).info.numActionsSkippedOverlap).toBeGreaterThan(0), 120_000);
    expect(edgar.downloads().get(first)).toBe(1);
  });

  it('lets other commands fetch between two looks, and nobody else follow', async () => {
    const { status, stderr } = await commandLine(['edgar', 'follow', '--catalog', catalog], { env });
    expect([status, stderr]).toEqual([1, expect.stringContaining('another process follows EDGAR')]);
    edgar.writeQuarter('2025/QTR1', '2025-03-31');
    await vi.waitFor(
      async () => {
        const fetched = await commandLine(
          ['edgar', 'fetch', '--catalog', catalog, '--from', '2025-01-01', '--to', '2025-03-31'],
          { env },
        );
        expect(fetched.stderr).toContain('0 filings are selected');
      },
      { timeout: 120_000, interval: 200 },
    );
  });

  it('lets an export take the days of EDGAR to its lake', async () => {
    const day = easternTime(Date.now()).date;
    const { filingDate } = [...edgar.filings.values()][0]!;
    edgar.writeDay(day);
    await vi.waitFor(
      async () => {
        const days = ['--from', day, '--to', day];
        const { stderr } = await commandLine(['edgar', 'backfill', '--catalog', catalog, ...days], { env });
        expect(stderr).toContain(`${day}: complete`);
      },
      { timeout: 120_000, interval: 200 },
    );
    const definition = join(folder, 'days.yaml');
    writeFileSync(
      definition,
      `name: days\nservice: { catalog: ${catalog} }\nselect: { date_from: ${filingDate} }\ntables: [filings, edgar_days]\nlake: ${join(folder, 'lake')}\n`,
    );
    const exported = await commandLine(['export', definition, '--json'], { env });
    expect([exported.status, exported.events.at(-1)]).toEqual([
      0,
      expect.objectContaining({ state: 'completed', edgar_days: { days: 1, unproven: 0 } }),
    ]);
    const shown = await commandLine(
      ['sql', '--lake', join(folder, 'lake'), '--format', 'json', 'SELECT day, expected, missing FROM edgar_days'],
      { env },
    );
    expect(JSON.parse(shown.stdout)).toMatchObject([{ day, missing: 0 }]);
  });

  it('continues after a kill: the next process gets the run, and no filing is downloaded twice', async () => {
    up.process.kill('SIGKILL');
    await up.ended;
    const missed = publish();
    up = start();
    await isStored(missed);
    await isStored(publish());
    expect(Math.max(...edgar.downloads().values())).toBe(1);
  });

  it('keeps what its run did when it is stopped, and the schedule waits for the next process', async () => {
    up.process.kill('SIGTERM');
    expect(await up.ended).toBe(0);
    // The process may end before its worker hears of the result: then the next one ends the run.
    up = start();
    await vi.waitFor(async () => {
      const ended = client.workflow.list({
        query: `WorkflowType = 'followWorkflow' AND ExecutionStatus = 'Completed'`,
      });
      const results: unknown[] = [];
      for await (const { workflowId, runId } of ended)
        results.push(await client.workflow.getHandle(workflowId, runId).result());
      expect(results).toContainEqual(expect.objectContaining({ stored: expect.any(Number), problem: null }));
    }, 120_000);
    expect(await isStored(publish())).toBeDefined();
  });

  it('is refused without a catalog, and without a name for SEC', async () => {
    const alone = await commandLine(['up', '--follow'], { env });
    expect([alone.status, alone.stderr]).toEqual([2, expect.stringContaining('--follow needs --catalog')]);
    const unnamed = await commandLine(['up', '--catalog', catalog, '--follow'], {
      env: { ...env, FILINGLAKE_EDGAR_AGENT: undefined },
    });
    expect([unnamed.status, unnamed.stderr]).toEqual([2, expect.stringContaining('FILINGLAKE_EDGAR_AGENT')]);
  });
});

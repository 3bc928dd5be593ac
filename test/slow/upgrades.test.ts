/** Workers of an older and a newer release, one after the other, on runs that wait: none is lost, repeated or failed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, type WorkflowHandle } from '@temporalio/client';
import { type NativeConnection, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../src/environment/index.ts';
import { parseExportDefinition } from '../../src/export/index.ts';
import { ensureTemporal, type TemporalSession, workflowBundle } from '../../src/runtime/index.ts';
import { temporaryFolder } from '../support/lake/temporary-folder.ts';
import { ScriptedRun } from '../support/scripted-run.ts';
import { temporalExecutable } from '../support/temporal.ts';

/** So few events that a run of some windows is handed on. */
const SHORT_HISTORIES = ['--dynamic-config-value', 'limit.historyCount.suggestContinueAsNew=90'];
const DAY_MS = 86_400_000;
const VERSION = /(const CARRIED_VERSION = )(\d+);/;

type Release = 'this' | 'next';

describe.skipIf(!temporalExecutable)('a run whose workers are replaced', () => {
  let session: TemporalSession;
  let client: Client;
  const code = {} as Record<Release, string>;

  beforeAll(async () => {
    const home = join(temporaryFolder(), 'home');
    const settings = readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: home });
    session = await ensureTemporal(settings, { extraServerArguments: SHORT_HISTORIES });
    client = new Client({ connection: await session.connect(), namespace: session.namespace });
    const bundle = await workflowBundle();
    code.this = 'code' in bundle ? bundle.code : readFileSync(bundle.codePath, 'utf8');
    // A release whose carried state this one could not continue with.
    code.next = code.this.replace(VERSION, (_, declared, version) => `${declared}${Number(version) + 1};`);
    expect(code.next).not.toBe(code.this);
  });
  afterAll(() => session.release());

  /** A worker of a release works until something is true. */
  async function works(release: Release, name: string, script: ScriptedRun, until: () => Promise<unknown>) {
    const worker = await Worker.create({
      connection: (await session.connectWorker()) as NativeConnection,
      namespace: session.namespace,
      taskQueue: name,
      workflowBundle: { code: code[release] },
      activities: script.activities(),
      stickyQueueScheduleToStartTimeout: '1 second',
    });
    await worker.runUntil(until);
  }

  function start(name: string): Promise<WorkflowHandle> {
    const text = `name: ${name}\nselect: {}\ntables: [filings, parties]\n`;
    const { definition } = parseExportDefinition(text, 'upgraded.yaml', {});
    return client.workflow.start('exportWorkflow', {
      workflowId: `export/${name}`,
      taskQueue: name,
      args: [{ run_id: name, definition, lake: '/lake', started_at: '2026-11-21T00:00:00.000Z' }],
      searchAttributes: { ExportName: [name], ExportState: ['running'] },
    });
  }

  /** Of the newest history of its id. */
  const newest = (name: string) => client.workflow.getHandle(`export/${name}`);
  const waitsForQuota = (name: string) =>
    expect.poll(async () => (await newest(name).query<{ stopped_by: string }>('progress')).stopped_by).toBe('quota');
  const outOfQuota = () => {
    const retry_at = new Date(Date.now() + 30 * DAY_MS).toISOString();
    return { kind: 'quota', limit: 'requests', retry_at, message: "the month's requests are used up" } as const;
  };

  it('continues with the next release after it has waited for quota with this one', async () => {
    const script = new ScriptedRun(2, 1);
    script.stop = outOfQuota();
    await works('this', 'upgraded', script, async () => {
      await start('upgraded');
      await waitsForQuota('upgraded');
    });
    await works('next', 'upgraded', script, async () => {
      await newest('upgraded').executeUpdate('resume');
      await newest('upgraded').result();
    });
    const alone = new ScriptedRun(2, 1);
    alone.stop = outOfQuota();
    await works('this', 'alone', alone, async () => {
      await start('alone');
      await waitsForQuota('alone');
      await newest('alone').executeUpdate('resume');
      await newest('alone').result();
    });
    expect(script.steps).toEqual(alone.steps);
  });

  it('is left alone by a worker of the older release once the newer one has handed it on, and continues with the newer', async () => {
    const script = new ScriptedRun(9, 1);
    let first = '';
    let isStopped = false;
    script.beforeFetch = async () => {
      const { runId } = await newest('back').describe();
      if (first === '') first = runId;
      if (isStopped || runId === first) return;
      isStopped = true;
      script.stop = outOfQuota();
    };
    await works('next', 'back', script, async () => {
      await start('back');
      await waitsForQuota('back');
    });
    expect((await newest('back').describe()).runId).not.toBe(first);
    const before = script.steps.length;
    await works('this', 'back', script, async () => {
      await newest('back').signal('quota-reset');
      const failures = async () => {
        const { events } = await newest('back').fetchHistory();
        return (events ?? []).map((one) => one.workflowTaskFailedEventAttributes?.failure?.message ?? '').join(' ');
      };
      await expect.poll(failures).toContain('a newer release of filinglake continued the run');
    });
    expect((await newest('back').describe()).status.name).toBe('RUNNING');
    expect(script.steps).toHaveLength(before);
    await works('next', 'back', script, () => newest('back').result());
    const commits = script.steps.filter((step) => step.startsWith('commit'));
    // One for each window, none twice.
    expect(new Set(commits).size).toBe(commits.length);
    expect(commits).toHaveLength(9);
  });
});

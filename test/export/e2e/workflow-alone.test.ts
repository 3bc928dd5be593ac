/**
 * The export workflow under a real Temporal, with scripted activities: what is seen of it, and the state that it keeps
 * between histories.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { type NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { readSettings } from '../../../src/core/environment/index.ts';
import { parseExportDefinition } from '../../../src/export/definition/parse.ts';
import { type ExportProgress, PASSES } from '../../../src/export/index.ts';
import { newProgress } from '../../../src/export/run/index.ts';
import {
  ExportRuns,
  ensureTemporal,
  type RunStatus,
  type TemporalSession,
  watchRun,
} from '../../../src/export/runtime/index.ts';
import { DATA_CONVERTER } from '../../../src/export/runtime/temporal/large-payloads.ts';
import { workflowBundle } from '../../../src/export/runtime/worker/bundle.ts';
import { newWork } from '../../../workflows/remaining-work.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { ScriptedRun } from '../../support/scripted-run.ts';
import { temporalExecutable } from '../../support/temporal.ts';
import { quickIt as it, slowIt } from '../../support/tier-cases.ts';
import { TIME_SKIPPING_ARGUMENTS, timeSkippingClient } from '../../support/time-skipping.ts';

/** So few events that almost every step ends a history. */
const SHORT_HISTORIES = ['--dynamic-config-value', 'limit.historyCount.suggestContinueAsNew=12'];
/** As many values as a list may have. */
const texts = (of: (n: number) => string) => Array.from({ length: 1_000 }, (_, n) => of(n));
const WIDE = JSON.stringify({
  form_types: texts((n) => `FORM ${n}`),
  entity_query: {
    ciks: texts((n) => String(1_000_000 + n)),
    name_includes: texts((n) => `${n} ${'NAME '.repeat(12)}`),
  },
});
const SELECTIONS = {
  filings: 'select: {}\ntables: [filings]',
  parties: 'select: {}\ntables: [filings, parties]',
  impatient: 'service: { patience: 60s }\nselect: {}\ntables: [filings, parties]',
  wide: `select: ${WIDE}\ntables: [filings, parties]`,
  registry: 'select: { entities: query }\ntables: [entities]',
};

describe.skipIf(!temporalExecutable)('the export workflow, in short histories', () => {
  const folder = temporaryFolder();
  let session: TemporalSession;
  let client: Client;
  let runs = 0;

  beforeAll(async () => {
    const quiet = () => {};
    Runtime.install({ logger: { log: quiet, trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet } });
    const settings = readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: join(folder, 'home') });
    session = await ensureTemporal(settings, {
      extraServerArguments: [...SHORT_HISTORIES, ...TIME_SKIPPING_ARGUMENTS],
    });
    client = await timeSkippingClient(session);
  });
  afterAll(async () => {
    await session.release();
  });

  /** Runs it to its end; gives the number of histories that it took. */
  async function run(
    script: ScriptedRun,
    selection: keyof typeof SELECTIONS,
    only: object = {},
    meanwhile: (handle: WorkflowHandle) => Promise<void> = async () => {},
  ): Promise<number> {
    const name = `alone-${++runs}`;
    const yaml = `name: ${name}\n${SELECTIONS[selection]}\n`;
    const { definition } = parseExportDefinition(yaml, 'alone.yaml', {});
    const worker = await Worker.create({
      connection: (await session.connectWorker()) as NativeConnection,
      namespace: session.namespace,
      dataConverter: DATA_CONVERTER,
      taskQueue: name,
      workflowBundle: await workflowBundle(),
      activities: script.activities(),
    });
    const workflowId = `export/${name}`;
    await worker.runUntil(async () => {
      const handle = await client.workflow.start('exportWorkflow', {
        workflowId,
        taskQueue: name,
        args: [{ run_id: name, definition, lake: folder, started_at: '2026-11-21T00:00:00.000Z', ...only }],
        memo: { definition, lake: folder, progress: newProgress('') },
        searchAttributes: { ExportName: [name], ExportState: ['running'] },
      });
      await meanwhile(handle);
      await client.workflow.getHandle(workflowId).result();
    });
    let histories = 0;
    for await (const _ of client.workflow.list({ query: `WorkflowId = '${workflowId}'` })) histories++;
    return histories;
  }

  it('continues as new between many small windows without pending work, and reads and plans each once', async () => {
    const script = new ScriptedRun(6, 0);
    expect(await run(script, 'filings')).toBeGreaterThan(2);
    const ids = Array.from({ length: 6 }, (_, i) => `w-${i + 1}`);
    expect(script.steps.filter((step) => step.startsWith('read'))).toEqual(['w', ...ids].map((id) => `read ${id}`));
    expect(script.steps.filter((step) => step.startsWith('plan'))).toEqual(ids.map((id) => `plan ${id} 1`));
  });

  it('waits for a service that goes away in mid-run, visibly, and keeps trying when patience is over', async () => {
    const script = new ScriptedRun(1, 1);
    let tries = 0;
    script.beforeFetch = () => {
      if (++tries <= 6) throw ApplicationFailure.nonRetryable('connect ECONNREFUSED', 'service-unreachable');
    };
    const said = new Set<string | null>();
    const watch = async (handle: WorkflowHandle) => {
      while ((await handle.describe()).status.name === 'RUNNING' && tries <= 6) {
        const { memo } = await handle.describe();
        const { stopped_by, patient_until } = (memo as { progress?: ExportProgress }).progress ?? newProgress('');
        if (stopped_by === 'unreachable') said.add(patient_until ?? null);
      }
    };
    // Of 60 s: after 5, 10, 20 and 25 s; then after 1 and 5 minutes.
    await run(script, 'impatient', {}, watch);
    expect(tries).toBe(7);
    expect([...said].map((until) => until === null)).toContain(false);
    expect(said.size).toBeLessThanOrEqual(2);
  });

  it('that is cancelled ends for its watchers when its last answers are committed, and states that version', async () => {
    const script = new ScriptedRun(1, 1);
    script.beforeCommit = () => sleep(1_500);
    const seen: RunStatus[] = [];
    const cancelled = run(script, 'parties', {}, async (handle) => {
      await expect.poll(() => script.steps.join()).toContain('fetch');
      await handle.cancel();
      const options = { wait: true, interrupted: new AbortController().signal, worker: null };
      for await (const status of watchRun(await ExportRuns.of(session, client), handle, options)) seen.push(status);
    });
    await expect(cancelled).rejects.toThrow('was cancelled');
    expect(script.version).toBeGreaterThan(0);
    expect(seen.at(-1)).toMatchObject({ state: 'cancelled', progress: { last_commit: { version: script.version } } });
    expect(seen.slice(0, -1).map(({ state }) => state)).not.toContain('cancelled');
    expect(seen.length).toBeGreaterThan(1);
  });

  slowIt('hands on windows of long lists: more JSON than Temporal takes', async () => {
    const script = new ScriptedRun(30, 0);
    expect(30 * WIDE.length).toBeGreaterThan(2 * 1024 * 1024);
    expect(await run(script, 'wide')).toBeGreaterThan(2);
    expect(script.steps.filter((step) => step.startsWith('read w-'))).toHaveLength(30);
    expect(new Set(script.filters)).toEqual(new Set([script.filters[0]]));
    expect(script.filters[0]).toContain(JSON.stringify(JSON.parse(WIDE).form_types));
  });

  slowIt('hands on 60,000 windows, and refuses more with a reason', async () => {
    const carriedOf = (windows: number) => {
      const counts = { filings: 9_999, requests: 99_999 };
      const one = { pages: 1, plan: 1, base_version: 99_999, is_stale: false, has_conflict: false, deferred: 0 };
      const steps = Object.fromEntries(PASSES.map((pass) => [pass, counts]));
      const pending = Array.from({ length: windows }, (_, n) => ({ ...one, id: `w-${n % 64}-${n}`, steps }));
      const unread = ['u-1', 'u-2', 'u-3'].map((id) => ({ id, filter: {}, today: '2026-11-21', inexact: null }));
      const work = { ...newWork(unread), pending };
      expect(JSON.stringify(work).length).toBeGreaterThan(windows * 200);
      return { work, progress: newProgress(''), pause_asked: false };
    };
    const ofMany = run(new ScriptedRun(3, 0), 'filings', { carried: carriedOf(60_001) });
    await expect(ofMany).rejects.toMatchObject({
      cause: { type: 'windows-too-many', message: expect.stringMatching(/^6000\d parts of the lookup/) },
    });
    const script = new ScriptedRun(3, 0);
    const few = run(script, 'filings', { carried: carriedOf(59_990) }, async (handle) => {
      const first = (await handle.describe()).runId;
      const newest = client.workflow.getHandle(handle.workflowId);
      await expect.poll(async () => (await newest.describe()).runId, { timeout: 120_000 }).not.toBe(first);
      await newest.terminate();
    });
    await expect(few).rejects.toThrow();
  });

  it('continues with a carried state', async () => {
    const file = join(import.meta.dirname, '../../histories/handed-on-1.json');
    const { events } = JSON.parse(readFileSync(file, 'utf8')) as {
      events: { workflowExecutionStartedEventAttributes?: { input: { payloads: { data: string }[] } } }[];
    };
    const { data } = events[0]!.workflowExecutionStartedEventAttributes!.input.payloads[0]!;
    const { carried } = JSON.parse(Buffer.from(data, 'base64').toString()) as {
      carried: { work: { unread: object[]; pending: object[] }; progress: { windows_read: number } };
    };
    const left = 5 - carried.progress.windows_read;
    expect(left + carried.work.pending.length).toBeGreaterThan(0);
    const script = new ScriptedRun(5, 1);
    await run(script, 'parties', { carried });
    expect(script.steps.filter((step) => step.startsWith('read'))).toHaveLength(left);
    const fetched = new Set(script.steps.flatMap((step) => /^fetch (\S+)/.exec(step)?.[1] ?? []));
    expect(fetched.size).toBeGreaterThan(0);
  });

  slowIt('outlives a batch that keeps its worker from beating for a while', async () => {
    const script = new ScriptedRun(1, 1);
    let fetches = 0;
    script.beforeFetch = () => {
      fetches++;
      const until = performance.now() + 7_500;
      while (performance.now() < until);
    };
    await run(script, 'parties');
    expect(fetches).toBe(1);
  });
});

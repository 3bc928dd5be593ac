/** The export workflow under a real Temporal, with activities that a test scripts: what it asks in which order, and what it keeps between histories. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { type NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  BatchFetched,
  CommitBatchRequest,
  Committed,
  ExportActivities,
  FetchBatchRequest,
  PlanWindowsRequest,
  ReadWindowsRequest,
  Unneeded,
  WindowsPlanned,
  WindowsRead,
} from '../../activities/index.ts';
import {
  type ExportProgress,
  type ExportWindow,
  newProgress,
  PASSES,
  parseExportDefinition,
} from '../../src/export/index.ts';
import { workflowBundle } from '../../src/runtime/bundle.ts';
import { ensureTemporal, readSettings, type TemporalSession } from '../../src/runtime/index.ts';
import { temporalExecutable } from '../given/temporal.ts';
import { TIME_SKIPPING_ARGUMENTS, timeSkippingClient } from '../given/time-skipping.ts';

/** So few events that almost every step ends a history. */
const SHORT_HISTORIES = ['--dynamic-config-value', 'limit.historyCount.suggestContinueAsNew=12'];
const OUTCOME = { spent: { requests: 1, bytes: 0, retries: 0 }, quota: null, stop: null };
const NOTHING_OWED = { filings: 0, requests: 0 };
const SELECTIONS = {
  filings: 'select: {}\ntables: [filings]',
  parties: 'select: {}\ntables: [filings, parties]',
  impatient: 'service: { patience: 60s }\nselect: {}\ntables: [filings, parties]',
  registry: 'select: { entities: query }\ntables: [entities]',
};

/** Activities over some windows, one read at a time; each owes what `owed` says until it was fetched. */
class ScriptedRun {
  /** What was asked, in order: `read w-1`, `plan w-1 1`, `fetch w-1 1`, `commit …`. */
  readonly steps: string[] = [];
  /** What the workflow said is not needed any more. */
  readonly unneeded: Unneeded[] = [];
  /** The first plan of each window loses a row of coverage to another run. */
  othersAreFirst = false;
  /** Called before each fetch of a batch. */
  beforeFetch: () => void = () => {};
  readonly #parts: number;
  readonly #owed: number;
  readonly #fetched = new Set<string>();
  #version = -1;

  constructor(parts: number, owed: number) {
    this.#parts = parts;
    this.#owed = owed;
  }

  activities(): Partial<ExportActivities> {
    return {
      openRun: async () => ({ lake_version: this.#version }),
      readWindows: async (request) => this.#read(request),
      planWindows: async (request) => this.#plan(request),
      fetchBatch: async (request) => this.#fetch(request),
      commitBatch: async (request) => this.#commit(request),
      fetchEntities: async ({ window, of }) => {
        this.#said(`entities ${window} ${of}`);
        return { ...OUTCOME, batch_id: `entities-${window}`, asked: 1, missing: 0, committed: this.#committed() };
      },
      finishRun: async () => ({
        ...{ lake_version: this.#version, tables: {}, failures: 0 },
        ...{ known_failures: 0, retryable: 0, failed: [], absent: [], without_sections: 0 },
      }),
      leaveRun: async () => {},
    };
  }

  #read({ unread: [window] }: ReadWindowsRequest): WindowsRead {
    const { id } = window!;
    const split = id === 'w' ? Array.from({ length: this.#parts }, (_, i) => partOf(window!, i + 1)) : null;
    this.#said(`read ${id}`);
    const found = split ? 0 : 1;
    return { ...OUTCOME, reads: [{ split, pages: 1, promised: found, found, proven: !split }] };
  }

  #plan({ windows, unneeded }: PlanWindowsRequest): WindowsPlanned {
    for (const { window, plan } of windows) this.#said(`plan ${window} ${plan}`);
    this.unneeded.push(...(unneeded ?? []));
    const planned = windows.map(({ window }) => {
      const owed = this.#fetched.has(window) ? 0 : this.#owed;
      const info = { filings: owed, requests: owed };
      const passes = Object.fromEntries(PASSES.map((pass) => [pass, pass === 'info' ? info : NOTHING_OWED]));
      return {
        base_version: this.#version,
        known: 0,
        failures: 0,
        owed: passes as typeof passes & { info: typeof info },
      };
    });
    const isFirst = windows.every(({ plan }) => plan === 1);
    return {
      windows: planned as WindowsPlanned['windows'],
      committed: this.#committed(this.othersAreFirst && isFirst),
    };
  }

  #fetch({ window, plan, batch_id }: FetchBatchRequest): BatchFetched {
    this.#said(`fetch ${window} ${plan}`);
    this.beforeFetch();
    this.#fetched.add(window);
    return { ...OUTCOME, batch_id, next: null, segments: ['1-0'], filings: 1, steps: 1, failures: 0 };
  }

  #commit({ batch_id, unneeded }: CommitBatchRequest): Committed {
    this.#said(`commit ${batch_id}`);
    this.unneeded.push(...(unneeded ?? []));
    return this.#committed();
  }

  #committed(isTaken = false): Committed {
    const coverage = { rows_new: 0, rows_replaced: 0, rows_total: 0, bytes: 0, rows_taken: 1 };
    return { version: ++this.#version, tables: isTaken ? { coverage } : {} };
  }

  #said(step: string): void {
    this.steps.push(step);
  }
}

function partOf(window: ExportWindow, n: number): ExportWindow {
  return { ...window, id: `${window.id}-${n}` };
}

describe.skipIf(!temporalExecutable)('the export workflow, in short histories', () => {
  const folder = mkdtempSync(join(tmpdir(), 'filinglake-workflow-'));
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
  }, 60_000);
  afterAll(async () => {
    await session.release();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
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
        searchAttributes: { ExportName: [name], ExportState: ['running'] },
      });
      await meanwhile(handle);
      await client.workflow.getHandle(workflowId).result();
    });
    let histories = 0;
    for await (const _ of client.workflow.list({ query: `WorkflowId = '${workflowId}'` })) histories++;
    return histories;
  }

  it('is handed on between many small windows of which nothing is owed, and reads and plans each once', async () => {
    const script = new ScriptedRun(6, 0);
    expect(await run(script, 'filings')).toBeGreaterThan(2);
    const ids = Array.from({ length: 6 }, (_, i) => `w-${i + 1}`);
    expect(script.steps.filter((step) => step.startsWith('read'))).toEqual(['w', ...ids].map((id) => `read ${id}`));
    expect(script.steps.filter((step) => step.startsWith('plan'))).toEqual(ids.map((id) => `plan ${id} 1`));
  }, 60_000);

  it('is handed on while an operation goes on failing, and fetches what was put off when it is well', async () => {
    const script = new ScriptedRun(2, 1);
    let failures = 0;
    script.beforeFetch = () => {
      if (++failures <= 4)
        throw ApplicationFailure.nonRetryable('filing_info failed 8 times in a row', 'operation-failing');
    };
    expect(await run(script, 'parties')).toBeGreaterThan(4);
    expect(script.steps.filter((step) => /^fetch w-[12]/.test(step))).toHaveLength(4 + 2);
    const plans = script.steps.filter((step) => step.startsWith('plan w-1'));
    expect(new Set(plans).size).toBe(plans.length);
  }, 60_000);

  it('asks by CIK for entities of a query that failed, where it is a retry', async () => {
    const script = new ScriptedRun(1, 0);
    await run(script, 'registry', { only: 'failures' });
    expect(script.steps).toEqual(['read f', 'plan f 1', 'entities f failures']);
  }, 60_000);

  it('plans filings again that another run was first with, and not entities, of which the next run decides', async () => {
    const plansOf = async (selection: keyof typeof SELECTIONS) => {
      const script = new ScriptedRun(1, 0);
      script.othersAreFirst = true;
      await run(script, selection);
      return script.steps.filter((step) => step.startsWith('plan'));
    };
    expect(await plansOf('filings')).toEqual(['plan w-1 1', 'plan w-1 2']);
    expect(await plansOf('registry')).toEqual(['plan e-1 1', 'plan e-2 1']);
  }, 60_000);

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
  }, 60_000);

  it('outlives a batch that keeps its worker from beating for a while', async () => {
    const script = new ScriptedRun(1, 1);
    let fetches = 0;
    script.beforeFetch = () => {
      fetches++;
      const until = performance.now() + 7_500;
      while (performance.now() < until);
    };
    await run(script, 'parties');
    expect(fetches).toBe(1);
  }, 60_000);

  it('says of each page and plan when nothing needs it any more, and asks for none of them afterwards', async () => {
    const script = new ScriptedRun(4, 1);
    let failures = 0;
    // The third window is planned again.
    script.beforeFetch = () => {
      if (++failures === 3)
        throw ApplicationFailure.nonRetryable('filing_info failed 8 times in a row', 'operation-failing');
    };
    await run(script, 'parties');
    const gone = script.unneeded.map((one) => ('batch' in one ? one.batch : `${one.window} ${one.pages} ${one.plan}`));
    // What the last commit leaves goes with the run's staging.
    for (const done of ['w 1 0', 'w-1 1 1', 'w-2 1 1', 'w-3 0 1']) expect(gone).toContain(done);
    expect(new Set(gone).size).toBe(gone.length);
    const lastUse = (id: string) =>
      script.steps.findLastIndex((step) => step.startsWith(`fetch ${id} `) || step.startsWith(`plan ${id} `));
    expect(lastUse('w-1')).toBeLessThan(lastUse('w-3'));
  }, 60_000);
});

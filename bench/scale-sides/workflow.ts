/**
 * The export workflow over hundreds of thousands of filings: the real code under a real Temporal, with activities that answer like
 * the real ones, but fetch nothing. It shows the size of each history, of the carried state, and of the worker.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { type NativeConnection, Runtime, Worker } from '@temporalio/worker';
import type { ExportActivities } from '../../activities/index.ts';
import { readSettings } from '../../src/environment/index.ts';
import { type ExportWindow, parseExportDefinition, splitWindow, unreadAfter } from '../../src/export/index.ts';
import type {
  BatchFetched,
  CommitBatchRequest,
  Committed,
  FetchBatchRequest,
  PlanWindowsRequest,
  ReadWindowsRequest,
  WindowPlanned,
  WindowRead,
  WindowsPlanned,
  WindowsRead,
  WindowToPlan,
} from '../../src/pipeline/index.ts';
import { ensureTemporal } from '../../src/runtime/index.ts';
import { workflowBundle } from '../../src/runtime/worker/bundle.ts';
import { type Day, filingDays } from './annual-and-quarterly.ts';

export interface HistoryOf {
  /** From 1 */
  history: number;
  events: number;
  history_bytes: number;
  /** Its input: definition, windows, progress. */
  input_bytes: number;
  memo_bytes: number;
}

export interface WorkerAt {
  /** Batches committed */
  batches: number;
  rss_mb: number;
  heap_mb: number;
}

export interface SimulatedRun {
  filings: number;
  windows: number;
  batches: number;
  lookups: number;
  plans: number;
  seconds: number;
  events: number;
  histories: HistoryOf[];
  worker: WorkerAt[];
}

const QUEUE = 'scale';
const PAGE = 10_000;
const RECORDS_OF_A_READING = 30_000;
const NOTHING_SPENT = { requests: 0, bytes: 0, retries: 0 };
const OUTCOME = { spent: NOTHING_SPENT, quota: null, stop: null };
const DEFINITION = `name: scale
select: { form_types: [10-K, 10-Q], date_from: 1993-01-01 }
tables: [filings, sections, section_contents]
`;

/** @param batch filings that a batch of some seconds takes in each pass */
export async function simulateRun(filings: number, batch: number): Promise<SimulatedRun> {
  const folder = mkdtempSync(join(tmpdir(), 'filinglake-scale-'));
  const settings = readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: join(folder, 'home') });
  const session = await ensureTemporal(settings);
  const { definition } = parseExportDefinition(DEFINITION, 'scale.yaml', {});
  const service = new ScriptedActivities(filingDays(filings), batch);
  Runtime.install({ logger: { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} } });
  const worker = await Worker.create({
    connection: (await session.connectWorker()) as NativeConnection,
    namespace: session.namespace,
    taskQueue: QUEUE,
    workflowBundle: await workflowBundle(),
    activities: service.activities(),
    maxCachedWorkflows: 50,
  });
  const client = new Client({ connection: await session.connect(), namespace: session.namespace });
  try {
    const startedAt = performance.now();
    await worker.runUntil(async () => {
      await client.workflow.execute('exportWorkflow', {
        workflowId: 'export/scale',
        taskQueue: QUEUE,
        args: [{ run_id: 'scale', definition, lake: folder, started_at: '2026-11-21T00:00:00.000Z' }],
        searchAttributes: { ExportName: ['scale'], ExportState: ['running'] },
      });
    });
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
    const histories = await historiesOf(client, 'export/scale');
    const events = histories.reduce((sum, one) => sum + one.events, 0);
    const { windows, batches, lookups, plans, worker: memory } = service;
    return { filings, windows, batches, lookups, plans, seconds, events, histories, worker: memory };
  } finally {
    await session.release();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

type Sample = Parameters<typeof splitWindow>[2][number];

interface Window {
  filings: number;
  /** Filings that a pass has still to do. */
  left: { info: number; sections: number };
  /** Length of the work list of a plan. */
  lists: Map<number, { info: number; sections: number }>;
}

class ScriptedActivities {
  windows = 0;
  batches = 0;
  lookups = 0;
  plans = 0;
  readonly worker: WorkerAt[] = [];
  readonly #days: readonly Day[];
  readonly #batch: number;
  readonly #windows = new Map<string, Window>();
  #version = -1;

  constructor(days: readonly Day[], batch: number) {
    this.#days = days;
    this.#batch = batch;
  }

  activities(): Partial<ExportActivities> {
    return {
      openRun: async () => ({ lake_version: this.#version }),
      readWindows: async (request) => this.#readWindows(request),
      planWindows: async (request) => this.#planWindows(request),
      fetchBatch: async (request) => this.#fetchBatch(request),
      commitBatch: async (request) => this.#commitBatch(request),
      finishRun: async () => ({
        ...{ lake_version: this.#version, tables: {}, failures: 0 },
        ...{ known_failures: 0, retryable: 0, failed: [], absent: [], without_sections: 0 },
      }),
      leaveRun: async () => {},
    };
  }

  /** As many as the real one reads into memory. */
  #readWindows({ unread }: ReadWindowsRequest): WindowsRead {
    const reads: WindowRead[] = [];
    for (let left = unread, records = 0; left.length > 0 && records < RECORDS_OF_A_READING; ) {
      const read = this.#readWindow(left[0]!);
      reads.push(read);
      records += read.found;
      left = unreadAfter(left, read);
    }
    return { ...OUTCOME, reads };
  }

  #readWindow(window: ExportWindow): WindowRead {
    this.lookups++;
    const { date_from = '', date_to = '9' } = window.filter;
    const days = this.#days.filter(({ day }) => day >= date_from && day <= date_to);
    const filings = days.reduce((sum, day) => sum + day.filings, 0);
    const split = filings > PAGE ? splitWindow(window, filings, firstOf(days)) : null;
    if (split) return { split, pages: 1, promised: 0, found: 0, proven: false };
    this.windows++;
    this.#windows.set(window.id, { filings, left: { info: filings, sections: filings }, lists: new Map() });
    return { split: null, pages: 1, promised: filings, found: filings, proven: true };
  }

  #planWindows({ windows }: PlanWindowsRequest): WindowsPlanned {
    const planned = windows.map((window) => this.#planWindow(window));
    const filings = windows.reduce((sum, { window }) => sum + this.#windows.get(window)!.filings, 0);
    const isFirst = windows.every(({ plan }) => plan === 1);
    const committed = isFirst ? this.#commit(['filings', 'coverage', 'export_windows'], filings) : null;
    return { windows: planned, committed };
  }

  #planWindow({ window: id, plan }: WindowToPlan): WindowPlanned {
    this.plans++;
    const { left, lists } = this.#windows.get(id)!;
    lists.set(plan, { ...left });
    const owed = {
      info: { filings: left.info, requests: left.info },
      sections: { filings: left.sections, requests: left.sections },
      documents: { filings: 0, requests: 0 },
    };
    return { base_version: this.#version, known: 0, owed, failures: 0 };
  }

  #fetchBatch({ window, plan, pass, batch_id, from }: FetchBatchRequest): BatchFetched {
    const of = pass as 'info' | 'sections';
    const { left, lists } = this.#windows.get(window)!;
    const list = lists.get(plan)![of];
    const taken = Math.min(this.#batch, list - from);
    left[of] -= taken;
    const next = from + taken < list ? from + taken : null;
    const filings = pass === 'sections' ? taken : 0;
    // A segment each two seconds of a batch of seven.
    const segments = ['1-0', '1-1', '1-2', '1-3'];
    return { ...OUTCOME, batch_id, next, segments, filings, steps: taken, failures: 0 };
  }

  #commitBatch({ batch_id }: CommitBatchRequest): Committed {
    if (++this.batches % 100 === 0) this.#look();
    const tables = batch_id.includes('-sections-') ? ['section_contents', 'coverage'] : ['sections', 'coverage'];
    return this.#commit(tables, this.#batch);
  }

  #commit(tables: string[], rows: number): Committed {
    this.#version++;
    const counts = { rows_new: rows, rows_replaced: 0, rows_total: rows * this.#version, bytes: rows * 100 };
    return { version: this.#version, tables: Object.fromEntries(tables.map((table) => [table, counts])) };
  }

  #look(): void {
    globalThis.gc?.();
    const { rss, heapUsed } = process.memoryUsage();
    this.worker.push({ batches: this.batches, rss_mb: Math.round(rss / 1e6), heap_mb: Math.round(heapUsed / 1e6) });
  }
}

/** As many filings as a lookup returns, in order of days. */
function firstOf(days: readonly Day[]): Sample[] {
  const filings: Sample[] = [];
  for (const { day, filings: count } of days) {
    for (let i = 0; i < count && filings.length < PAGE; i++) {
      filings.push({ key: '', form_type: '10-Q', filing_date: day, entity_name: 'A' });
    }
  }
  return filings;
}

/** Of one workflow id, in order: each continues the one before. */
async function historiesOf(client: Client, workflowId: string): Promise<HistoryOf[]> {
  const runs: { runId: string; startTime: Date }[] = [];
  for await (const { runId, startTime } of client.workflow.list({ query: `WorkflowId = '${workflowId}'` })) {
    runs.push({ runId, startTime });
  }
  runs.sort((a, b) => a.startTime.getTime() - b.startTime.getTime());
  const histories: HistoryOf[] = [];
  for (const { runId } of runs) {
    const handle = client.workflow.getHandle(workflowId, runId);
    const { historyLength, historySize, raw } = await handle.describe();
    const { events } = await handle.fetchHistory();
    const started = events?.[0]?.workflowExecutionStartedEventAttributes;
    histories.push({
      history: histories.length + 1,
      events: historyLength,
      history_bytes: historySize ?? 0,
      input_bytes: bytesOf(started?.input?.payloads),
      memo_bytes: bytesOf(Object.values(raw.workflowExecutionInfo?.memo?.fields ?? {})),
    });
  }
  return histories;
}

function bytesOf(payloads: readonly { data?: Uint8Array | null }[] | null | undefined): number {
  return (payloads ?? []).reduce((sum, { data }) => sum + (data?.length ?? 0), 0);
}

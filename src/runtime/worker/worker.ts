/** A worker: runs the workflows, and the activities with its own key, on the task queue of that key. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import type { Logger } from '../../environment/index.ts';
import { COMPACT_PARTS } from '../../environment/index.ts';
import type { TemporalSession } from '../temporal/server.ts';
import { workflowBundle } from './bundle.ts';

/** Cached workflows are memory that nobody bounds else (sdk-typescript#2227); one export needs two. */
const MAX_CACHED_WORKFLOWS = 50;
/** A worker that left or died has its workflows in its cache; others are asked after this long. At the default of 10 s every update of the budget stood still for so long. */
const STICKY_TIMEOUT = '2 seconds';
/** Activities that are told to leave end their batch early; after this long they are cancelled, and after as long again left alone. */
const LEAVE_MS = 8_000;
const FORCE_MS = 8_000;
/** An activity costs about 4 ms and a commit some tens: batches of this length make both nothing. */
const BATCH_MS = 7_000;
/** Heartbeats are progress to whoever watches: sent about each second, not at four fifths of the timeout. */
const HEARTBEAT_THROTTLE = '1 second';

export interface RunningWorker {
  taskQueue: string;
  /** Ends when the worker does; rejects where it failed. */
  ended: Promise<void>;
  /** Lets activities seal what they have, then ends the worker. */
  stop(): Promise<void>;
}

export interface WorkerOptions {
  apiKey: string;
  log: Logger;
  /** For the budget; a test may give one that starts workflows with time skipping. */
  client?: Client;
  /** How long a batch takes filings; a test of many batches has shorter ones. */
  batchMs?: number;
  /** Small parts of a table from which on its lake is compacted; 0: never. Default: 200. */
  compactParts?: number;
  /** How long a step of a compaction takes; a test of many steps has shorter ones. */
  compactionBoxMs?: number;
}

/** Tells a key without showing it: the first 12 hexadecimal digits of a salted SHA-256. */
export function keyFingerprint(apiKey: string): string {
  return createHash('sha256').update(`filinglake key ${apiKey}`).digest('hex').slice(0, 12);
}

/** No worker with another key takes work from this queue. */
export function taskQueueOf(apiKey: string): string {
  return `filinglake/${keyFingerprint(apiKey)}`;
}

/** Of the key whose workers take work from a queue. */
export function keyFingerprintOf(taskQueue: string): string {
  return taskQueue.slice(taskQueue.lastIndexOf('/') + 1);
}

/** Starts a worker. */
export async function startWorker(session: TemporalSession, options: WorkerOptions): Promise<RunningWorker> {
  const { apiKey, log } = options;
  // Loaded only where a worker runs: most commands have none, and these are most of what there is to load.
  const { Runtime, Worker, makeTelemetryFilterString } = await import('#temporal-worker');
  const activities = await import('../../../activities/index.ts');
  const { BudgetClient, CompactionClient } = activities;
  const { Busy, COMPACTION_BOX_MS, Lakes, PagesReadLast, Plans } = await import('../../pipeline/index.ts');
  installRuntime(Runtime, makeTelemetryFilterString, log);
  const bundle = await workflowBundle();
  const connection = await session.connectWorker();
  const taskQueue = taskQueueOf(apiKey);
  const client = options.client ?? new Client({ connection: await session.connect(), namespace: session.namespace });
  const lakes = new Lakes();
  const leaving = new AbortController();
  const busy = new Busy();
  const budget = new BudgetClient(client.workflow, taskQueue, keyFingerprint(apiKey));
  const dependencies = {
    apiKey,
    budget,
    compactions: new CompactionClient(client.workflow, taskQueue, options.compactParts ?? COMPACT_PARTS),
    compactionBoxMs: options.compactionBoxMs ?? COMPACTION_BOX_MS,
    lakes,
    pages: new PagesReadLast(),
    plans: new Plans(),
    batchMs: options.batchMs ?? BATCH_MS,
    leaving: leaving.signal,
    busy,
  };
  const created = Worker.create({
    connection,
    namespace: session.namespace,
    taskQueue,
    workflowBundle: bundle,
    activities: {
      ...activities.createExportActivities(dependencies),
      ...activities.createLakeActivities(dependencies),
    },
    maxCachedWorkflows: MAX_CACHED_WORKFLOWS,
    stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT,
    maxConcurrentActivityTaskExecutions: 8,
    shutdownGraceTime: 0,
    shutdownForceTime: FORCE_MS,
    maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
    defaultHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
  });
  // A connection left open would keep a command alive behind its error.
  const worker = await created.catch(async (error: unknown) => {
    await connection.close();
    throw error;
  });
  const ended = worker.run().finally(async () => {
    await lakes.close();
    await connection.close();
  });
  // Whoever stops the worker hears of its failure there; nobody else need be listening.
  ended.catch(() => {});
  return {
    taskQueue,
    ended,
    async stop() {
      if (worker.getState() === 'RUNNING') {
        leaving.abort();
        await Promise.race([busy.untilIdle(), sleep(LEAVE_MS, undefined, { ref: false })]);
        if (worker.getState() === 'RUNNING') worker.shutdown();
      }
      await ended;
    },
  };
}

let installed = false;

/** The SDK's own log goes where ours goes. Signals are ours: a command decides what Ctrl-C means. */
function installRuntime(
  Runtime: typeof import('#temporal-worker').Runtime,
  makeTelemetryFilterString: typeof import('#temporal-worker').makeTelemetryFilterString,
  log: Logger,
): void {
  if (installed) return;
  installed = true;
  const at = (level: 'trace' | 'debug' | 'info' | 'warn' | 'error') => (message: string, meta?: object) =>
    log[level](meta ?? {}, message);
  Runtime.install({
    shutdownSignals: [],
    logger: {
      log: (level, message, meta) => at(level.toLowerCase() as 'info')(message, meta),
      trace: at('trace'),
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
    },
    telemetryOptions: { logging: { filter: makeTelemetryFilterString({ core: 'ERROR' }), forward: {} } },
  });
}

/** A worker: runs the workflows, and the activities with its own key, on the task queue of that key. */
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { TunerHolder } from '#temporal-worker';
import type { Logger } from '../../../core/environment/index.ts';
import type { WorkerDependencies } from '../../pipeline/index.ts';
import { clientOf, DATA_CONVERTER } from '../temporal/large-payloads.ts';
import { workerCount, workersOf } from '../temporal/pollers.ts';
import type { OpeningSession } from '../temporal/server.ts';
import { workflowBundle } from './bundle.ts';
import { type OpenCatalog, ServiceAddresses } from './service-addresses.ts';
import { slotsOfFit, WorkerFitness, type WorkerProblem } from './worker-fitness.ts';

/** Nothing else limits the memory of cached workflows (sdk-typescript#2227); one export needs two. */
const MAX_CACHED_WORKFLOWS = 50;
/**
 * Temporal gives the tasks of a workflow to the worker that has it in its cache, even if that one has left or died. After this time,
 * others get them. With the default of 10 s, every update of the budget waited that long.
 */
const STICKY_TIMEOUT = '2 seconds';
/** At shutdown activities end their batch early. After this time they are cancelled, after twice as long abandoned. */
const LEAVE_MS = 8_000;
const FORCE_MS = 8_000;
/** An activity costs about 4 ms and a commit some tens. With batches of this length, both are negligible. */
const BATCH_MS = 7_000;
/** Heartbeats show progress to watchers: sent about each second, not at four fifths of the timeout. */
const HEARTBEAT_THROTTLE = '1 second';
/** An open part costs a reader a tenth of a millisecond; compaction takes some seconds of a worker's time. */
const COMPACT_PARTS = 200;
const ACTIVITIES_AT_ONCE = 8;
/** Temporal's defaults. */
const WORKFLOW_TASKS_AT_ONCE = 40;
const LOCAL_ACTIVITIES_AT_ONCE = 100;

export interface RunningWorker {
  taskQueue: string;
  /** Resolves when the worker ends; rejects if it failed. */
  ended: Promise<void>;
  /** Lakes that it can't use now. While there is one, it takes no activities. */
  problems(): WorkerProblem[];
  /** Aborted when the last step of a run has ended here, the next one from now: the run ends within moments. */
  lastStep(): AbortSignal;
  /** Lets activities seal their rows, then ends the worker. */
  stop(): Promise<void>;
}

interface WorkerOptions {
  apiKey: string;
  log: Logger;
  /** Starts the service of a catalog for exports straight from it; absent: such exports fail here. */
  openCatalog?: OpenCatalog;
  /** For the budget; a test may pass one that starts workflows with time skipping. */
  client?: Client;
  /** How long a batch takes filings; tests of many batches use shorter ones. */
  batchMs?: number;
  /** Number of small parts of a table above which its lake is compacted; 0: never. Default: 200. */
  compactParts?: number;
  /** How long a compaction after a commit starts new parts; tests of many use shorter ones. */
  compactionBoxMs?: number;
  /** HOST:PORT for the metrics of Temporal's SDK, in Prometheus' format. The first worker of a process decides. */
  sdkMetrics?: string;
}

/** Identifies a key without showing it: the first 12 hexadecimal digits of a salted SHA-256. */
export function keyFingerprint(apiKey: string): string {
  return createHash('sha256').update(`filinglake key ${apiKey}`).digest('hex').slice(0, 12);
}

/** Workers with another key never take work from this queue. */
export function taskQueueOf(apiKey: string): string {
  return `filinglake/${keyFingerprint(apiKey)}`;
}

export function keyFingerprintOf(taskQueue: string): string {
  return taskQueue.slice(taskQueue.lastIndexOf('/') + 1);
}

/** @param session may still be opening: the code and the thread of workflows load meanwhile */
export async function startWorker(session: OpeningSession, options: WorkerOptions): Promise<RunningWorker> {
  const { apiKey, log } = options;
  // Loaded only with a worker: most commands have none, and these are most of the code to load.
  const { createEarly, installRuntime, Worker } = await import('./sdk-worker.ts');
  const activities = await import('../../../../activities/index.ts');
  const { Busy, COMPACTION_BOX_MS, Lakes, PagesReadLast, PlansReadLast, SentByRuns } = await import(
    '../../pipeline/index.ts'
  );
  installRuntime(log, options.sdkMetrics);
  const bundle = await workflowBundle();
  const taskQueue = taskQueueOf(apiKey);
  const connecting = session.connectWorker();
  const knowing = options.client ? Promise.resolve(options.client) : clientOf(session);
  const lakes = new Lakes();
  const sent = new SentByRuns();
  const leaving = new AbortController();
  const busy = new Busy();
  const addresses = new ServiceAddresses(options.openCatalog ?? null);
  const id = `${process.pid}@${hostname()}`;
  const fitness = new WorkerFitness({
    id,
    others: async () => (await workersOf(await knowing, taskQueue)).filter((other) => other !== id),
    reopen: (place) => lakes.reopen(place),
    log,
  });
  const fetchQueue = activities.fetchQueueOf(taskQueue);
  const ofClient = {} as Pick<WorkerDependencies, 'budget' | 'runs' | 'fetchers'>;
  const dependencies = Object.assign(ofClient, {
    apiKey,
    addressOf: (baseUrl: string) => addresses.of(baseUrl),
    compactParts: options.compactParts ?? COMPACT_PARTS,
    compactionBoxMs: options.compactionBoxMs ?? COMPACTION_BOX_MS,
    lakes,
    pages: new PagesReadLast(),
    plans: new PlansReadLast(),
    sent,
    batchMs: options.batchMs ?? BATCH_MS,
    leaving: leaving.signal,
    busy,
    fitness,
  });
  const common = {
    identity: id,
    namespace: session.namespace,
    dataConverter: DATA_CONVERTER,
    shutdownForceTime: FORCE_MS,
    maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
    defaultHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
  };
  const ofExports = activities.createExportActivities(dependencies);
  let lastStep = new AbortController();
  const finishRun: typeof ofExports.finishRun = (request) =>
    ofExports.finishRun(request).finally(() => {
      lastStep.abort();
      lastStep = new AbortController();
    });
  const slots = (activityTasks: number): TunerHolder => ({
    activityTaskSlotSupplier: slotsOfFit(fitness, activityTasks),
    workflowTaskSlotSupplier: { type: 'fixed-size', numSlots: WORKFLOW_TASKS_AT_ONCE },
    localActivityTaskSlotSupplier: { type: 'fixed-size', numSlots: LOCAL_ACTIVITIES_AT_ONCE },
    nexusTaskSlotSupplier: { type: 'fixed-size', numSlots: 1 },
  });
  const ofRuns = {
    ...common,
    taskQueue,
    workflowBundle: bundle,
    activities: { ...ofExports, finishRun },
    maxCachedWorkflows: MAX_CACHED_WORKFLOWS,
    stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT,
    tuner: slots(ACTIVITIES_AT_ONCE),
  };
  const { fetchBatch } = ofExports;
  const connected = async () => {
    const [client, connection] = await Promise.all([knowing, connecting]);
    ofClient.budget = new activities.BudgetClient(client.workflow, taskQueue, keyFingerprint(apiKey));
    ofClient.runs = new activities.RunsClient(client.workflow);
    ofClient.fetchers = workerCount(client, fetchQueue);
    // One at a time: a second batch in the same process would only compete with the first, while another worker is idle.
    return Worker.create({ ...common, taskQueue: fetchQueue, activities: { fetchBatch }, tuner: slots(1), connection });
  };
  const created = [createEarly(ofRuns, connecting), connected()];
  // An open connection would keep a command alive after its error.
  const workers = await Promise.all(created).catch(async (error: unknown) => {
    // Fails if one of the workers was made. The first error is the reason.
    await Promise.allSettled(created);
    await connecting.then((connection) => connection.close()).catch(() => {});
    throw error;
  });
  const shutDown = () => {
    for (const one of workers) if (one.getState() === 'RUNNING') one.shutdown();
  };
  // If one fails, the other must not continue alone.
  const runs = workers.map((one) => one.run().finally(shutDown));
  const ended = endOfAll(runs).finally(async () => {
    fitness.close();
    sent.closeAll();
    await lakes.close();
    await addresses.closeAll();
    await (await connecting).close();
  });
  // The caller that stops the worker gets its failure. Nobody else need handle it.
  ended.catch(() => {});
  return {
    taskQueue,
    ended,
    problems: () => fitness.problems,
    lastStep: () => lastStep.signal,
    async stop() {
      if (workers.some((one) => one.getState() === 'RUNNING')) {
        leaving.abort();
        await Promise.race([busy.untilIdle(), sleep(LEAVE_MS, undefined, { ref: false })]);
        shutDown();
      }
      await ended;
    },
  };
}

/** @throws the first error, once all have ended */
async function endOfAll(runs: readonly Promise<void>[]): Promise<void> {
  const ends = await Promise.allSettled(runs);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}

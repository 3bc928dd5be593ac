/** A reader thread: the catalog opened to read, one operation at a time. node:sqlite is synchronous, so look-ups run here. */
import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { Catalog } from '../catalog/index.ts';
import { READER_OPERATIONS } from '../operations/index.ts';
import type { ReaderOperation } from '../operations/operation.ts';
import { type Lane, laneForBytes, NeedsLane, NoLongerWanted, SHORT_MS } from '../operations/work-limits.ts';
import { IdleCollection } from './idle-collection.ts';
import {
  type MeasuredReply,
  READY,
  type ReaderData,
  type ReaderReply,
  type ReaderRequest,
  replyOfError,
  withOwnMemory,
} from './messages.ts';

/** Long searches run below the rest of the process: they must not take the processor from the main thread and short look-ups. */
const NICENESS = 5;
const NICENESS_MAX = 19;

const { catalogFolder, fulltext, isBackground, shortMs = SHORT_MS, cancelled } = workerData as ReaderData;
if (isBackground) giveWay();
const store = Catalog.open(catalogFolder, { stillWanted, fulltext });
const port = parentPort!;
const idle = new IdleCollection();
const LANES: readonly Lane[] = ['short', 'long', 'large'];
let current: { request: ReaderRequest; startedAt: number } | null = null;

/** Called by the catalog while it works. */
function stillWanted(): void {
  if (current === null) return;
  const { request, startedAt } = current;
  if (isCancelled(request)) throw new NoLongerWanted();
  if (request.lane === 'short' && performance.now() - startedAt > shortMs) throw new NeedsLane('long');
}

function isCancelled({ number }: ReaderRequest): boolean {
  return Atomics.load(cancelled, 0) === (number | 0);
}

function answer(request: ReaderRequest): ReaderReply {
  const operation = READER_OPERATIONS[request.operation] as ReaderOperation<typeof request.operation>;
  const requireLaneFor = (bytes: number) => {
    const lane = laneForBytes(bytes);
    if (LANES.indexOf(lane) > LANES.indexOf(request.lane)) throw new NeedsLane(lane);
  };
  current = { request, startedAt: performance.now() };
  try {
    return {
      kind: 'outcome',
      outcome: operation.answer(request.parameters as never, { ...request.context, store, requireLaneFor }),
    };
  } catch (error) {
    if (error instanceof NoLongerWanted) return { kind: 'dropped' };
    return error instanceof NeedsLane ? { kind: 'needs-lane', lane: error.lane } : replyOfError(error);
  } finally {
    current = null;
  }
}

/** Lowers the priority of the calling thread. Only Linux has priorities for threads; elsewhere nothing changes. */
function giveWay(): void {
  if (process.platform !== 'linux') return;
  try {
    // `PID/task/THREAD`: a synchronous call runs on the thread that makes it.
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(thread, Math.min(NICENESS_MAX, getPriority(thread) + NICENESS));
  } catch {
    // Without /proc the threads share one priority.
  }
}

port.on('message', async (request: ReaderRequest) => {
  const before = process.threadCpuUsage();
  const bodies: ArrayBuffer[] = [];
  let reply: ReaderReply;
  try {
    const { load } = READER_OPERATIONS[request.operation];
    if (load !== undefined) await load();
    reply = isCancelled(request) ? { kind: 'dropped' } : answer(request);
  } catch (error) {
    reply = replyOfError(error);
  }
  if (reply.kind === 'outcome') {
    const body = withOwnMemory(reply.outcome.body);
    bodies.push(body.buffer);
    idle.answered(body.byteLength);
    reply = { ...reply, outcome: { ...reply.outcome, body } };
  }
  const { user, system } = process.threadCpuUsage(before);
  const measured: MeasuredReply = { reply, workMs: (user + system) / 1_000 + store.takeWorkElsewhere() };
  port.postMessage(measured, bodies);
});
port.postMessage(READY);

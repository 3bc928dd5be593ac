/**
 * A reader thread: the catalog opened to read, one operation at a time. node:sqlite is synchronous, so look-ups run here. Small jobs and
 * their answers travel several in a message.
 */
import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { Catalog } from '../../catalog/index.ts';
import { READER_OPERATIONS } from '../operations/index.ts';
import type { ReaderOperation } from '../operations/operation.ts';
import { IdleCollection } from './idle-collection.ts';
import {
  JOBS_AT_ONCE,
  type NumberedReply,
  READY,
  type ReaderData,
  type ReaderReply,
  type ReaderRequest,
  replyOfError,
  withOwnMemory,
} from './messages.ts';
import { type Lane, laneForBytes, NeedsLane, NoLongerWanted } from './work-limits.ts';

/** Long searches run below the rest of the process: they must not take the processor from the main thread and short look-ups. */
const NICENESS = 5;
const NICENESS_MAX = 19;

const { catalogFolder, fulltext, isBackground, cancelled } = workerData as ReaderData;
if (isBackground) giveWay();
const store = Catalog.open(catalogFolder, { stillWanted, fulltext });
const port = parentPort!;
const idle = new IdleCollection();
const LANES: readonly Lane[] = ['short', 'long', 'large'];
/** Answers wait for the next one, and jobs for the one before, for about this long, in milliseconds. */
const TOGETHER_MS = 1;
/** Smaller documents are answered in about that time. */
const QUICK_BYTES_MAX = 64 * 1024;
/** Jobs of the message that have not started. */
let waiting: ReaderRequest[] = [];
let replies: NumberedReply[] = [];
let bodies: ArrayBuffer[] = [];
/** When the message arrived, or the latest answers were sent. */
let togetherSince = 0;
let current: { request: ReaderRequest; startedAt: number } | null = null;

/** Called by the catalog while it works. */
function stillWanted(): void {
  if (current === null) return;
  const { request, startedAt } = current;
  if (isLate()) sendAlone();
  if (isCancelled(request)) throw new NoLongerWanted();
  if (request.lane === 'short' && performance.now() - startedAt > request.sliceMs) throw new NeedsLane('long');
}

function isCancelled({ number }: ReaderRequest): boolean {
  return Atomics.load(cancelled, number % JOBS_AT_ONCE) === (number | 0);
}

function isLate(): boolean {
  return performance.now() - togetherSince > TOGETHER_MS;
}

function answer(request: ReaderRequest): ReaderReply {
  const operation = READER_OPERATIONS[request.operation] as ReaderOperation<typeof request.operation>;
  const requireLaneFor = (bytes: number) => {
    if (bytes > QUICK_BYTES_MAX) sendAlone();
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

/** Nobody waits for a job that takes long: the answers before it are sent, the jobs behind it go back to their line. */
function sendAlone(): void {
  for (const { number, lane } of waiting) replies.push({ number, reply: { kind: 'needs-lane', lane } });
  waiting = [];
  send();
}

function send(): void {
  if (replies.length > 0) port.postMessage(replies, bodies);
  replies = [];
  bodies = [];
  togetherSince = performance.now();
}

port.on('message', async (requests: ReaderRequest[]) => {
  waiting = requests;
  togetherSince = performance.now();
  for (let request = waiting.shift(); request !== undefined; request = waiting.shift()) {
    let reply: ReaderReply;
    const before = process.threadCpuUsage();
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
    replies.push({ number: request.number, reply, workMs: (user + system) / 1_000 + store.takeWorkElsewhere() });
    if (isLate()) send();
  }
  send();
});
port.postMessage(READY);

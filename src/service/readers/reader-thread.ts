/**
 * A reader thread: the catalog opened to read, one operation at a time. node:sqlite is synchronous, so look-ups run here. Jobs and
 * answers travel several in a message: a message costs as much as a small look-up.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { Catalog } from '../../catalog/index.ts';
import { READER_OPERATIONS } from '../operations/index.ts';
import type { ReaderOperation } from '../operations/operation.ts';
import { IdleCollection } from './idle-collection.ts';
import { JobMarks } from './job-marks.ts';
import {
  type NumberedReply,
  READY,
  type ReaderData,
  type ReaderReply,
  type ReaderRequest,
  replyOfError,
  withOwnMemory,
} from './messages.ts';
import { giveWay } from './thread-priority.ts';
import { type Lane, laneForBytes, NeedsLane, NoLongerWanted, SHORT_SLICE_MS } from './work-limits.ts';

const { catalogFolder, isBackground, marks: shared } = workerData as ReaderData;
if (isBackground) giveWay();
const marks = new JobMarks(shared);
const store = Catalog.open(catalogFolder, { stillWanted });
const port = parentPort!;
const idle = new IdleCollection();
const LANES: readonly Lane[] = ['short', 'long', 'large'];
/** An answer waits for the next ones for about this long, in milliseconds. */
const TOGETHER_MS = 1;
/** Documents up to this size are answered in about that time. */
const QUICK_BYTES_MAX = 64 * 1024;
let replies: NumberedReply[] = [];
let bodies: ArrayBuffer[] = [];
let repliesSince = 0;
let current: { request: ReaderRequest; startedAt: number } | null = null;

/** Called by the catalog while it works. */
function stillWanted(): void {
  if (current === null) return;
  const { request, startedAt } = current;
  if (replies.length > 0 && performance.now() - repliesSince > TOGETHER_MS) send();
  if (marks.isUnwanted(request.number)) throw new NoLongerWanted();
  if (request.lane === 'short' && performance.now() - startedAt > SHORT_SLICE_MS) throw new NeedsLane('long');
}

function answer(request: ReaderRequest): ReaderReply {
  const operation = READER_OPERATIONS[request.operation] as ReaderOperation<typeof request.operation>;
  const requireLaneFor = (bytes: number) => {
    if (bytes > QUICK_BYTES_MAX) send();
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

function send(): void {
  if (replies.length > 0) port.postMessage(replies, bodies);
  replies = [];
  bodies = [];
}

port.on('message', (requests: ReaderRequest[]) => {
  for (const request of requests) {
    const { number } = request;
    marks.start(number);
    const reply: ReaderReply = marks.isUnwanted(number) ? { kind: 'dropped' } : answer(request);
    if (reply.kind === 'outcome') {
      const body = withOwnMemory(reply.outcome.body);
      bodies.push(body.buffer);
      idle.answered(body.byteLength);
      replies.push({ number, reply: { ...reply, outcome: { ...reply.outcome, body } } });
    } else replies.push({ number, reply });
    if (replies.length === 1) repliesSince = performance.now();
    else if (performance.now() - repliesSince > TOGETHER_MS) send();
  }
  send();
});
port.postMessage(READY);

/** A reader thread: the catalog opened to read, one operation at a time. node:sqlite is synchronous, so look-ups run here. */
import { parentPort, workerData } from 'node:worker_threads';
import { Catalog } from '../../catalog/index.ts';
import { READER_OPERATIONS } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import { type ReaderData, type ReaderJob, type ReaderReply, replyOfError, withOwnMemory } from './messages.ts';

const { catalogFolder } = workerData as ReaderData;
const store = Catalog.open(catalogFolder);
const port = parentPort!;

function answer<Name extends ReaderJob['operation']>(job: ReaderJob<Name>): ReaderReply {
  const operation = READER_OPERATIONS[job.operation] as Operation<Name>;
  return { kind: 'outcome', outcome: operation(job.parameters, { ...job.context, store }) };
}

port.on('message', (job: ReaderJob) => {
  let reply: ReaderReply;
  try {
    reply = answer(job);
  } catch (error) {
    reply = replyOfError(error);
  }
  if (reply.kind !== 'outcome') return port.postMessage(reply);
  const body = withOwnMemory(reply.outcome.body);
  port.postMessage({ kind: 'outcome', outcome: { ...reply.outcome, body } } satisfies ReaderReply, [body.buffer]);
});
port.postMessage({ kind: 'ready' } satisfies ReaderReply);

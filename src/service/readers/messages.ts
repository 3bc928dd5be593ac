/** Messages between the service's main thread and its reader threads. */
import { ERRORS, FilinglakeError } from '../../core/index.ts';
import type { Outcome } from '../answers/outcome.ts';
import { busyProblem, type ProblemStatus, ServiceProblem, unavailable } from '../answers/problem.ts';
import type { ReaderOperationName } from '../operations/index.ts';
import type { JobParameters, OperationContext } from '../operations/operation.ts';
import type { Lane } from '../operations/work-limits.ts';

export interface ReaderJob<Name extends ReaderOperationName = ReaderOperationName> {
  operation: Name;
  parameters: JobParameters<Name>;
  context: Omit<OperationContext, 'store' | 'requireLaneFor'>;
}

/** A job for a thread, which has one at a time. Every job gets one reply. */
export interface ReaderRequest extends ReaderJob {
  /** From 1, in this thread */
  number: number;
  lane: Lane;
}

export interface ReaderData {
  catalogFolder: string;
  /** As Catalog.open takes it */
  fulltext: string | undefined;
  isBackground: boolean;
  /** Maximum time of a job in the short lane. Default: SHORT_MS */
  shortMs?: number;
  /** Number of the cancelled job, as 32 bits */
  cancelled: Int32Array;
}

export interface MeasuredReply {
  reply: ReaderReply;
  /** CPU time of the thread for it, and what OpenSearch took */
  workMs: number;
}

/** The first message of a thread. */
export const READY = 'ready';

export type ReaderReply =
  | { kind: 'outcome'; outcome: Outcome }
  /** `cause`: what the log says of it */
  | { kind: 'problem'; status: ProblemStatus; message: string; headers: Record<string, string>; cause?: string }
  /** Too much for its lane: starts again in this one */
  | { kind: 'needs-lane'; lane: Lane }
  /** Cancelled */
  | { kind: 'dropped' }
  | { kind: 'failure'; name: string; message: string; stack: string | undefined };

/** An engine for full text or a bucket of packs does not answer, or its index is behind. */
const AGAIN_SECONDS = 5;

/** An error as a message. Problems keep their status, and a busy catalog becomes a problem. Anything else is a failure for the log. */
export function replyOfError(error: unknown): Extract<ReaderReply, { kind: 'problem' | 'failure' }> {
  if (error instanceof FilinglakeError && ERRORS[error.code].httpStatus === 503) {
    const what = error.code === 'pack-unreachable' ? 'read documents' : 'search texts';
    const { status, message, headers } = unavailable(`the service can not ${what} now`, AGAIN_SECONDS);
    return { kind: 'problem', status, message, headers: { ...headers }, cause: `${error.message}. ${error.remedy}` };
  }
  const problem = error instanceof ServiceProblem ? error : (refusalOf(error) ?? busyProblem(error));
  if (problem)
    return { kind: 'problem', status: problem.status, message: problem.message, headers: { ...problem.headers } };
  if (!(error instanceof Error)) return { kind: 'failure', name: 'Error', message: String(error), stack: undefined };
  return { kind: 'failure', name: error.name, message: error.message, stack: error.stack };
}

/** What the catalog refuses for its parameters. */
function refusalOf(error: unknown): ServiceProblem | null {
  if (!(error instanceof FilinglakeError) || ERRORS[error.code].httpStatus !== 400) return null;
  return new ServiceProblem(400, error.message);
}

export function errorOfReply(reply: Extract<ReaderReply, { kind: 'problem' | 'failure' }>): Error {
  if (reply.kind === 'problem') {
    const { headers, cause } = reply;
    return new ServiceProblem(reply.status, reply.message, { headers, ...(cause === undefined ? {} : { cause }) });
  }
  const error = new Error(reply.message);
  error.name = reply.name;
  if (reply.stack !== undefined) error.stack = reply.stack;
  return error;
}

/** A body that owns its memory moves to the other thread without a copy. Small buffers of Node's pool are copied first. */
export function withOwnMemory(body: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = body.byteOffset === 0 && body.byteLength === body.buffer.byteLength;
  if (whole && body.buffer instanceof ArrayBuffer) return new Uint8Array(body.buffer);
  return new Uint8Array(body);
}

/** Thread of the prepare pool: bytes of a submission in, the prepared filing (or why not) out. */
import { parentPort, workerData } from 'node:worker_threads';
import { type PreparedFiling, prepareFiling } from './prepare.ts';
import { ALL_STEPS, type OptionalStep, type PrepareSteps, StepBoard, stepsOnBoard } from './prepare-steps.ts';

/** The pool's threads are started with this: other threads load this file too (with the room they read), and get messages of their own. */
export const PREPARE_THREAD = 'filinglake-prepare';

export interface PrepareThreadData {
  thread: typeof PREPARE_THREAD;
  /** Memory of the thread's StepBoard */
  board: SharedArrayBuffer;
}

export interface PrepareJob {
  job: number;
  bytes: Uint8Array;
  sha256: Uint8Array;
  /** Steps that took too long in an attempt before */
  leftOut: OptionalStep[];
}

export interface PrepareFault {
  /** Byte of the submission, if known */
  offset: number | null;
  message: string;
}

export type PrepareResult =
  | { job: number; outcome: 'prepared'; filing: PreparedFiling }
  | { job: number; outcome: 'refused'; fault: PrepareFault };

/** Prepares a filing, and returns errors as data: also used without threads. */
export function prepareOrRefuse(
  bytes: Buffer,
  sha256: Uint8Array,
  steps: PrepareSteps = ALL_STEPS,
): { filing: PreparedFiling } | { fault: PrepareFault } {
  try {
    return { filing: prepareFiling(bytes, sha256, steps) };
  } catch (error) {
    const offset = (error as { offset?: unknown }).offset;
    return { fault: { offset: typeof offset === 'number' ? offset : null, message: (error as Error).message } };
  }
}

const data = workerData as Partial<PrepareThreadData> | null;
const port = data?.thread === PREPARE_THREAD ? parentPort : null;
const board = new StepBoard(port ? data?.board : undefined);
port?.on('message', ({ job, bytes, sha256, leftOut }: PrepareJob) => {
  const steps = stepsOnBoard(board, job, leftOut);
  steps.begin({ kind: 'submission' });
  const result = prepareOrRefuse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), sha256, steps);
  if ('fault' in result) {
    port.postMessage({ job, outcome: 'refused', fault: result.fault } satisfies PrepareResult);
    return;
  }
  const answer: PrepareResult = { job, outcome: 'prepared', filing: result.filing };
  const { frames } = result.filing;
  // Only a separate buffer can be transferred; small ones are in Node's shared pool.
  const own = frames.buffer instanceof ArrayBuffer && frames.byteLength === frames.buffer.byteLength;
  port.postMessage(answer, own ? [frames.buffer as ArrayBuffer] : []);
});

/** Thread of the prepare pool: bytes of a submission in, the prepared filing (or why not) out. */
import { parentPort, workerData } from 'node:worker_threads';
import { type PreparedFiling, prepareFiling } from './prepare.ts';

/** The pool's threads are started with this: other threads load this file too (with the room they read), and get messages of their own. */
export const PREPARE_THREAD = 'filinglake-prepare';

export interface PrepareJob {
  job: number;
  bytes: Uint8Array;
  sha256: Uint8Array;
}

export interface PrepareFault {
  /** Byte of the submission, where it can be told */
  offset: number | null;
  message: string;
}

export type PrepareResult =
  | { job: number; outcome: 'prepared'; filing: PreparedFiling }
  | { job: number; outcome: 'refused'; fault: PrepareFault };

/** Prepares, and turns what is thrown into data: it also serves where there is no thread. */
export function prepareOrRefuse(
  bytes: Buffer,
  sha256: Uint8Array,
): { filing: PreparedFiling } | { fault: PrepareFault } {
  try {
    return { filing: prepareFiling(bytes, sha256) };
  } catch (error) {
    const offset = (error as { offset?: unknown }).offset;
    return { fault: { offset: typeof offset === 'number' ? offset : null, message: (error as Error).message } };
  }
}

const port = workerData === PREPARE_THREAD ? parentPort : null;
port?.on('message', ({ job, bytes, sha256 }: PrepareJob) => {
  const result = prepareOrRefuse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), sha256);
  if ('fault' in result) {
    port.postMessage({ job, outcome: 'refused', fault: result.fault } satisfies PrepareResult);
    return;
  }
  const answer: PrepareResult = { job, outcome: 'prepared', filing: result.filing };
  const { frames } = result.filing;
  // Only a buffer of its own can be given away; small ones lie in Node's shared pool.
  const own = frames.buffer instanceof ArrayBuffer && frames.byteLength === frames.buffer.byteLength;
  port.postMessage(answer, own ? [frames.buffer as ArrayBuffer] : []);
});

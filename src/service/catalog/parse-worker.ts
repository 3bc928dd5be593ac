/** Thread of the parse pool: bytes of a submission in, the parsed filing (or why not) out. */
import { parentPort, workerData } from 'node:worker_threads';
import { type ParsedFiling, parseFiling } from './parse-filing.ts';
import { ALL_STEPS, type OptionalStep, type ParseSteps, StepBoard, stepsOnBoard } from './parse-steps.ts';

/** Marks the pool's own threads. Other threads load this file too, with the rest of the room, and must not take its messages. */
export const PARSE_THREAD = 'filinglake-parse';

export interface ParseThreadData {
  thread: typeof PARSE_THREAD;
  /** Memory of the thread's StepBoard */
  board: SharedArrayBuffer;
}

export interface ParseJob {
  job: number;
  bytes: Uint8Array;
  sha256: Uint8Array;
  /** Steps that took too long in an earlier attempt */
  leftOut: OptionalStep[];
}

export interface ParseFault {
  /** Byte of the submission, if known */
  offset: number | null;
  message: string;
}

export type ParseResult =
  | { job: number; outcome: 'parsed'; filing: ParsedFiling }
  | { job: number; outcome: 'refused'; fault: ParseFault };

/** Parses a filing, and returns errors as data: also used without threads. */
export function parseOrRefuse(
  bytes: Buffer,
  sha256: Uint8Array,
  steps: ParseSteps = ALL_STEPS,
): { filing: ParsedFiling } | { fault: ParseFault } {
  try {
    return { filing: parseFiling(bytes, sha256, steps) };
  } catch (error) {
    const offset = (error as { offset?: unknown }).offset;
    return { fault: { offset: typeof offset === 'number' ? offset : null, message: (error as Error).message } };
  }
}

const data = workerData as Partial<ParseThreadData> | null;
const port = data?.thread === PARSE_THREAD ? parentPort : null;
const board = new StepBoard(port ? data?.board : undefined);
port?.on('message', ({ job, bytes, sha256, leftOut }: ParseJob) => {
  const steps = stepsOnBoard(board, job, leftOut);
  steps.begin({ kind: 'submission' });
  const result = parseOrRefuse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), sha256, steps);
  if ('fault' in result) {
    port.postMessage({ job, outcome: 'refused', fault: result.fault } satisfies ParseResult);
    return;
  }
  const answer: ParseResult = { job, outcome: 'parsed', filing: result.filing };
  const { frames, texts } = result.filing;
  port.postMessage(answer, [frames.buffer as ArrayBuffer, texts.buffer as ArrayBuffer]);
});

/** Work on a lake that a workflow does: `lake compact --on-workers` and `remap` start it or join it, and watch it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { EXIT } from '../../core/index.ts';
import type { Compactions } from '../../runtime/index.ts';
import { openProgress, printJson } from './terminal.ts';

const POLL_MS = 500;

type StartedLakeWorkflow = Awaited<ReturnType<Compactions['start']>>;
type Progress = ReturnType<typeof openProgress>;

/** The workflow at a moment. */
interface Look {
  running: boolean;
  /** A worker answers. */
  isServed: boolean;
  /** Members of the event `progress`; null: there is none */
  event: object | null;
  /** For people, as soon as a worker answers */
  show: (progress: Progress) => void;
}

interface LakeWork<Started extends StartedLakeWorkflow, Result extends object> {
  /** Absolute folder or URL */
  lake: string;
  /** What it does: `mapping` */
  label: string;
  start: () => Promise<Started>;
  look: (handle: WorkflowHandle) => Promise<Look>;
  result: (handle: WorkflowHandle) => Promise<Result>;
  /** Said if it was active already */
  joined: (started: Started) => string;
  /** Said if Ctrl-C ends the watching */
  left: (id: string) => string;
  /** Said once, after this time without a worker: one takes a step within moments */
  unserved: { afterMs: number; text: string };
}

/** Starts it, or follows the active one; null if Ctrl-C ended the watching. @throws FilinglakeError the error of the work */
export async function workOnWorkers<Started extends StartedLakeWorkflow, Result extends object>(
  work: LakeWork<Started, Result>,
  interrupted: AbortSignal,
  json: boolean,
): Promise<Result | null> {
  const { lake } = work;
  const print = (line: string) => json || process.stderr.write(`${line}\n`);
  for (;;) {
    const started = await work.start();
    const { handle, attached, elsewhere } = started;
    const id = handle.workflowId;
    if (json) printJson({ event: 'start', id, lake, attached, ...(elsewhere === null ? {} : { elsewhere }) });
    else if (elsewhere !== null) print(`${id} is active for this lake at ${elsewhere}: waiting for it`);
    else if (attached) print(`${id} is already active: ${work.joined(started)}`);
    if (!(await follow(work, handle, interrupted, json))) {
      if (json) printJson({ event: 'done', id, state: 'running' });
      print(work.left(id));
      process.exitCode = EXIT.interrupted;
      return null;
    }
    // That may be a copy of this lake. If it is the same lake, little or nothing is left to do.
    if (elsewhere !== null) continue;
    const result = await work.result(handle);
    if (json) printJson({ event: 'done', id, state: 'completed', lake, ...result });
    return result;
  }
}

/** @returns false if it was interrupted */
async function follow<Started extends StartedLakeWorkflow, Result extends object>(
  { label, look, unserved }: LakeWork<Started, Result>,
  handle: WorkflowHandle,
  interrupted: AbortSignal,
  json: boolean,
): Promise<boolean> {
  const progress = openProgress({ label, unit: 'bytes', silent: json });
  let last = '';
  let servedAt = performance.now();
  let isSaid = false;
  for (;;) {
    const { running, isServed, event, show } = await look(handle);
    if (!running) return true;
    if (interrupted.aborted) return false;
    if (isServed) servedAt = performance.now();
    else if (!isSaid && performance.now() - servedAt > unserved.afterMs) {
      isSaid = true;
      progress.note(unserved.text);
    }
    const text = JSON.stringify({ event: 'progress', ...event });
    if (json && event !== null && text !== last) process.stdout.write(`${text}\n`);
    last = text;
    if (isServed) show(progress);
    await sleep(POLL_MS, undefined, { signal: interrupted }).catch(() => {});
  }
}

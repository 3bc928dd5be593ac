/** `filinglake remap`: starts or joins the workflow of a remap, works on it, and shows its progress. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import { EXIT } from '../../core/index.ts';
import { readSettings } from '../../environment/index.ts';
import type { RemapReport } from '../../export/index.ts';
import type { RemapRequest, Remaps } from '../../runtime/index.ts';
import { counted, formatCount, openProgress, printJson } from './terminal.ts';
import { withRuns } from './with-runs.ts';

const POLL_MS = 500;
/** A worker takes a step within moments; after this long without one, print a warning. */
const NO_WORKER_MS = 10_000;

interface RemapOnWorkersOptions {
  json: boolean;
  /** Whether this process works on it too. */
  worker: boolean;
}

/** @returns null if Ctrl-C ended the watching: the remap continues on other workers, or with the next command */
export async function remapOnWorkers(
  request: RemapRequest,
  { json, worker }: RemapOnWorkersOptions,
): Promise<RemapReport | null> {
  // Without a key, only commands for the same lake take part: they find each other by its identity.
  const key = readSettings().apiKey ?? `remap of ${request.lakeId}`;
  const options = { command: 'remap', apiKey: worker ? key : null, silent: json };
  return withRuns(options, async ({ remaps, interrupted }) => {
    const { lake } = request;
    for (;;) {
      const { handle, attached, otherKey, elsewhere } = await remaps.start(request, key);
      const id = handle.workflowId;
      if (json) printJson({ event: 'start', id, lake, attached, ...(elsewhere === null ? {} : { elsewhere }) });
      else if (elsewhere !== null)
        process.stderr.write(`${id} is active for this lake at ${elsewhere}: waiting for it\n`);
      else if (attached) process.stderr.write(`${id} is already active: ${joined(otherKey, worker)}\n`);
      if (!(await follow(remaps, handle, interrupted, json))) {
        if (json) printJson({ event: 'done', id, state: 'running' });
        else process.stderr.write(`${id} continues with its workers, or with the same command\n`);
        process.exitCode = EXIT.interrupted;
        return null;
      }
      // That may be a copy of this lake. If it is the same lake, nothing is left to map.
      if (elsewhere !== null) continue;
      const report = await remaps.result(handle);
      if (json) printJson({ event: 'done', id, state: 'completed', lake, ...report });
      return report;
    }
  });
}

function joined(otherKey: boolean, worker: boolean): string {
  if (otherKey) return 'following it; workers of another key do it';
  return worker ? 'taking part in it' : 'following it';
}

/** @returns false if it was interrupted */
async function follow(
  remaps: Remaps,
  handle: WorkflowHandle,
  interrupted: AbortSignal,
  json: boolean,
): Promise<boolean> {
  const progress = openProgress({ label: 'mapping', unit: 'bytes', silent: json });
  let last = '';
  let answeredAt = performance.now();
  let isSaid = false;
  for (;;) {
    const { running, report, active, bytes, id } = await remaps.status(handle);
    if (!running) return true;
    if (interrupted.aborted) return false;
    if (report !== null) {
      answeredAt = performance.now();
      const { bytes: all, bytes_examined, examined, filings } = report;
      if (json) {
        const event = JSON.stringify({ event: 'progress', id, active, ...report });
        if (event !== last) process.stdout.write(`${event}\n`);
        last = event;
      } else if (report.stretches > 0) {
        const words = `${formatCount(examined)} of ${counted(filings, 'filing')}, ${counted(active, 'worker')}`;
        progress.update(Math.min(all, bytes_examined + bytes), words, all);
      }
    } else if (!json && !isSaid && performance.now() - answeredAt > NO_WORKER_MS) {
      isSaid = true;
      progress.note('no worker answers: it continues when a worker of its key runs');
    }
    await sleep(POLL_MS, undefined, { signal: interrupted }).catch(() => {});
  }
}

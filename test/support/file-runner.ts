/**
 * Runs a test file: with a folder for what it makes, and not if it would not end before FILINGLAKE_TEST_DEADLINE (milliseconds since
 * 1970), for runs with a time budget. Properties are tried with the same random inputs in each run, or those of FILINGLAKE_SEED.
 */
import { relative, resolve } from 'node:path';
import fc from 'fast-check';
import { type RunnerTestFile, TestRunner } from 'vitest';
import { secondsOf } from './durations.ts';
import { enterFileFolder } from './file-folder.ts';
import { seed } from './property-runs.ts';
import { QUICK_TIERS, tiersOf } from './tiers.ts';

const CHECKOUT = resolve(import.meta.dirname, '../..');
const DEADLINE = Number(process.env.FILINGLAKE_TEST_DEADLINE ?? Number.POSITIVE_INFINITY);

export default class FileRunner extends TestRunner {
  #leave = () => {};

  onBeforeCollect(paths: string[]): void {
    fc.configureGlobal({ seed });
    this.#leave = enterFileFolder(paths.every((path) => QUICK_TIERS.includes(tiersOf(inCheckout(path))[0]!)));
  }

  onCollected(files: RunnerTestFile[]): void {
    for (const file of files) if (Date.now() + secondsOf(inCheckout(file.filepath)) * 1000 >= DEADLINE) skip(file);
  }

  override onAfterRunFiles(files: RunnerTestFile[]): void {
    super.onAfterRunFiles(files);
    this.#leave();
  }
}

function inCheckout(path: string): string {
  return relative(CHECKOUT, path).replaceAll('\\', '/');
}

/** A suite that is skipped runs no hook either. */
function skip(task: RunnerTestFile | RunnerTestFile['tasks'][number]): void {
  if (task.mode === 'run' || task.mode === 'queued') task.mode = 'skip';
  if ('tasks' in task) for (const child of task.tasks) skip(child);
}

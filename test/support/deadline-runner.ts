/** Skips the files that would not end before FILINGLAKE_TEST_DEADLINE (milliseconds since 1970): for runs with a time budget. */
import { relative, resolve } from 'node:path';
import { type RunnerTestFile, TestRunner } from 'vitest';
import { secondsOf } from './durations.ts';

const CHECKOUT = resolve(import.meta.dirname, '../..');
const DEADLINE = Number(process.env.FILINGLAKE_TEST_DEADLINE ?? Number.POSITIVE_INFINITY);

export default class DeadlineRunner extends TestRunner {
  onCollected(files: RunnerTestFile[]): void {
    for (const file of files) {
      const path = relative(CHECKOUT, file.filepath).replaceAll('\\', '/');
      if (Date.now() + secondsOf(path) * 1000 >= DEADLINE) skip(file);
    }
  }
}

/** A suite that is skipped runs no hook either. */
function skip(task: RunnerTestFile | RunnerTestFile['tasks'][number]): void {
  if (task.mode === 'run' || task.mode === 'queued') task.mode = 'skip';
  if ('tasks' in task) for (const child of task.tasks) skip(child);
}

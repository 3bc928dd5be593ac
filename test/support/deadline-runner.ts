/** Skips the tests of each file that is loaded after FILINGLAKE_TEST_DEADLINE (milliseconds since 1970): for runs with a time budget. */
import { type RunnerTestFile, TestRunner } from 'vitest';

const DEADLINE = Number(process.env.FILINGLAKE_TEST_DEADLINE ?? Number.POSITIVE_INFINITY);

export default class DeadlineRunner extends TestRunner {
  onCollected(files: RunnerTestFile[]): void {
    if (Date.now() < DEADLINE) return;
    for (const file of files) skip(file);
  }
}

/** A suite that is skipped runs no hook either. */
function skip(task: RunnerTestFile | RunnerTestFile['tasks'][number]): void {
  if (task.mode === 'run' || task.mode === 'queued') task.mode = 'skip';
  if ('tasks' in task) for (const child of task.tasks) skip(child);
}

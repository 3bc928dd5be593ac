/** Recorded histories replay with the current code: the workflows decide the same again after a crash. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { beforeAll, describe, expect, it } from 'vitest';
import { workflowBundle as bundleOf } from '../../../src/export/runtime/worker/bundle.ts';

const folder = join(import.meta.dirname, '../../histories');
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));

/** Replays all by one worker: to start one takes longer than a history. @returns the error of each, by workflow id */
async function replayed(histories: ReadonlyMap<string, unknown>): Promise<Map<string, Error | undefined>> {
  const workflowBundle = await bundleOf();
  const given = [...histories].map(([workflowId, history]) => ({ workflowId, history }));
  const errors = new Map<string, Error | undefined>();
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle }, given))
    errors.set(workflowId, error);
  return errors;
}

const recorded = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'));

interface RecordedEvent {
  activityTaskScheduledEventAttributes?: { activityType: { name: string } };
}

/** What may happen to a run: test/histories/scenarios.ts makes each of them. */
const HAPPENED = [
  'shards-stopped',
  'month-waited',
  'handed-on',
  'operation-failing',
  'cancelled',
  'retried',
  'budget-asked',
];

describe('a recorded history', () => {
  let errors: Map<string, Error | undefined>;
  beforeAll(async () => {
    errors = await replayed(new Map(files.map((file) => [file, recorded(file)])));
  });

  it.each(HAPPENED)('exist of a run that was, or had, %s', (name) => {
    expect(files.filter((file) => file.startsWith(`${name}-`)).length).toBeGreaterThan(0);
  });

  it.each(files)('%s replays', (file) => {
    expect(errors.has(file)).toBe(true);
    expect(errors.get(file)).toBeUndefined();
  });

  it('holds a wait for the quota and several batches', () => {
    const text = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('');
    for (const word of ['blockBudget', 'fetchBatch', 'commitBatches', 'quota-reset', 'EVENT_TYPE_TIMER_STARTED'])
      expect(text).toContain(word);
  });

  it('is refused when the order of its steps is another', async () => {
    const file = files.find((name) => name.startsWith('cancelled'))!;
    const history = recorded(file) as { events: RecordedEvent[] };
    for (const { activityTaskScheduledEventAttributes: scheduled } of history.events) {
      if (scheduled?.activityType.name === 'planWindows') scheduled.activityType.name = 'fetchEntities';
    }
    expect((await replayed(new Map([['changed', history]]))).get('changed')).toBeInstanceOf(DeterminismViolationError);
  });
});

import type { Client } from '@temporalio/client';
import { describe, expect, it } from 'vitest';
import { RunFinder } from '../../../../src/export/runtime/runs/run-finder.ts';

const ID = 'export/reports@0123abcd';

/** A lake in this place was replaced by another one: its runs have the id of those before. */
function replaced(): Client {
  const run = (lake_id: string, name: string, startTime: Date) => ({
    workflowId: ID,
    status: { name },
    startTime,
    memo: { definition: { name: 'reports' }, lake: '/no/lake', lake_id },
  });
  const [older, newer] = [run('one', 'COMPLETED', new Date(1)), run('other', 'RUNNING', new Date(2))];
  const workflow = {
    async *list() {
      yield older;
      yield newer;
    },
    getHandle: () => ({ describe: async () => newer }),
  };
  return { workflow } as unknown as Client;
}

describe('a run in a lake that was replaced by another', () => {
  it('is found by its name and its id, once', async () => {
    const finder = new RunFinder(replaced());
    expect(await finder.newest()).toEqual([ID]);
    expect(await finder.oneOf('reports')).toBe(ID);
    expect(await finder.oneOf(ID)).toBe(ID);
  });
});

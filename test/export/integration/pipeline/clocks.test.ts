/** Two machines with different clocks: newer, failed and absent steps are the same with both. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type FilingClient, RecordNotFoundError, UnprocessableError } from '../../../../src/export/client/index.ts';
import type { RunReference } from '../../../../src/export/pipeline/index.ts';
import type { Filing } from '../../../../src/filings/api/index.ts';
import type { Lake } from '../../../../src/lake/index.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import {
  clientThatFails,
  definitionOf,
  fetchDriven,
  filingOfLookup,
  finishDriven,
  knowingClient,
  openDriven,
  planDriven,
  runOf,
  stageFilings,
} from '../../../support/pipeline/activity-harness.ts';

const HOUR_MS = 3_600_000;
const LATER = '2024-03-02T10:00:00';

/** A machine with an offset clock: everything it does uses that clock. */
function machine(hours: number) {
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * HOUR_MS });
    try {
      return await work();
    } finally {
      vi.useRealTimers();
    }
  };
}

afterEach(() => {
  vi.useRealTimers();
});

async function setting() {
  const folder = temporaryFolder();
  const [lake, other] = [await openDriven(folder), await openDriven(folder)];
  const started_at = new Date().toISOString();
  const run = (name: string, at: Lake, tables = 'filings, parties'): RunReference => {
    return { ...runOf(definitionOf(name, tables), `run-${name}`, at), started_at };
  };
  const bring = async (at: Lake, reference: RunReference, filing: Filing, client: FilingClient = knowingClient()) => {
    await stageFilings(at, reference.run_id, [filing]);
    const planned = await planDriven(at, reference);
    for (const pass of ['info', 'sections'] as const)
      await fetchDriven(at, reference, pass, planned.base_version, client);
    return planned;
  };
  const finish = (at: Lake, reference: RunReference) => finishDriven(at, reference, { started_at });
  return { lake, other, run, bring, finish };
}

describe.each([
  ['behind', -1],
  ['ahead', 1],
])('a worker whose clock is an hour %s', (_way, hours) => {
  const there = machine(hours);

  it('keeps its newer revision of a filing when a run plans again', async () => {
    const { lake, other, run, bring } = await setting();
    const one = run('one', lake);
    await stageFilings(lake, one.run_id, [filingOfLookup(1)]);
    await planDriven(lake, one);
    await there(() => bring(other, run('other', other), filingOfLookup(1, { acceptance_datetime: LATER })));
    expect(await planDriven(lake, one, { plan: 2 })).toMatchObject({
      deferred: 1,
      committed: null,
      pending: { info: { filings: 0 } },
    });
  });

  it('plans again without mistaking its own record for that of another run', async () => {
    const { other, run } = await setting();
    const one = run('one', other);
    await there(async () => {
      await stageFilings(other, one.run_id, [filingOfLookup(1)]);
      await planDriven(other, one);
      const again = await planDriven(other, one, { plan: 2 });
      expect(again).not.toHaveProperty('left');
      expect(again.pending.info.filings).toBe(1);
    });
  });

  it('counts absent steps of its own run, not those of an earlier run', async () => {
    const { lake, other, run, bring, finish } = await setting();
    const absent = clientThatFails(new RecordNotFoundError('there are none', true));
    const tables = 'filings, section_contents';
    const here = run('here', lake, tables);
    await bring(lake, here, filingOfLookup(1), absent);
    expect((await finish(lake, here)).absent).toEqual([{ step: 'sections', count: 1 }]);
    const theirs = run('theirs', other, tables);
    await there(async () => {
      await bring(other, theirs, filingOfLookup(2), absent);
      expect((await finish(other, theirs)).absent).toEqual([{ step: 'sections', count: 1 }]);
    });
  });

  it('resolves failures of others, but older rows do not resolve its own failures of a newer record', async () => {
    const { lake, other, run, bring, finish } = await setting();
    const unwell = clientThatFails(new UnprocessableError('it can not be given'));
    await bring(lake, run('here', lake), filingOfLookup(1), unwell);
    const changed = filingOfLookup(1, { acceptance_datetime: LATER });
    await there(() => bring(other, run('theirs', other), changed));
    const next = { ...run('here', lake), run_id: 'run-next' };
    expect(await finish(lake, next)).toMatchObject({ failures: 0 });

    // The lake has the step of an older revision than the one that failed.
    const newest = filingOfLookup(1, { acceptance_datetime: '2024-03-09T10:00:00' });
    await there(() => bring(other, { ...run('theirs', other), run_id: 'run-failing' }, newest, unwell));
    const last = { ...run('theirs', other), run_id: 'run-last' };
    expect(await finish(other, last)).toMatchObject({ failures: 1 });
  });
});

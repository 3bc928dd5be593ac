/** Batches of several workers in one version of the lake: nothing is lost or doubled, though committers die and fetchers come late. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { commitBatches } from '../../../../src/export/pipeline/commit/commit-batch.ts';
import { joinMetas } from '../../../../src/export/pipeline/staging/segment-sink.ts';
import type { CommitBatchesRequest } from '../../../../src/export/pipeline/types.ts';
import { type Lake, openLake, type SegmentRef } from '../../../../src/lake/index.ts';
import { checkLake } from '../../../../src/lake/report/index.ts';
import { nodeFileOperations } from '../../../../src/lake/storage/local/file-operations.ts';
import { accession, filingRows, wholeFiling } from '../../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { dependenciesOf } from '../../../support/pipeline/activity-harness.ts';
import { runs } from '../../../support/property-runs.ts';

/** Of the operations of a commit, some hundred: each of them in a run of all tests. */
const EVERY = runs(1) > 1 ? 1 : 5;

interface Fetched {
  batch_id: string;
  segments: string[];
}

const lakes: Lake[] = [];
let lake: Lake;

beforeEach(async () => {
  lake = await openLake(temporaryFolder(), { create: true });
  lakes.push(lake);
});
afterAll(() => Promise.all(lakes.map((each) => each.close())));

const nameAt = (line: number) => `batch-w-1-info-at${line}`;

/** A batch from a line on, as an attempt of its fetch leaves it. */
async function fetched(
  line: number,
  numbers: readonly number[],
  { attempt = 1, revision = 'r1' } = {},
): Promise<Fetched> {
  const batch_id = nameAt(line);
  const earlier = await lake.takeUpSegments('run', batch_id, joinMetas);
  const writer = lake.openStaging('run', batch_id, attempt);
  for (const n of numbers)
    for (const [table, rows] of Object.entries(filingRows(n, revision)))
      for (const row of rows) writer.append(table, row);
  const segment = (await writer.seal({ done: [], replace: wholeFiling(...numbers), failures: 0 })) as SegmentRef;
  return { batch_id, segments: [...earlier.map(({ name }) => name), segment.name] };
}

function commit(batches: Fetched[], on = lake) {
  const run = { run_id: 'run', lake: on.root };
  return commitBatches(dependenciesOf(on), { run, base_version: -1, batches } as unknown as CommitBatchesRequest);
}

const commitAlone = (batch: Fetched) => commit([batch]);

async function numbers(): Promise<string[]> {
  const rows = await lake.query('SELECT accession_number AS n FROM filings ORDER BY 1');
  const documents = await lake.query('SELECT accession_number AS n FROM documents ORDER BY 1');
  expect(documents.map(({ n }) => n)).toEqual(rows.flatMap(({ n }) => [n, n]));
  expect((await checkLake(lake)).problems).toEqual([]);
  return rows.map(({ n }) => String(n));
}

describe('batches that are committed together', () => {
  it('become one version, which every retry finds, and leave nothing staged', async () => {
    const all = [await fetched(0, [1, 2]), await fetched(500, [3]), await fetched(900, [4, 5])];
    const first = await commit(all);
    expect(first).toMatchObject({ version: 0, tables: { filings: { rows_new: 5 } } });
    expect(await commit(all)).toEqual(first);
    const staging = join(lake.root, '_staging', 'run');
    expect(existsSync(staging) ? readdirSync(staging).filter((name) => !name.startsWith('+')) : []).toEqual([]);
    expect(await numbers()).toEqual([1, 2, 3, 4, 5].map((n) => accession(n)));
  });

  it('are committed once by two committers at the same time', async () => {
    const all = [await fetched(0, [1, 2]), await fetched(500, [3])];
    const other = await openLake(lake.root);
    lakes.push(other);
    const [one, two] = await Promise.all([commit(all), commit(all, other)]);
    expect(one).toEqual(two);
    expect(await lake.currentVersion()).toBe(0);
    expect(await numbers()).toEqual([1, 2, 3].map((n) => accession(n)));
  });

  it('are refused if some of them are in the lake already, alone or joined with others', async () => {
    const [a, b, c] = [await fetched(0, [1]), await fetched(500, [2]), await fetched(900, [3])];
    await commitAlone(a);
    await expect(commit([a, b])).rejects.toMatchObject({ code: 'batch-differs' });
    await commit([b, c]);
    await expect(commit([a, c])).rejects.toMatchObject({ code: 'batch-differs' });
    expect(await lake.currentVersion()).toBe(1);
    expect(await numbers()).toEqual([1, 2, 3].map((n) => accession(n)));
  });

  it('are each found in the joint version by their own names', async () => {
    const all = [await fetched(0, [1]), await fetched(500, [2])];
    const joint = await commit(all);
    for (const one of all) expect(await commitAlone(one)).toEqual(joint);
    // A fetch of that name, by another history of the run, sends no request.
    const again = { run_id: 'run', batch_id: nameAt(500), base_version: -1, segments: [] };
    await expect(lake.committedBatch(again)).rejects.toMatchObject({ code: 'batch-differs' });
    expect(await lake.currentVersion()).toBe(0);
  });

  it('hold a filing once that two of them have: one was replaced before it had ended', async () => {
    const early = await fetched(0, [1, 2, 3]);
    const late = await fetched(2, [3, 4], { attempt: 2 });
    expect(await commit([early, late])).toMatchObject({ tables: { filings: { rows_new: 4 } } });
    expect(await numbers()).toEqual([1, 2, 3, 4].map((n) => accession(n)));
  });

  it('do not include what a fetch that was taken for dead seals afterwards', async () => {
    const all = [await fetched(0, [1]), await fetched(500, [2])];
    await fetched(500, [2, 7], { attempt: 1 });
    await commit(all);
    await commit(all);
    expect(await numbers()).toEqual([1, 2].map((n) => accession(n)));
  });

  it('are whole after a committer that died at any operation on a file, and its successor', async () => {
    const operations = nodeFileOperations as unknown as Record<string, (...given: unknown[]) => unknown>;
    const real = { ...operations };
    let outcomes = { died: 0, whole: 0 };
    try {
      for (let at = 1; outcomes.whole < 1; at += EVERY) {
        lake = await openLake(temporaryFolder(), { create: true });
        lakes.push(lake);
        await commitAlone(await fetched(0, [9]));
        const all = [await fetched(100, [1, 2], { revision: 'r2' }), await fetched(500, [3])];
        let left = at;
        const dying = await openLake(lake.root);
        for (const [name, run] of Object.entries(real)) {
          operations[name] = (...given) => {
            if (--left <= 0) throw new Error('killed');
            return run(...given);
          };
        }
        const died = await commit(all, dying).then(
          () => false,
          () => true,
        );
        Object.assign(operations, real);
        outcomes = { died: outcomes.died + Number(died), whole: outcomes.whole + Number(!died) };
        await dying.close().catch(() => {});
        await commit(all);
        expect(await numbers(), `killed at operation ${at}`).toEqual([1, 2, 3, 9].map((n) => accession(n)));
        expect(await lake.currentVersion(), `killed at operation ${at}`).toBe(1);
      }
    } finally {
      Object.assign(operations, real);
    }
    expect(outcomes.died).toBeGreaterThan(10);
  });
});

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { commitBatches } from '../../../../src/export/pipeline/commit/commit-batch.ts';
import type { CommitBatchesRequest } from '../../../../src/export/pipeline/types.ts';
import { type Lake, openLake, type SegmentRef } from '../../../../src/lake/index.ts';
import { checkLake } from '../../../../src/lake/report/index.ts';
import { accession, filingRows } from '../../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { dependenciesOf } from '../../../support/pipeline/activity-harness.ts';

const BATCH = 'batch-w-1-info-1';
const lakes: Lake[] = [];
let lake: Lake;

beforeEach(async () => {
  lake = await openLake(temporaryFolder(), { create: true });
  lakes.push(lake);
});
afterAll(() => Promise.all(lakes.map((each) => each.close())));

async function sealed(...numbers: number[]): Promise<string> {
  const writer = lake.openStaging('run', BATCH, 1);
  for (const n of numbers) for (const row of filingRows(n).filings!) writer.append('filings', row);
  const segment = (await writer.seal({ done: [], replace: [], failures: 0 })) as SegmentRef;
  return segment.name;
}

function commit(segments: string[] | null) {
  const run = { run_id: 'run', lake: lake.root };
  const request = { run, base_version: -1, batches: [{ batch_id: BATCH, segments }] } as CommitBatchesRequest;
  return commitBatches(dependenciesOf(lake), request);
}

const staged = () => join(lake.root, '_staging', 'run', BATCH);
const numbers = async () =>
  (await lake.query('SELECT accession_number FROM filings ORDER BY 1')).map((row) => row.accession_number);
const ONE_ROW = { version: 0, tables: { filings: { rows_new: 1 } } };

describe('the commit of a batch', () => {
  it('leaves nothing of it staged', async () => {
    const segment = await sealed(1);
    expect(existsSync(staged())).toBe(true);
    expect(await commit([segment])).toMatchObject(ONE_ROW);
    expect(existsSync(staged())).toBe(false);
  });

  it('is found again by a retry, though nothing is staged any more', async () => {
    const segment = await sealed(1);
    await commit([segment]);
    expect(await commit([segment])).toMatchObject(ONE_ROW);
    expect(await lake.currentVersion()).toBe(0);
  });

  it('of all that any attempt has sealed is found again by a retry too', async () => {
    await sealed(1);
    await sealed(2);
    const first = await commit(null);
    expect(await commit(null)).toEqual(first);
    expect(await numbers()).toEqual([accession(1), accession(2)]);
  });

  it('of which nothing was sealed is none', async () => {
    expect(await commit(null)).toBeNull();
  });

  it('is refused as a whole if one of its segments is missing', async () => {
    const [one, two] = [await sealed(1), await sealed(2)];
    rmSync(join(staged(), `${two}.json`));
    await expect(commit([one, two])).rejects.toMatchObject({ code: 'staging-missing' });
    expect(await lake.currentVersion()).toBe(-1);
    // The others can still be committed.
    expect(await commit([one])).toMatchObject(ONE_ROW);
  });

  it('is refused if the whole staging is missing', async () => {
    const segment = await sealed(1);
    await lake.dropStaging('run');
    await expect(commit([segment])).rejects.toMatchObject({ code: 'staging-missing' });
    expect(await lake.currentVersion()).toBe(-1);
  });

  it('is refused when another history of the run has committed other rows under its name', async () => {
    await commit([await sealed(1)]);
    const more = await sealed(1, 2, 3);
    await expect(commit([more])).rejects.toMatchObject({ code: 'batch-differs' });
    await expect(commit(null)).rejects.toMatchObject({ code: 'batch-differs' });
    expect(await numbers()).toEqual([accession(1)]);
    expect((await checkLake(lake)).problems).toEqual([]);
  });
});

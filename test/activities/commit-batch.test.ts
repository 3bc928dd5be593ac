import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { commitBatch } from '../../activities/export/commit-batch.ts';
import type { Dependencies } from '../../activities/export/dependencies.ts';
import type { CommitBatchRequest } from '../../activities/export/types.ts';
import { openLake } from '../../src/lake/index.ts';
import { filingRows } from '../lake/small-lake.ts';
import { temporaryFolder } from '../lake/temporary-folder.ts';

const folder = temporaryFolder();
const lake = await openLake(folder, { create: true });
afterAll(() => lake.close());

const dependencies = {
  lakes: { at: () => Promise.resolve(lake) },
  compactions: { startIfDue: () => Promise.resolve(null) },
} as unknown as Dependencies;

describe('the commit of a batch', () => {
  const request = {
    ...{ run: { run_id: 'run', lake: folder }, batch_id: 'batch-w-1-info-1', base_version: -1, segments: ['1-0'] },
  } as CommitBatchRequest;
  const staged = join(folder, '_staging', 'run', 'batch-w-1-info-1');

  it('leaves nothing of it staged', async () => {
    const writer = lake.openStaging('run', 'batch-w-1-info-1', 1);
    for (const row of filingRows(1).filings!) writer.append('filings', row);
    await writer.seal({ done: [], replace: [], failures: 0 });
    expect(existsSync(staged)).toBe(true);
    expect(await commitBatch(dependencies, request)).toMatchObject({
      version: 0,
      tables: { filings: { rows_new: 1 } },
    });
    expect(existsSync(staged)).toBe(false);
  });

  it('is found again by a retry, though nothing is staged any more', async () => {
    expect(await commitBatch(dependencies, request)).toMatchObject({
      version: 0,
      tables: { filings: { rows_new: 1 } },
    });
    expect(await lake.currentVersion()).toBe(0);
  });

  it('of which nothing was sealed is none', async () => {
    expect(await commitBatch(dependencies, { ...request, batch_id: 'batch-w-1-info-2', segments: null })).toBeNull();
  });
});

/** The compaction after a commit: only if it is due, for a time, and never at the cost of the commit. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { compactIfDue } from '../../../../src/export/pipeline/index.ts';
import { type Lake, openLake } from '../../../../src/lake/index.ts';
import { bring, filingRows } from '../../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';

const PARTS = 6;

describe('the compaction after a commit', () => {
  let lake: Lake;
  const log = { warn: vi.fn() };

  beforeEach(async () => {
    log.warn.mockClear();
    lake = await openLake(temporaryFolder(), { create: true });
    for (let n = 0; n < PARTS; n++) await bring(lake, { batch: `b${n}` }, filingRows(n));
  });
  afterEach(() => lake.close());

  const compact = (over: Partial<Parameters<typeof compactIfDue>[0]> = {}) => {
    const never = new AbortController().signal;
    return compactIfDue(
      { attempt: 1, compactParts: PARTS - 1, compactionBoxMs: 8_000, leaving: never, signal: never, log, ...over },
      lake,
    );
  };
  const parts = async () => (await lake.snapshot()).tables.get('filings')!.parts.size;

  it('merges the parts of a table that has more small ones than allowed', async () => {
    const before = await lake.query('SELECT * FROM filings ORDER BY 1');
    await compact();
    expect(await parts()).toBe(1);
    expect(await lake.query('SELECT * FROM filings ORDER BY 1')).toEqual(before);
  });

  it.each([
    ['are not too many', { compactParts: PARTS }],
    ['may never be merged', { compactParts: 0 }],
    ['may have ended the worker of the attempt before', { attempt: 2 }],
    ['are left to another worker', { leaving: AbortSignal.abort() }],
    ['have no time', { compactionBoxMs: 0 }],
  ])('leaves parts that %s', async (_, over) => {
    await compact(over);
    expect(await parts()).toBe(PARTS);
    expect(log.warn).not.toHaveBeenCalled();
  });

  it('that fails is logged, and the next one tries again', async () => {
    vi.spyOn(lake, 'compact').mockRejectedValueOnce(new Error('no memory'));
    await compact();
    expect(log.warn.mock.calls[0]![1]).toMatchObject({ error: 'no memory' });
    expect(await parts()).toBe(PARTS);
    await compact();
    expect(await parts()).toBe(1);
  });
});

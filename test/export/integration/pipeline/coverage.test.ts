/** What a lake has of the filings that are asked for: all of it, of each that it has, and nothing of others. */
import { describe, expect, it } from 'vitest';
import { Coverage } from '../../../../src/export/pipeline/coverage/coverage.ts';
import { openLake } from '../../../../src/lake/index.ts';
import { bring } from '../../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';

const number = (n: number) => `0000320193-25-${String(n).padStart(6, '0')}`;
const of = (n: number, step: string, run_id = 'first') => ({
  accession_number: number(n),
  step,
  selector: step,
  revision: `r${n}`,
  status: 'done',
  fetched_at: '2025-03-01T00:00:00Z',
  run_id,
});

describe('the coverage of filings', () => {
  it('has every step of those in the lake, in whatever part, among many that it lacks', async () => {
    await using lake = await openLake(temporaryFolder(), { create: true });
    const documents = [1, 2].map((place) => `document:${number(3)}-${place}`);
    await bring(lake, { batch: 'a' }, { coverage: [of(1, 'filing'), of(3, 'filing'), of(3, 'info'), of(9, 'filing')] });
    await bring(
      lake,
      { batch: 'b' },
      { coverage: [...documents.map((step) => of(3, step)), of(5, 'filing', 'second')] },
    );
    const asked = Array.from({ length: 5_000 }, (_, i) => number(i + 1));
    const coverage = await Coverage.of(lake, [...asked.slice(0, 8), 'no number', ...asked.slice(9)], {
      run_id: 'second',
    });
    const steps = asked.map((one) => [...coverage.get(one).keys()].sort());
    expect(steps[0]).toEqual(['filing']);
    expect(steps[2]).toEqual([...documents, 'filing', 'info']);
    expect(coverage.get(number(5)).get('filing')).toEqual({
      selector: 'filing',
      revision: 'r5',
      status: 'done',
      isOwn: true,
    });
    expect(steps.filter((own) => own.length > 0)).toHaveLength(3);
  });

  it('is empty if the lake has none of them, between others', async () => {
    await using lake = await openLake(temporaryFolder(), { create: true });
    await bring(lake, { batch: 'a' }, { coverage: [of(1, 'filing'), of(9, 'filing')] });
    const coverage = await Coverage.of(lake, [2, 3, 4].map(number));
    for (const n of [1, 2, 3, 4, 9]) expect(coverage.get(number(n)).size).toBe(0);
  });
});

/** A few disturbed exports; `npm run soak` runs many, with other seeds each time. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Chaos } from '../../support/chaos/disturbed-runs.ts';
import { seed } from '../../support/property-runs.ts';
import { temporalExecutable } from '../../support/temporal.ts';

const RUNS = 2;
const FILINGS = 150;

describe.skipIf(!temporalExecutable)('an export that is disturbed at random', () => {
  let chaos: Chaos;
  beforeAll(async () => {
    chaos = await Chaos.prepare(FILINGS);
  });
  afterAll(() => chaos?.close());

  it.each(Array.from({ length: RUNS }, (_, i) => seed + i))(
    'makes the lake of an undisturbed one, row for row (seed %i)',
    async (played) => {
      const run = await chaos.disturb(played);
      process.stdout.write(`${JSON.stringify(run)}\n`);
      expect({ different: run.different, problems: run.problems }).toEqual({ different: [], problems: [] });
      expect(run.whole, JSON.stringify(run)).toBe(true);
      expect(run.disturbances.length).toBeGreaterThanOrEqual(3);
      expect(run.faults).toBeGreaterThan(0);
    },
    960_000,
  );
});

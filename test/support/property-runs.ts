const FACTOR = Number(process.env.FILINGLAKE_PROPERTY_RUNS ?? 1);

/** Of all random inputs. One for each run of `npm run test:all`, else the same: a test that passes here passes everywhere. */
export const seed = Number(process.env.FILINGLAKE_SEED ?? 1);

/** How many random inputs a property is tried with: a modest number, times FILINGLAKE_PROPERTY_RUNS (`npm run test:all`: ten). */
export function runs(modest: number): number {
  return Math.max(1, Math.round(modest * FACTOR));
}

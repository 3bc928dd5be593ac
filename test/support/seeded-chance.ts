/** Random numbers for tests that can be repeated. */
import { random } from './documents/rearrange.ts';
import { seed } from './property-runs.ts';

/** A small generator of numbers from 0 to below 1: the same in each run. */
export function seeded(start: number): () => number {
  let state = start;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** For random faults: the same in each run, or those of FILINGLAKE_SEED. */
export function seededChance(): () => number {
  return random(seed);
}

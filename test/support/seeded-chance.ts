/** Random numbers for tests that can be repeated. */
import { random } from './documents/rearrange.ts';

/** A small generator of numbers from 0 to below 1: the same in each run. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** For random faults: the seed is printed, and FILINGLAKE_SEED sets it. */
export function seededChance(): () => number {
  const seed = Number(process.env.FILINGLAKE_SEED ?? Math.floor(Math.random() * 2 ** 31));
  console.info(`random faults: FILINGLAKE_SEED=${seed}`);
  return random(seed);
}

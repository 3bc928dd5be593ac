/** Random faults that can be had again: the seed is printed, and FILINGLAKE_SEED sets it. */
import { random } from './documents/rearrange.ts';

/** @returns numbers from 0 to below 1 */
export function seededChance(): () => number {
  const seed = Number(process.env.FILINGLAKE_SEED ?? Math.floor(Math.random() * 2 ** 31));
  console.info(`random faults: FILINGLAKE_SEED=${seed}`);
  return random(seed);
}

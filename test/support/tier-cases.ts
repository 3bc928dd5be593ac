/**
 * For test files with some costly cases, which run in the slow tier. The file's counterpart in the folder `slow` imports
 * slow-cases.ts and the file. Each case then runs in one of the two tiers.
 */
import { describe, it } from 'vitest';

export const IN_SLOW_TIER = process.env.FILINGLAKE_CASES === 'slow';

/** Defines nothing, however it is called: `it(...)`, `it.each(...)(...)`. */
const nothing: unknown = new Proxy(() => {}, { get: () => nothing, apply: () => nothing });

export const quickIt = IN_SLOW_TIER ? (nothing as typeof it) : it;
export const slowIt = IN_SLOW_TIER ? it : (nothing as typeof it);
export const quickDescribe = IN_SLOW_TIER ? (nothing as typeof describe) : describe;
export const slowDescribe = IN_SLOW_TIER ? describe : (nothing as typeof describe);

/** The cases of this tier: in the quick ones those of the sample, in the slow one all others. */
export function casesOfTier<T>(all: readonly T[], isInSample: (one: T) => boolean): T[] {
  return all.filter((one) => isInSample(one) !== IN_SLOW_TIER);
}

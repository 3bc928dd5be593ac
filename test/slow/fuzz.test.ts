/** Random definitions against a service that changes: `npm run fuzz` plays more seeds. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Played } from '../support/fuzz/fuzz.ts';
import { temporalExecutable } from '../support/temporal.ts';
import { CHECKOUT } from '../support/test-stack.ts';

type PlayedSeed = Played & { seed: number };

/** In a process of its own: there the clock skips waits. */
async function played(...args: string[]): Promise<PlayedSeed[]> {
  const fuzz = [join(CHECKOUT, 'scripts/fuzz.ts'), '--json', ...args];
  // Its exit code says that a lake differs: so do the lines.
  const { stdout } = await promisify(execFile)(process.execPath, fuzz, { maxBuffer: 2 ** 26 }).catch(
    (error: Error & { stdout: string }) => error,
  );
  const lines = stdout.trim().split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as PlayedSeed);
}

describe.skipIf(!temporalExecutable)('exports from a service that changes at random', () => {
  it.each([1, 11])('leave the lake of a fresh export: ten seeds from %i', async (seed) => {
    const seeds = await played('--seed', String(seed), '--seeds', '10');
    expect(seeds).toHaveLength(10);
    for (const { seed: number, problems } of seeds) expect(problems, `seed ${number}`).toEqual([]);
    expect(seeds.reduce((sum, { killed }) => sum + killed, 0)).toBeGreaterThan(0);
  });

  it('are the same if a seed is played again', async () => {
    const [[one], [other]] = [await played('--seed', '3'), await played('--seed', '3')];
    const { seconds: _one, cpu_seconds: _cpu, ...first } = one!;
    const { seconds: _other, cpu_seconds: _cpus, ...second } = other!;
    expect(second).toEqual(first);
  });
});

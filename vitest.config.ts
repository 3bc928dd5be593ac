import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { TIERS } from './test/support/tiers.ts';

export default defineConfig({
  test: {
    testTimeout: 30_000 * Number(process.env.FILINGLAKE_PROPERTY_RUNS ?? 1),
    hookTimeout: 60_000,
    pool: 'forks',
    // The default leaves one core idle: on two, files would run one after another. Tests of servers and processes wait a good deal.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    runner: './test/support/deadline-runner.ts',
    projects: TIERS.map(({ name, include, exclude }) => ({
      extends: true,
      test: {
        name,
        include: [...include],
        exclude: [...exclude],
        // Unit tests start no process and share nothing: a worker for each file would cost more than most of them.
        isolate: name !== 'unit',
      },
    })),
  },
});

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import FileOrder from './test/support/file-order.ts';
import { OWN_RUNTIME, REPLACE_MODULES, TIERS, tiersOf } from './test/support/tiers.ts';

// Node keeps what it compiled: every command, service and reader thread that a test starts costs half the CPU.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/filinglake/compiled');

const ALONE = [...REPLACE_MODULES, ...OWN_RUNTIME];

export default defineConfig({
  test: {
    // So long that only a test that hangs reaches it, on the slowest machine too: no test states a shorter one.
    testTimeout: 300_000 * Number(process.env.FILINGLAKE_PROPERTY_RUNS ?? 1),
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // Files of a worker share the modules that ask for it when they are loaded.
    // Temporal servers of tests end with them.
    env: { NO_COLOR: '1', FILINGLAKE_LINGER: '0' },
    pool: 'forks',
    // More than cores: tests of servers and processes wait for a good part of their time.
    maxWorkers: availableParallelism() * 2,
    runner: './test/support/file-runner.ts',
    globalSetup: './test/support/global-setup.ts',
    // Node loads files itself, and keeps what it compiled: tests run the code that users run, for less CPU.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: FileOrder },
    projects: TIERS.flatMap(({ name, include, exclude }) => {
      const setupFiles = name === 'unit' ? ['./test/support/no-server.ts'] : [];
      const project = (of: string, more: object) => ({
        extends: true as const,
        test: { name: of, setupFiles, ...more },
      });
      if (name === 'slow') {
        return [project(name, { include: [...include], exclude: [...exclude], isolate: true })];
      }
      // To load the modules again for each file costs a second of CPU: more than most files of these tiers take.
      const alone = ALONE.filter((file) => tiersOf(file)[0] === name);
      const shared = project(name, { include: [...include], exclude: [...exclude, ...alone], isolate: false });
      if (alone.length === 0) return [shared];
      // Node's own loader can't replace a module.
      const viteModuleRunner = alone.some((file) => REPLACE_MODULES.includes(file));
      const experimental = { viteModuleRunner, nodeLoader: false };
      return [shared, project(`${name}-alone`, { include: alone, isolate: true, experimental })];
    }),
  },
});

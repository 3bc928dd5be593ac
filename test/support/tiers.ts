/** The tiers of tests, and which files are in each. CONTRIBUTING.md says which tier to run when. */
import { matchesGlob } from 'node:path';

export interface Tier {
  name: string;
  /** Globs of test files, relative to the checkout. */
  include: readonly string[];
  exclude: readonly string[];
}

const UNIT = ['test/*.test.ts', 'test/*/unit/**/*.test.ts'];
const E2E = ['test/*/e2e/**/*.test.ts'];
const SLOW = ['test/*/slow/**/*.test.ts'];

/** In the order in which they run. `integration` takes every file that no other tier has, so that no test is left out. */
export const TIERS = [
  { name: 'unit', include: UNIT, exclude: [] },
  { name: 'integration', include: ['test/**/*.test.ts'], exclude: [...UNIT, ...E2E, ...SLOW] },
  { name: 'e2e', include: E2E, exclude: [] },
  { name: 'slow', include: SLOW, exclude: [] },
] as const satisfies readonly Tier[];

/** Files that replace a module (`vi.mock`), and so must not share modules with others. */
export const REPLACE_MODULES: readonly string[] = [
  'test/export/unit/workflows/budget.test.ts',
  'test/export/unit/workflows/order-of-requests.test.ts',
  'test/export/unit/workflows/run-state.test.ts',
  'test/export/unit/workflows/sharded-run.test.ts',
  'test/lake/integration/tables/new-table.test.ts',
];

/** Files that need a runtime of Temporal's SDK of their own: a process has one, and its first user decides its log. */
export const OWN_RUNTIME: readonly string[] = [
  'test/export/e2e/quota.test.ts',
  'test/export/e2e/replay.test.ts',
  'test/export/e2e/workflow-alone.test.ts',
];

/** What `npm test` runs. */
export const QUICK_TIERS: readonly string[] = ['unit', 'integration', 'e2e'];

/** @param file path relative to the checkout, with slashes */
export function tiersOf(file: string): string[] {
  const matches = (globs: readonly string[]) => globs.some((glob) => matchesGlob(file, glob));
  return TIERS.filter(({ include, exclude }) => matches(include) && !matches(exclude)).map(({ name }) => name);
}

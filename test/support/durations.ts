/**
 * Seconds that test files take beside two others on two cores, for those that take more than fifteen. The order of files follows from
 * it. A figure that is out of date costs time, and no test: measure with `npm test -- FILE`.
 */
export const LONG_FILES: Readonly<Record<string, number>> = {
  'test/e2e/selection.test.ts': 41,
  'test/e2e/workflow-alone.test.ts': 26,
  'test/e2e/road.test.ts': 28,
  'test/e2e/quota.test.ts': 28,
  'test/e2e/refusals.test.ts': 34,
  'test/e2e/library.test.ts': 25,
  'test/e2e/two-exports.test.ts': 26,
  'test/integration/pipeline/reported-failures.test.ts': 28,
  'test/integration/runtime/temporal-server.test.ts': 23,
  'test/integration/runtime/doctor.test.ts': 23,
  'test/integration/service/serve-command.test.ts': 18,
  'test/integration/pipeline/repair.test.ts': 20,
  'test/integration/lake/arrow.test.ts': 19,
  'test/integration/pipeline/odd-values.test.ts': 19,
  'test/e2e/from-a-catalog.test.ts': 20,
  'test/e2e/form-tables.test.ts': 25,
  'test/slow/from-a-catalog.test.ts': 38,
  'test/slow/runtime/temporal-server.test.ts': 22,
  'test/slow/service/fairness.test.ts': 26,
  'test/slow/edgar-sync/follow.test.ts': 21,
  'test/slow/documents/linear-time.test.ts': 27,
  'test/slow/python/lake.test.ts': 18,
  'test/slow/catalog/crash.test.ts': 16,
  'test/slow/odd-values.test.ts': 15,
  'test/slow/catalog/real-files.test.ts': 29,
  'test/slow/large-document.test.ts': 29,
  'test/slow/refused-records.test.ts': 30,
  'test/slow/documents/metamorphic.test.ts': 35,
  'test/slow/long-waits.test.ts': 37,
  'test/slow/dying-workers.test.ts': 39,
  'test/slow/real-filings.test.ts': 40,
  'test/slow/cli/without-rights.test.ts': 42,
  'test/slow/lake/readers.test.ts': 42,
  'test/slow/lake/bucket-crash.test.ts': 120,
  'test/slow/many-machines.test.ts': 150,
  'test/slow/python/other-engines.test.ts': 90,
  'test/slow/quota.test.ts': 42,
  'test/slow/python/exports.test.ts': 44,
  'test/slow/long-history.test.ts': 55,
  'test/slow/lake/crash.test.ts': 59,
  'test/slow/selection.test.ts': 60,
  'test/slow/pipeline/repair.test.ts': 52,
  'test/slow/edgar-sync/downloads-killed.test.ts': 36,
  'test/slow/completeness.test.ts': 69,
  'test/slow/patience.test.ts': 74,
  'test/slow/liberties.test.ts': 77,
  'test/slow/compaction.test.ts': 78,
  'test/slow/other-lakes.test.ts': 80,
  'test/slow/catalog-commands.test.ts': 40,
  'test/slow/schedule.test.ts': 95,
  'test/slow/kill-at-boundaries.test.ts': 106,
  'test/slow/other-histories.test.ts': 113,
  'test/slow/kills.test.ts': 123,
  'test/slow/failing-operations.test.ts': 126,
  'test/slow/other-terminals.test.ts': 150,
  'test/slow/chaos.test.ts': 167,
};

const OTHER_SECONDS = 10;

/** @param file relative to the checkout, with slashes */
export function secondsOf(file: string): number {
  return LONG_FILES[file] ?? OTHER_SECONDS;
}

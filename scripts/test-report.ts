/** Counts of vitest's JSON report, by tier. */
import { relative } from 'node:path';
import { TIERS, tiersOf } from '../test/support/tiers.ts';

/** The members of vitest's JSON report that are read here. Times in milliseconds since 1970. */
export interface Report {
  testResults: {
    name: string;
    status: 'passed' | 'failed';
    startTime: number;
    endTime: number;
    assertionResults: { status: string }[];
  }[];
}

export interface Counts {
  files: number;
  passed: number;
  failed: number;
  skipped: number;
  /** Sum over the files: several run at a time. */
  seconds: number;
}

export interface Summary {
  total: Counts;
  byTier: Map<string, Counts>;
  /** File, relative to the checkout, to the number of its tests that did not run. */
  skippedIn: Map<string, number>;
}

const none = (): Counts => ({ files: 0, passed: 0, failed: 0, skipped: 0, seconds: 0 });

export function summaryOf(report: Report, checkout: string): Summary {
  const summary: Summary = { total: none(), byTier: new Map(), skippedIn: new Map() };
  for (const { name } of TIERS) summary.byTier.set(name, none());
  for (const { name, status, startTime, endTime, assertionResults } of report.testResults) {
    const file = relative(checkout, name).replaceAll('\\', '/');
    const passed = assertionResults.filter((test) => test.status === 'passed').length;
    const failed = assertionResults.filter((test) => test.status === 'failed').length;
    const skipped = assertionResults.length - passed - failed;
    if (skipped > 0) summary.skippedIn.set(file, skipped);
    for (const counts of [summary.total, summary.byTier.get(tiersOf(file)[0] ?? '')]) {
      if (!counts) continue;
      counts.files++;
      counts.passed += passed;
      // A file that can't be loaded has no tests to count, and is still a failure.
      counts.failed += failed === 0 && status === 'failed' ? 1 : failed;
      counts.skipped += skipped;
      counts.seconds += Math.max(0, endTime - startTime) / 1000;
    }
  }
  for (const [tier, { files }] of summary.byTier) if (files === 0) summary.byTier.delete(tier);
  return summary;
}

export function tierLine(tier: string, { files, passed, failed, skipped, seconds }: Counts): string {
  const tests = passed + failed + skipped;
  return `${tier.padEnd(12)}${String(files).padStart(4)} files ${String(tests).padStart(5)} tests ${seconds.toFixed(0).padStart(6)} s`;
}

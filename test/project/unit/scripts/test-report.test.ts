import { describe, expect, it } from 'vitest';
import { summaryOf, tierLine } from '../../../../scripts/test-report.ts';

const result = (name: string, statuses: string[], status: 'passed' | 'failed' = 'passed') => ({
  name: `/checkout/${name}`,
  status,
  startTime: 1_000,
  endTime: 3_500,
  assertionResults: statuses.map((one) => ({ status: one })),
});

describe('a report of tests', () => {
  const summary = summaryOf(
    {
      testResults: [
        result('test/core/unit/a.test.ts', ['passed', 'passed']),
        result('test/export/e2e/b.test.ts', ['passed', 'failed', 'skipped'], 'failed'),
        result('test/lake/slow/c.test.ts', ['pending', 'pending']),
        result('test/lake/d.test.ts', [], 'failed'),
      ],
    },
    '/checkout',
  );

  it('is counted as a whole and by tier; a file that fails without a test counts as one failure', () => {
    expect(summary.total).toEqual({ files: 4, passed: 3, failed: 2, skipped: 3, seconds: 10 });
    expect(summary.byTier.get('integration')).toMatchObject({ files: 1, failed: 1 });
    expect([...summary.byTier.keys()]).toEqual(['unit', 'integration', 'e2e', 'slow']);
  });

  it('names the files whose tests did not all run', () => {
    expect([...summary.skippedIn]).toEqual([
      ['test/export/e2e/b.test.ts', 1],
      ['test/lake/slow/c.test.ts', 2],
    ]);
  });

  it('has a line for each tier', () => {
    expect(tierLine('e2e', summary.byTier.get('e2e')!)).toBe('e2e            1 files     3 tests      3 s');
  });
});

/** The table `edgar_days`: what the service says of its days, before the run reads its lookups. */
import { beforeEach, describe, expect, it } from 'vitest';
import { finishRun, openRun } from '../../../../src/export/pipeline/commit/run-lifecycle.ts';
import type { CoverageDay } from '../../../../src/filings/api/index.ts';
import type { Lake } from '../../../../src/lake/index.ts';
import { lakeReport, reportPage } from '../../../../src/lake/report/index.ts';
import { type Scripted, ScriptedService } from '../../../support/client/scripted-service.ts';
import { definitionOf, dependenciesOf, openDriven, runOf } from '../../../support/pipeline/activity-harness.ts';

const DAYS: CoverageDay[] = [
  {
    day: '2025-03-04',
    expected: 3,
    in_catalog: 3,
    missing: 0,
    lag_p50_s: 2,
    lag_p99_s: 3,
    proven_at: '2025-03-05T03:00:00Z',
  },
  { day: '2025-03-05', expected: 4, in_catalog: 3, missing: 1, lag_p50_s: null, lag_p99_s: null, proven_at: null },
  { day: '2025-03-06', expected: null, in_catalog: 0, missing: 0, lag_p50_s: null, lag_p99_s: null, proven_at: null },
];

describe('edgar_days', () => {
  let service: ScriptedService;
  let lake: Lake;
  let runs = 0;
  const whole: Scripted = { body: { count: DAYS.length, days: DAYS, truncated: false } };

  beforeEach(async () => {
    service = await ScriptedService.start(whole);
    lake = await openDriven();
    return async () => {
      await lake.close();
      await service[Symbol.asyncDispose]();
    };
  });

  /** The two ends of a run. */
  async function run(meanwhile: () => void = () => {}, tables = 'filings, edgar_days') {
    const base = definitionOf('e', tables);
    const definition = { ...base, service: { ...base.service, base_url: service.url } };
    const reference = runOf(definition, `r${++runs}`, lake);
    const granted = { granted: 10, retry_at: null, reason: null };
    const budget = { reserve: async () => granted, settle: async () => {}, leave: async () => {} };
    const dependencies = () => dependenciesOf(lake, { apiKey: 'k', budget, leaving: new AbortController().signal });
    await openRun(dependencies(), reference);
    meanwhile();
    // Another attempt asks for nothing.
    await openRun(dependencies(), reference);
    const ended = {
      run: reference,
      state: 'completed' as const,
      started_at: '2025-03-07T00:00:00Z',
      requests: 0,
      bytes: 0,
    };
    return finishRun(dependencies(), ended);
  }

  const rows = () =>
    lake.query(
      'SELECT day::VARCHAR AS day, expected::INT AS expected, in_catalog::INT AS had, missing::INT AS missing, proven_at IS NOT NULL AS proven FROM edgar_days ORDER BY day',
    );

  it('has the days as the service had them before the lookups, read once', async () => {
    const finished = await run(() => {
      service.script = [{ body: { count: 0, days: [], truncated: false } }];
    });
    expect(finished.edgar_days).toEqual({ days: 3, unproven: 2 });
    expect(await rows()).toEqual([
      { day: '2025-03-04', expected: 3, had: 3, missing: 0, proven: true },
      { day: '2025-03-05', expected: 4, had: 3, missing: 1, proven: false },
      { day: '2025-03-06', expected: null, had: 0, missing: 0, proven: false },
    ]);
    expect(service.asked.filter(({ path }) => path === '/v2/coverage')).toHaveLength(1);
  });

  it('replaces the days of the last run, and forgets those that the service has no more', async () => {
    await run();
    const proven = { ...DAYS[1]!, in_catalog: 4, missing: 0, proven_at: '2025-03-08T03:00:00Z' };
    service.script = [{ body: { count: 2, days: [DAYS[0], proven], truncated: false } }];
    await run();
    expect((await rows()).map(({ day, proven }) => [day, proven])).toEqual([
      ['2025-03-04', true],
      ['2025-03-05', true],
    ]);
  });

  it('has the days of one run, whole, though another run has ended in its turn', async () => {
    const commit = lake.commitFirstSealed.bind(lake);
    let isRaced = false;
    lake.commitFirstSealed = async (batch) => {
      if (!isRaced) {
        isRaced = true;
        await run();
      }
      return commit(batch);
    };
    await expect(run()).rejects.toMatchObject({ code: 'plan-outdated' });
    expect((await rows()).map(({ day }) => day)).toEqual(DAYS.map(({ day }) => day));
    const [row] = await lake.query('SELECT count(DISTINCT run_id)::INT AS n FROM edgar_days');
    expect(row).toEqual({ n: 1 });
  });

  it('reads every page of a long answer', async () => {
    service.script = [
      { body: { count: 3, days: DAYS.slice(0, 2), truncated: true } },
      { body: { count: 3, days: DAYS.slice(2), truncated: false } },
    ];
    expect((await run()).edgar_days).toEqual({ days: 3, unproven: 2 });
  });

  it('says that a service has no such operation, and fails nothing', async () => {
    service.script = [{ status: 404, body: { error: 'no such path' } }];
    expect(await run()).toMatchObject({ failures: 0, edgar_days: { absent: expect.stringContaining('no coverage') } });
  });

  it('records a refusal, an odd day and a lack of days as failures, until a run reads them', async () => {
    const odd = [
      { status: 400, body: { error: 'no' } },
      { body: { count: 1, days: [{ ...DAYS[0], expected: 'many' }], truncated: false } },
      { body: { count: 9, days: DAYS, truncated: false } },
    ];
    for (const one of odd) {
      service.script = [one];
      const finished = await run();
      expect(finished).toMatchObject({ failures: 1, failed: [{ step: 'days', count: 1 }] });
      expect(finished.edgar_days).toBeUndefined();
    }
    service.script = [whole];
    expect(await run()).toMatchObject({ failures: 0, edgar_days: { days: 3 } });
  });

  it('is not requested by an export without the table', async () => {
    expect((await run(() => {}, 'filings')).edgar_days).toBeUndefined();
    expect(service.asked).toEqual([]);
  });

  it('is drawn in the report: a cell a day, and the days that are not proven', async () => {
    await run();
    const report = await lakeReport(lake);
    expect(report.edgar_days).toMatchObject([{ days: 3, proven: 1, expected: 7, in_catalog: 6, missing: 1 }]);
    const page = reportPage(report);
    expect(page).toContain('2025-03-04: 3 expected, 3 in the catalog, proven');
    expect(page).toContain('2025-03-05: 4 expected, 3 in the catalog, 1 missing');
    expect(page).toContain('2025-03-06: the index can’t be read');
  });
});

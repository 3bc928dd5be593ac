import { afterEach, describe, expect, it, vi } from 'vitest';
import { WaitForWorker } from '../../../src/cli/terminal/follow-run.ts';
import { openRunDisplay } from '../../../src/cli/terminal/run-display.ts';
import { missingText, summaryLine, tablesText } from '../../../src/cli/terminal/run-summary.ts';
import { leftText, RecentRate, runLine, runTable } from '../../../src/cli/terminal/run-table.ts';
import { cutTable } from '../../../src/cli/terminal/terminal.ts';
import { newProgress } from '../../../src/export/run/index.ts';
import type { RunStatus } from '../../../src/export/runtime/index.ts';

const STARTED = '2024-05-01T10:00:00.000Z';
const NOW = Date.parse('2024-05-01T10:02:05.000Z');

function status(): RunStatus {
  const progress = {
    ...newProgress(STARTED),
    requests: 1_234,
    bytes: 5_600_000,
    retries: 3,
    failures: 2,
    windows_read: 2,
    windows_unproven: 1,
    filings_expected: 2_001,
    filings_found: 2_000,
    filings_known: 40,
    requests_pending: 3_000,
    steps: {
      whole: { done: 0, pending: 0 },
      info: { done: 1_960, pending: 0 },
      sections: { done: 10, pending: 990 },
      documents: { done: 0, pending: 0 },
    },
    tables: {
      filings: { rows_new: 1_960, rows_replaced: 0, rows_total: 2_000, bytes: 12_345 },
      entities: { rows_new: 0, rows_replaced: 0, rows_total: 7, bytes: 0 },
    },
    last_commit: { version: 12, at: '2024-05-01T10:02:00.000Z' },
    quota: { requests_left: 98_766, bytes_left: null, resets_at: null },
  };
  const worker = { answers: true, last_seen: STARTED, refused: false };
  return {
    id: 'export/reports',
    name: 'reports',
    run_id: 'r',
    ended_at: null,
    lake: '/data/lake',
    state: 'running',
    started_at: STARTED,
    progress,
    worker,
  };
}

describe('a run on a terminal', () => {
  afterEach(() => void vi.unstubAllEnvs());

  it('is a table of its steps and of the tables that it wrote to', () => {
    expect(runTable(status(), 50, NOW, 200)).toEqual([
      'export/reports · 2 min 05 s · running',
      '',
      'lookups: 2 windows, 1 not proven complete; 2,000 of 2,001 filings found, 40 already complete',
      'requests      done  pending',
      'filing_info  1,960        0  100 %',
      'sections        10      990  1 %',
      '',
      '1,234 requests · 5.6 MB · 3 retried · 2 failed · 50/s · 1 min 00 s left · 98,766 of the quota left',
      '',
      'table      new  replaced  in the lake  written',
      'filings  1,960         0        2,000  12.3 kB',
      'version 12, committed 5.0 s ago',
    ]);
  });

  it('is cut to the width of the screen', () => {
    for (const line of runTable(status(), 50, NOW, 30)) expect(line.length).toBeLessThanOrEqual(30);
  });

  it('shows that it waits, and until when, without a rate', () => {
    const waiting = status();
    const until = '2024-06-01T00:00:00Z';
    Object.assign(waiting.progress, { state: 'waiting_for_quota', stopped_by: 'quota', waiting_until: until });
    const [first, ...rest] = runTable(waiting, 50, NOW, 200);
    expect(first).toBe(`export/reports · 2 min 05 s · waiting for quota until ${until}`);
    expect(rest.join()).not.toContain('/s');
  });

  it('is redrawn in place: the old table is erased first, and notes stay above it', () => {
    vi.stubEnv('CI', '');
    const written: string[] = [];
    const display = openRunDisplay({
      isTTY: true,
      columns: 80,
      rows: 8,
      write: (text: string) => written.push(text) > 0,
    } as NodeJS.WriteStream);
    display.show(status());
    display.show(status());
    display.note('going on');
    display.finish('done');
    // Seven lines fit on a screen of eight.
    expect(written[0]!.split('\n')).toHaveLength(8);
    expect(written[1]!.startsWith('\x1b[7A\r\x1b[J')).toBe(true);
    expect(written.slice(2)).toEqual(['\x1b[7A\r\x1b[Jgoing on\n', 'done\n']);
  });
});

describe('a table with a long last column', () => {
  const rows = [{ version: 7, tables: 'filings coverage export_windows' }];

  it('ends at the right edge of a terminal, and is whole elsewhere', () => {
    expect(cutTable(rows, ['version', 'tables'], 20)).toBe('version  tables\n      7  filings co…\n');
    expect(cutTable(rows, ['version', 'tables'], null)).toContain('export_windows\n');
  });
});

describe('a run in a log', () => {
  afterEach(() => void vi.useRealTimers());

  it('is a line each half minute, without control characters', () => {
    vi.useFakeTimers();
    const written: string[] = [];
    const display = openRunDisplay({
      isTTY: false,
      write: (text: string) => written.push(text) > 0,
    } as NodeJS.WriteStream);
    for (let second = 0; second < 70; second++) {
      display.show(status());
      vi.advanceTimersByTime(1_000);
    }
    expect(written).toHaveLength(3);
    expect(written[0]).toMatch(
      /^export\/reports: 2,000 filings found, 40 already complete · filing_info 1,960 of 1,960 · /,
    );
    expect(written.join('')).not.toContain('\x1b');
  });

  it('leaves out what is not requested', () => {
    expect(runLine(status(), null)).not.toContain('document');
  });
});

describe('a run that has stopped', () => {
  it('shows the remaining work', () => {
    const { progress } = status();
    expect(leftText(progress)).toBe('still to do: 990 requests of sections');
    expect(leftText({ ...progress, windows_left: 3 })).toBe('still to do: 3 windows to read, 990 requests of sections');
    expect(leftText(newProgress(STARTED))).toBe('');
  });
});

describe('the rate of a run', () => {
  it('is that of the last seconds, and unknown at first', () => {
    const rate = new RecentRate();
    rate.add(0, 0);
    expect(rate.perSecond()).toBeNull();
    for (let second = 1; second <= 100; second++) rate.add(second * 1_000, second <= 50 ? 0 : (second - 50) * 30);
    expect(rate.perSecond()).toBeCloseTo(30);
  });

  it('excludes work from before its worker started, and is not shown until some seconds were measured', () => {
    const rate = new RecentRate();
    // The memo of the last commit; then a worker that finds 9,000 requests more done; then 10 a second.
    for (let half = 0; half < 4; half++) rate.add(half * 500, 1_000);
    for (let half = 4; half < 30; half++) {
      rate.add(half * 500, 10_000 + Math.floor((half - 4) / 2) * 10);
      if (half < 14) expect(rate.perSecond()).toBeNull();
      else expect(rate.perSecond()).toBeGreaterThan(8);
      expect(rate.perSecond() ?? 0).toBeLessThan(12);
    }
  });

  it('starts again if the run stopped, or counts less than before', () => {
    const rate = new RecentRate();
    for (let second = 0; second < 20; second++) rate.add(second * 1_000, second * 100);
    expect(rate.perSecond()).toBeCloseTo(100);
    rate.add(20_000, 2_000, false);
    for (let second = 21; second < 26; second++) rate.add(second * 1_000, 2_000 + (second - 21) * 5);
    expect(rate.perSecond()).toBeNull();
    for (let second = 26; second < 40; second++) rate.add(second * 1_000, 2_000 + (second - 21) * 5);
    expect(rate.perSecond()).toBeCloseTo(5);
    rate.add(40_000, 50);
    expect(rate.perSecond()).toBeNull();
  });

  it('counts one as one', () => {
    const one = status();
    Object.assign(one.progress, { requests: 1, filings_found: 1, filings_expected: 1, windows_read: 1 });
    const text = runTable(one, null, NOW, 200).join('\n');
    expect(text).toContain('1 window, 1 not proven complete; 1 filing found');
    expect(text).toContain('\n1 request · ');
    expect(summaryLine(one)).toContain('1 filing found, 40 already complete · 1 request,');
  });
});

describe('a run that waits for a worker', () => {
  it('is reported after some seconds without one, counted again after each', () => {
    const waiting = new WaitForWorker();
    const answers = [0, 1, 2, 3, 4, 5].map((second) => waiting.isLong(second * 1_000, false));
    expect(answers).not.toContain(true);
    expect(waiting.isLong(6_000, false)).toBe(true);
    expect(waiting.isLong(7_000, true)).toBe(false);
    expect(waiting.isLong(8_000, false)).toBe(false);
  });
});

describe('the summary of an ended run', () => {
  const none = { failures: 0, known_failures: 0, retryable: 0, failed: [], absent: [], without: [], missing: [] };
  const finished = { lake_version: 12, spent: { requests: 0, bytes: 0 }, tables: {}, ...none };

  it('is one line, the written rows, and nothing if nothing is missing', () => {
    expect(summaryLine(status())).toMatch(
      /^export\/reports completed · 2,000 filings found, 40 already complete · 1,234 requests/,
    );
    expect(tablesText(status().progress)).toContain('1,960');
    const whole = status();
    whole.progress.windows_unproven = 0;
    expect(missingText(whole, finished)).toBe('');
    expect(tablesText(newProgress(STARTED))).toBe('nothing was new\n');
  });

  it('names what is missing, why, and the command that retries it', () => {
    const failed = [
      { step: 'info' as const, code: 'service-failed', count: 2, subject: 'x', message: 'it answered 500', known: 0 },
    ];
    const text = missingText(status(), {
      ...finished,
      failed,
      failures: 2,
      retryable: 2,
      absent: [
        { step: 'sections', count: 1 },
        { step: 'document', count: 2 },
      ],
      without: [
        {
          filings: 'annual report',
          rows: 'statements',
          with: 6,
          without: [{ reason: 'no_such_document', count: 107 }],
        },
        { filings: '8-K filing', rows: 'XBRL facts', with: 3, without: [] },
      ],
    });
    expect(text.split('\n')).toEqual([
      '1 window could not be proven complete: filinglake lake check --lake /data/lake',
      '113 annual reports: 6 with statements, 107 without (no XBRL in their documents)',
      '2 documents do not exist, according to the service',
      '2 failures of filing_info (service-failed): it answered 500',
      'retry them: filinglake retry reports',
      '',
    ]);
  });

  it('shows which failures are known, and how many a retry requests', () => {
    const group = { step: 'filing' as const, code: 'value-unstorable', subject: 'x', message: "size can't be stored" };
    const whole = status();
    whole.progress.windows_unproven = 0;
    const failed = [{ ...group, count: 3, known: 2 }];
    const text = missingText(whole, { ...finished, failures: 3, known_failures: 2, retryable: 1, failed });
    expect(text.split('\n').slice(1)).toEqual([
      '2 of these are known from an earlier run, and not counted for the exit code',
      'retry 1: filinglake retry reports',
      '',
    ]);
    const ofRetry = missingText(whole, { ...finished, failures: 3, known_failures: 2, retryable: 1, failed }, true);
    expect(ofRetry).toContain('2 of these are known from an earlier run\n');
  });
});

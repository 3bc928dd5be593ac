/** The output of `filinglake status`, and how suggested commands are written. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { statusTable, statusText } from '../../../src/cli/commands/status.ts';
import type { RunStatusCounted } from '../../../src/cli/terminal/complete-filings.ts';
import { shellWord } from '../../../src/core/index.ts';
import { newProgress } from '../../../src/export/run/index.ts';

const STARTED = '2024-05-01T10:00:00.000Z';

function status(
  over: Partial<RunStatusCounted['progress']> = {},
  filings_complete: number | null = 1_240,
): RunStatusCounted {
  const steps = {
    whole: { done: 0, pending: 0 },
    info: { done: 1_240, pending: 2_720 },
    sections: { done: 0, pending: 0 },
    documents: { done: 0, pending: 0 },
  };
  const progress = {
    ...newProgress(STARTED),
    filings_found: 4_000,
    filings_known: 40,
    steps,
    requests_pending: 2_720,
    ...over,
  };
  const worker = { answers: true, last_seen: STARTED, refused: false };
  const run = {
    id: 'export/reports',
    name: 'reports',
    run_id: 'r',
    ended_at: null,
    filings_complete,
    lake: '/data/lake',
    state: 'running' as const,
    without: ['113 annual reports: 6 with statements, 107 without (no XBRL in their documents)'],
  };
  return { ...run, started_at: STARTED, progress, worker };
}

describe('the status of a run', () => {
  it('shows the listed filings, the complete ones, and the pending ones', () => {
    const text = statusText(status());
    expect(text).toMatch(/^filings +4,000 listed, 1,240 complete \(40 before this run\)$/m);
    expect(text).toMatch(/^filing_info +1,240 of 3,960 requests, 2,720 pending$/m);
    expect(text).toMatch(/^requests +0, 0 retries, 2,720 pending$/m);
    expect(text).not.toMatch(/^sections/m);
  });

  it('shows that the number of complete filings is unknown if the lake can not be read here', () => {
    expect(statusText(status({}, null))).toMatch(/^filings +4,000 listed; complete: not known/m);
  });

  it('is a line among others, with how many filings are complete', () => {
    const lines = statusTable([status(), status({}, 4_000), status({}, null)], null).split('\n');
    expect(lines[0]).toMatch(/^name +state +listed +complete +requests +pending +version +started \(UTC\) +lake$/);
    expect(lines.slice(1, 4).map((line) => /4,000 +([\d,]+) +0 +2,720/.exec(line)?.[1])).toEqual([
      '1,240',
      '4,000',
      undefined,
    ]);
    expect(lines[1]).toContain('2024-05-01 10:00');
  });
});

describe('a word for a shell', () => {
  it.each(['/data/lake', "/my lakes/o'neil", '$HOME', 'a"b', '', '`ls`', 'ü\n'])('means %j there', (text) => {
    expect(execFileSync('/bin/sh', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' })).toBe(text);
  });

  it('is unchanged if nothing needs a quote', () => {
    expect(shellWord('/data/lake-1/x.y')).toBe('/data/lake-1/x.y');
  });
});

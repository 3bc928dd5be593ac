/** The zone of the times in SEC's submissions JSON, and real files against the headers of the same filings. */
import { describe, expect, it } from 'vitest';
import { acceptanceTimes, readSubmission, readSubmissionsJson } from '../../../../src/filings/edgar/index.ts';
import { realFile, realFiles } from '../../../support/edgar/real-files.ts';
import { sharedFolder } from '../../../support/shared.ts';

/** What the file of one company states for its filings, oldest first. */
function timesOf(...given: string[]): (string | undefined)[] {
  const number = (i: number) => `0000000007-24-${String(i).padStart(6, '0')}`;
  const columns = {
    accessionNumber: given.map((_, i) => number(i)),
    filingDate: given.map(() => '2024-07-01'),
    form: given.map(() => '8-K'),
    acceptanceDateTime: given,
  };
  const times = acceptanceTimes(readSubmissionsJson(Buffer.from(JSON.stringify(columns))));
  return given.map((_, i) => times.get(number(i) as never));
}

describe('times of acceptance in submissions JSON', () => {
  it('are Eastern if the file has early mornings', () => {
    expect(timesOf('2024-07-01T06:30:00.000Z', '2024-07-02T08:00:01.000Z', '2024-07-02T16:30:30.000Z')).toEqual([
      '2024-07-01T06:30:00',
      '2024-07-02T08:00:01',
      '2024-07-02T16:30:30',
    ]);
  });

  it('are UTC if the file has nights: they become Eastern, in summer and winter', () => {
    expect(timesOf('2024-07-01T23:30:00.000Z', '2024-01-11T01:15:00.000Z', '2024-01-10T21:30:30.000Z')).toEqual([
      '2024-07-01T19:30:00',
      '2024-01-10T20:15:00',
      '2024-01-10T16:30:30',
    ]);
  });

  it('are not taken from a file that shows neither, both, or one sign only', () => {
    const afternoon = '2024-07-02T16:30:30.000Z';
    expect(timesOf(afternoon, afternoon)).toEqual([undefined, undefined]);
    expect(timesOf('2024-07-01T07:00:00.000Z', afternoon)).toEqual([undefined, undefined]);
    const [early, late] = ['2024-07-01T07:00:00.000Z', '2024-07-01T23:00:00.000Z'];
    expect(timesOf(early, early, late, late)).toEqual([undefined, undefined, undefined, undefined]);
    // SEC's own notices, at 0:15 Eastern time.
    expect(timesOf('2024-07-01T00:15:10.000Z', '2024-07-02T00:15:10.000Z')).toEqual([undefined, undefined]);
  });

  it('are absent at midnight of either zone: the header has no time', () => {
    const [early, late] = ['2024-07-01T07:00:00.000Z', '2024-07-01T23:00:00.000Z'];
    expect(timesOf(early, early, '1996-07-02T00:00:00.000Z')[2]).toBeUndefined();
    expect(timesOf(late, late, '1996-07-02T04:00:00.000Z', '1996-01-02T05:00:00.000Z').slice(2)).toEqual([
      undefined,
      undefined,
    ]);
  });

  it.skipIf(sharedFolder === null)('are those of the headers, in all real files at hand', () => {
    const times = new Map(
      realFiles('json')
        .filter((name) => /CIK\d{10}/.test(name))
        .flatMap((name) => [...acceptanceTimes(readSubmissionsJson(realFile(name)))]),
    );
    const headers = realFiles('full-submissions').map((name) => readSubmission(realFile(name)));
    const both = headers.filter((one) => one.acceptanceDatetime !== null && times.has(one.accessionNumber));
    expect(both.length).toBeGreaterThanOrEqual(15);
    for (const one of both) expect(times.get(one.accessionNumber), one.accessionNumber).toBe(one.acceptanceDatetime);
    for (const one of headers) if (one.acceptanceDatetime === null) expect(times.has(one.accessionNumber)).toBe(false);
  });
});

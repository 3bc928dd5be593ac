/** Values of options: what is accepted, and the one wording of refusals. */
import { describe, expect, it } from 'vitest';
import { calendarDay, duration, wholeNumber } from '../../../src/cli/terminal/option-values.ts';

const refusal = (read: (text: string) => unknown, text: string) => {
  try {
    return read(text);
  } catch (error) {
    return error as { code: string; exitCode: number; message: string };
  }
};

describe('the value of an option', () => {
  const limit = wholeNumber('--limit', 1, 1000);
  const jitter = duration('--jitter', 'smh', '90s, 10m or 1h');

  it('is read', () => {
    expect([limit('1'), limit('1000')]).toEqual([1, 1000]);
    expect(calendarDay('--from')('2024-02-29')).toBe('2024-02-29');
    expect([jitter('0s'), jitter('90s'), jitter('10m'), jitter('1h')]).toEqual([0, 90_000, 600_000, 3_600_000]);
    expect(duration('--keep', 'dh', '7d or 36h')('7d')).toBe(604_800_000);
  });

  it.each([
    [limit, 'x', '--limit must be a whole number from 1 to 1,000, not "x"'],
    [limit, '0', '--limit must be a whole number from 1 to 1,000, not "0"'],
    [limit, '1001', '--limit must be a whole number from 1 to 1,000, not "1001"'],
    [limit, '1e2', '--limit must be a whole number from 1 to 1,000, not "1e2"'],
    [limit, '', '--limit must be a whole number from 1 to 1,000, not ""'],
    [calendarDay('--from'), '2024-02-30', '--from must be a day as YYYY-MM-DD, not "2024-02-30"'],
    [jitter, '7d', '--jitter must be a duration such as 90s, 10m or 1h, not "7d"'],
    [
      duration('--interval', 'smh', '60s, 5m or 1h', 1000),
      '0s',
      '--interval must be a duration such as 60s, 5m or 1h, not "0s"',
    ],
  ])('is refused with the option, its allowed values and the given one (%#)', (read, text, message) => {
    expect(refusal(read, text)).toMatchObject({ code: 'argument-invalid', exitCode: 2, message });
  });
});

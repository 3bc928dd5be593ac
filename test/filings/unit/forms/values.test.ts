import { describe, expect, it } from 'vitest';
import { ExactSum, timesThousand } from '../../../../src/filings/forms/map/decimals.ts';
import { cikOf, convert, type Misfit } from '../../../../src/filings/forms/map/values.ts';

function converted(type: Parameters<typeof convert>[0], text: string) {
  const misfits: Misfit[] = [];
  return [convert(type, text, (reason) => misfits.push(reason)), ...misfits];
}

describe('values', () => {
  it.each([
    ['95898.0', '95898.0'],
    ['-0.5', '-0.5'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['+5.55', '5.55'],
    ['007', '7'],
    ['-0', '0'],
    ['9.9 %', '9.9'],
    ['1E-7', '0.0000001'],
    ['-1.25e3', '-1250'],
    ['12.5E-1', '1.25'],
    ['123456789012345678901234', '123456789012345678901234'],
    ['0.1234567890120', '0.123456789012'],
  ])('reads the decimal %s as %s', (text, value) => {
    expect(converted('DECIMAL(38,12)', text)).toEqual([value]);
  });

  it.each([
    ['0.1234567890125', '0.123456789013'],
    ['-9.9999999999996', '-10.000000000000'],
  ])('rounds %s half up to 12 digits, with a problem', (text, value) => {
    expect(converted('DECIMAL(38,12)', text)).toEqual([value, 'rounded']);
  });

  it.each(['XXXX', 'N/A', '1,234', '$5', '', '-', '.', '1 2', '0x10', 'NaN', 'Infinity', '1e5x', '١'])(
    'takes %j for no number',
    (text) => {
      expect(converted('DECIMAL(38,12)', text)).toEqual([null, 'not_a_number']);
    },
  );

  it('refuses numbers that the type does not hold', () => {
    expect(converted('DECIMAL(38,12)', '1'.repeat(27))).toEqual([null, 'out_of_range']);
    expect(converted('DECIMAL(38,12)', '1e999')).toEqual([null, 'out_of_range']);
    expect(converted('INTEGER', '2147483648')).toEqual([null, 'out_of_range']);
    expect(converted('BIGINT', '9223372036854775808')).toEqual([null, 'out_of_range']);
    expect(converted('INTEGER', '1.5')).toEqual([null, 'not_a_whole_number']);
    expect(converted('INTEGER', '0.0000000000001')).toEqual([null, 'not_a_whole_number']);
  });

  it('reads whole numbers as numbers, those too large for one as text', () => {
    expect(converted('INTEGER', '12.0')).toEqual([12]);
    expect(converted('BIGINT', '9223372036854775807')).toEqual(['9223372036854775807']);
  });

  it.each([
    ['2024-02-29', '2024-02-29'],
    ['2024-05-01-05:00', '2024-05-01'],
    ['2024-05-01Z', '2024-05-01'],
    ['05-01-2024', '2024-05-01'],
    ['5/1/2024', '2024-05-01'],
  ])('reads the day %s', (text, value) => {
    expect(converted('DATE', text)).toEqual([value]);
  });

  it.each(['2023-02-29', '13/01/2024', '0000-01-01', '05/01-2024', '20240501', 'May 1, 2024', '2024-5-1'])(
    'takes %s for no day',
    (text) => {
      expect(converted('DATE', text)).toEqual([null, 'not_a_date']);
    },
  );

  it('reads both spellings of booleans, and no other', () => {
    for (const text of ['1', 'true', 'TRUE', 'Y', 'yes']) expect(converted('BOOLEAN', text)).toEqual([true]);
    for (const text of ['0', 'false', 'N', 'No']) expect(converted('BOOLEAN', text)).toEqual([false]);
    expect(converted('BOOLEAN', 'X')).toEqual([null, 'not_a_boolean']);
  });

  it('takes leading zeros off a CIK; zeros alone are none', () => {
    const misfits: Misfit[] = [];
    const read = (text: string) => cikOf(text, (reason) => misfits.push(reason));
    expect([read('0000320193'), read('0000000000')]).toEqual(['320193', null]);
    expect(misfits).toEqual([]);
    expect([read('N/A'), read('12345678901')]).toEqual([null, null]);
    expect(misfits).toEqual(['not_a_cik', 'not_a_cik']);
  });
});

describe('sums', () => {
  it('are exact over whole numbers, fractions and very large ones', () => {
    const sum = new ExactSum();
    for (const text of ['0.1', '0.2', '99999999999999', '99999999999999', '123456789012345678901234', '-1'])
      sum.add(text);
    expect(sum.text).toBe('123456789212345678901231.3');
    expect(timesThousand('1.0005')).toBe('1000.5');
  });
});

import { describe, expect, it } from 'vitest';
import type { Row } from '../../../../../src/filings/forms/index.ts';
import { rowsOf } from '../../../../support/forms/mapped.ts';

const schedule = `<TABLE> <S> <C>
<PAGE>
<ARTICLE> 5
<LEGEND>
THIS SCHEDULE HAS
<CASH> 99
WORDS
</LEGEND>
<NAME> A B Corp
<MULTIPLIER> 1,000
<CURRENCY> U.S. DOLLARS
<S>                             <C>            <C>
<PERIOD-TYPE>                   YEAR           3-MOS
<FISCAL-YEAR-END>               DEC-31-1995    DEC-31-1996
<PERIOD-END>                    DEC-31-1995    MAR-31-1996
<CASH>                          1,847          12
<ALLOWANCES>                    0<F1>          ( 884)
<PP&E>                          n.a.           7
<BONDS>
<EPS-PRIMARY>                   (.05)          1.10
<FN>
<F1>NOT
MATERIAL.
</FN>
</TABLE>
`;

function rows(text: string, type: string | null = 'EX-27'): Record<string, Row[]> {
  const documents = [{ name: null, type, text: () => text }];
  return rowsOf({ accessionNumber: '0000000000-96-000001', filingDate: null, formType: '10-K', documents });
}

describe('a financial data schedule', () => {
  it('has each value multiplied, exactly, but not values per share, ratios and yields', () => {
    const scaledOf = (multiplier: string, lines: string) =>
      rows(schedule.replace('1,000', multiplier).replace('<BONDS>', lines)).ex27_facts!.map(({ tag, value_scaled }) => [
        tag,
        value_scaled,
      ]);
    expect(scaledOf('1,000', '<RETURNS-OF-CAPITAL> .02')).toEqual([
      ['CASH', '1847000'],
      ['CASH', '12000'],
      ['ALLOWANCES', '0'],
      ['ALLOWANCES', '-884000'],
      ['PP&E', null],
      ['PP&E', '7000'],
      ['RETURNS-OF-CAPITAL', '0.02'],
      ['EPS-PRIMARY', '-0.05'],
      ['EPS-PRIMARY', '1.10'],
    ]);
    const inMillions = new Map(
      scaledOf('1,000,000', '<EXPENSE-RATIO> 1.2\n<YIELD-ACTUAL> 7.5\n<PER-SHARE-NII> .1\n<BONDS> (0.125)') as [
        string,
        string,
      ][],
    );
    expect([...inMillions.keys()].map((tag) => inMillions.get(tag))).toEqual(
      expect.arrayContaining(['1.2', '7.5', '0.1', '-125000']),
    );
    expect(rows(schedule.replace('<MULTIPLIER> 1,000\n', '')).ex27_facts![1]).toMatchObject({ value_scaled: '12' });
  });

  it('gives a row for each value, with what its column says', () => {
    const found = rows(schedule).ex27_facts!;
    expect(
      found.map(({ position, tag, column_number, text, value }) => [position, tag, column_number, text, value]),
    ).toEqual([
      [0, 'CASH', 0, '1,847', '1847'],
      [1, 'CASH', 1, '12', '12'],
      [2, 'ALLOWANCES', 0, '0', '0'],
      [3, 'ALLOWANCES', 1, '(884)', '-884'],
      [4, 'PP&E', 0, 'n.a.', null],
      [5, 'PP&E', 1, '7', '7'],
      [6, 'EPS-PRIMARY', 0, '(.05)', '-0.05'],
      [7, 'EPS-PRIMARY', 1, '1.10', '1.10'],
    ]);
    expect(found[2]).toMatchObject({
      file: '1',
      article: '5',
      multiplier: '1000',
      currency: 'U.S. DOLLARS',
      name: 'A B Corp',
      period_type: 'YEAR',
      fiscal_year_end: '1995-12-31',
      period_start: null,
      period_end: '1995-12-31',
      footnotes: 'NOT MATERIAL.',
    });
    expect(found[3]).toMatchObject({
      period_type: '3-MOS',
      period_end: '1996-03-31',
      footnotes: null,
      multiplier: '1000',
    });
  });

  it('names values that are not numbers', () => {
    expect(rows(schedule).form_problems).toMatchObject([{ reason: 'not_a_number', value: 'n.a.', path: 'PP&E' }]);
  });

  it('may be several in one document', () => {
    const text = `${schedule}${schedule.replace('<MULTIPLIER> 1,000\n', '').replace('1,847', '5')}`;
    const found = rows(text).ex27_facts!;
    expect(found).toHaveLength(16);
    expect(found[8]).toMatchObject({ value: '5', multiplier: null });
  });

  it('is no other exhibit, and no web page', () => {
    expect(rows(schedule, 'EX-99')).toEqual({});
    expect(rows('<html><body>EX-27</body></html>')).toEqual({});
    expect(Object.keys(rows(schedule, null))).toContain('ex27_facts');
  });
});

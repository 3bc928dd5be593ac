import { describe, expect, it } from 'vitest';
import { ImpliedPrices, valueUnit } from '../../../../src/filings/forms/f13/unit.ts';
import { neededDocuments } from '../../../../src/filings/forms/index.ts';
import { mapped, said } from '../../../support/forms/mapped.ts';

const report = (cover = '', type = '13F-HR') =>
  `<edgarSubmission><headerData><submissionType>${type}</submissionType></headerData><formData><coverPage>${cover}</coverPage></formData></edgarSubmission>`;

interface Holding {
  value: string;
  shares?: string;
  type?: string;
  more?: string;
}

const table = (holdings: readonly Holding[], prefix = '') => {
  const p = prefix === '' ? '' : `${prefix}:`;
  const rows = holdings.map(
    ({ value, shares = '10', type = 'SH', more = '' }) =>
      `<${p}infoTable><${p}value>${value}</${p}value><${p}shrsOrPrnAmt><${p}sshPrnamt>${shares}</${p}sshPrnamt><${p}sshPrnamtType>${type}</${p}sshPrnamtType></${p}shrsOrPrnAmt>${more}</${p}infoTable>`,
  );
  return `<${p}informationTable${prefix === '' ? '' : ` xmlns:${prefix}="u"`}>${rows.join('')}</${p}informationTable>`;
};
const filing = { accessionNumber: '0000000000-24-000001', filingDate: '2024-05-01' };
const many = (value: string, count: number) => Array.from({ length: count }, () => ({ value }));

describe('13F', () => {
  it('gives the same rows with and without a prefix', () => {
    const holdings = [{ value: '100' }, { value: '7.5', more: '<otherManager>1</otherManager>' }];
    const plain = mapped([report(), table(holdings)], filing);
    expect(mapped([report(), table(holdings.slice(0, 1), 'ns1')], filing).f13_holdings![0]).toEqual({
      ...plain.f13_holdings![0],
    });
  });

  it('joins information tables in their order', () => {
    const rows = mapped([report(), table(many('100', 2)), table(many('200', 1))], filing);
    expect(rows.f13_holdings!.map((row) => [row.position, row.value])).toEqual([
      [0, '100'],
      [1, '100'],
      [2, '200'],
    ]);
    expect(rows.f13_reports![0]).toMatchObject({ holdings: 3, value_sum: '400', median_price: '10' });
  });

  it('keeps options and principal apart from the price', () => {
    const rows = mapped(
      [
        report(),
        table([
          ...many('0.5', 5),
          { value: '9', shares: '1', more: '<putCall>Put</putCall>' },
          { value: '8', shares: '1', type: 'PRN' },
        ]),
      ],
      filing,
    );
    expect(rows.f13_holdings![5]!.put_call).toBe('Put');
    expect(rows.f13_reports![0]).toMatchObject({
      median_price: '0.05',
      value_unit: 'thousands',
      value_unit_evidence: 'price_against_date',
    });
    expect(rows.f13_holdings![5]!.value_usd).toBe('9000');
  });

  it('splits the managers of a row; other text stays text', () => {
    const rows = mapped(
      [
        report(),
        table([
          { value: '1', more: '<otherManager> 04, 8;11\n x </otherManager>' },
          { value: '1', more: '<otherManager> \n </otherManager>' },
        ]),
      ],
      filing,
    );
    expect(
      rows.f13_holding_managers!.map(({ position, ordinal, sequence_number, text }) => [
        position,
        ordinal,
        sequence_number,
        text,
      ]),
    ).toEqual([
      [0, 0, 4, '04'],
      [0, 1, 8, '8'],
      [0, 2, 11, '11'],
      [0, 3, null, 'x'],
    ]);
    expect(rows.f13_holdings![1]!.other_managers).toBeNull();
  });

  it('states the effect of an amendment, and that a notice has no table', () => {
    const amendment =
      '<isAmendment>true</isAmendment><amendmentNo>1</amendmentNo><amendmentInfo><amendmentType>RESTATEMENT</amendmentType></amendmentInfo>';
    const rows = mapped([report(amendment, '13F-HR/A'), table(many('100', 1))], filing);
    expect(said(rows.f13_reports![0])).toMatchObject({
      form_type: '13F-HR/A',
      is_amendment: true,
      amendment_no: 1,
      amendment_type: 'RESTATEMENT',
    });
    const notice = mapped(
      report(
        '<otherManagersInfo><otherManager><cik>0000000009</cik><name>Other</name></otherManager></otherManagersInfo>',
        '13F-NT',
      ),
      filing,
    );
    expect(said(notice.f13_reports![0])).toEqual({ form_type: '13F-NT' });
    expect(said(notice.f13_managers![0])).toEqual({ kind: 'reporting', position: 0, cik: '9', name: 'Other' });
  });

  it('gives no holding of a damaged table, but the report, and names the table', () => {
    const rows = mapped([report(), table(many('100', 3)).slice(0, -30)], filing);
    expect(rows.f13_holdings).toBeUndefined();
    expect(rows.f13_reports![0]).toMatchObject({ holdings: null, value_sum: null, value_unit: null });
    expect(rows.form_problems).toEqual([expect.objectContaining({ document: 'doc2.xml', reason: 'malformed' })]);
  });

  it('names values that are not numbers, with their place', () => {
    const rows = mapped([report(), table([{ value: '1' }, { value: '1,000' }])], filing);
    expect(rows.f13_holdings![1]!.value).toBeNull();
    expect(said(rows.form_problems![0])).toEqual({
      position: 0,
      document: 'doc2.xml',
      reason: 'not_a_number',
      path: 'informationTable/infoTable[2]/value',
      table_name: 'f13_holdings',
      column_name: 'value',
      value: '1,000',
    });
    expect(rows.form_problems).toHaveLength(1);
  });
});

describe('the unit of 13F values', () => {
  const unit = (date: string | null, price: number | null, rows = 5) => {
    const prices = new ImpliedPrices();
    if (price !== null) for (let k = 0; k < rows; k++) prices.add(price);
    const { value_unit, value_unit_evidence } = valueUnit(date, prices);
    return [value_unit, value_unit_evidence];
  };

  it.each([
    ['2023-01-02', 0.24, 5, 'thousands', 'date_and_price'],
    ['2023-01-03', 2.5, 1, 'dollars', 'date_and_price'],
    ['2023-01-02', 0.25, 9, 'thousands', 'date'],
    ['2023-01-03', 2.49, 9, 'dollars', 'date'],
    ['2023-01-03', null, 0, 'dollars', 'date'],
    ['2023-01-03', 0.1, 5, 'thousands', 'price_against_date'],
    ['2023-01-03', 0.1, 4, 'dollars', 'date_against_price'],
    ['2022-12-30', 80, 5, 'dollars', 'price_against_date'],
    [null, 80, 5, 'dollars', 'price'],
    [null, 80, 4, null, null],
    [null, 1, 9, null, null],
    [null, null, 0, null, null],
  ] as const)('filed %s, price %s over %i rows: %s by %s', (date, price, rows, value_unit, evidence) => {
    expect(unit(date, price, rows)).toEqual([value_unit, evidence]);
  });

  it('takes the mean of the two middle prices, rounded half up', () => {
    const prices = new ImpliedPrices();
    for (const price of [4, 1.000001, 1.000002, 0.5]) prices.add(price);
    expect(valueUnit(null, prices).median_price).toBe('1.000002');
  });
});

describe('values that no DECIMAL(38,12) holds', () => {
  it('are null in dollars, and in the sum, and stand as they were filed', () => {
    const value = '9'.repeat(26);
    const rows = mapped(
      `<informationTable>${`<infoTable><value>${value}</value></infoTable>`.repeat(2)}</informationTable>`,
      { accessionNumber: '0000000001-20-000001', filingDate: '2020-02-14', formType: '13F-HR' },
    );
    expect(rows.f13_holdings).toMatchObject([
      { value, value_unit: 'thousands', value_usd: null },
      { value, value_usd: null },
    ]);
    const problem = { reason: 'out_of_range', table_name: 'f13_holdings', column_name: 'value_usd', value };
    expect(rows.form_problems).toMatchObject([problem, problem]);
  });
});

describe('the documents that a 13F needs', () => {
  const letter = { filename: null, type: 'COVER' };
  const cover = { filename: null, type: '13F-HR' };

  it('are those of its types if one is an information table without a name', () => {
    const table = { filename: null, type: 'information table' };
    expect(neededDocuments('13F-HR', [cover, table, letter])).toEqual([cover, table]);
  });

  it('are all that may be text if none is XML', () => {
    expect(neededDocuments('13F-HR', [cover, letter])).toEqual([cover, letter]);
  });
});

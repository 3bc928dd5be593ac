import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isCusip, readTextTable } from '../../../../src/filings/forms/f13/text-table.ts';
import { rowsOf, said } from '../../../support/forms/mapped.ts';
import { filingOf } from '../../../support/forms/real-files.ts';
import { sharedFolder } from '../../../support/shared.ts';

const text = `
Report for the Calendar Year or Quarter Ended: March 31, 2010
Form 13F Information Table Entry Total:          4
Form 13F Information Table Value Total:   $100,500
                                        (thousands)
<TABLE>
                                              Value    Shares
Name of Issuer      Class     CUSIP         (x1000)
- --------------    -----  -----------   ---------- -----------
Apple               COM    037833 10 0       50,000     250,000   X   4, 2   250,000
American Express
   Co.              COM    025816 10 9       40,000   1,000,000   X   4    1,000,000
                                             10,000     250,000   X   4, 5   250,000
                                         ----------
                                            100,000
3M CO               COM    88579Y101            500       6,000 SH SOLE
</TABLE>
`;

describe('13F tables of text', () => {
  it('gives rows with a CUSIP, and those that continue one; sums are not rows', () => {
    const { holdings, entryTotal, valueTotal } = readTextTable(text);
    expect(holdings.map(({ name, title, cusip, value, shares }) => [name, title, cusip, value, shares])).toEqual([
      ['Apple', 'COM', '037833100', '50000', '250000'],
      ['American Express Co.', 'COM', '025816109', '40000', '1000000'],
      ['American Express Co.', 'COM', '025816109', '10000', '250000'],
      ['3M CO', 'COM', '88579Y101', '500', '6000'],
    ]);
    expect([entryTotal, valueTotal]).toEqual(['4', '100500']);
  });

  it('states what share of the total was found', () => {
    const filing = (body: string) => ({
      accessionNumber: '0000000000-10-000001',
      filingDate: '2010-05-17',
      formType: '13F-HR',
      documents: [{ name: 'a.txt', type: '13F-HR', text: () => body }],
    });
    const rows = rowsOf(filing(text));
    expect(said(rows.f13_text_reports![0])).toEqual({
      form_type: '13F-HR',
      period_of_report: '2010-03-31',
      table_entry_total: 4,
      table_value_total: '100500',
      holdings: 4,
      value_sum: '100500',
      share_of_entries: '1',
      share_of_value: '1',
      median_price: '0.061667',
      value_unit: 'thousands',
      value_unit_evidence: 'date_and_price',
    });
    expect(rows.f13_text_holdings![3]).toMatchObject({
      position: 3,
      document: 'a.txt',
      value_usd: '500000',
      cusip_valid: true,
      rest: 'SH SOLE',
    });
    expect(rows.f13_holdings).toBeUndefined();
    const some = rowsOf(filing(text.replace('88579Y101', '          ')));
    expect(some.f13_text_reports![0]).toMatchObject({
      holdings: 3,
      share_of_entries: '0.75',
      share_of_value: '0.995025',
    });
  });

  it('knows a CUSIP by its check digit', () => {
    expect([isCusip('037833100'), isCusip('037833101'), isCusip('88579Y101'), isCusip('G4776G101')]).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });
});

describe.skipIf(sharedFolder === null)('real 13F tables of text', () => {
  const folder = sharedFolder === null ? '' : join(sharedFolder, 'edgar/full-submissions');
  const names = (sharedFolder === null ? [] : readdirSync(folder)).filter((name) => {
    if (!name.endsWith('.txt')) return false;
    const content = readFileSync(join(folder, name), 'latin1');
    return (
      /CONFORMED SUBMISSION TYPE:\s+13F-(HR|CTR)/.test(content.slice(0, 3000)) && !/informationTable/.test(content)
    );
  });

  it('are found whole, or short of their total by the amount stated here', () => {
    const short: Record<string, string> = {};
    for (const name of names) {
      const { f13_text_reports: reports } = rowsOf(filingOf(`edgar/full-submissions/${name}`));
      const share = reports![0]!.share_of_value as string;
      if (share !== '1') short[name] = share;
    }
    expect(names).toHaveLength(22);
    expect(short).toEqual({
      // States its total in millions, its rows in thousands.
      '0000060086-03-000046.txt': '1000.045187',
    });
  });
});

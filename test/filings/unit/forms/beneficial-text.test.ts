import { describe, expect, it } from 'vitest';
import { readTextCover } from '../../../../src/filings/forms/beneficial/text-cover.ts';
import { isOfForm, mapFiling, neededDocuments } from '../../../../src/filings/forms/index.ts';
import { filingOf } from '../../../support/forms/real-files.ts';
import { sharedFolder } from '../../../support/shared.ts';

const typed = (cusip: string, title = 'Common Stock, $.01 par value') => `
                    SECURITIES AND EXCHANGE COMMISSION
                          Washington, D.C. 20549
                              SCHEDULE 13G
                 Under the Securities Exchange Act of 1934
                          (Amendment No. 3)*

                            ORCHARDS & SONS, INC.
          ------------------------------------------------------
                           (Name of Issuer)

                    ${title}
          ------------------------------------------------------
                    (Title of Class of Securities)

                              ${cusip}
          ------------------------------------------------------
                            (CUSIP Number)

                           December 31, 1998
   (Date of Event Which Requires Filing of this Statement)

 CUSIP No. 037833100              13G                 Page 2 of 5 Pages
 1  NAME OF REPORTING PERSON  IRS 13-2624428   Telephone 212-270-6000
`;

const cover = (source: string) => {
  const found = readTextCover(source);
  return found && [...found.cusips.map(({ cusip, isValid }) => `${cusip} ${isValid}`), found.statedIn];
};

describe('the cover page of a schedule 13D or 13G', () => {
  it('has issuer, class and CUSIP above their captions', () => {
    expect(readTextCover(typed('037833100'))).toEqual({
      cusips: [{ cusip: '037833100', isValid: true }],
      statedIn: 'cover',
      classTitle: 'Common Stock, $.01 par value',
      issuerName: 'ORCHARDS & SONS, INC.',
    });
  });

  it.each([
    ['037833 10 0', '037833100 true'],
    ['037833-10-0', '037833100 true'],
    ['G0176J109', 'G0176J109 true'],
    ['037833101', '037833101 false'],
  ])('may write the CUSIP as %s', (filed, found) => {
    expect(cover(typed(filed))).toEqual([found, 'cover']);
  });

  it('of two classes has both CUSIPs, and no title for them', () => {
    const found = readTextCover(typed('02079K305 (Class A), 02079K107 (Class C)'))!;
    expect(found.cusips.map(({ cusip }) => cusip)).toEqual(['02079K305', '02079K107']);
    expect(found.classTitle).toBeNull();
  });

  it('may have it behind the caption, or in the heads of its pages alone', () => {
    expect(
      cover('Orchards (Name of Issuer) Shares (Title of Class of Securities) CUSIP Number: 037833100 May 1'),
    ).toEqual(['037833100 true', 'cover']);
    expect(cover(typed('None'))).toEqual(['037833100 true', 'head']);
    expect(cover(typed('None').replace('037833100', '________'))).toBeNull();
    expect(cover('A letter of 2122706000 and 10017-1234, SHARES OF 1')).toBeNull();
  });

  it('may be a web page, whose tags cut the code', () => {
    const page = `<html><title>CUSIP No. 111111111</title><p>Orchards&#160;&amp; Sons</p><hr><p>(Name of<br>Issuer)</p><div><b>Class&nbsp;A Shares</b></div>
      <p>(Title of Class of Securities)</p><table><tr><td>02079K<font>3</font>05</td></tr></table><p>(CUSIP&nbsp;Number)</p></html>`;
    expect(readTextCover(page)).toEqual({
      cusips: [{ cusip: '02079K305', isValid: true }],
      statedIn: 'cover',
      classTitle: 'Class A Shares',
      issuerName: 'Orchards & Sons',
    });
  });

  it('is read in the schedule, not in its exhibits, and only of the old forms', () => {
    const document = (name: string, type: string) => ({ name, type, text: () => typed('037833100') });
    const rows = (formType: string) => [
      ...mapFiling({
        accessionNumber: '0000000001-99-000001',
        filingDate: '1999-02-12',
        formType,
        documents: [document('ex.htm', 'EX-99'), document('main.htm', 'SC 13G')],
      }),
    ];
    expect(rows('SC 13G/A').map(({ table, row }) => [table, row.document, row.cusip])).toEqual([
      ['beneficial_text_cusips', 'main.htm', '037833100'],
    ]);
    expect(rows('SCHEDULE 13G').filter(({ table }) => table === 'beneficial_text_cusips')).toEqual([]);
    const listed = [
      { filename: 'main.htm', type: 'SC 13G' },
      { filename: 'ex.htm', type: 'EX-99' },
      { filename: 'logo.gif', type: 'SC 13G' },
    ];
    expect(neededDocuments('SC 13G', listed)).toEqual([listed[0]]);
    expect(isOfForm(typed('037833100'), 'SC 13G', 'SC 13G')).toBe(true);
    expect(isOfForm('<html>Access denied</html>', 'SC 13G', 'SC 13G')).toBe(false);
  });

  it.skipIf(sharedFolder === null).each([
    ['0000019617-24-000012', '313745101', 'Common Shares of Beneficial Interest', 'FEDERAL REALTY INVESTMENT TRUST'],
    ['0000895421-24-000024', '22266T109', 'Class A Common Stock', 'COUPANG, Inc.'],
  ])('of the real %s', (number, cusip, title, issuer) => {
    const rows = [...mapFiling(filingOf(`edgar/full-submissions/${number}.txt`))];
    expect(rows.map(({ table, row }) => [table, row.cusip, row.securities_class_title, row.issuer_name])).toEqual([
      ['beneficial_text_cusips', cusip, title, issuer],
    ]);
  });
});

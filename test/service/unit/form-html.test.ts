import { describe, expect, it } from 'vitest';
import { formHtml, labelOf } from '../../../src/service/pdf/form-html.ts';

const text = (html: string | null) =>
  html!
    .replace(/<\/(?:th|td|h\d|span)>/g, '|')
    .replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ');
const transaction = (shares: number) =>
  `<nonDerivativeTransaction><securityTitle><value>Common</value><footnoteId id="F1"/></securityTitle>
   <transactionAmounts><transactionShares><value>${shares}</value></transactionShares></transactionAmounts></nonDerivativeTransaction>`;

describe('the label of an element', () => {
  it.each([
    ['rptOwnerCik', 'Reporting owner CIK'],
    ['ns1:nameOfIssuer', 'Name of issuer'],
    ['rptOwnerStreet1', 'Reporting owner street 1'],
    ['shrsOrPrnAmt/sshPrnamtType', 'Shares or principal amount: shares prnamt type'],
  ])('%s', (name, label) => expect(labelOf(name).toLowerCase().slice(0, 12)).toBe(label.toLowerCase().slice(0, 12)));
});

describe('a form in XML', () => {
  it('is labelled fields, with notes beside their values', () => {
    const html = formHtml(
      `<ownershipDocument xmlns:xsi="x"><issuer><issuerCik>0000320193</issuerCik><issuerName>A &amp; B &lt;i></issuerName></issuer>
       <price><value>1.5</value><footnoteId id="F2"/></price></ownershipDocument>`,
    );
    expect(text(html)).toContain('Issuer|');
    expect(text(html)).toContain('Issuer CIK|0000320193|');
    expect(text(html)).toContain('Price|1.5 (F2)|');
    expect(html).toContain('A &amp; B &lt;i&gt;');
  });

  it('sets repeated elements as rows of a table, whatever their prefix', () => {
    const html = formHtml(
      `<n:informationTable xmlns:n="x">${[1234567, 89].map((value) => `<n:infoTable><n:nameOfIssuer>Co</n:nameOfIssuer><n:value>${value}</n:value></n:infoTable>`).join('')}</n:informationTable>`,
    );
    expect(text(html)).toContain('Info table (2)|Name of issuer|Value|Co|1,234,567|Co|89|');
  });

  it('separates the thousands of amounts, and of nothing else', () => {
    const person = (zip: string, sold: number) =>
      `<person><zipCode>${zip}</zipCode><phoneNumber>2068016359</phoneNumber><securityId>1234567</securityId><crdNumber>1234567</crdNumber><caseRef>0012345</caseRef><sold>${sold}</sold></person>`;
    const html = text(formHtml(`<d>${person('10006', 1234567)}${person('98104', 18000)}</d>`));
    expect(html).toContain('10006|2068016359|1234567|1234567|0012345|1,234,567|');
    expect(html).toContain('98104|2068016359|1234567|1234567|0012345|18,000|');
  });

  it('has the name of the form as its title', () => {
    const title = (xml: string) => text(formHtml(xml)).split('|')[0];
    expect(
      title('<edgarSubmission><headerData><submissionType>144/A</submissionType></headerData></edgarSubmission>'),
    ).toBe('Form 144/A');
    expect(
      title(
        '<edgarSubmission><headerData><submissionType>SCHEDULE 13D</submissionType></headerData></edgarSubmission>',
      ),
    ).toBe('SCHEDULE 13D');
    expect(title('<ownershipDocument><documentType>3</documentType></ownershipDocument>')).toBe('Form 3');
    expect(title('<informationTable><a>1</a></informationTable>')).toBe('Information table');
  });

  it('names the note of an element without a value', () => {
    const html = formHtml('<d><coding><code>G</code><footnoteId id="F1"/></coding></d>');
    expect(text(html)).toContain('Code|G|Footnote|(F1)|');
  });

  it('sets the only row of a table as a row too', () => {
    const one = text(formHtml(`<d><nonDerivativeTable>${transaction(10)}</nonDerivativeTable></d>`));
    expect(one).toContain('Security title|Transaction shares|Common (F1)|10|');
  });

  it('sets rows with many columns as blocks of fields, none lost', () => {
    const names = Array.from({ length: 30 }, (_all, k) => `field${String.fromCharCode(97 + (k % 26))}${k}`);
    const row = (k: number) => `<holding>${names.map((name) => `<${name}>v${k}${name}</${name}>`).join('')}</holding>`;
    const html = text(formHtml(`<d>${row(1)}${row(2)}</d>`));
    expect(html).toContain('Holding 2 of 2');
    for (const name of names) expect(html).toContain(`v2${name}`);
  });

  it('is null if it is not well-formed', () => expect(formHtml('<a><b></a>')).toBeNull());
});

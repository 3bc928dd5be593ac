import { describe, expect, it } from 'vitest';
import { sectionCode } from '../../../../src/filings/api/index.ts';
import {
  findSections,
  guessFormType,
  readableText,
  readSections,
  sectionsHtml,
} from '../../../../src/filings/documents/index.ts';
import { hasTwentyFs, readTwentyF, TWENTY_FS } from '../../../support/documents/real-twenty-fs.ts';

describe.skipIf(!hasTwentyFs)('items of real 20-Fs', () => {
  it.each(TWENTY_FS)('$name: each of them, from its heading to the next', ({ name, codes, risks, begin }) => {
    const text = readTwentyF(name);
    expect(guessFormType(text)).toBe('20-F');
    const found = findSections(text, '20-F');
    expect(found.map(({ section }) => section).join(' ')).toBe(codes);
    const html = sectionsHtml(text, found);
    const words = html.map((one) => readableText(one, 'text/html').replace(/\s+/g, ' ').trim());
    const sections = found.map(({ section }, k) => ({ section, html: html[k]! }));
    const structure = readSections(sections, { structure: true, filingDate: '2021-04-01' });
    expect(structure.map((one) => one.risks.length).filter((count) => count > 0)).toEqual([risks]);
    for (const [code, start] of Object.entries(begin))
      expect(words[found.findIndex(({ section }) => section === code)]!.slice(0, start.length)).toBe(start);
    for (const [k, { end_index }] of found.entries()) {
      const next = found[k + 1];
      // A PART heading or the signatures may stand between.
      if (next) expect(readableText(text.slice(end_index, next.start_index), 'text/html').length).toBeLessThan(40);
      expect(words[k]).not.toMatch(/\bSIGNATURES? The registrant\b|\bPART I{1,3}$/);
    }
  });
});

const BODY = 'The company and its subsidiaries make machines in many countries of the world and sell them there. ';
const itemsOf = (list: string) =>
  list.split(/[|\n]/).map((item) => [item.split('. ', 1)[0]!, item.replace(/^\S+ /, '')] as const);
const ITEMS =
  itemsOf(`1. Identity of Directors, Senior Management and Advisers|2. Offer Statistics and Expected Timetable
3. Key Information|4. Information on the Company|4A. Unresolved Staff Comments
5. Operating and Financial Review and Prospects|6. Directors, Senior Management and Employees
7. Major Shareholders and Related Party Transactions|8. Financial Information|9. The Offer and Listing
10. Additional Information|11. Quantitative and Qualitative Disclosures About Market Risk
12. Description of Securities Other than Equity Securities|13. Defaults, Dividend Arrearages and Delinquencies
14. Material Modifications to the Rights of Security Holders and Use of Proceeds|15. Controls and Procedures
16A. Audit Committee Financial Expert|16B. Code of Ethics|16C. Principal Accountant Fees and Services
16D. Exemptions from the Listing Standards for Audit Committees
16E. Purchases of Equity Securities by the Issuer and Affiliated Purchasers
16F. Change in Registrant\u2019s Certifying Accountant|16G. Corporate Governance|16H. Mine Safety Disclosure
16I. Disclosure Regarding Foreign Jurisdictions that Prevent Inspections|16J. Insider Trading Policies
16K. Cybersecurity|17. Financial Statements|18. Financial Statements|19. Exhibits`);
/** Those of the form until 2000. */
const OLD_ITEMS = itemsOf(`1. Description of Business|2. Description of Property|3. Legal Proceedings
4. Control of Registrant|5. Nature of Trading Market
6. Exchange Controls and Other Limitations Affecting Security Holders|7. Taxation|8. Selected Financial Data
9. Management's Discussion and Analysis of Financial Condition and Results of Operations
9A. Quantitative and Qualitative Disclosures About Market Risk|10. Directors and Officers of Registrant
11. Compensation of Directors and Officers|12. Options to Purchase Securities from Registrant or Subsidiaries
13. Interest of Management in Certain Transactions|14. Description of Securities to be Registered
15. Defaults Upon Senior Securities|16. Changes in Securities and Changes in Security for Registered Securities
17. Financial Statements|18. Financial Statements|19. Financial Statements and Exhibits`);

/** A way to write a report: its headings, whether it has contents with pages, parts, and pages of a typewriter. */
interface Way {
  readonly heading: (code: string, title: string) => string;
  readonly contents: boolean;
  readonly parts: boolean;
  readonly typed: boolean;
}
const HEADINGS: readonly Way['heading'][] = [
  (code, title) => `Item ${code}. ${title}`,
  (code, title) => `ITEM ${code}. ${title.toUpperCase()}`,
  (code, title) => `Item ${code} \u2013 ${title}`,
  (code, title) => `ITEM ${code}: ${title}`,
  (code, title) => `${code}. ${title}`,
  (code, title) => `Item ${code}.\u00a0\u00a0${title}`,
  (code) => `Item ${code}`,
];
const WAYS: readonly Way[] = HEADINGS.flatMap((heading) =>
  [true, false].flatMap((contents) =>
    [true, false].flatMap((parts) => [true, false].map((typed) => ({ heading, contents, parts, typed }))),
  ),
);
/** Items that are written in each way; the others have nothing of their own. */
const SHORT = new Set(['1', '2', '4A', '12', '13', '14', '16F', '16H', '16I', '17']);

function written({ heading, contents, parts, typed }: Way, leaveOut: ReadonlySet<string>, all = ITEMS): string {
  const items = all.filter(([code]) => !leaveOut.has(code));
  const block = (text: string) => (typed ? `${text}\n\n` : `<p>${text}</p>`);
  const pieces = [block('FORM 20-F'), block('ANNUAL REPORT PURSUANT TO SECTION 13 OR 15(d)')];
  if (contents)
    for (const [k, [code, title]] of items.entries())
      pieces.push(
        typed
          ? `${`Item ${code}. ${title} `.padEnd(90, '.')} ${k * 3 + 4}\n`
          : `<table><tr><td>Item ${code}.</td><td>${title}</td><td>${k * 3 + 4}</td></tr></table>`,
      );
  pieces.push(block(''));
  for (const [code, title] of items) {
    const part = parts ? { 1: 'PART I', 13: 'PART II', 17: 'PART III' }[code] : undefined;
    if (part !== undefined) pieces.push(block(part));
    pieces.push(block(heading(code, title)));
    if (SHORT.has(code)) pieces.push(block('Not applicable.'));
    else for (let k = 0; k < 3; k++) pieces.push(block(BODY.repeat(4)));
  }
  pieces.push(block('SIGNATURES'), block('The registrant certifies that it meets all of the requirements.'));
  return typed ? pieces.join('') : `<html><body>${pieces.join('')}</body></html>`;
}

describe('items of 20-Fs in many ways to write them', () => {
  it('are found, and no others', () => {
    let [wanted, given, right] = [0, 0, 0];
    const wrong: string[] = [];
    for (const [w, way] of WAYS.entries()) {
      const leftOut = new Set(w % 2 === 0 ? ['16G', '16H', '16I', '16J', '16K'] : ['4A', '17']);
      const text = written(way, leftOut);
      const found = findSections(text, '20-F');
      const codes = ITEMS.map(([code]) => code).filter((code) => !leftOut.has(code));
      wanted += codes.length;
      given += found.length;
      for (const { section, start_index, end_index } of found) {
        const words = readableText(text.slice(start_index, end_index), way.typed ? 'text/plain' : 'text/html');
        const own = SHORT.has(section) ? /Not applicable\.$/ : /sell them there\.$/;
        const isRight = codes.includes(section) && own.test(words.trim()) && words.includes(section);
        if (isRight) right++;
        else wrong.push(`${w} ${section}`);
      }
    }
    expect(WAYS.length).toBeGreaterThan(50);
    expect(right / wanted, wrong.join(', ')).toBeGreaterThanOrEqual(0.98);
    expect(right / given, wrong.join(', ')).toBeGreaterThanOrEqual(0.98);
  });

  it('are those of the form before 30 September 2000, with its titles, if the report prints them', () => {
    const codes = OLD_ITEMS.map(([code]) => code);
    for (const way of WAYS) {
      const found = findSections(written(way, new Set(), OLD_ITEMS), '20-F', { filingDate: '2000-06-30' });
      expect(found.map(({ section }) => section)).toEqual(codes);
      for (const [k, { title }] of found.entries()) if (codes[k] !== '9') expect(title).toContain(OLD_ITEMS[k]![1]);
    }
    const printed = written(WAYS[0]!, new Set(), OLD_ITEMS);
    for (const options of [{ filingDate: '2000-12-15' }, {}])
      expect(findSections(printed, '20-F', options)[1]!.title).toBe('Description of Property');
    const early = findSections(written(WAYS[0]!, new Set()), '20-F', { filingDate: '2000-06-30' });
    expect(early[0]!.title).toBe('Identity of Directors, Senior Management and Advisers');
  });

  it('have codes however they are spelled', () => {
    for (const name of ['Item 16A', '16a', 'ITEM 16A.', 'Item 16A. Audit Committee Financial Expert'])
      expect(sectionCode(name, '20-F')).toBe('16A');
    expect(sectionCode('Item 4A', '20-F')).toBe('4A');
    expect(sectionCode('Item 20', '20-F')).toBeNull();
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { findSections, sectionsHtml, substancesHtml } from '../../../../src/filings/documents/index.ts';
import { readReport, reportSections } from '../../../../src/library/sections.ts';
import { sharedFolder } from '../../../support/shared.ts';

const row = (name: string) => `<tr><td>${name}</td><td>1,234,567</td><td>2,345,678</td></tr>`;
const statement = (title: string) =>
  `<p><b>${title}</b></p><table>${Array.from({ length: 24 }, (_, k) => row(`Item ${'ABCDEFGHIJKLMNOPQRSTUVWX'[k]} sold`)).join('')}</table>`;
const STATEMENTS =
  `${statement('CONSOLIDATED BALANCE SHEETS')}${statement('CONSOLIDATED STATEMENTS OF INCOME')}` +
  `<p><b>NOTES TO CONSOLIDATED FINANCIAL STATEMENTS</b></p><p>${'We value machines at cost. '.repeat(30)}</p>`;
const TITLE = "MANAGEMENT'S DISCUSSION AND ANALYSIS OF FINANCIAL CONDITION AND RESULTS OF OPERATIONS";
const DISCUSSION = `<p>${'Sales rose, for prices were higher. '.repeat(80)}</p>`;
const report = (seven: string, eight: string, behind = '') =>
  `<html><body><p>FORM 10-K</p><p><b>Item 1. Business</b></p><p>${'We make machines. '.repeat(20)}</p>` +
  `<p><b>Item 7. Management's Discussion and Analysis</b></p>${seven}` +
  `<p><b>Item 8. Financial Statements and Supplementary Data</b></p>${eight}` +
  `<p><b>Item 9. Changes in and Disagreements with Accountants</b></p><p>None.</p>` +
  `<p>SIGNATURES</p><p>Pursuant to the requirements of Section 13 it is signed.</p>${behind}</body></html>`;

function found(text: string) {
  const sections = findSections(text, '10-K');
  const of = (code: string) => {
    const { substance_start: start, substance_end: end } = sections.find(({ section }) => section === code)!;
    return start === null ? null : text.slice(start, end!);
  };
  return { sections, seven: of('7'), eight: of('8') };
}

describe('the substance of an item', () => {
  it('is the item itself if discussion and statements stand there', () => {
    expect(found(report(DISCUSSION, STATEMENTS))).toMatchObject({ seven: null, eight: null });
  });

  it('is found behind the signatures', () => {
    const { seven, eight } = found(
      report(DISCUSSION, '<p>The statements are set forth on pages F-1 to F-9 of this report.</p>', STATEMENTS),
    );
    expect(seven).toBeNull();
    expect(eight).toMatch(/^CONSOLIDATED BALANCE SHEETS[\s\S]*at cost\.\s*$/);
  });

  it('is found in an annual report that is bound into the document', () => {
    const pointer = '<p>Incorporated by reference to the Annual Report to Shareholders.</p>';
    const { seven, eight } = found(report(pointer, pointer, `<p><b>${TITLE}</b></p>${DISCUSSION}${STATEMENTS}`));
    expect(seven).toMatch(/^MANAGEMENT'S[\s\S]*were higher\. <\/p><p><b>$/);
    expect(eight).toMatch(/^CONSOLIDATED BALANCE SHEETS/);
  });

  it('ends where the statements begin that the discussion runs on into', () => {
    const { sections, seven, eight } = found(
      report(DISCUSSION + STATEMENTS, '<p>See the statements that follow Item 7 of this report.</p>'),
    );
    expect(seven).toMatch(/were higher\. <\/p><p><b>$/);
    expect(eight).toMatch(/^CONSOLIDATED BALANCE SHEETS/);
    // The section itself ends at the next heading, as ever.
    const item = sections.find(({ section }) => section === '7')!;
    expect(item.end_index).toBeGreaterThan(item.substance_end!);
  });

  it('is not found if nothing like it is there: notes on statements in prose are none', () => {
    const prose = `<p><b>CONSOLIDATED STATEMENTS OF INCOME</b></p><p>${'They show what we earned. '.repeat(40)}</p>`;
    expect(found(report(DISCUSSION, '<p>See pages F-1 to F-9 of this report.</p>', prose)).eight).toBeNull();
  });

  it('is not the schedule on the parent company alone, with its report and index', () => {
    const pointer = '<p>Incorporated by reference to the Annual Report to Shareholders.</p>';
    const index = '<p><b>INDEX TO FINANCIAL STATEMENTS AND SCHEDULES</b></p><p>Schedule I is on page F-2.</p>';
    const schedule = `${index}<p>SCHEDULE I</p><p>CONDENSED FINANCIAL INFORMATION OF REGISTRANT</p>${STATEMENTS}`;
    expect(found(report(pointer, pointer, schedule)).eight).toBeNull();
  });

  it('comes from Exhibit 13 if the item points there, and is read only then', () => {
    const pointer = '<p>Incorporated by reference to the Annual Report to Shareholders.</p>';
    const exhibit = `<html><body><p><b>${TITLE}</b></p>${DISCUSSION}${STATEMENTS.repeat(4)}</body></html>`;
    const text = report(pointer, pointer);
    const sections = findSections(text, '10-K');
    const substances = substancesHtml(text, sections, [exhibit]);
    expect(substances.map(({ source }) => source)).toEqual(['item', 'exhibit', 'exhibit', 'item']);
    expect(substances[1]!.substance_html).toContain('were higher');
    expect(substances[1]!.substance_html).not.toContain('BALANCE SHEETS');
    const whole = report(DISCUSSION, STATEMENTS);
    const unread = {
      [Symbol.iterator](): Generator<string> {
        throw new Error('it is read');
      },
    };
    expect(substancesHtml(whole, findSections(whole, '10-K'), unread)[1]).toEqual({
      source: 'item',
      substance_html: null,
    });
    expect(sectionsHtml(text, sections)).toHaveLength(4);
  });
});

/** First words of the discussion and of the statements in Exhibit 13, read by eye, and words that each must end before. */
const REPORTS: Readonly<Record<string, readonly [RegExp, RegExp]>> = {
  '0000950130-96-000896': [/^FINANCIAL\s+REVIEW\s+DESCRIPTION OF MERCK'S BUSINESS/, /^STATEMENT OF INCOME/],
  '0000950131-94-000440': [
    /^MANAGEMENT'S DISCUSSION AND ANALYSIS[\s-]+RESULTS OF OPERATIONS/,
    /^CONSOLIDATED STATEMENTS OF INCOME/,
  ],
  '0001047469-98-012291': [/^management discussion\s+International Business/, /^consolidated statement of earnings/],
};

describe.skipIf(sharedFolder === null)('the substance of real filings with an Exhibit 13', () => {
  it.each(Object.entries(REPORTS))('%s', (name, [discussion, statements]) => {
    const file = join(sharedFolder!, 'edgar/full-submissions', `${name}.txt.gz`);
    const sections = reportSections(readReport(gunzipSync(readFileSync(file)), { filename: `${name}.txt` }));
    const of = (code: string) => sections.find(({ section }) => section === code)!;
    for (const [code, first] of [
      ['7', discussion],
      ['8', statements],
    ] as const) {
      expect(of(code)).toMatchObject({
        kind: 'pointer_exhibit',
        source: 'exhibit',
        text: expect.stringMatching(first),
      });
      expect(of(code).text.length).toBeGreaterThan(40_000);
    }
    expect(of('7').text).not.toMatch(
      /^\W*(?:consolidated )?(?:statements? of (?:income|earnings)|balance sheet)\W*$/im,
    );
    expect(of('1')).toMatchObject({ source: 'item', substance_html: null });
  });
});

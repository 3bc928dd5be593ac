import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addToScore,
  emptyScore,
  type Labelled,
  precision,
  recall,
  visibleText,
} from '../../../../bench/section-score/score.ts';
import { SECTION_CODES, sectionTitle } from '../../../../src/filings/api/index.ts';
import { explainSections, findSections } from '../../../../src/filings/documents/index.ts';
import { filingText, labels } from '../../../support/documents/labelled.ts';
import { sharedFolder } from '../../../support/shared.ts';

/** `[code, text]` of each section found. */
function found(text: string, form = '10-K'): [string, string][] {
  return findSections(text, form).map((section) => [
    section.section,
    text
      .slice(section.start_index, section.end_index)
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  ]);
}
const codes = (text: string, form = '10-K') => found(text, form).map(([code]) => code);

/** The floor of the score only rises. */
const FLOOR = { recall: 1, precision: 1 };

describe.skipIf(!sharedFolder)('sections of the labelled filings', () => {
  const total = emptyScore();
  const halves = [emptyScore(), emptyScore()];
  const companies = [...new Set(labels.map((label) => label.company))].sort();

  it.each(labels.map((label) => [label.file, label] as [string, Labelled]))('finds those of %s', (_file, label) => {
    const text = filingText(`labelled/${label.file}`);
    const sections = findSections(text, label.form_type);
    let end = -1;
    for (const section of sections) {
      expect(section.start_index).toBeGreaterThanOrEqual(0);
      expect(section.end_index).toBeGreaterThan(section.start_index);
      expect(section.end_index).toBeLessThanOrEqual(text.length);
      expect(section.heading).toMatch(/item/i);
      // In order, and either the same span (a combined heading) or disjoint.
      if (section.start_index !== sections.find((other) => other.end_index === section.end_index)!.start_index) {
        expect(section.start_index).toBeGreaterThanOrEqual(end);
      }
      end = section.end_index;
    }
    const visible = visibleText(text);
    addToScore(halves[companies.indexOf(label.company) % 2]!, label, visible, sections);
    const score = emptyScore();
    addToScore(score, label, visible, sections);
    addToScore(total, label, visible, sections);
    expect(score.failures).toEqual([]);
  });

  it('keeps recall and precision at the floor, in each half of the companies', () => {
    for (const score of [total, ...halves]) {
      expect(recall(score)).toBeGreaterThanOrEqual(FLOOR.recall);
      expect(precision(score)).toBeGreaterThanOrEqual(FLOOR.precision);
    }
    expect(total.labelled).toBe(884);
  });
});

describe('findSections', () => {
  const body = '<p>We sell things to people who want them, in many countries, at many prices.</p>';

  it('reads combined headings as one span under each code', () => {
    const html = `<p>Items 1 and 2. Business and Properties</p>${body}<p>Item 1A. Risk Factors</p>${body}<p>ITEM 3. LEGAL PROCEEDINGS</p>${body}`;
    const sections = findSections(html, '10-K');
    expect(sections.map((section) => section.section)).toEqual(['1', '2', '1A', '3']);
    expect(sections[0]!.end_index).toBe(sections[1]!.end_index);
    expect(
      codes(`<p>Item 1. Business and Item 2. Properties</p>${body}<p>Item 3. Legal Proceedings</p>${body}`),
    ).toEqual(['1', '2', '3']);
    expect(codes(`<p>Items 10, 11, 12, 13 and 14.</p>${body}`)).toEqual(['10', '11', '12', '13', '14']);
    expect(codes(`<p>Items 10 through 13</p>${body}`)).toEqual(['10', '11', '12', '13']);
  });

  it.each([
    ['Item No. 1 Business', '1'],
    ['ITEM 1 - BUSINESS', '1'],
    ['Item 1: Description of Business', '1'],
    ['Item One. Business', '1'],
    ['Item I. Business', '1'],
    ['I TEM 1A. R ISK F ACTORS', '1A'],
    ['Item lA. Risk Factors', '1A'],
    ['PART I, Item 1. Business', '1'],
    ['Item 4T. Controls and Procedures', '4'],
    ['Item 9A(T). Controls and Procedures', '9A'],
    ['Item 6. [Reserved]', '6'],
    ['Item 6. Intentionally Omitted.', '6'],
    ['Item 7(A) Quantitative and Qualitative Disclosures About Market Risk', '7A'],
  ])('reads %j as item %s', (heading, code) => {
    expect(codes(`<p>${heading}</p>${body}`)).toEqual([code]);
  });

  it.each([
    'Item 1A of our Annual Report describes risks.',
    'Item 7. Management’s Discussion and Analysis of this report should be read first.',
    '“Item 1A. Risk Factors”',
    'Item 601(b) of Regulation S-K',
    'Item 2.02 Results of Operations',
    'Items of interest',
  ])('takes %j for no heading', (line) => {
    expect(codes(`<p>${line}</p>${body}`)).toEqual([]);
  });

  it('starts a section at the item, not at a PART heading before it in the same line', () => {
    const html = `<p>PART I. FINANCIAL INFORMATION Item 1. Financial Statements</p>${body}`;
    expect(found(html, '10-Q')[0]![1]).toMatch(/^Item 1\. Financial/);
  });

  it('puts a heading together from table cells, lines and tags', () => {
    expect(
      codes(
        `<table><tr><td>Item</td><td>7.</td><td></td><td>Management&#8217;s Discussion and Analysis</td></tr></table>${body}`,
      ),
    ).toEqual(['7']);
    expect(codes(`<div>ITEM 8.</div><div>FINANCIAL STATEMENTS AND SUPPLEMENTARY DATA</div>${body}`)).toEqual(['8']);
    expect(codes(`<p><b>I</b>tem <i>3</i>. Legal Pro<span>ceedings</span></p>${body}`)).toEqual(['3']);
  });

  it('ends a section before a PART heading, SIGNATURES, or a printed item outside the table', () => {
    const html =
      `<p>Item 4. Submission of Matters to a Vote of Security Holders</p>${body}<p>Item 4A. Executive Officers</p><p>Names.</p>` +
      `<p>PART II</p><p>Item 5. Market for Registrant's Common Equity</p>${body}<p>PART III</p><p>Item 15. Exhibits</p>${body}<p>SIGNATURES</p><p>Pursuant to the requirements of Section 13</p>`;
    const texts = found(html);
    expect(texts.map(([code]) => code)).toEqual(['4', '5', '15']);
    expect(texts[0]![1]).toMatch(/prices\.$/);
    expect(texts[1]![1]).toMatch(/prices\.$/);
    expect(texts[2]![1]).toMatch(/prices\.$/);
  });

  it('lets headers and footers that repeat an item on each page be part of it', () => {
    const page = `${body}<p>PART I</p><p>Item 1. Business (continued)</p><hr>`;
    const html = `<p>PART I</p><p>Item 1. Business</p>${page.repeat(4)}${body}<p>Item 2. Properties</p>${body}`;
    const [first, second] = found(html);
    expect(first![1].match(/many prices/g)).toHaveLength(5);
    expect(second![0]).toBe('2');
  });

  it('keeps the parts of a 10-Q apart, even if the heading of Part II is missing', () => {
    const one = `<p>Item 1. Financial Statements</p>${body}<p>Item 2. Management's Discussion and Analysis</p>${body}<p>Item 4. Controls and Procedures</p>${body}`;
    const two = `<p>Item 1. Legal Proceedings</p>${body}<p>Item 2. Unregistered Sales of Equity Securities</p>${body}<p>Item 6. Exhibits</p>${body}`;
    const all = ['I-1', 'I-2', 'I-4', 'II-1', 'II-2', 'II-6'];
    expect(codes(`<p>PART I</p>${one}<p>PART II</p>${two}`, '10-Q')).toEqual(all);
    expect(codes(one + two, '10-Q')).toEqual(all);
  });

  it('recognises Part II by its heading if items have no titles', () => {
    const items = (numbers: number[]) => numbers.map((n) => `<p><b>Item ${n}.</b></p>${body}`).join('');
    expect(codes(`<p>PART I</p>${items([1, 2])}<p>PART II</p>${items([1, 6])}`, '10-Q')).toEqual([
      'I-1',
      'I-2',
      'II-1',
      'II-6',
    ]);
  });

  it('invents nothing', () => {
    expect(findSections('', '10-K')).toEqual([]);
    expect(findSections('<html></html>', '10-Q')).toEqual([]);
    expect(findSections(`<p>An annual report without items.</p>${body}`, '10-K')).toEqual([]);
    expect(findSections(`<p>Item 1. Business</p>${body}`, '8-K')).toEqual([]);
    const list = '<p>Item 1. Business</p><p>Item 2. Properties</p><p>Item 3. Legal Proceedings</p>';
    const contents = list.replace(/<\/p>/g, ' ... 12</p>');
    expect(codes(contents + body)).toEqual([]);
  });

  it('gives titles of the day and the heading as printed', () => {
    const html = `<p>ITEM 14.&nbsp; EXHIBITS AND REPORTS ON FORM 8-K</p>${body}`;
    const [section] = findSections(html, '10-K405', { filingDate: '1997-03-20' });
    expect(section).toMatchObject({
      section: '14',
      title: 'Exhibits, Financial Statement Schedules, and Reports on Form 8-K',
      heading: 'ITEM 14. EXHIBITS AND REPORTS ON FORM 8-K',
    });
    expect(findSections(html, '10-K')[0]!.title).toBe('Principal Accountant Fees and Services');
  });

  it('states why a heading was accepted or refused', () => {
    const html = `<p>Item 1A of this report is not meant.</p><p>Item 1. Business</p>${body}`;
    const { verdicts, sections } = explainSections(html, '10-K');
    expect(verdicts.map((verdict) => [verdict.items, verdict.taken])).toEqual([
      [['1A'], false],
      [['1'], true],
    ]);
    expect(verdicts[0]!.reasons).toContain('speaks of the item -7');
    expect(sections).toEqual(findSections(html, '10-K'));
  });

  it('holds its laws for any order of pieces', () => {
    const piece = fc.constantFrom(
      ...['1', '1A', '2', '3', '7', '7A', '8', '9', '15', '4A'].map((n) => `<p>Item ${n}. Business</p>`),
      '<p>Item 7. Management’s Discussion and Analysis</p>',
      '<div>Item 3.</div><div>Legal Proceedings</div>',
      '<tr><td>Item 1.</td><td>Business</td><td>3</td></tr>',
      '<p>PART II</p>',
      '<p>SIGNATURES</p>',
      '<hr>',
      '<p>Text of some length that says nothing.</p>',
      '<b>',
      '</table>',
      '<table>',
      '<!--',
      'Item',
      '<p style="display:none">',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.constantFrom('10-K', '10-Q'), (pieces, form) => {
        const text = pieces.join('\n');
        const sections = findSections(text, form);
        expect(new Set(sections.map((section) => section.section)).size).toBe(sections.length);
        let end = 0;
        for (const section of sections) {
          expect(SECTION_CODES[form]).toContain(section.section);
          expect(section.start_index).toBeGreaterThanOrEqual(end);
          expect(section.end_index).toBeGreaterThan(section.start_index);
          expect(section.end_index).toBeLessThanOrEqual(text.length);
          end = section.end_index;
        }
      }),
    );
  });
});

describe('section titles', () => {
  it('are those of the day for codes whose meaning changed', () => {
    expect(sectionTitle('10-K', '4', '2009-12-31')).toBe('Submission of Matters to a Vote of Security Holders');
    expect(sectionTitle('10-K', '4', '2011-03-01')).toBe('(Removed and Reserved)');
    expect(sectionTitle('10-K', '4', '2012-01-27')).toBe('Mine Safety Disclosures');
    expect(sectionTitle('10-K', '14', '2003-03-01')).toBe('Controls and Procedures');
    expect(sectionTitle('10-K', '15', '2003-03-01')).toMatch(/Reports on Form 8-K$/);
    expect(sectionTitle('10-Q', 'II-2', '1996-05-01')).toBe('Changes in Securities');
    expect(sectionTitle('10-Q', 'II-4', null)).toBe('Mine Safety Disclosures');
  });

  it('are null for a code that the form does not have', () => {
    expect(sectionTitle('10-K', '4A')).toBeNull();
    expect(sectionTitle('10-Q', '7')).toBeNull();
  });
});

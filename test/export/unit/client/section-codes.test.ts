/** Codes of sections in answers: however a service spells them, the client gives one spelling. */
import { describe, expect, it } from 'vitest';
import { readFilingSections } from '../../../../src/export/client/filing-sections.ts';
import { readRecord } from '../../../../src/export/client/record-answers.ts';
import { SECTION_CODES, type SectionFamily, sectionCode } from '../../../../src/filings/api/index.ts';

const NUMBER = '0000000001-24-000001';
const notes = () => ({ unknownMembers: new Set<string>(), violations: [], changed: false });

describe('a section code', () => {
  it('reads each code of the tables as itself, and in every spelling of it', () => {
    const spellings = (code: string) => {
      const [, part, item = code] = /^(II?)-(.*)$/.exec(code) ?? [];
      if (part === undefined)
        return [
          `Item ${item}`,
          `ITEM ${item}.`,
          `item_${item}`,
          `Item${item}`,
          item.toLowerCase(),
          ` ${item}. `,
          `Item ${item}. A Title`,
          `${item} - Title`,
          `Item\u00a0${item}\u2014Title`,
          `Section ${item}`,
        ];
      const number = part.length;
      return [
        `Part ${part}, Item ${item}`,
        `PART ${part} - ITEM ${item}.`,
        `Part${part}-Item${item}`,
        `${part}.${item}`,
        `part${number}item${item}`,
        `part_${number}_item_${item}`,
        `part_${part}_item_${item}`,
        code.toLowerCase(),
        `Part ${part}, Item ${item}. A Title`,
        `Part ${part} Item ${item} Title`,
        `${part}-Item ${item}`,
      ];
    };
    const wrong: string[] = [];
    for (const family of ['10-K', '10-Q', '20-F'] as const)
      for (const code of SECTION_CODES[family])
        for (const spelled of [code, ...spellings(code)])
          if (sectionCode(spelled, family) !== code) wrong.push(`${family}: ${spelled}, not ${code}`);
    expect(wrong).toEqual([]);
  });

  it.each<[string, SectionFamily | null, string | null]>([
    ['Part II, Item 7', '10-K', '7'],
    ['part2item7a', '10-K', '7A'],
    ['Part I, Item 7', '10-K', null],
    ['Item 9A(T)', '10-K', '9A'],
    ['Item 9(A)', '10-K', '9A'],
    ['Item 1A', '10-Q', 'II-1A'],
    ['6', '10-Q', 'II-6'],
    ['Item 2', '10-Q', null],
    ['Part I, Item 4T', '10-Q', 'I-4'],
    ['Part II, Item 7', null, '7'],
    ['Part II, Item 1a', null, 'II-1A'],
    ['Item 1a', null, '1A'],
    ['Item 16K', null, '16K'],
    ['Part I, Item 16K', null, null],
    ['Items 1 and 2', '10-K', null],
    ['Item 7 and 7A', '10-K', null],
    ['Item 7, 7A', '10-K', null],
    ['Item 7 (continued)', '10-K', null],
    ['Item 2.02', '10-K', null],
    ['10-K405 header', '10-K', null],
    ['Item 20', '10-K', null],
    ['signatures', '10-K', null],
    ['', '10-K', null],
  ])('of %j in %s is %j', (name, family, code) => {
    expect(sectionCode(name, family)).toBe(code);
  });

  it('is read in filing_sections by the form, and in filing_info: a name that is not a code stays', () => {
    const sections = ['Item 1A', 'signatures'].map((section) => ({ section, html: 'x' }));
    const codes = (read: { sections: { section: string }[] }) => read.sections.map(({ section }) => section);
    const asked = { accession_number: NUMBER, form_type: '10-Q' };
    expect(codes(readFilingSections({ sections }, asked, notes()))).toEqual(['II-1A', 'signatures']);
    const info = { accession_number: NUMBER, form_type: '10-K/A', sections };
    expect(codes(readRecord('filing_info', info, asked, notes()))).toEqual(['1A', 'signatures']);
  });
});

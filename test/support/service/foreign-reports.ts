/** Reports of a foreign company on Form 20-F: one with items, its amendment, a registration, and one whose items nobody can find. */
import { SECTION_CODES, sectionTitle } from '../../../src/filings/api/index.ts';
import type { MadeFiling } from './small-catalog.ts';

/** The items of each. */
export const FOREIGN_ITEMS = SECTION_CODES['20-F'].filter((code) => !/^16[B-K]?$/.test(code));

const PROSE = 'The company and its subsidiaries make machines in many countries and sell them there. '.repeat(8);

/** @param words stand in each item */
export function foreignReport(words: string): string {
  const items = FOREIGN_ITEMS.map(
    (code) => `<p><b>Item ${code}. ${sectionTitle('20-F', code)}</b></p>\n<p>${words} ${PROSE}</p>\n`,
  );
  return `<html><body><p>FORM 20-F</p>\n${items.join('')}</body></html>`;
}

const filingOf = (n: number, form: string, body = foreignReport(`Of the ${form}.`)): MadeFiling => ({
  accession: `0000100008-24-00000${n}`,
  form,
  filed: '20240430',
  period: '20231231',
  cik: '0000100008',
  name: 'FOREIGN MACHINES PLC',
  documents: [{ type: form, filename: 'report.htm', body }],
});

export const FOREIGN_REPORTS: readonly MadeFiling[] = [
  filingOf(1, '20-F'),
  filingOf(2, '20-F/A'),
  filingOf(3, '20FR12B'),
  filingOf(4, '20-F', `<html><body><p>FORM 20-F</p><p>${PROSE}</p></body></html>`),
];
/** With items, and without. */
export const FOREIGN = FOREIGN_REPORTS[0]!.accession;
export const FOREIGN_WITHOUT = FOREIGN_REPORTS[3]!.accession;

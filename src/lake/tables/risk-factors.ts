/** `risk_factors`. */
import { ANNUAL_AND_QUARTERLY, accession, column, table, text, toFiling } from './table.ts';

export const riskFactors = table({
  name: 'risk_factors',
  meaning:
    'Single risks of Item 1A, of Item 3 of a 20-F, and of the discussions of risks in reports filed before December 2005, wherever these stand. Made by the export',
  key: ['accession_number', 'section', 'position'],
  columns: [
    accession,
    text('section', 'code of the section that it is in: 1A, II-1A, 3 of a 20-F; before December 2005 any'),
    column('position', 'INTEGER', 'place in the section, from 1'),
    text('heading', "the risk's own words"),
    text('group_heading', 'the heading above it: Risks Related to Our Business; null without one'),
    text(
      'passage',
      'before December 2005, and of a 20-F: heading of the discussion that it is a part of. The first row of a discussion is what stands before its first risk, or all of it. Null in an item on risk factors',
    ),
    text('text', 'readable text with the heading'),
    column('start_index', 'BIGINT', 'UTF-16 position in `section_contents.text`'),
    column('end_index', 'BIGINT', 'UTF-16 position, exclusive'),
  ],
  unit: ['accession_number'],
  references: [toFiling, { columns: ['accession_number', 'section'], table: 'section_contents' }],
  wide: ['text'],
  sources: ['sections'],
  forms: ANNUAL_AND_QUARTERLY,
  rows: {
    sections: ({ accession_number, sections }, add) =>
      sections.forEach(({ section, text: whole, risks = [] }, i) => {
        risks.forEach(({ position, heading, group_heading, passage, start_index, end_index }, k) => {
          const row = { accession_number, section, position, heading, group_heading, passage };
          const own = whole.slice(start_index, end_index).trim();
          add(`sections[${i}].risks[${k}]`, { ...row, text: own, start_index, end_index });
        });
      }),
  },
});

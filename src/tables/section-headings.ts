/** `section_headings`. */
import { ANNUAL_AND_QUARTERLY, accession, column, table, text, toFiling } from './table.ts';

export const sectionHeadings = table({
  name: 'section_headings',
  meaning: 'Headings inside the sections of 10-K and 10-Q filings, as an outline. Made by the export',
  key: ['accession_number', 'section', 'position'],
  columns: [
    accession,
    text('section', 'code: 1A for a 10-K, II-1A for a 10-Q'),
    column('position', 'INTEGER', 'place in the section, from 1'),
    column('level', 'INTEGER', "1: the section's own heading; a larger number is deeper"),
    text('heading', "the filing's words"),
    column('parent', 'INTEGER', 'position of the heading above it; null for the section itself'),
    column('start_index', 'BIGINT', 'UTF-16 position of the heading in `section_contents.text`'),
    column('end_index', 'BIGINT', 'UTF-16 position, exclusive: of the next heading of its level or above'),
  ],
  unit: ['accession_number'],
  references: [
    toFiling,
    {
      columns: ['accession_number', 'section'],
      table: 'section_contents',
      parentColumns: ['accession_number', 'section'],
    },
  ],
  sources: ['sections'],
  forms: ANNUAL_AND_QUARTERLY,
  needs: ['section_contents'],
  rows: {
    sections: ({ accession_number, sections }, add) =>
      sections.forEach(({ section, headings = [] }, i) => {
        headings.forEach(({ position, level, heading, parent, start_index, end_index }, k) => {
          const row = { accession_number, section, position, level, heading, parent };
          add(`sections[${i}].headings[${k}]`, { ...row, start_index, end_index });
        });
      }),
  },
});

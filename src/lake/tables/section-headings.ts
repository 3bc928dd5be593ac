/** `section_headings`. */
import { headingColumns } from './heading-columns.ts';
import { ANNUAL_AND_QUARTERLY, accession, table, text, toFiling } from './table.ts';

export const sectionHeadings = table({
  name: 'section_headings',
  meaning: 'Headings inside the sections of 10-K, 10-Q and 20-F filings, as an outline. Made by the export',
  key: ['accession_number', 'section', 'position'],
  columns: [
    accession,
    text('section', 'code: 1A for a 10-K, II-1A for a 10-Q, 4A for a 20-F'),
    ...headingColumns('section', "1: the section's own heading; a larger number is deeper", 'section_contents.text'),
  ],
  unit: ['accession_number'],
  references: [toFiling, { columns: ['accession_number', 'section'], table: 'section_contents' }],
  sources: ['sections'],
  forms: ANNUAL_AND_QUARTERLY,
  rows: {
    sections: ({ accession_number, sections }, add) =>
      sections.forEach(({ section, headings = [] }, i) => {
        headings.forEach((heading, k) => {
          add(`sections[${i}].headings[${k}]`, { accession_number, section, ...heading });
        });
      }),
  },
});

/** `sections`. */
import { SECTION_NAME_COLUMNS, SECTION_PLACE_COLUMNS, sectionPlaceOf } from './section-place.ts';
import { ANNUAL_AND_QUARTERLY, accession, column, table, toFiling } from './table.ts';

export const sections = table({
  name: 'sections',
  meaning:
    'Positions of the sections of 10-K, 10-Q and 20-F filings in the main document, and what stands there by reference only',
  key: ['accession_number', 'section'],
  columns: [
    accession,
    ...SECTION_NAME_COLUMNS,
    column('start_index', 'BIGINT', 'UTF-16 position in the text of the main document'),
    column('end_index', 'BIGINT', 'UTF-16 position, exclusive'),
    ...SECTION_PLACE_COLUMNS,
  ],
  unit: ['accession_number'],
  references: [toFiling],
  sources: ['info'],
  forms: ANNUAL_AND_QUARTERLY,
  rows: {
    info: ({ accession_number, sections }, add) =>
      sections.forEach(({ section, title, heading, start_index, end_index, ...place }, i) => {
        const row = { accession_number, section, title, heading, start_index, end_index };
        add(`sections[${i}]`, { ...row, ...sectionPlaceOf(place) });
      }),
  },
});

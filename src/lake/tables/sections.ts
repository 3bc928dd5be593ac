/** `sections`. */
import { SECTION_PLACE_COLUMNS, sectionPlaceOf } from './section-place.ts';
import { ANNUAL_AND_QUARTERLY, accession, column, table, text, toFiling } from './table.ts';

export const sections = table({
  name: 'sections',
  meaning:
    'Positions of the sections of 10-K, 10-Q and 20-F filings in the main document, and what stands there by reference only',
  key: ['accession_number', 'section'],
  columns: [
    accession,
    text(
      'section',
      'code: 1A for a 10-K, II-1A for a 10-Q, 4A for a 20-F. The number of an item has another meaning in each form',
    ),
    text('title', 'official title of the section'),
    text('heading', "the filing's own words; null if the service gives none"),
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

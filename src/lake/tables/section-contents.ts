/** `section_contents`. */
import { SECTION_NAME_COLUMNS, SECTION_PLACE_COLUMNS, sectionPlaceOf } from './section-place.ts';
import { ANNUAL_AND_QUARTERLY, accession, table, text, toFiling } from './table.ts';

export const sectionContents = table({
  name: 'section_contents',
  meaning: 'Sections of 10-K, 10-Q and 20-F filings as HTML and as text',
  key: ['accession_number', 'section'],
  columns: [
    accession,
    ...SECTION_NAME_COLUMNS,
    text('html', 'the section as HTML that stands alone'),
    text(
      'text',
      'readable text, which the export makes from `html`; of an item on the discussion or the statements, that of its substance, wherever it stands',
    ),
    text(
      'source',
      'where `text` is from: `item`, `document` (another place of the document), `exhibit` (the annual report to shareholders); null if the service does not say',
    ),
    ...SECTION_PLACE_COLUMNS,
  ],
  unit: ['accession_number'],
  references: [toFiling],
  wide: ['html', 'text'],
  sources: ['sections'],
  forms: ANNUAL_AND_QUARTERLY,
  rows: {
    sections: ({ accession_number, sections }, add) =>
      sections.forEach(({ section, title, heading, html, text: readable, source = null, ...place }, i) => {
        const row = { accession_number, section, title, heading, html, text: readable, source };
        add(`sections[${i}]`, { ...row, ...sectionPlaceOf(place) });
      }),
  },
});

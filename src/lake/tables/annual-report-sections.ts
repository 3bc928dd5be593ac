/** `annual_report_sections`. */
import { accession, column, documentId, table, text, toFiling } from './table.ts';

export const annualReportSections = table({
  name: 'annual_report_sections',
  meaning:
    'Sections of annual reports to shareholders (Exhibit 13), which many 10-Ks refer to in place of their own text. Made by the export',
  key: ['document_id', 'section'],
  columns: [
    documentId,
    accession,
    text('section', 'code of the 10-K item: 5, 6, 7, 7A or 8; others if the exhibit has numbered items'),
    text('title', 'official title of that item'),
    text('heading', "the report's own words"),
    column('start_index', 'BIGINT', 'UTF-16 position in the text of the document'),
    column('end_index', 'BIGINT', 'UTF-16 position, exclusive'),
    text('html', 'the section as HTML that stands alone'),
    text('text', 'readable text, made from `html`'),
  ],
  unit: ['document_id'],
  references: [toFiling, { columns: ['document_id'], table: 'document_contents' }],
  wide: ['html', 'text'],
  sources: ['document'],
  rows: {
    document: ({ document_id, accession_number, report_sections = [] }, add) =>
      report_sections.forEach(({ section, title, heading, start_index, end_index, html, text: readable }, i) => {
        const row = { document_id, accession_number, section, title, heading, start_index, end_index };
        add(`sections[${i}]`, { ...row, html, text: readable });
      }),
  },
});

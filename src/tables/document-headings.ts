/** `document_headings`. */
import { accession, column, documentId, table, text, toFiling } from './table.ts';

export const documentHeadings = table({
  name: 'document_headings',
  meaning:
    'Headings of the requested documents, as an outline: press releases, proxy statements and letters have them too. Made by the export',
  key: ['document_id', 'position'],
  columns: [
    documentId,
    accession,
    column('position', 'INTEGER', 'place in the document, from 1'),
    column('level', 'INTEGER', '1 is the highest; in a 10-K or 10-Q the headings of its sections'),
    text('heading', "the document's words"),
    column('parent', 'INTEGER', 'position of the heading above it; null at the top'),
    column('start_index', 'BIGINT', 'UTF-16 position of the heading in `document_contents.content`'),
    column('end_index', 'BIGINT', 'UTF-16 position, exclusive: of the next heading of its level or above'),
  ],
  unit: ['document_id'],
  references: [toFiling, { columns: ['document_id'], table: 'document_contents', parentColumns: ['document_id'] }],
  sources: ['document'],
  needs: ['document_contents'],
  rows: {
    document: ({ document_id, accession_number, headings = [] }, add) =>
      headings.forEach((heading, i) => {
        add(`headings[${i}]`, { document_id, accession_number, ...heading });
      }),
  },
});

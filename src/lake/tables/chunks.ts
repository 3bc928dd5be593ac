/** `chunks`. */
import { accession, column, documentId, table, text, toFiling } from './table.ts';

export const chunks = table({
  name: 'chunks',
  meaning:
    'Pieces of the requested documents for retrieval: they begin at headings and tables, and joined in order they are the text. Made by the export',
  key: ['document_id', 'position'],
  columns: [
    documentId,
    accession,
    column('position', 'INTEGER', 'place in the document, from 1'),
    text(
      'section',
      'code of the section of a 10-K, 10-Q or 20-F that it begins in; null outside all, and in other documents',
    ),
    text('headings', 'the headings above it, the highest first, as a JSON array'),
    text('kind', 'text or table'),
    text('text', 'the piece, unchanged: white space at its end included'),
    column(
      'tokens',
      'INTEGER',
      'simple count, 400 at most: a run of letters and digits is a token for each 8 characters begun, each other visible character is one',
    ),
    column('start_index', 'BIGINT', 'UTF-16 position in `document_contents.text`'),
    column('end_index', 'BIGINT', 'UTF-16 position, exclusive: that of the next piece'),
  ],
  unit: ['document_id'],
  references: [toFiling, { columns: ['document_id'], table: 'document_contents' }],
  wide: ['text'],
  sources: ['document'],
  rows: {
    document: ({ document_id, accession_number, chunks = [] }, add) =>
      chunks.forEach(({ headings, ...chunk }, i) => {
        add(`chunks[${i}]`, { document_id, accession_number, ...chunk, headings: JSON.stringify(headings) });
      }),
  },
});

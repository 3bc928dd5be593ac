/** `document_headings`. */
import { headingColumns } from './heading-columns.ts';
import { accession, documentId, table, toFiling } from './table.ts';

export const documentHeadings = table({
  name: 'document_headings',
  meaning:
    'Headings of the requested documents, as an outline: press releases, proxy statements and letters have them too. Made by the export',
  key: ['document_id', 'position'],
  columns: [
    documentId,
    accession,
    ...headingColumns(
      'document',
      '1 is the highest; in a 10-K, 10-Q or 20-F the headings of its sections',
      'document_contents.content',
    ),
  ],
  unit: ['document_id'],
  references: [toFiling, { columns: ['document_id'], table: 'document_contents' }],
  sources: ['document'],
  rows: {
    document: ({ document_id, accession_number, headings = [] }, add) =>
      headings.forEach((heading, i) => {
        add(`headings[${i}]`, { document_id, accession_number, ...heading });
      }),
  },
});

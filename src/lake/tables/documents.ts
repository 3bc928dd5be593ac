/** `documents`. */
import type { Filing } from '../../filings/api/index.ts';
import { type AddRow, accession, column, documentId, table, text, toFiling } from './table.ts';

/** The documents that a record names: a record of the lookup or of filing_info. */
function documentRows(
  { accession_number, documents }: Pick<Filing, 'accession_number' | 'documents'>,
  add: AddRow,
): void {
  documents.forEach(({ document_id, sequence, filename, description, type, size }, i) => {
    add(`documents[${i}]`, {
      document_id,
      accession_number,
      sequence,
      filename,
      description,
      type,
      size: size ?? null,
    });
  });
}

export const documents = table({
  name: 'documents',
  meaning: "Documents of the filings: the lookup's references, completed by filing_info",
  key: ['document_id'],
  columns: [
    documentId,
    accession,
    column('sequence', 'INTEGER', "EDGAR's number of the document; numbers may be missing"),
    text('filename', 'file name; null in filings until 2000'),
    text('description', 'description by the filer'),
    text('type', 'document type: 10-K, EX-99.1, GRAPHIC, ...'),
    column('size', 'BIGINT', 'bytes of the document; null until `filing_info` is fetched'),
  ],
  unit: ['accession_number'],
  references: [toFiling],
  sources: ['lookup', 'info'],
  rows: { lookup: documentRows, info: documentRows },
});

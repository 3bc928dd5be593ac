/** Documents of the catalog: for document, filing_sections and pdf. */
import { type AccessionNumber, type DocumentId, splitDocumentId } from '../../../filings/api/index.ts';
import { DOCUMENT_COLUMNS, type DocumentRow, type StoredDocument, storedDocument } from '../packs/stored-document.ts';
import type { CatalogSource } from './source.ts';

const OF_FILING = `SELECT ${DOCUMENT_COLUMNS} FROM documents d WHERE d.filing = (SELECT id FROM filings WHERE accession = ?)`;

export function document(source: CatalogSource, id: DocumentId): StoredDocument | null {
  const { accessionNumber, sequence } = splitDocumentId(id);
  return firstDocument(source, accessionNumber, 'd.sequence = ?', sequence);
}

/** The document with this file name, without regard to case; the first in sequence if names repeat. */
export function documentByName(
  source: CatalogSource,
  accessionNumber: AccessionNumber,
  filename: string,
): StoredDocument | null {
  return firstDocument(source, accessionNumber, 'lower(d.filename) = lower(?)', filename);
}

/** The filing's main document: the first in sequence, which is the form itself. */
export function mainDocument(source: CatalogSource, accessionNumber: AccessionNumber): StoredDocument | null {
  return firstDocument(source, accessionNumber, '? = 1', 1);
}

/** All documents of a filing in sequence; empty if there is no such filing. */
export function documents({ statements, packs }: CatalogSource, accessionNumber: AccessionNumber): StoredDocument[] {
  const rows = statements.prepare(`${OF_FILING} ORDER BY d.sequence`).all(accessionNumber) as unknown as DocumentRow[];
  return rows.map((row) => storedDocument(accessionNumber, row, packs));
}

function firstDocument(
  { statements, packs }: CatalogSource,
  accessionNumber: AccessionNumber,
  condition: string,
  value: string | number,
): StoredDocument | null {
  const row = statements
    .prepare(`${OF_FILING} AND ${condition} ORDER BY d.sequence LIMIT 1`)
    .get(accessionNumber, value) as unknown as DocumentRow | undefined;
  return row ? storedDocument(accessionNumber, row, packs) : null;
}

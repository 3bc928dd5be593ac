/** `document_contents`. */
import {
  type AddRow,
  accession,
  type ContentRecord,
  column,
  documentId,
  type Row,
  table,
  text,
  toFiling,
} from './table.ts';

/** Text or JSON text in `content`, bytes in `bytes` as base64. */
function contentRows(document: ContentRecord, add: AddRow): void {
  const { document_id, accession_number, content_type, encoding, content, size, sha256 } = document;
  const asText =
    encoding === 'json' ? (document.content_json ?? jsonText(content)) : typeof content === 'string' ? content : null;
  if (asText === null) {
    add.violation({ path: 'content', value: `no text: ${typeof content}` });
    return;
  }
  const isBinary = encoding === 'base64';
  const row: Row = { document_id, accession_number, content_type, encoding, content: isBinary ? null : asText };
  add('', { ...row, bytes: isBinary ? asText : null, size, sha256, text: document.text ?? null });
}

/** Null if the value can't be written as JSON: it is nested too deeply. */
function jsonText(content: unknown): string | null {
  try {
    return JSON.stringify(content) ?? null;
  } catch {
    return null;
  }
}

export const documentContents = table({
  name: 'document_contents',
  meaning: 'Content of the requested documents',
  key: ['document_id'],
  columns: [
    documentId,
    accession,
    text('content_type', 'media type: text/html, image/jpeg, ...'),
    text('encoding', 'utf-8 (text), base64 (binary, in `bytes`) or json (converted XML)'),
    text('content', 'text, or converted XML as JSON text; null if binary'),
    column('bytes', 'BLOB', 'bytes of a binary document, else null'),
    column('size', 'BIGINT', 'bytes of the document as EDGAR publishes it'),
    text('sha256', 'of those bytes, hexadecimal'),
    text(
      'text',
      'readable text, with `documents: { text: true }`; null for binary documents and converted XML. Page numbers and running headers are left out',
    ),
  ],
  unit: ['document_id'],
  references: [toFiling],
  wide: ['content', 'bytes', 'text'],
  sources: ['document'],
  rows: { document: contentRows },
});

/** Answers to pdf: docs/api.md#pdf. */
import { type Pdf, parseDocumentId, pdfSchema } from '../../filings/api/index.ts';
import { type AskedFor, type BodyOfAnswer, jsonOf, refuse, sha256 } from './file-answers.ts';
import type { ReadNotes } from './read.ts';
import { partialReaderOf } from './reader-of.ts';
import { accessionAsked, readWhole, requireSameIds } from './record-answers.ts';

export type PdfRecord = Omit<Pdf, 'pages'> & { pages: number | null };

/** @throws ContractViolationError */
export function readPdf(answer: BodyOfAnswer, asked: AskedFor, notes: ReadNotes): PdfRecord {
  const json = jsonOf(answer, asked);
  const id = parseDocumentId(asked.document_id ?? '');
  const accession = accessionAsked(asked);
  const subject = id ?? accession;
  const read = json === undefined ? null : readWhole('pdf', json, partialReaderOf(pdfSchema), notes);
  requireSameIds('pdf', read ?? {}, asked);
  let bytes = answer.body;
  if (read !== null) {
    if (typeof read.content !== 'string') refuse('pdf', 'content', read.content, subject, 'not base64 text');
    bytes = Buffer.from(read.content, 'base64');
  }
  if (bytes.toString('latin1', 0, 5) !== '%PDF-') {
    refuse('pdf', 'content', bytes.toString('latin1', 0, 20), subject, 'not a PDF');
  }
  return {
    accession_number: read?.accession_number ?? accession ?? '',
    document_id: read?.document_id ?? id,
    filename: read?.filename ?? `${subject}.pdf`,
    content_type: 'application/pdf',
    encoding: 'base64',
    pages: read?.pages ?? null,
    size: bytes.length,
    sha256: sha256(bytes),
    content: bytes.toString('base64'),
  };
}

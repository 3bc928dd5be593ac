/** Answers to pdf: docs/api.md#pdf. */
import { type Pdf, parseAccessionNumber, parseDocumentId, splitDocumentId } from '../../api/index.ts';
import {
  type AskedFor,
  type BodyOfAnswer,
  FILE_MEMBERS,
  jsonOf,
  refuse,
  requireSameIds,
  sha256,
} from '../file-answers.ts';
import { integer, orNull, type ReadNotes, text } from '../read.ts';
import { recordOf } from '../record.ts';
import { readWhole } from '../record-answers.ts';

export type PdfRecord = Omit<Pdf, 'pages'> & { pages: number | null };

const pdfShape = recordOf<{
  accession_number: string | null;
  document_id: string | null;
  filename: string | null;
  content_type: string | null;
  encoding: string | null;
  pages: number | null;
  size: number | null;
  sha256: string | null;
  content: unknown;
}>('pdf', { ...FILE_MEMBERS, encoding: orNull(text), pages: orNull(integer) });

/** @throws ContractViolationError */
export function readPdf(answer: BodyOfAnswer, asked: AskedFor, notes: ReadNotes): PdfRecord {
  const json = jsonOf(answer, asked);
  const id = parseDocumentId(asked.document_id ?? '');
  const accession =
    id === null ? parseAccessionNumber(asked.accession_number ?? '') : splitDocumentId(id).accessionNumber;
  const subject = id ?? accession;
  const read = json === null ? null : readWhole('pdf', json, pdfShape, notes);
  requireSameIds('pdf', read?.document_id ?? null, read?.accession_number ?? null, asked);
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

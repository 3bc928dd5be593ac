/** Answers to document: docs/api.md#document. */
import {
  type DocumentContent,
  documentContentSchema,
  parseDocumentId,
  splitDocumentId,
} from '../../filings/api/index.ts';
import { withoutMark } from './charset.ts';
import { type DocumentValidator, decodedText } from './document-validation.ts';
import { type AskedFor, type BodyOfAnswer, jsonOf, refuse, sha256 } from './file-answers.ts';
import { memberText } from './member-text.ts';
import { headerText } from './quota.ts';
import type { ReadNotes } from './read.ts';
import { partialReaderOf } from './reader-of.ts';
import { readWhole, requireSameIds } from './record-answers.ts';

/** A document from the client. Size and digest are null if the service gives converted content without them. */
export type DocumentRecord = Omit<DocumentContent, 'size' | 'sha256'> & {
  size: number | null;
  sha256: string | null;
  /** The text of `content` as the service wrote it, if it is JSON: numbers in it may have more digits than a number here. */
  content_json?: string;
};

/** @throws ContractViolationError; ServiceFailedError if the answer is doubtful */
export function readDocument(
  answer: BodyOfAnswer,
  asked: AskedFor,
  notes: ReadNotes,
  validator: DocumentValidator,
): DocumentRecord {
  const json = jsonOf(answer, asked);
  if (json === undefined) return documentOfBytes(answer, asked, validator);
  const read = readWhole('document', json, partialReaderOf(documentContentSchema), notes);
  const { document_id, accession_number, sequence } = identity(read.document_id, read.accession_number, asked);
  const given = read.content;
  if (given === undefined || given === null) refuse('document', 'content', given, document_id, 'missing');
  const encoding = read.encoding ?? (typeof given === 'string' ? 'utf-8' : 'json');
  if (encoding !== 'json' && typeof given !== 'string') refuse('document', 'content', given, document_id, 'not a text');
  const bytes = encoding === 'base64' && typeof given === 'string' ? Buffer.from(given, 'base64') : null;
  if (bytes !== null && read.size !== null && bytes.length !== read.size) {
    refuse('document', 'size', read.size, document_id, `the content has ${bytes.length} bytes`);
  }
  if (bytes !== null && !isBase64(String(given), bytes.length)) {
    refuse('document', 'content', String(given).slice(0, 40), document_id, 'not base64 text');
  }
  const digest = bytes === null ? null : sha256(bytes);
  if (bytes !== null && digest !== null)
    validator.ofBase64(answer.body, read.size === null ? bytes.length : null, digest, read.sha256);
  if (encoding === 'utf-8' && typeof given === 'string' && asked.output_format?.toLowerCase() !== 'json') {
    validator.ofText(answer.body, given, read.size, read.sha256);
  }
  return {
    document_id,
    accession_number,
    sequence: read.sequence ?? sequence,
    type: read.type,
    filename: read.filename,
    description: read.description,
    content_type: read.content_type ?? (encoding === 'base64' ? 'application/octet-stream' : 'text/plain'),
    encoding,
    size: read.size ?? bytes?.length ?? null,
    sha256: read.sha256?.toLowerCase() ?? digest,
    content: given,
    ...(encoding === 'json' ? jsonTextOf(answer.body) : {}),
  };
}

/** Other characters would be left out in silence. Lines and padding are not counted. */
function isBase64(text: string, bytes: number): boolean {
  const bytesOf = (characters: number) => Math.floor((characters * 3) / 4);
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  // Most texts are a single line: a copy of one may take hundreds of megabytes.
  return bytesOf(text.length - padding) === bytes || bytesOf(text.replace(/[\s=]/g, '').length) === bytes;
}

function jsonTextOf(body: Buffer): Pick<DocumentRecord, 'content_json'> {
  const text = memberText(withoutMark(body), 'content');
  // Under another spelling of the name, the parsed value is all there is.
  return text === null ? {} : { content_json: text };
}

function documentOfBytes(answer: BodyOfAnswer, asked: AskedFor, validator: DocumentValidator): DocumentRecord {
  const contentType = headerText(answer.headers, 'content-type') ?? 'application/octet-stream';
  const isText = isTextType(contentType);
  validator.ofBytes(answer.headers, answer.body, isText);
  const { document_id, accession_number, sequence } = identity(null, null, asked);
  const decoded = isText ? decodedText(answer.body, answer.headers) : null;
  return {
    document_id,
    accession_number,
    sequence,
    type: null,
    filename: asked.filename ?? null,
    description: null,
    content_type: contentType.replace(/;.*$/, '').trim().toLowerCase(),
    encoding: decoded === null ? 'base64' : 'utf-8',
    size: answer.body.length,
    sha256: sha256(answer.body),
    content: decoded ?? answer.body.toString('base64'),
  };
}

/** The document's id: from the answer, else from the request. A file name alone doesn't give its sequence number. */
function identity(
  givenId: string | null,
  givenAccession: string | null,
  asked: AskedFor,
): { document_id: string; accession_number: string; sequence: number } {
  requireSameIds('document', { document_id: givenId, accession_number: givenAccession }, asked);
  const id = parseDocumentId(givenId ?? asked.document_id ?? '');
  if (id === null) {
    refuse('document', 'document_id', null, asked.accession_number ?? null, 'missing: ask by document_id instead');
  }
  const parts = splitDocumentId(id);
  return { document_id: id, accession_number: givenAccession ?? parts.accessionNumber, sequence: parts.sequence };
}

function isTextType(contentType: string): boolean {
  return /^\s*(text\/|application\/([a-z.-]+\+)?(xml|json|javascript|xhtml))/i.test(contentType);
}

/** Reading `document` and `pdf`: JSON with the content in it, or the bytes themselves under their own media type. */
import { createHash } from 'node:crypto';
import {
  type DocumentContent,
  type Pdf,
  parseAccessionNumber,
  parseDocumentId,
  splitDocumentId,
} from '../api/index.ts';
import type { DocumentDoubts } from './document-validation.ts';
import { holdToAsked, readWhole } from './envelope.ts';
import { ContractViolationError } from './errors.ts';
import { parsedJson, withoutMark } from './json-body.ts';
import { type Headers, headerText } from './quota.ts';
import { accessionNumber, documentId, integer, oneOf, orNull, type Reader, type ReadNotes, text } from './read.ts';
import { recordOf } from './record.ts';

/** A document as the client gives it. Size and digest are null where the service gives converted content without them. */
export type DocumentRecord = Omit<DocumentContent, 'size' | 'sha256'> & { size: number | null; sha256: string | null };
export type PdfRecord = Omit<Pdf, 'pages'> & { pages: number | null };

/** What the request named, in any spelling. */
export interface AskedFor {
  document_id?: string | undefined;
  accession_number?: string | undefined;
  filename?: string | undefined;
  /** `json`: XML is asked for converted, and what comes then may come otherwise than documents do. */
  output_format?: string | undefined;
}

export interface BodyOfAnswer {
  headers: Headers;
  body: Buffer;
}

const anything: Reader<unknown> = { canonical: () => true, read: (value) => value };

const loose = {
  document_id: orNull(documentId),
  accession_number: orNull(accessionNumber),
  filename: orNull(text),
  content_type: orNull(text),
  size: orNull(integer),
  sha256: orNull(text),
  content: anything,
};
const documentShape = recordOf<{
  document_id: string | null;
  accession_number: string | null;
  sequence: number | null;
  type: string | null;
  filename: string | null;
  description: string | null;
  content_type: string | null;
  encoding: 'utf-8' | 'base64' | 'json' | null;
  size: number | null;
  sha256: string | null;
  content: unknown;
}>(
  'document',
  {
    ...loose,
    sequence: orNull(integer),
    type: orNull(text),
    description: orNull(text),
    encoding: orNull(oneOf(['utf-8', 'base64', 'json'] as const)),
  },
  { aliases: { id: 'document_id', file_name: 'filename', document_type: 'type' } },
);
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
}>('pdf', { ...loose, encoding: orNull(text), pages: orNull(integer) });

/** @throws ContractViolationError; ServiceFailedError where the answer is doubted */
export function readDocument(
  answer: BodyOfAnswer,
  asked: AskedFor,
  notes: ReadNotes,
  doubts: DocumentDoubts,
): DocumentRecord {
  const json = jsonOf(answer, asked);
  if (json === null) return documentOfBytes(answer, asked, doubts);
  const read = readWhole('document', json, documentShape, notes);
  const { document_id, accession_number, sequence } = identity(read.document_id, read.accession_number, asked);
  const given = read.content;
  if (given === undefined || given === null) refuse('document', 'content', given, document_id, 'missing');
  const encoding = read.encoding ?? (typeof given === 'string' ? 'utf-8' : 'json');
  if (encoding !== 'json' && typeof given !== 'string') refuse('document', 'content', given, document_id, 'not a text');
  const bytes = encoding === 'base64' && typeof given === 'string' ? Buffer.from(given, 'base64') : null;
  if (bytes !== null && read.size !== null && bytes.length !== read.size) {
    refuse('document', 'size', read.size, document_id, `the content has ${bytes.length} bytes`);
  }
  if (encoding === 'utf-8' && typeof given === 'string' && asked.output_format?.toLowerCase() !== 'json') {
    doubts.ofText(answer.body, given, read.size, read.sha256);
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
    sha256: read.sha256?.toLowerCase() ?? (bytes === null ? null : sha256(bytes)),
    content: given,
  };
}

function documentOfBytes(answer: BodyOfAnswer, asked: AskedFor, doubts: DocumentDoubts): DocumentRecord {
  const contentType = headerText(answer.headers, 'content-type') ?? 'application/octet-stream';
  const isText = isTextType(contentType);
  doubts.ofBytes(answer.headers, answer.body, isText);
  const { document_id, accession_number, sequence } = identity(null, null, asked);
  const decoded = isText ? decodedText(answer.body) : null;
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

/** @throws ContractViolationError */
export function readPdf(answer: BodyOfAnswer, asked: AskedFor, notes: ReadNotes): PdfRecord {
  const json = jsonOf(answer, asked);
  const id = parseDocumentId(asked.document_id ?? '');
  const accession =
    id === null ? parseAccessionNumber(asked.accession_number ?? '') : splitDocumentId(id).accessionNumber;
  const subject = id ?? accession;
  const read = json === null ? null : readWhole('pdf', json, pdfShape, notes);
  holdIdsToAsked('pdf', read?.document_id ?? null, read?.accession_number ?? null, asked);
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

/** Which document this is: as the answer says, else as was asked. A file name alone doesn't tell its sequence number. */
function identity(
  givenId: string | null,
  givenAccession: string | null,
  asked: AskedFor,
): { document_id: string; accession_number: string; sequence: number } {
  holdIdsToAsked('document', givenId, givenAccession, asked);
  const id = parseDocumentId(givenId ?? asked.document_id ?? '');
  if (id === null) {
    refuse('document', 'document_id', null, asked.accession_number ?? null, 'missing: ask by document_id instead');
  }
  const parts = splitDocumentId(id);
  return { document_id: id, accession_number: givenAccession ?? parts.accessionNumber, sequence: parts.sequence };
}

/** @throws ContractViolationError */
function holdIdsToAsked(
  operation: 'document' | 'pdf',
  givenId: string | null,
  givenAccession: string | null,
  asked: AskedFor,
): void {
  const askedId = parseDocumentId(asked.document_id ?? '');
  const askedAccession =
    askedId === null ? parseAccessionNumber(asked.accession_number ?? '') : splitDocumentId(askedId).accessionNumber;
  holdToAsked(operation, 'document_id', givenId, askedId);
  const given = parseDocumentId(givenId ?? '');
  if (given !== null && splitDocumentId(given).accessionNumber !== askedAccession) {
    holdToAsked(operation, 'document_id', given, askedAccession);
  }
  holdToAsked(operation, 'accession_number', givenAccession, askedAccession);
}

/** The JSON of an answer that is declared as JSON, or is one about what was asked; null where it is the bytes of a file. */
function jsonOf(answer: BodyOfAnswer, asked: AskedFor): unknown {
  const type = headerText(answer.headers, 'content-type');
  if (type !== null && !/[/+]json\b/i.test(type)) return mislabelledJson(answer.body, asked);
  try {
    return parsedJson(answer.body);
  } catch (error) {
    if (type === null) return null;
    throw error;
  }
}

/** A service that declares its JSON as something else: written as they came, its bytes would pass for the document's. */
function mislabelledJson(body: Buffer, asked: AskedFor): unknown {
  const bytes = withoutMark(body);
  if (bytes[0] !== OPEN_OBJECT || !bytes.includes('"content"')) return null;
  try {
    const json = parsedJson(bytes) as Record<string, unknown>;
    const ids = [json.document_id, json.documentId, json.id, json.accession_number, json.accessionNumber];
    const wanted = [parseDocumentId(asked.document_id ?? ''), parseAccessionNumber(asked.accession_number ?? '')];
    return 'content' in json && ids.some((id) => typeof id === 'string' && wanted.includes(id as never)) ? json : null;
  } catch {
    return null;
  }
}

const OPEN_OBJECT = 0x7b;

function isTextType(contentType: string): boolean {
  return /^\s*(text\/|application\/([a-z.-]+\+)?(xml|json|javascript|xhtml))/i.test(contentType);
}

/** UTF-8 where it is wholly valid, else windows-1252, as the contract has it. */
function decodedText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function refuse(
  operation: 'document' | 'pdf',
  path: string,
  value: unknown,
  subject: string | null,
  what: string,
): never {
  throw new ContractViolationError(operation, { path, value: value ?? null, subject }, what);
}

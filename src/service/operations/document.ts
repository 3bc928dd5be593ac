/** GET /v2/document: docs/api.md#document. */
import { isUtf8 } from 'node:buffer';
import type { DocumentContent, ParametersOf } from '../../filings/api/index.ts';
import {
  decodeText,
  isTextual,
  readParts,
  type TextFormat,
  XmlError,
  xmlToJson,
} from '../../filings/documents/index.ts';
import { wantsBytes } from '../answers/accept.ts';
import { etagOf, matchesEtag } from '../answers/etag.ts';
import { bodilessOutcome, JSON_TYPE, jsonOutcome, type Outcome } from '../answers/outcome.ts';
import { notFound, ServiceProblem } from '../answers/problem.ts';
import { type CatalogQueries, READER_VERSIONS, type StoredDocument } from '../catalog/index.ts';
import type { OperationContext, ReaderOperation } from './operation.ts';
import { LONG_DOCUMENT_BYTES_MAX } from './work-limits.ts';

/** Largest document as JSON. Larger ones are sent as bytes, as they are read. One at a time: text, JSON and bytes are in memory together. */
const MAX_JSON_DOCUMENT_BYTES = 128 * 1024 * 1024;
/** Largest XML to convert: its tree takes several times as much. */
const MAX_CONVERTED_BYTES = 64 * 1024 * 1024;

export const document: ReaderOperation<'document'> = {
  lane: 'short',
  deadlineMs: 30_000,
  answer(parameters, context) {
    const stored = findDocument(context.store, parameters);
    const { text_format: format } = parameters;
    if (format === undefined && wantsBytes(context.accept, [stored.content_type, 'application/octet-stream']))
      return bytesOutcome(stored, context);
    const { document_id, accession_number, sequence, type, filename, description, content_type, size, sha256 } = stored;
    const about = { document_id, accession_number, sequence, type, filename, description, content_type };
    const converts = convertsXml(stored, parameters);
    const etag = etagOf(
      `document ${READER_VERSIONS.document}`,
      JSON.stringify(about),
      sha256,
      converts ? (parameters.xml_style ?? 'simple') : (format ?? ''),
    );
    if (context.headOnly || matchesEtag(context.ifNoneMatch, etag)) return bodilessOutcome(JSON_TYPE, etag);
    requireSize(stored, converts || format !== undefined);
    if (format !== undefined) requireText(stored);
    context.requireLaneFor(size);
    const answer: DocumentContent = {
      ...about,
      ...{ encoding: 'utf-8', size, sha256, content: null },
      ...(format === undefined
        ? contentOf(stored, converts ? (parameters.xml_style ?? 'simple') : null)
        : textOf(stored, format)),
    };
    return { ...jsonOutcome(JSON.stringify(answer), { tagged: false }), etag };
  },
};

function findDocument(store: CatalogQueries, parameters: ParametersOf<'document'>): StoredDocument {
  const { document_id, accession_number, filename } = parameters;
  if (document_id !== undefined) {
    const found = store.document(document_id);
    if (found) return found;
    throw notFound(`document ${document_id} was not found`);
  }
  const found =
    filename === undefined ? store.mainDocument(accession_number!) : store.documentByName(accession_number!, filename);
  if (found) return found;
  if (filename === undefined || store.filing(accession_number!) === null) {
    throw notFound(`filing ${accession_number} was not found`);
  }
  throw notFound(`filing ${accession_number} has no document named '${filename.slice(0, 200)}'`);
}

/** Checks a document before it is read. @throws ServiceProblem 422 */
function requireSize(stored: StoredDocument, converts: boolean): void {
  const limit = converts ? MAX_CONVERTED_BYTES : MAX_JSON_DOCUMENT_BYTES;
  if (stored.size <= limit) return;
  const instead = converts ? 'ask for output_format=raw' : 'ask for its bytes: Accept: application/octet-stream';
  throw new ServiceProblem(
    422,
    `document ${stored.document_id} has ${stored.size} bytes, more than the ${limit} that are ${converts ? 'converted' : 'given as JSON'}; ${instead}`,
  );
}

/** @throws ServiceProblem 422 */
function requireText({ document_id, content_type }: StoredDocument): void {
  if (isTextual(content_type)) return;
  throw new ServiceProblem(
    422,
    `document ${document_id} is ${content_type}: it has no readable text; leave out text_format`,
  );
}

function textOf(stored: StoredDocument, format: TextFormat): Pick<DocumentContent, 'encoding' | 'content'> {
  const { text } = decodeText(stored.read());
  return { encoding: 'utf-8', content: readParts(text, stored.content_type, { type: stored.type, format }).text };
}

function convertsXml(stored: StoredDocument, parameters: ParametersOf<'document'>): boolean {
  const asked = parameters.output_format === 'json' && parameters.convert_xml_to_json !== false;
  return asked && isTextual(stored.content_type) && isXml(stored.content_type);
}

function contentOf(
  stored: StoredDocument,
  xmlStyle: 'simple' | 'ordered' | null,
): Pick<DocumentContent, 'encoding' | 'content'> {
  const bytes = stored.read();
  if (!isTextual(stored.content_type)) return { encoding: 'base64', content: bytes.toString('base64') };
  const { text } = decodeText(bytes);
  if (xmlStyle === null) return { encoding: 'utf-8', content: text };
  return { encoding: 'json', content: convertXml(stored, text, xmlStyle) };
}

function isXml(contentType: string): boolean {
  return /^(application|text)\/xml$|\+xml$/.test(contentType) && contentType !== 'application/xhtml+xml';
}

/** @throws ServiceProblem 422 with line and column, or with the limit that the document exceeds */
function convertXml(stored: StoredDocument, text: string, style: 'simple' | 'ordered'): unknown {
  try {
    return xmlToJson(text, style);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    throw new ServiceProblem(422, `document ${stored.document_id} can't be converted: ${error.message}`, {
      cause: error,
    });
  }
}

function bytesOutcome(
  stored: StoredDocument,
  { takesZstd, ifNoneMatch, headOnly, requireLaneFor }: OperationContext,
): Outcome {
  const textual = isTextual(stored.content_type);
  const etag = etagOf('bytes', stored.sha256);
  const headers = {
    // docs/internals/decisions/no-ranges.md
    'accept-ranges': 'none',
    // A filer's HTML is shown without scripts, forms and origin.
    'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
    ...(stored.filename ? { 'content-disposition': `inline; filename="${headerSafe(stored.filename)}"` } : {}),
  };
  if (headOnly || matchesEtag(ifNoneMatch, etag)) return bodilessOutcome(stored.content_type, etag, headers);
  const { size } = stored;
  const coding = takesZstd && textual ? ('zstd' as const) : null;
  if (size > LONG_DOCUMENT_BYTES_MAX) {
    // Only the type is known of bytes that are sent unread.
    const answer = { contentType: stored.content_type, etag, size, coding, headers };
    const frame = stored.frame();
    if (frame !== null) return { ...answer, body: new Uint8Array(), frame };
    requireLaneFor(size);
    const body = stored.readCompressed();
    return { ...answer, body, frame: { file: null, offset: 0, length: body.length } };
  }
  const bytes = textual || !takesZstd ? stored.read() : null;
  const charset = textual && bytes ? `; charset=${isUtf8(bytes) ? 'utf-8' : 'windows-1252'}` : '';
  const body = coding ? stored.readCompressed() : (bytes ?? stored.read());
  return { body, contentType: `${stored.content_type}${charset}`, etag, size, coding, headers };
}

function headerSafe(filename: string): string {
  return filename.replace(/[^\w.()+ -]/g, '_').slice(0, 200);
}

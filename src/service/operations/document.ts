/** GET /v2/document: CONTRACT section 8. */
import { isUtf8 } from 'node:buffer';
import type { DocumentContent } from '../../contract/index.ts';
import { decodeText, isTextual, XmlError, xmlToJson } from '../../documents/index.ts';
import { wantsBytes } from '../answers/accept.ts';
import { etagOf } from '../answers/etag.ts';
import { jsonOutcome, type Outcome } from '../answers/outcome.ts';
import { notFound, ServiceProblem } from '../problem.ts';
import type { ParametersOf } from '../requests/parameters.ts';
import type { FilingStore, StoredDocument } from '../store.ts';
import type { Operation } from './operation.ts';

export const document: Operation<'document'> = (parameters, { store, accept, takesZstd }) => {
  const stored = findDocument(store, parameters);
  if (wantsBytes(accept, [stored.content_type, 'application/octet-stream'])) return bytesOutcome(stored, takesZstd);
  const { document_id, accession_number, sequence, type, filename, description, content_type, size, sha256 } = stored;
  const answer: DocumentContent = {
    ...{ document_id, accession_number, sequence, type, filename, description, content_type },
    ...{ encoding: 'utf-8', size, sha256, content: null },
    ...contentOf(stored, parameters),
  };
  return jsonOutcome(JSON.stringify(answer), { tagged: true });
};

function findDocument(store: FilingStore, parameters: ParametersOf<'document'>): StoredDocument {
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

function contentOf(
  stored: StoredDocument,
  parameters: ParametersOf<'document'>,
): Pick<DocumentContent, 'encoding' | 'content'> {
  const bytes = stored.read();
  if (!isTextual(stored.content_type)) return { encoding: 'base64', content: bytes.toString('base64') };
  const { text } = decodeText(bytes);
  const convert = parameters.output_format === 'json' && parameters.convert_xml_to_json !== false;
  if (!convert || !isXml(stored.content_type)) return { encoding: 'utf-8', content: text };
  return { encoding: 'json', content: convertXml(stored, text, parameters.xml_style ?? 'simple') };
}

function isXml(contentType: string): boolean {
  return /^(application|text)\/xml$|\+xml$/.test(contentType) && contentType !== 'application/xhtml+xml';
}

/** @throws ServiceProblem 422 with line and column, or what made the document too much to convert */
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

function bytesOutcome(stored: StoredDocument, takesZstd: boolean): Outcome {
  const textual = isTextual(stored.content_type);
  const bytes = textual || !takesZstd ? stored.read() : null;
  const charset = textual && bytes ? `; charset=${isUtf8(bytes) ? 'utf-8' : 'windows-1252'}` : '';
  return {
    body: takesZstd && textual ? stored.readCompressed() : (bytes ?? stored.read()),
    contentType: `${stored.content_type}${charset}`,
    etag: etagOf('bytes', stored.sha256),
    size: stored.size,
    coding: takesZstd && textual ? 'zstd' : null,
    headers: {
      // A filer's HTML is shown in nobody's name: no scripts, no forms, no origin.
      'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
      ...(stored.filename ? { 'content-disposition': `inline; filename="${headerSafe(stored.filename)}"` } : {}),
    },
  };
}

function headerSafe(filename: string): string {
  return filename.replace(/[^\w.()+ -]/g, '_').slice(0, 200);
}

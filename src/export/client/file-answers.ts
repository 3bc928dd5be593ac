/** Answers with a file (`document`, `pdf`): JSON with the content, or the bytes under their own media type. */
import { createHash } from 'node:crypto';
import { parseAccessionNumber, parseDocumentId } from '../../filings/api/index.ts';
import { jsonInUtf8 } from './charset.ts';
import { ContractViolationError } from './errors.ts';
import { parsedJson } from './json-body.ts';
import { type Headers, headerText } from './quota.ts';
import type { AskedIds } from './record-answers.ts';

export interface AskedFor extends AskedIds {
  filename?: string | undefined;
  /** `json`: converted XML was requested, and may be sent in another way than documents. */
  output_format?: string | undefined;
}

export interface BodyOfAnswer {
  headers: Headers;
  body: Buffer;
}

/** The JSON of an answer that is declared as JSON, or names the requested document; undefined for the bytes of a file. */
export function jsonOf(answer: BodyOfAnswer, asked: AskedFor): unknown {
  const type = headerText(answer.headers, 'content-type');
  if (type !== null && !/[/+]json\b/i.test(type)) return mislabelledJson(answer.body, asked);
  try {
    return parsedJson(answer.body);
  } catch (error) {
    if (type === null) return undefined;
    throw error;
  }
}

/** A service may declare its JSON as another type: its bytes must not be stored as the document's. */
function mislabelledJson(body: Buffer, asked: AskedFor): unknown {
  try {
    const bytes = jsonInUtf8(body, {});
    if (bytes[0] !== OPEN_OBJECT || !bytes.includes('"content"')) return undefined;
    const json = parsedJson(bytes) as Record<string, unknown>;
    const ids = [json.document_id, json.documentId, json.id, json.accession_number, json.accessionNumber];
    const wanted = [parseDocumentId(asked.document_id ?? ''), parseAccessionNumber(asked.accession_number ?? '')];
    return 'content' in json && ids.some((id) => typeof id === 'string' && wanted.includes(id as never))
      ? json
      : undefined;
  } catch {
    return undefined;
  }
}

const OPEN_OBJECT = 0x7b;

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function refuse(
  operation: 'document' | 'pdf',
  path: string,
  value: unknown,
  subject: string | null,
  what: string,
): never {
  throw new ContractViolationError(operation, { path, value: value ?? null, subject }, what);
}

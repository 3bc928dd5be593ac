/** Requests the documents of a filing's form and XBRL, and converts them to rows together. */
import type { CallOptions, FilingClient } from '../../client/index.ts';
import { FilinglakeError } from '../../core/index.ts';
import { decodeText } from '../../documents/index.ts';
import type { FormDocument, FormsStep } from '../../export/index.ts';
import { inlineNamesOf, xbrlKind } from '../../forms/index.ts';
import type { ContentRecord } from '../../tables/index.ts';
import { messageOf, verdictOf } from '../failures/verdict.ts';
import { type FetchedDocument, type FormRows, FormUnreadableError, formRows, ofDocument } from './form-rows.ts';

/** Characters of all documents of a filing together: they are in memory at the same time. */
export const FILING_CHARACTERS_MAX = 256 * 2 ** 20;

export interface FormRequest extends Pick<CallOptions, 'onLarge'> {
  /** Documents that an earlier attempt received. */
  received?: ReceivedDocuments;
}

/**
 * Documents one after the other: the unit of a 13F's values follows from all of its tables, and the inline documents of a filing share
 * contexts.
 * @throws errors of the client, FormUnreadableError; `documentOfError` has the document
 */
export async function requestForms(
  client: Pick<FilingClient, 'document'>,
  accession_number: string,
  step: FormsStep,
  { onLarge, received }: FormRequest,
): Promise<FormRows> {
  const documents: FetchedDocument[] = [];
  const queue = [...step.documents];
  let characters = 0;
  // One filing with large documents at a time: it takes the whole memory for large answers, once.
  const large = onLarge && { onLarge: () => onLarge(FILING_CHARACTERS_MAX) };
  for (let document = queue.shift(); document; document = queue.shift()) {
    const { document_id, filename } = document;
    try {
      let text = received?.take(document_id);
      if (text === undefined) {
        const known = { filename };
        const { value } = await client.document({ document_id, output_format: 'raw' }, { known, ...large });
        text = textOf(document_id, value);
      }
      characters += text.length;
      if (documents.length > 0 && characters > FILING_CHARACTERS_MAX)
        throw new FormUnreadableError(
          document_id,
          `the filing's documents have more than ${FILING_CHARACTERS_MAX} characters`,
        );
      documents.push({ ...document, text });
      if (step.undecided && xbrlKind(document) === 'summary') queue.push(...inlineAmong(step, text));
    } catch (error) {
      const verdict = verdictOf(error);
      // A quota that ends here, or a service that falters, must not cost the same requests again.
      if (verdict === 'stopped' || verdict === 'suspect') received?.keep(documents);
      throw ofDocument(error, document_id);
    }
  }
  try {
    return formRows({ accession_number, step, documents: inOrder(step, documents) });
  } catch (error) {
    if (error instanceof FilinglakeError) throw error;
    throw new FormUnreadableError(step.documents[0]?.document_id ?? accession_number, messageOf(error));
  }
}

/**
 * The undecided pages that EDGAR's summary calls reports. All of them if it can't be read, or if it names a page that is not in the
 * list: the service may call its documents by other names.
 */
function inlineAmong({ documents, undecided = [] }: FormsStep, summary: string): readonly FormDocument[] {
  const names = inlineNamesOf(summary);
  const listed = new Set([...documents, ...undecided].map(({ filename }) => filename?.toLowerCase()));
  if (names === null || [...names].some((name) => !listed.has(name))) return undecided;
  return undecided.filter(({ filename }) => filename === null || names.has(filename.toLowerCase()));
}

/** In their order in the filing. The summary itself is not mapped. */
function inOrder({ documents, undecided = [] }: FormsStep, fetched: readonly FetchedDocument[]): FetchedDocument[] {
  if (undecided.length === 0) return [...fetched];
  const place = ({ document_id }: FormDocument) => Number(/\d+$/.exec(document_id)?.[0] ?? 0);
  const names = new Set([...documents, ...undecided].map(({ document_id }) => document_id));
  return fetched
    .filter((document) => names.has(document.document_id) && xbrlKind(document) !== 'summary')
    .sort((a, b) => place(a) - place(b));
}

function textOf(document_id: string, { encoding, content }: ContentRecord): string {
  if (typeof content !== 'string') throw new FormUnreadableError(document_id, `it came as ${encoding}, not as text`);
  return encoding === 'base64' ? decodeText(Buffer.from(content, 'base64')).text : content;
}

/** Characters that are kept for later attempts. */
const KEPT_CHARACTERS_MAX = 32 * 2 ** 20;

/** Documents of unfinished steps, for the next attempt in the same process. The oldest go first. */
export class DocumentsKept {
  readonly #texts = new Map<string, string>();
  #characters = 0;

  /** Those of a filing in one revision. */
  of(revision: string): ReceivedDocuments {
    return {
      take: (document_id) => this.#take(`${revision} ${document_id}`),
      keep: (documents) => {
        for (const { document_id, text } of documents) this.#keep(`${revision} ${document_id}`, text);
      },
    };
  }

  #take(key: string): string | undefined {
    const text = this.#texts.get(key);
    if (text === undefined) return undefined;
    this.#texts.delete(key);
    this.#characters -= text.length;
    return text;
  }

  #keep(key: string, text: string): void {
    if (text.length > KEPT_CHARACTERS_MAX) return;
    this.#take(key);
    this.#texts.set(key, text);
    this.#characters += text.length;
    for (const oldest of this.#texts.keys()) {
      if (this.#characters <= KEPT_CHARACTERS_MAX) break;
      this.#take(oldest);
    }
  }
}

export interface ReceivedDocuments {
  take(document_id: string): string | undefined;
  keep(documents: readonly FetchedDocument[]): void;
}

/** One for each worker. */
export const documentsKept = new DocumentsKept();

/** Requests the documents of a filing's form and XBRL, and converts them to rows together. */
import { FilinglakeError } from '../../../core/index.ts';
import { decodeText } from '../../../filings/documents/index.ts';
import { inlineNamesOf, isXbrl, xbrlKind } from '../../../filings/forms/index.ts';
import type { ContentRecord } from '../../../lake/tables/index.ts';
import { type CallOptions, type FilingClient, UnchangedError } from '../../client/index.ts';
import type { FormDocument, FormsStep } from '../../selectors/index.ts';
import { FormUnreadableError, messageOf, ofDocument, verdictOf } from '../failures/verdict.ts';
import { ContentHash } from './content-hash.ts';
import { type FetchedDocument, type FormRows, formRows } from './form-rows.ts';

/** Characters of all documents of a filing together: they are in memory at the same time. */
export const FILING_CHARACTERS_MAX = 256 * 2 ** 20;

export interface FormRequest extends Pick<CallOptions, 'onLarge' | 'etag'> {
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
  { onLarge, received, etag }: FormRequest,
): Promise<{ forms: FormRows; etag: string | null; content: string } | null> {
  const changed = etag === undefined ? null : await firstChanged(client, step, etagsOf(etag), onLarge);
  if (changed === 'none') return null;
  const etags = new Map<string, string | null>();
  const content = new ContentHash();
  const documents: FetchedDocument[] = [];
  const queue = [...step.documents];
  const undecided = [...(step.undecided ?? [])];
  const hasSummary = step.documents.some((document) => xbrlKind(document) === 'summary');
  let characters = 0;
  // One filing with large documents at a time: it takes the whole memory for large answers, once.
  const large = onLarge && { onLarge: () => onLarge(FILING_CHARACTERS_MAX) };
  for (let document = queue.shift(); document; document = queue.shift()) {
    const { document_id, filename } = document;
    try {
      let text = received?.take(document_id);
      if (text === undefined) {
        const isHere = changed?.document_id === document_id;
        const { value, etag } = isHere ? changed.answer : await askRaw(client, document_id, { filename, ...large });
        text = textOf(document_id, value);
        etags.set(document_id, storableEtag(etag));
      }
      content.add(document_id).add(text);
      characters += text.length;
      if (documents.length > 0 && characters > FILING_CHARACTERS_MAX)
        throw new FormUnreadableError(
          document_id,
          `the filing's documents have more than ${FILING_CHARACTERS_MAX} characters`,
        );
      documents.push({ ...document, text });
      if (undecided.length > 0 && (hasSummary ? xbrlKind(document) === 'summary' : isXbrl('inline', text)))
        queue.push(...(hasSummary ? inlineAmong(step, text) : undecided.splice(0)));
    } catch (error) {
      const verdict = verdictOf(error);
      // A quota that ends here, or a service that falters, must not cost the same requests again.
      if (verdict === 'stopped' || verdict === 'suspect') received?.keep(documents);
      throw ofDocument(error, document_id);
    }
  }
  try {
    const forms = formRows({ accession_number, step, documents: inOrder(step, documents) });
    return { forms, etag: etagOfAll(documents, etags), content: content.take() };
  } catch (error) {
    if (error instanceof FilinglakeError) throw error;
    throw new FormUnreadableError(step.documents[0]?.document_id ?? accession_number, messageOf(error));
  }
}

function askRaw(
  client: Pick<FilingClient, 'document'>,
  document_id: string,
  { filename, ...call }: Pick<FormDocument, 'filename'> & Pick<CallOptions, 'onLarge' | 'etag'>,
) {
  return client.document({ document_id, output_format: 'raw' }, { known: { filename }, ...call });
}

type RawDocument = Awaited<ReturnType<typeof askRaw>>;

/** ETags by document id, as coverage stores them. Used only if the same documents are needed. */
function etagsOf(stored: string): ReadonlyMap<string, string> {
  return new Map(Object.entries(JSON.parse(stored) as Record<string, string>));
}

/** Null if a document came without one, or from an earlier attempt. */
function etagOfAll(documents: readonly FormDocument[], etags: ReadonlyMap<string, string | null>): string | null {
  const all = documents.map(({ document_id }) => [document_id, etags.get(document_id) ?? null] as const);
  return all.length === 0 || all.some(([, etag]) => etag === null) ? null : JSON.stringify(Object.fromEntries(all));
}

/** Asks for the documents of the last time until one has changed. */
async function firstChanged(
  client: Pick<FilingClient, 'document'>,
  { documents, undecided = [] }: FormsStep,
  etags: ReadonlyMap<string, string>,
  onLarge: CallOptions['onLarge'],
): Promise<{ document_id: string; answer: RawDocument } | 'none' | null> {
  if (!documents.every(({ document_id }) => etags.has(document_id))) return null;
  const named = new Map([...documents, ...undecided].map((document) => [document.document_id, document]));
  for (const [document_id, etag] of etags) {
    const { filename } = named.get(document_id) ?? { filename: null };
    try {
      return {
        document_id,
        answer: await askRaw(client, document_id, { filename, etag, ...(onLarge ? { onLarge } : {}) }),
      };
    } catch (error) {
      if (!(error instanceof UnchangedError)) throw ofDocument(error, document_id);
    }
  }
  return 'none';
}

const ETAG_CHARACTERS_MAX = 200;

/** An ETag that coverage can store; null without one, or for a very long one. */
export function storableEtag(etag: string | null | undefined): string | null {
  return etag && etag.length <= ETAG_CHARACTERS_MAX && /^[\x20-\x7e]+$/.test(etag) ? etag : null;
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

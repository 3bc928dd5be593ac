/** The content of a PDF: the filing, its documents that can be shown, and their pictures. */
import {
  type AccessionNumber,
  type DocumentId,
  type FilingInfo,
  type ParametersOf,
  type SectionIndex,
  splitDocumentId,
} from '../../filings/api/index.ts';
import { decodeText, readableText } from '../../filings/documents/index.ts';
import { etagOf } from '../answers/etag.ts';
import { notFound, ServiceProblem } from '../answers/problem.ts';
import type { CatalogQueries, StoredDocument } from '../catalog/index.ts';
import { formData, formView, isRead } from '../form-pages/index.ts';
import { requireFiling } from '../operations/filing-info.ts';
import { asFiling, formDocuments } from '../operations/form-parts.ts';
import type { FormPart } from '../pages/index.ts';

/** Raise it if the PDFs of the same filing change: their tags then change too. */
const RENDERING = 4;
/** Rows of each table of a form: some hundred pages. Twice as many take a browser gigabytes, eight times as many minutes. */
const ROWS_MAX = 5_000;
/** Markup and text beyond this take a browser minutes and gigabytes. */
const MAX_SOURCE_BYTES = 24 * 1024 * 1024;
const MAX_PICTURE_BYTES = 32 * 1024 * 1024;

export type ShownDocument = { stored: StoredDocument; sections: readonly SectionIndex[] } & (
  | { kind: 'html'; text: string }
  | { kind: 'plain'; text: string }
  | { kind: 'picture'; dataUri: string }
  | { kind: 'form'; parts: readonly FormPart[] }
  | { kind: 'pdf'; bytes: Uint8Array }
);

export interface PdfSource {
  filing: FilingInfo;
  /** Null if the whole filing was requested */
  documentId: DocumentId | null;
  pageSize: 'letter' | 'a4';
  documents: ShownDocument[];
  /** File name in lower case → data URI */
  pictures: ReadonlyMap<string, string>;
}

/** The parts of a PDF, found without reading a document: enough to know if the caller has it already. */
export interface PdfPlan extends Pick<PdfSource, 'filing' | 'documentId' | 'pageSize'> {
  shown: StoredDocument[];
  /** What the structured form is read from; the first of them stands for all */
  form: StoredDocument[];
  pictures: StoredDocument[];
  etag: string;
}

/** @throws ServiceProblem 404; 422 if nothing of it can be shown */
export function planPdf(store: CatalogQueries, parameters: ParametersOf<'pdf'>): PdfPlan {
  const documentId = parameters.document_id ?? null;
  const accessionNumber = documentId ? splitDocumentId(documentId).accessionNumber : parameters.accession_number!;
  const filing = requireFiling(store, accessionNumber);
  const all = store.documents(accessionNumber as AccessionNumber);
  const pictures = all.filter((document) => isPicture(document.content_type));
  const shown = documentId
    ? oneDocument(all, documentId)
    : wholeFiling(all, parameters.exhibits !== false, accessionNumber);
  const isWanted = ({ document_id }: StoredDocument) => shown.some((one) => one.document_id === document_id);
  const form = formDocuments(store, filing).filter((one) => one.content_type === XML && isWanted(one));
  const pageSize = parameters.page_size ?? 'letter';
  const parts = [...shown, ...pictures].map((document) => document.sha256);
  const etag = etagOf('pdf', `${RENDERING}`, documentId ?? '', pageSize, JSON.stringify(filing), parts.join());
  return { filing, documentId, pageSize, shown, form, pictures, etag };
}

/** Reads and decodes the documents. @throws ServiceProblem 422 if they are too large to be rendered */
export function readPdfSource(plan: PdfPlan): PdfSource {
  const bytes = plan.shown.reduce((sum, document) => sum + (isPicture(document.content_type) ? 0 : document.size), 0);
  if (bytes > MAX_SOURCE_BYTES) {
    throw new ServiceProblem(
      422,
      `${bytes} bytes of text are too much for one PDF (at most ${MAX_SOURCE_BYTES}); ask for single documents`,
    );
  }
  const main = plan.filing.documents[0]?.document_id;
  const data = plan.form.length === 0 ? null : formData(asFiling(plan.filing, plan.form), ROWS_MAX);
  const parts = data !== null && isRead(data) ? formView(data, { isPrinted: true }) : [];
  const inForm = new Set(parts.length === 0 ? [] : plan.form.map(({ document_id }) => document_id));
  const documents = plan.shown.flatMap((stored): ShownDocument[] => {
    if (!inForm.has(stored.document_id))
      return [readShown(stored, stored.document_id === main ? plan.filing.sections : [])];
    return stored.document_id === plan.form[0]!.document_id ? [{ stored, sections: [], kind: 'form', parts }] : [];
  });
  return { ...plan, documents, pictures: picturesUsed(plan.pictures, documents) };
}

function oneDocument(all: readonly StoredDocument[], id: DocumentId): StoredDocument[] {
  const document = all.find((candidate) => candidate.document_id === id);
  if (!document) throw notFound(`document ${id} was not found`);
  if (!canBeShown(document)) {
    throw new ServiceProblem(422, `document ${id} is ${document.content_type}: it can't be rendered as PDF`);
  }
  return [document];
}

function wholeFiling(all: readonly StoredDocument[], exhibits: boolean, accessionNumber: string): StoredDocument[] {
  const [main, ...others] = all;
  const tables = others.filter((document) => isFormPart(main, document));
  const wanted = exhibits ? others.filter((document) => isReadableExhibit(document) && !isCopy(document, all)) : [];
  const parts = others.filter((document) => tables.includes(document) || wanted.includes(document));
  const shown = [...(main ? [main] : []), ...parts].filter(canBeShown);
  if (shown.length > 0) return shown;
  throw new ServiceProblem(422, `filing ${accessionNumber} has no document that can be rendered as PDF`);
}

/** A part of the form itself in a document of its own: the information table of a 13F. */
function isFormPart(main: StoredDocument | undefined, { type, content_type }: StoredDocument): boolean {
  return main?.content_type === XML && content_type === XML && /^INFORMATION TABLE/i.test(type ?? '');
}

/** A PDF beside the same exhibit in HTML is a courtesy copy. */
function isCopy({ content_type, type }: StoredDocument, all: readonly StoredDocument[]): boolean {
  return content_type === PDF && all.some((other) => other.type === type && other.content_type !== PDF);
}

const XML = 'application/xml';
const PDF = 'application/pdf';

/** Exhibits of XML (XBRL, asset data of securitisations) are for machines, and may have a hundred megabytes. */
function isReadableExhibit({ type, content_type }: StoredDocument): boolean {
  return /^EX-(?!101)/i.test(type ?? '') && content_type !== XML;
}

function canBeShown({ content_type, size }: StoredDocument): boolean {
  if (size === 0) return false;
  return /^(text\/(html|plain)|application\/(xml|xhtml\+xml|pdf))$/.test(content_type) || isPicture(content_type);
}

function isPicture(contentType: string): boolean {
  return /^image\/(jpeg|gif|png|bmp)$/.test(contentType);
}

function readShown(stored: StoredDocument, sections: readonly SectionIndex[]): ShownDocument {
  if (isPicture(stored.content_type)) return { stored, sections: [], kind: 'picture', dataUri: dataUriOf(stored) };
  if (stored.content_type === PDF) return { stored, sections: [], kind: 'pdf', bytes: stored.read() };
  const { text } = decodeText(stored.read());
  switch (stored.content_type) {
    case 'text/plain':
      return { stored, sections, kind: 'plain', text };
    case XML:
      return { stored, sections: [], kind: 'plain', text: readableText(text, stored.content_type) };
    default:
      return { stored, sections, kind: 'html', text };
  }
}

function picturesUsed(pictures: readonly StoredDocument[], documents: readonly ShownDocument[]): Map<string, string> {
  const used = new Map<string, string>();
  let bytes = 0;
  for (const picture of pictures) {
    const name = picture.filename?.toLowerCase();
    if (name === undefined || bytes + picture.size > MAX_PICTURE_BYTES) continue;
    if (!documents.some((document) => document.kind === 'html' && document.text.toLowerCase().includes(name))) continue;
    used.set(name, dataUriOf(picture));
    bytes += picture.size;
  }
  return used;
}

function dataUriOf(picture: StoredDocument): string {
  return `data:${picture.content_type};base64,${picture.read().toString('base64')}`;
}

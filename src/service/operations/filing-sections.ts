/** GET /v2/filing_sections: docs/api.md#filing_sections. */
import {
  type AccessionNumber,
  type DocumentId,
  type FilingInfo,
  type FilingSections,
  type SectionContent,
  type SectionIndex,
  sectionFamily,
  splitDocumentId,
} from '../../filings/api/index.ts';
import {
  decodeText,
  findAnnualReportSections,
  findSections,
  isAnnualReport,
  isTextual,
  sectionsHtml,
  substancesHtml,
} from '../../filings/documents/index.ts';
import { etagOf, matchesEtag } from '../answers/etag.ts';
import { bodilessOutcome, JSON_TYPE, jsonOutcome } from '../answers/outcome.ts';
import { notFound, ServiceProblem } from '../answers/problem.ts';
import { type CatalogQueries, READER_VERSIONS, type StoredDocument } from '../catalog/index.ts';
import { requireFiling } from './filing-info.ts';
import type { ReaderOperation } from './operation.ts';

/** Larger documents are available only from `document`. */
const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

export const filingSections: ReaderOperation<'filing_sections'> = {
  lane: 'long',
  deadlineMs: 30_000,
  answer(parameters, context) {
    const { store } = context;
    const { document_id, form_type } = parameters;
    const accessionNumber = document_id ? splitDocumentId(document_id).accessionNumber : parameters.accession_number!;
    const filing = requireFiling(store, accessionNumber);
    const family = sectionFamily(filing.form_type ?? '');
    const asked = form_type === undefined ? family : sectionFamily(form_type);
    // Item 3 of a 20-F is Key Information, and Legal Proceedings of a 10-K: neither form is read as the other.
    if (family === null || (asked !== family && [asked, family].includes('20-F'))) {
      const other = family === null ? '' : ` of form ${form_type}`;
      throw notFound(`form ${filing.form_type ?? 'without a name'} has no sections${other}`);
    }
    const document = findDocument(store, filing, document_id);
    const etag = etagOf(
      `sections ${READER_VERSIONS.sections}`,
      JSON.stringify(filing),
      document.sha256,
      form_type ?? '',
    );
    if (context.headOnly || matchesEtag(context.ifNoneMatch, etag)) return bodilessOutcome(JSON_TYPE, etag);
    context.requireLaneFor(document.size);
    const answer: FilingSections = {
      accession_number: filing.accession_number,
      form_type: filing.form_type,
      sections: sectionsOf(store, filing, document, form_type),
    };
    return { ...jsonOutcome(JSON.stringify(answer), { tagged: false }), etag };
  },
};

function findDocument(store: CatalogQueries, filing: FilingInfo, documentId: DocumentId | undefined): StoredDocument {
  const accessionNumber = filing.accession_number as AccessionNumber;
  const document = documentId ? store.document(documentId) : store.mainDocument(accessionNumber);
  if (document) return document;
  throw notFound(
    documentId ? `document ${documentId} was not found` : `filing ${accessionNumber} has no main document`,
  );
}

/** The contents of the sections of one document, in the filing's order. */
function sectionsOf(
  store: CatalogQueries,
  filing: FilingInfo,
  document: StoredDocument,
  formType: string | undefined,
): SectionContent[] {
  const main = store.mainDocument(filing.accession_number as AccessionNumber);
  const text = textOf(document);
  const asked = formType ?? filing.form_type ?? '10-K';
  const stored =
    document.document_id === main?.document_id && sectionFamily(asked) === sectionFamily(filing.form_type ?? '');
  if (stored && filing.not_read?.some(({ part }) => part === 'sections')) {
    throw new ServiceProblem(422, `the sections of filing ${filing.accession_number} took too long to read`);
  }
  const index: SectionIndex[] = stored ? filing.sections : sectionsIn(text, document.type, asked, filing.filing_date);
  const spans = index.map(({ start_index, end_index }) => ({
    start_index: start_index ?? 0,
    end_index: end_index ?? 0,
  }));
  const html = sectionsHtml(text, spans);
  const isMain = document.document_id === main?.document_id;
  const substances = substancesHtml(text, index, isMain ? annualReportsOf(store, filing) : []);
  return index.map(({ section, title, heading, by_reference, kind, substance_start, substance_end }, k) => ({
    section,
    title,
    heading,
    html: html[k]!,
    document_id: document.document_id,
    by_reference: by_reference ?? null,
    kind: kind ?? null,
    substance_start: substance_start ?? null,
    substance_end: substance_end ?? null,
    ...substances[k]!,
  }));
}

/** Texts of the filing's annual reports to shareholders. */
function* annualReportsOf(store: CatalogQueries, { documents }: FilingInfo): Generator<string> {
  for (const { document_id, type } of documents ?? []) {
    const document = isAnnualReport(type ?? null) ? store.document(document_id as DocumentId) : null;
    if (document && isTextual(document.content_type) && document.size <= MAX_DOCUMENT_BYTES)
      yield decodeText(document.read()).text;
  }
}

/** An annual report to shareholders has those of the 10-K that refers to it. */
function sectionsIn(text: string, type: string | null, form: string, filingDate: string | null): SectionIndex[] {
  const options = filingDate === null ? {} : { filingDate };
  if (isAnnualReport(type) && sectionFamily(form) === '10-K') return findAnnualReportSections(text, options);
  return findSections(text, form, options);
}

function textOf(document: StoredDocument): string {
  if (!isTextual(document.content_type)) {
    throw new ServiceProblem(422, `document ${document.document_id} is ${document.content_type}: it has no sections`);
  }
  if (document.size > MAX_DOCUMENT_BYTES) {
    throw new ServiceProblem(
      422,
      `document ${document.document_id} has ${document.size} bytes, more than the ${MAX_DOCUMENT_BYTES} that are cut into sections`,
    );
  }
  return decodeText(document.read()).text;
}

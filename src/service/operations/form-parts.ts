/** A filing's structured form from its stored documents, with what its report before held. */
import type { AccessionNumber, Cik, EightKItem, Filing, FilingInfo } from '../../filings/api/index.ts';
import { decodeText, differences, isTextual, readableText, sectionsHtml } from '../../filings/documents/index.ts';
import { groupOfForm, neededDocuments, XML_FORM_GROUPS } from '../../filings/forms/index.ts';
import { jsonOutcome } from '../answers/outcome.ts';
import { notFound } from '../answers/problem.ts';
import type { CatalogQueries, StoredDocument } from '../catalog/index.ts';
import { type FormData, formData, formView, heldPart, tableCsv } from '../form-pages/index.ts';
import { changesPart, type FormPart, itemPart } from '../pages/index.ts';
import { requireFiling } from './filing-info.ts';
import type { ReaderOperation } from './operation.ts';

/** Rows of each table on a page. */
const ROWS_MAX = 200;
/** A larger form takes seconds: the page has its documents. */
const BYTES_MAX = 32 * 1024 * 1024;
/** Reports of one filer in which the one before is looked for: a trust files for each of its funds. */
const REPORTS_READ = 4;
const REPORTS_LISTED = 40;

export const answerForm: ReaderOperation<'form'>['answer'] = ({ accession_number, table }, context) => {
  const { store, requireLaneFor } = context;
  const filing = requireFiling(store, accession_number);
  if (table === undefined && filing.items_8k && filing.items_8k.length > 0)
    return partsOutcome(itemParts(store, filing, requireLaneFor));
  if (table === undefined && filing.sections.length > 0) return partsOutcome(changes(store, filing, requireLaneFor));
  const documents = formDocuments(store, filing);
  const bytes = documents.reduce((sum, { size }) => sum + size, 0);
  const isRead = documents.length > 0 && bytes <= BYTES_MAX;
  if (isRead) requireLaneFor(bytes);
  const read = asFiling(filing, isRead ? documents : []);
  if (table !== undefined) {
    const csv = tableCsv(read, table);
    if (csv === null) throw notFound(`the filing has no rows of ${table.slice(0, 60)}`);
    return { ...jsonOutcome(csv, { tagged: false }), contentType: 'text/csv; charset=utf-8' };
  }
  const data = formData(read, ROWS_MAX);
  const before = reportBefore(store, filing, data);
  const parts = formView(data, { isPrinted: false, ...(before && { before }) });
  return partsOutcome(
    parts,
    data.tables.size > 0 && data.group !== null && XML_FORM_GROUPS.has(data.group) ? data.group : null,
  );
};

/** @param group of the tables that an export of the filing has */
function partsOutcome(parts: readonly FormPart[], group: string | null = null) {
  const texts = parts.map(({ title, html }) => ({ title, html: html.text }));
  return jsonOutcome(JSON.stringify({ group, parts: texts }), { tagged: false });
}

/** The items of an 8-K with their text. */
function itemParts(store: CatalogQueries, filing: FilingInfo, requireLaneFor: (bytes: number) => void): FormPart[] {
  const items = filing.items_8k!;
  const texts = textsOf(store, filing, items, requireLaneFor);
  return items.map((item, k) => itemPart(item, texts?.[k] ?? ''));
}

/** Texts of parts of a filing's main document; null: it has none, or one too large to read two of them. */
function textsOf(
  store: CatalogQueries,
  { accession_number }: Reported,
  parts: readonly Pick<EightKItem, 'start_index' | 'end_index'>[],
  requireLaneFor: (bytes: number) => void,
): string[] | null {
  const main = store.mainDocument(accession_number as AccessionNumber);
  if (main === null || !isTextual(main.content_type) || main.size > BYTES_MAX / 2) return null;
  requireLaneFor(main.size);
  const spans = parts.map(({ start_index, end_index }) => ({
    start_index: start_index ?? 0,
    end_index: end_index ?? 0,
  }));
  return sectionsHtml(decodeText(main.read()).text, spans).map((markup) => readableText(markup, main.content_type));
}

/** The sections that differ from those of the report before. */
function changes(store: CatalogQueries, filing: FilingInfo, requireLaneFor: (bytes: number) => void): FormPart[] {
  const [listed] = earlierReports(store, filing);
  const before = listed && store.filing(listed.accession_number as AccessionNumber);
  if (!before || before.sections.length === 0) return [];
  const [now, old] = [filing, before].map((one) => textsOf(store, one, one.sections, requireLaneFor));
  if (!now || !old) return [];
  const wordsBefore = new Map(before.sections.map(({ section }, k) => [section, old[k]!]));
  const sections = filing.sections.map(({ section, title }, k) => {
    const { same, added, gone } = differences(wordsBefore.get(section) ?? '', now[k]!);
    const isNew = !wordsBefore.has(section);
    return { section, title, isNew, paragraphs: same + added.length, added: added.length, gone: gone.length };
  });
  return [changesPart(filing, before, sections)];
}

/** The documents that the form is read from: none if the filing is not a structured form. */
type Reported = Pick<FilingInfo, 'accession_number' | 'form_type' | 'filing_date'>;

export function formDocuments(store: CatalogQueries, { accession_number, form_type }: Reported): StoredDocument[] {
  const all = store.documents(accession_number as AccessionNumber);
  if (form_type !== null && groupOfForm(form_type) !== null) return neededDocuments(form_type, all);
  return all.slice(0, 1).filter(({ content_type }) => content_type === 'application/xml');
}

export function asFiling({ accession_number, filing_date, form_type }: Reported, documents: readonly StoredDocument[]) {
  return {
    accessionNumber: accession_number,
    filingDate: filing_date,
    formType: form_type,
    documents: documents.map(({ filename, type, read }) => ({
      name: filename,
      type,
      text: () => decodeText(read()).text,
    })),
  };
}

/** Reports of the same filer and form for earlier periods, the newest first. */
function earlierReports(store: CatalogQueries, { cik, form_type, filing_date, report_date }: FilingInfo) {
  if (cik === null || form_type === null || filing_date === null || report_date === null) return [];
  const filters = {
    entity_query: { ciks: [cik as Cik] },
    form_types: [form_type.replace('/A', '')],
    date_to: filing_date,
  };
  const { pieces } = store.filingLookup({ ...filters, to: REPORTS_LISTED });
  const listed = JSON.parse(`[${Buffer.concat(pieces).toString()}]`) as Filing[];
  return listed.flatMap((one) =>
    one.report_date === null || one.report_date >= report_date ? [] : { ...one, report_date: one.report_date },
  );
}

/** The newest earlier report of the same kind, and for a fund of the same series. */
function reportBefore(store: CatalogQueries, filing: FilingInfo, { group, tables, positions }: FormData) {
  const isAddition = tables.get('f13_reports')?.rows[0]?.amendment_type === 'NEW HOLDINGS';
  if (heldPart(group) === null || positions.size === 0 || isAddition) return null;
  const series = tables.get('nport_funds')?.rows[0]?.series_id;
  let read = 0;
  for (const earlier of earlierReports(store, filing)) {
    if (read++ >= REPORTS_READ) break;
    const documents = formDocuments(store, earlier);
    if (documents.reduce((sum, { size }) => sum + size, 0) > BYTES_MAX / 2) continue;
    const data = formData(asFiling(earlier, documents), 1);
    if (data.positions.size === 0 || data.tables.get('nport_funds')?.rows[0]?.series_id !== series) continue;
    return { date: earlier.report_date, positions: data.positions };
  }
  return null;
}

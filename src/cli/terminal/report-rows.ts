/** Rows of sections and of readable text from the documents of a filing, in the columns of the lake's tables. */
import { baseForm, dashedForm, isEightK, sectionFamily } from '../../filings/api/index.ts';
import {
  findSections,
  guessFormType,
  isAnnualReport,
  looksLikeHtml,
  readableText,
  sectionContents,
} from '../../filings/documents/index.ts';
import type { Filing, FilingDocument, MappedRow } from '../../filings/forms/index.ts';

/** They are large: rows of them are made only if they are named. */
export const REPORT_TABLES = ['sections', 'section_contents', 'document_texts'] as const;

/** @param tables of REPORT_TABLES */
export function* reportRows(filing: Filing, tables: ReadonlySet<string>): Generator<MappedRow> {
  if (tables.has('sections') || tables.has('section_contents')) yield* sectionRows(filing, tables);
  if (!tables.has('document_texts')) return;
  for (const document of filing.documents) {
    const content = document.text();
    const text = readableText(content, looksLikeHtml(content) ? 'text/html' : 'text/plain');
    yield { table: 'document_texts', row: { document: document.name, type: document.type, text } };
  }
}

/** A form without sections gives no row. */
function* sectionRows(filing: Filing, tables: ReadonlySet<string>): Generator<MappedRow> {
  const main = mainDocument(filing);
  if (!main) return;
  const content = main.text();
  const formType = dashedForm(filing.formType ?? guessFormType(content) ?? '');
  if (sectionFamily(formType) === null || isEightK(formType)) return;
  const found = findSections(content, formType, filing.filingDate === null ? {} : { filingDate: filing.filingDate });
  for (const { by_reference, ...section } of tables.has('sections') ? found : []) {
    const row = { ...section, by_reference: by_reference !== null };
    yield { table: 'sections', row };
  }
  if (!tables.has('section_contents')) return;
  const reports = filing.documents.filter(({ type }) => isAnnualReport(type)).values();
  const contents = sectionContents(
    content,
    found,
    reports.map((report) => report.text()),
  );
  for (const [i, { section, title, heading }] of found.entries()) {
    const { html, text, source } = contents[i]!;
    const row = { section, title, heading, html, text, source };
    yield { table: 'section_contents', row };
  }
}

/** The document of the form's own type, else the first. */
function mainDocument({ formType, documents }: Filing): FilingDocument | undefined {
  const ofForm = ({ type }: FilingDocument) =>
    type !== null && formType !== null && baseForm(type) === baseForm(formType);
  return documents.find(ofForm) ?? documents[0];
}

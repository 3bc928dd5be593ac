/** `filinglake/sections`: the sections of 10-K, 10-Q and 20-F reports, and the items of 8-Ks, in documents and submissions. */
import { FilinglakeError } from '../core/index.ts';
import {
  baseForm,
  dashedForm,
  type EightKItem,
  isEightK,
  type SectionSource,
  sectionFamily,
} from '../filings/api/index.ts';
import {
  decodeText,
  type EightKInput,
  eightKItems,
  type FoundSection,
  findSections,
  guessFormType,
  isAnnualReport,
  sectionContents,
  sectionsHtml,
  sectionTexts,
} from '../filings/documents/index.ts';
import { readSubmission, recogniseFile, submissionKind } from '../filings/edgar/index.ts';

export { FilinglakeError } from '../core/index.ts';
export type { EightKItem, Exhibit } from '../filings/api/index.ts';
export {
  type FoundSection,
  findSections,
  guessFormType,
  readableText,
  sectionsHtml,
  sectionTexts,
} from '../filings/documents/index.ts';

export interface ReportOptions {
  /** 10-K, 10-Q, 20-F, 8-K or a variant; default: the form that the submission or the first page of the document states */
  formType?: string;
  /** Whether forms without sections and items are read too, and documents that don't state their form */
  anyForm?: boolean;
  /** Helps to recognise a submission, and names the file in errors */
  filename?: string;
}

/** The input for finding sections or items: the main document's text, and facts of the submission. */
export interface Report {
  /** Null only with `anyForm`: the document does not state it */
  formType: string | null;
  text: string;
  /** YYYY-MM-DD; null for a document without a submission */
  filingDate: string | null;
  /** As in the submission's header */
  headerItems: readonly string[];
  documents: EightKInput['documents'];
  /** Texts of its annual reports to shareholders (Exhibit 13) */
  annualReports: readonly string[];
}

/** A section with its source. */
export interface ReportSection extends FoundSection {
  /** HTML that stands alone */
  html: string;
  /** Of its substance, without page numbers and running headers */
  text: string;
  /** What the substance is from: the item, another place in the document, or an exhibit */
  source: SectionSource;
  /** HTML of the substance, if it is not the whole section; else null */
  substance_html: string | null;
}

/**
 * Reads a complete submission (EDGAR's .txt) or a single document (HTML or text).
 * @throws FilinglakeError `document-missing`, `form-unsupported` (exit 2); the errors of a damaged submission
 */
export function readReport(bytes: Uint8Array, { formType, anyForm = false, filename }: ReportOptions = {}): Report {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (recogniseFile(filename ?? '', buffer.subarray(0, 4096)) !== submissionKind) {
    const { text } = decodeText(buffer);
    const form = withSections(formType ?? guessFormType(text), anyForm, filename);
    return { formType: form, text, filingDate: null, headerItems: [], documents: [], annualReports: [] };
  }
  const submission = readSubmission(buffer);
  const form = baseForm(submission.formType);
  const main = submission.documents.find(({ type }) => baseForm(type) === form) ?? submission.documents[0];
  if (!main) {
    throw new FilinglakeError('document-missing', `${filename ?? submission.accessionNumber} holds no document`);
  }
  return {
    formType: withSections(
      formType ?? dashedForm(submission.formType),
      anyForm,
      filename ?? submission.accessionNumber,
    ),
    text: decodeText(main.read()).text,
    filingDate: submission.filingDate,
    headerItems: submission.items,
    documents: submission.documents.map(({ sequence, filename, description, type }) => ({
      document_id: `${submission.accessionNumber}-${sequence}`,
      sequence,
      filename,
      description,
      type,
    })),
    annualReports: submission.documents
      .filter(({ type }) => isAnnualReport(type))
      .map((document) => decodeText(document.read()).text),
  };
}

/**
 * The sections of a 10-K, 10-Q or 20-F in their order, with HTML and text; empty if none are found. Positions are UTF-16 units of `text`.
 * An item that points elsewhere has the text from there.
 */
export function reportSections({ text, formType, filingDate, annualReports }: Report): ReportSection[] {
  const sections = findSections(text, formType ?? '', filingDate === null ? {} : { filingDate });
  const contents = sectionContents(text, sections, annualReports);
  return sections.map((section, i) => ({ ...section, ...contents[i]! }));
}

/** The items of an 8-K in the order of its body, with their places, and the exhibits under the item that lists them. */
export function reportItems(report: Report): EightKItem[] {
  const { formType, filingDate, text } = report;
  return eightKItems({ ...report, formType: formType ?? '', filingDate: filingDate ?? dateByNumbers(text) });
}

/** The item numbers date a single document: they have dots since 2004-08-23. */
function dateByNumbers(text: string): string {
  return /items?(?:\s|&nbsp;|&#160;)*\d\.\d\d/i.test(text) ? '2004-08-23' : '2004-08-22';
}

function withSections(formType: string | null, anyForm: boolean, name = 'the document'): string | null {
  if (anyForm) return formType;
  // Whatever form is assumed, its item numbers mean something else in another: Item 3 of a 20-F is Key Information.
  if (formType === null)
    throw new FilinglakeError('form-unsupported', `${name} does not state its form on its first page`);
  if (sectionFamily(formType) !== null || isEightK(formType)) return formType;
  const message = `${name} is of form ${formType}, which has neither sections nor 8-K items`;
  throw new FilinglakeError('form-unsupported', message, {
    remedy: `Its words: filinglake text FILE. If it is not of form ${formType}, name its form: --form 10-K, 10-Q, 20-F or 8-K.`,
  });
}

/** The text and HTML of an 8-K's item of `reportItems`. @returns null if only the submission's header names the item */
export function itemContent({ text }: Report, { start_index, end_index }: EightKItem) {
  if (typeof start_index !== 'number') return null;
  const [html] = sectionsHtml(text, [{ start_index, end_index: end_index ?? text.length }]);
  return { html: html!, text: sectionTexts([html!])[0]! };
}

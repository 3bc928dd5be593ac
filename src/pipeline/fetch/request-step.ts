/** Requests one step of a filing and converts the answer to rows. */

import type { Filing, FilingInfo, FilingSections } from '../../api/index.ts';
import {
  type CallOptions,
  ContractViolationError,
  type FilingClient,
  type KnownOfDocument,
} from '../../client/index.ts';
import { FilinglakeError } from '../../core/index.ts';
import {
  decodeText,
  findAnnualReportSections,
  isTextual,
  readableText,
  sectionsHtml,
  sectionTexts,
} from '../../documents/index.ts';
import { type FormsStep, makesOfDocument, type Step } from '../../export/index.ts';
import { type ContentRecord, type ReportSection, type RowsResult, rowsOf } from '../../tables/index.ts';
import { messageOf, verdictOf } from '../failures/verdict.ts';
import { type FormRows, FormUnreadableError, formRows } from './form-rows.ts';

/** @throws errors of the client */
export async function requestStep(
  client: FilingClient,
  { accession_number, documents = [] }: Pick<Filing, 'accession_number'> & Partial<Pick<Filing, 'documents'>>,
  step: Step,
  { onLarge }: Pick<CallOptions, 'onLarge'> = {},
): Promise<{ result: RowsResult; info: FilingInfo | null; forms?: FormRows }> {
  if (step.step === 'info') {
    const { value } = await client.filingInfo(accession_number);
    return { result: madeOf('filing_info', accession_number, () => rowsOf('info', value)), info: value };
  }
  if (step.step === 'sections') {
    const form_type = 'form_type' in step ? step.form_type : '10-K';
    const { value } = await client.filingSections({ accession_number, form_type }, { ...(onLarge ? { onLarge } : {}) });
    return {
      result: madeOf('filing_sections', accession_number, () => rowsOf('sections', withTexts(value))),
      info: null,
    };
  }
  if (step.step === 'forms') {
    const forms = await requestForms(client, accession_number, step, onLarge);
    return { result: { rows: {}, violations: [] }, info: null, forms };
  }
  const { document_id, output_format } = step as Extract<Step, { document_id: string }>;
  const known = documents.find((one) => one.document_id === document_id) ?? {};
  const { value } = await askDocument(client, document_id, output_format, {
    ...known,
    ...(onLarge ? { onLarge } : {}),
  });
  return {
    result: madeOf('document', document_id, () => rowsOf('document', withReading(value, step.selector))),
    info: null,
  };
}

/** Readable texts for the sections' HTML. */
function withTexts({ accession_number, sections }: FilingSections) {
  const texts = sectionTexts(sections.map(({ html }) => html));
  return { accession_number, sections: sections.map((section, i) => ({ ...section, text: texts[i]! })) };
}

/** What the selector asks to be made of a document's text. */
function withReading(document: ContentRecord, selector: string): ContentRecord {
  const { content, content_type, encoding } = document;
  if (encoding !== 'utf-8' || typeof content !== 'string' || !isTextual(content_type)) return document;
  return {
    ...document,
    ...(makesOfDocument(selector, 'text') ? { text: readableText(content, content_type) } : {}),
    ...(makesOfDocument(selector, 'annual_report') ? { report_sections: reportSections(content) } : {}),
  };
}

function reportSections(content: string): ReportSection[] {
  const found = findAnnualReportSections(content);
  const html = sectionsHtml(content, found);
  const texts = sectionTexts(html);
  return found.map(({ by_reference: _, ...section }, i) => ({ ...section, html: html[i]!, text: texts[i]! }));
}

/** An answer that can't be converted to rows, for whatever reason, is a failure of this record alone. */
function madeOf(operation: string, subject: string, make: () => RowsResult): RowsResult {
  try {
    return make();
  } catch (error) {
    throw new ContractViolationError(operation, { path: 'the answer', value: null, subject }, messageOf(error));
  }
}

/** All documents of a form, one after the other: the unit of a 13F's values follows from all of its tables. */
async function requestForms(
  client: FilingClient,
  accession_number: string,
  step: FormsStep,
  onLarge: CallOptions['onLarge'],
): Promise<FormRows> {
  const documents = [];
  for (const document of step.documents) {
    const { document_id, filename } = document;
    const options = { known: { filename }, ...(onLarge ? { onLarge } : {}) };
    const { value } = await client.document({ document_id, output_format: 'raw' }, options);
    documents.push({ ...document, text: textOf(document_id, value) });
  }
  try {
    return formRows({ accession_number, step, documents });
  } catch (error) {
    if (error instanceof FilinglakeError) throw error;
    throw new FormUnreadableError(step.documents[0]?.document_id ?? accession_number, messageOf(error));
  }
}

function textOf(document_id: string, { encoding, content }: ContentRecord): string {
  if (typeof content !== 'string') throw new FormUnreadableError(document_id, `it came as ${encoding}, not as text`);
  return encoding === 'base64' ? decodeText(Buffer.from(content, 'base64')).text : content;
}

/** XML that can't be converted is stored as XML. */
async function askDocument(
  client: FilingClient,
  document_id: string,
  output_format: 'raw' | 'json',
  { filename, size, ...call }: KnownOfDocument & Pick<CallOptions, 'onLarge'>,
) {
  const options = { known: { filename, size }, ...call };
  try {
    return await client.document({ document_id, output_format }, options);
  } catch (error) {
    if (output_format === 'json' && verdictOf(error) === 'failed')
      return client.document({ document_id, output_format: 'raw' }, options);
    throw error;
  }
}

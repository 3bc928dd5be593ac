/** Requests one step of a filing and converts the answer to rows. */
import type { Filing, FilingInfo, FilingSections } from '../../../filings/api/index.ts';
import {
  findAnnualReportSections,
  isTextual,
  readableText,
  readParts,
  readSections,
  sectionsHtml,
  sectionTexts,
  type TextFormat,
} from '../../../filings/documents/index.ts';
import { type ContentRecord, type ReportSection, type RowsResult, rowsOf } from '../../../lake/tables/index.ts';
import {
  type CallOptions,
  ContractViolationError,
  type FilingClient,
  type KnownOfDocument,
  UnchangedError,
} from '../../client/index.ts';
import { formatOfWords, makesOfDocument, type Step, tablesOfSections } from '../../selectors/index.ts';
import { DocumentTooLargeError, messageOf, verdictOf } from '../failures/verdict.ts';
import { contentHashOf } from './content-hash.ts';
import type { FormRows } from './form-rows.ts';
import { type FormRequest, requestForms, storableEtag } from './request-forms.ts';
import { bytesOfAnswer } from './too-large.ts';

export interface StepAnswer {
  result: RowsResult;
  info: FilingInfo | null;
  forms?: FormRows;
  /** As coverage stores it; null: the service gave none */
  etag: string | null;
  /** Hash of the rows. */
  content: string;
}

export interface StepRequest extends FormRequest {
  /** A longer document is not converted to rows. */
  bytesMax?: number | undefined;
  /** Bytes of the document, if the service stated them before. */
  size?: number | null;
  /** The ETag in coverage: only another answer is wanted. */
  etag?: string;
}

/** @returns null if the answer is still that of `etag`. @throws errors of the client; DocumentTooLargeError */
export async function requestStep(
  client: FilingClient,
  filing: Pick<Filing, 'accession_number'> & Partial<Pick<Filing, 'documents' | 'filing_date'>>,
  step: Step,
  request: StepRequest = {},
): Promise<StepAnswer | null> {
  try {
    return await answerOf(client, filing, step, request);
  } catch (error) {
    if (error instanceof UnchangedError) return null;
    throw error;
  }
}

async function answerOf(
  client: FilingClient,
  { accession_number, documents = [], filing_date = null }: Parameters<typeof requestStep>[1],
  step: Step,
  { onLarge, received, etag, size = null, bytesMax = Number.POSITIVE_INFINITY }: StepRequest,
): Promise<StepAnswer | null> {
  if ('gone' in step) return answered({}, { rows: {}, violations: [] });
  const call = { ...(onLarge ? { onLarge } : {}), ...(etag === undefined ? {} : { etag }) };
  if (step.step === 'info') {
    const { value, ...answer } = await client.filingInfo(accession_number, etag === undefined ? {} : { etag });
    return answered(
      answer,
      madeOf('filing_info', accession_number, () => rowsOf('info', value)),
      value,
    );
  }
  if (step.step === 'sections') {
    const form_type = 'form_type' in step ? step.form_type : '10-K';
    const { value, ...answer } = await client.filingSections({ accession_number, form_type }, call);
    return answered(
      answer,
      madeOf('filing_sections', accession_number, () =>
        rowsOf('sections', withTexts(value, step.selector, filing_date)),
      ),
    );
  }
  if (step.step === 'forms') {
    const forms = await requestForms(client, accession_number, step, { ...call, ...(received ? { received } : {}) });
    return forms && { result: { rows: {}, violations: [] }, info: null, ...forms };
  }
  const { document_id, output_format } = step as Extract<Step, { document_id: string }>;
  const known = documents.find((one) => one.document_id === document_id);
  const { value, ...answer } = await askDocument(client, document_id, output_format, {
    ...known,
    size: known?.size ?? size,
    ...call,
  });
  const bytes = bytesOfAnswer(value);
  if (bytes > bytesMax) throw new DocumentTooLargeError(document_id, bytes, bytesMax);
  return answered(
    answer,
    // Bytes have no type with them: the lookup's list says what a report is.
    madeOf('document', document_id, () =>
      rowsOf('document', withReading({ ...value, type: value.type ?? known?.type ?? null }, step.selector)),
    ),
  );
}

function answered({ etag }: { etag?: string | null }, result: RowsResult, info: FilingInfo | null = null): StepAnswer {
  return { result, info, etag: storableEtag(etag), content: contentHashOf(result.rows) };
}

/** Sends the request of a step again, and drops its answer. Of several documents the first is requested. */
export async function askAgain(
  client: FilingClient,
  filing: Parameters<typeof requestStep>[1],
  step: Step,
): Promise<void> {
  const first = step.step === 'forms' ? step.documents[0] : undefined;
  if (first === undefined) await requestStep(client, filing, step);
  else await client.document({ document_id: first.document_id, output_format: 'raw' }, { known: first });
}

/** Readable texts for the sections' HTML. */
function withTexts({ accession_number, sections }: FilingSections, selector: string, filingDate: string | null) {
  const read = readSections(
    // Some services write "" for what has no value.
    sections.map(({ section, html, substance_html }) => ({ section, html: substance_html || html })),
    {
      format: formatOf(selector),
      structure: tablesOfSections(selector).length > 1,
      filingDate,
    },
  );
  return { accession_number, sections: sections.map((section, i) => ({ ...section, ...read[i]! })) };
}

function formatOf(selector: string): TextFormat {
  return formatOfWords(selector.split(','));
}

/** What the selector asks to be made of a document's text. */
function withReading(document: ContentRecord, selector: string): ContentRecord {
  const { content, content_type, encoding } = document;
  if (encoding !== 'utf-8' || typeof content !== 'string' || !isTextual(content_type)) return document;
  const format = formatOf(selector);
  const made = {
    chunks: makesOfDocument(selector, 'chunks'),
    headings: makesOfDocument(selector, 'document_headings'),
    tables: makesOfDocument(selector, 'document_tables'),
  };
  const text = makesOfDocument(selector, 'text');
  const read =
    made.chunks || made.headings || made.tables || (text && format !== 'plain')
      ? readParts(content, content_type, { type: document.type, format, ...made })
      : null;
  return {
    ...document,
    ...(read === null ? {} : { chunks: read.chunks, headings: read.headings, tables: read.tables }),
    ...(text ? { text: read?.text ?? readableText(content, content_type) } : {}),
    ...(makesOfDocument(selector, 'annual_report') ? { report_sections: reportSections(content, format) } : {}),
  };
}

function reportSections(content: string, format: TextFormat): ReportSection[] {
  const found = findAnnualReportSections(content);
  const html = sectionsHtml(content, found);
  const texts = sectionTexts(html, format);
  return found.map(({ section, title, heading, start_index, end_index }, i) => ({
    section,
    title,
    heading,
    start_index,
    end_index,
    html: html[i]!,
    text: texts[i]!,
  }));
}

/** An answer that can't be converted to rows is a failure of this record alone. */
function madeOf(operation: string, subject: string, make: () => RowsResult): RowsResult {
  try {
    return make();
  } catch (error) {
    throw new ContractViolationError(operation, { path: 'the answer', value: null, subject }, messageOf(error));
  }
}

/** XML that can't be converted is stored as XML. */
async function askDocument(
  client: FilingClient,
  document_id: string,
  output_format: 'raw' | 'json',
  { filename, size, ...call }: KnownOfDocument & Pick<CallOptions, 'onLarge' | 'etag'>,
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

/** Turns the bytes of a submission into all that the catalog stores of it. Pure: no files; runs in worker threads. */
import { hash } from 'node:crypto';
import {
  type AccessionNumber,
  type DocumentReference,
  documentId,
  type EightKItem,
  type Filing,
  type FilingInfo,
  isEightK,
  type Party,
  type SectionIndex,
  sectionFamily,
} from '../../filings/api/index.ts';
import {
  type DocumentLines,
  decodeText,
  eightKItems,
  findSections,
  isTextual,
  mediaType,
  readDocument,
  textOf,
} from '../../filings/documents/index.ts';
import {
  COMPLETE_SIZE,
  DOCUMENTS_AT_HAND,
  primaryFiler,
  readSubmission,
  type Submission,
  type SubmissionDocument,
} from '../../filings/edgar/index.ts';
import { isSearched } from './index-rules.ts';
import { compress } from './packs/frames.ts';
import { type EdgarState, NO_STATE, storeInfo } from './packs/stored-info.ts';
import { ALL_STEPS, type ParseSteps } from './parse-steps.ts';
import { filingRevision } from './revision.ts';

interface ParsedDocument {
  sequence: number;
  type: string | null;
  filename: string | null;
  description: string | null;
  contentType: string;
  /** Bytes as EDGAR publishes the file (docs/api.md#document) */
  size: number;
  sha256: Uint8Array;
  /** Position of its zstd frame in `frames` */
  offset: number;
  length: number;
  /** Position of the readable text in `texts`, if full text covers the document */
  text: { start: number; end: number } | null;
  /** Position of the text's frame: the document's own if both are equal */
  textOffset: number | null;
  textLength: number | null;
}

export interface ParsedFiling {
  accession: AccessionNumber;
  dialect: Submission['dialect'];
  dissemination: Submission['dissemination'];
  formType: string;
  filingDate: string;
  acceptance: string | null;
  size: number;
  /** Digest of the whole original submission */
  sha256: Uint8Array;
  entityName: string | null;
  /** Whether the header has series and classes of a fund */
  hasSeries: boolean;
  parties: Party[];
  /** Numbers of the 8-K items */
  items: string[];
  /** Changes when answers about the filing change */
  revision: string;
  /** JSON text of the Filing record */
  record: string;
  /** The FilingInfo record, as stored-info.ts has it */
  info: Uint8Array;
  documents: ParsedDocument[];
  /** zstd frames of all documents and texts, one after another */
  frames: Uint8Array;
  /** The readable texts in UTF-8, one after another: FTS5 takes them as they are */
  texts: Uint8Array;
  warnings: string[];
}

/** A text of the header: '' is not a value (docs/api.md#answers). */
function valueOrNull(text: string | null): string | null {
  return text === null || text.trim() === '' ? null : text;
}

/** @param steps some may be left out, that took too long @throws SubmissionError: nothing is stored */
export function parseFiling(bytes: Buffer, sha256: Uint8Array, steps: ParseSteps = ALL_STEPS): ParsedFiling {
  const submission = readSubmission(bytes);
  const accession = submission.accessionNumber;
  const frames: Buffer[] = [];
  let framesLength = 0;
  const addFrame = (content: Uint8Array) => {
    const frame = compress(content);
    frames.push(frame);
    framesLength += frame.length;
    return { offset: framesLength - frame.length, length: frame.length };
  };
  const textPieces: Buffer[] = [];
  let textsLength = 0;
  let mainText: string | null = null;
  let mainLines: DocumentLines | null = null;
  const main = mainDocumentOf(submission);
  const documents = submission.documents.map((document, index): ParsedDocument => {
    const content = document.read();
    const type = valueOrNull(document.type);
    const contentType = mediaType({ filename: document.filename, type: document.type }, content);
    const placed = addFrame(content);
    const parsed: ParsedDocument = {
      sequence: document.sequence,
      type,
      filename: valueOrNull(document.filename),
      description: valueOrNull(document.description),
      contentType,
      size: content.length,
      sha256: hash('sha256', content, 'buffer'),
      ...placed,
      text: null,
      textOffset: null,
      textLength: null,
    };
    if (!isTextual(contentType)) return parsed;
    const searched = isSearched(parsed, contentType, content.toString('latin1', 0, 4096));
    if (!searched && document !== main) return parsed;
    const decoded = decodeText(content);
    if (document === main) mainText = decoded.text;
    if (!searched || !steps.begin({ kind: 'text', index })) return parsed;
    const lines = readDocument(decoded.text, contentType);
    if (document === main) mainLines = lines;
    const readable = textOf(lines);
    const same = readable === decoded.text && decoded.encoding === 'utf-8';
    steps.begin({ kind: 'submission' });
    const text = same ? content : Buffer.from(readable, 'utf8');
    const textFrame = same ? placed : addFrame(text);
    textPieces.push(text);
    textsLength += text.length;
    parsed.text = { start: textsLength - text.length, end: textsLength };
    parsed.textOffset = textFrame.offset;
    parsed.textLength = textFrame.length;
    return parsed;
  });
  const warnings = submission.warnings.map((warning) => `${warning.message} (at byte ${warning.offset})`);
  const references = documents.map((document) => referenceOf(accession, document));
  const found = structureOf(submission, { text: mainText, lines: mainLines }, references, warnings, steps);
  const goesBy = primaryFiler(submission.parties);
  const head = {
    accession_number: accession,
    cik: goesBy?.cik ?? null,
    entity_name: valueOrNull(goesBy?.name ?? null),
    form_type: submission.formType,
    filing_date: submission.filingDate,
    acceptance_datetime: submission.acceptanceDatetime,
    report_date: submission.reportDate,
  };
  const filing: Omit<Filing, 'revision'> = {
    accession_number: head.accession_number,
    cik: head.cik,
    form_type: head.form_type,
    filing_date: head.filing_date,
    acceptance_datetime: head.acceptance_datetime,
    entity_name: head.entity_name,
    report_date: head.report_date,
    size: sizeOf(submission),
    documents: references.map(({ size: _, ...reference }) => reference),
  };
  const notRead: NonNullable<FilingInfo['not_read']> = steps.leftOut.map((step) => ({
    part: step.kind,
    document_id: step.kind === 'text' ? references[step.index]!.document_id : (references[0]?.document_id ?? null),
    reason: 'it took too long to read',
  }));
  if (headerField(submission, DOCUMENTS_AT_HAND) === 'some')
    notRead.push({ part: 'documents', document_id: null, reason: 'only single documents of the filing were ingested' });
  for (const { part, document_id } of notRead.filter(({ part }) => part !== 'documents'))
    warnings.push(`${part} of ${document_id} left out: it took too long to read`);
  const info: Omit<FilingInfo, 'revision' | keyof EdgarState> = {
    ...head,
    documents: references,
    ...found,
    parties: submission.parties,
    ...(submission.series.length > 0 ? { series: submission.series } : {}),
    ...(notRead.length > 0 ? { not_read: notRead } : {}),
  };
  const texts = joined(textPieces, textsLength);
  const infoText = JSON.stringify(info);
  const hasSections = sectionFamily(submission.formType) !== null;
  const revision = filingRevision({ info: infoText, documents, texts, hasSections });
  return {
    accession,
    dialect: submission.dialect,
    dissemination: submission.dissemination,
    formType: submission.formType,
    filingDate: submission.filingDate,
    acceptance: submission.acceptanceDatetime,
    size: sizeOf(submission),
    sha256,
    entityName: head.entity_name,
    hasSeries: submission.series.length > 0,
    parties: submission.parties,
    items: [...new Set((found.items_8k ?? []).map((item) => item.item))],
    revision,
    record: withRevision(JSON.stringify(filing), revision),
    info: storeInfo(withRevision(`${infoText.slice(0, -1)}${NO_TIMES}}`, revision)),
    documents,
    frames: joined(frames, framesLength),
    texts,
    warnings,
  };
}

/** The revision does not say when EDGAR was asked. */
const NO_TIMES = `,${JSON.stringify(NO_STATE).slice(1, -1)}`;

function withRevision(record: string, revision: string): string {
  return `${record.slice(0, -1)},"revision":"${revision}"}`;
}

function headerField({ otherFields }: Submission, name: string): string | null {
  return otherFields.find((field) => field.name === name)?.value ?? null;
}

/** Of loose documents, SEC's record may have the size of the complete submission. */
function sizeOf(submission: Submission): number {
  return Number(headerField(submission, COMPLETE_SIZE) ?? submission.size);
}

/** In memory of its own, so that a thread can hand it over. */
function joined(pieces: readonly Buffer[], length: number): Buffer {
  const whole = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const piece of pieces) at += piece.copy(whole, at);
  return whole;
}

/** The first in sequence: the form itself. */
function mainDocumentOf(submission: Submission): SubmissionDocument | null {
  return submission.documents.reduce<SubmissionDocument | null>(
    (first, document) => (first === null || document.sequence < first.sequence ? document : first),
    null,
  );
}

function referenceOf(accession: AccessionNumber, document: ParsedDocument): DocumentReference & { size: number } {
  return {
    document_id: documentId(accession, document.sequence),
    sequence: document.sequence,
    filename: document.filename,
    description: document.description,
    type: document.type,
    size: document.size,
  };
}

/** Sections and items. If an extractor fails, the filing is stored without them, with a warning. */
function structureOf(
  submission: Submission,
  main: { text: string | null; lines: DocumentLines | null },
  documents: DocumentReference[],
  warnings: string[],
  steps: ParseSteps,
): { sections: SectionIndex[]; items_8k: EightKItem[] | null } {
  const { formType, filingDate } = submission;
  let sections: SectionIndex[] = [];
  const { text, lines } = main;
  if (text !== null && sectionFamily(formType) !== null && steps.begin({ kind: 'sections' })) {
    try {
      sections = findSections(text, formType, { filingDate, lines }).map((found) => ({
        section: found.section,
        title: found.title,
        heading: found.heading,
        start_index: found.start_index,
        end_index: found.end_index,
        document_id: documentId(submission.accessionNumber, mainDocumentOf(submission)!.sequence),
        by_reference: found.by_reference,
        kind: found.kind,
        substance_start: found.substance_start,
        substance_end: found.substance_end,
      }));
    } catch (error) {
      warnings.push(`sections could not be found: ${(error as Error).message}`);
    }
  }
  if (!isEightK(formType)) return { sections, items_8k: null };
  if (!steps.begin({ kind: 'items_8k' })) return { sections, items_8k: [] };
  try {
    const items = eightKItems({ formType, filingDate, headerItems: submission.items, text, lines, documents });
    return { sections, items_8k: items };
  } catch (error) {
    warnings.push(`8-K items could not be found: ${(error as Error).message}`);
    return { sections, items_8k: [] };
  }
}

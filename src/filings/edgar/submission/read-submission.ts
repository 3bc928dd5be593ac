/** The reader of complete submissions, both dialects. */
import type { RecordKind } from '../reading/file-kind.ts';
import { isLineStart, type Line, linesOf } from '../reading/lines.ts';
import { findDocument, readDocumentBlocks } from './document-blocks.ts';
import { describeDocuments } from './documents.ts';
import { readHeader } from './header.ts';
import { headerTree } from './header-tree.ts';
import type { Submission, Warning } from './submission.ts';
import { SubmissionError } from './submission-error.ts';
import { checkTail, findMarkers, type SubmissionMarkers } from './submission-markers.ts';

/**
 * Reads a complete submission: the header, and the position of each document. Contents are decoded when a document is read. They
 * are views of `bytes` unless uuencoded, so `bytes` must not be changed.
 *
 * Throws SubmissionError, with byte offset and reason, for anything that is not a whole submission; there is no half result.
 */
export function readSubmission(bytes: Buffer): Submission {
  const warnings: Warning[] = [];
  const markers = findMarkers(bytes);
  const bodyStart = findBody(bytes, markers);
  const tree = headerTree(headerLines(bytes, markers, bodyStart, warnings), warnings);
  const header = readHeader(tree, markers.start, warnings);
  if (markers.accessionNumber !== null && markers.accessionNumber !== header.accessionNumber) {
    const message = `the first line names ${markers.accessionNumber}, the header ${header.accessionNumber}`;
    warnings.push({ message, offset: markers.start });
  }
  const { blocks, end } = readDocumentBlocks(bytes, bodyStart, markers.closingTag, warnings);
  checkTail(bytes, end, markers, warnings);
  const documents = describeDocuments(bytes, blocks, warnings);
  const paper = header.paper || documents.some((document) => document.filename?.endsWith('.paper'));
  if (documents.length === 0 && !paper && header.dissemination !== 'deletion') {
    warnings.push({ message: 'there are no documents', offset: bodyStart });
  }
  return { dialect: markers.dialect, ...header, paper, size: bytes.length, documents, warnings };
}

/** Start of the documents; if there are none, the closing tag. */
function findBody(bytes: Buffer, { dialect, headerStart, closingTag }: SubmissionMarkers): number {
  const document = dialect === 'header' ? -1 : findDocument(bytes, headerStart);
  if (document >= 0) return document;
  const closing = bytes.indexOf(closingTag, headerStart, 'latin1');
  if (closing >= 0 && isLineStart(bytes, closing)) return closing;
  const missing = dialect === 'header' ? closingTag : `a document and ${closingTag}`;
  throw new SubmissionError('submission-truncated', `the file ends before ${missing}`, bytes.length);
}

export const submissionKind: RecordKind<'submission', Submission> = {
  name: 'submission',
  recognise: ({ name, text }) =>
    /^(-----BEGIN PRIVACY-ENHANCED MESSAGE-----|<(SEC-DOCUMENT|IMS-DOCUMENT|SUBMISSION)>)/.test(text) ||
    // EDGAR's folder of a filing has the header of a whole submission in such a file.
    (/^<(SEC|IMS)-HEADER>/.test(text) && !/\.hdr\.sgml$/i.test(name)),
  read: readSubmission,
};

const HEADER_TAG = /^\s*<(\/?)(?:SEC|IMS)-HEADER>/;
/** Tags that only documents have: one before the first `<DOCUMENT>` means that that tag is damaged. */
const DOCUMENT_TAG = /^<(?:SEQUENCE|FILENAME|TEXT|\/TEXT|\/DOCUMENT)>/;

/** The lines of the header, without the tags around it; they end at `to`, the start of the documents. Throws SubmissionError. */
function headerLines(bytes: Buffer, markers: SubmissionMarkers, to: number, warnings: Warning[]): Line[] {
  const lines: Line[] = [];
  let isClosed = false;
  for (const line of linesOf(bytes, markers.headerStart, to)) {
    const tag = HEADER_TAG.exec(line.text);
    if (DOCUMENT_TAG.test(line.text) || (isClosed && line.text.trim() !== '')) {
      const found = JSON.stringify(line.text.slice(0, 30));
      throw new SubmissionError('submission-broken', `${found} stands before the first <DOCUMENT>`, line.offset);
    }
    if (!tag) lines.push(line);
    else if (tag[1]) isClosed = true;
  }
  if (!isClosed && markers.dialect === 'txt') warnings.push({ message: 'the header has no </SEC-HEADER>', offset: to });
  return lines;
}

/** The reader of complete submissions, both dialects. */

import { isLineStart } from '../lines.ts';
import { findDocument, readDocumentBlocks } from './document-blocks.ts';
import { describeDocuments } from './documents.ts';
import { readHeader } from './header.ts';
import { headerLines } from './header-lines.ts';
import { headerTree } from './header-tree.ts';
import type { Submission, Warning } from './submission.ts';
import { SubmissionError } from './submission-error.ts';
import { checkTail, type Envelope, openEnvelope } from './submission-markers.ts';

/**
 * Reads a complete submission: the header, and where each document lies. Contents are decoded when a document is read; they are
 * views of `bytes` unless uuencoded, so `bytes` must not be changed.
 *
 * Throws SubmissionError, with byte offset and reason, for anything that is not a whole submission; there is no half result.
 */
export function readSubmission(bytes: Buffer): Submission {
  const warnings: Warning[] = [];
  const envelope = openEnvelope(bytes);
  const bodyStart = findBody(bytes, envelope);
  const tree = headerTree(headerLines(bytes, envelope, bodyStart, warnings), warnings);
  const header = readHeader(tree, envelope.start, warnings);
  if (envelope.accessionNumber !== null && envelope.accessionNumber !== header.accessionNumber) {
    const message = `the first line names ${envelope.accessionNumber}, the header ${header.accessionNumber}`;
    warnings.push({ message, offset: envelope.start });
  }
  const { blocks, end } = readDocumentBlocks(bytes, bodyStart, envelope.closingTag, warnings);
  checkTail(bytes, end, envelope, warnings);
  const documents = describeDocuments(bytes, blocks, warnings);
  const paper = header.paper || documents.some((document) => document.filename?.endsWith('.paper'));
  if (documents.length === 0 && !paper && header.dissemination !== 'deletion') {
    warnings.push({ message: 'there are no documents', offset: bodyStart });
  }
  return { dialect: envelope.dialect, ...header, paper, size: bytes.length, documents, warnings };
}

/** Where the documents begin; where there are none, the closing tag. */
function findBody(bytes: Buffer, { headerStart, closingTag }: Envelope): number {
  const document = findDocument(bytes, headerStart);
  if (document >= 0) return document;
  const closing = bytes.indexOf(closingTag, headerStart, 'latin1');
  if (closing >= 0 && isLineStart(bytes, closing)) return closing;
  throw new SubmissionError('submission-truncated', `the file ends before a document and ${closingTag}`, bytes.length);
}

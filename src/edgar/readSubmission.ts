/** The reader of complete submissions, both dialects. */
import { type DocumentBlock, findDocument, readDocumentBlocks } from './documentBlocks.ts';
import { type Envelope, openEnvelope } from './envelope.ts';
import { type Header, readHeader } from './header.ts';
import { headerTree } from './headerTree.ts';
import { isLineStart, type Line, linesOf, skipSpace } from './lines.ts';
import { numberDocuments } from './numbering.ts';
import type { Submission, SubmissionDocument, Warning } from './submission.ts';
import { SubmissionError } from './submissionError.ts';
import { findUuencoded, uudecode } from './uuencode.ts';
import { unwrap } from './wrapper.ts';

/**
 * Reads a complete submission: the header, and where each document lies. Contents are decoded when a document is read; they are
 * views of `bytes` unless uuencoded, so `bytes` must not be changed.
 *
 * Throws SubmissionError, with byte offset and reason, for anything that is not a whole submission; there is no half result.
 */
export function readSubmission(bytes: Buffer): Submission {
  const envelope = openEnvelope(bytes);
  const warnings: Warning[] = [];
  const bodyStart = findBody(bytes, envelope);
  const header = readHeaderPart(bytes, envelope, bodyStart, warnings);
  const { blocks, end } = readDocumentBlocks(bytes, bodyStart, envelope.closingTag, warnings);
  if (blocks.length === 0 && !header.paper && header.dissemination !== 'deletion') {
    warnings.push({ message: 'there are no documents', offset: bodyStart });
  }
  checkTail(bytes, end, warnings);
  return {
    dialect: envelope.dialect,
    ...header,
    size: bytes.length,
    documents: describeDocuments(bytes, blocks, warnings),
    warnings,
  };
}

/** Where the documents begin; where there are none, the closing tag. */
function findBody(bytes: Buffer, envelope: Envelope): number {
  const document = findDocument(bytes, envelope.headerStart);
  if (document >= 0) return document;
  for (
    let at = bytes.indexOf(envelope.closingTag, envelope.headerStart);
    at >= 0;
    at = bytes.indexOf(envelope.closingTag, at + 1)
  ) {
    if (isLineStart(bytes, at)) return at;
  }
  throw new SubmissionError(
    'submission-truncated',
    `the file ends before a document and ${envelope.closingTag}`,
    bytes.length,
  );
}

const HEADER_TAG = /^\s*<(\/?)(?:SEC|IMS)-HEADER>/;

function readHeaderPart(bytes: Buffer, envelope: Envelope, to: number, warnings: Warning[]): Header {
  const lines: Line[] = [];
  let isClosed = envelope.dialect === 'nc';
  for (const line of linesOf(bytes, envelope.headerStart, to)) {
    const tag = HEADER_TAG.exec(line.text);
    if (!tag) lines.push(line);
    else if (tag[1]) isClosed = true;
  }
  if (!isClosed) warnings.push({ message: 'the header has no </SEC-HEADER>', offset: to });
  return readHeader(headerTree(lines, warnings), envelope.start, warnings);
}

/** Behind the closing tag only the end of the PEM envelope may stand. */
function checkTail(bytes: Buffer, end: number, warnings: Warning[]): void {
  const tail = skipSpace(bytes, end, bytes.length);
  if (tail === bytes.length || bytes.toString('latin1', tail).trim() === '-----END PRIVACY-ENHANCED MESSAGE-----')
    return;
  warnings.push({ message: 'something stands behind the end of the submission', offset: tail });
}

const SHOWN = new Set(['TYPE', 'SEQUENCE', 'FILENAME', 'DESCRIPTION']);

function describeDocuments(bytes: Buffer, blocks: DocumentBlock[], warnings: Warning[]): SubmissionDocument[] {
  const value = (block: DocumentBlock, name: string) => block.tags.find((tag) => tag.name === name)?.value || null;
  const numbers = numberDocuments(blocks.map((block) => value(block, 'SEQUENCE') ?? undefined));
  const filenames = new Set<string>();
  return blocks.map((block, i) => {
    const { sequence, problem } = numbers[i]!;
    const warn = (message: string) =>
      warnings.push({ message: `document ${sequence}: ${message}`, offset: block.start });
    if (problem !== null) warn(`${problem}; it is numbered ${sequence}`);
    const type = value(block, 'TYPE');
    if (type === null) warn('there is no type');
    const filename = value(block, 'FILENAME');
    if (filename !== null && filenames.has(filename)) warn(`another document is called '${filename}' too`);
    if (filename !== null) filenames.add(filename);
    return {
      sequence,
      type: type ?? '',
      filename,
      description: value(block, 'DESCRIPTION'),
      otherFields: block.tags.filter(
        (tag, at) => !SHOWN.has(tag.name) || block.tags.findIndex((t) => t.name === tag.name) < at,
      ),
      ...locateContent(bytes, block, warn),
    };
  });
}

function locateContent(
  bytes: Buffer,
  block: DocumentBlock,
  warn: (message: string) => void,
): Pick<SubmissionDocument, 'kind' | 'wrapper' | 'offset' | 'read'> {
  const { wrapper, start, end } = unwrap(bytes, block.bodyStart, block.bodyEnd);
  const uuencoded = findUuencoded(bytes, start, end);
  if (uuencoded === null) return { kind: 'text', wrapper, offset: start, read: () => bytes.subarray(start, end) };
  const { dataStart, dataEnd, behindEnd } = uuencoded;
  if (behindEnd === null) warn("its uuencoded data have no 'end'");
  else if (skipSpace(bytes, behindEnd, end) < end)
    warn("something stands behind the 'end' of its uuencoded data and is left out");
  return { kind: 'uuencoded', wrapper, offset: start, read: () => uudecode(bytes, dataStart, dataEnd) };
}

/** Describes the documents of a submission from their places in the file. */
import { skipSpace } from '../reading/lines.ts';
import type { DocumentBlock } from './document-blocks.ts';
import { numberDocuments } from './document-sequence.ts';
import type { SubmissionDocument, Warning } from './submission.ts';
import { findUuencoded, uudecode } from './uuencode.ts';
import { unwrap } from './wrapper.ts';

type Warn = (message: string) => void;

/** Describes the documents in the file's order; nothing is decoded before a document is read. */
export function describeDocuments(bytes: Buffer, blocks: DocumentBlock[], warnings: Warning[]): SubmissionDocument[] {
  const tagged = blocks.map(readTags);
  const numbers = numberDocuments(tagged.map((tags) => tags.sequence));
  const filenames = new Set<string>();
  return blocks.map((block, i) => {
    const { type, filename, description, otherFields } = tagged[i]!;
    const { sequence, problem } = numbers[i]!;
    const warn: Warn = (message) => {
      warnings.push({ message: `document ${sequence}: ${message}`, offset: block.start });
    };
    if (problem !== null) warn(`${problem}; it is numbered ${sequence}`);
    if (type === null) warn('it has no type');
    if (filename !== null && filenames.has(filename)) warn(`another one is called '${filename}' too`);
    if (filename !== null) filenames.add(filename);
    return { sequence, type: type ?? '', filename, description, otherFields, ...locateContent(bytes, block, warn) };
  });
}

interface DocumentTags {
  type: string | null;
  sequence: string | null;
  filename: string | null;
  description: string | null;
  otherFields: SubmissionDocument['otherFields'];
}

const SHOWN = { TYPE: 'type', SEQUENCE: 'sequence', FILENAME: 'filename', DESCRIPTION: 'description' } as const;

function isShown(name: string): name is keyof typeof SHOWN {
  return Object.hasOwn(SHOWN, name);
}

/** A repeated tag counts once; the second is stored among the others. */
function readTags(block: DocumentBlock): DocumentTags {
  const read: DocumentTags = { type: null, sequence: null, filename: null, description: null, otherFields: [] };
  for (const tag of block.tags) {
    if (isShown(tag.name) && read[SHOWN[tag.name]] === null) read[SHOWN[tag.name]] = tag.value || null;
    else read.otherFields.push(tag);
  }
  return read;
}

function locateContent(
  bytes: Buffer,
  block: DocumentBlock,
  warn: Warn,
): Pick<SubmissionDocument, 'kind' | 'wrapper' | 'offset' | 'read'> {
  const { wrapper, start, end } = unwrap(bytes, block.bodyStart, block.bodyEnd);
  const uuencoded = findUuencoded(bytes, start, end);
  if (uuencoded === null) return { kind: 'text', wrapper, offset: start, read: () => bytes.subarray(start, end) };
  const { dataStart, dataEnd, behindEnd } = uuencoded;
  if (behindEnd === null) warn("its uuencoded data have no 'end'");
  else if (skipSpace(bytes, behindEnd, end) < end) warn("the text after the 'end' of its uuencoded data is left out");
  return { kind: 'uuencoded', wrapper, offset: start, read: () => uudecode(bytes, dataStart, dataEnd) };
}

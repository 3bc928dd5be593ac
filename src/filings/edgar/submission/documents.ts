/** Describes the documents of a submission from their places in the file. */
import { isLineEnd, isLineStart, skipLineEnd, skipSpace, skipSpaceBack, startsWith } from '../reading/lines.ts';
import type { DocumentBlock } from './document-blocks.ts';
import type { SubmissionDocument, Warning } from './submission.ts';
import { findUuencoded, uudecode } from './uuencode.ts';

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

/** From 1. Document ids have nine digits. One digit less leaves room for the numbers assigned here. */
const SEQUENCE = /^0*([1-9]\d{0,7})$/;

interface Numbered {
  sequence: number;
  /** Why EDGAR's number was not kept; null if it was. */
  problem: string | null;
}

/** A document whose number is missing, invalid or taken gets the next one above the highest of the submission. */
function numberDocuments(sequences: readonly (string | null)[]): Numbered[] {
  const given = sequences.map((text) => Number(SEQUENCE.exec(text ?? '')?.[1] ?? 0));
  let highest = given.reduce((most, number) => Math.max(most, number), 0);
  const taken = new Set<number>();
  return given.map((number, i) => {
    if (number > 0 && !taken.has(number)) {
      taken.add(number);
      return { sequence: number, problem: null };
    }
    highest += 1;
    return { sequence: highest, problem: number > 0 ? `sequence ${number} is taken` : notANumber(sequences[i]!) };
  });
}

function notANumber(sequence: string | null): string {
  return sequence === null ? 'it has no sequence' : `sequence '${sequence}' is not a number from 1`;
}

/** A fixed list: `<HTML>` or `<PAGE>` on the first line belong to the document. */
const NAMES = ['XML', 'XBRL', 'PDF', 'ZIP', 'EXCEL', 'JSON'] as const;

interface Content {
  wrapper: string | null;
  start: number;
  end: number;
}

/** Takes the wrapper off a body that begins and ends with such a pair of lines: the line end before the closing tag stays with the content. */
function unwrap(bytes: Buffer, start: number, end: number): Content {
  const wrapper = NAMES.find((name) => startsWith(bytes, `<${name}>`, start));
  if (wrapper === undefined) return { wrapper: null, start, end };
  const behindTag = start + wrapper.length + 2;
  const closing = skipSpaceBack(bytes, end, behindTag) - wrapper.length - 3;
  const contentStart = skipLineEnd(bytes, behindTag);
  const isPair =
    isLineEnd(bytes, behindTag) &&
    closing >= contentStart &&
    startsWith(bytes, `</${wrapper}>`, closing) &&
    isLineStart(bytes, closing);
  return isPair ? { wrapper, start: contentStart, end: closing } : { wrapper: null, start, end };
}

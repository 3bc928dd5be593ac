/** Finds the documents of a submission by their tags. Bodies are never read line by line: one search for the tags skips them. */
import {
  findLineEnd,
  isLineEnd,
  isLineStart,
  skipBlanks,
  skipLineEnd,
  skipSpace,
  skipSpaceBack,
  startsWith,
} from '../reading/lines.ts';
import { headerText } from './header-text.ts';
import type { Warning } from './submission.ts';
import { SubmissionError } from './submission-error.ts';

export interface DocumentBlock {
  /** Byte offset of `<DOCUMENT>`. */
  start: number;
  /** Tags between `<DOCUMENT>` and `<TEXT>`, in order. */
  tags: { name: string; value: string }[];
  /** The body: from after `<TEXT>` and one line end to the `</TEXT>` before `</DOCUMENT>`. */
  bodyStart: number;
  bodyEnd: number;
}

const OPEN = '<DOCUMENT>';
const CLOSE = '</DOCUMENT>';
const TEXT_OPEN = '<TEXT>';
const TEXT_CLOSE = '</TEXT>';
/** Part of both tags of a document. Up to seven bytes V8 searches by memchr, three times as fast as for more. */
const NEEDLE = 'DOCUMEN';

/** The offset of the first `<DOCUMENT>` line at or after `from`, or -1. */
export function findDocument(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(NEEDLE, from, 'latin1'); at >= 0; at = bytes.indexOf(NEEDLE, at + 1, 'latin1')) {
    if (startsWith(bytes, OPEN, at - 1) && isLineStart(bytes, at - 1) && at > from) return at - 1;
  }
  return -1;
}

/**
 * Reads the documents from `start` (a `<DOCUMENT>`) up to the submission's closing tag.
 * Only white space is allowed between documents: a damaged tag must not swallow or drop a document silently.
 */
export function readDocumentBlocks(
  bytes: Buffer,
  start: number,
  closingTag: string,
  warnings: Warning[],
): { blocks: DocumentBlock[]; end: number } {
  const blocks: DocumentBlock[] = [];
  let at = start;
  while (startsWith(bytes, OPEN, at)) {
    const { block, end } = readDocumentBlock(bytes, at, blocks.length + 1, closingTag, warnings);
    blocks.push(block);
    at = skipSpace(bytes, end, bytes.length);
  }
  if (startsWith(bytes, closingTag, at)) return { blocks, end: at + closingTag.length };
  if (at >= bytes.length || isPrefixOfTag(bytes, at, closingTag) || isPrefixOfTag(bytes, at, OPEN)) {
    throw new SubmissionError('submission-truncated', `the file ends without ${closingTag}`, bytes.length);
  }
  const found = JSON.stringify(bytes.toString('latin1', at, at + 30));
  const reason = `document ${blocks.length} is followed by ${found} in place of <DOCUMENT> or ${closingTag}`;
  throw new SubmissionError('submission-broken', reason, at);
}

/** Whether the bytes end within this tag. */
function isPrefixOfTag(bytes: Buffer, at: number, tag: string): boolean {
  const rest = bytes.length - at;
  return rest < tag.length && startsWith(bytes, tag.slice(0, rest), at);
}

function readDocumentBlock(
  bytes: Buffer,
  start: number,
  ordinal: number,
  closingTag: string,
  warnings: Warning[],
): { block: DocumentBlock; end: number } {
  const tags: DocumentBlock['tags'] = [];
  let at = skipLineEnd(bytes, start + OPEN.length);
  while (at < bytes.length && !startsWith(bytes, TEXT_OPEN, at)) {
    if (startsWith(bytes, CLOSE, at)) {
      warnings.push({ message: `document ${ordinal} has no <TEXT>`, offset: start });
      return { block: { start, tags, bodyStart: at, bodyEnd: at }, end: at + CLOSE.length };
    }
    if (startsWith(bytes, TEXT_CLOSE, at) || startsWith(bytes, OPEN, at)) {
      throw new SubmissionError('submission-broken', `document ${ordinal} has no <TEXT>`, start);
    }
    const lineEnd = findLineEnd(bytes, at, bytes.length);
    readTag(bytes.toString('latin1', at, lineEnd), at, tags, ordinal, warnings);
    at = skipLineEnd(bytes, lineEnd);
  }
  if (at >= bytes.length) {
    throw new SubmissionError(
      'submission-truncated',
      `the file ends before the <TEXT> of document ${ordinal}`,
      bytes.length,
    );
  }
  const bodyStart = skipLineEnd(bytes, at + TEXT_OPEN.length);
  const { bodyEnd, end } = findBodyEnd(bytes, bodyStart, ordinal, start, closingTag);
  return { block: { start, tags, bodyStart, bodyEnd }, end };
}

function readTag(
  line: string,
  offset: number,
  tags: DocumentBlock['tags'],
  ordinal: number,
  warnings: Warning[],
): void {
  if (line.trim() === '') return;
  const tag = /^\s*<([^>]+)>(.*)$/s.exec(line);
  if (tag) tags.push({ name: tag[1]!, value: headerText(tag[2]!) });
  else {
    warnings.push({ message: `a line before the <TEXT> of document ${ordinal} is not a tag`, offset });
    const last = tags.at(-1);
    if (last) last.value += ` ${headerText(line)}`;
  }
}

/**
 * The body ends at the first `</TEXT>` that `</DOCUMENT>` follows; other `</TEXT>`, `<DOCUMENT>` and `</DOCUMENT>` before that are
 * text.
 * But if a `</DOCUMENT>` comes before the next `<DOCUMENT>`, or a `<DOCUMENT>` before a `<TYPE>`, they are damage: reading further
 * would join two documents.
 */
function findBodyEnd(
  bytes: Buffer,
  bodyStart: number,
  ordinal: number,
  start: number,
  closingTag: string,
): { bodyEnd: number; end: number } {
  for (let at = bytes.indexOf(NEEDLE, bodyStart, 'latin1'); at >= 0; at = bytes.indexOf(NEEDLE, at + 1, 'latin1')) {
    if (startsWith(bytes, CLOSE, at - 2)) {
      const close = at - 2;
      const textClose = skipSpaceBack(bytes, close, bodyStart) - TEXT_CLOSE.length;
      const end = close + CLOSE.length;
      if (textClose >= bodyStart && isClosingPair(bytes, textClose, close)) return { bodyEnd: textClose, end };
      const next = skipSpace(bytes, end, bytes.length);
      if (isLineStart(bytes, close) && (startsWith(bytes, OPEN, next) || startsWith(bytes, closingTag, next))) {
        const reason = `document ${ordinal} has no </TEXT> before its </DOCUMENT>`;
        throw new SubmissionError('submission-broken', reason, close);
      }
    } else if (startsWith(bytes, OPEN, at - 1) && isLineStart(bytes, at - 1)) {
      if (startsWith(bytes, '<TYPE>', skipSpace(bytes, at - 1 + OPEN.length, bytes.length))) {
        const reason = `document ${ordinal} does not end before the next one begins`;
        throw new SubmissionError('submission-broken', reason, at - 1);
      }
    }
  }
  const reason = `the file ends within document ${ordinal}, which begins at byte ${start}`;
  throw new SubmissionError('submission-truncated', reason, bytes.length);
}

/** Tags on lines of their own, or at a line's end: a body may lack its last line end. Within a line, `</TEXT></DOCUMENT>` is a quotation. */
function isClosingPair(bytes: Buffer, textClose: number, close: number): boolean {
  if (!startsWith(bytes, TEXT_CLOSE, textClose)) return false;
  const isOnOwnLines = isLineStart(bytes, textClose) && isLineStart(bytes, close);
  return isOnOwnLines || isLineEnd(bytes, skipBlanks(bytes, close + CLOSE.length));
}

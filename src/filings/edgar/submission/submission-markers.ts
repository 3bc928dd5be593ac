/** The markers around a submission: the PEM envelope of 1993 to 2011, and the opening and closing tags of either dialect. */
import { findLineEnd, isLineStart, skipSpace, startsWith } from '../reading/lines.ts';
import type { Submission, Warning } from './submission.ts';
import { SubmissionError } from './submission-error.ts';

export interface SubmissionMarkers {
  dialect: Submission['dialect'];
  /** Byte offset of the opening tag. */
  start: number;
  /** Byte offset of the line after the opening tag's. */
  headerStart: number;
  closingTag: string;
  /** The accession number in the opening line of .txt and of a bare header; null in .nc. The header's number decides. */
  accessionNumber: string | null;
  /** Whether a PEM envelope is around it. */
  isPem: boolean;
}

/** `<IMS-DOCUMENT>` is what `<SEC-DOCUMENT>` was called until 1995. */
const DIALECTS: Readonly<Record<string, Submission['dialect']>> = {
  'SEC-DOCUMENT': 'txt',
  'IMS-DOCUMENT': 'txt',
  SUBMISSION: 'nc',
  'LOOSE-DOCUMENTS': 'loose',
  'SEC-HEADER': 'header',
  'IMS-HEADER': 'header',
};
const OPENINGS = Object.keys(DIALECTS);
const PEM_BEGIN = '-----BEGIN PRIVACY-ENHANCED MESSAGE-----';
/** The envelope's keys take some 600 bytes. The submission must begin before this. */
const PEM_LIMIT = 64 * 1024;

/** Finds the submission's opening tag. Throws SubmissionError for other files: pages, bare documents, gzip. */
export function findMarkers(bytes: Buffer): SubmissionMarkers {
  const bom = startsWith(bytes, '\xef\xbb\xbf', 0) ? 3 : 0;
  const first = skipSpace(bytes, bom, bytes.length);
  const isPem = startsWith(bytes, PEM_BEGIN, first);
  const start = isPem ? findInPem(bytes, first) : first;
  const name = OPENINGS.find((opening) => startsWith(bytes, `<${opening}>`, start));
  if (name === undefined) throw notASubmission(bytes, start);
  const dialect = DIALECTS[name]!;
  const behindTag = start + name.length + 2;
  // In .txt the rest of the line is the file's name and the day of publication. Neither is a fact of the filing.
  const isNamed = dialect === 'txt' || dialect === 'header';
  const headerStart = isNamed ? findLineEnd(bytes, behindTag, bytes.length) : behindTag;
  const openingLine = bytes.toString('latin1', behindTag, headerStart);
  // Files of 2000 have a path whose folder has the same name. The last one is the number of the file.
  const accessionNumber = openingLine.match(/\d{10}-\d{2}-\d{6}/g)?.at(-1) ?? null;
  return { dialect, start, headerStart, closingTag: `</${name}>`, accessionNumber, isPem };
}

const PEM_END = '-----END PRIVACY-ENHANCED MESSAGE-----';

/**
 * Only the end of the PEM envelope may follow the closing tag, if the file has one.
 * @throws SubmissionError if another submission follows, or documents follow a bare header: they would be lost
 */
export function checkTail(
  bytes: Buffer,
  end: number,
  { isPem, dialect }: SubmissionMarkers,
  warnings: Warning[],
): void {
  const tail = skipSpace(bytes, end, bytes.length);
  const pemEnd = isPem && startsWith(bytes, PEM_END, tail) ? tail + PEM_END.length : null;
  const rest = pemEnd === null ? tail : skipSpace(bytes, pemEnd, bytes.length);
  if ([PEM_BEGIN, ...OPENINGS.map((name) => `<${name}>`)].some((opening) => startsWith(bytes, opening, rest)))
    throw new SubmissionError('submission-broken', 'another submission begins here: a file holds one', rest);
  if (dialect === 'header' && rest < bytes.length) {
    const found = JSON.stringify(bytes.toString('latin1', rest, rest + 30));
    throw new SubmissionError('submission-broken', `${found} follows a bare header`, rest);
  }
  if (isPem && pemEnd === null) warnings.push({ message: 'the PEM envelope is not closed', offset: tail });
  else if (rest < bytes.length)
    warnings.push({ message: 'there is something after the end of the submission', offset: rest });
}

/** Whether it ends with its closing tag or its envelope. @param head its first kilobytes, a character a byte */
export function isClosed(head: string, tail: string): boolean {
  const opening = new RegExp(`^<(${OPENINGS.join('|')})>`, 'm').exec(head)?.[1];
  return tail.includes(PEM_END) || (opening !== undefined && tail.includes(`</${opening}>`));
}

function findInPem(bytes: Buffer, from: number): number {
  const head = bytes.subarray(0, Math.min(bytes.length, from + PEM_LIMIT));
  for (let at = head.indexOf('<', from); at >= 0; at = head.indexOf('<', at + 1)) {
    if (isLineStart(head, at) && OPENINGS.some((name) => startsWith(head, `<${name}>`, at))) return at;
  }
  throw new SubmissionError('submission-truncated', 'the PEM envelope holds no <SEC-DOCUMENT>', bytes.length);
}

function notASubmission(bytes: Buffer, offset: number): SubmissionError {
  const found =
    bytes.length === offset
      ? 'the file is empty'
      : bytes[0] === 0x1f && bytes[1] === 0x8b
        ? 'the file is compressed by gzip'
        : `the file begins with ${JSON.stringify(bytes.toString('latin1', offset, offset + 40))}`;
  return new SubmissionError(
    'submission-unrecognised',
    `${found}; a submission begins with <SEC-DOCUMENT>, <IMS-DOCUMENT> or <SUBMISSION>`,
    offset,
  );
}

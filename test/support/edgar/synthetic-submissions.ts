/** Small submissions of our own making, for what no real file shows. */

export interface MadeUpDocument {
  type?: string | null;
  sequence?: string | null;
  filename?: string | null;
  description?: string | null;
  /** The text after `<TEXT>` and its line end, up to `</TEXT>`. */
  body: string;
}

export const ACCESSION = '0000000001-24-000001';

const TXT_HEADER = [
  `ACCESSION NUMBER:\t\t${ACCESSION}`,
  'CONFORMED SUBMISSION TYPE:\t8-K',
  'PUBLIC DOCUMENT COUNT:\t\t1',
  'FILED AS OF DATE:\t\t20240131',
  '',
  'FILER:',
  '',
  '\tCOMPANY DATA:\t',
  '\t\tCOMPANY CONFORMED NAME:\t\t\tSAMPLE COMPANY INC',
  '\t\tCENTRAL INDEX KEY:\t\t\t0000000001',
];

const NC_HEADER = [
  `<ACCESSION-NUMBER>${ACCESSION}`,
  '<TYPE>8-K',
  '<PUBLIC-DOCUMENT-COUNT>1',
  '<FILING-DATE>20240131',
  '<FILER>',
  '<COMPANY-DATA>',
  '<CONFORMED-NAME>SAMPLE COMPANY INC',
  '<CIK>0000000001',
  '</COMPANY-DATA>',
  '</FILER>',
];

export interface MadeUp {
  /** Lines in place of the usual header; they are between the opening tags and the header's end. */
  header?: string[];
  documents?: MadeUpDocument[];
  /** Left out of .txt with false. */
  headerEnd?: boolean;
}

function documentLines({
  type = '8-K',
  sequence = '1',
  filename = 'a.txt',
  description = null,
  body,
}: MadeUpDocument): string {
  const tag = (name: string, value: string | null) => (value === null ? '' : `<${name}>${value}\n`);
  const tags =
    tag('TYPE', type) + tag('SEQUENCE', sequence) + tag('FILENAME', filename) + tag('DESCRIPTION', description);
  return `<DOCUMENT>\n${tags}<TEXT>\n${body}</TEXT>\n</DOCUMENT>\n`;
}

/** A complete submission text file; bodies are latin1, so that a character is a byte. */
export function madeUpTxt({
  header = TXT_HEADER,
  documents = [{ body: 'text\n' }],
  headerEnd = true,
}: MadeUp = {}): Buffer {
  const opening = `<SEC-DOCUMENT>${ACCESSION}.txt : 20240131\n<SEC-HEADER>${ACCESSION}.hdr.sgml : 20240131\n`;
  const head = `${header.join('\n')}\n${headerEnd ? '</SEC-HEADER>\n' : ''}`;
  return Buffer.from(`${opening}${head}${documents.map(documentLines).join('')}</SEC-DOCUMENT>\n`, 'latin1');
}

/** A file of the daily feed. */
export function madeUpNc({ header = NC_HEADER, documents = [{ body: 'text\n' }] }: MadeUp = {}): Buffer {
  return Buffer.from(
    `<SUBMISSION>\n${header.join('\n')}\n${documents.map(documentLines).join('')}</SUBMISSION>\n`,
    'latin1',
  );
}

/** A submission of the 1990s of which EDGAR has the header alone. */
export function madeUpBareHeader(dialect: 'txt' | 'nc' = 'txt'): Buffer {
  const header = dialect === 'txt' ? TXT_HEADER : NC_HEADER;
  return Buffer.from(`<SEC-HEADER>${ACCESSION}.hdr.sgml : 20240131\n${header.join('\n')}\n</SEC-HEADER>\n`, 'latin1');
}

/** The usual header of either dialect with more lines before the first party. */
export function headerWith(dialect: 'txt' | 'nc', ...lines: string[]): string[] {
  const header = dialect === 'txt' ? TXT_HEADER : NC_HEADER;
  return [...header.slice(0, 4), ...lines, ...header.slice(4)];
}

export interface UuencodeOptions {
  /** Take blanks off the ends of lines, as EDGAR's files have it. */
  strip?: boolean;
  zero?: ' ' | '`';
  lineEnd?: string;
  /** The lines behind the data; EDGAR's files end the data with an empty line, a blank or a backtick. */
  ending?: readonly string[];
}

/** uuencode, written from the format's description for the tests. */
export function uuencode(content: Uint8Array, options: UuencodeOptions = {}): string {
  const { strip = true, zero = ' ', lineEnd = '\n', ending = ['', 'end', ''] } = options;
  const character = (value: number) => (value === 0 ? zero : String.fromCharCode(0x20 + value));
  const lines = ['begin 644 name'];
  for (let from = 0; from < content.length; from += 45) {
    const part = content.subarray(from, from + 45);
    let line = character(part.length);
    for (let at = 0; at < part.length; at += 3) {
      const bits = (part[at]! << 16) | ((part[at + 1] ?? 0) << 8) | (part[at + 2] ?? 0);
      line += [18, 12, 6, 0].map((shift) => character((bits >> shift) & 63)).join('');
    }
    lines.push(strip ? line.trimEnd() : line);
  }
  return [...lines, ...ending].join(lineEnd);
}

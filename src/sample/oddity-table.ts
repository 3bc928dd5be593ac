/** The oddities: changes of a submission, or of the bytes of its file. */
import { textPdf } from './binaries/pdf.ts';
import { barChartPng } from './binaries/png.ts';
import { workbook, zip } from './binaries/zip.ts';
import { parseDay } from './calendar.ts';
import type { Dialect, SampleDocument, Submission } from './filing.ts';
import { uuencode } from './uuencode.ts';

interface Change {
  /** changes the submission before it is written */
  submission?: (submission: Submission) => void;
  /** changes the written bytes, as latin1 text */
  text?: (text: string) => string;
}

export interface Oddity extends Change {
  name: string;
  meaning: string;
  form: string;
  filed: number;
  dialect: Dialect;
  broken: boolean;
  contested: boolean;
}

const first = (s: Submission): SampleDocument => s.documents[0]!;
const asText = (s: Submission, change: (text: string) => string) => {
  const document = first(s);
  document.bytes = Buffer.from(change(document.bytes.toString('latin1')), 'latin1');
};
const add = (s: Submission, more: Partial<SampleDocument>) => {
  const sequence = Math.max(...s.documents.map((d) => d.sequence)) + 1;
  s.documents.push({
    sequence,
    type: 'GRAPHIC',
    filename: `extra${sequence}.png`,
    description: null,
    bytes: barChartPng([0.3, 0.6, 0.9]),
    wrapper: null,
    uuencoded: true,
    sections: [],
    ...more,
  });
};
const headerLine = (line: string) => (text: string) =>
  text.replace(/^FILED AS OF DATE:.*$/m, (found) => `${found}\n${line}`);

/** Name, form, filing date, flags, meaning. */
const ROWS = `
paper | SC 13G | 2002-11-08 | | filed on paper: the document only says so
correction | 8-K | 2023-05-10 | nc | a feed file that replaces an earlier one
deletion | 8-K | 2023-05-10 | nc broken | a feed file that takes a filing back: no documents
references-429 | S-1 | 2023-05-10 | | a header that refers to earlier registrations under Rule 429
group-members | SC 13G | 2023-05-10 | | GROUP MEMBERS lines in the header
duplicate-sequence | 8-K | 2023-05-10 | contested | two documents with the same number
sequence-order | 8-K | 2023-05-10 | | numbers that do not ascend
sequence-gaps | 10-Q | 2023-05-10 | | numbers with gaps: 1, 4, 9
duplicate-filename | 8-K | 2023-05-10 | | two documents called alike
two-begins | 8-K | 2023-05-10 | contested | two uuencoded files in one document
uuencode-without-end | 8-K | 2023-05-10 | | uuencoded data without \`end\`
empty-document | 8-K | 2023-05-10 | | a document of no bytes
crlf | 8-K | 2023-05-10 | | CR LF at the end of every line
bare-cr | 8-K | 2025-01-08 | nc | LF once, then CR alone, as feed files of 2025 came
windows-1252 | 8-K | 1997-03-12 | | bytes above 127 in windows-1252
utf-8 | 8-K | 2023-05-10 | | bytes above 127 in UTF-8
literal-text-tag | 8-K | 2023-05-10 | | a line </TEXT> inside a document, not followed by </DOCUMENT>
zip-and-excel | 10-Q | 2023-05-10 | | <ZIP> and <EXCEL> wrappers around uuencoded data
header-unclosed | 8-K | 2023-05-10 | | a header without </SEC-HEADER>
truncated | 10-Q | 2023-05-10 | broken | cut off in the middle of a document
not-a-submission | 8-K | 2023-05-10 | broken | an HTML page where a submission was asked for
no-final-line-end | 4 | 2023-05-10 | | no line end at the end of the file
header-of-2000 | 8-K | 2000-09-27 | | the half-tagged header of 2000: a path in the first line, closing tags, deep indents, a SIC broken over the line end
flawed | 10-Q | 1997-03-12 | | a document tag <FLAWED> without value
confirming-copy | SC 13G | 2023-05-10 | | CONFIRMING COPY and WITHDRAWN ACCESSION NUMBER in the header
private-to-public | CORRESP | 2023-05-10 | | <PRIVATE-TO-PUBLIC> alone on a line, and no second date
lying-extension | 8-K | 2023-05-10 | | PNG data called .jpg
blanks-before-xml | 4 | 2023-05-10 | | white space before the XML declaration
pdf-with-wrapper | 8-K | 2023-05-10 | | a PDF inside <PDF>, and another without
nothing-named | 8-K | 1997-03-12 | | documents without file name and description, an item without words
cut-lines | 8-K | 2010-04-14 | | lines broken after 1,023 characters, in the middle of words
slash-name | 8-K | 2023-05-10 | | a name with slashes, a nine-digit ZIP, a foreign state code
`;

const CHANGES: Record<string, Change> = {
  paper: {
    submission: (s) => {
      s.accessionNumber = s.accessionNumber.replace(/^\d{10}/, '9999999997');
      s.documents.length = 1;
      Object.assign(first(s), {
        filename: `${s.accessionNumber}.paper`,
        description: 'AUTO-GENERATED PAPER DOCUMENT',
        bytes: Buffer.from('This filing was made on paper.\n'),
      });
    },
    text: (text) => text.replace('ACCESSION NUMBER:', '<PAPER>\nACCESSION NUMBER:'),
  },
  correction: { text: (text) => text.replace('<SUBMISSION>\n', '<SUBMISSION>\n<CORRECTION>\n') },
  deletion: {
    submission: (s) => s.documents.splice(0),
    text: (text) => text.replace('<SUBMISSION>\n', '<SUBMISSION>\n<DELETION>\n'),
  },
  'references-429': { text: headerLine('REFERENCES 429:\t\t\t333-999001\nREFERENCES 429:\t\t\t333-999002') },
  'group-members': {
    text: headerLine('GROUP MEMBERS:\t\tMEMBER 1 OF THE GROUP\nGROUP MEMBERS:\t\tMEMBER 2 OF THE GROUP'),
  },
  'duplicate-sequence': { submission: (s) => add(s, { sequence: 1 }) },
  'sequence-order': {
    submission: (s) => {
      add(s, {});
      add(s, {});
      const [a, b] = s.documents.slice(-2) as [SampleDocument, SampleDocument];
      [a.sequence, b.sequence] = [b.sequence, a.sequence];
    },
  },
  'sequence-gaps': {
    submission: (s) => {
      add(s, {});
      s.documents.forEach((document, i) => {
        document.sequence = (i + 1) ** 2;
      });
    },
  },
  'duplicate-filename': { submission: (s) => add(s, { filename: first(s).filename }) },
  'two-begins': {
    submission: (s) => add(s, { filename: 'double.png' }),
    text: (text) => {
      const second = uuencode(Buffer.from('second'), 'second.bin', {
        zero: ' ',
        stripped: true,
        filler: 'zero',
        dotStuffed: false,
      });
      return text.replace(/(begin 644 double\.png\n[\s\S]*?\nend\n)/, (found) => found + second.toString('latin1'));
    },
  },
  'uuencode-without-end': {
    submission: (s) => add(s, { filename: 'endless.png' }),
    text: (text) => text.replace(/(begin 644 endless\.png\n[\s\S]*?)\nend\n/, '$1\n'),
  },
  'empty-document': {
    submission: (s) => add(s, { type: 'EX-99.9', filename: 'empty.txt', uuencoded: false, bytes: Buffer.alloc(0) }),
  },
  crlf: { submission: (s) => lineEnds(s, '\r\n'), text: (text) => text.replace(/\r?\n/g, '\r\n') },
  'bare-cr': { submission: (s) => lineEnds(s, '\r'), text: (text) => text.replace(/\n/g, '\r').replace('\r', '\n') },
  'windows-1252': {
    submission: (s) => asText(s, (text) => `${text}\n\x93Soci\xe9t\xe9 de d\xe9monstration\x94 \x96 \x8010 caf\xe9\n`),
  },
  'utf-8': {
    submission: (s) => {
      first(s).bytes = Buffer.concat([
        first(s).bytes,
        Buffer.from('<p>“Société de démonstration” – €10, 東京, 🙂</p>\n'),
      ]);
    },
  },
  'literal-text-tag': {
    submission: (s) =>
      add(s, {
        type: 'EX-99.8',
        filename: 'tags.txt',
        uuencoded: false,
        bytes: Buffer.from('A submission ends its documents so:\n</TEXT>\nand goes on after <DOCUMENT> lines.\n'),
      }),
  },
  'zip-and-excel': {
    submission: (s) => {
      add(s, {
        type: 'ZIP',
        filename: 'extra.zip',
        bytes: zip([{ name: 'a.txt', bytes: Buffer.from('a') }]),
        wrapper: 'ZIP',
      });
      add(s, { type: 'EXCEL', filename: 'extra.xlsx', bytes: workbook([['a', 1]]), wrapper: 'EXCEL' });
    },
  },
  'header-unclosed': { text: (text) => text.replace('</SEC-HEADER>\n', '') },
  truncated: { text: (text) => text.slice(0, Math.floor(text.length * 0.4)) },
  'not-a-submission': {
    text: () =>
      '<!DOCTYPE html>\n<html><head><title>Please wait</title></head><body><p>Too many requests.</p></body></html>\n',
  },
  'no-final-line-end': { text: (text) => text.trimEnd() },
  'header-of-2000': { text: headerOf2000 },
  flawed: { text: (text) => text.replace('<TEXT>', '<FLAWED>\n<TEXT>') },
  'confirming-copy': { text: headerLine('CONFIRMING COPY:\t\nWITHDRAWN ACCESSION NUMBER:\t\t0009199999-20-000001') },
  'private-to-public': {
    text: (text) =>
      text
        .replace('ACCESSION NUMBER:', '<PRIVATE-TO-PUBLIC>\nACCESSION NUMBER:')
        .replace(/^DATE AS OF CHANGE:.*\n/m, ''),
  },
  'lying-extension': { submission: (s) => add(s, { filename: 'picture.jpg' }) },
  'blanks-before-xml': { submission: (s) => asText(s, (text) => `\n  ${text}`) },
  'pdf-with-wrapper': {
    submission: (s) => {
      const bytes = textPdf([['A page.'], ['Another page.']]);
      add(s, { type: 'EX-99.7', filename: 'wrapped.pdf', bytes, wrapper: 'PDF' });
      add(s, { type: 'EX-99.6', filename: 'bare.pdf', bytes });
    },
  },
  'nothing-named': {
    submission: (s) => {
      for (const document of s.documents) Object.assign(document, { filename: null, description: null });
      s.items = [{ number: '5', words: '' }, ...s.items];
    },
  },
  'cut-lines': { submission: (s) => asText(s, (text) => text.replace(/[^\n]{1023}/g, '$&\n')) },
  'slash-name': {
    submission: (s) => {
      const party = s.parties[0]!;
      party.entity = {
        ...party.entity,
        name: 'Sample Demonstration Corp /DE/',
        address: { ...party.entity.address, zip: '981091226', state: 'X0' },
      };
    },
  },
};

export const ODDITIES: readonly Oddity[] = ROWS.trim()
  .split('\n')
  .map((row) => {
    const [name, form, filed, flags, meaning] = row.split(/ *\| */) as [string, string, string, string, string];
    const is = (flag: string) => flags.split(' ').includes(flag);
    const dialect = is('nc') ? 'nc' : 'txt';
    return {
      ...{ name, form, filed: parseDay(filed), meaning, dialect, broken: is('broken'), contested: is('contested') },
      ...CHANGES[name],
    };
  });

/** Text documents with other line ends. */
function lineEnds(submission: Submission, end: string): void {
  for (const document of submission.documents) {
    if (document.uuencoded) continue;
    document.bytes = Buffer.from(document.bytes.toString('latin1').replace(/\n/g, end), 'latin1');
  }
}

function headerOf2000(text: string): string {
  const end = text.indexOf('</SEC-HEADER>');
  const head = text
    .slice(0, end)
    .replace(/<SEC-DOCUMENT>(\S+)\.txt/, '<SEC-DOCUMENT>/in/edgar/work/20000927/$1/$1.txt')
    .replace(/^(\t\tSTANDARD INDUSTRIAL CLASSIFICATION:\t)[^\n[]*\[(\d+)\]\n/m, '$1 [$2\n]')
    .replace(/\n\n\tFILING VALUES:/g, '\n</COMPANY-DATA>\n\n\t\tFILING VALUES:')
    .replace(/\n\n\tBUSINESS ADDRESS:/g, '\n</FILING-VALUES>\n\n\t\t\tBUSINESS ADDRESS:')
    .replace(/\n\n\tMAIL ADDRESS:/g, '\n</BUSINESS-ADDRESS>\n\n\t\t\t\tMAIL ADDRESS:');
  return `${head}</MAIL-ADDRESS>\n</FILER>\n${text.slice(end)}`;
}

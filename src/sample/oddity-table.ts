/** The oddities: changes of a submission, or of the bytes of its file. */
import { textPdf } from './binaries/pdf.ts';
import { barChartPng } from './binaries/png.ts';
import { workbook, zip } from './binaries/zip.ts';
import { dayOf } from './calendar.ts';
import type { Dialect, SampleDocument, Submission } from './filing.ts';
import { uuencode } from './uuencode.ts';

export interface Oddity {
  name: string;
  meaning: string;
  form: string;
  filed: number;
  dialect?: Dialect;
  broken?: true;
  contested?: true;
  /** changes the submission before it is written */
  submission?: (submission: Submission) => void;
  /** changes the written bytes, as latin1 text */
  text?: (text: string) => string;
}

const LATE = dayOf(2023, 5, 10);
const EARLY = dayOf(1997, 3, 12);
const Y2K = dayOf(2000, 9, 27);

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

export const ODDITIES: readonly Oddity[] = [
  {
    name: 'paper',
    meaning: 'filed on paper: the document only says so',
    form: 'SC 13G',
    filed: dayOf(2002, 11, 8),
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
  {
    name: 'correction',
    meaning: 'a feed file that replaces an earlier one',
    form: '8-K',
    filed: LATE,
    dialect: 'nc',
    text: (text) => text.replace('<SUBMISSION>\n', '<SUBMISSION>\n<CORRECTION>\n'),
  },
  {
    name: 'deletion',
    meaning: 'a feed file that takes a filing back: no documents',
    form: '8-K',
    filed: LATE,
    dialect: 'nc',
    broken: true,
    submission: (s) => {
      s.documents = [];
    },
    text: (text) => text.replace('<SUBMISSION>\n', '<SUBMISSION>\n<DELETION>\n'),
  },
  {
    name: 'references-429',
    meaning: 'a header that refers to earlier registrations under Rule 429',
    form: 'S-1',
    filed: LATE,
    text: headerLine('REFERENCES 429:\t\t\t333-999001\nREFERENCES 429:\t\t\t333-999002'),
  },
  {
    name: 'group-members',
    meaning: 'GROUP MEMBERS lines in the header',
    form: 'SC 13G',
    filed: LATE,
    text: headerLine('GROUP MEMBERS:\t\tMEMBER 1 OF THE GROUP\nGROUP MEMBERS:\t\tMEMBER 2 OF THE GROUP'),
  },
  {
    name: 'duplicate-sequence',
    meaning: 'two documents with the same number',
    form: '8-K',
    filed: LATE,
    contested: true,
    submission: (s) => add(s, { sequence: 1 }),
  },
  {
    name: 'sequence-order',
    meaning: 'numbers that do not ascend',
    form: '8-K',
    filed: LATE,
    submission: (s) => {
      add(s, {});
      add(s, {});
      const [a, b] = s.documents.slice(-2) as [SampleDocument, SampleDocument];
      [a.sequence, b.sequence] = [b.sequence, a.sequence];
    },
  },
  {
    name: 'sequence-gaps',
    meaning: 'numbers with gaps: 1, 4, 9',
    form: '10-Q',
    filed: LATE,
    submission: (s) => {
      add(s, {});
      s.documents.forEach((document, i) => {
        document.sequence = (i + 1) ** 2;
      });
    },
  },
  {
    name: 'duplicate-filename',
    meaning: 'two documents called alike',
    form: '8-K',
    filed: LATE,
    submission: (s) => add(s, { filename: first(s).filename }),
  },
  {
    name: 'two-begins',
    meaning: 'two uuencoded files in one document',
    form: '8-K',
    filed: LATE,
    contested: true,
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
  {
    name: 'uuencode-without-end',
    meaning: 'uuencoded data without `end`',
    form: '8-K',
    filed: LATE,
    submission: (s) => add(s, { filename: 'endless.png' }),
    text: (text) => text.replace(/(begin 644 endless\.png\n[\s\S]*?)\nend\n/, '$1\n'),
  },
  {
    name: 'empty-document',
    meaning: 'a document of no bytes',
    form: '8-K',
    filed: LATE,
    submission: (s) => add(s, { type: 'EX-99.9', filename: 'empty.txt', uuencoded: false, bytes: Buffer.alloc(0) }),
  },
  {
    name: 'crlf',
    meaning: 'CR LF at the end of every line',
    form: '8-K',
    filed: LATE,
    submission: (s) => lineEnds(s, '\r\n'),
    text: (text) => text.replace(/\r?\n/g, '\r\n'),
  },
  {
    name: 'bare-cr',
    meaning: 'LF once, then CR alone, as feed files of 2025 came',
    form: '8-K',
    filed: dayOf(2025, 1, 8),
    dialect: 'nc',
    submission: (s) => lineEnds(s, '\r'),
    text: (text) => text.replace(/\n/g, '\r').replace('\r', '\n'),
  },
  {
    name: 'windows-1252',
    meaning: 'bytes above 127 in windows-1252',
    form: '8-K',
    filed: EARLY,
    submission: (s) => asText(s, (text) => `${text}\n\x93Soci\xe9t\xe9 de d\xe9monstration\x94 \x96 \x8010 caf\xe9\n`),
  },
  {
    name: 'utf-8',
    meaning: 'bytes above 127 in UTF-8',
    form: '8-K',
    filed: LATE,
    submission: (s) => {
      first(s).bytes = Buffer.concat([
        first(s).bytes,
        Buffer.from('<p>“Société de démonstration” – €10, 東京, 🙂</p>\n'),
      ]);
    },
  },
  {
    name: 'literal-text-tag',
    meaning: 'a line </TEXT> inside a document, not followed by </DOCUMENT>',
    form: '8-K',
    filed: LATE,
    submission: (s) =>
      add(s, {
        type: 'EX-99.8',
        filename: 'tags.txt',
        uuencoded: false,
        bytes: Buffer.from('A submission ends its documents so:\n</TEXT>\nand goes on after <DOCUMENT> lines.\n'),
      }),
  },
  {
    name: 'zip-and-excel',
    meaning: '<ZIP> and <EXCEL> wrappers around uuencoded data',
    form: '10-Q',
    filed: LATE,
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
  {
    name: 'header-unclosed',
    meaning: 'a header without </SEC-HEADER>',
    form: '8-K',
    filed: LATE,
    text: (text) => text.replace('</SEC-HEADER>\n', ''),
  },
  {
    name: 'truncated',
    meaning: 'cut off in the middle of a document',
    form: '10-Q',
    filed: LATE,
    broken: true,
    text: (text) => text.slice(0, Math.floor(text.length * 0.4)),
  },
  {
    name: 'not-a-submission',
    meaning: 'an HTML page where a submission was asked for',
    form: '8-K',
    filed: LATE,
    broken: true,
    text: () =>
      '<!DOCTYPE html>\n<html><head><title>Please wait</title></head><body><p>Too many requests.</p></body></html>\n',
  },
  {
    name: 'no-final-line-end',
    meaning: 'no line end at the end of the file',
    form: '4',
    filed: LATE,
    text: (text) => text.trimEnd(),
  },
  {
    name: 'header-of-2000',
    meaning:
      'the half-tagged header of 2000: a path in the first line, closing tags, deep indents, a SIC broken over the line end',
    form: '8-K',
    filed: Y2K,
    text: headerOf2000,
  },
  {
    name: 'flawed',
    meaning: 'a document tag <FLAWED> without value',
    form: '10-Q',
    filed: EARLY,
    text: (text) => text.replace('<TEXT>', '<FLAWED>\n<TEXT>'),
  },
  {
    name: 'confirming-copy',
    meaning: 'CONFIRMING COPY and WITHDRAWN ACCESSION NUMBER in the header',
    form: 'SC 13G',
    filed: LATE,
    text: headerLine('CONFIRMING COPY:\t\nWITHDRAWN ACCESSION NUMBER:\t\t0009199999-20-000001'),
  },
  {
    name: 'private-to-public',
    meaning: '<PRIVATE-TO-PUBLIC> alone on a line, and no second date',
    form: 'CORRESP',
    filed: LATE,
    text: (text) =>
      text
        .replace('ACCESSION NUMBER:', '<PRIVATE-TO-PUBLIC>\nACCESSION NUMBER:')
        .replace(/^DATE AS OF CHANGE:.*\n/m, ''),
  },
  {
    name: 'lying-extension',
    meaning: 'PNG data called .jpg',
    form: '8-K',
    filed: LATE,
    submission: (s) => add(s, { filename: 'picture.jpg' }),
  },
  {
    name: 'blanks-before-xml',
    meaning: 'white space before the XML declaration',
    form: '4',
    filed: LATE,
    submission: (s) => asText(s, (text) => `\n  ${text}`),
  },
  {
    name: 'pdf-with-wrapper',
    meaning: 'a PDF inside <PDF>, and another without',
    form: '8-K',
    filed: LATE,
    submission: (s) => {
      const bytes = textPdf([['A page.'], ['Another page.']]);
      add(s, { type: 'EX-99.7', filename: 'wrapped.pdf', bytes, wrapper: 'PDF' });
      add(s, { type: 'EX-99.6', filename: 'bare.pdf', bytes });
    },
  },
  {
    name: 'nothing-named',
    meaning: 'documents without file name and description, an item without words',
    form: '8-K',
    filed: EARLY,
    submission: (s) => {
      for (const document of s.documents) Object.assign(document, { filename: null, description: null });
      s.items = [{ number: '5', words: '' }, ...s.items];
    },
  },
  {
    name: 'cut-lines',
    meaning: 'lines broken after 1,023 characters, in the middle of words',
    form: '8-K',
    filed: dayOf(2010, 4, 14),
    submission: (s) => asText(s, (text) => text.replace(/[^\n]{1023}/g, '$&\n')),
  },
  {
    name: 'slash-name',
    meaning: 'a name with slashes, a nine-digit ZIP, a foreign state code',
    form: '8-K',
    filed: LATE,
    submission: (s) => {
      const party = s.parties[0]!;
      party.entity = {
        ...party.entity,
        name: 'Sample Demonstration Corp /DE/',
        address: { ...party.entity.address, zip: '981091226', state: 'X0' },
      };
    },
  },
];

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

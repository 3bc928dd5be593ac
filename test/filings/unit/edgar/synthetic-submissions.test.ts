/** What no real file at hand shows, though EDGAR's rules allow it or a transfer can do it. */
import { describe, expect, it } from 'vitest';
import { readSubmission, SubmissionError } from '../../../../src/filings/edgar/index.ts';
import {
  ACCESSION,
  headerWith,
  madeUpBareHeader,
  madeUpNc,
  madeUpTxt,
  uuencode,
} from '../../../support/edgar/synthetic-submissions.ts';

const texts = (bytes: Buffer) => readSubmission(bytes).documents.map((document) => document.read().toString('latin1'));
const messages = (bytes: Buffer) => readSubmission(bytes).warnings.map((warning) => warning.message);

describe('a submission of either dialect', () => {
  it.each([
    ['txt', madeUpTxt()],
    ['nc', madeUpNc()],
  ])('is read from %s without a warning', (dialect, bytes) => {
    expect(readSubmission(bytes)).toMatchObject({
      dialect,
      dissemination: 'filing',
      paper: false,
      accessionNumber: ACCESSION,
      formType: '8-K',
      filingDate: '2024-01-31',
      size: bytes.length,
      parties: [{ role: 'filer', cik: '1', name: 'SAMPLE COMPANY INC' }],
      documents: [{ sequence: 1, type: '8-K', filename: 'a.txt', description: null, kind: 'text', wrapper: null }],
      warnings: [],
    });
  });

  it.each([
    ['CR LF', '\r\n'],
    ['bare CR', '\r'],
  ])('is read the same with %s as line ends, which stay in the documents', (_, lineEnd) => {
    const content = Buffer.from(Array.from({ length: 100 }, (__, i) => (i * 37) & 255));
    for (const make of [madeUpTxt, madeUpNc]) {
      const documents = [
        { body: 'one\ntwo\n' },
        { sequence: '2', filename: 'b.pdf', body: `<PDF>\n${uuencode(content)}</PDF>\n` },
      ];
      const bytes = Buffer.from(make({ documents }).toString('latin1').replaceAll('\n', lineEnd), 'latin1');
      const submission = readSubmission(bytes);
      expect(submission.parties).toMatchObject([{ role: 'filer', cik: '1', name: 'SAMPLE COMPANY INC' }]);
      expect(submission.documents[0]!.read().toString()).toBe(`one${lineEnd}two${lineEnd}`);
      expect(submission.documents[1]).toMatchObject({ wrapper: 'PDF', kind: 'uuencoded' });
      expect(submission.documents[1]!.read()).toEqual(content);
      expect(submission.warnings).toEqual([]);
    }
  });

  it('may have a byte order mark and blank lines before it', () => {
    expect(readSubmission(Buffer.concat([Buffer.from('\ufeff\n\n'), madeUpTxt()])).accessionNumber).toBe(ACCESSION);
  });

  it('keeps bytes above 127 in documents unchanged', () => {
    const body = 'caf\xe9 \x93quoted\x94 \xc3\xa9\n';
    expect(texts(madeUpTxt({ documents: [{ body }] }))).toEqual([body]);
  });

  it('reads names as UTF-8 if they are entirely valid, else as windows-1252', () => {
    const name = (latin1: string) =>
      readSubmission(madeUpNc({ header: headerWith('nc', `<SROS>${latin1}`) })).otherFields[0]!.value;
    expect(name(Buffer.from('Société €').toString('latin1'))).toBe('Société €');
    expect(name('Soci\xe9t\xe9 \x80')).toBe('Société €');
  });
});

describe('the header', () => {
  it('of a paper filing states it, and no documents are missing', () => {
    for (const [make, dialect] of [[madeUpTxt, 'txt'] as const, [madeUpNc, 'nc'] as const]) {
      const submission = readSubmission(make({ header: headerWith(dialect, '<PAPER>'), documents: [] }));
      expect(submission).toMatchObject({ paper: true, documents: [], warnings: [] });
    }
    const document = { type: 'REGDEX', filename: `${ACCESSION}.paper`, body: 'Filed on paper.\n' };
    expect(readSubmission(madeUpTxt({ documents: [document] }))).toMatchObject({ paper: true, warnings: [] });
  });

  it('warns of a submission that has no documents, though it is not on paper', () => {
    expect(messages(madeUpTxt({ documents: [] }))).toEqual(['there are no documents']);
  });

  it('alone is a submission without documents, in either dialect and in the envelope', () => {
    const pem = (bytes: Buffer) =>
      `-----BEGIN PRIVACY-ENHANCED MESSAGE-----\nProc-Type: 2001\n\n${bytes}-----END PRIVACY-ENHANCED MESSAGE-----\n`;
    const [indented, tagged] = [madeUpBareHeader(), madeUpBareHeader('nc')];
    const ims = indented.toString().replaceAll('SEC-HEADER', 'IMS-HEADER');
    for (const bytes of [indented, tagged, pem(indented), pem(tagged), ims].map((one) => Buffer.from(one)))
      expect(readSubmission(bytes)).toMatchObject({
        dialect: 'header',
        accessionNumber: ACCESSION,
        formType: '8-K',
        filingDate: '2024-01-31',
        parties: [{ role: 'filer', cik: '1', name: 'SAMPLE COMPANY INC' }],
        documents: [],
        warnings: [{ message: 'there are no documents', offset: expect.any(Number) }],
      });
  });

  it('of a correction and of a deletion states its kind', () => {
    const kind = (tag: string) =>
      readSubmission(madeUpNc({ header: [`<${tag}>`, ...headerWith('nc', '<TIMESTAMP>20240201120000')] }));
    expect(kind('CORRECTION')).toMatchObject({ dissemination: 'correction', warnings: [] });
    expect(kind('DELETION').dissemination).toBe('deletion');
    const deletion = madeUpNc({ header: ['<DELETION>', ...headerWith('nc')], documents: [] });
    expect(readSubmission(deletion)).toMatchObject({ dissemination: 'deletion', documents: [], warnings: [] });
  });

  it('without </SEC-HEADER> ends at the start of the documents', () => {
    const bytes = madeUpTxt({ headerEnd: false });
    expect(readSubmission(bytes).parties).toMatchObject([{ cik: '1' }]);
    expect(readSubmission(bytes).warnings).toEqual([
      { message: 'the header has no </SEC-HEADER>', offset: bytes.indexOf('<DOCUMENT>') },
    ]);
  });

  it('keeps the references of a registration and the members of a group', () => {
    const submission = readSubmission(
      madeUpTxt({
        header: headerWith(
          'txt',
          'REFERENCES 429:\t\t333-00001',
          'GROUP MEMBERS:\t\tONE LP',
          'GROUP MEMBERS:\t\tTWO LP',
        ),
      }),
    );
    expect(submission.otherFields).toEqual([
      { name: 'REFERENCES 429', value: '333-00001', party: null },
      { name: 'GROUP MEMBERS', value: 'ONE LP', party: null },
      { name: 'GROUP MEMBERS', value: 'TWO LP', party: null },
    ]);
  });

  it('takes any heading above a party’s data for a role', () => {
    const header = [
      ...headerWith('txt'),
      '',
      'UNDER WRITER:',
      '',
      '\tOWNER DATA:',
      '\t\tCENTRAL INDEX KEY:\t0000000002',
    ];
    expect(readSubmission(madeUpTxt({ header })).parties.map((party) => [party.role, party.cik])).toEqual([
      ['filer', '1'],
      ['under_writer', '2'],
    ]);
  });

  it('keeps a second value of a party’s fact among the other fields', () => {
    const header = [...headerWith('txt'), '\t\tFISCAL YEAR END:\t1231', '\t\tFISCAL YEAR END:\t0630'];
    const submission = readSubmission(madeUpTxt({ header }));
    expect(submission.parties[0]!.fiscal_year_end).toBe('1231');
    expect(submission.otherFields).toEqual([{ name: 'FISCAL YEAR END', value: '0630', party: 0 }]);
  });

  it('warns of a party without role, of tags that don’t pair, and of lines that are neither key nor tag', () => {
    const nameless = [...headerWith('txt').slice(0, 4), '\tCOMPANY DATA:', '\t\tCENTRAL INDEX KEY:\t7', 'loose words'];
    const submission = readSubmission(madeUpTxt({ header: nameless }));
    expect(submission.parties).toMatchObject([{ role: 'unknown', cik: null }]);
    expect(submission.warnings.map((warning) => warning.message)).toEqual([
      "'COMPANY DATA' of the header belongs to no party",
      "a line of the header is neither key nor tag: 'loose words'",
      "'7 loose words' is not a CIK",
    ]);
    const unpaired = headerWith('nc').filter((line) => line !== '</FILER>');
    expect(messages(madeUpNc({ header: [...unpaired, ...headerWith('nc').slice(4), '</ISSUER>'] }))).toEqual([
      '<FILER> of the header is not closed',
      '</ISSUER> of the header closes nothing',
    ]);
  });

  it('gives null, and a warning, for dates and counts that are none', () => {
    const header = headerWith('txt', '<ACCEPTANCE-DATETIME>20240131256000', 'CONFORMED PERIOD OF REPORT:\t20240230');
    header[2] = 'PUBLIC DOCUMENT COUNT:\t\tmany';
    const submission = readSubmission(madeUpTxt({ header }));
    expect(submission).toMatchObject({ acceptanceDatetime: null, reportDate: null, publicDocumentCount: null });
    expect(submission.warnings.map((warning) => warning.message)).toEqual([
      "'20240131256000' is not a time of acceptance",
      "'20240230' is not a period of report",
      "'many' is not a count of documents",
    ]);
  });

  it('is believed rather than the first line, with a warning', () => {
    const header = headerWith('txt');
    header[0] = 'ACCESSION NUMBER:\t\t0000000002-24-000002';
    expect(readSubmission(madeUpTxt({ header })).accessionNumber).toBe('0000000002-24-000002');
    expect(messages(madeUpTxt({ header }))).toHaveLength(1);
  });
});

describe('documents', () => {
  it('with a sequence that is taken, missing or no number get the next one above the highest', () => {
    const sequences = ['1', '2', '2', '5', null, 'x', '0'];
    const bytes = madeUpTxt({
      documents: sequences.map((sequence, i) => ({ sequence, filename: `${i}.txt`, body: '' })),
    });
    expect(readSubmission(bytes).documents.map((document) => document.sequence)).toEqual([1, 2, 6, 5, 7, 8, 9]);
    expect(messages(bytes)).toEqual([
      'document 6: sequence 2 is taken; it is numbered 6',
      'document 7: it has no sequence; it is numbered 7',
      "document 8: sequence 'x' is not a number from 1; it is numbered 8",
      "document 9: sequence '0' is not a number from 1; it is numbered 9",
    ]);
  });

  it('out of order stay in the file’s order', () => {
    const documents = ['3', '1', '2'].map((sequence) => ({ sequence, filename: `${sequence}.txt`, body: '' }));
    expect(readSubmission(madeUpTxt({ documents })).documents.map((document) => document.sequence)).toEqual([3, 1, 2]);
  });

  it('of the same name are both kept, with a warning', () => {
    const documents = [{ body: 'one' }, { sequence: '2', body: 'two' }];
    expect(texts(madeUpTxt({ documents }))).toEqual(['one', 'two']);
    expect(messages(madeUpTxt({ documents }))).toEqual(["document 2: another one is called 'a.txt' too"]);
  });

  it('of length zero are empty', () => {
    expect(texts(madeUpTxt({ documents: [{ body: '' }, { sequence: '2', filename: 'b', body: '\n' }] }))).toEqual([
      '',
      '\n',
    ]);
    const glued = madeUpTxt({ documents: [{ body: 'X' }] })
      .toString()
      .replace('<TEXT>\nX</TEXT>', '<TEXT></TEXT>');
    expect(texts(Buffer.from(glued))).toEqual(['']);
  });

  it('without <TEXT> are empty, with a warning', () => {
    const bytes = Buffer.from(
      madeUpTxt({ documents: [{ body: '' }] })
        .toString()
        .replace('<TEXT>\n</TEXT>\n', ''),
    );
    expect(texts(bytes)).toEqual(['']);
    expect(messages(bytes)).toEqual(['document 1 has no <TEXT>']);
  });

  it('without type have an empty one, with a warning', () => {
    const bytes = madeUpTxt({ documents: [{ type: null, body: '' }] });
    expect(readSubmission(bytes).documents[0]!.type).toBe('');
    expect(messages(bytes)).toEqual(['document 1: it has no type']);
  });

  it('may hold the tags of submissions as text', () => {
    for (const body of [
      'a line\n</TEXT>\nmore\n',
      'quoted </TEXT></DOCUMENT> tags\n',
      '<DOCUMENT>\nis a tag\n',
      '</DOCUMENT>\nis one too\n',
      '<TEXT>\n</TEXT>\n<TEXT>\n',
      '</SEC-DOCUMENT>\n',
    ]) {
      const bytes = madeUpTxt({ documents: [{ body }, { sequence: '2', filename: 'b', body: 'end\n' }] });
      expect(texts(bytes)).toEqual([body, 'end\n']);
    }
  });

  it('may end without a line end before </TEXT>', () => {
    expect(texts(madeUpTxt({ documents: [{ body: '<html></html>' }] }))).toEqual(['<html></html>']);
  });

  it.each(['XML', 'XBRL', 'PDF', 'ZIP', 'EXCEL', 'JSON'])('lose the wrapper lines <%s>', (wrapper) => {
    const bytes = madeUpTxt({ documents: [{ body: `<${wrapper}>\ncontent\n</${wrapper}>\n` }] });
    expect(texts(bytes)).toEqual(['content\n']);
    expect(readSubmission(bytes).documents[0]).toMatchObject({ wrapper });
  });

  it('keep what only looks like a wrapper', () => {
    for (const body of [
      '<XML>\nno end\n',
      '<XML>on the line\n</XML>\n',
      '<HTML>\n</HTML>\n',
      '<PAGE>\n</PAGE>\n',
      'x\n<XML>\n</XML>\n',
    ]) {
      expect(texts(madeUpTxt({ documents: [{ body }] }))).toEqual([body]);
    }
  });

  it('keep unknown tags and a repeated tag', () => {
    const bytes = Buffer.from(
      madeUpTxt().toString().replace('<TEXT>', '<FLAWED>\n<ODD NAME>value\n<TYPE>other\n<TEXT>'),
    );
    expect(readSubmission(bytes).documents[0]).toMatchObject({
      type: '8-K',
      otherFields: [
        { name: 'FLAWED', value: '' },
        { name: 'ODD NAME', value: 'value' },
        { name: 'TYPE', value: 'other' },
      ],
    });
  });

  it('join a description that continues in the next line, with a warning', () => {
    const bytes = madeUpTxt({ documents: [{ description: 'FIRST\nSECOND', body: '' }] });
    expect(readSubmission(bytes).documents[0]!.description).toBe('FIRST SECOND');
    expect(messages(bytes)).toEqual(['a line before the <TEXT> of document 1 is not a tag']);
  });
});

describe('uuencoded documents', () => {
  const content = Buffer.from('sixty-two bytes of content, so that there is more than one line');

  it('without end are decoded, with a warning', () => {
    const bytes = madeUpTxt({ documents: [{ body: uuencode(content, { ending: ['', ''] }) }] });
    expect(readSubmission(bytes).documents[0]!.read()).toEqual(content);
    expect(messages(bytes)).toEqual(["document 1: its uuencoded data have no 'end'"]);
  });

  it('with a second begin give the first file, with a warning', () => {
    const bytes = madeUpTxt({ documents: [{ body: uuencode(content) + uuencode(Buffer.from('second')) }] });
    expect(readSubmission(bytes).documents[0]!.read()).toEqual(content);
    expect(messages(bytes)).toEqual(["document 1: the text after the 'end' of its uuencoded data is left out"]);
  });

  it('are unreadable, with the byte, if a character is not uuencode', () => {
    const bytes = madeUpTxt({ documents: [{ body: uuencode(content) }] });
    const at = bytes.indexOf('begin') + 30;
    bytes[at] = 0x7e;
    const [document] = readSubmission(bytes).documents;
    expect(() => document!.read()).toThrow(SubmissionError);
    expect(() => document!.read()).toThrow(expect.objectContaining({ offset: at, code: 'submission-broken' }));
  });

  it('are distinguished from text that begins with the word', () => {
    expect(texts(madeUpTxt({ documents: [{ body: 'begin with this\nend\n' }] }))).toEqual(['begin with this\nend\n']);
  });
});

it('series and classes: each of the owner named before it, whether new, in a merger, or a class that is new', () => {
  const series = (name: string, id: number, ...lines: string[]) => [`<${name}>`, ...lines, `<SERIES-ID>S00000000${id}`];
  const fund = [
    '<SERIES-AND-CLASSES-CONTRACTS-DATA>',
    '<NEW-SERIES-AND-CLASSES-CONTRACTS>',
    '<OWNER-CIK>0000000001',
    ...series('NEW-SERIES', 1),
    '</NEW-SERIES>',
    '<OWNER-CIK>0000000002',
    ...series('NEW-CLASSES-CONTRACTS', 2),
    '<NEW-CLASS-CONTRACT>',
    '<CLASS-CONTRACT-ID>C000000001',
    '</NEW-CLASS-CONTRACT>',
    '</NEW-CLASSES-CONTRACTS>',
    '</NEW-SERIES-AND-CLASSES-CONTRACTS>',
    '<MERGER-SERIES-AND-CLASSES-CONTRACTS>',
    '<MERGER>',
    '<ACQUIRING-DATA>',
    '<CIK>0000000003',
    ...series('SERIES', 3),
    '</SERIES>',
    '</ACQUIRING-DATA>',
    '<TARGET-DATA>',
    '<CIK>0000000004',
    ...series('SERIES', 4, '<OWNER-CIK>none'),
    '</SERIES>',
    '</TARGET-DATA>',
    '</MERGER>',
    '</MERGER-SERIES-AND-CLASSES-CONTRACTS>',
    '</SERIES-AND-CLASSES-CONTRACTS-DATA>',
  ];
  for (const bytes of [
    madeUpTxt({ header: headerWith('txt', ...fund) }),
    madeUpNc({ header: headerWith('nc', ...fund) }),
  ])
    expect(readSubmission(bytes).series.map((one) => [one.status, one.owner_cik, one.series_id, one.classes])).toEqual([
      ['new', '1', 'S000000001', []],
      ['new', '2', 'S000000002', [{ class_id: 'C000000001', name: null, ticker: null }]],
      ['acquiring', '3', 'S000000003', []],
      ['target', null, 'S000000004', []],
    ]);
});

it('series and classes: a series without a number, and the second of one group, are said to be lost', () => {
  const group = ['<SERIES-AND-CLASSES-CONTRACTS-DATA>', '<EXISTING-SERIES-AND-CLASSES-CONTRACTS>', '<SERIES>'];
  const ends = ['</SERIES>', '</EXISTING-SERIES-AND-CLASSES-CONTRACTS>', '</SERIES-AND-CLASSES-CONTRACTS-DATA>'];
  const said = (...lines: string[]) => messages(madeUpTxt({ header: headerWith('txt', ...group, ...lines, ...ends) }));
  expect(said('<SERIES-ID>S000000001', '<SERIES-NAME>Apple')).toEqual([]);
  expect(said('<SERIES-ID>', '<SERIES-NAME>Apple')).toEqual(['a series without <SERIES-ID> is not read']);
  expect(said('<SERIES-ID>S000000001', '<SERIES-ID>S000000002')).toEqual([
    'of several series in one group only the first is read',
  ]);
});

/** Damaged and cut files: an error with position and reason, or the whole; never a part that looks like the whole. */
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { FilinglakeError } from '../../../../src/core/index.ts';
import { readSubmission, SubmissionError } from '../../../../src/filings/edgar/index.ts';
import { realFile, realFiles } from '../../../support/edgar/real-files.ts';
import {
  headerWith,
  madeUpBareHeader,
  madeUpNc,
  madeUpTxt,
  uuencode,
} from '../../../support/edgar/synthetic-submissions.ts';
import { runs } from '../../../support/property-runs.ts';
import { sharedFolder } from '../../../support/shared.ts';
import { quickIt as it, quickDescribe, slowIt } from '../../../support/tier-cases.ts';

function failure(bytes: Buffer): SubmissionError {
  try {
    readSubmission(bytes);
  } catch (error) {
    if (error instanceof SubmissionError) return error;
    throw error;
  }
  throw new Error('it was read');
}

const documents = [
  { body: 'the first\n' },
  { sequence: '2', filename: 'b.xml', type: 'EX-99', body: '<XML>\n<a>the second</a>\n</XML>\n' },
  {
    sequence: '3',
    filename: 'c.jpg',
    type: 'GRAPHIC',
    body: uuencode(Buffer.from('the third, which is long enough for two lines')),
  },
];
const PEM = [
  '-----BEGIN PRIVACY-ENHANCED MESSAGE-----\nProc-Type: 2001,MIC-CLEAR\n\n',
  '-----END PRIVACY-ENHANCED MESSAGE-----\n',
];
const txt = madeUpTxt({ documents });
const nc = madeUpNc({ documents });
const pem = Buffer.concat([Buffer.from(PEM[0]!), txt, Buffer.from(PEM[1]!)]);

quickDescribe('a file that is not a submission', () => {
  it.each([
    ['', 'the file is empty'],
    ['  \n', 'the file is empty'],
    ['<!DOCTYPE html><html>', 'the file begins with "<!DOCTYPE html><html>"'],
    ['{"cik": 1}', 'the file begins with'],
    ['<DOCUMENT>\n<TYPE>8-K\n', 'the file begins with'],
    ['\x1f\x8b\x08', 'the file is compressed by gzip'],
  ])('%j is refused by its first bytes', (text, reason) => {
    const error = failure(Buffer.from(text, 'latin1'));
    expect(error).toBeInstanceOf(FilinglakeError);
    expect(error.code).toBe('submission-unrecognised');
    expect(error.reason.startsWith(reason)).toBe(true);
    expect(error.remedy).toContain('.txt');
  });

  it('is an envelope without a submission in it', () => {
    expect(failure(Buffer.from(`${PEM[0]}nothing\n${PEM[1]}`))).toMatchObject({ code: 'submission-truncated' });
  });
});

quickDescribe('a file that was cut', () => {
  it.each([
    ['txt', txt],
    ['nc', nc],
    ['PEM', pem],
  ])('is refused wherever before its closing tag’s end (%s)', (_, bytes) => {
    const tag = bytes === nc ? '</SUBMISSION>' : '</SEC-DOCUMENT>';
    const whole = bytes.indexOf(tag) + tag.length;
    for (let length = 0; length < whole; length++) {
      const error = failure(bytes.subarray(0, length));
      expect(error.offset).toBeLessThanOrEqual(length);
      expect(error.message).toContain(`(at byte ${error.offset})`);
    }
    expect(readSubmission(bytes.subarray(0, whole)).documents).toHaveLength(3);
  });

  it.each(['txt', 'nc'] as const)('is refused if it is a bare header, wherever it was cut (%s)', (dialect) => {
    const bytes = madeUpBareHeader(dialect);
    const whole = bytes.length - 1;
    for (let length = 0; length < whole; length++) expect(() => failure(bytes.subarray(0, length))).not.toThrow();
    expect(readSubmission(bytes.subarray(0, whole)).documents).toEqual([]);
  });

  it('is refused if documents follow a bare header: they would be lost', () => {
    const lost = txt.subarray(txt.indexOf('<SEC-HEADER>'));
    expect(failure(lost)).toMatchObject({
      code: 'submission-broken',
      reason: expect.stringMatching(/"<DOCUMENT>.*follows a bare header/),
    });
  });

  it('names the document', () => {
    const length = txt.indexOf('the second') + 4;
    expect(failure(txt.subarray(0, length))).toMatchObject({
      code: 'submission-truncated',
      offset: length,
      reason: `the file ends within document 2, which begins at byte ${txt.indexOf('<DOCUMENT>', txt.indexOf('the first'))}`,
    });
  });

  it.each([
    ['txt', txt, txt],
    ['nc', nc, txt],
    ['PEM', pem, pem],
  ])('is refused if another one follows: %s', (_, first, second) => {
    const both = Buffer.concat([first, Buffer.from('\n'), second]);
    expect(failure(both)).toMatchObject({ code: 'submission-broken', offset: first.length + 1 });
  });

  it('warns if only the end of its PEM envelope is missing', () => {
    const bytes = pem.subarray(0, pem.indexOf('-----END'));
    expect(readSubmission(bytes).warnings).toEqual([
      { message: 'the PEM envelope is not closed', offset: bytes.length },
    ]);
  });
});

describe('a damaged file', () => {
  const damaged = (from: string, to: string, bytes = txt, after = 0) => {
    const at = bytes.indexOf(from, after);
    return Buffer.concat([bytes.subarray(0, at), Buffer.from(to), bytes.subarray(at + from.length)]);
  };

  it.each([
    ['<DOCUMENT>', '<DOCUMFNT>', '"<SEQUENCE>1" stands before the first <DOCUMENT>'],
    ['<TEXT>', '<TEXU>', 'document 1 has no <TEXT>'],
    ['</TEXT>', '</TEXU>', 'document 1 has no </TEXT> before its </DOCUMENT>'],
    ['</DOCUMENT>', '</DOCUMFNT>', 'document 1 does not end before the next one begins'],
    ['</SEC-DOCUMENT>', '</SEC-DOCUMFNT>', 'document 3 is followed by'],
  ])('is refused if %s became %s', (tag, other, reason) => {
    const error = failure(damaged(tag, other, tag === '<DOCUMENT>' ? madeUpNc({ documents }) : txt));
    expect(error.code).toBe('submission-broken');
    expect(error.reason.startsWith(reason)).toBe(true);
  });

  it('is refused if a later <DOCUMENT> is damaged, rather than losing that document', () => {
    const second = txt.indexOf('<DOCUMENT>', txt.indexOf('the first'));
    const error = failure(damaged('<DOCUMENT>', '<DOCUMFNT>', txt, second));
    expect(error).toMatchObject({ code: 'submission-broken', offset: second });
  });

  it('is refused if there is text between header and documents', () => {
    expect(failure(damaged('<DOCUMENT>', 'junk\n<DOCUMENT>')).reason).toBe('"junk" stands before the first <DOCUMENT>');
  });

  it.each([
    [0, 'ACCESSION NUMBER:\t1', "the header's '1' is not an accession number"],
    [0, 'ACCESSION NUMBER:', 'the header has not an accession number'],
    [1, 'CONFORMED SUBMISSION TYPE:', 'the header has not a form type'],
    [3, 'FILED AS OF DATE:\t20240231', "the header's '20240231' is not a filing date"],
  ])('is refused if line %i of the header is %j', (line, text, reason) => {
    const header = headerWith('txt');
    header[line] = text;
    const bytes = madeUpTxt({ header });
    expect(failure(bytes)).toMatchObject({ reason, offset: bytes.indexOf(text), code: 'submission-broken' });
  });

  it('is read whole or refused, whichever bit of it is flipped', () => {
    for (const original of [txt, nc, pem]) {
      const contents = readSubmission(original)
        .documents.slice(0, 2)
        .map((document) => document.read().length);
      for (let at = 0; at < original.length; at++) {
        for (let bit = 0; bit < 8; bit++) {
          const bytes = Buffer.from(original);
          bytes[at]! ^= 1 << bit;
          expectWholeOrRefused(bytes, 3, contents);
        }
      }
    }
  });

  it('is refused if the groups of its header have no end', () => {
    const names = Array.from({ length: 50_000 }, (_, i) => `G${i}`);
    const tags = [...names.map((name) => `<${name}>`), ...names.map((name) => `</${name}>`)];
    expect(failure(madeUpNc({ header: headerWith('nc', ...tags) })).reason).toMatch(/16 deep/);
  });

  slowIt('takes no time that grows with the square of its length', () => {
    const long = 300_000;
    for (const filler of [
      ' ',
      '<',
      ':',
      '[',
      '\n',
      '\t[',
      '</TEXT>',
      '<DOCUMENT>\n',
      '</DOCUMENT>\n',
      ']\n',
      'A:\n',
      '<A>\n',
      '<A>\n</A>\n',
    ]) {
      const text = filler.repeat(long / filler.length);
      for (const bytes of [
        madeUpTxt({ header: headerWith('txt', text) }),
        madeUpTxt({ header: headerWith('txt', `SROS:${text}x`) }),
        madeUpTxt({ header: [...headerWith('txt'), `\t\tSTANDARD INDUSTRIAL CLASSIFICATION:\tA${text}B`] }),
        madeUpTxt({ documents: [{ description: text, body: text }] }),
      ]) {
        expectWholeOrRefused(bytes, 1);
      }
    }
  });
});

/** Either a SubmissionError, or all documents, none shorter than before but for the one byte that a damaged line end can take. */
function expectWholeOrRefused(bytes: Buffer, count: number, lengths: number[] = []): void {
  try {
    const submission = readSubmission(bytes);
    if (submission.documents.length !== count)
      throw new Error(`${submission.documents.length} of ${count} documents were read`);
    const read = submission.documents.map((document) => document.read());
    const short = lengths.findIndex((length, i) => read[i]!.length < length - 1);
    if (short >= 0) throw new Error(`document ${short + 1} lost ${lengths[short]! - read[short]!.length} bytes`);
  } catch (error) {
    if (!(error instanceof SubmissionError)) throw error;
    if (!(error.offset >= 0 && error.offset <= bytes.length))
      throw new Error(`byte ${error.offset} is outside the file`);
  }
}

quickDescribe.skipIf(!sharedFolder)('real files', () => {
  const files = sharedFolder
    ? [...realFiles('full-submissions'), ...realFiles('feed-nc')]
        .map((path) => realFile(path))
        .filter((b) => b.length < 200_000)
    : [];
  const counts = files.map((bytes) => readSubmission(bytes).documents.length);
  const place = fc.tuple(
    fc.nat(Math.max(0, files.length - 1)),
    fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  );

  it('53: are refused by kind, if a page, a list or a JSON file came in place of a submission', () => {
    for (const folder of ['http-pages', 'http-pages/filing-index', 'atom', 'indexes', 'json', 'xml/ownership']) {
      for (const path of realFiles(folder)) expect(failure(realFile(path)).code).toBe('submission-unrecognised');
    }
  });

  it('are refused when they are cut anywhere before their closing tag’s end', () => {
    fc.assert(
      fc.property(place, ([file, where]) => {
        const bytes = files[file]!;
        const closing = Math.max(
          ...['</SEC-DOCUMENT>', '</IMS-DOCUMENT>', '</SUBMISSION>'].map((tag) => bytes.lastIndexOf(tag)),
        );
        const length = Math.floor(where * (closing + '</SUBMISSION>'.length));
        expect(failure(bytes.subarray(0, length)).offset).toBeLessThanOrEqual(length);
      }),
      { numRuns: runs(1000) },
    );
  });

  it('are read whole or refused when a few bytes are changed', () => {
    fc.assert(
      fc.property(
        place,
        fc.array(fc.tuple(fc.nat(3000), fc.nat(255)), { minLength: 1, maxLength: 3 }),
        ([file, where], changes) => {
          const bytes = Buffer.from(files[file]!);
          for (const [distance, value] of changes)
            bytes[(Math.floor(where * bytes.length) + distance) % bytes.length] = value;
          expectWholeOrRefused(bytes, counts[file]!);
        },
      ),
      { numRuns: runs(1000) },
    );
  });
});

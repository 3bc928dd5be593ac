import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSubmission } from '../../../../src/filings/edgar/index.ts';
import { findUuencoded, uudecode } from '../../../../src/filings/edgar/submission/uuencode.ts';
import { madeUpTxt, uuencode } from '../../../support/edgar/synthetic-submissions.ts';

function decode(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  const { dataStart, dataEnd } = findUuencoded(bytes, 0, bytes.length)!;
  return uudecode(bytes, dataStart, dataEnd);
}

const content = fc.oneof(
  fc.uint8Array({ maxLength: 400 }),
  // Zeros become blanks or backticks, and blanks at a line's end are what gets stripped.
  fc.array(fc.constantFrom(0, 0, 0, 1, 255), { maxLength: 400 }).map((values) => Uint8Array.from(values)),
);
const options = fc.record({
  strip: fc.boolean(),
  zero: fc.constantFrom(' ' as const, '`' as const),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  ending: fc.constantFrom(['', 'end', ''], [' ', 'end', ''], ['`', 'end', ''], ['end'], [''], ['', '', '']),
});

describe('uuencoded data', () => {
  it('give back the original bytes, however blanks, zeros, line ends and the ending were written', () => {
    fc.assert(
      fc.property(content, options, (bytes, how) => {
        expect(decode(uuencode(bytes, how)).equals(bytes)).toBe(true);
      }),
    );
  });

  it('give it back from within a submission too', () => {
    fc.assert(
      fc.property(content, options, (bytes, how) => {
        const [document] = readSubmission(madeUpTxt({ documents: [{ body: `${uuencode(bytes, how)}\n` }] })).documents;
        expect(document!.kind).toBe('uuencoded');
        expect(document!.read().equals(bytes)).toBe(true);
      }),
    );
  });

  it('lose the dot that mail doubles at the start of a last line of 14 bytes', () => {
    const bytes = Buffer.from('............14');
    const line = uuencode(bytes, { strip: false }).split('\n')[1]!;
    expect([line[0], line.length]).toEqual(['.', 21]);
    expect(decode(`begin 644 name\n.${line}\n\nend\n`)).toEqual(bytes);
    expect(decode(`begin 644 name\n${line}\n\nend\n`)).toEqual(bytes);
  });

  it('keep a last line whose second character is a single dot', () => {
    const bytes = Buffer.concat([Buffer.from([0x3b]), Buffer.alloc(13, 7)]);
    const line = uuencode(bytes, { strip: false }).split('\n')[1]!;
    expect(line.startsWith('..')).toBe(true);
    expect(decode(`begin 644 name\n${line}\nend\n`)).toEqual(bytes);
  });

  it('ignore what fills a line beyond its length', () => {
    expect(decode('begin 644 name\n#_]D!\n\nend\n').toString('hex')).toBe(
      decode('begin 644 name\n#_]D!!\nend\n').toString('hex'),
    );
    const [line] = uuencode(Buffer.from('a'), { strip: false }).split('\n').slice(1);
    expect(decode(`begin 644 name\n${line!.replace(/ +$/, '!!')}\n\nend\n`).toString()).toBe('a');
  });

  it('may be longer than their characters, if lines of zeros are stripped', () => {
    const zeros = Buffer.alloc(45 * 1000);
    const text = uuencode(zeros);
    expect(text.length).toBeLessThan(zeros.length / 10);
    expect(decode(text)).toEqual(zeros);
  });

  it('begin with their line and nothing else', () => {
    const found = (text: string) => findUuencoded(Buffer.from(text), 0, text.length) !== null;
    expect(found('begin 644 name\nend\n')).toBe(true);
    expect(found('\n\nbegin 0755 name with blanks\nend\n')).toBe(true);
    expect(found('begin 644\nend\n')).toBe(true);
    for (const text of ['begin', 'begin 9 x', 'begin 64x name', 'text\nbegin 644 name', ' \tbegin 644 name', '']) {
      expect(found(text)).toBe(false);
    }
  });
});

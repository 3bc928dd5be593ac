import { crc32, inflateRawSync, inflateSync } from 'node:zlib';
import { PDFDocument } from '@cantoo/pdf-lib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSubmission } from '../../../src/edgar/index.ts';
import { textPdf } from '../../../src/sample/binaries/pdf.ts';
import { barChartPng } from '../../../src/sample/binaries/png.ts';
import { workbook, zip } from '../../../src/sample/binaries/zip.ts';
import { uuencode } from '../../../src/sample/uuencode.ts';
import { twoCohorts } from './given.ts';

describe('a bar chart', () => {
  it('is a PNG with right checksums and a pixel for each byte', () => {
    const png = barChartPng([0.2, 1], 64, 40);
    expect(png.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
    const chunks: Record<string, Buffer> = {};
    for (let at = 8; at < png.length; ) {
      const length = png.readUInt32BE(at);
      const body = png.subarray(at + 4, at + 8 + length);
      expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(body));
      chunks[body.toString('latin1', 0, 4)] = body.subarray(4);
      at += 12 + length;
    }
    const pixels = inflateSync(chunks.IDAT!);
    expect(pixels.length).toBe(65 * 40);
    expect(new Set(pixels)).toEqual(new Set([0, 1, 2, 3]));
  });
});

describe('a logo', () => {
  it('is a JPEG', async () => {
    const isLogo = ({ filename }: { filename: string | null }) => /logo.*\.jpg$/.test(filename ?? '');
    const file = twoCohorts().find(({ truth }) => truth().documents.some(isLogo));
    const jpeg = readSubmission(file!.bytes).documents.find(isLogo)!.read();
    const image = await (await PDFDocument.create()).embedJpg(Uint8Array.from(jpeg));
    expect([image.width, image.height]).toEqual([24, 16]);
  });
});

describe('a text PDF', () => {
  it('opens, with as many pages as were given', async () => {
    const pdf = await PDFDocument.load(textPdf([['one (1)'], ['two'], ['three']]), { throwOnInvalidObject: true });
    expect(pdf.getPageCount()).toBe(3);
  });

  it('has a cross-reference table that points at its objects', () => {
    const text = textPdf([['a']]).toString('latin1');
    const start = Number(/startxref\n(\d+)/.exec(text)![1]);
    expect(text.startsWith('xref', start)).toBe(true);
    const offsets = [...text.slice(start).matchAll(/^(\d{10}) 00000 n /gm)].map((m) => Number(m[1]));
    offsets.forEach((offset, i) => {
      expect(text.startsWith(`${i + 1} 0 obj`, offset)).toBe(true);
    });
  });
});

describe('an archive', () => {
  it('holds its files behind a central directory', () => {
    const archive = zip([
      { name: 'a.txt', bytes: Buffer.from('first') },
      { name: 'b.txt', bytes: Buffer.from('second second second') },
    ]);
    const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
    expect(archive.readUInt16LE(end + 10)).toBe(2);
    let at = archive.readUInt32LE(end + 16);
    const contents: string[] = [];
    for (let i = 0; i < 2; i++) {
      expect(archive.toString('latin1', at, at + 2)).toBe('PK');
      const [packed, nameLength, offset] = [
        archive.readUInt32LE(at + 20),
        archive.readUInt16LE(at + 28),
        archive.readUInt32LE(at + 42),
      ];
      const start = offset + 30 + archive.readUInt16LE(offset + 26);
      const bytes = inflateRawSync(archive.subarray(start, start + packed));
      expect(crc32(bytes)).toBe(archive.readUInt32LE(at + 16));
      contents.push(bytes.toString());
      at += 46 + nameLength;
    }
    expect(contents).toEqual(['first', 'second second second']);
  });

  it('is the same each time, though it is a workbook', () => {
    expect(workbook([['a & b', 1]])).toEqual(workbook([['a & b', 1]]));
  });
});

/** The rule: a blank or backtick is 0, stripped characters are blanks, a doubled dot of 22 characters loses one. */
function decode(text: string): Buffer {
  const out: number[] = [];
  for (const raw of text.split('\n').slice(1)) {
    const line = raw.startsWith('..') && raw.length === 22 ? raw.slice(1) : raw;
    if (line === '' || line === '`' || line === ' ' || line === 'end') break;
    const value = (i: number) => (i < line.length ? (line.charCodeAt(i) - 32) & 63 : 0);
    const length = value(0);
    const bytes: number[] = [];
    for (let i = 1; bytes.length < length; i += 4) {
      const [a, b, c, d] = [value(i), value(i + 1), value(i + 2), value(i + 3)];
      bytes.push((a << 2) | (b >> 4), ((b & 15) << 4) | (c >> 2), ((c & 3) << 6) | d);
    }
    out.push(...bytes.slice(0, length));
  }
  return Buffer.from(out);
}

describe('uuencode', () => {
  it('keeps every byte, with blanks or backticks, stripped or not, dots doubled or not', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 400 }),
        fc.constantFrom(' ' as const, '`' as const),
        fc.boolean(),
        fc.constantFrom('zero' as const, '!' as const),
        fc.boolean(),
        (bytes, zero, stripped, filler, dotStuffed) => {
          const encoded = uuencode(Buffer.from(bytes), 'x.bin', { zero, stripped, filler, dotStuffed }).toString(
            'latin1',
          );
          expect(encoded.startsWith('begin 644 x.bin\n') && encoded.endsWith('\nend\n')).toBe(true);
          expect(decode(encoded)).toEqual(Buffer.from(bytes));
        },
      ),
    );
  });

  it('doubles the dot of a last line of fourteen bytes', () => {
    const bytes = Buffer.alloc(14, 0xff);
    const lines = uuencode(bytes, 'x', { zero: ' ', stripped: true, filler: '!', dotStuffed: true })
      .toString('latin1')
      .split('\n');
    expect(lines[1]).toHaveLength(22);
    expect(lines[1]!.startsWith('..')).toBe(true);
  });
});

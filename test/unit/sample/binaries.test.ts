import { crc32, inflateRawSync, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { PDFDocument } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { greySquaresJpeg } from '../../../src/sample/binaries/jpeg.ts';
import { textPdf } from '../../../src/sample/binaries/pdf.ts';
import { barChartPng } from '../../../src/sample/binaries/png.ts';
import { workbook, zip } from '../../../src/sample/binaries/zip.ts';
import { uuencode } from '../../../src/sample/uuencode.ts';

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
  it('is a JPEG that holds the squares it was made of', async () => {
    const levels = [0, 255, 128, 17, 200, 3];
    const jpeg = greySquaresJpeg(levels, 3);
    expect([...jpeg.subarray(0, 2)]).toEqual([0xff, 0xd8]);
    expect([...jpeg.subarray(-2)]).toEqual([0xff, 0xd9]);
    const image = await (await PDFDocument.create()).embedJpg(Uint8Array.from(jpeg));
    expect([image.width, image.height]).toEqual([24, 16]);
    expect(decodeDc(jpeg, levels.length)).toEqual(levels);
  });
});

/** Reads the DC values back: sizes by the codes of T.81 K.3, each followed by one bit for the end of the block. */
function decodeDc(jpeg: Buffer, count: number): number[] {
  const scanAt = jpeg.indexOf(Buffer.from([0xff, 0xda])) + 10;
  const bits = [...jpeg.subarray(scanAt, -2)]
    .filter((byte, i, all) => !(byte === 0 && all[i - 1] === 0xff))
    .map((byte) => byte.toString(2).padStart(8, '0'))
    .join('');
  const codes = ['00', '010', '011', '100', '101', '110', '1110', '11110', '111110', '1111110', '11111110'];
  const values: number[] = [];
  let at = 0;
  let before = 0;
  while (values.length < count) {
    const size = codes.findIndex((code) => bits.startsWith(code, at));
    at += codes[size]!.length;
    const digits = bits.slice(at, at + size);
    at += size + 1;
    const value = size === 0 ? 0 : Number.parseInt(digits, 2);
    before += size > 0 && digits[0] === '0' ? value - 2 ** size + 1 : value;
    values.push(before + 128);
  }
  return values;
}

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

/** As the rule has it: a blank or backtick is 0, what was stripped is blank, a doubled dot of 22 characters loses one. */
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

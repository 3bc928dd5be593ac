import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodePieces,
  decodeText,
  isTextual,
  looksLikeHtml,
  mediaType,
} from '../../../../src/filings/documents/index.ts';

describe('decodeText', () => {
  it('reads bytes that are entirely UTF-8 as UTF-8', () => {
    const text = 'Société générale — “quoted” 漢';
    expect(decodeText(Buffer.from(text, 'utf8'))).toEqual({ text, encoding: 'utf-8' });
  });

  it('reads everything else as windows-1252, undefined bytes with their number', () => {
    const bytes = Buffer.from([0x93, 0x41, 0x94, 0x92, 0x81, 0xe9, 0x0d, 0x0a]);
    expect(decodeText(bytes)).toEqual({ text: '\u201cA\u201d\u2019\x81é\r\n', encoding: 'windows-1252' });
  });

  it('gives one character a byte in windows-1252, so that positions are byte offsets', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (array) => {
        const decoded = decodeText(Buffer.from(array));
        if (decoded.encoding === 'windows-1252') expect(decoded.text).toHaveLength(array.length);
        else expect(Buffer.from(decoded.text, 'utf8')).toEqual(Buffer.from(array));
      }),
    );
  });
});

describe('decodePieces', () => {
  it('gives the same text, and never half a character', () => {
    const characters = fc.array(
      fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\u{1F600}', '漢', '\r\n', '\uFEFF')),
    );
    const texts = characters.map((each) => Buffer.from(each.join('').toWellFormed()));
    fc.assert(
      fc.property(fc.oneof(texts, fc.uint8Array().map(Buffer.from)), fc.integer({ min: 1, max: 9 }), (bytes, size) => {
        const pieces = [...decodePieces(Buffer.from(bytes), size)];
        expect(pieces.join('')).toBe(decodeText(Buffer.from(bytes)).text);
        for (const piece of pieces) expect(piece.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('mediaType', () => {
  const of = (filename: string | null, bytes: Buffer | string, type: string | null = null) =>
    mediaType({ filename, type }, Buffer.from(bytes as string));

  it('believes the first bytes more than the name', () => {
    expect(of('picture.jpg', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))).toBe('image/png');
    expect(of(null, Buffer.from('\xff\xd8\xff\xe0', 'latin1'))).toBe('image/jpeg');
    expect(of('a.txt', '%PDF-1.4')).toBe('application/pdf');
    expect(of('R2.xml', '<html><body>')).toBe('text/html');
  });

  it('knows spreadsheets, which are ZIP archives, by their name', () => {
    expect(of('Financial_Report.xlsx', 'PK\x03\x04')).toMatch(/spreadsheetml/);
    expect(of('all.zip', 'PK\x03\x04')).toBe('application/zip');
  });

  it('tells inline XBRL from XML', () => {
    expect(of('x.htm', '<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml">')).toBe('text/html');
    expect(of('form4.xml', '\n<?xml version="1.0"?>\n<ownershipDocument>')).toBe('application/xml');
  });

  it('distinguishes typewritten pages from HTML without a name', () => {
    expect(of(null, '<PAGE>\n<TABLE>\n<CAPTION>\n  Assets  10\n')).toBe('text/plain');
    expect(of(null, '<HTML><BODY><P>Text')).toBe('text/html');
    expect(looksLikeHtml('  <TABLE>\n<S> <C>\n</TABLE>')).toBe(false);
  });

  it('states which types are text', () => {
    expect(['text/html', 'text/plain', 'application/xml', 'application/json'].every(isTextual)).toBe(true);
    expect(['image/png', 'application/pdf', 'application/octet-stream'].some(isTextual)).toBe(false);
  });
});

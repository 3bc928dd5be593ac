import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHUNK_TOKENS, countTokens, readParts } from '../../../../src/filings/documents/index.ts';
import { filingText, labels } from '../../../support/documents/labelled.ts';
import { sharedFolder } from '../../../support/shared.ts';

const PROSE = 'We make widgets of every size, and we sell them in many places of the world. ';
const read = (html: string, format: 'plain' | 'markdown' = 'plain') =>
  readParts(html, 'text/html', { type: null, format, chunks: true });

/** Chunks follow each other, are the text, and are short enough. */
function expectCover({ text, chunks }: ReturnType<typeof read>): void {
  expect(chunks.map((chunk) => chunk.text).join('')).toBe(text);
  let at = 0;
  for (const { start_index, end_index, tokens, text: own } of chunks) {
    expect(start_index).toBe(at);
    expect(own).toBe(text.slice(start_index, end_index));
    expect(tokens).toBe(countTokens(own));
    expect(tokens).toBeLessThanOrEqual(CHUNK_TOKENS);
    at = end_index;
  }
  expect(at).toBe(text.length);
}

describe('chunks', () => {
  it('begin at headings and tables, with the headings above them', () => {
    const table = `<table>${Array.from({ length: 8 }, (_, i) => `<tr><td>Sales ${i}</td><td>1,23${i}</td></tr>`).join('')}</table>`;
    const html = `<p><b>Products</b></p><p><i>Widgets</i></p><p>${PROSE}</p>${table}<p>${PROSE}</p><p><b>Markets</b></p><p>${PROSE}</p>`;
    const parts = read(html);
    expectCover(parts);
    expect(parts.chunks.map(({ kind, headings }) => [kind, ...headings])).toEqual([
      ['text', 'Products', 'Widgets'],
      ['table', 'Products', 'Widgets'],
      ['text', 'Products', 'Widgets'],
      ['text', 'Markets'],
    ]);
    expect(parts.chunks[0]!.text).toMatch(/^Products\n\nWidgets\n\nWe make/);
  });

  it('are cut between paragraphs, sentences or words if they are too long', () => {
    const paragraphs = read(`<p>${PROSE.repeat(12)}</p>`.repeat(6));
    expectCover(paragraphs);
    for (const { text } of paragraphs.chunks) expect(text).toMatch(/^We/);
    expectCover(read(`<p>${'word '.repeat(2_000)}</p>`));
    expectCover(read(`<p>${'x'.repeat(20_000)}</p>`));
  });

  it('are not cut behind initials', () => {
    const parts = read(
      `<p>${'We sell it to agencies. They belong to the whole U.S. Government, as do the others of the U.S. Army, and to nobody else. '.repeat(60)}</p>`,
    );
    expectCover(parts);
    expect(parts.chunks.length).toBeGreaterThan(2);
    for (const chunk of parts.chunks.slice(0, -1)) expect(chunk.text).toMatch(/(?:agencies|else)\. $/);
  });

  it('cover any text without gap or overlap, plain or as Markdown', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '<p>',
        '<b>',
        '</b>',
        '</p>',
        '<table><tr><td>',
        '<td>',
        '<tr><td>',
        '</table>',
        '<br>',
        '<li>',
        '<i>',
        '</i>',
      ),
      fc.constantFrom(PROSE, 'Widgets', '1,234', '\u2022 item', 'caf\u00e9 \u{1f600}', '|', '#', PROSE.repeat(40)),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }),
        fc.constantFrom('plain' as const, 'markdown' as const),
        (pieces, format) => expectCover(read(`<html>${pieces.join('')}</html>`, format)),
      ),
    );
  });

  it('counts words of up to 8 characters, and signs, as a token each', () => {
    expect(countTokens('Net sales: $1,234 (5%)')).toBe(11);
    expect(countTokens('internationalisation')).toBe(3);
    expect(countTokens('')).toBe(0);
  });
});

describe.skipIf(sharedFolder === null)('chunks and Markdown of real filings', () => {
  const words = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? [];

  it.each(labels.filter((_, k) => k % 7 === 0).map(({ file, form_type }) => [file, form_type]))(
    '%s: no word is lost, and chunks are the whole text',
    (file, type) => {
      const content = filingText(`labelled/${file}`);
      const media = file.includes('.txt') ? 'text/plain' : 'text/html';
      const plain = readParts(content, media, { type, chunks: true });
      const markdown = readParts(content, media, { type, format: 'markdown', chunks: true });
      expectCover(plain);
      expectCover(markdown);
      expect(words(markdown.text)).toEqual(words(plain.text));
    },
  );
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../../../src/filings/documents/index.ts';
import { readLines } from '../../../../src/filings/documents/lines/lines.ts';
import { scanMarkup } from '../../../../src/filings/documents/lines/markup.ts';
import { sharedFolder } from '../../../support/shared.ts';

interface Scanned {
  text: string;
  tags: string[];
}

/** What the scan sees: raw text joined, tags by name. */
function scanned(source: string): Scanned {
  const pieces: string[] = [];
  const tags: string[] = [];
  scanMarkup(source, 0, source.length, false, {
    text: (start, end) => pieces.push(source.slice(start, end)),
    open: (name) => tags.push(name),
    close: (name) => tags.push(`/${name}`),
  });
  return { text: pieces.join(''), tags };
}

/** What htmlparser2's tokenizer sees; it gives its own end tags for void and unclosed elements, so only start tags are compared. */
function oracle(source: string): Scanned {
  const pieces: string[] = [];
  const tags: string[] = [];
  const parser = new Parser(
    { ontext: (data) => pieces.push(data), onopentagname: (name) => tags.push(name) },
    { decodeEntities: false, lowerCaseTags: true, recognizeSelfClosing: true, xmlMode: false },
  );
  parser.end(source);
  return { text: pieces.join(''), tags };
}

describe('scanMarkup', () => {
  it('finds tags, skips comments and declarations', () => {
    expect(scanned('<!DOCTYPE html><P align="a>b">one<!-- <b> --> &amp; two<br/></P>')).toEqual({
      text: 'one &amp; two',
      tags: ['p', 'br', '/p'],
    });
  });

  it('takes for text what can be no tag', () => {
    expect(scanned('a < b, 3<4, <5, < p>')).toEqual({ text: 'a < b, 3<4, <5, < p>', tags: [] });
  });

  it('continues at the first > if a quote is never closed', () => {
    expect(scanned('<font size="2>one</font>')).toEqual({ text: 'one', tags: ['font', '/font'] });
  });

  it('tells tags apart that differ in one letter, whatever the alphabet', () => {
    const names = ['abcd', 'abce', 'xbcd', '\u4e00', '\u4e01', '\u203c', '\u033c'];
    const { anchors } = readLines(names.map((name) => `<p><a name="${name}">${name}</a></p>`).join(''), 'html');
    expect([...anchors.keys()]).toEqual(names);
    const source = names.map((name) => `<a name="${name}">${name}</a>`).join('');
    expect(scanned(source)).toEqual({ text: names.join(''), tags: names.flatMap(() => ['a', '/a']) });
  });

  it('leaves the content of scripts and styles alone', () => {
    expect(scanned('<style>a<b</style><script>"<p>"</script><p>x').tags).toEqual([
      'style',
      '/style',
      'script',
      '/script',
      'p',
    ]);
  });

  it('knows but the tags of typewritten pages in plain text', () => {
    const tags: string[] = [];
    const source = 'a <b> <PAGE>\n<TABLE> <S> <C>\n<someone@example.com>';
    scanMarkup(source, 0, source.length, true, { text() {}, open: (name) => tags.push(name), close() {} });
    expect(tags).toEqual(['page', 'table', 's', 'c']);
  });

  it('gives every character to text or to a tag, in order, once', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '<',
        '>',
        '"',
        "'",
        '<!--',
        '-->',
        '<p ',
        '</',
        '/>',
        '<a b="',
        '&',
        '\n',
        '<title>',
        '</title>',
        '<?x',
      ),
      fc.string({ maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.boolean(), (pieces, plain) => {
        const source = pieces.join('');
        let at = 0;
        const take = (start: number, end: number) => {
          expect(start).toBeGreaterThanOrEqual(at);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(source.length);
          at = end;
        };
        scanMarkup(source, 0, source.length, plain, {
          text: take,
          open: (_name, start, end) => take(start, end),
          close: (_name, start, end) => take(start, end),
        });
      }),
    );
  });
});

describe('readLines', () => {
  const texts = (source: string) => readLines(source, 'html').lines.map((line) => line.text);

  it('joins inline elements and parts blocks, cells and line breaks', () => {
    expect(texts('<p>It<b>em</b>&nbsp; 1<br>two</p><table><tr><td>a</td><td>b<p>c</td></tr></table>')).toEqual([
      'Item 1',
      'two',
      'a',
      'b',
      'c',
    ]);
  });

  it('leaves out invisible parts, even if their element is never closed', () => {
    expect(
      texts('<head><title>t</title></head><ix:header>x</ix:header><div style="display: none"><div>y</div></div>z'),
    ).toEqual(['z']);
    expect(texts('<p style="display:none">hidden<p>shown')).toEqual(['shown']);
    expect(texts('<table><tr><td><span style="display:none">a</td><td>b</td></tr></table>')).toEqual(['b']);
  });

  it('keeps the lines of preformatted text', () => {
    const { lines } = readLines('<pre>\n one\n\n   two\nthree</pre>', 'html');
    expect(lines.map((line) => [line.text, line.indent, line.follows])).toEqual([
      ['one', 1, false],
      ['two', 3, false],
      ['three', 0, true],
    ]);
  });

  it('points at the first and behind the last visible character', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('<b>', '</b>', '<p>', ' ', 'ab', '&amp;', '&#65;', '\n', '<td>', 'c'), {
          maxLength: 30,
        }),
        (pieces) => {
          const source = pieces.join('');
          let end = 0;
          for (const line of readLines(source, 'html').lines) {
            expect(line.start).toBeGreaterThanOrEqual(end);
            expect(line.end).toBeGreaterThan(line.start);
            expect(source[line.start]).toMatch(/[\w&]/);
            expect(source[line.end - 1]).toMatch(/[\w;]/);
            end = line.end;
          }
        },
      ),
    );
  });
});

describe.skipIf(!sharedFolder)('the scan of real filings, beside htmlparser2', () => {
  const folder = join(sharedFolder ?? '', 'sections/labelled');
  const names = sharedFolder ? readdirSync(folder).filter((name) => name.endsWith('.htm.gz')) : [];

  // Every sixth: the oracle reads 100 MB/s at best.
  it.each(names.filter((_, i) => i % 6 === 0))('sees the same text and the same tags in %s', (name) => {
    const source = decodeText(gunzipSync(readFileSync(join(folder, name)))).text;
    const ours = scanned(source);
    const theirs = oracle(source);
    const squeezed = (text: string) => text.replace(/\s+/g, '');
    expect(ours.tags.filter((tag) => !tag.startsWith('/'))).toEqual(theirs.tags);
    expect(squeezed(ours.text)).toBe(squeezed(theirs.text));
  });
});

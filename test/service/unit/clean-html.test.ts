import fc from 'fast-check';
import { type DefaultTreeAdapterMap, parseFragment } from 'parse5';
import { describe, expect, it } from 'vitest';
import { cleanHtml } from '../../../src/service/pdf/clean-html.ts';
import { plainPages } from '../../../src/service/pdf/plain-pages.ts';
import { runs } from '../../support/property-runs.ts';

const PICTURE = 'data:image/gif;base64,R0lGODlhAQABAAAAACw=';
const OPTIONS = { idPrefix: 'd0-', anchorKey: 'key-', pictures: new Map([['logo.gif', PICTURE]]) };

function clean(html: string): string {
  return cleanHtml(html, OPTIONS).html;
}

describe("a filer's HTML", () => {
  it.each<[string, string, string]>([
    ['scripts with what is in them', 'a<script>alert(1)</script>b', 'ab'],
    ['a refresh', '<meta http-equiv="refresh" content="0;url=http://x/">a', 'a'],
    ['frames and objects', '<iframe src="http://x/">in</iframe><object data="x">in</object><embed src="x">a', 'a'],
    ['a base', '<base href="http://x/">a', 'a'],
    ['event handlers', '<p onclick="x()" onmouseover=y()>a</p>', '<p>a</p>'],
    [
      'hidden facts of inline XBRL',
      '<ix:header><ix:hidden>1</ix:hidden></ix:header><p><ix:nonfraction name="x">2</ix:nonfraction></p>',
      '<p>2</p>',
    ],
    ['links that are scripts', '<a href="javascript:x()">a</a>', '<a>a</a>'],
    ['links to other files', '<a href="ex99.htm">a</a>', '<a>a</a>'],
    ['pictures from elsewhere', '<img src="http://x/spy.gif" alt="b">', '<img alt="b" />'],
    ['style sheets by link', '<link rel="stylesheet" href="http://x/a.css">a', 'a'],
    ['forms', '<form action="http://x/"><input name="a">a</form>', 'a'],
  ])('loses %s', (_name, html, expected) => {
    expect(clean(html)).toBe(expected);
  });

  it('keeps its look, its links out, and its pictures', () => {
    expect(clean('<p style="color:red" align=center>a</p>')).toBe('<p style="color:red" align="center">a</p>');
    expect(clean('<a href="https://example.com/">a</a>')).toBe('<a href="https://example.com/">a</a>');
    expect(clean('<img src="./LOGO.gif?x" width="4">')).toBe(`<img src="${PICTURE}" width="4" />`);
    expect(clean(`<img src="${PICTURE}">`)).toBe(`<img src="${PICTURE}" />`);
    expect(clean('<img src="data:text/html;base64,AA==">')).toBe('<img />');
    expect(clean('<body bgcolor="#eee"><p>a</p></body>')).toBe('<div bgcolor="#eee"><p>a</p></div>');
  });

  it('keeps the links within it apart from those of other documents', () => {
    expect(clean('<a href="#item1">go</a><a name="item1">there</a><p id="b">c</p>')).toBe(
      '<a href="#d0-item1">go</a><a id="d0-item1">there</a><p id="d0-b">c</p>',
    );
    expect(clean('<a name="key-doc-0-s1"></a><a name="doc-0-s1"></a>')).toBe(
      '<a id="doc-0-s1"></a><a id="d0-doc-0-s1"></a>',
    );
  });

  it('hands over its style sheets', () => {
    const { css } = cleanHtml(
      '<style type="text/css"><!-- p { margin: 0 } --></style><STYLE>b{}</STYLE><style>never ends',
      OPTIONS,
    );
    expect(css.split('\n').map((line) => line.trim())).toEqual(['p { margin: 0 }', 'b{}']);
  });

  it('has nothing left that could run or load, whatever it was made of', () => {
    const pieces = [
      '<',
      '>',
      '"',
      "'",
      '/',
      ' ',
      '=',
      '<!--',
      '-->',
      '<![CDATA[',
      'script',
      'svg',
      'img',
      'a',
      'p',
      'style',
      'table',
      'td',
      'iframe',
      'meta',
      'src',
      'href',
      'onload',
      'javascript:',
      '&#106;avascript:',
      'http://x/',
      'text',
      '\n',
      '</',
      'xmp',
      'math',
      'template',
      'noscript',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), (parts) => {
        for (const element of elements(parseFragment(clean(parts.join(''))))) {
          expect([
            'script',
            'iframe',
            'object',
            'embed',
            'meta',
            'base',
            'link',
            'form',
            'svg',
            'style',
            'template',
          ]).not.toContain(element.tagName);
          for (const { name, value } of element.attrs) {
            expect(name).not.toMatch(/^on/);
            if (name === 'src') expect(value).toMatch(/^data:/);
            if (name === 'href') expect(value).toMatch(/^(https?:|mailto:|#)/i);
          }
        }
      }),
      { numRuns: runs(500) },
    );
  });
});

function* elements(node: DefaultTreeAdapterMap['node']): Generator<DefaultTreeAdapterMap['element']> {
  if ('tagName' in node) yield node;
  if ('childNodes' in node) for (const child of node.childNodes) yield* elements(child);
}

describe('typewritten pages', () => {
  it('are parted at <PAGE> and form feeds, empty ones left out', () => {
    expect(plainPages('one\n<PAGE>\n\n<PAGE>   2\r\ntwo\r\n\fthree')).toEqual(['one', 'two', 'three']);
    expect(plainPages('all of it')).toEqual(['all of it']);
    expect(plainPages(' \n ')).toEqual([]);
  });

  it('lose the tags of tables, and columns keep their places', () => {
    const page = plainPages('<TABLE>\n<CAPTION>\n        1996\n<S>     <C>\nA       1\n<FN>\nnote\n</TABLE>\nx < y');
    expect(page).toEqual(['        1996\nA       1\nnote\nx < y']);
    expect(plainPages('a<S> b')).toEqual(['a    b']);
  });
});

import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { parse } from 'parse5';
import { describe, expect, it } from 'vitest';
import { indexAt, visibleText } from '../../../../bench/section-score/score.ts';
import { findSections, sectionsHtml } from '../../../../src/filings/documents/index.ts';
import { VOID_ELEMENTS } from '../../../../src/filings/documents/lines/markup.ts';
import { filingText, labels } from '../../../support/documents/labelled.ts';
import { runs } from '../../../support/property-runs.ts';
import { sharedFolder } from '../../../support/shared.ts';

/** What an independent parser finds wrong with the balance of tags: end tags without a start, elements left open. */
function imbalances(html: string): string[] {
  const open: string[] = [];
  const faults: string[] = [];
  const parser = new Parser(
    {
      onopentag: (name) => {
        if (!VOID_ELEMENTS.has(name)) open.push(name);
      },
      onclosetag: (name) => {
        if (VOID_ELEMENTS.has(name)) return;
        const last = open.pop();
        if (last !== name) faults.push(`</${name}> where <${last}> is open`);
      },
    },
    // XML mode: nothing is closed by implication, so unbalanced elements show.
    { xmlMode: true, lowerCaseTags: true, lowerCaseAttributeNames: true, decodeEntities: false },
  );
  // In XML mode an element left open is closed at the end: count the tags as well.
  parser.end(html.replace(/<(br|hr|img|input|meta|link|col|area|base|wbr)\b([^>]*?)\/?>/gi, '<$1$2/>'));
  const starts =
    html.match(/<[a-z][^\s/>]*/gi)?.filter((tag) => !VOID_ELEMENTS.has(tag.slice(1).toLowerCase())).length ?? 0;
  const ends = html.match(/<\/[a-z][^\s>]*/gi)?.length ?? 0;
  if (starts !== ends) faults.push(`${starts} start tags, ${ends} end tags`);
  return faults;
}

interface Parsed {
  nodeName: string;
  value?: string;
  childNodes?: Parsed[];
}

/** What parse5, which repairs HTML as browsers do, shows of it: all text in order. */
function textIn(node: Parsed): string {
  if (node.nodeName === '#text') return node.value ?? '';
  return (node.childNodes ?? []).map(textIn).join('');
}

describe('sectionsHtml, of one section', () => {
  const cut = (html: string, from: string, to: string) =>
    sectionsHtml(html, [{ start_index: html.indexOf(from), end_index: html.indexOf(to) }])[0]!;

  it('opens again what was open, and closes what is left open', () => {
    const html =
      '<body><div class="a"><table><tr><td><b>Item 1. Business</b><p>We sell.<p>More</td><td>x</td></tr></table></div><p>Item 2</p>';
    expect(cut(html, 'Item 1', 'Item 2')).toBe(
      '<div class="a"><table><tr><td><b>Item 1. Business</b><p>We sell.</p><p>More</p></td><td>x</td></tr></table></div><p></p>',
    );
  });

  it('drops end tags without a start, and writes self-closing elements out', () => {
    expect(cut('<p>Item 1</b> a<ix:x/> b</i></p>END', 'Item', 'END')).toBe('<p>Item 1 a<ix:x></ix:x> b</p>');
  });

  it('gives a section of plain text as <pre>, a rule where a page ends, no other SGML tags, and angle brackets escaped', () => {
    const text = 'Item 1. Business\n<PAGE>\n<CAPTION>\nprofit < loss & more\n';
    const html = '<pre>Item 1. Business\n<hr>\n\nprofit &lt; loss & more\n</pre>';
    expect(sectionsHtml(text, [{ start_index: 0, end_index: text.length }])[0]!).toBe(html);
  });

  it('is balanced, whatever the pieces and the cut', () => {
    const piece = fc.constantFrom(
      ...'<p> </p> <div> </div> <table> </table> <tr> </tr> <td> </td> <b> </b> <ul> <li> </ul> <br> <hr/> <ix:a> </ix:a> <ix:b/> <font> </font> text &amp;'.split(
        ' ',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 50 }), fc.nat(50), fc.nat(50), (pieces, a, b) => {
        const at = (k: number) => `<p>${pieces.slice(0, k).join('')}`.length;
        const text = `<p>${pieces.join('')}`;
        const [start, end] = [at(Math.min(a, b, pieces.length)), at(Math.min(Math.max(a, b), pieces.length))];
        const html = sectionsHtml(text, [{ start_index: start, end_index: end }])[0]!;
        expect(imbalances(html)).toEqual([]);
        expect(visibleText(html).text).toBe(visibleText(text.slice(start, end)).text);
      }),
      { numRuns: runs(500) },
    );
  });

  it('stays balanced beyond the depth that is kept', () => {
    const text = `${'<div>'.repeat(2000)}Item 1${'<b>'.repeat(2000)}x${'</b>'.repeat(2000)}`;
    const html = sectionsHtml(text, [{ start_index: text.indexOf('Item'), end_index: text.length }])[0]!;
    expect(imbalances(html)).toEqual([]);
  });
});

describe.skipIf(!sharedFolder)('the html of sections of real filings', () => {
  const files = labels.map((label) => [label.file, label.form_type] as const).filter((_, i) => i % 5 === 0);

  it.each(files)('is balanced and shows the text of the slice: %s', (file, form) => {
    const text = filingText(`labelled/${file}`);
    const sections = findSections(text, form);
    const visible = visibleText(text);
    const parsed = sections.length > 8 ? 3 : 0;
    for (const [k, html] of sectionsHtml(text, sections).entries()) {
      const section = sections[k]!;
      expect(imbalances(html), section.section).toEqual([]);
      const slice = visible.text.slice(indexAt(visible, section.start_index), indexAt(visible, section.end_index));
      expect(visibleText(html).text, section.section).toBe(slice);
      expect(slice.startsWith('item') || slice.startsWith('parti'), section.heading).toBe(true);
      // A browser's parser moves nothing out of place: what it shows first is the heading.
      if (k === parsed) {
        const shown = textIn(parse(html) as unknown as Parsed)
          .replace(/\s+/g, ' ')
          .trim();
        expect(shown.slice(0, 5).toLowerCase()).toMatch(/^items?/);
      }
    }
  });
});

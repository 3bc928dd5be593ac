import { describe, expect, it } from 'vitest';
import { readableText } from '../../../../src/filings/documents/index.ts';

const WORDS = 'We make widgets of every size, and we sell them to people who need widgets in many places of the world.';
const of = (html: string) => readableText(`<html><body>${html}</body></html>`, 'text/html', 'markdown');

describe('readable text as Markdown', () => {
  it('marks headings by their level, and those that begin a paragraph in bold', () => {
    expect(of(`<p><b>Products</b></p><p><b><i>Small</i></b></p><p>${WORDS}</p><p><i>Colours.</i> ${WORDS}</p>`)).toBe(
      `# Products\n\n## Small\n\n${WORDS}\n\n**Colours.** ${WORDS}`,
    );
  });

  it('marks lists, those in tables too', () => {
    expect(of('<ul><li>One<li>Two</ul><ol><li>a</li></ol>')).toBe('- One\n- Two\n1. a');
    expect(of('<table><tr><td>\u2022</td><td>One</td></tr><tr><td>\u2022</td><td>Two</td></tr></table>')).toBe(
      '- One\n- Two',
    );
  });

  it('writes tables with their columns', () => {
    const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
    expect(of(`<table>${row('', '2024', '2023')}${row('Sales', '12', '(3|4)')}</table>`)).toBe(
      '| | 2024 | 2023 |\n| --- | --- | --- |\n| Sales | 12 | (3\\|4) |',
    );
  });

  it('keeps columns of typewritten pages, and joins the lines of their paragraphs', () => {
    const text =
      'We make widgets of every size, and we sell them to people who need\nwidgets in many places.\n\nSales       12\nCosts        3\n';
    expect(readableText(text, 'text/plain', 'markdown')).toBe(
      'We make widgets of every size, and we sell them to people who need widgets in many places.\n\n```\n\nSales       12\nCosts        3\n```',
    );
  });

  it('shows signs that would be marks as they are', () => {
    expect(of('<p># 1 of *all* `code` &lt;b&gt;</p><p>&gt; more</p>')).toBe(
      '\\# 1 of \\*all\\* \\`code\\` \\<b>\n\n\\> more',
    );
  });

  it('writes forms in XML as groups and lists of names and values', () => {
    expect(readableText('<?xml version="1.0"?><a><b><c>1</c><d>2</d></b></a>', 'application/xml', 'markdown')).toBe(
      '### b\n- c: 1\n- d: 2',
    );
  });
});

/** HTML to typewritten pages and back, block by block, so that the labels move with the text. */
import { readLines } from '../../../../src/filings/documents/lines/lines.ts';
import { type FilingBlocks, write } from './filing-blocks.ts';

/** An HTML filing as a typist would set it: 78 columns, a blank line between paragraphs, cells of a row with blanks between them. */
export function asTypedPages(filing: FilingBlocks): FilingBlocks | null {
  if (!filing.html) return null;
  const { text, label } = write(filing);
  const bounds = [0, ...label.sections.flatMap((s) => [s.start_index, s.body_index, s.end_index]), text.length];
  const marks = [...new Set(bounds)].sort((a, b) => a - b);
  const { lines } = readLines(text, 'html');
  const pieces = new Map<number, string[]>(marks.map((mark) => [mark, []]));
  let m = 0;
  let row = -1;
  for (const line of lines) {
    while (m + 1 < marks.length && marks[m + 1]! <= line.start) {
      m++;
      row = -1;
    }
    const out = pieces.get(marks[m]!)!;
    const words = line.whole;
    if (line.row !== 0 && line.row === row) out[out.length - 1] = `${out.at(-1)!.trimEnd()}   ${words}\n`;
    else {
      if (line.pageBreak) out.push('\n<PAGE>\n');
      out.push(line.row === 0 ? `\n${words.replace(/(.{1,76})(?: |$)/g, '$1\n')}` : `${words}\n`);
    }
    row = line.row;
  }
  const piece = (from: number, to: number) =>
    marks
      .filter((mark) => mark >= from && mark < to)
      .map((mark) => pieces.get(mark)!.join(''))
      .join('');
  const sections = [...new Map(label.sections.map((s) => [s.start_index, s])).values()];
  let at = 0;
  return {
    ...filing,
    html: false,
    front: piece(0, sections[0]!.start_index),
    blocks: filing.blocks.map((block, k) => {
      const section = sections[k]!;
      const before = k === 0 ? '' : piece(at, section.start_index);
      at = section.end_index;
      return {
        ...block,
        before,
        heading: piece(section.start_index, section.body_index),
        body: piece(section.body_index, section.end_index),
      };
    }),
    back: piece(at, text.length),
  };
}

const escapeText = (text: string) =>
  text.replace(/&(?!#?\w+;)/g, '&amp;').replace(/<(?!\/?(?:PAGE|TABLE|CAPTION|S|C|FN|TEXT)\b)/gi, '&lt;');

/** A typewritten filing as HTML: paragraphs of its lines, or each line on its own, or all of it in `<pre>`. */
export function asHtml(filing: FilingBlocks, style: 'paragraphs' | 'lines' | 'pre'): FilingBlocks | null {
  if (filing.html) return null;
  const turn = (piece: string) => {
    const text = escapeText(piece).replace(/<\/?(?:TABLE|CAPTION|S|C|FN|TEXT)>/gi, '');
    if (style === 'pre') return text.replace(/<PAGE>/g, '</pre><hr><pre>');
    return text
      .split(/(<PAGE>)|\n[ \t]*\n/)
      .filter((one) => one !== undefined && one.trim() !== '')
      .map((one) => {
        if (one === '<PAGE>') return '<hr style="page-break-after:always">';
        if (style === 'lines')
          return one
            .split('\n')
            .map((line) => `<div>${line.replace(/ {2}/g, '&nbsp; ')}</div>`)
            .join('\n');
        // Rows of a table stay apart.
        return / {3,}\S/.test(one.trim()) ? `<p>${one.trim().replace(/\n/g, '<br>')}</p>` : `<p>${one.trim()}</p>`;
      })
      .join('\n');
  };
  return {
    ...filing,
    html: true,
    front: `<html><body>${style === 'pre' ? '<pre>' : ''}${turn(filing.front)}`,
    blocks: filing.blocks.map((block) => ({
      ...block,
      before: turn(block.before),
      heading: turn(block.heading),
      body: turn(block.body),
    })),
    back: `${turn(filing.back)}${style === 'pre' ? '</pre>' : ''}</body></html>`,
  };
}

/** Documents that are hard to read, at two lengths: CPU time must double with the length, not more. */
import { eightKItems, findSections, readableText, sectionsHtml } from '../src/filings/documents/index.ts';
import { cpuSeconds, show } from './recording/measuring.ts';

export const summary = 'documents made to hurt, at a length and its double: [CHARACTERS]';

const CASES: readonly [name: string, piece: string][] = [
  ['Item ', 'Item '],
  ['lines of Item 1.', 'Item 1.\n'],
  ['headings', '<p>Item 7. Business</p>'],
  ['nested blocks', '<div>'],
  ['nested bold', '<b>'],
  ['nested tables', '<table><tr><td>'],
  ['end tags', '<p></div></td></b>'],
  ['ampersands', '&'],
  ['angle brackets', '<'],
  ['open tags', '<a '],
  ['open comments', '<!--'],
  ['open quotes', '<a b="'],
  ['one line', 'x'],
  ['blanks', ' '],
  ['open titles', '<title>'],
  ['hidden paragraphs', '<p style="display:none">a'],
  ['rows of contents', '<tr><td>Item 1A.</td><td>Risk</td><td>12</td></tr>'],
  ['page numbers', '<p>3</p><hr>'],
  ['PART headings', '<p>PART II</p>'],
  ['SIGNATURES', '<p>SIGNATURES</p>'],
];

const WORK: readonly [name: string, work: (text: string) => void][] = [
  ['sections', (text) => findSections(text, '10-K')],
  ['text', (text) => readableText(text, 'text/html')],
  ['html', (text) => sectionsHtml(text, [{ start_index: Math.floor(text.length / 3), end_index: text.length }])],
  ['items', (text) => eightKItems({ formType: '8-K', filingDate: '2010-01-01', headerItems: [], text, documents: [] })],
];

interface Row {
  document: string;
  work: string;
  ms: number;
  ms_doubled: number;
  ratio: number;
}

export async function run(args: string[], { json }: { json: boolean }): Promise<void> {
  const length = Number(args[0] ?? 5_000_000);
  const rows: Row[] = [];
  for (const [document, piece] of CASES) {
    const [once, twice] = [length, 2 * length].map((n) => piece.repeat(Math.floor(n / piece.length))) as [
      string,
      string,
    ];
    for (const [name, work] of WORK) {
      work(once);
      const ms = cpuSeconds(() => work(once)) * 1000;
      const doubled = cpuSeconds(() => work(twice)) * 1000;
      rows.push({
        document,
        work: name,
        ms: Math.round(ms),
        ms_doubled: Math.round(doubled),
        ratio: Number((doubled / Math.max(ms, 1)).toFixed(2)),
      });
    }
  }
  show(rows, json, { characters: length, rows });
}

/** Page furniture in the text of sections: lines left in and lines lost, against reviewed labels. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { formatTable } from '../src/cli/terminal/terminal.ts';
import { decodeText, findSections, sectionsHtml, sectionTexts } from '../src/filings/documents/index.ts';
import { readLines } from '../src/filings/documents/lines/lines.ts';
import { written } from '../src/filings/documents/text/text.ts';
import { sharedFolder } from '../test/support/shared.ts';

export const summary =
  'page numbers and running headers left in the text of labelled sections, and text lost with them';

/** For each filing its furniture lines, digits as `#`, with the number of equal lines that are text of the filing. */
type Labels = Readonly<Record<string, Readonly<Record<string, number>>>>;

export interface FurnitureFigures {
  filings: number;
  /** Lines of the sections before anything is left out, and how many of them are furniture. */
  lines: number;
  furniture_lines: number;
  /** Furniture that is still in the texts. */
  left_lines: number;
  /** Lines that are text of the filing and are missing from the texts, and their letters and digits. */
  lost_lines: number;
  lost_letters: number;
  letters: number;
  /** `file: 3 left of "part ii #"` */
  details: string[];
}

/** @param chosen which of the filings, by their position in the labels; all by default */
export function measureFurniture(
  folder: string,
  labels: Labels,
  chosen: (place: number) => boolean = () => true,
): FurnitureFigures {
  const figures = {
    filings: 0,
    lines: 0,
    furniture_lines: 0,
    left_lines: 0,
    lost_lines: 0,
    lost_letters: 0,
    letters: 0,
  };
  const details: string[] = [];
  for (const row of readFileSync(join(folder, 'labels.jsonl'), 'utf8')
    .split('\n')
    .filter((line, place) => line !== '' && chosen(place))) {
    const { file, form_type } = JSON.parse(row) as { file: string; form_type: string };
    const { text } = decodeText(gunzipSync(readFileSync(join(folder, file))));
    // A text under several codes counts once.
    const htmls = [...new Set(sectionsHtml(text, findSections(text, form_type)))];
    const given = countLines(htmls.map((html) => written(readLines(html, 'html'), new Set(), 'lines').text));
    const kept = countLines(sectionTexts(htmls, 'lines'));
    figures.filings++;
    for (const [line, count] of given) {
      const there = kept.get(line) ?? 0;
      const content = Math.min(count, labels[file]?.[line] ?? count);
      const left = Math.max(0, there - content);
      const lost = Math.max(0, content - there);
      figures.lines += count;
      figures.letters += count * lettersOf(line);
      figures.furniture_lines += count - content;
      figures.left_lines += left;
      figures.lost_lines += lost;
      figures.lost_letters += lost * lettersOf(line);
      if (left + lost > 0) details.push(`${file}: ${left > 0 ? `${left} left` : `${lost} lost`} of "${line}"`);
    }
  }
  return { ...figures, details };
}

function countLines(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of texts.flatMap((text) => text.split('\n'))) {
    const key = line.toLowerCase().replace(/\d+/g, '#').replace(/\s+/g, ' ').trim();
    if (key !== '') counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function lettersOf(line: string): number {
  return line.replace(/[^\p{L}\p{N}#]+/gu, '').length;
}

export function readLabels(): Labels {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../test/support/documents/furniture-labels.json'), 'utf8'));
}

export async function run(_args: string[], { json }: { json: boolean }): Promise<void> {
  if (sharedFolder === null) throw new Error('the labelled filings are not here: set FILINGLAKE_SHARED');
  const { details, ...figures } = measureFurniture(join(sharedFolder, 'sections/labelled'), readLabels());
  if (json) process.stdout.write(`${JSON.stringify({ ...figures, details })}\n`);
  else {
    const rows = Object.entries(figures).map(([figure, value]) => ({ figure, value: value.toLocaleString('en-US') }));
    process.stdout.write(formatTable(rows, ['figure', 'value']));
    for (const detail of details) process.stdout.write(`${detail}\n`);
  }
}

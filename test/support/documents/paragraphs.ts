/** Measures of readable text: paragraphs that are cut, and words that joining changed. */
import { findSections, sectionsHtml, sectionTexts } from '../../../src/filings/documents/index.ts';
import { filingText, labels } from './labelled.ts';

const LONG = 60;

/** Pairs of paragraphs of which the second continues the sentence of the first. */
export function cutsIn(text: string): string[] {
  const lines = text.split(/\n+/).map((line) => line.trim());
  return lines.flatMap((line, k) => {
    const next = lines[k + 1] ?? '';
    const isProse = line.length >= LONG && !/\t|\S {3,}\S/.test(line) && !/\t|\S {3,}\S/.test(next);
    const isOpen = !/[.:;!?)\u201d"\]]$|(?:[;,] (?:and|or))$/.test(line);
    return isProse && isOpen && /^[a-z](?![A-Z]|[ivx]{0,3}[.)])/.test(next)
      ? [`${line.slice(-50)} | ${next.slice(0, 50)}`]
      : [];
  });
}

/** Letters and digits, and nothing that a layout changes. */
export function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Words of a text that another one lacks, but for words whose halves stand at a line's end there. */
export function gluedWords(text: string, lines: string): string[] {
  const known = new Set(lines.split(/\s+/));
  // A page's number may stand between them.
  const cuts = [/(\S+)-\s*\n\s*(\S+)/g, /(\S+)-\s*\n\s*(?:\S*\s*\n\s*)+(\S+)/g];
  const pairs = cuts.flatMap((cut) => [...lines.matchAll(cut)]);
  const halves = new Set(pairs.map(([, a, b]) => `${a}${b}`.replace(/-/g, '')));
  return [...new Set(text.split(/\s+/))].filter((word) => !known.has(word) && !halves.has(word.replace(/-/g, '')));
}

/** Distinct sections of a labelled filing as text and as lines. */
export function sectionsOf(file: string): { text: string; lines: string }[] {
  const content = filingText(`labelled/${file}`);
  const { form_type } = labels.find((label) => label.file === file)!;
  const html = [...new Set(sectionsHtml(content, findSections(content, form_type)))];
  const [texts, lines] = [sectionTexts(html), sectionTexts(html, 'lines')];
  return texts.map((text, k) => ({ text, lines: lines[k]! }));
}

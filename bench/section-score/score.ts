/**
 * Scores sections against labelled filings by the rules of the labels' own scorer. Text is compared as the visible text's ASCII
 * letters and digits, page furniture at both ends is cut, and a section is right at F1 >= 0.95. Independent of src/filings/documents, so
 * that it checks it.
 */

export interface Labelled {
  file: string;
  form_type: string;
  company: string;
  sections: { section: string; title: string; start_index: number; body_index: number; end_index: number }[];
  absent: string[];
}

export interface Predicted {
  section: string;
  start_index: number;
  end_index: number;
}

export interface Score {
  labelled: number;
  found: number;
  predicted: number;
  right: number;
  failures: string[];
}

const TOKEN =
  /<!--[\s\S]*?-->|<(script|style|head|title|ix:header)\b[^>]*>[\s\S]*?<\/\1\s*>|<[/!?A-Za-z][^>]*>|&(?:#\d+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);?|[^<&]+|[<&]/gi;
const VOID = new Set('br hr img input meta link col area base wbr'.split(' '));

/** Lower-case ASCII letters and digits that a reader sees, with their positions. */
export interface VisibleText {
  text: string;
  offsets: Uint32Array;
}

export function visibleText(source: string): VisibleText {
  const out: string[] = [];
  const offsets = new Uint32Array(source.length);
  let count = 0;
  let hidden: string | null = null;
  let depth = 0;
  const add = (piece: string, at: number, advance: boolean) => {
    for (const { 0: run, index } of piece.matchAll(/[A-Za-z0-9]+/g)) {
      out.push(run.toLowerCase());
      for (let i = 0; i < run.length; i++) offsets[count++] = advance ? at + index + i : at;
    }
  };
  for (const match of source.matchAll(TOKEN)) {
    const token = match[0];
    if (token[0] === '<' && token.length > 1) {
      if (token.startsWith('<!--') || match[1]) continue;
      const tag = /^<(\/?)([A-Za-z][\w:.-]*)/.exec(token);
      if (!tag) continue;
      const name = tag[2]!.toLowerCase();
      if (hidden !== null) {
        if (name === hidden && !token.endsWith('/>')) {
          depth += tag[1] ? -1 : 1;
          if (depth === 0) hidden = null;
        }
      } else if (!tag[1] && !VOID.has(name) && !token.endsWith('/>') && /display\s*:\s*none/i.test(token)) {
        hidden = name;
        depth = 1;
      }
      continue;
    }
    if (hidden !== null) continue;
    if (token[0] === '&' && token.length > 1) {
      const value = asciiReference(token);
      if (value !== null) {
        add(value, match.index, false);
        continue;
      }
    }
    add(token, match.index, true);
  }
  return { text: out.join(''), offsets: offsets.slice(0, count) };
}

/** Visible text without that of some ranges of the source, which are in order and do not overlap. */
export function withoutRanges(visible: VisibleText, ranges: readonly [number, number][]): VisibleText {
  if (ranges.length === 0) return visible;
  const text: string[] = [];
  const offsets: number[] = [];
  let r = 0;
  for (let i = 0; i < visible.offsets.length; i++) {
    const offset = visible.offsets[i]!;
    while (r < ranges.length && ranges[r]![1] <= offset) r++;
    if (r < ranges.length && offset >= ranges[r]![0]) continue;
    text.push(visible.text[i]!);
    offsets.push(offset);
  }
  return { text: text.join(''), offsets: Uint32Array.from(offsets) };
}

/** The letters and digits of a reference's character; null if it is not a reference. */
function asciiReference(token: string): string | null {
  const number = /^&#(?:(\d+)|[xX]([0-9a-fA-F]+));?$/.exec(token);
  if (number) {
    const code = number[1] ? Number(number[1]) : Number.parseInt(number[2]!, 16);
    return code < 0x80 ? String.fromCharCode(code) : '';
  }
  return /^&(?:nbsp|amp|lt|gt|quot|[A-Za-z]+;)/.test(token) ? '' : null;
}

/** Index of the first visible character at or after a position of the source. */
export function indexAt(visible: VisibleText, position: number): number {
  let low = 0;
  let high = visible.offsets.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (visible.offsets[middle]! < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

const TAIL = /(?:tableofcontents|(?<!\d)\d{1,4}|parti{1,3}|partiv)$/;
const LEAD = /^(?:tableofcontents|\d{1,4}(?!\d)|partiv|parti{1,3})/;

/** Cuts page numbers, links to the contents and PART headings off both ends of a section's visible text. */
export function trimmed(text: string): { text: string; cut: number } {
  let end = text.length;
  for (;;) {
    const from = Math.max(0, end - 24);
    const match = TAIL.exec(text.slice(from, end));
    if (!match || from + match.index === 0) break;
    end = from + match.index;
  }
  let start = 0;
  for (;;) {
    const match = LEAD.exec(text.slice(start, Math.min(end, start + 24)));
    if (!match) break;
    start += match[0].length;
  }
  if (!text.startsWith('item', start)) start = 0;
  return end > start ? { text: text.slice(start, end), cut: start } : { text, cut: 0 };
}

function span(visible: VisibleText, start: number, end: number): [number, number] {
  const from = indexAt(visible, start);
  const { text, cut } = trimmed(visible.text.slice(from, indexAt(visible, end)));
  return [from + cut, from + cut + text.length];
}

function f1(a: [number, number], b: [number, number]): number {
  if (a[1] <= a[0] || b[1] <= b[0]) return 0;
  return (2 * Math.max(0, Math.min(a[1], b[1]) - Math.max(a[0], b[0]))) / (a[1] - a[0] + b[1] - b[0]);
}

export const RIGHT_F1 = 0.95;

export function emptyScore(): Score {
  return { labelled: 0, found: 0, predicted: 0, right: 0, failures: [] };
}

/** Adds the sections of a document, whose visible text is given, to a score. */
export function addToScore(score: Score, label: Labelled, visible: VisibleText, predicted: readonly Predicted[]): void {
  const wanted = new Map(label.sections.map((section) => [section.section, section]));
  const best = new Map<string, number>();
  for (const section of predicted) {
    const want = wanted.get(section.section);
    if (!want && !label.absent.includes(section.section)) continue;
    score.predicted++;
    const own = span(visible, section.start_index, section.end_index);
    const f = want
      ? Math.max(
          f1(own, span(visible, want.start_index, want.end_index)),
          f1(own, span(visible, want.body_index, want.end_index)),
        )
      : 0;
    if (f >= RIGHT_F1) score.right++;
    if (!want) score.failures.push(`${label.file} ${section.section}: predicted, but absent`);
    best.set(section.section, Math.max(best.get(section.section) ?? 0, f));
  }
  for (const code of wanted.keys()) {
    score.labelled++;
    const f = best.get(code);
    if (f !== undefined && f >= RIGHT_F1) score.found++;
    else
      score.failures.push(
        `${label.file} ${code}: ${f === undefined ? 'not found' : `wrong span (F1 ${f.toFixed(3)})`}`,
      );
  }
}

export function recall(score: Score): number {
  return score.labelled === 0 ? 1 : score.found / score.labelled;
}

export function precision(score: Score): number {
  return score.predicted === 0 ? 1 : score.right / score.predicted;
}

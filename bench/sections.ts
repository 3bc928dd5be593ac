/** Sections: speed, memory over many filings, and the score if the folder has labels. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { formatTable } from '../src/cli/terminal/terminal.ts';
import { sectionFamily } from '../src/filings/api/index.ts';
import {
  decodeText,
  type FoundSection,
  findSections,
  guessFormType,
  readableText,
  sectionsHtml,
} from '../src/filings/documents/index.ts';
import { sharedFolder } from '../test/support/shared.ts';
import { cpuSeconds, median } from './recording/measuring.ts';
import { addToScore, emptyScore, type Labelled, precision, recall, visibleText } from './section-score/score.ts';

export const summary =
  'MB/s against a bare scan, seconds a filing, peak memory and the score of section finding: [FOLDER] [FILINGS]';

/** Passes through the folder, after one to warm up. */
const PASSES = 5;
const MEGABYTE = 1e6;

type Part = 'scan' | 'found' | 'text' | 'html';

interface Filing {
  bytes: number;
  annual: boolean;
  /** CPU time of each pass. */
  passes: Record<Part, number>[];
}

/**
 * @param args the folder with documents (plain or .gz) and, if labelled, labels.jsonl; how many filings to read for the memory
 * figures
 */
export async function run(args: string[], { json }: { json: boolean }): Promise<void> {
  const folder = args[0] ?? (sharedFolder === null ? null : join(sharedFolder, 'sections', 'labelled'));
  if (folder === null) throw new Error('give a folder with 10-K and 10-Q documents: npm run bench -- sections FOLDER');
  const names = readdirSync(folder)
    .filter((name) => /\.(?:html?|txt)(?:\.gz)?$/i.test(name))
    .sort();
  if (names.length === 0) throw new Error(`${folder} holds no documents (.htm, .html, .txt, plain or .gz)`);
  const labels = readLabels(join(folder, 'labels.jsonl'));
  const filings = measure(folder, names, labels);
  const annual = filings.filter((filing) => filing.annual);
  const found = filings.map((filing) => seconds(filing, 'found'));
  const memory = readMany(folder, names, labels, Number(args[1] ?? 200));
  const score = scoreAll(folder, labels);
  const result = {
    filings: filings.length,
    mb: sum(filings, (filing) => filing.bytes) / MEGABYTE,
    mb_per_second: speed(filings, 'found'),
    annual_mb_per_second: speed(annual, 'found'),
    seconds_per_filing_median: median(found),
    seconds_per_filing_max: Math.max(...found),
    ...memory,
    recall: score && recall(score),
    precision: score && precision(score),
    labelled_sections: score?.labelled ?? null,
    text_mb_per_second: speed(filings, 'text'),
    section_html_mb_per_second: speed(filings, 'html'),
    bare_scan_mb_per_second: speed(filings, 'scan'),
    sections_of_bare_scan: sum(filings, (one) => seconds(one, 'scan')) / sum(filings, (one) => seconds(one, 'found')),
    text_of_bare_scan: sum(filings, (one) => seconds(one, 'scan')) / sum(filings, (one) => seconds(one, 'text')),
  };
  if (json) process.stdout.write(`${JSON.stringify({ ...result, failures: score?.failures ?? [] })}\n`);
  else {
    const rows = Object.entries(result).map(([figure, value]) => ({
      figure,
      value: value === null ? '-' : round(value),
    }));
    process.stdout.write(formatTable(rows, ['figure', 'value']));
    for (const failure of score?.failures ?? []) process.stdout.write(`${failure}\n`);
  }
}

function readLabels(file: string): Map<string, Labelled> {
  if (!existsSync(file)) return new Map();
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return new Map(lines.map((line) => JSON.parse(line) as Labelled).map((label) => [label.file, label]));
}

function readDocument(folder: string, name: string): Buffer {
  const bytes = readFileSync(join(folder, name));
  return name.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}

function formOf(label: Labelled | undefined, text: string): string {
  return label?.form_type ?? guessFormType(text) ?? '10-K';
}

/**
 * CPU time of each part of the work on a document: a bare scan; decoding it and finding its sections; its readable text; the HTML of its
 * sections. The median of the passes.
 */
function measure(folder: string, names: readonly string[], labels: ReadonlyMap<string, Labelled>): Filing[] {
  const filings = new Map<string, Filing>();
  for (let pass = 0; pass <= PASSES; pass++) {
    for (const name of names) {
      const bytes = readDocument(folder, name);
      const source = decodeText(bytes).text;
      const form = formOf(labels.get(name), source);
      let sections: FoundSection[] = [];
      const seconds = {
        scan: cpuSeconds(() => bareScan(bytes)),
        found: cpuSeconds(() => {
          sections = findSections(decodeText(bytes).text, form);
        }),
        text: cpuSeconds(() => readableText(source, /\.txt/.test(name) ? 'text/plain' : 'text/html')),
        html: cpuSeconds(() => sectionsHtml(source, sections)),
      };
      // The first pass warms up.
      if (pass === 0) filings.set(name, { bytes: bytes.length, annual: sectionFamily(form) === '10-K', passes: [] });
      else filings.get(name)!.passes.push(seconds);
    }
  }
  return [...filings.values()];
}

/** MB a second of CPU. */
function speed(filings: readonly Filing[], part: Part): number | null {
  return filings.length === 0
    ? null
    : sum(filings, ({ bytes }) => bytes) / MEGABYTE / sum(filings, (one) => seconds(one, part));
}

function seconds({ passes }: Filing, part: Part): number {
  return median(passes.map((pass) => pass[part]));
}

/** Memory after a tenth of the filings and at the end: equal if nothing leaks. */
function readMany(folder: string, names: readonly string[], labels: ReadonlyMap<string, Labelled>, count: number) {
  let early = 0;
  let peak = 0;
  for (let i = 0; i < count; i++) {
    const name = names[i % names.length]!;
    const { text } = decodeText(readDocument(folder, name));
    findSections(text, formOf(labels.get(name), text));
    const megabytes = process.memoryUsage().rss / MEGABYTE;
    peak = Math.max(peak, megabytes);
    if (i < Math.max(names.length, count / 10)) early = Math.max(early, megabytes);
  }
  return { filings_read: count, early_peak_rss_mb: early, peak_rss_mb: peak };
}

function scoreAll(folder: string, labels: ReadonlyMap<string, Labelled>) {
  if (labels.size === 0) return null;
  const score = emptyScore();
  for (const [name, label] of labels) {
    const { text } = decodeText(readDocument(folder, name));
    addToScore(score, label, visibleText(text), findSections(text, label.form_type));
  }
  return score;
}

/** The least that a reader of text does, in one loop over the bytes: tags are left out, character references are read. */
function bareScan(bytes: Buffer): string {
  const text = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const code = bytes[i]!;
    if (code === 0x3c) while (i < bytes.length && bytes[i] !== 0x3e) i++;
    else if (code === 0x26) {
      let end = i + 1;
      while (end < i + 10 && bytes[end] !== 0x3b) end++;
      text[length++] = bytes[end] === 0x3b ? referred(bytes, i + 1, end) : code;
      if (bytes[end] === 0x3b) i = end;
    } else text[length++] = code;
  }
  return text.toString('latin1', 0, length);
}

/** A number as a byte; of a name its first letter, which costs as much. */
function referred(bytes: Buffer, from: number, to: number): number {
  let number = 0;
  for (let i = from + 1; i < to; i++) number = number * 10 + bytes[i]! - 0x30;
  return bytes[from] === 0x23 ? number & 0xff : bytes[from]!;
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}

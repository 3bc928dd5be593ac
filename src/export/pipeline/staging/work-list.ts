/**
 * The pending work of a window, staged in stretches of some hundred filings, a line of JSON for each. As one text, ten thousand
 * filings of three hundred documents would take a gigabyte. A fetch reads the next stretch, and parses one line at a time.
 */
import { randomUUID } from 'node:crypto';
import type { DocumentReference } from '../../../filings/api/index.ts';
import type { Lake } from '../../../lake/index.ts';
import type { ExportDefinition } from '../../definition/index.ts';
import { outputFormatOf, requestsOfAll, type Step } from '../../selectors/index.ts';
import { countPasses, PASSES, type Pass, type PassCounts, stepsInPass } from '../../steps/index.ts';
import type { WorkLine } from '../coverage/coverage.ts';

const STRETCH_LINES = 500;
/** Approximate characters of a stretch: lines of filings with hundreds of documents are long. */
const STRETCH_CHARACTERS = 4_000_000;

export interface Stretch {
  /** Name of the staged file. */
  name: string;
  lines: number;
  /** The passes of its lines: a stretch without work in a pass isn't read. */
  passes: PassCounts;
}

/** A stretch that was just staged. */
interface Staged {
  stretch: Stretch;
  numbers: string[];
  /** Filing date of its first line; '' if that has none */
  newest: string;
}

export interface WorkList {
  stretches: Stretch[];
  /** Accession numbers of all lines. */
  numbers: string[];
  /** Its pending work. Staged plans and messages use this name. */
  pending: PassCounts;
}

/** Stages lines as they arrive. The list begins with the newest filings, those without a date come last. */
export class WorkListWriter {
  readonly #lake: Lake;
  readonly #runId: string;
  readonly #definition: ExportDefinition;
  /** A name for this attempt alone: another attempt may make another list. */
  readonly #name: string;
  readonly #pending: PassCounts;
  readonly #staged: Staged[] = [];
  #lines: { line: WorkLine; text: string }[] = [];
  #characters = 0;

  constructor(lake: Lake, runId: string, definition: ExportDefinition, window: string, plan: number) {
    this.#lake = lake;
    this.#runId = runId;
    this.#definition = definition;
    this.#name = `lines-${window}-${plan}-${randomUUID().slice(0, 8)}`;
    this.#pending = countPasses(definition, []);
  }

  async add(line: WorkLine): Promise<void> {
    const text = textOfLine(line);
    this.#lines.push({ line, text });
    this.#characters += text.length;
    if (this.#lines.length >= STRETCH_LINES || this.#characters >= STRETCH_CHARACTERS) await this.#flush();
  }

  async end(): Promise<WorkList> {
    if (this.#lines.length > 0) await this.#flush();
    const staged = this.#staged.toSorted((a, b) => newestFirst(a.newest, b.newest));
    return {
      stretches: staged.map(({ stretch }) => stretch),
      numbers: staged.flatMap(({ numbers }) => numbers),
      pending: this.#pending,
    };
  }

  async #flush(): Promise<void> {
    const dateOf = ({ line }: { line: WorkLine }) => line.filing.filing_date ?? '';
    const sorted = this.#lines.toSorted((a, b) => newestFirst(dateOf(a), dateOf(b)));
    const lines = sorted.map(({ line }) => line);
    const name = `${this.#name}-${this.#staged.length}.ndjson`;
    await this.#lake.putStaged(this.#runId, name, sorted.map(({ text }) => text).join('\n'));
    const passes = countPasses(this.#definition, lines);
    const numbers = lines.map(({ filing }) => filing.accession_number);
    this.#staged.push({ stretch: { name, lines: lines.length, passes }, numbers, newest: dateOf(sorted[0]!) });
    for (const pass of PASSES) {
      this.#pending[pass].filings += passes[pass].filings;
      this.#pending[pass].requests += passes[pass].requests;
    }
    this.#lines = [];
    this.#characters = 0;
  }
}

function newestFirst(a: string, b: string): number {
  return a === b ? 0 : a < b ? 1 : -1;
}

/** The lines of a stretch as staged; null if it is gone. */
export async function readStretch(lake: Lake, runId: string, { name }: Stretch): Promise<string[] | null> {
  const bytes = await lake.readStaged(runId, name);
  return bytes === null ? null : bytes.toString('utf8').split('\n');
}

/** Each document is a step. Only its position in the filing is written, and its format if that isn't raw. */
type CompactStep =
  | Exclude<Step, { document_id: string }>
  | { contents: (number | string | [number | string, string])[] };

interface StagedLine extends Omit<WorkLine, 'steps' | 'covered'> {
  steps: CompactStep[];
  had: WorkLine['covered'];
}

function textOfLine(line: WorkLine): string {
  const { filing, revision, steps, covered, knownBy, refresh, isRemoved } = line;
  const places = new Map(filing.documents.map(({ document_id }, i) => [document_id, i]));
  const compact: CompactStep[] = [];
  for (const step of steps) {
    if (!('document_id' in step)) {
      compact.push(step);
      continue;
    }
    const place = places.get(step.document_id) ?? step.document_id;
    const one =
      step.selector === 'raw' && step.output_format === 'raw' ? place : ([place, step.selector] as [number, string]);
    const last = compact.at(-1);
    if (last !== undefined && 'contents' in last) last.contents.push(one);
    else compact.push({ contents: [one] });
  }
  // Its answer may name any document of the filing.
  const needed = steps.some(({ step }) => step === 'info') ? covered : ofSteps(covered, steps);
  const marks = {
    ...(knownBy ? { knownBy } : {}),
    ...(refresh ? { refresh } : {}),
    ...(isRemoved ? { isRemoved } : {}),
  };
  const staged: StagedLine = { filing, revision, steps: compact, had: needed, ...marks };
  return JSON.stringify(staged);
}

function ofSteps(covered: WorkLine['covered'], steps: readonly Step[]): WorkLine['covered'] {
  const names = ['filing', 'info', ...steps.map(({ step }) => step)];
  return Object.fromEntries(names.flatMap((name) => (covered[name] === undefined ? [] : [[name, covered[name]]])));
}

export function lineOfText(text: string): WorkLine {
  const { steps, had: covered, ...line } = JSON.parse(text) as StagedLine;
  return {
    ...line,
    covered,
    steps: steps.flatMap((step) => ('contents' in step ? contentSteps(step, line.filing.documents) : step)),
  };
}

function contentSteps(
  { contents }: Extract<CompactStep, { contents: unknown }>,
  documents: readonly DocumentReference[],
): Step[] {
  return contents.map((one) => {
    const [place, selector] = Array.isArray(one) ? one : [one, 'raw'];
    const document_id = typeof place === 'number' ? documents[place]!.document_id : place;
    const output_format = outputFormatOf(selector);
    return { step: `document:${document_id}` as const, selector, document_id, output_format };
  });
}

/** The filings of a work list that take part in a pass, from a given line on. */
export class WorkQueue {
  readonly #stretches: readonly Stretch[];
  readonly #read: (stretch: Stretch) => Promise<readonly string[]>;
  readonly #definition: ExportDefinition;
  readonly #pass: Pass;
  readonly #length: number;
  #next: number;
  #taken = 0;
  /** One lane at a time: each must see the position that the last one reached. */
  #looking: Promise<unknown> = Promise.resolve();

  /** @param from the first line that may be taken @param to after the last @param read the staged lines of a stretch */
  constructor(
    stretches: readonly Stretch[],
    from: number,
    definition: ExportDefinition,
    pass: Pass,
    read: (stretch: Stretch) => Promise<readonly string[]>,
    to = Number.POSITIVE_INFINITY,
  ) {
    this.#stretches = stretches;
    this.#next = from;
    this.#definition = definition;
    this.#pass = pass;
    this.#read = read;
    this.#length = Math.min(
      to,
      stretches.reduce((sum, { lines }) => sum + lines, 0),
    );
  }

  /** Whether nothing was taken yet. */
  get isUntouched(): boolean {
    return this.#taken === 0;
  }

  async take(): Promise<WorkLine | null> {
    const found = this.#looking.then(() => this.#find(this.#next));
    this.#looking = found.then((one) => this.#moveTo(one === null ? this.#length : one.at + 1)).catch(() => undefined);
    const one = await found;
    if (one !== null) this.#taken++;
    return one?.line ?? null;
  }

  /** The first line that was not taken; null if no line that takes part is left. */
  async next(): Promise<number | null> {
    await this.#looking;
    return (await this.#find(this.#next))?.at ?? null;
  }

  /** The last line that takes part, if it was not taken yet. */
  async last(): Promise<WorkLine | null> {
    let end = this.#stretches.reduce((sum, { lines }) => sum + lines, 0);
    for (const stretch of this.#stretches.toReversed()) {
      const start = end - stretch.lines;
      end = start;
      if (start + stretch.lines <= this.#next) return null;
      if (start >= this.#length || stretch.passes[this.#pass].filings === 0) continue;
      const texts = await this.#read(stretch);
      for (let at = Math.min(texts.length, this.#length - start) - 1; at >= 0 && start + at >= this.#next; at--) {
        const line = lineOfText(texts[at]!);
        if (this.#takesPart(line)) return line;
      }
    }
    return null;
  }

  /** Requests that the remaining filings need. */
  async requests(): Promise<number> {
    let requests = 0;
    let start = 0;
    for (const stretch of this.#stretches) {
      const end = start + stretch.lines;
      if (start >= this.#length) break;
      if (start >= this.#next && end <= this.#length) requests += stretch.passes[this.#pass].requests;
      else if (end > this.#next) {
        const texts = (await this.#read(stretch)).slice(Math.max(0, this.#next - start), this.#length - start);
        for (const text of texts)
          requests += requestsOfAll(stepsInPass(this.#definition, lineOfText(text), this.#pass) ?? []);
      }
      start += stretch.lines;
    }
    return requests;
  }

  #moveTo(line: number): void {
    this.#next = line;
  }

  async #find(from: number): Promise<{ at: number; line: WorkLine } | null> {
    let start = 0;
    for (const stretch of this.#stretches) {
      const end = Math.min(start + stretch.lines, this.#length);
      if (end > from && stretch.passes[this.#pass].filings > 0) {
        const texts = await this.#read(stretch);
        for (let at = Math.max(from, start); at < end; at++) {
          const line = lineOfText(texts[at - start]!);
          if (this.#takesPart(line)) return { at, line };
        }
      }
      start += stretch.lines;
    }
    return null;
  }

  #takesPart(line: WorkLine): boolean {
    return stepsInPass(this.#definition, line, this.#pass) !== null;
  }
}

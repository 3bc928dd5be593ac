/** Files through which a run's activities pass data to each other: pages of lookup records, and the work lists made from them. */
import { FilinglakeError } from '../../../core/index.ts';
import type { Lake, Replacement } from '../../../lake/index.ts';
import { type ContractViolation, type RecordTexts, recordTexts } from '../../client/index.ts';
import type { ReadingState } from '../../windows/index.ts';
import { readStretch, type Stretch, type WorkList } from './work-list.ts';

export interface StagedPage<Kept> {
  /** State of the window's reading after this page; null if there was no paging. */
  state: ReadingState | null;
  records: Kept[];
  /** Records that broke the contract. */
  violations: ContractViolation[];
  /** The same as `records`, in the service's own text. */
  verbatim?: Verbatim | null;
}

function pageName(window: string, page: number): string {
  return `lookup-${window}-${page}.json`;
}

/** A body whose `member` lists the records. */
export interface Verbatim {
  member: string;
  body: Buffer;
}

/** Position of a record in an answer. */
export interface RecordText {
  texts: RecordTexts;
  record: number;
}

/** First line of a staged page, without its records: the next line has them, as a list or as this member. */
interface PageHead extends Pick<StagedPage<unknown>, 'state' | 'violations'> {
  member: string | null;
}

/**
 * Stages a page, in the service's own text if possible: this saves writing JSON again. If another attempt staged this page number
 * first, that one stays.
 * @returns whether this page was staged
 */
export function stagePage<Kept>(
  lake: Lake,
  runId: string,
  window: string,
  page: number,
  { state, violations, records, verbatim }: StagedPage<Kept>,
): Promise<boolean> {
  const head: PageHead = { state, violations, member: verbatim?.member ?? null };
  const line = Buffer.from(`${JSON.stringify(head)}\n`);
  const rest = verbatim?.body ?? Buffer.from(JSON.stringify(records));
  return lake.putStaged(runId, pageName(window, page), Buffer.concat([line, rest]));
}

export async function readPage<Kept>(
  lake: Lake,
  runId: string,
  window: string,
  page: number,
): Promise<StagedPage<Kept> | null> {
  const bytes = await lake.readStaged(runId, pageName(window, page));
  if (bytes === null) return null;
  const end = bytes.indexOf('\n');
  const { state, violations, member } = JSON.parse(bytes.toString('utf8', 0, end)) as PageHead;
  const rest = JSON.parse(bytes.toString('utf8', end + 1)) as unknown;
  if (member === null) return { state, violations, records: rest as Kept[] };
  const records = (rest as Record<string, unknown>)[member] as Kept[];
  return { state, violations, records, verbatim: { member, body: bytes.subarray(end + 1) } };
}

export interface WindowRecords<Kept> {
  /** Each once: the first record read. */
  records: Kept[];
  /** The text of each record, if it was kept and says everything. */
  texts: (RecordText | null)[];
  violations: ContractViolation[];
}

/** The records of a window. @throws FilinglakeError `staging-missing` */
export async function recordsOfWindow<Kept>(
  lake: Lake,
  runId: string,
  window: string,
  pages: number,
  keyOf: (record: Kept) => string,
  remembered?: PagesReadLast,
): Promise<WindowRecords<Kept>> {
  const all = recordsInGroups(lake, { runId, window, pages }, keyOf, remembered, new Set(), Number.POSITIVE_INFINITY);
  for await (const records of all) return records;
  return { records: [], texts: [], violations: [] };
}

/** Records and documents that are planned at a time: most windows whole, or one page if filings have hundreds of documents. */
const GROUP_WEIGHT = 60_000;

/** The same, some pages at a time. @param keys gets the keys of all records @throws FilinglakeError `staging-missing` */
export async function* recordsInGroups<Kept>(
  lake: Lake,
  { runId, window, pages }: { runId: string; window: string; pages: number },
  keyOf: (record: Kept) => string,
  remembered: PagesReadLast | undefined,
  keys: Set<string>,
  weightMax = GROUP_WEIGHT,
): AsyncGenerator<WindowRecords<Kept>> {
  let group = new RecordGroup(keyOf, keys);
  for (let page = 0; page < pages; page++) {
    const staged =
      remembered?.page<Kept>(lake, runId, window, page) ?? (await readPage<Kept>(lake, runId, window, page));
    // An empty page instead would be a silent gap.
    if (!staged) throw stagingMissing(`page ${page} of window ${window}`);
    group.add(staged);
    if (group.weight >= weightMax) {
      yield group.records;
      group = new RecordGroup(keyOf, keys);
    }
  }
  if (!group.isEmpty) yield group.records;
}

class RecordGroup<Kept> {
  readonly records: WindowRecords<Kept> = { records: [], texts: [], violations: [] };
  weight = 0;
  isEmpty = true;
  readonly #keyOf: (record: Kept) => string;
  readonly #keys: Set<string>;

  constructor(keyOf: (record: Kept) => string, keys: Set<string>) {
    this.#keyOf = keyOf;
    this.#keys = keys;
  }

  add(staged: StagedPage<Kept>): void {
    const { records, texts, violations } = this.records;
    const ofPage = staged.verbatim ? recordTexts(staged.verbatim.body) : null;
    const isWhole = ofPage?.count === staged.records.length;
    for (const [i, record] of staged.records.entries()) {
      const key = this.#keyOf(record);
      if (this.#keys.has(key)) continue;
      this.#keys.add(key);
      records.push(record);
      texts.push(isWhole ? { texts: ofPage, record: i } : null);
    }
    for (const violation of staged.violations) violations.push(violation);
    this.weight += weightOf(staged.records);
    this.isEmpty = false;
  }
}

/** The size of records in memory: each record and each of its documents counts. */
function weightOf(records: readonly unknown[]): number {
  const listed = records as readonly { documents?: readonly unknown[] }[];
  return listed.reduce((sum, { documents = [] }) => sum + 1 + documents.length, 0);
}

/** Records and documents kept in memory for plans: of the windows that are being read and planned. */
const REMEMBERED_WEIGHT_MAX = 240_000;

/** The pages of the windows that this worker read last. Usually the same worker plans them next and need not read them again. */
export class PagesReadLast {
  /** By lake, run and window, oldest first. */
  readonly #windows = new Map<string, { pages: (StagedPage<unknown> | undefined)[]; weight: number }>();
  #weight = 0;

  /** @param staged the page as it is staged */
  remember(lake: Lake, runId: string, window: string, page: number, staged: StagedPage<unknown>): void {
    const name = nameOf(lake, runId, window);
    if (page === 0) this.#forget(name);
    const kept = this.#windows.get(name) ?? { pages: [], weight: 0 };
    const weight = weightOf(staged.records);
    kept.pages[page] = staged;
    kept.weight += weight;
    this.#weight += weight;
    this.#windows.set(name, kept);
    for (const oldest of this.#windows.keys()) {
      if (this.#weight <= REMEMBERED_WEIGHT_MAX) break;
      // This may drop pages of the window that is being read. They are then read again from the staging folder.
      this.#forget(oldest);
    }
  }

  page<Kept>(lake: Lake, runId: string, window: string, page: number): StagedPage<Kept> | undefined {
    return this.#windows.get(nameOf(lake, runId, window))?.pages[page] as StagedPage<Kept> | undefined;
  }

  /** Keys of a window's records, such as accession numbers, if all its pages are in memory; else null. */
  keys<Kept>(
    lake: Lake,
    runId: string,
    { window, pages }: { window: string; pages: number },
    keyOf: (record: Kept) => string,
  ): string[] | null {
    const own = Array.from({ length: pages }, (_, page) => this.page<Kept>(lake, runId, window, page));
    return own.includes(undefined) ? null : own.flatMap((page) => page!.records.map(keyOf));
  }

  /** Drops the pages after planning: nobody else needs them. */
  forget(lake: Lake, runId: string, window: string): void {
    this.#forget(nameOf(lake, runId, window));
  }

  #forget(name: string): void {
    this.#weight -= this.#windows.get(name)?.weight ?? 0;
    this.#windows.delete(name);
  }
}

function nameOf(lake: Lake, runId: string, window: string): string {
  return `${lake.root} ${runId} ${window}`;
}

/** A plan as staged before its commit. A retry carries out this same plan. */
export interface StagedPlan extends WorkList {
  base_version: number;
  /** Filings of the window, if its records are not filings themselves. */
  filings?: number;
  known: number;
  /** Filings that another run wrote in another revision. They stay as they are. */
  deferred?: number;
  failures: number;
  /** Sealed segments of the lookup's rows, committed with the plan. */
  segments: string[];
  /** Rows of the lake that the lookup's rows replace. */
  replace: Replacement[];
}

function planName(window: string, plan: number): string {
  return `plan-${window}-${plan}.json`;
}

export async function stagePlan(
  lake: Lake,
  runId: string,
  window: string,
  plan: number,
  content: StagedPlan,
): Promise<StagedPlan> {
  if (await lake.putStaged(runId, planName(window, plan), JSON.stringify(content))) return content;
  return (await readPlan(lake, runId, window, plan))!;
}

/** A plan; null: none yet. @throws FilinglakeError `staging-missing`: made again, it would be committed twice */
export async function readPlan(lake: Lake, runId: string, window: string, plan: number): Promise<StagedPlan | null> {
  const bytes = await lake.readStaged(runId, planName(window, plan));
  if (bytes === null) return null;
  if (bytes.length === 0) throw workListMissing(window);
  return JSON.parse(bytes.toString('utf8')) as StagedPlan;
}

/** Accession numbers with pending steps in a window's first plan; none if it was deleted; null if never planned. */
export async function readFirstNumbers(lake: Lake, runId: string, window: string): Promise<string[] | null> {
  const bytes = await lake.readStaged(runId, planName(window, 1));
  if (bytes === null) return null;
  return bytes.length === 0 ? [] : (JSON.parse(bytes.toString('utf8')) as StagedPlan).numbers;
}

/** The plan and the stretch that this worker read last: a window's batches come one after the other. */
export class PlansReadLast {
  #last: { name: string; plan: StagedPlan } | null = null;
  #stretch: { name: string; texts: Promise<readonly string[]> } | null = null;

  /** @throws FilinglakeError `staging-missing` if it was deleted, by the run or by somebody else */
  async read(lake: Lake, runId: string, window: string, plan: number): Promise<StagedPlan> {
    const name = `${lake.root} ${runId} ${window} ${plan}`;
    if (this.#last?.name !== name) {
      const staged = await readPlan(lake, runId, window, plan);
      if (!staged) throw workListMissing(window);
      this.#last = { name, plan: staged };
    }
    return this.#last.plan;
  }

  /** The staged lines of a stretch of it. @throws as `read` */
  stretch(lake: Lake, runId: string, window: string, stretch: Stretch): Promise<readonly string[]> {
    const name = `${lake.root} ${runId} ${stretch.name}`;
    if (this.#stretch?.name !== name) {
      const texts = readStretch(lake, runId, stretch).then((read) => {
        if (read === null) throw workListMissing(window);
        return read;
      });
      this.#stretch = { name, texts };
      texts.catch(() => {
        if (this.#stretch?.texts === texts) this.#stretch = null;
      });
    }
    return this.#stretch.texts;
  }
}

/**
 * Deletes the pages of a window, and one of its plans. A marker of the plan stays: an attempt that was taken for dead may continue
 * later, and it finds its commit only from the version that the plan was made at.
 */
export async function dropStagedWindow(
  lake: Lake,
  runId: string,
  { window, pages, plan }: { window: string; pages: number; plan: number },
): Promise<void> {
  for (let page = 0; page < pages; page++) await lake.dropStaged(runId, pageName(window, page));
  if (plan === 0) return;
  const bytes = await lake.readStaged(runId, planName(window, plan));
  const { stretches = [] } = bytes?.length ? (JSON.parse(bytes.toString('utf8')) as Partial<StagedPlan>) : {};
  for (const { name } of stretches) await lake.dropStaged(runId, name);
  await lake.emptyStaged(runId, planName(window, plan));
}

function workListMissing(window: string): FilinglakeError {
  return stagingMissing(`the work list of window ${window}`);
}

function stagingMissing(what: string): FilinglakeError {
  return new FilinglakeError('staging-missing', `${what} is gone from the lake's staging folder`);
}

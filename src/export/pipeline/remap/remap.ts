/**
 * Makes the tables of forms and XBRL again, from the documents that a lake has, without a request. Some hundred filings are one commit.
 * The lake shows what is done: a remap that was killed is started again, and skips the filings that are up to date.
 */

import { randomUUID } from 'node:crypto';
import { quoteText } from '../../../core/index.ts';
import { MAPPING_VERSION } from '../../../filings/forms/index.ts';
import type { CommitResult, Lake } from '../../../lake/index.ts';
import { USUAL_FORM_TABLES } from '../../../lake/tables/index.ts';
import { among } from '../sql-values.ts';
import { makeRows } from './make-rows.ts';
import { filingsOfOlderMapping } from './mapping-version.ts';
import { addExample, newRemapReport, type RemapReport } from './remap-report.ts';
import { StoredDocuments, type StoredFiling, storedFilings } from './stored-filings.ts';
import { type NoTarget, type Target, targetsOf } from './target.ts';

/** Filings that are mapped together. A larger filing is mapped alone. */
interface StretchLimits {
  filings: number;
  bytes: number;
}

interface RemapOptions {
  /** Names of tables; absent: all tables of forms and XBRL, without form_values. */
  tables?: readonly string[];
  /** @param bytes of the documents that are mapped, of `bytes` in the report */
  onProgress?: (report: RemapReport, bytes: number) => void;
  signal?: AbortSignal;
  /** The turn of the writer. Absent: it has none. */
  term?: number;
  /** For tests. */
  limits?: Partial<StretchLimits>;
}

/** Not small, since a commit rewrites each file with a replaced row. Not large, since a kill loses a stretch. */
const LIMITS: StretchLimits = { filings: 2_000, bytes: 256 * 2 ** 20 };
/** Maximum number of parts that a stretch reads: an uncompacted lake may have thousands. */
const PARTS_A_STRETCH = 64;
/** Filings with a document that turns out to have no text are examined again, at most this often. */
const ROUNDS_MAX = 5;

/** @throws FilinglakeError of the lake; what was committed stays, and the next remap continues after it */
export async function remapLake(lake: Lake, options: RemapOptions = {}): Promise<RemapReport> {
  await lake.proveWritable();
  const remap = new Remap(lake, options);
  try {
    return await remap.run();
  } finally {
    await lake.dropStaging(remap.runId);
  }
}

class Remap {
  readonly runId = `remap-${randomUUID()}`;
  readonly #lake: Lake;
  readonly #tables: readonly string[];
  readonly #signal: AbortSignal;
  readonly #limits: StretchLimits;
  readonly #term: number | undefined;
  readonly #onProgress: NonNullable<RemapOptions['onProgress']>;
  readonly #report = newRemapReport(MAPPING_VERSION);

  constructor(lake: Lake, options: RemapOptions) {
    this.#lake = lake;
    this.#tables = options.tables ?? USUAL_FORM_TABLES;
    this.#signal = options.signal ?? new AbortController().signal;
    this.#term = options.term;
    this.#limits = { ...LIMITS, ...options.limits };
    this.#onProgress = options.onProgress ?? (() => {});
  }

  async run(): Promise<RemapReport> {
    const report = this.#report;
    const stored = await storedFilings(this.#lake);
    Object.assign(report, { version: stored.version, filings: stored.count, bytes: stored.bytes });
    for await (const filings of stretchesOf(stored.filings, this.#limits)) {
      this.#signal.throwIfAborted();
      await this.#mapStretch(filings, stored.parts);
      report.examined += filings.length;
      report.bytes_examined += filings.reduce((sum, { bytes }) => sum + bytes, 0);
      this.#onProgress(report, report.bytes_examined);
    }
    report.older = await filingsOfOlderMapping(this.#lake);
    return report;
  }

  /** @param planned all parts of document_contents when the filings were listed */
  async #mapStretch(filings: readonly StoredFiling[], planned: ReadonlySet<string>): Promise<void> {
    const numbers = filings.map(({ accession_number }) => accession_number);
    const bytes = new Map(filings.map((filing) => [filing.accession_number, filing.bytes]));
    const parts = [...new Set(filings.flatMap((filing) => filing.parts))];
    /** Why a filing can't be mapped, by accession number. */
    const unreadable = new Map<string, string>();
    /** Documents that turned out to have no text. */
    const unusable = new Set<string>();
    const examine = async () => {
      const base_version = await this.#lake.currentVersion();
      const stored = await StoredDocuments.of(this.#lake, parts, planned);
      const found = await targetsOf(this.#lake, numbers, this.#tables, await stored.list(numbers), unusable);
      const isTarget = (one: Target | NoTarget): one is Target => one.kind === 'target';
      const targets = found.filter(isTarget).filter(({ filing }) => !unreadable.has(filing.accession_number));
      return { base_version, stored, targets, others: found.filter((one): one is NoTarget => !isTarget(one)) };
    };
    const commitsBefore = this.#report.commits;
    let found = await examine();
    for (let round = 0; round < ROUNDS_MAX && found.targets.length > 0; round++) {
      const { targets, stored, base_version } = found;
      const ids = { run_id: this.runId, batch_id: `stretch-${this.#report.examined}.${round}` };
      let done = this.#report.bytes_examined;
      const { segments, replace } = await makeRows({
        targets,
        stored,
        run_id: this.runId,
        unreadable,
        unusable,
        writer: this.#lake.openStaging(ids.run_id, ids.batch_id, 1),
        bytesOf: ({ filing }) => bytes.get(filing.accession_number) ?? 0,
        mapped: (more) => {
          done += more;
          this.#onProgress(this.#report, done);
        },
        stops: () => this.#signal.aborted,
      });
      if (segments.length > 0)
        this.#committed(await this.#lake.commitBatch({ ...ids, term: this.#term, base_version, segments, replace }));
      await this.#lake.dropBatch(ids.run_id, ids.batch_id);
      this.#signal.throwIfAborted();
      found = await examine();
    }
    for (const { filing } of found.targets)
      unreadable.set(filing.accession_number, 'its rows could not be made: run remap again');
    const ours = this.#report.commits > commitsBefore ? await this.#mapped(numbers) : new Set<string>();
    this.#count(found.others, unreadable, ours);
  }

  #committed({ version, tables }: CommitResult): void {
    const { rows } = this.#report;
    this.#report.version = version;
    this.#report.commits++;
    for (const [table, { rows_new, rows_replaced }] of Object.entries(tables)) {
      if (table === 'coverage' || rows_new + rows_replaced === 0) continue;
      rows[table] = (rows[table] ?? 0) + rows_new + rows_replaced;
    }
  }

  #count(others: readonly NoTarget[], unreadable: ReadonlyMap<string, string>, ours: ReadonlySet<string>): void {
    const report = this.#report;
    for (const { kind, accession_number, asJson } of others) {
      if (kind === 'current' && ours.has(accession_number)) report.mapped++;
      else report[kind]++;
      if (kind === 'incomplete') addExample(report.incomplete_examples, accession_number);
      if (kind === 'newer') addExample(report.newer_examples, accession_number);
      if (asJson) report.as_json++;
      // Some of its tables are made, and others lack documents.
      if (kind === 'incomplete' && ours.has(accession_number)) report.mapped++;
    }
    report.unreadable += unreadable.size;
    for (const [accession_number, message] of unreadable)
      addExample(report.unreadable_examples, { accession_number, message });
  }

  /** Those of the filings whose rows this remap has made. */
  async #mapped(numbers: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.#lake.query(
      `SELECT accession_number FROM coverage WHERE step = 'forms' AND run_id = ${quoteText(this.runId)}
         AND accession_number IN ${among(numbers)}`,
      { tables: ['coverage'] },
    );
    return new Set(rows.map(({ accession_number }) => String(accession_number)));
  }
}

async function* stretchesOf(
  filings: AsyncIterable<StoredFiling>,
  limits: StretchLimits,
): AsyncGenerator<StoredFiling[]> {
  let stretch: StoredFiling[] = [];
  let parts = new Set<string>();
  let bytes = 0;
  for await (const filing of filings) {
    const joined = new Set([...parts, ...filing.parts]);
    const isFull = stretch.length >= limits.filings || bytes + filing.bytes > limits.bytes;
    if (stretch.length > 0 && (isFull || joined.size > Math.max(PARTS_A_STRETCH, filing.parts.length))) {
      yield stretch;
      stretch = [];
      parts = new Set(filing.parts);
      bytes = 0;
    } else parts = joined;
    stretch.push(filing);
    bytes += filing.bytes;
  }
  if (stretch.length > 0) yield stretch;
}

/**
 * A stretch of a remap: examines some hundred filings, makes the rows of those that need it, and commits them together. Any attempt on
 * any worker continues from what the lake shows: the commits of earlier attempts, and what they have sealed.
 */
import { newStretchReport, REMAP_EXAMPLES, type StretchReport } from '../../export/index.ts';
import type { Batch, CommitResult, Lake } from '../../lake/index.ts';
import type { BytesBeat } from '../compaction/types.ts';
import type { WorkerDependencies } from '../dependencies.ts';
import type { JobContext } from '../job-context.ts';
import { among, sqlText } from '../sql-values.ts';
import { type MadeRows, makeRows } from './make-rows.ts';
import { refuseOtherMapping } from './mapping-version.ts';
import { partsName, stretchName } from './plan-remap.ts';
import { StoredDocuments } from './stored-filings.ts';
import { type NoTarget, type Target, targetsOf } from './target.ts';
import type { RemapStretchRequest, StretchList } from './types.ts';

/** Filings that another run writes at the same time are examined again, at most this often. */
const ROUNDS_MAX = 5;

export interface RemappedStretch {
  /** False: the worker is about to end. The stretch must be done again: what was committed is found then. */
  whole: boolean;
  report: StretchReport;
}

type StretchJob = Pick<WorkerDependencies, 'lakes' | 'leaving'> & Pick<JobContext, 'attempt' | 'signal' | 'heartbeat'>;

/** @throws FilinglakeError `mapping-differs`, errors of the lake; what was committed stays */
export async function remapStretch(job: StretchJob, request: RemapStretchRequest): Promise<RemappedStretch> {
  refuseOtherMapping(request.mapping_version);
  const { run_id, plan, stretch } = request;
  const lake = await job.lakes.at(request);
  const [list, planned] = await Promise.all([
    stagedList<StretchList>(lake, run_id, stretchName(plan, stretch)),
    stagedList<string[]>(lake, run_id, partsName(plan)),
  ]);
  return new Stretch(job, lake, request, list, new Set(planned)).remap();
}

async function stagedList<List>(lake: Lake, runId: string, name: string): Promise<List> {
  const bytes = await lake.readStaged(runId, name);
  // Only the end of the remap deletes it: nobody waits for this attempt.
  if (bytes === null) throw new Error(`${name} of ${runId} was removed: the remap has ended`);
  return JSON.parse(bytes.toString('utf8')) as List;
}

class Stretch {
  readonly #job: StretchJob;
  readonly #lake: Lake;
  readonly #request: RemapStretchRequest;
  readonly #list: StretchList;
  readonly #planned: ReadonlySet<string>;
  readonly #report = newStretchReport();
  /** Why a filing can't be mapped, by accession number. */
  readonly #unreadable = new Map<string, string>();
  /** Documents that turned out to have no text. */
  readonly #unusable = new Set<string>();
  /** Commits of the stretch, by all attempts. */
  #commits = 0;

  constructor(
    job: StretchJob,
    lake: Lake,
    request: RemapStretchRequest,
    list: StretchList,
    planned: ReadonlySet<string>,
  ) {
    this.#job = job;
    this.#lake = lake;
    this.#request = request;
    this.#list = list;
    this.#planned = planned;
  }

  async remap(): Promise<RemappedStretch> {
    while (await this.#earlierCommit());
    let found = await this.#examined();
    for (let round = 0; round < ROUNDS_MAX && found.targets.length > 0; round++) {
      const made = await this.#made(found.targets, found.stored);
      await this.#commit(made, found.base_version);
      if (this.#job.leaving.aborted) return { whole: false, report: this.#report };
      this.#job.signal.throwIfAborted();
      found = await this.#examined();
    }
    await this.#count(found.others, found.targets);
    return { whole: true, report: this.#report };
  }

  get #ids() {
    return { run_id: this.#request.run_id, batch_id: `stretch-${this.#request.stretch}.${this.#commits}` };
  }

  /** Finds the next commit of an earlier attempt, or makes it of what that attempt has sealed. */
  async #earlierCommit(): Promise<boolean> {
    const { run_id, batch_id } = this.#ids;
    const earlier =
      (await this.#committed()) ??
      (await this.#unlessCommitted(async () => {
        const sealed = await this.#lake.sealedBatch(run_id, batch_id);
        return sealed && this.#lake.commitBatch(sealed);
      }));
    if (earlier === null) return false;
    await this.#add(earlier);
    return true;
  }

  #committed(): Promise<CommitResult | null> {
    return this.#lake.committedBatch({ ...this.#ids, base_version: this.#request.since });
  }

  /** Another attempt may commit the batch at the same time, and delete the files that this one reads. */
  async #unlessCommitted(commit: () => Promise<CommitResult | null>): Promise<CommitResult | null> {
    try {
      return await commit();
    } catch (error) {
      const others = await this.#committed();
      if (others === null) throw error;
      return others;
    }
  }

  async #add({ version, tables }: CommitResult): Promise<void> {
    const { rows } = this.#report;
    await this.#lake.dropBatch(this.#ids.run_id, this.#ids.batch_id);
    this.#commits++;
    this.#report.version = version;
    this.#report.commits++;
    for (const [table, { rows_new, rows_replaced }] of Object.entries(tables)) {
      if (table === 'coverage' || rows_new + rows_replaced === 0) continue;
      rows[table] = (rows[table] ?? 0) + rows_new + rows_replaced;
    }
  }

  /** The filings to map. The version is read first: rows that others write from then on win over ours. */
  async #examined() {
    const lake = this.#lake;
    const base_version = await lake.currentVersion();
    const numbers = this.#list.filings.map(({ accession_number }) => accession_number);
    const stored = await StoredDocuments.of(lake, this.#list.parts, this.#planned);
    const listed = await stored.list(numbers);
    const found = await targetsOf(lake, numbers, this.#request.tables, listed, this.#unusable);
    const targets: Target[] = [];
    const others: NoTarget[] = [];
    for (const one of found) {
      if (one.kind !== 'target') others.push(one);
      else if (!this.#unreadable.has(one.filing.accession_number)) targets.push(one);
    }
    return { base_version, stored, targets, others };
  }

  #made(targets: readonly Target[], stored: StoredDocuments): Promise<MadeRows> {
    const { attempt, heartbeat, signal, leaving } = this.#job;
    const bytes = new Map(this.#list.filings.map((filing) => [filing.accession_number, filing.bytes]));
    const beat: BytesBeat = { bytes: 0, of: this.#list.filings.reduce((sum, filing) => sum + filing.bytes, 0) };
    heartbeat.report(() => beat);
    const { run_id, batch_id } = this.#ids;
    return makeRows({
      ...{ targets, stored, run_id, unreadable: this.#unreadable, unusable: this.#unusable },
      writer: this.#lake.openStaging(run_id, batch_id, attempt),
      bytesOf: ({ filing }) => bytes.get(filing.accession_number) ?? 0,
      mapped: (more) => {
        beat.bytes += more;
      },
      stops: () => signal.aborted || leaving.aborted,
    });
  }

  async #commit({ segments, replace }: MadeRows, base_version: number): Promise<void> {
    if (segments.length === 0) return;
    this.#job.signal.throwIfAborted();
    const batch: Batch = { ...this.#ids, base_version, segments, replace };
    const committed = await this.#unlessCommitted(() => this.#lake.commitFirstSealed(batch));
    await this.#add(committed!);
  }

  /** @param left targets that other runs have written again and again */
  async #count(others: readonly NoTarget[], left: readonly Target[]): Promise<void> {
    const report = this.#report;
    const ours = await this.#ours();
    for (const { kind, accession_number, asJson } of others) {
      if (kind === 'current' && ours.has(accession_number)) report.mapped++;
      else report[kind]++;
      if (kind === 'incomplete' && report.incomplete_examples.length < REMAP_EXAMPLES)
        report.incomplete_examples.push(accession_number);
      if (kind === 'newer' && report.newer_examples.length < REMAP_EXAMPLES)
        report.newer_examples.push(accession_number);
      if (asJson) report.as_json++;
      // Some of its tables are made, and others lack documents.
      if (kind === 'incomplete' && ours.has(accession_number)) report.mapped++;
    }
    for (const { filing } of left) {
      const message = 'other runs kept writing this filing: run remap again';
      this.#unreadable.set(filing.accession_number, message);
    }
    report.unreadable = this.#unreadable.size;
    report.unreadable_examples = [...this.#unreadable]
      .slice(0, REMAP_EXAMPLES)
      .map(([accession_number, message]) => ({ accession_number, message }));
    report.filings = this.#list.filings.length;
    report.bytes = this.#list.filings.reduce((sum, { bytes }) => sum + bytes, 0);
    if (report.version === -1) report.version = await this.#lake.currentVersion();
  }

  /** Filings whose rows this remap has made, in this attempt or an earlier one. */
  async #ours(): Promise<ReadonlySet<string>> {
    if (this.#commits === 0) return new Set();
    const numbers = this.#list.filings.map(({ accession_number }) => accession_number);
    const rows = await this.#lake.query(
      `SELECT accession_number FROM coverage WHERE step = 'forms' AND run_id = ${sqlText(this.#request.run_id)}
         AND accession_number IN ${among(numbers)}`,
      { tables: ['coverage'] },
    );
    return new Set(rows.map(({ accession_number }) => String(accession_number)));
  }
}

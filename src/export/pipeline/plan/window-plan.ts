/**
 * The plan of a window while it is made. Each kind of window adds what its records say. What all kinds share is here: the plan's rows
 * and the rows that they replace, faulty records, failures of earlier runs, and the list of pending steps.
 */
import type { Lake, Replacement, SegmentWriter } from '../../../lake/index.ts';
import type { Row } from '../../../lake/tables/index.ts';
import type { ContractViolation } from '../../client/index.ts';
import { windowRecord } from '../../windows/index.ts';
import type { Covered, WorkLine } from '../coverage/coverage.ts';
import { dropFailures, EarlierFailures, noteSeen } from '../failures/earlier-failures.ts';
import { type FailureAbout, FailureLog, faultsByName } from '../failures/failure-log.ts';
import {
  deleteFailures,
  FailuresThisRun,
  failedBefore,
  mendedAmong,
  unidentifiedOf,
} from '../failures/recorded-failures.ts';
import type { PagedLookup } from '../lookup/paged-lookups.ts';
import { mergeReplacements } from '../staging/segment-sink.ts';
import { type StagedPlan, stagePlan } from '../staging/staged-files.ts';
import { WorkListWriter } from '../staging/work-list.ts';
import type { PlanWindowRequest } from '../types.ts';
import { PlannedEntities } from './planned-entities.ts';
import { isMadeAgain, recordPlanned } from './planned-steps.ts';

/** The step under which failures of a window's records are stored. */
const STEPS = {
  filings: 'filing',
  hits: 'hit',
  entities: 'entity',
  numbers: null,
  list: null,
  failures: null,
} as const;

export class WindowPlan {
  readonly lake: Lake;
  readonly request: PlanWindowRequest;
  /** Writes the rows of the lookup, which are committed with the plan. */
  readonly writer: SegmentWriter;
  readonly entities: PlannedEntities;
  /** Earlier failures of the window's records. */
  readonly failedBefore: ReadonlySet<string>;
  /** Keys of records without a fault: their earlier failures are over. */
  readonly right = new Set<string>();
  /** Whether the records are older than this plan, which then follows no reading. */
  readonly isMadeAgain: boolean;
  /** Filings of the window, if its records are not filings themselves. */
  filings: number | undefined;
  known = 0;
  deferred = 0;
  /** Filings whose row is replaced, or may be. */
  moved = 0;
  readonly #version: number;
  readonly #failedNow: FailuresThisRun;
  readonly #log: FailureLog;
  readonly #list: WorkListWriter;
  readonly #replace: Replacement[] = [];
  readonly #seen: string[] = [];
  #failures = 0;

  private constructor(
    lake: Lake,
    request: PlanWindowRequest,
    version: number,
    failed: { before: readonly string[]; now: FailuresThisRun },
  ) {
    const { run, window, plan } = request;
    this.lake = lake;
    this.request = request;
    this.writer = lake.openStaging(run.run_id, request.batch_id, request.attempt);
    this.entities = new PlannedEntities(request);
    this.failedBefore = new Set(failed.before);
    this.isMadeAgain = isMadeAgain(request);
    this.#version = version;
    this.#failedNow = failed.now;
    this.#log = new FailureLog(lake, run);
    this.#list = new WorkListWriter(lake, run.run_id, run.definition, window, plan);
  }

  /** @param version of the lake that the plan is made from; absent: the current one */
  static async begin(lake: Lake, request: PlanWindowRequest, version?: number): Promise<WindowPlan> {
    const step = STEPS[request.of ?? 'filings'];
    return new WindowPlan(lake, request, version ?? (await lake.currentVersion()), {
      before: step === null ? [] : await failedBefore(lake, request, step),
      now: await FailuresThisRun.of(lake, request.run, request.plan),
    });
  }

  replace(rows: readonly Replacement[]): void {
    mergeReplacements(this.#replace, rows);
  }

  /** Refuses fewer staged records than the reading found: a silent gap. @throws Error: the activity is retried */
  checkStaged<Kept>(
    { parseKey }: Pick<PagedLookup<Kept>, 'parseKey'>,
    keys: ReadonlySet<string>,
    violations: readonly ContractViolation[],
  ): void {
    const { window, record } = this.request;
    if (record === null) return;
    const broken = violations.flatMap(({ subject }) => (subject === null ? [] : (parseKey(subject) ?? [])));
    const size = keys.size + new Set(broken).difference(keys).size;
    const { found } = record.read;
    if (size < found)
      throw new Error(`the staging has ${size} records of window ${window}, but its reading found ${found}`);
  }

  /**
   * Records the records that broke the contract. A plan that is made again has no new reading, and records none.
   * @param nameOf the subject of a record with such a key
   * @param aboutOf null: the subject is the window, for records without a key
   * @returns the subjects
   */
  async recordFaults(
    violations: readonly ContractViolation[],
    aboutOf: (subject: string | null) => Partial<FailureAbout>,
    nameOf: (subject: string) => string | null = (subject) => subject,
  ): Promise<ReadonlySet<string>> {
    const unidentified = unidentifiedOf(this.request.window);
    const broken = faultsByName(
      this.isMadeAgain ? [] : violations,
      (subject) => (subject === null ? null : nameOf(subject)) ?? unidentified,
    );
    for (const [subject, faults] of broken) {
      const about = aboutOf(subject === unidentified ? null : subject);
      await this.recordFailure({ subject, ...about }, (of) => this.#log.violation(of, faults));
    }
    this.see(broken.keys());
    return new Set(broken.keys());
  }

  /** Records a failure of one of the window's records, in place of an earlier one. */
  async recordFailure(
    about: Partial<FailureAbout> & Pick<FailureAbout, 'subject'>,
    rowOf: (about: FailureAbout, log: FailureLog) => Promise<Row>,
  ): Promise<void> {
    const { name } = this.request.run.definition;
    const step = STEPS[this.request.of ?? 'filings']!;
    const whole = { export: name, step, accession_number: null, document_id: null, cik: null, ...about };
    this.writer.append('export_failures', await rowOf(whole, this.#log));
    this.replace(deleteFailures(name, [whole]));
    this.#failures++;
  }

  /** What the window has of the subjects of earlier failures. The end of the run deletes failures about others. */
  see(subjects: Iterable<string>): void {
    for (const subject of subjects) this.#seen.push(subject);
  }

  /** @returns a function that deletes the earlier failures of a filing that are over, given the steps that are pending */
  async earlierFailures(about: Parameters<typeof EarlierFailures.of>[2]) {
    const { run } = this.request;
    const earlier = await EarlierFailures.of(this.lake, run, about);
    this.see(earlier.subjects);
    return (filing: WorkLine['filing'], covered: Covered, pending: WorkLine['steps']) => {
      const over = earlier.over(filing, covered, pending);
      if (over.length > 0) this.replace(dropFailures(run.definition.name, over));
    };
  }

  /** Adds pending steps, without those that failed in this run. @returns the number of lines that are left */
  async addWork(lines: readonly WorkLine[]): Promise<number> {
    const left = lines.flatMap((line) => this.#failedNow.leftOf(line) ?? []);
    await recordPlanned(this.lake, this.request, left, this.writer, this.#replace);
    for (const line of left) await this.#list.add(line);
    return left.length;
  }

  /** Adds requests that decide about filings which the window lacks. The end of the run does not look for them. */
  async addChecks(lines: readonly WorkLine[]): Promise<void> {
    for (const line of lines) await this.#list.add(line);
    this.see(lines.map(({ filing }) => filing.accession_number));
    // Their rows may be corrected: to another date, out of this window.
    this.moved += lines.length;
  }

  async stage(): Promise<StagedPlan> {
    const { run, window, plan, record, of = 'filings' } = this.request;
    const { run_id } = run;
    const step = STEPS[of];
    const isRight = (subject: string) => this.right.has(subject);
    if (step !== null) this.replace(mendedAmong([...this.failedBefore], this.request, step, isRight));
    await noteSeen(this.lake, run_id, window, this.#seen);
    if (record !== null && of !== 'failures') {
      const { promised: expected, found, proven } = record.read;
      const moved = of === 'filings' ? { moved: this.moved } : {};
      this.writer.append('export_windows', {
        run_id,
        ...windowRecord(record.window),
        expected,
        found,
        proven,
        ...moved,
      });
    }
    await this.entities.record(this.lake, this.writer, this.#replace);
    const sealed = await this.writer.seal();
    return stagePlan(this.lake, run_id, window, plan, {
      base_version: this.#version,
      ...(this.filings === undefined ? {} : { filings: this.filings }),
      known: this.known,
      ...(this.deferred > 0 ? { deferred: this.deferred } : {}),
      failures: this.#failures,
      ...(await this.#list.end()),
      segments: sealed ? [sealed.name] : [],
      replace: this.#replace,
    });
  }
}

/** Plans the filings of a window from their lookup records: the pending steps by coverage, and the rows of the lookup. */

import { type Filing, parseCik } from '../../../filings/api/index.ts';
import type { Lake, Replacement, SegmentWriter } from '../../../lake/index.ts';
import { type Row, rowsOf } from '../../../lake/tables/index.ts';
import type { ContractViolation } from '../../client/index.ts';
import {
  asKnown,
  type ExportDefinition,
  filingSelector,
  isSpelledAlike,
  type PendingSteps,
  pendingSteps,
} from '../../index.ts';
import {
  Coverage,
  type Covered,
  dayOfRun,
  isAccessionNumber,
  joinedSteps,
  refreshOf,
  type WorkLine,
} from '../coverage/coverage.ts';
import { filingsInLake } from '../coverage/filings-in-lake.ts';
import { rowsOfService } from '../coverage/row-origin.ts';
import { dropFailures, EarlierFailures, noteSeen } from '../failures/earlier-failures.ts';
import { type FailureAbout, FailureLog, faultsByName } from '../failures/failure-log.ts';
import {
  deleteFailures,
  FailuresThisRun,
  failedBefore,
  mendedAmong,
  unidentifiedOf,
} from '../failures/recorded-failures.ts';
import { FILINGS } from '../lookup/paged-lookups.ts';
import { mergeReplacements } from '../staging/segment-sink.ts';
import {
  type PagesReadLast,
  recordsInGroups,
  type StagedPlan,
  stagePlan,
  type WindowRecords,
} from '../staging/staged-files.ts';
import { WorkListWriter } from '../staging/work-list.ts';
import type { PlanWindowRequest } from '../types.ts';
import { type ListedRows, Listing, writesDocuments } from './listing.ts';
import { ListingLines } from './listing-lines.ts';
import { withOutdatedSteps } from './outdated-steps.ts';
import { PlannedEntities } from './planned-entities.ts';
import { recordPlanned } from './planned-steps.ts';
import { unlistedFilings } from './unlisted-filings.ts';
import { checkStaged, isMadeAgain, windowRow } from './window-record.ts';

/** @param asked coverage of the window's filings, if it was read before together with other windows'; null: it is read here */
export async function planFilings(
  lake: Lake,
  request: PlanWindowRequest,
  remembered: PagesReadLast,
  alreadyPlanned: ReadonlySet<string>,
  asked: CoverageAt | null = null,
): Promise<StagedPlan> {
  const { run, window, pages, plan, record } = request;
  const { run_id } = run;
  const base_version = asked?.version ?? (await lake.currentVersion());
  const writer = lake.openStaging(run_id, request.batch_id, request.attempt);
  const planning = new FilingPlanning(lake, request, writer, {
    alreadyPlanned,
    failed: await FailuresThisRun.of(lake, run, plan),
    failedBefore: await failedBefore(lake, request, 'filing'),
  });
  const keys = new Set<string>();
  const seen: string[] = [];
  const violations: ContractViolation[] = [];
  for await (const group of recordsInGroups(lake, { runId: run_id, window, pages }, FILINGS.keyOf, remembered)) {
    for (const filing of group.records) keys.add(filing.accession_number);
    violations.push(...group.violations);
    const numbers = group.records.map(({ accession_number }) => accession_number);
    const ciks = group.records.flatMap(({ cik }) => parseCik(cik ?? '') ?? []);
    const earlier = await EarlierFailures.of(lake, run, { numbers, ciks });
    seen.push(...earlier.subjects);
    const coverage = asked?.coverage ?? (await Coverage.of(lake, numbers, run));
    await planning.take(group, { coverage, earlier });
  }
  checkStaged(request, FILINGS, { keys, violations });
  const unidentified = unidentifiedOf(window);
  const broken = faultsByName(violations, (subject) => subject ?? unidentified);
  for (const [subject, faults] of broken) {
    // A plan that is made again has no new reading.
    if (!isMadeAgain(request)) await planning.fail(subject, null, (about, log) => log.violation(about, faults));
    keys.add(subject);
  }
  // A record without a number may be of any filing.
  const unlisted = broken.has(unidentified) ? [] : await unlistedFilings(lake, request, keys);
  await planning.check(unlisted);
  await noteSeen(lake, run_id, window, [
    ...seen,
    ...broken.keys(),
    ...unlisted.map(({ filing }) => filing.accession_number),
  ]);
  const planned = await planning.end();
  if (record !== null) writer.append('export_windows', { ...windowRow(run_id, record), moved: planning.moved });
  const sealed = await writer.seal();
  return stagePlan(lake, run_id, window, plan, { base_version, ...planned, segments: sealed ? [sealed.name] : [] });
}

/** Coverage read at a version of the lake. */
export interface CoverageAt {
  coverage: Coverage;
  version: number;
}

/** Processes a window's records, some thousands at a time. */
class FilingPlanning {
  readonly #lake: Lake;
  readonly #request: PlanWindowRequest;
  readonly #writer: SegmentWriter;
  readonly #list: WorkListWriter;
  readonly #log: FailureLog;
  readonly #alreadyPlanned: ReadonlySet<string>;
  readonly #failed: FailuresThisRun;
  readonly #failedBefore: readonly string[];
  /** Earlier failures that are resolved now. */
  readonly #right = new Set<string>();
  readonly #replace: Replacement[] = [];
  readonly #entities: PlannedEntities;
  readonly #constants: { fetched_at: string; run_id: string };
  readonly #asWritten: ListingLines;
  readonly #today: string;
  #known = 0;
  /** Filings whose row is replaced, or may be. */
  moved = 0;
  #deferred = 0;
  #failures = 0;

  constructor(
    lake: Lake,
    request: PlanWindowRequest,
    writer: SegmentWriter,
    before: { alreadyPlanned: ReadonlySet<string>; failed: FailuresThisRun; failedBefore: readonly string[] },
  ) {
    const { run, window, plan } = request;
    const { definition, run_id } = run;
    this.#lake = lake;
    this.#today = dayOfRun(run);
    this.#request = request;
    this.#writer = writer;
    this.#list = new WorkListWriter(lake, run_id, definition, window, plan);
    this.#log = new FailureLog(lake, run);
    this.#alreadyPlanned = before.alreadyPlanned;
    this.#failed = before.failed;
    this.#failedBefore = before.failedBefore;
    this.#entities = new PlannedEntities(request);
    this.#constants = { fetched_at: new Date().toISOString(), run_id };
    this.#asWritten = new ListingLines(
      writer,
      (documents) => filingSelector(definition, { documents: !documents }),
      this.#constants,
    );
  }

  async take(
    { records: filings, texts }: WindowRecords<Filing>,
    { coverage, earlier }: { coverage: Coverage; earlier: EarlierFailures },
  ): Promise<void> {
    const { definition } = this.#request.run;
    const isAgain = isMadeAgain(this.#request);
    const listing = new Listing(definition, this.#constants);
    const lines = new Map<number, WorkLine>();
    const watched = new Set(this.#failedBefore);
    const restated: number[] = [];
    const plan = (i: number, covered: Covered, pending: PendingSteps, written: Covered) => {
      const filing = filings[i]!;
      mergeReplacements(this.#replace, dropFailures(definition.name, earlier.over(filing, covered, pending.steps)));
      // The first plan has written the rows of this record.
      const isListed = pending.listed && (pending.isSameRecord || isAgain);
      if (isListed && pending.known) {
        this.#known++;
        return;
      }
      const line = { ...lineOf(filing, pending), ...refreshOf(definition, filing, this.#today) };
      const documents = writesDocuments(definition, line);
      if (covered.size === 0 && this.#asWritten.put(line, pending.record, documents, texts[i] ?? null)) {
        // Its rows are made from the service's own text.
      } else if (!isListed) listing.add(line, pending, written);
      if (line.steps.length === 0) return;
      const rest = this.#failed.leftOf(line);
      if (rest !== null) lines.set(i, rest);
    };
    // In the order of the tables' keys, which saves sorting. Pending steps keep the order in which their filings were found.
    for (const i of inOrderOfNumbers(filings)) {
      const filing = filings[i]!;
      const { accession_number } = filing;
      // A value that can't be stored stays a fault of a readable record.
      if (watched.has(accession_number) && isStorable(definition, filing)) this.#right.add(accession_number);
      if (this.#alreadyPlanned.has(accession_number)) continue;
      this.#entities.add(accession_number, filing);
      const covered = coverage.get(accession_number);
      const pending = pendingSteps(definition, filing, covered, this.#today);
      // The lookup record is older than this plan. The lake's row was written by another run and may be newer. The next run's
      // reading decides.
      if (isAgain && pending.changed) {
        this.#deferred++;
        continue;
      }
      if (covered.has('filing') && !pending.isSameRecord && !isAgain) restated.push(i);
      else plan(i, covered, pending, covered);
    }
    const numbers = restated.map((i) => filings[i]!.accession_number);
    const inLake = await filingsInLake(this.#lake, numbers);
    const ofService = await rowsOfService(this.#lake, numbers, definition.service.base_url);
    for (const i of restated) {
      const filing = filings[i]!;
      const written = coverage.get(filing.accession_number);
      const before = ofService.has(filing.accession_number) ? inLake.get(filing.accession_number) : undefined;
      const covered = before === undefined ? written : withOutdatedSteps(filing, before, written);
      if (before !== undefined && isRenamed(filing, before)) this.#entities.rename(filing);
      plan(i, covered, pendingSteps(definition, filing, covered, this.#today), written);
    }
    listing.compareWith(inLake, ofService);
    await this.#write(await listing.rows(this.#lake));
    await recordPlanned(this.#lake, this.#request, lines.values(), this.#writer, this.#replace);
    for (const i of filings.keys()) if (lines.has(i)) await this.#list.add(lines.get(i)!);
  }

  /** Adds requests that decide about filings which the window lacks. The end of the run does not look for them. */
  async check(lines: readonly WorkLine[]): Promise<void> {
    // Their rows may be corrected: to another date, out of this window.
    this.moved += lines.length;
    for (const line of lines) await this.#list.add(line);
  }

  async #write({ rows, replace, known, moved, unfit }: ListedRows): Promise<void> {
    this.#known += known;
    this.moved += moved;
    for (const [table, list] of Object.entries(rows)) for (const row of list) this.#writer.append(table, row);
    mergeReplacements(this.#replace, replace);
    for (const { line, violations } of unfit) {
      const { accession_number, cik } = line.filing;
      await this.fail(accession_number, cik, (about, log) =>
        log.unstorable({ ...about, revision: line.revision }, violations),
      );
    }
  }

  /** Records the faults of a record: unreadable, or not storable. */
  async fail(
    subject: string,
    cik: string | null,
    rowOf: (about: FailureAbout, log: FailureLog) => Promise<Row>,
  ): Promise<void> {
    const { name } = this.#request.run.definition;
    const accession_number = isAccessionNumber(subject) ? subject : null;
    const about = { export: name, step: 'filing', subject, accession_number, document_id: null, cik };
    this.#writer.append('export_failures', await rowOf(about, this.#log));
    mergeReplacements(this.#replace, deleteFailures(name, [about]));
    this.#failures++;
  }

  async end(): Promise<Omit<StagedPlan, 'base_version' | 'segments'>> {
    const isRight = (subject: string) => this.#right.has(subject);
    mergeReplacements(this.#replace, mendedAmong(this.#failedBefore, this.#request, 'filing', isRight));
    await this.#entities.record(this.#lake, this.#writer, this.#replace);
    return {
      known: this.#known,
      ...(this.#deferred > 0 ? { deferred: this.#deferred } : {}),
      failures: this.#failures,
      replace: this.#replace,
      ...(await this.#list.end()),
    };
  }
}

function isStorable({ tables }: ExportDefinition, filing: Filing): boolean {
  return rowsOf('lookup', filing, tables.includes('documents') ? [] : ['documents']).violations.length === 0;
}

function isRenamed(filing: Filing, before: Filing): boolean {
  const names = [filing.entity_name, before.entity_name] as const;
  return filing.cik === before.cik && names[0] !== null && names[1] !== null && !isSpelledAlike(names[0], names[1]);
}

/** A filing's line of the work list. */
export function lineOf(filing: Filing, { revision, steps, stated }: PendingSteps): WorkLine {
  const joined = joinedSteps(steps, stated, { revision, documents: filing.documents });
  const known = asKnown(filing, stated.get('info')?.selector);
  return { filing: known, revision, steps: joined, covered: Object.fromEntries(stated) };
}

/** Indexes of the filings, sorted by accession number. */
function inOrderOfNumbers(filings: readonly Filing[]): number[] {
  const places = filings.map((_, i) => i);
  return places.sort((a, b) => (filings[a]!.accession_number < filings[b]!.accession_number ? -1 : 1));
}

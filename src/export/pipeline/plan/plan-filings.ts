/** Plans the filings of a window from their lookup records: the pending steps by coverage, and the rows of the lookup. */
import { type Filing, parseCik } from '../../../filings/api/index.ts';
import { rowsOf } from '../../../lake/tables/index.ts';
import type { ContractViolation } from '../../client/index.ts';
import type { ExportDefinition } from '../../definition/index.ts';
import { isSpelledAlike } from '../../revisions/index.ts';
import { asKnown, filingSelector, type PendingSteps, pendingSteps } from '../../steps/index.ts';
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
import { unidentifiedOf } from '../failures/recorded-failures.ts';
import { FILINGS } from '../lookup/paged-lookups.ts';
import { type PagesReadLast, recordsInGroups, type WindowRecords } from '../staging/staged-files.ts';
import { type ListedRows, Listing, writesDocuments } from './listing.ts';
import { ListingLines } from './listing-lines.ts';
import { withOutdatedSteps } from './outdated-steps.ts';
import { unlistedFilings } from './unlisted-filings.ts';
import type { WindowPlan } from './window-plan.ts';

/** @param asked coverage of the window's filings, if it was read together with that of other windows */
export async function planFilings(
  plan: WindowPlan,
  remembered: PagesReadLast,
  alreadyPlanned: ReadonlySet<string>,
  asked: Coverage | undefined,
): Promise<void> {
  const { lake, request } = plan;
  const { run, window, pages } = request;
  const planning = new FilingPlanning(plan, alreadyPlanned);
  const keys = new Set<string>();
  const violations: ContractViolation[] = [];
  const staged = { runId: run.run_id, window, pages };
  for await (const group of recordsInGroups(lake, staged, FILINGS.keyOf, remembered, keys)) {
    violations.push(...group.violations);
    await planning.take(group, asked ?? (await Coverage.of(lake, group.records.map(FILINGS.keyOf), run)));
  }
  plan.checkStaged(FILINGS, keys, violations);
  const broken = await plan.recordFaults(violations, (subject) => ({
    accession_number: subject !== null && isAccessionNumber(subject) ? subject : null,
  }));
  // A record without a number may be of any filing.
  if (broken.has(unidentifiedOf(window))) return;
  await plan.addChecks(await unlistedFilings(lake, request, (number) => keys.has(number) || broken.has(number)));
}

/** Processes a window's records, some thousands at a time. */
class FilingPlanning {
  readonly #plan: WindowPlan;
  readonly #alreadyPlanned: ReadonlySet<string>;
  readonly #constants: { fetched_at: string; run_id: string };
  readonly #asWritten: ListingLines;
  readonly #today: string;

  constructor(plan: WindowPlan, alreadyPlanned: ReadonlySet<string>) {
    const { definition, run_id } = plan.request.run;
    this.#plan = plan;
    this.#alreadyPlanned = alreadyPlanned;
    this.#today = dayOfRun(plan.request.run);
    this.#constants = { fetched_at: new Date().toISOString(), run_id };
    this.#asWritten = new ListingLines(
      plan.writer,
      (documents) => filingSelector(definition, { documents: !documents }),
      this.#constants,
    );
  }

  async take({ records: filings, texts }: WindowRecords<Filing>, coverage: Coverage): Promise<void> {
    const { lake, request, isMadeAgain } = this.#plan;
    const { definition } = request.run;
    const dropOver = await this.#plan.earlierFailures(() => ({
      numbers: filings.map(FILINGS.keyOf),
      ciks: filings.flatMap(({ cik }) => parseCik(cik ?? '') ?? []),
    }));
    const listing = new Listing(definition, this.#constants);
    const lines = new Map<number, WorkLine>();
    const restated: number[] = [];
    const plan = (i: number, covered: Covered, pending: PendingSteps, written: Covered) => {
      const filing = filings[i]!;
      dropOver(filing, covered, pending.steps);
      // The first plan has written the rows of this record.
      const isListed = pending.listed && (pending.isSameRecord || isMadeAgain);
      if (isListed && pending.known) {
        this.#plan.known++;
        return;
      }
      const line = { ...lineOf(filing, pending), ...refreshOf(definition, filing, this.#today) };
      const documents = writesDocuments(definition, line);
      if (covered.size === 0 && this.#asWritten.put(line, pending.record, documents, texts[i] ?? null)) {
        // Its rows are made from the service's own text.
      } else if (!isListed) listing.add(line, pending, written);
      if (line.steps.length > 0) lines.set(i, line);
    };
    // In the order of the tables' keys, which saves sorting. Pending steps keep the order in which their filings were found.
    for (const i of inOrderOfNumbers(filings)) {
      const filing = filings[i]!;
      const { accession_number } = filing;
      // A value that can't be stored stays a fault of a readable record.
      if (this.#plan.failedBefore.has(accession_number) && isStorable(definition, filing))
        this.#plan.right.add(accession_number);
      if (this.#alreadyPlanned.has(accession_number)) continue;
      this.#plan.entities.add(accession_number, filing);
      const covered = coverage.get(accession_number);
      const pending = pendingSteps(definition, filing, covered, this.#today);
      // The lookup record is older than this plan. The lake's row was written by another run and may be newer. The next run's
      // reading decides.
      if (isMadeAgain && pending.changed) {
        this.#plan.deferred++;
        continue;
      }
      if (covered.has('filing') && !pending.isSameRecord && !isMadeAgain) restated.push(i);
      else plan(i, covered, pending, covered);
    }
    const numbers = restated.map((i) => filings[i]!.accession_number);
    const inLake = await filingsInLake(lake, numbers);
    const ofService = await rowsOfService(lake, numbers, definition.service.base_url);
    for (const i of restated) {
      const filing = filings[i]!;
      const written = coverage.get(filing.accession_number);
      const before = ofService.has(filing.accession_number) ? inLake.get(filing.accession_number) : undefined;
      const covered = before === undefined ? written : withOutdatedSteps(filing, before, written);
      if (before !== undefined && isRenamed(filing, before)) this.#plan.entities.rename(filing);
      plan(i, covered, pendingSteps(definition, filing, covered, this.#today), written);
    }
    listing.compareWith(inLake, ofService);
    await this.#write(await listing.rows(lake));
    await this.#plan.addWork([...lines].sort(([a], [b]) => a - b).map(([, line]) => line));
  }

  async #write({ rows, replace, known, moved, unfit }: ListedRows): Promise<void> {
    const plan = this.#plan;
    plan.known += known;
    plan.moved += moved;
    for (const [table, list] of Object.entries(rows)) for (const row of list) plan.writer.append(table, row);
    plan.replace(replace);
    for (const { line, violations } of unfit) {
      const { accession_number, cik } = line.filing;
      await plan.recordFailure(
        { subject: accession_number, accession_number, cik, revision: line.revision },
        (about, log) => log.unstorable(about, violations),
      );
    }
  }
}

function isStorable({ tables }: ExportDefinition, filing: Filing): boolean {
  return rowsOf('lookup', filing, tables.includes('documents') ? [] : ['documents']).violations.length === 0;
}

function isRenamed(filing: Filing, before: Filing): boolean {
  const names = [filing.entity_name, before.entity_name] as const;
  return filing.cik === before.cik && names[0] !== null && names[1] !== null && !isSpelledAlike(names[0], names[1]);
}

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

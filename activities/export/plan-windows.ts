/** From the lookup records of windows to what is owed: an anti-join with coverage, a work list each, and one commit of the new filings of all. */
import { Context } from '@temporalio/activity';
import type { Filing } from '../../src/contract/index.ts';
import {
  type CoveredStep,
  countPasses,
  documentsByInfo,
  type ExportDefinition,
  filingRows,
  filingSelector,
  joinedSelector,
  type Row,
} from '../../src/export/index.ts';
import type { Lake, Replacement } from '../../src/lake/index.ts';
import { commitAndDrop } from './clear-away.ts';
import { coverageOf, isAccessionNumber, planFiling, replaceStep, type WorkLine } from './coverage.ts';
import type { Dependencies } from './dependencies.ts';
import { FailedInRun } from './failed-in-run.ts';
import { type FailureAbout, FailureLog, faultsByName } from './failure-log.ts';
import { ListingLines } from './listing-lines.ts';
import { mendedFailures, unidentifiedOf } from './mended-failures.ts';
import { leaveOtherRevisions } from './other-revisions.ts';
import { OwedBefore } from './owed-before.ts';
import { FILINGS } from './paged-lookups.ts';
import { planEntities } from './plan-entities.ts';
import { planListed } from './plan-listed.ts';
import { checkStaged, windowRow } from './plan-record.ts';
import { planFailures } from './read-failures.ts';
import { mergeReplacements } from './sink.ts';
import { type PagesReadLast, readPlan, recordsOfWindow, type StagedPlan, stagePlan } from './staged.ts';
import type { PlanWindowRequest, PlanWindowsRequest, WindowsPlanned } from './types.ts';

export async function planWindows(
  dependencies: Dependencies,
  { run, batch_id, windows }: PlanWindowsRequest,
): Promise<WindowsPlanned> {
  const lake = await dependencies.lakes.at(run);
  const plans: StagedPlan[] = [];
  const owedBefore = new OwedBefore(lake, run, windows);
  for (const window of windows) {
    const request = { run, batch_id, ...window };
    const plan =
      (await readPlan(lake, run.run_id, window.window, window.plan)) ??
      (await makePlan(lake, request, dependencies.pages, await owedBefore.of(window)));
    owedBefore.add(plan.lines);
    plans.push(plan);
  }
  const segments = plans.flatMap((plan) => plan.segments.map((name) => ({ name })));
  const replace: Replacement[] = [];
  for (const plan of plans) mergeReplacements(replace, plan.replace);
  const { run_id, definition } = run;
  const base_version = Math.min(...plans.map((plan) => plan.base_version));
  const batch = { run_id, batch_id, base_version, segments };
  const committed =
    segments.length === 0 ? null : await commitAndDrop(lake, batch, () => lake.commitBatch({ ...batch, replace }));
  // Those of filings are looked through once more where their filers are wanted.
  const wantsFilers = definition.tables.includes('entities') && definition.select.entities !== 'query';
  for (const { window, of } of windows)
    if (of !== undefined || !wantsFilers) dependencies.pages.forget(lake, run_id, window);
  return {
    committed,
    windows: plans.map(({ base_version, filings, known, left, owed, failures }) => ({
      // Not that of the plans' own commit: what another run brought between the two must be seen by the batches.
      base_version,
      ...(filings === undefined ? {} : { filings }),
      known,
      ...(left === undefined ? {} : { left }),
      failures,
      owed,
    })),
  };
}

/** @param owed accession numbers that windows before it owe: it owes them no more */
function makePlan(
  lake: Lake,
  request: PlanWindowRequest,
  remembered: PagesReadLast,
  owed: ReadonlySet<string>,
): Promise<StagedPlan> {
  switch (request.of) {
    case 'entities':
      return planEntities(lake, request, remembered);
    case 'hits':
    case 'numbers':
      return planListed(lake, request, owed);
    case 'failures':
      return planFailures(lake, request);
    default:
      return planFilings(lake, request, remembered, owed);
  }
}

const NOTHING_HAD: ReadonlyMap<string, CoveredStep> = new Map();

async function planFilings(
  lake: Lake,
  request: PlanWindowRequest,
  remembered: PagesReadLast,
  owed: ReadonlySet<string>,
): Promise<StagedPlan> {
  const { run, window, pages, plan, record } = request;
  const { definition } = run;
  const base_version = await lake.currentVersion();
  const staged = await recordsOfWindow(lake, run.run_id, window, pages, FILINGS.keyOf, remembered);
  checkStaged(request, FILINGS, staged);
  const { records: filings, texts, violations } = staged;
  const coverage = await coverageOf(
    lake,
    filings.map((filing) => filing.accession_number),
  );
  const writer = lake.openStaging(run.run_id, request.batch_id, Context.current().info.attempt);
  const owing = new Map<Filing, WorkLine>();
  const replace: Replacement[] = [];
  let failures = 0;
  const failed = await FailedInRun.of(lake, run, plan);
  const log = new FailureLog(lake, run);
  const fail = async (subject: string, cik: string | null, rowOf: (about: FailureAbout) => Promise<Row>) => {
    const accession_number = isAccessionNumber(subject) ? subject : null;
    const about = { export: definition.name, step: 'filing', subject, accession_number, document_id: null, cik };
    writer.append('export_failures', await rowOf(about));
    mergeReplacements(replace, [
      {
        table: 'export_failures',
        columns: ['export', 'step', 'subject'],
        values: [[definition.name, 'filing', subject]],
      },
    ]);
    failures++;
  };
  let byNumber: Map<string, Filing> | null = null;
  const isRight = (subject: string) => {
    // Mostly nothing has failed before, and nobody asks.
    byNumber ??= new Map(filings.map((filing) => [filing.accession_number, filing]));
    const filing = byNumber.get(subject);
    // A value that can't be stored stays a fault of a record that can be read.
    return filing !== undefined && filingRows(filing, definition.tables.includes('documents')).violations.length === 0;
  };
  mergeReplacements(replace, await mendedFailures(lake, request, 'filing', isRight));
  // A plan that is made again has no new reading.
  const broken = faultsByName(plan === 1 ? violations : [], (subject) => subject ?? unidentifiedOf(window));
  for (const [subject, faults] of broken) await fail(subject, null, (about) => log.violation(about, faults));
  let known = 0;
  const fetchedAt = new Date().toISOString();
  const asWritten = new ListingLines(
    writer,
    (documents) => filingSelector(definition, { documents: !documents }),
    fetchedAt,
  );
  // In the order of the tables' keys, which saves sorting them; what is owed is asked in the order in which it was found.
  for (const i of inOrderOfNumbers(filings)) {
    const filing = filings[i]!;
    if (owed.has(filing.accession_number)) continue;
    const had = coverage.get(filing.accession_number) ?? NOTHING_HAD;
    const planned = planFiling(definition, filing, had);
    if (planned.kind === 'known') {
      known++;
      continue;
    }
    const { listing, line } = planned;
    const isNew = listing && had.size === 0;
    if (isNew && asWritten.put(line, writesDocuments(definition, line), texts[i] ?? null)) {
      // Its rows are read out of what the service wrote.
    } else if (listing) {
      const { rows, violations: unfit } = listingRows(definition, line);
      for (const row of rows.filings ?? []) writer.append('filings', row);
      for (const row of rows.documents ?? []) writer.append('documents', row);
      writer.append('coverage', listingCoverage(definition, line, fetchedAt));
      if (had.has('filing')) mergeReplacements(replace, replaceStep(definition, filing.accession_number, 'filing'));
      // Those that filing_info brought with their sizes stay.
      if (had.has('filing') && rows.documents?.length) mergeReplacements(replace, [replaceDocuments(filing)]);
      if (unfit.length > 0)
        await fail(filing.accession_number, filing.cik, (about) =>
          log.unstorable({ ...about, revision: line.revision }, unfit),
        );
    }
    if (line.steps.length > 0 || line.changed) {
      const left = failed.leftOf(line);
      if (left !== null) owing.set(filing, left);
    }
  }
  if (record !== null) writer.append('export_windows', windowRow(run.run_id, record));
  const sealed = await writer.seal();
  const leftAsTheyAre = await leaveOtherRevisions(lake, request, owing);
  const lines = filings.flatMap((filing) => owing.get(filing) ?? []);
  return stagePlan(lake, run.run_id, window, plan, {
    base_version,
    known,
    ...(leftAsTheyAre > 0 ? { left: leftAsTheyAre } : {}),
    failures,
    owed: countPasses(definition, lines),
    segments: sealed ? [sealed.name] : [],
    replace,
    lines,
  });
}

/** Places of the filings, that with the lowest accession number first. */
function inOrderOfNumbers(filings: readonly Filing[]): number[] {
  const places = filings.map((_, i) => i);
  return places.sort((a, b) => (filings[a]!.accession_number < filings[b]!.accession_number ? -1 : 1));
}

function replaceDocuments({ accession_number }: Filing): Replacement {
  return { table: 'documents', columns: ['accession_number'], values: [[accession_number]] };
}

/** `filings`, and `documents` where no filing_info is to bring them with their sizes. */
export function listingRows(definition: ExportDefinition, line: WorkLine): ReturnType<typeof filingRows> {
  return filingRows(line.filing, writesDocuments(definition, line));
}

function writesDocuments(definition: ExportDefinition, line: WorkLine): boolean {
  return definition.tables.includes('documents') && !leavesDocuments(line);
}

/** Whether a listing leaves the documents to filing_info. */
function leavesDocuments({ had, changed, steps }: WorkLine): boolean {
  return documentsByInfo(changed ? '' : had.info?.selector, steps);
}

export function listingCoverage(definition: ExportDefinition, line: WorkLine, fetched_at = new Date().toISOString()) {
  const selector = filingSelector(definition, { documents: leavesDocuments(line) });
  // Rows of a changed filing that other exports brought are gone.
  const had = line.changed ? undefined : line.had.filing;
  return {
    accession_number: line.filing.accession_number,
    step: 'filing',
    selector: had === undefined ? selector : joinedSelector(had.selector, selector),
    revision: line.revision,
    status: 'done',
    fetched_at,
  };
}

/** From the lookup records of a window to what is owed: what coverage lacks, and the rows of the lookup itself. */
import { Context } from '@temporalio/activity';
import type { Filing } from '../../src/contract/index.ts';
import {
  type CoveredStep,
  countPasses,
  filingRows,
  filingSelector,
  type Owed,
  owedOf,
  type Row,
} from '../../src/export/index.ts';
import type { Lake, Replacement } from '../../src/lake/index.ts';
import { coverageOf, isAccessionNumber, joinedSteps, type WorkLine } from './coverage.ts';
import { FailedInRun } from './failed-in-run.ts';
import { type FailureAbout, FailureLog, faultsByName } from './failure-log.ts';
import { Listing, writesDocuments } from './listing.ts';
import { ListingLines } from './listing-lines.ts';
import { mendedFailures, unidentifiedOf } from './mended-failures.ts';
import { FILINGS } from './paged-lookups.ts';
import { checkStaged, windowRow } from './plan-record.ts';
import { recordPlanned } from './planned-steps.ts';
import { mergeReplacements } from './sink.ts';
import { type PagesReadLast, recordsOfWindow, type StagedPlan, stagePlan } from './staged.ts';
import type { PlanWindowRequest } from './types.ts';

const NOTHING_HAD: ReadonlyMap<string, CoveredStep> = new Map();

export async function planFilings(
  lake: Lake,
  request: PlanWindowRequest,
  remembered: PagesReadLast,
  owedBefore: ReadonlySet<string>,
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
  const broken = faultsByName(
    record !== null || plan === 1 ? violations : [],
    (subject) => subject ?? unidentifiedOf(window),
  );
  for (const [subject, faults] of broken) await fail(subject, null, (about) => log.violation(about, faults));

  const fetched_at = new Date().toISOString();
  const asWritten = new ListingLines(writer, (documents) => filingSelector(definition, { documents: !documents }), {
    fetched_at,
    run_id: run.run_id,
  });
  const listing = new Listing(definition, { fetched_at, run_id: run.run_id });
  let known = 0;
  let left = 0;
  const lines = new Map<number, WorkLine>();
  // In the order of the tables' keys, which saves sorting them; what is owed is asked in the order in which it was found.
  for (const i of inOrderOfNumbers(filings)) {
    const filing = filings[i]!;
    const { accession_number } = filing;
    if (owedBefore.has(accession_number)) continue;
    const had = coverage.get(accession_number) ?? NOTHING_HAD;
    const owed = owedOf(definition, filing, had);
    // The record in hand is older than the plan: what is in the lake is another run's, and may be the newer. The next run's reading decides.
    if (plan > 1 && owed.changed) {
      left++;
      continue;
    }
    const line = lineOf(filing, owed);
    // The first plan has written the rows of the record in hand.
    const isListed = owed.listed && (owed.isSameRecord || plan > 1);
    const documents = writesDocuments(definition, line);
    if (had.size === 0 && asWritten.put(line, owed.record, documents, texts[i] ?? null)) {
      // Its rows are read out of what the service wrote.
    } else if (!isListed) listing.add(line, owed, had);
    else if (owed.known) known++;
    if (line.steps.length === 0) continue;
    const rest = failed.leftOf(line);
    if (rest !== null) lines.set(i, rest);
  }
  const listed = await listing.rows(lake);
  known += listed.known;
  for (const [table, rows] of Object.entries(listed.rows)) for (const row of rows) writer.append(table, row);
  mergeReplacements(replace, listed.replace);
  for (const { line, violations: unfit } of listed.unfit) {
    const { accession_number, cik } = line.filing;
    await fail(accession_number, cik, (about) => log.unstorable({ ...about, revision: line.revision }, unfit));
  }
  if (record !== null) writer.append('export_windows', windowRow(run.run_id, record));
  await recordPlanned(lake, request, lines.values(), writer, replace);
  const sealed = await writer.seal();
  const inOrder = filings.flatMap((_, i) => lines.get(i) ?? []);
  return stagePlan(lake, run.run_id, window, plan, {
    base_version,
    known,
    ...(left > 0 ? { left } : {}),
    failures,
    owed: countPasses(definition, inOrder),
    segments: sealed ? [sealed.name] : [],
    replace,
    lines: inOrder,
  });
}

/** What a filing's line of the work list says. */
export function lineOf(filing: Filing, { revision, steps, had }: Owed): WorkLine {
  return { filing, revision, steps: joinedSteps(steps, had, revision), had: Object.fromEntries(had) };
}

/** Places of the filings, that with the lowest accession number first. */
function inOrderOfNumbers(filings: readonly Filing[]): number[] {
  const places = filings.map((_, i) => i);
  return places.sort((a, b) => (filings[a]!.accession_number < filings[b]!.accession_number ? -1 : 1));
}

/** The steps that a run plans to fetch, stored as rows. The end of the run and `lake check` compare them with coverage. */
import { quoteText } from '../../../core/index.ts';
import type { Lake, Replacement, SegmentWriter } from '../../../lake/index.ts';
import { PLAN_TABLES, plannedSteps } from '../../../lake/report/index.ts';
import type { Row } from '../../../lake/tables/index.ts';
import type { Step } from '../../selectors/index.ts';
import { PASSES, type Pass, passOf } from '../../steps/index.ts';
import type { WorkLine } from '../coverage/coverage.ts';
import { among } from '../sql-values.ts';
import { mergeReplacements } from '../staging/segment-sink.ts';
import type { MissingOfPass, PlanWindowRequest, RunReference } from '../types.ts';

/** Tables of forms are fetched with documents, but planned separately. */
type PlannedPass = Pass | 'forms';

/**
 * Whether a plan is made again, without a new reading of its window. If a plan has a number other than 1 only because of another
 * history of the run, it still follows a reading, and has a row for `export_windows`.
 */
export function isMadeAgain({ plan, record }: Pick<PlanWindowRequest, 'plan' | 'record'>): boolean {
  return plan > 1 && record === null;
}

/** Rows of `export_plans` for a line of a window's first plan: one for each pass that it takes part in, in the order of their keys. */
function plannedRows({ run_id, definition }: RunReference, window: string, line: WorkLine): Row[] {
  const { accession_number } = line.filing;
  const byPass = new Map<PlannedPass, Step[]>();
  for (const step of line.steps) {
    const pass = step.step === 'forms' ? step.step : passOf(step);
    byPass.set(pass, [...(byPass.get(pass) ?? []), step]);
  }
  const inOrder = [...byPass].sort(([a], [b]) => (a < b ? -1 : 1));
  return inOrder.map(([pass, steps]) => ({
    export: definition.name,
    accession_number,
    pass,
    steps:
      pass === 'documents' ? steps.map((step) => endOf(accession_number, step)).join(',') : coveredStep(line, pass),
    revision: line.revision,
    run_id,
    window,
  }));
}

/** The step that coverage has after a pass: `filing` if filing_info is requested only for the filing's own row. */
function coveredStep({ knownBy, steps }: WorkLine, pass: PlannedPass): string {
  return knownBy === 'number' && steps.every(({ selector }) => selector === '') ? 'filing' : pass;
}

/** Records a plan's steps in place of an earlier run's. A plan that is made again adds only new filings. */
export async function recordPlanned(
  lake: Lake,
  request: Pick<PlanWindowRequest, 'run' | 'window' | 'plan' | 'record'>,
  lines: readonly WorkLine[],
  writer: SegmentWriter,
  replace: Replacement[],
): Promise<void> {
  const { run, window } = request;
  const own = isMadeAgain(request) ? await plannedBy(lake, run.run_id, lines) : new Set<string>();
  const numbers: string[] = [];
  // In the order of the table's keys, which saves sorting.
  for (const line of lines.toSorted((a, b) => (a.filing.accession_number < b.filing.accession_number ? -1 : 1))) {
    if (own.has(line.filing.accession_number)) continue;
    for (const row of plannedRows(run, window, line)) writer.append('export_plans', row);
    numbers.push(line.filing.accession_number);
  }
  if (numbers.length === 0 || !(await lake.mayHold('export_plans', 'accession_number', numbers))) return;
  const values = numbers.map((number) => [run.definition.name, number]);
  mergeReplacements(replace, [{ table: 'export_plans', columns: ['export', 'accession_number'], values }]);
}

async function plannedBy(lake: Lake, run_id: string, lines: readonly WorkLine[]): Promise<Set<string>> {
  const numbers = lines.map(({ filing }) => filing.accession_number);
  if (numbers.length === 0) return new Set();
  const rows = await lake.query(
    `SELECT DISTINCT accession_number FROM export_plans
     WHERE run_id = ${quoteText(run_id)} AND pass <> 'entities' AND accession_number IN ${among(numbers)}`,
    { tables: ['export_plans'] },
  );
  return new Set(rows.map(({ accession_number }) => String(accession_number)));
}

/** A document's id without its accession number. */
function endOf(accession_number: string, { step }: Step): string {
  const id = step.slice('document:'.length);
  return id.startsWith(`${accession_number}-`) ? id.slice(accession_number.length + 1) : `=${id}`;
}

/** The outcome of the planned steps of a run, as rows of `export_passes`. */
export async function passRows(lake: Lake, { run_id }: RunReference): Promise<Row[]> {
  if (!(await lake.mayHold('export_plans', 'run_id', [run_id]))) return [];
  const counts = { complete: 'complete', failed: 'failed', left: 'left_to_others', missing: 'missing' };
  return (await lake.query(
    `SELECT ${quoteText(run_id)} AS run_id, "window", pass, count(*)::DOUBLE AS expected, ${Object.entries(counts)
      .map(([verdict, name]) => `(count(*) FILTER (verdict = '${verdict}'))::DOUBLE AS ${name}`)
      .join(', ')}
     FROM (${plannedSteps(`p.run_id = ${quoteText(run_id)}`)}) GROUP BY ALL ORDER BY "window", pass`,
    { tables: PLAN_TABLES },
  )) as Row[];
}

/** The missing steps of a run that has recorded its end. */
export async function missingOfRun(lake: Lake, { run_id }: RunReference): Promise<MissingOfPass[]> {
  if (!(await lake.mayHold('export_passes', 'run_id', [run_id]))) return [];
  const rows = await lake.query(
    `SELECT pass, sum(missing)::DOUBLE AS n FROM export_passes WHERE run_id = ${quoteText(run_id)} AND missing > 0 GROUP BY pass`,
    { tables: ['export_passes'] },
  );
  const counts = new Map(rows.map(({ pass, n }) => [String(pass), Number(n)]));
  return ([...PASSES, 'forms', 'entities'] as const).flatMap((pass) =>
    counts.has(pass) ? [{ pass, count: counts.get(pass)! }] : [],
  );
}

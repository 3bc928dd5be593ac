/** Failures that the lake records for an export: which of them are known, resolved by a lookup or of this run; and their deletion. */
import { quoteText } from '../../../core/index.ts';
import type { Lake, Replacement } from '../../../lake/index.ts';
import { FINAL_CODES } from '../../../lake/report/index.ts';
import { namesFrom } from '../../../lake/tables/index.ts';
import type { ExportDefinition } from '../../definition/index.ts';
import { isFetchedWhole } from '../../steps/index.ts';
import type { WorkLine } from '../coverage/coverage.ts';
import type { PlanWindowRequest, RunReference } from '../types.ts';
import type { FailureAbout } from './failure-log.ts';

type Reading = Pick<PlanWindowRequest, 'run' | 'window' | 'record'>;

export function deleteFailures(
  name: string,
  failures: readonly { step?: unknown; subject?: unknown }[],
): Replacement[] {
  if (failures.length === 0) return [];
  const values = failures.map(({ step, subject }) => [name, String(step), String(subject)]);
  return [{ table: 'export_failures', columns: ['export', 'step', 'subject'], values }];
}

export function entityFailure(name: string, cik: string): FailureAbout {
  return { export: name, step: 'entity', subject: cik, accession_number: null, document_id: null, cik };
}

export function replaceEntity(cik: string): Replacement[] {
  return namesFrom('entity').map((table) => ({ table, columns: ['cik'], values: [[cik]] }));
}

/*
 * A failure is reported if a completed run has counted it; the row then has the run's id. So neither clocks nor the order of runs
 * matter. Failures of a cancelled or failed run are new to the next run.
 */

/** SQL: whether a row of export_failures has a final code, and another run reported it. */
export function isKnown(runId: string): string {
  const codes = FINAL_CODES.map((code) => `'${code}'`).join(', ');
  return `(code IN (${codes}) AND first_reported_by <> ${quoteText(runId)})`;
}

/** Subjects of records that broke the contract. Empty for a plan that is made again: it has no new reading. */
export async function failedBefore(
  lake: Lake,
  { run, record }: Reading,
  step: 'filing' | 'hit' | 'entity',
): Promise<string[]> {
  const { name } = run.definition;
  // Most exports have no earlier failures.
  if (record === null || !(await lake.mayHold('export_failures', 'export', [name]))) return [];
  const rows = await lake.query(
    `SELECT DISTINCT subject FROM export_failures WHERE export = ${quoteText(name)} AND step = '${step}'`,
    { tables: ['export_failures'] },
  );
  return rows.map(({ subject }) => String(subject));
}

/**
 * Deletes failures of lookup records that broke the contract in an earlier run and are valid in the window now. A fault that remains is
 * written again with the plan.
 * @param step the step under which failures of the lookup's records are stored
 * @param isRight whether the window has the record, without a fault
 */
export function mendedAmong(
  subjects: readonly string[],
  { run, window }: Reading,
  step: 'filing' | 'hit' | 'entity',
  isRight: (subject: string) => boolean,
): Replacement[] {
  const mended = subjects.filter((subject) => isOfWindow(subject, window) || isRight(subject));
  return deleteFailures(
    run.definition.name,
    mended.map((subject) => ({ step, subject })),
  );
}

/** The subject of records without a key. */
export function unidentifiedOf(window: string): string {
  return `window ${window}`;
}

/** If the window was split differently before, its failures have the names of other parts, or of the whole. */
function isOfWindow(subject: string, window: string): boolean {
  if (!subject.startsWith(unidentifiedOf(''))) return false;
  const other = subject.slice(unidentifiedOf('').length);
  return other === window || other.startsWith(`${window}-`) || window.startsWith(`${other}-`);
}

/**
 * Steps that failed in this run already. A plan that is made again after a stop leaves them to the next run. Otherwise each plan
 * would begin with the failures, and a small quota would be spent on them.
 */
export class FailuresThisRun {
  readonly ciks: ReadonlySet<string>;
  readonly #definition: ExportDefinition;
  readonly #steps: ReadonlyMap<string, ReadonlySet<string>>;

  private constructor(definition: ExportDefinition, steps: Map<string, Set<string>>, ciks: Set<string>) {
    this.#definition = definition;
    this.#steps = steps;
    this.ciks = ciks;
  }

  /** @param plan number of the plan that is made: before the first, nothing was fetched */
  static async of(
    lake: Lake,
    { definition, run_id, started_at }: RunReference,
    plan: number,
  ): Promise<FailuresThisRun> {
    const steps = new Map<string, Set<string>>();
    const ciks = new Set<string>();
    const rows =
      plan === 1 || started_at === undefined
        ? []
        : await lake.query(
            `SELECT step, subject, accession_number FROM export_failures
             WHERE export = ${quoteText(definition.name)} AND step NOT IN ('filing', 'hit')
             AND run_id = ${quoteText(run_id)}`,
          );
    for (const { step, subject, accession_number } of rows) {
      if (step === 'entity') ciks.add(String(subject));
      if (accession_number === null) continue;
      const number = String(accession_number);
      steps.set(number, (steps.get(number) ?? new Set()).add(String(step)));
    }
    return new FailuresThisRun(definition, steps, ciks);
  }

  /** The rest of a line without these steps; null if nothing is left. */
  leftOf(line: WorkLine): WorkLine | null {
    const failed = this.#steps.get(line.filing.accession_number);
    if (!failed) return line;
    if (isFetchedWhole(this.#definition, line)) return null;
    const steps = line.steps.filter(({ step }) => !failed.has(step));
    return steps.length > 0 ? { ...line, steps } : null;
  }
}

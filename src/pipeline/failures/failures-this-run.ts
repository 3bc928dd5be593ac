/**
 * Steps that failed in this run already. A plan that is made again after a stop leaves them to the next run. Otherwise each plan
 * would begin with the failures, and a small quota would be spent on them.
 * @param plan number of the plan that is made: before the first, nothing was fetched
 */
import { type ExportDefinition, isFetchedWhole } from '../../export/index.ts';
import type { Lake } from '../../lake/index.ts';
import type { WorkLine } from '../plan/coverage.ts';
import { sqlText } from '../sql-values.ts';
import type { RunReference } from '../types.ts';

export class FailuresThisRun {
  readonly ciks: ReadonlySet<string>;
  readonly #definition: ExportDefinition;
  readonly #steps: ReadonlyMap<string, ReadonlySet<string>>;

  private constructor(definition: ExportDefinition, steps: Map<string, Set<string>>, ciks: Set<string>) {
    this.#definition = definition;
    this.#steps = steps;
    this.ciks = ciks;
  }

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
             WHERE export = ${sqlText(definition.name)} AND step NOT IN ('filing', 'hit')
             AND run_id = ${sqlText(run_id)}`,
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

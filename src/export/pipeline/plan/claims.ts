/**
 * Claims: the steps that a run has planned belong to it until they are done or it ends. Other runs leave these filings alone, and
 * look again before they end.
 */
import type { Lake, Replacement } from '../../../lake/index.ts';
import { PLAN_TABLES, plannedSteps } from '../../../lake/report/index.ts';
import { sentOfRun } from '../sent-by-runs.ts';
import { among, sqlText } from '../sql-values.ts';
import type { PlanWindowRequest } from '../types.ts';

export class Claims {
  /** Runs by filing. */
  readonly #owners = new Map<string, string[]>();
  readonly #expired: ReadonlySet<string>;

  private constructor(expired: readonly string[]) {
    this.#expired = new Set(expired);
  }

  /** The claims of other runs on these filings. A single run costs one listing of a folder. */
  static async of(
    lake: Lake,
    { run, expired = [] }: Pick<PlanWindowRequest, 'run' | 'expired'>,
    accessionNumbers: readonly string[],
  ): Promise<Claims> {
    const claims = new Claims(expired);
    // A run has staged files from its start to its end.
    const others = (await lake.stagedRuns()).filter((run_id) => run_id !== run.run_id);
    if (others.length === 0 || accessionNumbers.length === 0) return claims;
    if (!(await lake.mayHold('export_plans', 'run_id', others))) return claims;
    const isTheirs = `p.run_id IN (${others.map(sqlText).join(', ')}) AND p.run_id NOT IN (SELECT run_id FROM export_runs)
      AND p.pass <> 'entities' AND p.accession_number IN ${among(accessionNumbers)}`;
    // A step that an earlier run covered may be planned with a wider choice. A later run covers it only after the claim has passed to
    // it. Ids of runs begin with their time.
    const rows = await lake.query(
      `SELECT DISTINCT accession_number, run_id FROM (${plannedSteps(isTheirs)})
       WHERE coalesce(covered_by < run_id, true) AND failed_by IS DISTINCT FROM run_id`,
      { tables: [...PLAN_TABLES, 'export_runs'] },
    );
    for (const { accession_number, run_id } of rows) {
      const owners = claims.#owners.get(String(accession_number)) ?? [];
      claims.#owners.set(String(accession_number), [...owners, String(run_id)]);
    }
    return claims;
  }

  /** The run that fetches the filing; null: no run has a claim that counts. */
  ownerOf(accessionNumber: string): string | null {
    return this.#owners.get(accessionNumber)?.find((run_id) => !this.#expired.has(run_id)) ?? null;
  }

  /** Deletes the expired claims on filings that this run claims now. */
  passedOn(accessionNumbers: readonly string[]): Replacement[] {
    const values = accessionNumbers.flatMap((number) =>
      (this.#owners.get(number) ?? []).map((run_id) => [number, run_id]),
    );
    return values.length === 0 ? [] : [{ table: 'export_plans', columns: ['accession_number', 'run_id'], values }];
  }
}

/** Filings of a window that other runs fetch, by run. */
export class ClaimedByOthers {
  readonly #filings = new Map<string, number>();

  add(run_id: string): void {
    this.#filings.set(run_id, (this.#filings.get(run_id) ?? 0) + 1);
  }

  get staged(): { claimed_by?: Record<string, number> } {
    return this.#filings.size === 0 ? {} : { claimed_by: Object.fromEntries(this.#filings) };
  }
}

/** A text that changes while a run sends requests. It is only compared with its earlier value, so that clocks don't matter. */
export async function signOf(lake: Lake, run_id: string): Promise<string> {
  const { requests, bytes } = await sentOfRun(lake, run_id);
  return `${requests} ${bytes}`;
}

/** Entities that a run plans to request, stored as rows: the end of the run and `lake check` compare them. */
import { quoteText } from '../../../core/index.ts';
import { type Filing, parseCik } from '../../../filings/api/index.ts';
import type { Lake, Replacement, SegmentWriter } from '../../../lake/index.ts';
import { isRefreshed } from '../../steps/index.ts';
import { dayOfRun } from '../coverage/coverage.ts';
import { mergeReplacements } from '../staging/segment-sink.ts';
import type { PlanWindowRequest, RunReference } from '../types.ts';
import { type CompanyOfFilings, pendingCompanies, takeFiling } from './pending-companies.ts';
import { isMadeAgain } from './planned-steps.ts';

/** Rows of a window's first plan. A plan that is made again adds none. */
export class PlannedEntities {
  readonly #request: PlanWindowRequest;
  readonly #isWanted: boolean;
  readonly #today: string;
  readonly #companies = new Map<string, CompanyOfFilings>();
  /** The first filing of each CIK. */
  readonly #filingOf = new Map<string, string>();
  /** Filings whose CIK only filing_info will state. */
  readonly #unlisted: string[] = [];

  constructor(request: PlanWindowRequest) {
    const { tables, select } = request.run.definition;
    this.#request = request;
    this.#isWanted = tables.includes('entities') && select.entities !== 'query' && !isMadeAgain(request);
    this.#today = dayOfRun(request.run);
  }

  /** @param filing from the lookup or the lake; undefined if only the accession number is known */
  add(accessionNumber: string, filing: Filing | undefined): void {
    if (!this.#isWanted) return;
    if (filing === undefined) return void this.#unlisted.push(accessionNumber);
    const { definition } = this.#request.run;
    const cik = takeFiling(this.#companies, filing, { isRefreshed: isRefreshed(definition, filing, this.#today) });
    if (cik !== null && !this.#filingOf.has(cik)) this.#filingOf.set(cik, accessionNumber);
  }

  /** The lookup states another name for a filing than the lake, whatever its age. */
  rename(filing: Filing): void {
    if (this.#isWanted) takeFiling(this.#companies, filing, { isRenamed: true });
  }

  /** Rows of `export_plans`: one for each CIK that is requested, and for each filing whose CIK is unknown. */
  async record(lake: Lake, writer: SegmentWriter, replace: Replacement[]): Promise<void> {
    const pending = await pendingCompanies(lake, this.#companies, this.#request.run);
    const planned = [
      ...pending.map(({ cik, before }) => ({
        accession_number: this.#filingOf.get(cik)!,
        steps: cik,
        revision: before ?? '',
      })),
      ...this.#unlisted.map((accession_number) => ({ accession_number, steps: '', revision: '' })),
    ];
    const { run, window } = this.#request;
    const { name } = run.definition;
    const pass = 'entities';
    for (const row of planned)
      writer.append('export_plans', { export: name, ...row, pass, run_id: run.run_id, window });
    const numbers = planned.map(({ accession_number }) => accession_number);
    if (numbers.length === 0 || !(await lake.mayHold('export_plans', 'accession_number', numbers))) return;
    const values = numbers.map((number) => [name, number, pass]);
    mergeReplacements(replace, [{ table: 'export_plans', columns: ['export', 'accession_number', 'pass'], values }]);
  }
}

/** CIKs that this run has planned, in whatever window. */
export async function plannedCiks(lake: Lake, { run_id }: Pick<RunReference, 'run_id'>): Promise<string[]> {
  if (!(await lake.mayHold('export_plans', 'run_id', [run_id]))) return [];
  const rows = await lake.query(
    `SELECT DISTINCT steps FROM export_plans WHERE run_id = ${quoteText(run_id)} AND pass = 'entities' AND steps <> ''`,
    { tables: ['export_plans'] },
  );
  return rows.flatMap(({ steps }) => parseCik(String(steps)) ?? []);
}

/**
 * Entities that a run plans to request by the CIKs of its filings, stored as rows. The end of the run and `lake check` compare them
 * with the lake.
 */
import { parseCik } from '../../api/index.ts';
import { ENTITY_DAYS } from '../../export/index.ts';
import type { Lake, Replacement, SegmentWriter } from '../../lake/index.ts';
import { mergeReplacements } from '../fetch/segment-sink.ts';
import { among } from '../sql-values.ts';
import type { PlanWindowRequest, RunReference } from '../types.ts';
import { isMadeAgain } from './window-record.ts';

/** Rows of a window's first plan. A plan that is made again adds none. */
export class PlannedEntities {
  readonly #request: PlanWindowRequest;
  readonly #isWanted: boolean;
  /** The first filing of each CIK. */
  readonly #filingOf = new Map<string, string>();
  /** Filings whose CIK only filing_info will state. */
  readonly #unlisted: string[] = [];

  constructor(request: PlanWindowRequest) {
    const { tables, select } = request.run.definition;
    this.#request = request;
    this.#isWanted = tables.includes('entities') && select.entities !== 'query' && !isMadeAgain(request);
  }

  /** @param cik from the lookup or the lake; undefined if only the accession number is known */
  add(accessionNumber: string, cik: string | null | undefined): void {
    if (!this.#isWanted) return;
    if (cik === undefined) this.#unlisted.push(accessionNumber);
    const known = parseCik(cik ?? '');
    if (known !== null && !this.#filingOf.has(known)) this.#filingOf.set(known, accessionNumber);
  }

  /** Rows of `export_plans`: one for each CIK that is requested, and for each filing whose CIK is unknown. */
  async record(lake: Lake, writer: SegmentWriter, replace: Replacement[]): Promise<void> {
    const unknown = await pendingCiks(lake, new Set(this.#filingOf.keys()), this.#request.run);
    const planned = [
      ...unknown.map((cik) => ({ accession_number: this.#filingOf.get(cik)!, steps: cik })),
      ...this.#unlisted.map((accession_number) => ({ accession_number, steps: '' })),
    ];
    const { run, window } = this.#request;
    const { name } = run.definition;
    const pass = 'entities';
    for (const row of planned)
      writer.append('export_plans', { export: name, ...row, pass, revision: '', run_id: run.run_id, window });
    const numbers = planned.map(({ accession_number }) => accession_number);
    if (numbers.length === 0 || !(await lake.mayHold('export_plans', 'accession_number', numbers))) return;
    const values = numbers.map((number) => [name, number, pass]);
    mergeReplacements(replace, [{ table: 'export_plans', columns: ['export', 'accession_number', 'pass'], values }]);
  }
}

const DAY_MS = 86_400_000;

/**
 * CIKs whose entities a run requests, in numeric order: the lake has no row, or an older one than `entities.refresh`.
 * @param started_at of the run, ISO: rows that it has fetched itself are never older
 */
export async function pendingCiks(
  lake: Lake,
  ciks: ReadonlySet<string>,
  { definition, started_at }: Pick<RunReference, 'definition' | 'started_at'>,
): Promise<string[]> {
  if (ciks.size === 0) return [];
  const { refresh_days } = definition.entities ?? { refresh_days: ENTITY_DAYS };
  const list = [...ciks].map((cik) => `'${cik}'`).join(', ');
  const startedAt = started_at === undefined ? Date.now() : Date.parse(started_at);
  const isYoung =
    refresh_days === null
      ? 'true'
      : `fetched_at >= '${new Date(startedAt - refresh_days * DAY_MS).toISOString()}'::TIMESTAMPTZ`;
  const rows = await lake.query(
    `SELECT c AS cik FROM (SELECT unnest([${list}]::VARCHAR[]) AS c)
     WHERE c NOT IN (SELECT cik FROM entities WHERE ${isYoung}) ORDER BY c::BIGINT`,
    { tables: ['entities'] },
  );
  return rows.map((row) => String(row.cik));
}

/** Those of the CIKs that have a row. */
export async function ciksWithRow(lake: Lake, ciks: readonly string[]): Promise<ReadonlySet<string>> {
  if (ciks.length === 0) return new Set();
  const rows = await lake.query(`SELECT cik FROM entities WHERE cik IN ${among(ciks)}`, { tables: ['entities'] });
  return new Set(rows.map(({ cik }) => String(cik)));
}

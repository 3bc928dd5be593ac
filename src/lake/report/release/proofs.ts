/** What a version says of its own completeness: windows, EDGAR's days, steps, failures, values in doubt; all by number. */
import { quoteText } from '../../../core/index.ts';
import type { Lake } from '../../lake.ts';
import { FINAL_CODES } from '../known-failures.ts';

/** An export with one of its definitions, and the newest run with it. */
export interface ReleasedExport {
  readonly export: string;
  /** When the first run with this definition started: its relative dates count from there. */
  readonly first_started_at: string | null;
  readonly run_id: string;
  /** As in `export_runs`; `completed`: the run found and fetched everything, or recorded why not. */
  readonly state: string | null;
  readonly service: string | null;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  /** Without a key. Null: the run did not record it. */
  readonly definition: unknown;
}

export interface Proofs {
  readonly filings: {
    readonly rows: number;
    readonly removed: number;
    readonly first: string | null;
    readonly last: string | null;
  };
  /** Windows of the newest completed run of each export: each found as many as the service counted, or not. */
  readonly windows: {
    readonly proven: number;
    readonly unproven: number;
    readonly expected: number;
    readonly found: number;
  };
  /** Days of publication by service: proven if everything that EDGAR's index names was in its catalog. */
  readonly edgar_days: readonly {
    readonly service: string;
    readonly days: number;
    readonly proven: number;
    readonly first: string | null;
    readonly last: string | null;
    readonly missing: number;
  }[];
  /** Steps of filings by their state. */
  readonly steps: Readonly<Record<string, number>>;
  /** Steps of filings that the lake lacks, and that no recorded failure explains: a repair marks them so. */
  readonly unfetched: readonly { readonly step: string; readonly steps: number }[];
  /** Requests that failed, by code. `known`: reported by a completed run, in the service's own data. */
  readonly failures: readonly { readonly code: string; readonly rows: number; readonly known: number }[];
  /** Values of forms that do not fit their columns, or documents that can't be read, by reason. */
  readonly doubts: Readonly<Record<string, number>>;
}

export async function proofsOf(lake: Lake, at: number): Promise<{ exports: ReleasedExport[]; proofs: Proofs }> {
  const { tables } = await lake.snapshot(at);
  const rows = async (table: string, sql: string): Promise<Record<string, unknown>[]> =>
    tables.has(table) && lake.tables.has(table) ? lake.query(sql, { at }) : [];
  const newest = (where: string) =>
    `(SELECT * FROM export_runs WHERE ${where} QUALIFY row_number() OVER (PARTITION BY export ORDER BY started_at DESC, run_id DESC) = 1)`;
  const exports = await rows(
    'export_runs',
    `SELECT *, min(started_at) OVER (PARTITION BY export, definition) AS first_started_at FROM export_runs
     QUALIFY row_number() OVER (PARTITION BY export, definition ORDER BY started_at DESC, run_id DESC) = 1 ORDER BY first_started_at, export`,
  );
  const [filings] = await rows(
    'filings',
    `SELECT count(*) AS n, count(removed_at) AS removed, min(filing_date)::VARCHAR AS first, max(filing_date)::VARCHAR AS last FROM filings`,
  );
  const [windows] = await rows(
    'export_windows',
    `SELECT count(*) FILTER (proven) AS proven, count(*) FILTER (proven IS NOT TRUE) AS unproven, coalesce(sum(expected), 0)::BIGINT AS expected,
       coalesce(sum(found), 0)::BIGINT AS found FROM export_windows SEMI JOIN ${newest("state = 'completed'")} USING (run_id)`,
  );
  const days = await rows(
    'edgar_days',
    `SELECT service, count(*) AS days, count(proven_at) AS proven, min(day)::VARCHAR AS first, max(day)::VARCHAR AS last,
       coalesce(sum(missing), 0)::BIGINT AS missing FROM edgar_days GROUP BY service ORDER BY service`,
  );
  const steps = await rows('coverage', 'SELECT status AS name, count(*) AS n FROM coverage GROUP BY 1 ORDER BY 1');
  const explained = tables.has('export_failures')
    ? ` AND NOT EXISTS (FROM export_failures f WHERE starts_with(f.step, split_part(c.step, ':', 1))
       AND f.subject = CASE WHEN c.step LIKE 'document:%' THEN substr(c.step, 10) ELSE c.accession_number END)`
    : '';
  const unfetched = await rows(
    'coverage',
    `SELECT split_part(c.step, ':', 1) AS step, count(*) AS n FROM coverage c WHERE c.status NOT IN ('done', 'absent')${explained}
     GROUP BY 1 ORDER BY 1`,
  );
  const failures = await rows(
    'export_failures',
    `SELECT code, count(*) AS n, count(*) FILTER (first_reported_by IS NOT NULL AND code IN (${FINAL_CODES.map(quoteText).join(', ')})) AS known
     FROM export_failures GROUP BY 1 ORDER BY 1`,
  );
  const doubts = await rows(
    'form_problems',
    'SELECT reason AS name, count(*) AS n FROM form_problems GROUP BY 1 ORDER BY 1',
  );
  return {
    exports: exports.map((run) => ({
      export: String(run.export),
      run_id: String(run.run_id),
      state: text(run.state),
      service: text(run.service),
      first_started_at: text(run.first_started_at),
      started_at: text(run.started_at),
      ended_at: text(run.ended_at),
      definition: run.definition === null ? null : parsed(String(run.definition)),
    })),
    proofs: {
      filings: {
        rows: Number(filings?.n ?? 0),
        removed: Number(filings?.removed ?? 0),
        first: text(filings?.first),
        last: text(filings?.last),
      },
      windows: {
        proven: Number(windows?.proven ?? 0),
        unproven: Number(windows?.unproven ?? 0),
        expected: Number(windows?.expected ?? 0),
        found: Number(windows?.found ?? 0),
      },
      edgar_days: days.map((one) => ({
        service: String(one.service),
        days: Number(one.days),
        proven: Number(one.proven),
        first: text(one.first),
        last: text(one.last),
        missing: Number(one.missing),
      })),
      steps: byName(steps),
      unfetched: unfetched.map(({ step, n }) => ({ step: String(step), steps: Number(n) })),
      failures: failures.map(({ code, n, known }) => ({ code: String(code), rows: Number(n), known: Number(known) })),
      doubts: byName(doubts),
    },
  };
}

const text = (value: unknown): string | null => (value === null || value === undefined ? null : String(value));

function byName(rows: readonly Record<string, unknown>[]): Record<string, number> {
  return Object.fromEntries(rows.map(({ name, n }) => [String(name), Number(n)]));
}

function parsed(definition: string): unknown {
  try {
    return JSON.parse(definition);
  } catch {
    return definition;
  }
}

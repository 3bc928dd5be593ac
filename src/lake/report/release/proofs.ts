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
  const rows = async <Row = { name: string; n: number }>(table: string, sql: string): Promise<Row[]> =>
    tables.has(table) && lake.tables.has(table) ? ((await lake.query(sql, { at })) as Row[]) : [];
  const newest = (where: string) =>
    `(SELECT * FROM export_runs WHERE ${where} QUALIFY row_number() OVER (PARTITION BY export ORDER BY started_at DESC, run_id DESC) = 1)`;
  const exports = await rows<ReleasedExport>(
    'export_runs',
    `SELECT export, run_id, state, service, min(started_at) OVER (PARTITION BY export, definition) AS first_started_at, started_at, ended_at, definition FROM export_runs
     QUALIFY row_number() OVER (PARTITION BY export, definition ORDER BY started_at DESC, run_id DESC) = 1 ORDER BY first_started_at, export`,
  );
  const [filings = { rows: 0, removed: 0, first: null, last: null }] = await rows<Proofs['filings']>(
    'filings',
    `SELECT count(*) AS rows, count(removed_at) AS removed, min(filing_date)::VARCHAR AS first, max(filing_date)::VARCHAR AS last FROM filings`,
  );
  const [windows = { proven: 0, unproven: 0, expected: 0, found: 0 }] = await rows<Proofs['windows']>(
    'export_windows',
    `SELECT count(*) FILTER (proven) AS proven, count(*) FILTER (proven IS NOT TRUE) AS unproven, coalesce(sum(expected), 0)::BIGINT AS expected,
       coalesce(sum(found), 0)::BIGINT AS found FROM export_windows SEMI JOIN ${newest("state = 'completed'")} USING (run_id)`,
  );
  const edgar_days = await rows<Proofs['edgar_days'][number]>(
    'edgar_days',
    `SELECT service, count(*) AS days, count(proven_at) AS proven, min(day)::VARCHAR AS first, max(day)::VARCHAR AS last,
       coalesce(sum(missing), 0)::BIGINT AS missing FROM edgar_days GROUP BY service ORDER BY service`,
  );
  const steps = await rows('coverage', 'SELECT status AS name, count(*) AS n FROM coverage GROUP BY 1 ORDER BY 1');
  const explained = tables.has('export_failures')
    ? ` AND NOT EXISTS (FROM export_failures f WHERE starts_with(f.step, split_part(c.step, ':', 1))
       AND f.subject = CASE WHEN c.step LIKE 'document:%' THEN substr(c.step, 10) ELSE c.accession_number END)`
    : '';
  const unfetched = await rows<Proofs['unfetched'][number]>(
    'coverage',
    `SELECT split_part(c.step, ':', 1) AS step, count(*) AS steps FROM coverage c WHERE c.status NOT IN ('done', 'absent')${explained}
     GROUP BY 1 ORDER BY 1`,
  );
  const failures = await rows<Proofs['failures'][number]>(
    'export_failures',
    `SELECT code, count(*) AS rows, count(*) FILTER (first_reported_by IS NOT NULL AND code IN (${FINAL_CODES.map(quoteText).join(', ')})) AS known
     FROM export_failures GROUP BY 1 ORDER BY 1`,
  );
  const doubts = await rows(
    'form_problems',
    'SELECT reason AS name, count(*) AS n FROM form_problems GROUP BY 1 ORDER BY 1',
  );
  return {
    exports: exports.map((run) => ({ ...run, definition: parsed(run.definition) })),
    proofs: { filings, windows, edgar_days, steps: byName(steps), unfetched, failures, doubts: byName(doubts) },
  };
}

function byName(rows: readonly { name: string; n: number }[]): Record<string, number> {
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]));
}

/** @param definition JSON, or null */
function parsed(definition: unknown): unknown {
  try {
    return JSON.parse(String(definition));
  } catch {
    return definition;
  }
}

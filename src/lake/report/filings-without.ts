/**
 * How many filings of a lake have rows of what their exports want of their documents, and why the others have none: by coverage and,
 * of what is not fetched yet, by the plans of runs. All commands say it in the same sentences.
 */
import { counted } from '../../core/index.ts';
import { VIEWS } from '../views/views.ts';

const WRITTEN_BY_RUNS: readonly string[] = ['coverage', 'filings', 'export_plans'];
export const COUNTED_TABLES: readonly string[] = [...WRITTEN_BY_RUNS, 'export_runs', 'export_failures'];

/** @param tables that the lake has written: that of failures only if there were any, that of runs once one has ended */
export function mayCount(tables: Pick<ReadonlyMap<string, unknown>, 'has'>): boolean {
  return WRITTEN_BY_RUNS.every((name) => tables.has(name));
}

/** Filings of one kind of form, and one kind of rows. */
export interface FilingsWithout {
  /** `annual report`, `quarterly report`, `8-K filing`, `other filing` */
  readonly filings: string;
  /** `statements`, `XBRL facts`, `tables of their form`, `sections` */
  readonly rows: string;
  readonly with: number;
  readonly without: readonly { readonly reason: string; readonly count: number }[];
}

/** As SQL and Python read it: the audit of a lake and a report have tables, and no views. */
export const WANTED_ROWS = VIEWS.find(({ name }) => name === 'wanted_rows')!.sql;

/** @param ask answers SQL over COUNTED_TABLES @param condition on a row `f` of filings */
export async function filingsWithout(
  ask: (sql: string) => Promise<readonly Record<string, unknown>[]>,
  condition = 'true',
): Promise<FilingsWithout[]> {
  const rows = await ask(
    `WITH wanted AS (${WANTED_ROWS})
     SELECT w.filings, w.rows, coalesce(w.reason, '') AS reason, count(*)::DOUBLE AS n
     FROM wanted w JOIN filings f USING (accession_number) WHERE ${condition} GROUP BY ALL ORDER BY 1, 2, n DESC, reason`,
  );
  const groups = Map.groupBy(rows, (row) => `${row.filings} ${row.rows}`);
  return [...groups.values()].map((of) => ({
    filings: String(of[0]!.filings),
    rows: String(of[0]!.rows),
    with: of.reduce((sum, { reason, n }) => sum + (reason === '' ? Number(n) : 0), 0),
    without: of.flatMap(({ reason, n }) => (reason === '' ? [] : [{ reason: String(reason), count: Number(n) }])),
  }));
}

/** A sentence for each group that lacks rows of some filings: `113 annual reports: 6 with statements, 107 without (…)`. */
export function sentencesOfWithout(groups: readonly FilingsWithout[]): string[] {
  return groups.flatMap(({ filings, rows, with: having, without }) => {
    const lacking = without.reduce((sum, { count }) => sum + count, 0);
    if (lacking === 0) return [];
    const why = without.map(({ reason, count }) =>
      without.length === 1 ? reasonText(reason, rows) : `${count.toLocaleString('en-US')}: ${reasonText(reason, rows)}`,
    );
    return [
      `${counted(having + lacking, filings)}: ${having.toLocaleString('en-US')} with ${rows}, ${lacking.toLocaleString('en-US')} without (${why.join('; ')})`,
    ];
  });
}

/** @param rows as in FilingsWithout */
function reasonText(reason: string, rows: string): string {
  const isXbrl = rows === 'statements' || rows === 'XBRL facts';
  switch (reason) {
    case 'no_such_document':
      return isXbrl ? 'no XBRL in their documents' : 'no such document';
    case 'has_none':
      return isXbrl ? 'the documents that may have XBRL were read, and state no facts' : 'none in what the service has';
    case 'unreadable_document':
      return 'a document could not be read: table export_failures';
    case 'request_failed':
      return 'the request failed: filinglake retry';
    default:
      return 'not yet fetched: export again';
  }
}

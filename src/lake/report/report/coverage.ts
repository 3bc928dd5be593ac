/** Forms by months: the number of filings, and how many of them have all that exports planned to fetch. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteText } from '../../../core/index.ts';
import { rowsOf } from '../../engine/duckdb.ts';
import type { HeldWindows } from '../check-windows.ts';
import { plannedSteps } from '../expected-steps.ts';
export interface CoverageCell {
  filings: number;
  /** Filings whose planned steps are all done, or known to be absent, in the filing's own revision. */
  whole: number;
  /** Filings with a step that failed. */
  failed: number;
}

export interface CoverageFigures {
  unit: 'month' | 'year';
  /** `2024-01` or `2024`, without gaps; filings without a date are in no column, but in the sums. */
  columns: string[];
  /** The most frequent forms, most first; then `other` for the rest, if any. */
  forms: { form: string; other: boolean; sum: CoverageCell; cells: (CoverageCell | null)[] }[];
  sum: CoverageCell;
  /** Columns of windows that were not proven complete: there may be undiscovered filings. */
  unproven: boolean[];
}

const FORMS_MAX = 20;
const MONTHS_MAX = 36;
const OTHER = 'other';

export async function coverageFigures(
  connection: DuckDBConnection,
  unprovenDays: HeldWindows['unprovenDays'],
): Promise<CoverageFigures> {
  const forms = (
    await rowsOf(
      connection,
      `SELECT coalesce(form_type, '') AS form, count(*) AS n FROM filings GROUP BY 1 ORDER BY n DESC, form`,
    )
  ).map(({ form }) => String(form));
  const shown = forms.length > FORMS_MAX + 1 ? forms.slice(0, FORMS_MAX) : forms;
  const unit = await unitOf(connection);
  const rows = await rowsOf(
    connection,
    `WITH listed AS (SELECT accession_number, revision FROM coverage WHERE step = 'filing'), steps AS (
       SELECT accession_number, bool_or(status = 'failed') AS failed, bool_or(step = 'filing') AS filing,
         coalesce(bool_or(step <> 'filing' AND status <> 'failed' AND c.revision <> listed.revision), false) AS older
       FROM coverage c LEFT JOIN listed USING (accession_number) GROUP BY 1),
     lacking AS (SELECT DISTINCT accession_number FROM (${plannedSteps(`p.pass <> 'entities'`)}) WHERE verdict <> 'complete')
     SELECT coalesce(f.form_type, '') AS form, strftime(f.filing_date, ${quoteText(unit === 'month' ? '%Y-%m' : '%Y')}) AS at,
       count(*) AS filings, count(*) FILTER (s.failed) AS failed,
       count(*) FILTER (s.filing AND NOT s.failed AND NOT s.older AND l.accession_number IS NULL) AS whole
     FROM filings f LEFT JOIN steps s USING (accession_number) LEFT JOIN lacking l USING (accession_number)
     GROUP BY ALL`,
  );
  const columns = columnsOf(
    rows
      .map(({ at }) => at)
      .filter((at) => at !== null)
      .map(String),
    unit,
  );
  const place = new Map(columns.map((column, i) => [column, i]));
  const byForm = new Map<string, CoverageFigures['forms'][number]>();
  const sum = emptyCell();
  for (const name of [...shown, ...(shown.length < forms.length ? [OTHER_KEY] : [])]) {
    const other = name === OTHER_KEY;
    byForm.set(name, { form: other ? OTHER : name, other, sum: emptyCell(), cells: columns.map(() => null) });
  }
  for (const row of rows) {
    const cell = { filings: Number(row.filings), whole: Number(row.whole), failed: Number(row.failed) };
    const form = byForm.get(String(row.form)) ?? byForm.get(OTHER_KEY)!;
    const at = row.at === null ? undefined : place.get(String(row.at));
    if (at !== undefined) {
      form.cells[at] ??= emptyCell();
      addTo(form.cells[at], cell);
    }
    addTo(form.sum, cell);
    addTo(sum, cell);
  }
  return {
    unit,
    columns,
    forms: [...byForm.values()],
    sum,
    unproven: columns.map((column) =>
      unprovenDays.some(
        ({ from, to }) =>
          (from ?? '').slice(0, column.length) <= column && column <= (to ?? '9999-12').slice(0, column.length),
      ),
    ),
  };
}

/** No form has this name. */
const OTHER_KEY = '\u0000other';

function emptyCell(): CoverageCell {
  return { filings: 0, whole: 0, failed: 0 };
}

function addTo(sum: CoverageCell, cell: CoverageCell): void {
  sum.filings += cell.filings;
  sum.whole += cell.whole;
  sum.failed += cell.failed;
}

async function unitOf(connection: DuckDBConnection): Promise<'month' | 'year'> {
  const [span] = await rowsOf(
    connection,
    `SELECT date_diff('month', min(filing_date), max(filing_date)) AS months FROM filings`,
  );
  return Number(span?.months ?? 0) < MONTHS_MAX ? 'month' : 'year';
}

/** From the first to the last, including those without filings. */
function columnsOf(present: readonly string[], unit: 'month' | 'year'): string[] {
  if (present.length === 0) return [];
  const sorted = [...present].sort();
  const [first, last] = [sorted[0]!, sorted.at(-1)!];
  const columns = [first];
  while (columns.at(-1)! < last) {
    const [year, month = 0] = columns.at(-1)!.split('-').map(Number);
    if (unit === 'year') columns.push(String(year! + 1).padStart(4, '0'));
    else if (month === 12) columns.push(`${year! + 1}-01`);
    else columns.push(`${year}-${String(month + 1).padStart(2, '0')}`);
  }
  return columns;
}

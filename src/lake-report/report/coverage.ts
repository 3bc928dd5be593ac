/** Forms by months: the number of filings, and how many of them are complete for all exports. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteText, rowsOf } from '../../lake/index.ts';
import { tablesFrom } from '../../tables/index.ts';
import type { WindowsReport } from '../check-windows.ts';
export interface CoverageCell {
  filings: number;
  /** Of these, filings whose requested steps are all done, or known to be absent. */
  whole: number;
  /** Of these, filings with a step that failed. */
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
  /** The steps that exports need besides the lookup, and for which forms. Only those that all exports of the lake share. */
  asked: { info: boolean; sections: boolean; forms: boolean; documents: boolean };
}

const FORMS_MAX = 20;
const MONTHS_MAX = 36;
const OTHER = 'other';

/** The steps of one export for a filing, from its definition. */
interface Asked {
  tables: ReadonlySet<string>;
  sizes: boolean;
  everyDocument: boolean;
}

export async function coverageFigures(connection: DuckDBConnection, windows: WindowsReport): Promise<CoverageFigures> {
  const exports = await newestDefinitions(connection);
  const forms = (
    await rowsOf(
      connection,
      `SELECT coalesce(form_type, '') AS form, count(*) AS n FROM filings GROUP BY 1 ORDER BY n DESC, form`,
    )
  ).map(({ form }) => String(form));
  const shown = forms.length > FORMS_MAX + 1 ? forms.slice(0, FORMS_MAX) : forms;
  const unit = await unitOf(connection);
  await expectations(connection, exports, forms, new Set(shown));
  const rows = await rowsOf(
    connection,
    `WITH listed AS (SELECT accession_number, revision FROM coverage WHERE step = 'filing'), steps AS (
       SELECT accession_number, bool_or(status = 'failed') AS failed, bool_or(step = 'filing') AS filing, bool_or(step = 'info') AS info,
         bool_or(step = 'sections') AS sections, bool_or(step = 'forms') AS forms, bool_or(step LIKE 'document:%') AS documents
       FROM coverage c LEFT JOIN listed USING (accession_number)
       WHERE c.status = 'failed' OR c.revision IS NOT DISTINCT FROM coalesce(listed.revision, c.revision) GROUP BY 1)
     SELECT e.shown AS form, strftime(f.filing_date, ${quoteText(unit === 'month' ? '%Y-%m' : '%Y')}) AS at, count(*) AS filings,
       count(*) FILTER (s.filing AND NOT s.failed AND (s.info OR NOT e.info) AND (s.sections OR NOT e.sections)
         AND (s.forms OR NOT e.forms) AND (s.documents OR NOT e.documents)) AS whole,
       count(*) FILTER (s.failed) AS failed
     FROM filings f JOIN expected e ON e.form = coalesce(f.form_type, '') LEFT JOIN steps s USING (accession_number)
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
    const form = byForm.get(String(row.form))!;
    const at = row.at === null ? undefined : place.get(String(row.at));
    if (at !== undefined) form.cells[at] = cell;
    addTo(form.sum, cell);
    addTo(sum, cell);
  }
  return {
    unit,
    columns,
    forms: [...byForm.values()],
    sum,
    unproven: await unprovenColumns(connection, windows, columns),
    asked: askedByAll(exports),
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

/** The newest definition of each export of this lake. */
async function newestDefinitions(connection: DuckDBConnection): Promise<Asked[]> {
  const rows = await rowsOf(
    connection,
    `SELECT definition FROM export_runs QUALIFY row_number() OVER (PARTITION BY export ORDER BY started_at DESC, run_id DESC) = 1`,
  );
  return rows.flatMap(({ definition }) => {
    try {
      const { tables, documents } = JSON.parse(String(definition)) as {
        tables?: string[];
        documents?: { types?: string[]; sizes?: boolean };
      };
      const everyDocument = documents?.types?.some((type) => type === 'primary' || type === 'all') ?? true;
      return [{ tables: new Set(tables), sizes: documents?.sizes !== false, everyDocument }];
    } catch {
      return [];
    }
  });
}

/** Whether every export needs a step for filings of a form; null: of all forms. */
function isTakenByAll(
  exports: readonly Asked[],
  source: 'info' | 'sections' | 'forms' | 'document',
  form: string | null,
): boolean {
  const takes = ({ tables, sizes, everyDocument }: Asked) =>
    tablesFrom(source).some(({ name, sources, forms }) => {
      if (!tables.has(name) || (sources.includes('lookup') && !sizes)) return false;
      if (source === 'document' && !everyDocument) return false;
      return forms === undefined || (form === null ? source === 'sections' || source === 'forms' : forms.has(form));
    });
  return exports.length > 0 && exports.every(takes);
}

function askedByAll(exports: readonly Asked[]): CoverageFigures['asked'] {
  return {
    info: isTakenByAll(exports, 'info', null),
    sections: isTakenByAll(exports, 'sections', null),
    forms: isTakenByAll(exports, 'forms', null),
    documents: isTakenByAll(exports, 'document', null),
  };
}

/** A table of all forms: the name under which each is shown, and the steps that every export needs. */
async function expectations(
  connection: DuckDBConnection,
  exports: readonly Asked[],
  forms: readonly string[],
  shown: ReadonlySet<string>,
): Promise<void> {
  await connection.run(
    'CREATE OR REPLACE TEMP TABLE expected (form VARCHAR, shown VARCHAR, info BOOLEAN, sections BOOLEAN, forms BOOLEAN, documents BOOLEAN)',
  );
  const rows = forms.map((form) => {
    const flags = (['info', 'sections', 'forms', 'document'] as const).map((source) =>
      isTakenByAll(exports, source, form),
    );
    return `(${quoteText(form)}, ${shown.has(form) ? quoteText(form) : `chr(0) || 'other'`}, ${flags.join(', ')})`;
  });
  if (rows.length > 0) await connection.run(`INSERT INTO expected VALUES ${rows.join(', ')}`);
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

async function unprovenColumns(
  connection: DuckDBConnection,
  { unproven }: WindowsReport,
  columns: readonly string[],
): Promise<boolean[]> {
  if (unproven.length === 0) return columns.map(() => false);
  const names = unproven.map(({ run_id, window }) => `(${quoteText(run_id)}, ${quoteText(window)})`);
  const ranges = await rowsOf(
    connection,
    `SELECT DISTINCT date_from, date_to FROM export_windows WHERE (run_id, "window") IN (${names.join(', ')})`,
  );
  return columns.map((column) =>
    ranges.some(({ date_from, date_to }) => {
      const from = String(date_from ?? '').slice(0, column.length);
      const to = String(date_to ?? '9999-12').slice(0, column.length);
      return from <= column && column <= to;
    }),
  );
}

/** Lakes for tests: a few tables, and batches in one call. */
import type { Batch, CommitResult, Lake } from '../../../src/lake/index.ts';
import type { Row } from '../../../src/lake/tables/index.ts';
import { TABLES, type TableDefinition } from '../../../src/lake/tables/index.ts';

/** Tables for most laws: a parent, a child, wide rows, coverage, and an independent one. */
export const FEW_TABLES: readonly TableDefinition[] = TABLES.filter(({ name }) =>
  ['entities', 'filings', 'documents', 'section_contents', 'coverage'].includes(name),
);

export type Rows = Record<string, Row[]>;

/** Stages the rows as one segment and commits them; with `again` what an attempt before it has sealed, if there was one. */
export async function bring(
  lake: Lake,
  id: { run?: string; batch: string; base?: number; attempt?: number; again?: true; term?: number },
  rows: Rows,
  replace: Batch['replace'] = [],
): Promise<CommitResult> {
  const run_id = id.run ?? 'run';
  const writer = lake.openStaging(run_id, id.batch, id.attempt ?? 1);
  for (const [table, list] of Object.entries(rows)) for (const row of list) writer.append(table, row);
  const segment = await writer.seal();
  const base_version = id.base ?? (await lake.currentVersion());
  const batch = {
    run_id,
    batch_id: id.batch,
    base_version,
    segments: segment ? [segment] : [],
    replace,
    term: id.term,
  };
  return id.again ? lake.commitFirstSealed(batch) : lake.commitBatch(batch);
}

export function accession(n: number, year = 24): string {
  return `0000000001-${String(year).padStart(2, '0')}-${String(n).padStart(6, '0')}`;
}

/** Everything that belongs to one filing, in one revision. */
export function filingRows(n: number, revision = 'r1', documents = 2): Rows {
  const accession_number = accession(n);
  return {
    filings: [
      { accession_number, cik: String(n % 7), form_type: '10-K', filing_date: '2024-03-01', entity_name: revision },
    ],
    documents: Array.from({ length: documents }, (_, i) => ({
      document_id: `${accession_number}-${i + 1}`,
      accession_number,
      sequence: i + 1,
      description: revision,
    })),
    coverage: [
      {
        accession_number,
        step: 'filing',
        selector: '',
        revision,
        status: 'done',
        fetched_at: '2024-03-01T00:00:00Z',
      },
    ],
  };
}

export function together(...all: Rows[]): Rows {
  const result: Rows = {};
  for (const rows of all) {
    for (const [table, list] of Object.entries(rows)) result[table] = [...(result[table] ?? []), ...list];
  }
  return result;
}

/** Replacements that take a filing out of every table that knows it. */
export function wholeFiling(...numbers: number[]): NonNullable<Batch['replace']> {
  const values = numbers.map((n) => [accession(n)]);
  return ['filings', 'documents', 'section_contents', 'coverage'].map((table) => ({
    table,
    columns: ['accession_number'],
    values,
  }));
}

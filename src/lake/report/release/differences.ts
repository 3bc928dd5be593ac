/** What became of a release in another lake: table by table, filing by filing, and row for row. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { quoteList } from '../../../core/index.ts';
import type { Lake } from '../../lake.ts';
import { type Cell, cellJson } from '../../query/values.ts';
import type { TableChanges } from '../../release/changes.ts';
import type { ComparedTable, TableComparison } from '../../release/compare-release.ts';
import type { ReleasedTable } from '../../release/manifest.ts';
import type { ReleaseManifest } from './manifest.ts';

/**
 * `withdrawn`: the source has it no longer. `changed`: its rows are others. `new`: the release lacks it. `unfetched`: the lake has a
 * failed request of it, so nothing is known of what is missing.
 */
export type FilingFate = 'changed' | 'withdrawn' | 'new' | 'unfetched';

export interface ReleaseDifferences {
  readonly tables: Record<string, TableComparison>;
  /** Filings by what became of them. Null: the release has none, or its folder lacks the files. */
  readonly filings: Readonly<Record<FilingFate | 'equal', number>> | null;
}

/** Receives the rows that differ, one table after the other. */
export type DifferenceSink = (
  changes: TableChanges,
  table: ReleasedTable,
  fateOf: (row: readonly Cell[]) => FilingFate | null,
) => Promise<void>;

/** @param folder of the manifest. @param sink may read the rows of a table once more */
export async function releaseDifferences(
  lake: Lake,
  manifest: ReleaseManifest,
  folder: string,
  sink: DifferenceSink = async () => {},
): Promise<ReleaseDifferences> {
  const { filings, ...others } = manifest.tables;
  // What became of the filings explains the rows of all other tables.
  const ordered = { ...manifest, tables: { ...(filings && { filings }), ...others } };
  const tables: Record<string, TableComparison> = {};
  const fates = new Map<string, FilingFate>(
    (await sinceRemoved(lake, filings, folder)).map((number) => [number, 'withdrawn']),
  );
  const unfetched = await unfetchedFilings(lake);
  for await (const compared of lake.compareWithRelease(ordered, folder)) {
    tables[compared.table] = compared.comparison;
    if (compared.changes === null) continue;
    const accessionOf = accessionReader(compared.changes.columns);
    await noteFates(compared, accessionOf, fates, unfetched);
    await sink(compared.changes, manifest.tables[compared.table]!, (row) => fates.get(accessionOf(row) ?? '') ?? null);
  }
  const isKnown =
    filings !== undefined && filings.rows > 0 && Object.values(tables).every(({ equal }) => equal !== null);
  return { tables, filings: isKnown ? countsOf(fates, filings.rows) : null };
}

/** Filings that the lake keeps, and notes as removed since: their rows may be equal. */
async function sinceRemoved(lake: Lake, filings: ReleasedTable | undefined, folder: string): Promise<string[]> {
  const { tables } = await lake.snapshot();
  const files = (filings?.parts ?? []).map(({ file }) => path.join(folder, file));
  if (!tables.has('filings') || files.length === 0 || !files.every((file) => existsSync(file))) return [];
  const rows = await lake.query(
    `SELECT accession_number AS number FROM filings SEMI JOIN (SELECT accession_number FROM read_parquet(${quoteList(files)})
     WHERE removed_at IS NULL) USING (accession_number) WHERE removed_at IS NOT NULL`,
  );
  return rows.map(({ number }) => String(number));
}

async function unfetchedFilings(lake: Lake): Promise<Set<string>> {
  const { tables } = await lake.snapshot();
  if (!tables.has('export_failures')) return new Set();
  const rows = await lake.query(
    'SELECT DISTINCT accession_number AS number FROM export_failures WHERE accession_number IS NOT NULL',
  );
  return new Set(rows.map(({ number }) => String(number)));
}

/** The accession number of a row: its own, or that of its document. */
function accessionReader(columns: readonly string[]): (row: readonly Cell[]) => string | null {
  const [own, document] = [columns.indexOf('accession_number'), columns.indexOf('document_id')];
  return (row) => {
    const value = own >= 0 ? row[own] : row[document];
    return typeof value === 'string' ? value.slice(0, ACCESSION_LENGTH) : null;
  };
}

/** `0000320193-24-000001`; a document's id continues with its sequence. */
const ACCESSION_LENGTH = 20;

async function noteFates(
  { table, changes }: ComparedTable,
  accessionOf: (row: readonly Cell[]) => string | null,
  fates: Map<string, FilingFate>,
  unfetched: ReadonlySet<string>,
): Promise<void> {
  for await (const rows of changes!.chunks()) {
    for (const row of rows) {
      const accession = accessionOf(row);
      if (accession === null) continue;
      const isUnfetched = unfetched.has(accession);
      if (table === 'filings' && row[0] === 'delete' && !isUnfetched) fates.set(accession, 'withdrawn');
      if (table === 'filings' && row[0] === 'insert') fates.set(accession, 'new');
      if (!fates.has(accession)) fates.set(accession, isUnfetched ? 'unfetched' : 'changed');
    }
  }
}

function countsOf(fates: ReadonlyMap<string, FilingFate>, released: number): ReleaseDifferences['filings'] {
  const counts = { equal: 0, changed: 0, withdrawn: 0, unfetched: 0, new: 0 };
  for (const fate of fates.values()) counts[fate]++;
  return { ...counts, equal: released - counts.changed - counts.withdrawn - counts.unfetched };
}

const CHANGES: Readonly<Record<string, string>> = { delete: 'withdrawn', insert: 'new', update_postimage: 'changed' };

/** A line of JSON for each row that differs: its table and key, what became of it and of its filing, and the columns that changed. */
export async function* differenceLines(
  ...[{ table, columns, chunks }, { key }, fateOf]: Parameters<DifferenceSink>
): AsyncIterable<string> {
  const places = key.map((name) => [name, columns.indexOf(name)] as const);
  let before: readonly Cell[] = [];
  for await (const rows of chunks()) {
    const lines: string[] = [];
    for (const row of rows) {
      if (row[0] === 'update_preimage') before = row;
      const change = CHANGES[String(row[0])];
      if (change === undefined) continue;
      const keyText = places.map(([name, at]) => `${JSON.stringify(name)}:${cellJson(row[at] ?? null)}`);
      const changed =
        change === 'changed' ? columns.filter((_, i) => i > 0 && cellJson(row[i]!) !== cellJson(before[i]!)) : [];
      const more = change === 'changed' ? `,"columns":${JSON.stringify(changed)}` : '';
      const fate = JSON.stringify(fateOf(row));
      lines.push(
        `{"table":${JSON.stringify(table)},"change":${JSON.stringify(change)},"key":{${keyText.join(',')}},"filing":${fate}${more}}\n`,
      );
    }
    yield lines.join('');
  }
}

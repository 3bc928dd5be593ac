/** Tables that a query names and no export has asked for: its 0 rows say nothing about filings. */
import type { Lake } from '../../lake/index.ts';
import { EXPORT_TABLES, type ExportTable, tablesWrittenFor } from '../../lake/tables/index.ts';

/** A line for each; none for a lake that other programs than exports have written. */
export async function tablesNeverAsked(lake: Lake, sql: string): Promise<string[]> {
  const words = new Set(sql.toLowerCase().match(/\w+/g));
  const named = EXPORT_TABLES.filter((name) => words.has(name));
  if (named.length === 0) return [];
  const { tables } = await lake.snapshot();
  const empty = named.filter((name) => (tables.get(name)?.rows ?? 0) === 0);
  if (empty.length === 0) return [];
  const runs = await lake.query('SELECT DISTINCT definition FROM export_runs', { tables: ['export_runs'] });
  const asked = new Set(
    runs.flatMap(({ definition }) =>
      tablesWrittenFor((JSON.parse(String(definition)) as { tables?: ExportTable[] } | null)?.tables ?? []),
    ),
  );
  return empty
    .filter((name) => runs.length > 0 && !asked.has(name))
    .map((name) => `note: no export of this lake has asked for ${name}: add it to \`tables\` of the definition`);
}

/** Which tables an export may ask for, and what asking for one brings with it. */

/** In the order in which they are written. `coverage` and `export_*` are written always and can't be asked for. */
export const EXPORT_TABLES = [
  'entities',
  'entity_tickers',
  'entity_addresses',
  'filings',
  'parties',
  'documents',
  'sections',
  'section_contents',
  'items_8k',
  'exhibits_8k',
  'document_contents',
] as const;
export type ExportTable = (typeof EXPORT_TABLES)[number];

export const ALWAYS_WRITTEN = ['coverage', 'export_failures', 'export_windows', 'export_runs'] as const;

const ENTITY_TABLES: readonly ExportTable[] = ['entities', 'entity_tickers', 'entity_addresses'];

/**
 * The tables that are written for those asked: `filings` always (its rows come with the lookup that finds them, and all others refer to them), the three
 * entity tables together (one request brings them), and for exhibits the items and documents that they refer to.
 */
export function tablesBroughtBy(asked: readonly ExportTable[]): ExportTable[] {
  const brought = new Set<ExportTable>(['filings', ...asked]);
  if (ENTITY_TABLES.some((table) => brought.has(table))) for (const table of ENTITY_TABLES) brought.add(table);
  if (brought.has('exhibits_8k')) brought.add('items_8k').add('documents');
  return EXPORT_TABLES.filter((table) => brought.has(table));
}

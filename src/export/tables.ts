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

export const ALWAYS_WRITTEN = [
  'coverage',
  'export_failures',
  'export_windows',
  'export_plans',
  'export_passes',
  'export_runs',
] as const;

const ENTITY_TABLES: readonly ExportTable[] = ['entities', 'entity_tickers', 'entity_addresses'];

export function isEntityTable(table: string): boolean {
  return (ENTITY_TABLES as readonly string[]).includes(table);
}

/**
 * The tables that are written for those asked: `filings` wherever filings are asked for (its rows come with the lookup that finds them, and all others refer
 * to them), the three entity tables together (one request brings them), and for exhibits the items and documents that they refer to.
 * @param always `filings: false`: entities are paged by themselves, and where nothing else is asked no filing is looked up
 */
export function tablesBroughtBy(
  asked: readonly ExportTable[],
  always: { filings: boolean } = { filings: true },
): ExportTable[] {
  const brought = new Set<ExportTable>(asked);
  if (always.filings || asked.some((table) => !isEntityTable(table))) brought.add('filings');
  if (asked.some(isEntityTable)) for (const table of ENTITY_TABLES) brought.add(table);
  if (brought.has('exhibits_8k')) brought.add('items_8k').add('documents');
  return EXPORT_TABLES.filter((table) => brought.has(table));
}

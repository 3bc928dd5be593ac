/** Lists of tables, made from their descriptors. */
import { ALL } from './all.ts';
import type { RecordOf, Source, Table } from './table.ts';

type Written = (typeof ALL)[number];
/** A table that a definition may ask for. The others are written by each export. */
export type ExportTable = Extract<Written, { sources: readonly (keyof RecordOf)[] }>['name'];

export const TABLES: readonly Table[] = ALL;

const isAskedFor = ({ sources }: Table) => !sources.includes('run');

export const EXPORT_TABLES = TABLES.filter(isAskedFor).map(({ name }) => name) as [ExportTable, ...ExportTable[]];
/** Can't be asked for. */
export const ALWAYS_WRITTEN = TABLES.filter((table) => !isAskedFor(table)).map(({ name }) => name);

const BY_NAME = new Map(TABLES.map((table) => [table.name, table]));
const BY_SOURCE = new Map<Source, Table[]>();
for (const table of TABLES) {
  for (const source of table.sources) BY_SOURCE.set(source, [...(BY_SOURCE.get(source) ?? []), table]);
}

export function tableNamed(name: string): Table | undefined {
  return BY_NAME.get(name);
}

export function tablesFrom(source: Source): readonly Table[] {
  return BY_SOURCE.get(source) ?? [];
}

export function namesFrom(source: keyof RecordOf): readonly ExportTable[] {
  return tablesFrom(source).map(({ name }) => name as ExportTable);
}

export function isEntityTable(name: string): boolean {
  return tableNamed(name)?.sources.includes('entity') === true;
}

/**
 * The tables that are written for those asked: `filings` if anything of filings is asked for (its rows come with the lookup, and all others refer
 * to them), the entity tables together (one request has them all), and what a table needs.
 * @param always `filings: false`: entities are looked up by themselves, and if nothing else is asked for no filing is
 */
export function tablesWrittenFor(
  asked: readonly ExportTable[],
  always: { filings: boolean } = { filings: true },
): ExportTable[] {
  const written = new Set<string>(asked);
  if (always.filings || asked.some((name) => !isEntityTable(name))) written.add('filings');
  if (asked.some(isEntityTable)) for (const name of namesFrom('entity')) written.add(name);
  // A set grows while it is walked: what is needed may need more.
  for (const name of written) for (const needed of tableNamed(name)?.needs ?? []) written.add(needed);
  return EXPORT_TABLES.filter((name) => written.has(name));
}

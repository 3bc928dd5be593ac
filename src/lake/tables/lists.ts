/** Lists of tables, made from their descriptors. */
import { formValues } from '../../filings/forms/index.ts';
import { PRINTED_TABLES } from '../../filings/statements/index.ts';
import { ALL } from './all.ts';
import type { Source, Table } from './table.ts';

type Written = (typeof ALL)[number];
/** A table that a definition may name. Each export writes the others. */
export type ExportTable = Extract<Written, { sources: readonly Exclude<Source, 'run'>[] }>['name'];

export const TABLES: readonly Table[] = ALL;

const isAskedFor = ({ sources }: Table) => !sources.includes('run');

export const EXPORT_TABLES = TABLES.filter(isAskedFor).map(({ name }) => name) as [ExportTable, ...ExportTable[]];
/** A definition can't name these. */
export const ALWAYS_WRITTEN = TABLES.filter((table) => !isAskedFor(table)).map(({ name }) => name);

const BY_NAME = new Map(TABLES.map((table) => [table.name, table]));
const BY_SOURCE = new Map<Source, Table[]>();
for (const table of TABLES) {
  for (const source of table.sources) BY_SOURCE.set(source, [...(BY_SOURCE.get(source) ?? []), table]);
}

/** Tables that can be asked for together, by the name of their group: `ownership`. */
export const TABLE_GROUPS: ReadonlyMap<string, readonly ExportTable[]> = groups();

function groups(): Map<string, ExportTable[]> {
  const byName = new Map<string, ExportTable[]>();
  for (const { name, group } of TABLES)
    if (group !== undefined) byName.set(group, [...(byName.get(group) ?? []), name as ExportTable]);
  return byName;
}

/** @param asked names of tables and groups */
export function tablesNamed(asked: readonly string[]): ExportTable[] {
  return [...new Set(asked.flatMap((name) => TABLE_GROUPS.get(name) ?? [name as ExportTable]))];
}

/** Tables of structured forms, without those of what their mappings leave out. */
export const FORM_TABLES: readonly ExportTable[] = tablesOfForms();

/** Made only if they are named: form_values repeats every form, and printed statements are read from whole reports. */
const NAMED_ONLY: ReadonlySet<string> = new Set([formValues, ...PRINTED_TABLES].map(({ name }) => name));

/** Those that a remap makes unless it names others. */
export const USUAL_FORM_TABLES: readonly ExportTable[] = FORM_TABLES.filter((name) => !NAMED_ONLY.has(name));

function tablesOfForms(): ExportTable[] {
  return TABLES.filter(({ group, sources }) => group !== undefined && sources.includes('forms')).map(
    ({ name }) => name as ExportTable,
  );
}

export function tableNamed(name: string): Table | undefined {
  return BY_NAME.get(name);
}

export function tablesFrom(source: Source): readonly Table[] {
  return BY_SOURCE.get(source) ?? [];
}

export function namesFrom(source: Exclude<Source, 'run'>): readonly ExportTable[] {
  return tablesFrom(source).map(({ name }) => name as ExportTable);
}

export function isEntityTable(name: string): boolean {
  return tableNamed(name)?.sources.includes('entity') === true;
}

/**
 * The tables to write for the requested ones. If any table about filings is requested, `filings` is written too: its rows come with
 * the lookup, and the others refer to them. The entity tables belong together, since one request has them all.
 * @param always `filings: false`: if only entities are requested, no filing is
 */
export function tablesWrittenFor(
  asked: readonly ExportTable[],
  always: { filings: boolean } = { filings: true },
): ExportTable[] {
  const written = new Set<string>(asked);
  if (always.filings || asked.some((name) => !isEntityTable(name))) written.add('filings');
  if (asked.some(isEntityTable)) for (const name of namesFrom('entity')) written.add(name);
  // The set grows during the loop: a table that another refers to may refer to more tables.
  for (const name of written) {
    const table = tableNamed(name);
    for (const { table: referred } of table?.references ?? []) written.add(referred);
    for (const needed of table?.needs ?? []) written.add(needed);
  }
  return EXPORT_TABLES.filter((name) => written.has(name));
}

/** The rows of a form for its page: of long tables the first or the largest, what the form's report before had, what could not be read. */
import { csvCell } from '../../core/index.ts';
import { type Filing, FORM_GROUPS, groupOfForm, mapFiling, type Row } from '../../filings/forms/index.ts';
import { LAYOUTS, type Part } from './layouts.ts';

export interface TableRows {
  rows: Row[];
  /** All rows of the table */
  count: number;
}

/** What is held of one thing. */
interface Position {
  readonly row: Row;
  readonly amount: number;
}
export type Positions = ReadonlyMap<string, Position>;

export interface FormData {
  /** Group of the form's tables; null: a form without tables, of which the values are shown */
  readonly group: string | null;
  readonly tables: ReadonlyMap<string, TableRows>;
  readonly positions: Positions;
}

const VALUES: ReadonlySet<string> = new Set(['form_values']);

export function heldPart(group: string | null): (Part & Required<Pick<Part, 'held'>>) | null {
  const found = LAYOUTS[group ?? '']?.find(({ held }) => held !== undefined);
  return (found as ReturnType<typeof heldPart>) ?? null;
}

/** @param rowsMax rows that are kept of each table */
export function formData(filing: Filing, rowsMax: number): FormData {
  const group = filing.formType === null ? null : groupOfForm(filing.formType);
  const wanted = new Set((group === null ? [] : FORM_GROUPS.get(group)!).map(({ name }) => name));
  const found = group === null ? null : read(filing, group, wanted, rowsMax);
  if (found !== null && [...found.tables.keys()].some((name) => wanted.has(name))) {
    // Elements that no table has are shown with their values, not with one example.
    const unknown = found.tables.get('form_unknown_elements')?.rows.map(keyOf);
    return unknown === undefined ? found : withValues(found, filing, new Set(unknown), rowsMax);
  }
  const values = read(filing, null, VALUES, rowsMax);
  return found === null || values.tables.has('form_values') ? values : found;
}

const keyOf = ({ document, path }: Row) => `${document} ${path}`;

function withValues(found: FormData, filing: Filing, unknown: ReadonlySet<string>, rowsMax: number): FormData {
  const kept: TableRows = { rows: [], count: 0 };
  for (const { table, row } of mapFiling(filing, VALUES)) {
    if (table !== 'form_values' || !unknown.has(keyOf(row))) continue;
    kept.count++;
    if (kept.rows.length < rowsMax) kept.rows.push(row);
  }
  return { ...found, tables: new Map([...found.tables, ['form_values', kept]]) };
}

function read(filing: Filing, group: string | null, wanted: ReadonlySet<string>, rowsMax: number): FormData {
  const tables = new Map<string, TableRows>();
  const held = heldPart(group);
  const positions = new Map<string, Position>();
  const largest = new Map((LAYOUTS[group ?? ''] ?? []).map(({ table, largest: column }) => [table, column]));
  for (const { table, row } of mapFiling(filing, wanted)) {
    let kept = tables.get(table);
    if (kept === undefined) {
      kept = { rows: [], count: 0 };
      tables.set(table, kept);
    }
    kept.count++;
    if (held?.table === table) addPosition(positions, held.held, row);
    const column = largest.get(table);
    if (column !== undefined || kept.rows.length < rowsMax) kept.rows.push(row);
    if (column !== undefined && kept.rows.length >= 2 * rowsMax) keepLargest(kept, column, rowsMax);
  }
  for (const [table, kept] of tables) {
    const column = largest.get(table);
    if (column !== undefined && kept.count > rowsMax) keepLargest(kept, column, rowsMax);
  }
  return { group, tables, positions };
}

function keepLargest(kept: TableRows, column: string, rowsMax: number): void {
  kept.rows.sort((a, b) => Number(b[column]) - Number(a[column]));
  kept.rows.length = Math.min(kept.rows.length, rowsMax);
}

export function positionKey(by: readonly string[], row: Row): string {
  return by.map((name) => row[name] ?? '').join('\0');
}

function addPosition(positions: Map<string, Position>, { by, amount }: NonNullable<Part['held']>, row: Row): void {
  const key = positionKey(by, row);
  const before = positions.get(key);
  positions.set(key, { row: before?.row ?? row, amount: (before?.amount ?? 0) + Number(row[amount] ?? 0) });
}

/** All rows of a table as CSV, in the order of the filing; null: the form has no such rows. */
export function tableCsv(filing: Filing, name: string): string | null {
  const group = filing.formType === null ? null : groupOfForm(filing.formType);
  const found = (group === null ? [] : FORM_GROUPS.get(group)!).find((table) => table.name === name);
  if (found === undefined) return null;
  const names = found.columns.map((column) => column.name);
  const lines = [...mapFiling(filing, new Set([name]))].flatMap(({ table, row }) =>
    table === name ? names.map((column) => csvCell(row[column] ?? null)).join() : [],
  );
  return lines.length === 0 ? null : `${[names.join(), ...lines].join('\n')}\n`;
}

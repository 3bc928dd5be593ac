/**
 * A table of a form. Its descriptor has columns with type, meaning and the paths that they are read from. `name`, `meaning`,
 * `key` and `columns` have the shape of the lake's tables, which use them unchanged.
 */
import { internalized } from '../xml/element.ts';

/** DuckDB's names of types. In rows, DECIMAL(38,12) is decimal text, DATE is YYYY-MM-DD. */
export type FormColumnType = 'VARCHAR' | 'INTEGER' | 'BIGINT' | 'BOOLEAN' | 'DATE' | 'DECIMAL(38,12)' | 'DOUBLE';

export type Value = string | number | boolean | null;
export type Row = Record<string, Value>;

/** A path below a row's element: elements by local name (`*` is any), then an attribute or none. Without steps and attribute: the element itself. */
export interface ValuePath {
  readonly steps: readonly string[];
  readonly attribute: string | null;
}

export interface FormColumn {
  readonly name: string;
  readonly type: FormColumnType;
  readonly meaning: string;
  /** The form's own item: `Table I, column 4`. */
  readonly item: string | null;
  /** When the value is null, in words; null: never, or only if the element is empty. */
  readonly empty: string | null;
  /** Paths of the value. The first that isn't empty counts. None: a rule makes the value. */
  readonly paths: readonly ValuePath[];
  /** A Central Index Key: leading zeros are removed. */
  readonly cik: boolean;
  /** Text that means null without a problem: `Indefinite`. */
  readonly nothing: RegExp | null;
}

export interface FormTable {
  readonly name: string;
  readonly meaning: string;
  /** Columns that together name a row. */
  readonly key: readonly string[];
  /** Form types with this table. */
  readonly forms: readonly string[];
  /** Columns of long text. */
  readonly wide?: readonly string[];
  /** As in src/lake/tables/table.ts */
  readonly clusteredBy?: readonly string[];
  readonly columns: readonly FormColumn[];
}

interface ColumnOptions {
  item?: string;
  empty?: string;
  nothing?: RegExp;
}

const make =
  (type: FormColumnType, cik = false) =>
  /** @param paths `a/b`, `a/@b`, `.`; several are alternatives; '' or [] if a rule makes the value */
  (name: string, paths: string | readonly string[], meaning: string, options: ColumnOptions = {}): FormColumn => ({
    name,
    type,
    meaning,
    item: options.item ?? null,
    empty: options.empty ?? null,
    paths: (typeof paths === 'string' ? [paths] : paths).filter((path) => path !== '').map(valuePath),
    cik,
    nothing: options.nothing ?? null,
  });

export const text = make('VARCHAR');
export const cik = make('VARCHAR', true);
export const integer = make('INTEGER');
export const bigint = make('BIGINT');
export const boolean = make('BOOLEAN');
export const date = make('DATE');
export const decimal = make('DECIMAL(38,12)');
/** Computed beside a text column with the original value: never read from a document directly. */
export const double = make('DOUBLE');

/**
 * Columns of one part of a form.
 * @param under the element that their paths begin below, or ''; several are alternatives
 * @param item theirs, unless a column names its own
 */
export function group(under: string | readonly string[], item: string | null, columns: readonly FormColumn[]) {
  const elements = (typeof under === 'string' ? [under] : under).map((path) =>
    path === '' ? [] : valuePath(path).steps,
  );
  const below = ({ attribute, ...rest }: ValuePath) =>
    elements.map((steps) => ({ steps: [...steps, ...rest.steps], attribute }));
  return columns.map((column) => ({ ...column, item: column.item ?? item, paths: column.paths.flatMap(below) }));
}

/** Columns of an address as most forms have it. @param under its element. @param prefix of the columns' names: `issuer_` */
export function address(under: string | readonly string[], prefix = ''): FormColumn[] {
  return group(under, null, [
    text(`${prefix}street1`, 'street1', 'first line of the street'),
    text(`${prefix}street2`, 'street2', 'second line'),
    text(`${prefix}city`, 'city', 'city'),
    text(`${prefix}state`, 'stateOrCountry', "EDGAR's state or country code"),
    text(`${prefix}zip`, 'zipCode', 'postal code'),
  ]);
}

export function valuePath(path: string): ValuePath {
  const steps = path
    .split('/')
    .filter((step) => step !== '.')
    .map(internalized);
  const last = steps.at(-1);
  if (last?.startsWith('@')) return { steps: steps.slice(0, -1), attribute: last.slice(1) };
  return { steps, attribute: null };
}

/** A row's place among those of its table. */
export const position = integer('position', '', 'from 0');
const accessionNumber = text('accession_number', '', "EDGAR's number of the filing", { empty: 'a loose file' });
const mappingVersion = integer('mapping_version', '', 'version of the mapping that made the row');

export interface TableOptions {
  meaning: string;
  /** Columns, which then stand first in the table, or names of columns. Without `accession_number`, which every key begins with. */
  key: readonly (FormColumn | string)[];
  columns: readonly FormColumn[];
  wide?: readonly string[];
  clusteredBy?: readonly string[];
}

/** Tables of one family of forms: each gets `accession_number` first and `mapping_version` last. */
export function tablesOf(forms: readonly string[]) {
  return (name: string, { meaning, key, columns, wide = [], clusteredBy }: TableOptions): FormTable => ({
    name,
    meaning,
    key: ['accession_number', ...key.map((column) => (typeof column === 'string' ? column : column.name))],
    forms,
    ...(wide.length > 0 ? { wide } : {}),
    ...(clusteredBy && { clusteredBy }),
    columns: [accessionNumber, ...key.filter((column) => typeof column !== 'string'), ...columns, mappingVersion],
  });
}

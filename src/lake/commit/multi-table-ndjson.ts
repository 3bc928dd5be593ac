/**
 * Lines of NDJSON with rows of several tables. A JSON record is written once, unchanged, and DuckDB reads each table's rows from
 * it. Otherwise it would be written again for every table.
 */
import { quoteList, quoteName, quoteText } from '../../core/index.ts';
import type { ColumnType, TableDefinition } from '../tables/index.ts';
import { ORDINAL, type Row, SOURCE } from './rows.ts';

/** Position of a table's rows in a line. Columns are members of the same name, unless `named`; missing ones are null. */
export interface TableInLines {
  /** Columns of the line whose member has another name. */
  readonly named?: Readonly<Record<string, string>>;
  /** The member that lists the rows; absent: the line is the row. */
  readonly each?: string;
  /** With `each`: columns that are members of the line, not of the listed item. */
  readonly ofLine?: readonly string[];
  /** Columns that have the same value in every row. */
  readonly constants?: Row;
}

export type LinesShape = Readonly<Record<string, TableInLines>>;

/** A file of such lines in a sealed segment. */
export interface SealedLines {
  readonly file: string;
  readonly shape: LinesShape;
  readonly rows: Readonly<Record<string, number>>;
  /** Bytes of the longest line. */
  readonly longestLine: number;
}

/** Maximum number of rows that a line lists. The ordinals of more rows would overlap those of the next line. */
const LISTED_MAX = 2 ** 20;

/** Files whose lines hold a table's rows in the same way. */
export interface LinesSource {
  readonly files: readonly string[];
  readonly table: TableInLines;
}

/** A `FROM` item with the table's columns, ordinal and source. @param objectBytes at least those of the longest line */
export function readLines(definition: TableDefinition, { files, table }: LinesSource, objectBytes: number): string {
  const { each, ofLine = [], constants = {}, named = {} } = table;
  const read = definition.columns.filter(({ name, computed }) => !(name in constants) && computed === undefined);
  const isListed = (name: string) => each !== undefined && !ofLine.includes(name);
  const members = read
    .filter(({ name }) => !isListed(name))
    .map(({ name, type }) => `${quoteName(named[name] ?? name)}: '${readAs(type)}'`);
  if (each !== undefined) members.push(`${quoteName(each)}: ${quoteText(listType(read, isListed))}`);
  const lines = `read_json(${quoteList(files)}, format = 'newline_delimited', filename = '${SOURCE}',
    maximum_object_size = ${objectBytes}, columns = {${[`${quoteName(ORDINAL)}: 'BIGINT'`, ...members].join(', ')}})`;
  const columns = definition.columns.map(({ name, type, computed }) => {
    if (computed !== undefined) return `(${computed})::${type} AS ${quoteName(name)}`;
    if (name in constants) return `${constantOf(constants[name])}::${type} AS ${quoteName(name)}`;
    return `${isListed(name) ? '_row.' : ''}${quoteName(named[name] ?? name)} AS ${quoteName(name)}`;
  });
  const selected = [...columns, quoteName(ORDINAL), SOURCE].join(', ');
  if (each === undefined) return `(SELECT ${selected} FROM ${lines})`;
  const rows = `SELECT * REPLACE (${quoteName(ORDINAL)} * ${LISTED_MAX} + generate_subscripts(${quoteName(each)}, 1) AS ${quoteName(ORDINAL)}),
    unnest(${quoteName(each)}) AS _row FROM ${lines}`;
  return `(SELECT ${selected} FROM (${rows}))`;
}

function listType(columns: TableDefinition['columns'], isListed: (name: string) => boolean): string {
  const listed = columns.filter(({ name }) => isListed(name));
  return `STRUCT(${listed.map(({ name, type }) => `${quoteName(name)} ${readAs(type)}`).join(', ')})[]`;
}

/** Bytes are base64 text in JSON. */
function readAs(type: ColumnType): string {
  return type === 'BLOB' ? 'VARCHAR' : type;
}

function constantOf(value: Row[string]): string {
  return value === null || value === undefined ? 'NULL' : typeof value === 'string' ? quoteText(value) : String(value);
}

/**
 * Whether the table's rows come in the order of its key, each key once, if the lines come in the order of their member `by`, each
 * once.
 * @param by null: the lines are not sorted
 */
export function isAscendingIn({ key }: TableDefinition, table: TableInLines, by: string | null): boolean {
  const { each, constants = {} } = table;
  return by !== null && each === undefined && key.includes(by) && key.every((name) => name === by || name in constants);
}

/** Views over tables of forms, as data: DuckDB's SQL, for users of the tables. */
export interface FormView {
  readonly name: string;
  /** Schema of the view. SEC's data sets have one each: SUBMISSION is in several of them. Without one, the view is temporary. */
  readonly schema?: string;
  /** Parameters of a table macro, as `name`; absent for a view. */
  readonly parameters?: readonly string[];
  readonly meaning: string;
  /** Tables that it reads, the most important one first; `filings` is a table of every lake. */
  readonly tables: readonly string[];
  /** A SELECT. */
  readonly sql: string;
}

/** DD-MON-YYYY, as SEC writes days. @param column of the view's own table, or an expression */
export const day = (column: string) => `upper(strftime(${own(column)}, '%d-%b-%Y'))`;
export const zeroOne = (column: string) => flag(column, '1', '0');
export const yesNo = (column: string) => flag(column, 'Y', 'N');
export const trueFalse = (column: string) => flag(column, 'true', 'false');
/** SEC pads CIKs to ten digits. */
export const tenDigits = (column: string) => `lpad(${own(column)}, 10, '0')`;
/** DECIMAL(38,12), which always has 12 digits after the point, without trailing zeros. */
export const plain = (column: string) =>
  `regexp_replace(regexp_replace(CAST(${own(column)} AS VARCHAR), '0+$', ''), '\\.$', '')`;
/** Day of filing, of the lake's `filings`. */
export const FILED = day('g.filing_date');
/** Accession number and positions: unique within the set, but not SEC's own number. */
export const id = (...columns: string[]) => ['accession_number', ...columns].map(own).join(` || '-' || `);

function flag(column: string, yes: string, no: string): string {
  return `CASE WHEN ${own(column)} THEN '${yes}' WHEN NOT ${own(column)} THEN '${no}' END`;
}

/** A bare name is a column of the view's own table. */
function own(column: string): string {
  return /^\w+$/.test(column) ? `t.${column}` : column;
}

interface SecView {
  schema: string;
  name: string;
  meaning: string;
  table: string;
  /** SEC's names, with the column or expression of each. */
  columns: Readonly<Record<string, string>>;
  /** Joins after the view's own table `t`, and the tables that they read. */
  join?: { sql: string; tables: readonly string[] };
  where?: string;
  /** Further tables that the columns read. */
  reads?: readonly string[];
}

/** A view in the names of one of SEC's data sets. Filings are joined as `g` if a column needs them. */
export function secView({ schema, name, meaning, table, columns, join, where, reads = [] }: SecView): FormView {
  const list = Object.entries(columns).map(([as, column]) => `  ${own(column)} AS ${as}`);
  const filed = list.some((each) => /\bg\./.test(each));
  const from = [
    `${table} t`,
    ...(filed ? ['LEFT JOIN filings g ON g.accession_number = t.accession_number'] : []),
    ...(join ? [join.sql] : []),
  ];
  return {
    ...{ name, schema, meaning },
    tables: [table, ...(join?.tables ?? []), ...reads, ...(filed ? ['filings'] : [])],
    sql: `SELECT\n${list.join(',\n')}\nFROM ${from.join('\n')}${where ? `\nWHERE ${where}` : ''}`,
  };
}

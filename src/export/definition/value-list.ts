/** CIKs, tickers, numbers or names in a file: one a line with `#` comments, or a column of a CSV or Parquet file. */
import { csvRecords } from '../../core/index.ts';
import { parseAccessionNumber, parseCik } from '../../filings/api/index.ts';

export type ListKind = 'accession_numbers' | 'ciks' | 'tickers' | 'names';

interface WrongLine {
  /** From 1; of a Parquet file the row */
  line: number;
  column: number;
  text: string;
}

export interface ValueList {
  /** Each once, in the order of the file, in the contract's spelling. */
  values: string[];
  /** The first line that holds something else; null if none does */
  wrong: WrongLine | null;
}

/** Columns of which a table has one if the definition names none. */
const COLUMNS: Readonly<Record<ListKind, readonly string[]>> = {
  accession_numbers: ['accession_number', 'accession', 'accession_no', 'accessionnumber'],
  ciks: ['cik', 'ciks', 'cik_number', 'cik10'],
  tickers: ['ticker', 'tickers', 'tic', 'symbol'],
  names: ['name', 'names', 'company', 'company_name', 'entity_name', 'conm'],
};

export const LIST_WORDS: Readonly<Record<ListKind, string>> = {
  accession_numbers: 'accession number',
  ciks: 'CIK',
  tickers: 'ticker',
  names: 'company name',
};

const NAME_CHARACTERS_MAX = 200;

const PARSERS: Readonly<Record<ListKind, (text: string) => string | null>> = {
  accession_numbers: parseAccessionNumber,
  // Statistical packages write numbers with decimals.
  ciks: (text) => parseCik(text.replace(/\.0+$/, '')),
  tickers: (text) => (/^[A-Za-z0-9][A-Za-z0-9./-]{0,14}$/.test(text) ? text.toUpperCase() : null),
  // U+FFFD stands for bytes that are not UTF-8: no company has such a name.
  names: (text) =>
    /[\p{L}\p{N}]/u.test(text) && !text.includes('\ufffd') && text.length <= NAME_CHARACTERS_MAX
      ? text.replaceAll(/\s+/g, ' ')
      : null,
};

/**
 * @param column of a CSV file; a file whose name ends in .csv is one, too. Empty cells are skipped
 * @throws Error if the column is not there, or if the lines of a CSV file don't fit its header
 */
export function readValueList(
  text: string,
  { kind, file, column }: { kind: ListKind; file: string; column?: string | undefined },
): ValueList {
  const isCsv = column !== undefined || /\.csv$/i.test(file);
  return parsed(isCsv ? cellsOf(text, kind, column) : linesOf(text), kind);
}

/** @param cells of a column, in the order of the rows. Empty ones are skipped */
export function valuesOfColumn(cells: Iterable<string | null>, kind: ListKind): ValueList {
  return parsed(rowsOf(cells), kind);
}

function parsed(cells: Iterable<Cell>, kind: ListKind): ValueList {
  const values = new Set<string>();
  for (const { value, line, column } of cells) {
    const known = PARSERS[kind](value);
    if (known === null) return { values: [...values], wrong: { line, column, text: value } };
    values.add(known);
  }
  return { values: [...values], wrong: null };
}

interface Cell {
  value: string;
  line: number;
  column: number;
}

function* rowsOf(cells: Iterable<string | null>): Iterable<Cell> {
  let line = 0;
  for (const cell of cells) {
    line++;
    const value = cell?.trim() ?? '';
    if (value !== '') yield { value, line, column: 1 };
  }
}

function* linesOf(text: string): Iterable<Cell> {
  for (const [i, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    const value = line.replace(/#.*$/, '').trim();
    if (value !== '') yield { value, line: i + 1, column: line.indexOf(value) + 1 };
  }
}

function* cellsOf(text: string, kind: ListKind, wanted: string | undefined): Iterable<Cell> {
  const records = csvRecords(text.replace(/^\ufeff/, ''));
  const header = records.next();
  if (header.done) return;
  const names = header.value.cells.map((name) => name.trim());
  const at = columnAt(names, kind, wanted);
  // A list without a header: its first value would be lost.
  const only = wanted === undefined && names.length === 1 ? names[0]! : null;
  if (only !== null && !COLUMNS[kind].includes(only.toLowerCase()) && PARSERS[kind](only) !== null) {
    throw new Error(
      `its first line, ${only}, may be a ${LIST_WORDS[kind]}, and a CSV file begins with a header: write ${COLUMNS[kind][0]} above it`,
    );
  }
  for (const { cells, line } of records) {
    // A comma in a name without quotes shifts the cells behind it, and a file that was cut has too few.
    if (cells.length !== names.length) {
      throw new Error(`line ${line} has ${cells.length} cells, and the header ${names.length}`);
    }
    const value = cells[at]!.trim();
    if (value !== '') yield { value, line, column: 1 };
  }
}

/** The wanted column: that name, the only one, or one named for the values. @throws Error if no column fits */
export function columnAt(names: readonly string[], kind: ListKind, wanted: string | undefined): number {
  const lower = names.map((name) => name.toLowerCase());
  const at =
    wanted === undefined
      ? Math.max(
          lower.findIndex((name) => COLUMNS[kind].includes(name)),
          names.length === 1 ? 0 : -1,
        )
      : names.includes(wanted)
        ? names.indexOf(wanted)
        : lower.indexOf(wanted.toLowerCase());
  if (at === -1) {
    const missing =
      wanted === undefined ? `no column of ${LIST_WORDS[kind]}s is named so` : `there is no column ${wanted}`;
    throw new Error(`${missing}; the file has ${names.slice(0, 20).join(', ')}`);
  }
  return at;
}

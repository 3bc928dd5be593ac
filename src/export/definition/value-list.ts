/** CIKs, tickers or accession numbers in a file: one a line with `#` before comments, or a column of a CSV file. */
import { parseAccessionNumber, parseCik } from '../../api/index.ts';

export type ListKind = 'accession_numbers' | 'ciks' | 'tickers';

export interface WrongLine {
  /** From 1 */
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

/** The first bytes of a Parquet file. */
const PARQUET = 'PAR1';

/** Columns of which a CSV file has one if the definition names none. */
const COLUMNS: Readonly<Record<ListKind, readonly string[]>> = {
  accession_numbers: ['accession_number', 'accession', 'accession_no', 'accessionnumber'],
  ciks: ['cik', 'ciks', 'cik_number', 'cik10'],
  tickers: ['ticker', 'tickers', 'tic', 'symbol'],
};

export const LIST_WORDS: Readonly<Record<ListKind, string>> = {
  accession_numbers: 'accession number',
  ciks: 'CIK',
  tickers: 'ticker',
};

const PARSERS: Readonly<Record<ListKind, (text: string) => string | null>> = {
  accession_numbers: parseAccessionNumber,
  // Statistical packages write numbers with decimals.
  ciks: (text) => parseCik(text.replace(/\.0+$/, '')),
  tickers: (text) => (/^[A-Za-z0-9][A-Za-z0-9./-]{0,14}$/.test(text) ? text.toUpperCase() : null),
};

/**
 * @param column of a CSV file; a file whose name ends in .csv is one, too. Empty cells are skipped
 * @throws Error if the column is not there, or if it is a Parquet file
 */
export function readValueList(
  text: string,
  { kind, file, column }: { kind: ListKind; file: string; column?: string | undefined },
): ValueList {
  if (text.startsWith(PARQUET)) {
    const csv = file.replace(/(?:\.parquet)?$/i, '.csv');
    const name = column ?? COLUMNS[kind][0]!;
    throw new Error(
      `it is a Parquet file, and lists are text or CSV. In Python: pandas.read_parquet(${JSON.stringify(file)})[[${JSON.stringify(name)}]].to_csv(${JSON.stringify(csv)}, index=False)`,
    );
  }
  const isCsv = column !== undefined || /\.csv$/i.test(file);
  const cells = isCsv ? cellsOf(text, kind, column) : linesOf(text);
  const values = new Set<string>();
  for (const { value, line, column: at } of cells) {
    const parsed = PARSERS[kind](value);
    if (parsed === null) return { values: [...values], wrong: { line, column: at, text: value } };
    values.add(parsed);
  }
  return { values: [...values], wrong: null };
}

interface Cell {
  value: string;
  line: number;
  column: number;
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
  for (const { cells, line } of records) {
    const value = (cells[at] ?? '').trim();
    if (value !== '') yield { value, line, column: 1 };
  }
}

/** Records of a CSV file: commas, double quotes, line ends within quotes. Empty lines are none. */
function* csvRecords(text: string): Generator<{ cells: string[]; line: number }> {
  let cells: string[] = [];
  let cell = '';
  let quoted = false;
  let line = 1;
  let start = 1;
  for (let i = 0; i <= text.length; i++) {
    const c = text[i];
    if (quoted && c !== undefined) {
      if (c === '"' && text[i + 1] === '"') cell += text[++i];
      else if (c === '"') quoted = false;
      else cell += c;
      if (c === '\n') line++;
    } else if (c === '"' && cell === '') quoted = true;
    else if (c === ',') {
      cells.push(cell);
      cell = '';
    } else if (c === '\n' || c === undefined) {
      cells.push(cell.replace(/\r$/, ''));
      if (cells.length > 1 || cells[0] !== '') yield { cells, line: start };
      cells = [];
      cell = '';
      start = ++line;
    } else cell += c;
  }
}

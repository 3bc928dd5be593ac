/** Results of a query as JSON and CSV text, in pieces. */
import { csvCell } from '../../core/index.ts';
import type { QueryResult } from './query.ts';
import { isTooLong, textTooLong } from './query-errors.ts';
import { type Cell, cellJson } from './values.ts';

/** A piece has at most this many characters, or a single longer text. */
const PIECE_CHARACTERS = 2 ** 20;

/**
 * Joins texts to pieces for one write each. A chunk of documents has gigabytes, and no string may have more than 512 MiB.
 * @throws FilinglakeError `query-too-large`: a single text has more
 */
function* inPieces(texts: Iterable<string>): Iterable<string> {
  let piece = '';
  try {
    for (const text of texts) {
      if (piece !== '' && piece.length + text.length > PIECE_CHARACTERS) {
        yield piece;
        piece = '';
      }
      piece += text;
    }
  } catch (error) {
    throw isTooLong(error) ? textTooLong(error) : error;
  }
  if (piece !== '') yield piece;
}

/** One JSON array of objects, a row a line. Whole numbers of any size are exact. */
export async function* jsonText(result: QueryResult): AsyncIterable<string> {
  let first = true;
  const before = () => {
    const mark = first ? '[\n' : ',\n';
    first = false;
    return mark;
  };
  for await (const rows of result.chunks()) yield* inPieces(objects(result, rows, before, ''));
  yield first ? '[]\n' : '\n]\n';
}

/** A JSON object a line. */
export async function* jsonLines(result: QueryResult): AsyncIterable<string> {
  for await (const rows of result.chunks()) yield* inPieces(objects(result, rows, () => '', '\n'));
}

function* objects(result: QueryResult, rows: Cell[][], before: () => string, behind: string): Iterable<string> {
  const names = result.columns.map(({ name }) => `${JSON.stringify(name)}: `);
  for (const row of rows) {
    yield `${before()}{`;
    for (const [i, cell] of row.entries()) yield `${i === 0 ? '' : ', '}${names[i]}${cellJson(cell)}`;
    yield `}${behind}`;
  }
}

/** CSV as in RFC 4180, with LF: a header, null as nothing, an empty text as "". Lists and structs as JSON. */
export function csvText(result: QueryResult): AsyncIterable<string> {
  return delimited(result, ',', (cell) => csvCell(cell !== null && typeof cell === 'object' ? cellJson(cell) : cell));
}

/** A header and the rows, a line each, with a separator between the cells. */
export async function* delimited(
  result: QueryResult,
  separator: string,
  textOf: (cell: Cell) => string,
): AsyncIterable<string> {
  const names = result.columns.map(({ name }) => name);
  yield* separated([names], separator, textOf);
  for await (const rows of result.chunks()) yield* inPieces(separated(rows, separator, textOf));
}

/** The cells of each row, with a separator between them and a line end behind them. */
function* separated(
  rows: readonly (readonly Cell[])[],
  separator: string,
  textOf: (cell: Cell) => string,
): Iterable<string> {
  for (const row of rows) {
    for (const [i, cell] of row.entries()) yield i === 0 ? textOf(cell) : separator + textOf(cell);
    yield '\n';
  }
}

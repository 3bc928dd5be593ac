/** Results of a query as JSON and CSV text, a chunk at a time. */
import type { QueryResult } from './query.ts';
import { type Cell, cellJson } from './values.ts';

/** One JSON array of objects, a row a line. Whole numbers are exact, whatever their size. */
export async function* jsonText(result: QueryResult): AsyncIterable<string> {
  const names = result.columns.map(({ name }) => `${JSON.stringify(name)}: `);
  let first = true;
  for await (const rows of result.chunks()) {
    const lines = rows.map((row) => `{${row.map((cell, i) => names[i] + cellJson(cell)).join(', ')}}`);
    yield `${first ? '[\n' : ',\n'}${lines.join(',\n')}`;
    first = false;
  }
  yield first ? '[]\n' : '\n]\n';
}

/** CSV as in RFC 4180, with LF: a header, null as nothing, an empty text as "". Lists and structs as JSON. */
export async function* csvText(result: QueryResult): AsyncIterable<string> {
  yield `${result.columns.map(({ name }) => csvCell(name)).join(',')}\n`;
  for await (const rows of result.chunks()) yield rows.map((row) => `${row.map(csvCell).join(',')}\n`).join('');
}

function csvCell(cell: Cell): string {
  if (cell === null) return '';
  const text = plainText(cell);
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A cell for a person: texts unchanged, the rest as JSON. */
export function plainText(cell: Exclude<Cell, null>): string {
  return typeof cell === 'object' ? cellJson(cell) : String(cell);
}

/** A table of a document as `read` shows it: a row for each of its rows, cells by column. */
import { FilinglakeError, quoteText } from '../../core/index.ts';
import type { Json } from '../answers/json-text.ts';
import { rowsOf } from './sql-session.ts';
import { type FoundRows, lakeOf, type ToolCall } from './tool.ts';

/** The caller has asked whether the filing may be seen. @throws FilinglakeError `passage-missing` */
export async function readTable(call: ToolCall<unknown>, documentId: string, table: number): Promise<FoundRows> {
  const { lake, version } = lakeOf(call);
  const where = `document_id = ${quoteText(documentId)} AND table_number = ${table}`;
  const missing = `the lake has no table ${table} of ${documentId}`;
  const empty = await lake.without(['document_tables'], version);
  if (empty !== null || call.world.sql === null) throw new FilinglakeError('passage-missing', empty ?? missing);
  const sql = `SELECT row_number, column_number, text, number, unit, marks FROM document_tables WHERE ${where} ORDER BY row_number, column_number`;
  const [about] = await lake.rows(
    `SELECT section, scale, scale_from, accession_number FROM document_tables WHERE ${where} LIMIT 1`,
    version,
  );
  if (about === undefined) throw new FilinglakeError('passage-missing', missing);
  const found = await call.world.sql.run(sql, { version, signal: call.signal, keepAs: null });
  const rows = new Map<number, Record<string, Json>>();
  for (const cell of rowsOf(found, 0) as {
    row_number: number;
    column_number: number;
    text: string;
    unit: string | null;
  }[]) {
    const row = rows.get(cell.row_number) ?? { row: cell.row_number };
    const sign = cell.unit !== null && !cell.text.includes(cell.unit) ? cell.unit : '';
    row[cell.column_number] = sign === '%' ? cell.text + sign : sign + cell.text;
    rows.set(cell.row_number, row);
  }
  const all = [...rows.values()];
  return {
    head: {
      accession_number: String(about.accession_number),
      document_id: documentId,
      table,
      section: (about.section as string | null) ?? null,
      scale: (about.scale as number | null) ?? null,
    },
    rows: all.slice(call.position),
    total: all.length,
    caveats:
      about.scale === null ? [] : ['amounts are in units of ten to the power of scale; shares and ratios are not'],
  };
}

/**
 * The journal of an open segment: a line after each written group of row batches. After a kill, it shows which rows belong to whole
 * row batches. Rows are written first, then their line: rows without a line, or a torn line, don't count.
 */
import { crc32 } from 'node:zlib';
import type { WideRow } from './wide-rows.ts';

/** Beside the tables' files; no table has this name. */
export const JOURNAL_FILE = '+deliveries.ndjson';

/** A table's file, up to the end of its last whole row batch. */
interface TableSoFar {
  rows: number;
  bytes: number;
  /** CRC-32 of those bytes: a power cut may keep a file's length and lose its content. */
  crc: number;
  longestLine: number;
  ascending: boolean;
}

export interface JournalLine {
  /** Tables that grew. */
  tables: Record<string, TableSoFar>;
  /** The meta of each row batch. */
  metas: unknown[];
  wide?: Record<string, WideRow[]>;
}

/** The salvageable content after a kill: everything up to the last line whose rows are present. */
export interface JournalContent {
  tables: Record<string, TableSoFar>;
  metas: unknown[];
  wide: Record<string, WideRow[]>;
}

/** Its CRC-32 in eight hexadecimal digits, a space, JSON, and a line end. */
export function journalLine(line: JournalLine): Buffer {
  const json = Buffer.from(JSON.stringify(line));
  return Buffer.concat([Buffer.from(`${crcText(json)} `), json, Buffer.from('\n')]);
}

/** Bytes before the JSON. */
const CRC_BYTES = 9;

function crcText(json: Buffer): string {
  return crc32(json).toString(16).padStart(8, '0');
}

/**
 * Reads a journal that may be cut off anywhere, with files that may be cut off anywhere.
 * @param journal its bytes, read before the tables' files
 * @param read the bytes of a table's file; null: it does not exist
 * @param isWhole whether the separate files of a row's values are present
 * @returns null if no row batch is whole
 */
export async function readJournal(
  journal: Buffer,
  read: (table: string) => Promise<Buffer | null>,
  isWhole: (row: WideRow) => Promise<boolean>,
): Promise<JournalContent | null> {
  const content: JournalContent = { tables: {}, metas: [], wide: {} };
  const files = new Map<string, Buffer>();
  let lines = 0;
  for (const line of linesOf(journal)) {
    for (const table of Object.keys(line.tables)) {
      if (!files.has(table)) files.set(table, (await read(table)) ?? Buffer.alloc(0));
    }
    const isThere = Object.entries(line.tables).every(([table, upTo]) =>
      holds(files.get(table)!, content.tables[table] ?? NOTHING, upTo),
    );
    const wide = Object.values(line.wide ?? {}).flat();
    if (!isThere || !(await allOf(wide, isWhole))) break;
    Object.assign(content.tables, line.tables);
    content.metas.push(...line.metas);
    for (const [table, rows] of Object.entries(line.wide ?? {})) {
      content.wide[table] = [...(content.wide[table] ?? []), ...rows];
    }
    lines++;
  }
  return lines === 0 ? null : content;
}

const NOTHING: Pick<TableSoFar, 'bytes' | 'crc'> = { bytes: 0, crc: 0 };

function holds(file: Buffer, before: Pick<TableSoFar, 'bytes' | 'crc'>, upTo: TableSoFar): boolean {
  return file.length >= upTo.bytes && crc32(file.subarray(before.bytes, upTo.bytes), before.crc) === upTo.crc;
}

/** Whole lines, up to the first damaged one: the metas list the steps that must not be requested again. */
function* linesOf(journal: Buffer): Iterable<JournalLine> {
  for (let from = 0; ; ) {
    const end = journal.indexOf(0x0a, from);
    if (end === -1) return;
    const json = journal.subarray(from + CRC_BYTES, end);
    if (journal.toString('latin1', from, from + CRC_BYTES) !== `${crcText(json)} `) return;
    yield JSON.parse(json.toString('utf8')) as JournalLine;
    from = end + 1;
  }
}

async function allOf<T>(list: readonly T[], holdsFor: (one: T) => Promise<boolean>): Promise<boolean> {
  for (const one of list) if (!(await holdsFor(one))) return false;
  return true;
}

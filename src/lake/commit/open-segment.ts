/** A segment that is being written: a growing file for each table, and a journal of the written row batches. */
import { crc32 } from 'node:zlib';
import { FilinglakeError } from '../../core/index.ts';
import type { GrowingFile, LakeStorage } from '../storage/storage.ts';
import type { TableDefinition } from '../tables/index.ts';
import { isAscendingIn, type LinesShape, type SealedLines } from './multi-table-ndjson.ts';
import { ORDINAL, type Row, rowLine } from './rows.ts';
import { JOURNAL_FILE, type JournalLine, journalLine } from './segment-journal.ts';
import type { SealedSegment, SegmentTable } from './staging.ts';
import type { WideRow } from './wide-rows.ts';

/** Characters of a table held in memory before they are written. */
const FLUSH_CHARACTERS = 256 * 1024;
/** Bytes of lines held in memory before they are written. */
const LINES_BYTES = 512 * 1024;
const LINE_END = 0x0a;

interface OpenTable {
  definition: TableDefinition;
  file: GrowingFile;
  lines: string[];
  characters: number;
  rows: number;
  bytes: number;
  crc: number;
  longestLine: number;
  ascending: boolean;
  last: Row | null;
  wide: WideRow[];
}

/** A record in its original text, written as a line that holds rows of several tables. */
export interface RecordLine {
  /** The text of the record: one JSON object with at least one member, without line ends or half surrogate pairs. */
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  /** Members to insert before the record's own, as JSON: `"revision":"09ab"`. The record has no member of these names. */
  readonly members: string;
  /** The sort key of the lines. */
  readonly key: string;
  /** Numbers of rows in the line, for tables of which it doesn't hold exactly one. */
  readonly rows?: Readonly<Record<string, number>>;
}

/** Lines of one shape in the open segment. */
interface OpenLines {
  shape: LinesShape;
  /** The member that has `key`. */
  by: string;
  file: GrowingFile;
  buffer: Buffer;
  end: number;
  lines: number;
  rows: Record<string, number>;
  bytes: number;
  longestLine: number;
  ascending: boolean;
  last: string | null;
}

/** A row with values in separate files, which are durable already. */
export class RowAside {
  readonly row: Row;
  readonly values: WideRow['values'];

  /** @param row without these values */
  constructor(row: Row, values: WideRow['values']) {
    this.row = row;
    this.values = values;
  }
}

export interface TableRow {
  readonly table: string;
  readonly row: Row;
}

export type RowsOfTables = Readonly<Record<string, readonly (Row | RowAside)[]>>;

/** What the seal records of a segment's files. */
export type SealedFiles = Pick<SealedSegment, 'tables' | 'folder' | 'longestLine' | 'ascending' | 'lines' | 'wide'>;

export class OpenSegment {
  /** Within the batch's folder. */
  readonly folder: string;
  rows = 0;
  /** Approximate bytes, without values in separate files. */
  bytes = 0;
  /** The metas of its row batches. */
  readonly metas: unknown[] = [];
  readonly #storage: LakeStorage;
  readonly #tables: ReadonlyMap<string, TableDefinition>;
  readonly #path: string;
  readonly #open = new Map<string, OpenTable>();
  readonly #lines = new Map<string, OpenLines>();
  readonly #journal: GrowingFile;
  #journaled = 0;
  /** Tables that grew since the journal's last line, and rows with separate files. */
  readonly #grown = new Set<OpenTable>();
  #newWide: Record<string, WideRow[]> = {};

  /** @param path of the batch's folder */
  constructor(storage: LakeStorage, tables: ReadonlyMap<string, TableDefinition>, path: string, folder: string) {
    this.#storage = storage;
    this.#tables = tables;
    this.folder = folder;
    this.#path = `${path}/${folder}`;
    this.#journal = storage.openGrowing(`${this.#path}/${JOURNAL_FILE}`);
  }

  /** @throws FilinglakeError `row-invalid`: nothing has changed; `lake-full`, `lake-unwritable` */
  append(tableName: string, row: Row): void {
    this.#put(this.#lineOf(tableName, row, 0));
  }

  /**
   * Adds all rows of a row batch, or none. @throws FilinglakeError `row-invalid`: nothing has changed
   * @param more rows that are written as they are made, without a pause. The journal names them only when all are there. If making
   * one fails, the segment is broken
   */
  deliver(rows: RowsOfTables, meta: unknown, more: Iterable<TableRow> = []): void {
    const lines: NewLine[] = [];
    for (const [table, list] of Object.entries(rows)) {
      list.forEach((row, i) => {
        lines.push(this.#lineOf(table, row, i));
      });
    }
    for (const line of lines) this.#put(line);
    try {
      for (const { table, row } of more) this.#put(this.#lineOf(table, row, 0));
    } catch (error) {
      // Written rows can't be taken back. An error other than a refused row makes the writer abandon the segment.
      throw new Error('making further rows of a row batch failed', { cause: error });
    }
    this.metas.push(meta);
  }

  /** Adds a record as a line. @param name of the lines' file, all of one shape @param by the member that has `key` */
  appendRecord(name: string, shape: LinesShape, by: string, record: RecordLine): void {
    const open = this.#lines.get(name) ?? this.#openLines(name, shape, by);
    open.ascending &&= open.last === null || record.key > open.last;
    open.last = record.key;
    putLine(open, record);
    for (const table in shape) {
      const rows = record.rows?.[table] ?? 1;
      open.rows[table]! += rows;
      this.rows += rows;
    }
    this.bytes += record.end - record.start;
  }

  /** Writes the collected rows to the files, and then a line to the journal. Blocking. A killed process loses none of them. */
  flushDeliveries(): void {
    if (this.metas.length === this.#journaled) return;
    const line: JournalLine = { tables: {}, metas: this.metas.slice(this.#journaled) };
    for (const table of this.#grown) {
      flush(table);
      const { rows, bytes, crc, longestLine, ascending } = table;
      line.tables[table.definition.name] = { rows, bytes, crc, longestLine, ascending };
    }
    if (Object.keys(this.#newWide).length > 0) line.wide = this.#newWide;
    this.#journal.append(journalLine(line));
    this.#journaled = this.metas.length;
    this.#grown.clear();
    this.#newWide = {};
  }

  /** Makes everything written durable. */
  async sync(): Promise<void> {
    await Promise.all([...this.#open.values(), ...this.#lines.values()].map(({ file }) => file.sync()));
    await this.#journal.sync();
  }

  /** Writes the rest, makes everything durable, and returns what the seal records. */
  async finish(): Promise<SealedFiles> {
    for (const table of this.#open.values()) flush(table);
    for (const lines of this.#lines.values()) flushLines(lines);
    // A sealed segment needs no journal.
    this.#journal.close();
    const files = [...this.#open.values(), ...this.#lines.values()].map(({ file }) => file);
    for (const file of files) file.close();
    await Promise.all(files.map((file) => file.sync()));
    const tables: Record<string, SegmentTable> = {};
    const lines = [...this.#lines].map(([name, open]) => sealedLines(name, open, tables));
    const longestLine: Record<string, number> = {};
    const wide: Record<string, WideRow[]> = {};
    for (const [name, table] of this.#open) {
      const { rows, bytes } = tables[name] ?? { rows: 0, bytes: 0 };
      tables[name] = { rows: rows + table.rows, bytes: bytes + table.bytes };
      longestLine[name] = table.longestLine;
      if (table.wide.length > 0) wide[name] = table.wide;
    }
    const { folder } = this;
    return {
      tables,
      folder,
      longestLine,
      ascending: this.#ascending(),
      ...(lines.length > 0 ? { lines } : {}),
      ...(Object.keys(wide).length > 0 ? { wide } : {}),
    };
  }

  /** Closes the files. Row batches in the journal stay for another attempt; other files are deleted. */
  async abandon(): Promise<void> {
    // On some storages others see only synced bytes. Unseen rows are fetched again.
    if (this.#journaled > 0) await this.sync().catch(() => undefined);
    for (const { file } of [...this.#open.values(), ...this.#lines.values()]) file.close();
    this.#journal.close();
    if (this.#journaled === 0) await this.#storage.removeFolder(this.#path);
  }

  #lineOf(tableName: string, given: Row | RowAside, place: number): NewLine {
    const definition = this.#definition(tableName);
    const aside = given instanceof RowAside ? given : null;
    const row = given instanceof RowAside ? given.row : given;
    const ordinal = (this.#open.get(tableName)?.rows ?? 0) + place;
    return { definition, row, aside, line: rowLine(definition, row, ordinal) };
  }

  #put({ definition, row, aside, line }: NewLine): void {
    const table = this.#open.get(definition.name) ?? this.#openTable(definition);
    table.ascending &&= table.last === null || isBehind(definition, row, table.last);
    table.last = row;
    if (aside) this.#putWide(table, aside);
    table.lines.push(line);
    table.characters += line.length;
    table.rows++;
    this.rows++;
    this.bytes += line.length;
    this.#grown.add(table);
    if (table.characters >= FLUSH_CHARACTERS) flush(table);
  }

  #putWide(table: OpenTable, { row, values }: RowAside): void {
    const { name } = table.definition;
    const wide: WideRow = { ordinal: table.rows, row, values };
    table.wide.push(wide);
    this.#newWide[name] = [...(this.#newWide[name] ?? []), wide];
  }

  /** Tables whose rows come in the order of their keys. Unknown for tables with rows from two sources. */
  #ascending(): string[] {
    const ways = [...this.#open].map(([name, table]) => ({ name, ascending: table.ascending }));
    for (const { shape, by, ascending } of this.#lines.values()) {
      for (const [name, table] of Object.entries(shape)) {
        ways.push({ name, ascending: isAscendingIn(this.#definition(name), table, ascending ? by : null) });
      }
    }
    const names = ways.map(({ name }) => name);
    return ways
      .filter(({ name, ascending }) => ascending && names.indexOf(name) === names.lastIndexOf(name))
      .map(({ name }) => name);
  }

  #definition(name: string): TableDefinition {
    const definition = this.#open.get(name)?.definition ?? this.#tables.get(name);
    if (!definition) throw new FilinglakeError('table-unknown', `the lake has no table ${name}`);
    return definition;
  }

  #openLines(name: string, shape: LinesShape, by: string): OpenLines {
    const rows = Object.fromEntries(Object.keys(shape).map((table) => [this.#definition(table).name, 0]));
    const open: OpenLines = {
      shape,
      by,
      rows,
      file: this.#storage.openGrowing(`${this.#path}/${fileOfLines(name)}`),
      buffer: Buffer.allocUnsafeSlow(LINES_BYTES),
      end: 0,
      lines: 0,
      bytes: 0,
      longestLine: 0,
      ascending: true,
      last: null,
    };
    this.#lines.set(name, open);
    return open;
  }

  #openTable(definition: TableDefinition): OpenTable {
    const file = this.#storage.openGrowing(`${this.#path}/${fileOfTable(definition.name)}`);
    const counts = { characters: 0, rows: 0, bytes: 0, crc: 0, longestLine: 0 };
    const table = { definition, file, lines: [], ...counts, ascending: hasPlainKey(definition), last: null, wide: [] };
    this.#open.set(definition.name, table);
    return table;
  }
}

interface NewLine {
  definition: TableDefinition;
  row: Row;
  aside: RowAside | null;
  line: string;
}

export function fileOfTable(table: string): string {
  return `${table}.ndjson`;
}

function fileOfLines(name: string): string {
  return `${name}.lines.ndjson`;
}

/** @param tables the tables that get its rows: its bytes count for the first one */
function sealedLines(name: string, open: OpenLines, tables: Record<string, SegmentTable>): SealedLines {
  const { shape, rows, longestLine } = open;
  let { bytes } = open;
  for (const table in rows) {
    const before = tables[table] ?? { rows: 0, bytes: 0 };
    tables[table] = { rows: before.rows + rows[table]!, bytes: before.bytes + bytes };
    bytes = 0;
  }
  return { file: fileOfLines(name), shape, rows, longestLine };
}

/** Times may be written in several ways: two texts may be the same key. */
function hasPlainKey({ key, columns }: TableDefinition): boolean {
  return columns.every(({ name, type }) => !key.includes(name) || ['VARCHAR', 'INTEGER', 'BIGINT'].includes(type));
}

function isBehind({ key }: TableDefinition, row: Row, last: Row): boolean {
  for (const name of key) if (row[name] !== last[name]) return row[name]! > last[name]!;
  return false;
}

/** One buffer for every flush, since the system must zero fresh memory. Longer lines get a buffer of their own. */
const spare = Buffer.allocUnsafeSlow(FLUSH_CHARACTERS * 4);

/** Each line is encoded into one buffer. In joined lines, one character beyond Latin-1 would double the memory of all. */
function flush(table: OpenTable): void {
  if (table.lines.length === 0) return;
  // A UTF-16 unit has at most three bytes.
  const fits = table.characters * 3 + table.lines.length <= spare.length;
  const buffer = fits ? spare : Buffer.allocUnsafe(exactBytes(table.lines));
  let end = 0;
  for (const line of table.lines) {
    const length = buffer.write(line, end);
    end += length;
    buffer[end++] = LINE_END;
    table.longestLine = Math.max(table.longestLine, length + 1);
  }
  const bytes = buffer.subarray(0, end);
  table.lines = [];
  table.characters = 0;
  table.bytes += end;
  table.crc = crc32(bytes, table.crc);
  table.file.append(bytes);
}

function exactBytes(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

function putLine(open: OpenLines, { bytes, start, end, members }: RecordLine): void {
  const first = `{"${ORDINAL}":${open.lines},${members},`;
  // A UTF-16 unit has at most three bytes; the record's own brace makes room for the line end.
  const most = first.length * 3 + (end - start);
  if (open.end + most > open.buffer.length) {
    flushLines(open);
    if (most > open.buffer.length) open.buffer = Buffer.allocUnsafeSlow(most);
  }
  const { buffer } = open;
  const from = open.end;
  let at = from + buffer.write(first, from);
  at += bytes.copy(buffer, at, start + 1, end);
  buffer[at++] = LINE_END;
  open.end = at;
  open.lines++;
  open.longestLine = Math.max(open.longestLine, at - from);
}

function flushLines(open: OpenLines): void {
  if (open.end === 0) return;
  open.bytes += open.end;
  open.file.append(open.buffer.subarray(0, open.end));
  open.end = 0;
}

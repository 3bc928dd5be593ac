/** Writing the rows of a batch's attempt into its segments. */
import { randomUUID } from 'node:crypto';
import { FilinglakeError } from '../contract/index.ts';
import { batchFolder } from './layout.ts';
import { putOnce } from './put-once.ts';
import { ORDINAL, type Row, rowLine } from './rows.ts';
import { isAscendingIn, type LinesShape, type SealedLines } from './shared-lines.ts';
import { type SealedSegment, type SegmentRef, type SegmentTable, sealPath } from './staging.ts';
import type { LakeStorage, ScratchFile } from './storage.ts';
import type { TableDefinition } from './tables.ts';

/** Characters held in memory a table before they go to the file. */
const FLUSH_CHARACTERS = 256 * 1024;
/** Bytes of lines held in memory before they go to the file. */
const LINES_BYTES = 512 * 1024;
const LINE_END = 0x0a;

interface OpenTable {
  definition: TableDefinition;
  scratch: ScratchFile;
  lines: string[];
  characters: number;
  rows: number;
  bytes: number;
  longestLine: number;
  ascending: boolean;
  last: Row | null;
}

/** A record as it came, to be put down as a line that holds rows of several tables. */
export interface RecordLine {
  /** Where the record stands: one JSON object with at least one member, without line ends, and without half a surrogate pair. */
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  /** Members to be put before the record's own, as JSON: `"revision":"09ab"`. The record has none of these names. */
  readonly members: string;
  /** What the lines are put in order by. */
  readonly key: string;
  /** Rows that the line holds of tables of which it holds more or less than one. */
  readonly rows?: Readonly<Record<string, number>>;
}

/** Lines of one shape in the open segment. */
interface OpenLines {
  shape: LinesShape;
  /** The member that `key` is of. */
  by: string;
  scratch: ScratchFile;
  buffer: Buffer;
  end: number;
  lines: number;
  rows: Record<string, number>;
  bytes: number;
  longestLine: number;
  ascending: boolean;
  last: string | null;
}

/** Writes the segments of one attempt at one batch. One caller at a time. */
export class SegmentWriter {
  readonly #storage: LakeStorage;
  readonly #tables: ReadonlyMap<string, TableDefinition>;
  readonly #folder: string;
  readonly #attempt: number;
  #number = 0;
  #open = new Map<string, OpenTable>();
  readonly #lines = new Map<string, OpenLines>();
  #bytes = 0;
  #rows = 0;
  /** A write failed: what the open segment's files hold is unknown. */
  #broken: unknown = null;

  constructor(
    storage: LakeStorage,
    tables: ReadonlyMap<string, TableDefinition>,
    id: { runId: string; batchId: string; attempt: number },
  ) {
    this.#storage = storage;
    this.#tables = tables;
    this.#folder = batchFolder(id.runId, id.batchId);
    this.#attempt = id.attempt;
  }

  /** About how many bytes the open segment has. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Rows in the open segment. */
  get rows(): number {
    return this.#rows;
  }

  /**
   * Adds a row to the open segment.
   * @throws FilinglakeError `row-invalid` (the row is left out, the segment is as before), `lake-full`, `lake-unwritable`
   */
  append(tableName: string, row: Row): void {
    if (this.#broken) throw this.#broken;
    const open = this.#open.get(tableName);
    const definition = open?.definition ?? this.#definition(tableName);
    const line = rowLine(definition, row, open?.rows ?? 0);
    const table = open ?? this.#openTable(definition);
    table.ascending &&= table.last === null || isBehind(definition, row, table.last);
    table.last = row;
    table.lines.push(line);
    table.characters += line.length;
    table.rows++;
    this.#rows++;
    this.#bytes += line.length;
    if (table.characters >= FLUSH_CHARACTERS) this.#flush(table);
  }

  /**
   * Adds a record to the open segment, as the line that it is.
   * @param name of the lines, a file's; all of one name have the same shape
   * @param by the member that `key` is of
   * @throws FilinglakeError `lake-full`, `lake-unwritable`
   */
  appendRecord(name: string, shape: LinesShape, by: string, record: RecordLine): void {
    if (this.#broken) throw this.#broken;
    const open = this.#lines.get(name) ?? this.#openLines(name, shape, by);
    open.ascending &&= open.last === null || record.key > open.last;
    open.last = record.key;
    try {
      putLine(open, record);
    } catch (error) {
      this.#broken = error;
      throw error;
    }
    for (const table in shape) {
      const rows = record.rows?.[table] ?? 1;
      open.rows[table]! += rows;
      this.#rows += rows;
    }
    this.#bytes += record.end - record.start;
  }

  /**
   * Makes the open segment durable and starts the next.
   * @param meta any JSON, kept with the segment: where the attempt stands
   * @returns null where there was neither a row nor a `meta`
   */
  async seal(meta?: unknown): Promise<SegmentRef | null> {
    if (this.#broken) throw this.#broken;
    if (this.#rows === 0 && meta === undefined) return null;
    try {
      return await this.#sealOpen(meta);
    } catch (error) {
      this.#broken = error;
      throw error;
    }
  }

  async #sealOpen(meta: unknown): Promise<SegmentRef> {
    // An attempt number may come twice (a workflow that was reset, staging that was dropped): names are never used again.
    const folder = `${this.#attempt}-${this.#number++}.${randomUUID().replaceAll('-', '').slice(0, 16)}`;
    const tables: Record<string, SegmentTable> = {};
    const longestLine: Record<string, number> = {};
    const ascending = this.#ascending();
    const lines = await this.#sealLines(folder, tables);
    await Promise.all(
      [...this.#open].map(async ([name, table]) => {
        this.#flush(table);
        await this.#storage.adopt(table.scratch, `${this.#folder}/${folder}/${name}.ndjson`);
        const { rows, bytes } = tables[name] ?? { rows: 0, bytes: 0 };
        tables[name] = { rows: rows + table.rows, bytes: bytes + table.bytes };
        longestLine[name] = table.longestLine;
      }),
    );
    this.#forgetOpen();
    const files = { folder, longestLine, ascending, ...(lines.length > 0 ? { lines } : {}) };
    return this.#putSeal({ tables, ...(meta === undefined ? {} : { meta }) }, files);
  }

  /** @param tables what its rows are added to: their bytes count with the first table */
  async #sealLines(folder: string, tables: Record<string, SegmentTable>): Promise<SealedLines[]> {
    const sealed: SealedLines[] = [];
    for (const [name, open] of this.#lines) {
      flushLines(open);
      const file = `${name}.lines.ndjson`;
      await this.#storage.adopt(open.scratch, `${this.#folder}/${folder}/${file}`);
      const { shape, rows, longestLine } = open;
      sealed.push({ file, shape, rows, longestLine });
      let { bytes } = open;
      for (const table in rows) {
        const before = tables[table] ?? { rows: 0, bytes: 0 };
        tables[table] = { rows: before.rows + rows[table]!, bytes: before.bytes + bytes };
        bytes = 0;
      }
    }
    return sealed;
  }

  /** Tables whose rows come in the order of their keys. Of those that come in two ways it isn't known. */
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

  /** Gives up the open segment, also one that a failed write broke. What was sealed stays. */
  async abandon(): Promise<void> {
    await Promise.all([...this.#open.values(), ...this.#lines.values()].map(({ scratch }) => scratch.discard()));
    this.#broken = null;
    this.#forgetOpen();
  }

  #forgetOpen(): void {
    this.#open = new Map();
    this.#lines.clear();
    this.#rows = 0;
    this.#bytes = 0;
  }

  async #putSeal(
    content: { tables: Record<string, SegmentTable>; meta?: unknown },
    files: Pick<SealedSegment, 'folder' | 'longestLine' | 'ascending' | 'lines'>,
  ): Promise<SegmentRef> {
    const name = files.folder;
    const sealed: SealedSegment = { name, ...content, ...files };
    await putOnce(this.#storage, sealPath(this.#folder, name), Buffer.from(JSON.stringify(sealed)));
    return { name, ...content };
  }

  #flush(table: OpenTable): void {
    try {
      flush(table);
    } catch (error) {
      this.#broken = error;
      throw error;
    }
  }

  #definition(name: string): TableDefinition {
    const definition = this.#tables.get(name);
    if (!definition) throw new FilinglakeError('table-unknown', `the lake has no table ${name}`);
    return definition;
  }

  #openLines(name: string, shape: LinesShape, by: string): OpenLines {
    const rows = Object.fromEntries(Object.keys(shape).map((table) => [this.#definition(table).name, 0]));
    const open: OpenLines = {
      ...{ shape, by, rows, scratch: this.#storage.openScratch(), buffer: Buffer.allocUnsafeSlow(LINES_BYTES) },
      ...{ end: 0, lines: 0, bytes: 0, longestLine: 0, ascending: true, last: null },
    };
    this.#lines.set(name, open);
    return open;
  }

  #openTable(definition: TableDefinition): OpenTable {
    const scratch = this.#storage.openScratch();
    const counts = { characters: 0, rows: 0, bytes: 0, longestLine: 0 };
    const table = { definition, scratch, lines: [], ...counts, ascending: hasPlainKey(definition), last: null };
    this.#open.set(definition.name, table);
    return table;
  }
}

/** Times are written in several ways: other texts aren't other keys. */
function hasPlainKey({ key, columns }: TableDefinition): boolean {
  return columns.every(({ name, type }) => !key.includes(name) || ['VARCHAR', 'INTEGER', 'BIGINT'].includes(type));
}

function isBehind({ key }: TableDefinition, row: Row, last: Row): boolean {
  for (const name of key) if (row[name] !== last[name]) return row[name]! > last[name]!;
  return false;
}

/** Used again by every flush, since fresh memory has to be zeroed by the system; longer lines get a buffer of their own. */
const spare = Buffer.allocUnsafeSlow(FLUSH_CHARACTERS * 4);

/** Line by line into one buffer: of lines joined first, one with a character beyond Latin-1 would make all of them twice as wide. */
function flush(table: OpenTable): void {
  if (table.lines.length === 0) return;
  // A UTF-16 unit is at most three bytes.
  const fits = table.characters * 3 + table.lines.length <= spare.length;
  const bytes = fits ? spare : Buffer.allocUnsafe(exactBytes(table.lines));
  let end = 0;
  for (const line of table.lines) {
    const length = bytes.write(line, end);
    end += length;
    bytes[end++] = LINE_END;
    table.longestLine = Math.max(table.longestLine, length + 1);
  }
  table.lines = [];
  table.characters = 0;
  table.bytes += end;
  table.scratch.append(bytes.subarray(0, end));
}

function exactBytes(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

function putLine(open: OpenLines, { bytes, start, end, members }: RecordLine): void {
  const first = `{"${ORDINAL}":${open.lines},${members},`;
  // A UTF-16 unit is at most three bytes; the record's own brace makes room for the line's end.
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
  open.scratch.append(open.buffer.subarray(0, open.end));
  open.end = 0;
}

/** Writes the rows of a batch's attempt to its segments. */
import { randomUUID } from 'node:crypto';
import { type ErrorCode, FilinglakeError } from '../../core/index.ts';
import { batchFolder } from '../storage/layout.ts';
import { putOnce } from '../storage/put-once.ts';
import type { LakeStorage } from '../storage/storage.ts';
import type { TableDefinition } from '../tables/index.ts';
import type { LinesShape } from './multi-table-ndjson.ts';
import {
  OpenSegment,
  type RecordLine,
  RowAside,
  type RowsOfTables,
  type SealedFiles,
  type TableRow,
} from './open-segment.ts';
import type { Row } from './rows.ts';
import { type SealedSegment, type SegmentRef, sealPath } from './staging.ts';
import { WIDE_VALUE_BYTES, type WideValue, wideColumns, writeWideValue } from './wide-rows.ts';

/** Rows become durable within this time: a power cut loses no more. */
const SYNC_MS = 2_000;

export interface SegmentWriterOptions {
  /** A value of at least this many bytes gets a separate file. Lower only in tests. */
  wideValueBytes?: number;
}

/** Writes the segments of one attempt at one batch. */
export class SegmentWriter {
  readonly #storage: LakeStorage;
  readonly #tables: ReadonlyMap<string, TableDefinition>;
  readonly #folder: string;
  readonly #attempt: number;
  readonly #wideValueBytes: number;
  #number = 0;
  #open: OpenSegment | null = null;
  /** Seals run one after the other: segments are numbered in the order of writing. */
  #sealing: Promise<unknown> = Promise.resolve();
  #writing: Promise<void> | null = null;
  #unwritten = new Set<OpenSegment>();
  #syncs: NodeJS.Timeout | null = null;
  /** A write failed: the content of the open segment's files is unknown. */
  #broken: unknown = null;

  constructor(
    storage: LakeStorage,
    tables: ReadonlyMap<string, TableDefinition>,
    id: { runId: string; batchId: string; attempt: number },
    { wideValueBytes = WIDE_VALUE_BYTES }: SegmentWriterOptions = {},
  ) {
    this.#storage = storage;
    this.#tables = tables;
    this.#folder = batchFolder(id.runId, id.batchId);
    this.#attempt = id.attempt;
    this.#wideValueBytes = wideValueBytes;
  }

  /** Approximate bytes of the open segment. */
  get bytes(): number {
    return this.#open?.bytes ?? 0;
  }

  /** Adds a row. @throws FilinglakeError `row-invalid` (the segment is unchanged), `lake-full`, `lake-unwritable` */
  append(tableName: string, row: Row): void {
    this.#change((open) => open.append(tableName, row));
  }

  /**
   * Adds a record to the open segment, as a line.
   * @param name of the lines' file; all lines of one name have the same shape
   * @param by the member that has `key`
   * @throws FilinglakeError `lake-full`, `lake-unwritable`
   */
  appendRecord(name: string, shape: LinesShape, by: string, record: RecordLine): void {
    this.#change((open) => open.appendRecord(name, shape, by, record));
  }

  /**
   * Adds rows that belong together. Once it resolves, the operating system has them: if this process is killed, another attempt
   * finds all of them. After an earlier kill it finds all or none.
   * @param meta any JSON, stored with them
   * @param more further rows, too many to hold in memory. They must be valid, and have no values that need separate files
   * @throws FilinglakeError `row-invalid` (none of the rows is added), `lake-full`, `lake-unwritable`
   */
  async deliver(
    rows: Readonly<Record<string, readonly Row[]>>,
    meta: unknown,
    more: Iterable<TableRow> = [],
  ): Promise<void> {
    if (this.#broken) throw this.#broken;
    const ready = this.#hasWide(rows) ? await this.#putWideAside(rows) : rows;
    this.#change((open) => {
      open.deliver(ready, meta, more);
      this.#unwritten.add(open);
    });
    await this.#writeSoon();
  }

  /**
   * Makes the open segment durable and starts the next one at once: rows that arrive meanwhile go there.
   * @param meta any JSON, stored with the segment: the state of the attempt. A function makes it from the metas of the row batches
   * @returns null if there was neither a row nor a `meta`
   */
  async seal(meta?: unknown): Promise<SegmentRef | null> {
    if (this.#broken) throw this.#broken;
    const open = this.#open ?? null;
    const isMade = typeof meta === 'function';
    if ((open === null || open.rows === 0) && (meta === undefined || isMade)) return null;
    const segment = open ?? this.#begin();
    const kept: unknown = isMade ? meta(segment.metas) : meta;
    // The caller of a full segment may continue before the seal is done.
    this.#change(() => segment.flushDeliveries());
    this.#open = null;
    this.#unwritten.delete(segment);
    const next = this.#sealing.then(() => this.#seal(segment, kept));
    this.#sealing = next.catch(() => undefined);
    try {
      return await next;
    } catch (error) {
      this.#broken = error;
      throw error;
    }
  }

  async #seal(segment: OpenSegment, meta: unknown): Promise<SegmentRef> {
    const { tables, ...files } = await segment.finish();
    return putSeal(this.#storage, this.#folder, { tables, ...(meta === undefined ? {} : { meta }) }, files);
  }

  /** Gives up the open segment, even after a failed write. Sealed segments and whole row batches stay. */
  async abandon(): Promise<void> {
    if (this.#syncs) clearInterval(this.#syncs);
    this.#syncs = null;
    await this.#sealing;
    await this.#open?.abandon();
    this.#broken = null;
    this.#open = null;
    this.#unwritten.clear();
  }

  #change(change: (open: OpenSegment) => void): void {
    if (this.#broken) throw this.#broken;
    try {
      change(this.#open ?? this.#begin());
    } catch (error) {
      if (!(error instanceof FilinglakeError) || !REFUSALS.has(error.code)) this.#broken = error;
      throw error;
    }
  }

  #begin(): OpenSegment {
    const folder = segmentName(this.#attempt, this.#number++);
    this.#open = new OpenSegment(this.#storage, this.#tables, this.#folder, folder);
    return this.#open;
  }

  /** Row batches of one turn of the event loop are written together. */
  #writeSoon(): Promise<void> {
    this.#writing ??= new Promise<void>((resolve, reject) => {
      setImmediate(() => {
        this.#writing = null;
        try {
          if (this.#broken) throw this.#broken;
          for (const open of this.#unwritten) open.flushDeliveries();
          this.#unwritten.clear();
          this.#syncs ??= setInterval(() => void this.#sync(), SYNC_MS).unref();
          resolve();
        } catch (error) {
          this.#broken = error;
          reject(error);
        }
      });
    });
    return this.#writing;
  }

  async #sync(): Promise<void> {
    try {
      await this.#open?.sync();
    } catch (error) {
      this.#broken = error;
    }
  }

  #hasWide(rows: Readonly<Record<string, readonly Row[]>>): boolean {
    return Object.entries(rows).some(([name, list]) => {
      const table = this.#tables.get(name);
      return table !== undefined && list.some((row) => wideColumns(table, row, this.#wideValueBytes).length > 0);
    });
  }

  async #putWideAside(rows: Readonly<Record<string, readonly Row[]>>): Promise<RowsOfTables> {
    const ready: Record<string, (Row | RowAside)[]> = {};
    for (const [name, list] of Object.entries(rows)) {
      const table = this.#tables.get(name);
      ready[name] = [];
      for (const row of list) ready[name].push(table ? await this.#aside(table, row) : row);
    }
    return ready;
  }

  async #aside(table: TableDefinition, row: Row): Promise<Row | RowAside> {
    const columns = wideColumns(table, row, this.#wideValueBytes);
    if (columns.length === 0) return row;
    const values: Record<string, WideValue> = {};
    for (const column of columns) {
      values[column] = await writeWideValue(this.#storage, this.#folder, table, column, String(row[column]));
    }
    const nulls = Object.fromEntries(columns.map((column) => [column, null]));
    return new RowAside({ ...row, ...nulls }, values);
  }
}

/** The error of a refused row: the segment is unchanged. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set(['row-invalid', 'table-unknown']);

/** A name for a segment and its folder. It never repeats, though an attempt number may, after a reset. */
export function segmentName(attempt: number, number: number): string {
  return `${attempt}-${number}.${randomUUID().replaceAll('-', '').slice(0, 16)}`;
}

/** @param folder the batch's */
export async function putSeal(
  storage: LakeStorage,
  folder: string,
  content: Pick<SegmentRef, 'tables' | 'meta'>,
  files: Omit<SealedFiles, 'tables'> & Pick<SealedSegment, 'from'>,
): Promise<SegmentRef> {
  const name = files.folder;
  const sealed: Omit<SealedSegment, 'batchFolder'> = { name, ...content, ...files };
  await putOnce(storage, sealPath(folder, name), Buffer.from(JSON.stringify(sealed)));
  return { name, ...content };
}

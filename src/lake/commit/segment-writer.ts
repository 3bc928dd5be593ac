/** Writing the rows of a batch's attempt into its segments. */
import { randomUUID } from 'node:crypto';
import { type ErrorCode, FilinglakeError } from '../../core/index.ts';
import type { TableDefinition } from '../../tables/index.ts';
import { batchFolder } from '../storage/layout.ts';
import { putOnce } from '../storage/put-once.ts';
import type { LakeStorage } from '../storage/storage.ts';
import type { LinesShape } from './multi-table-ndjson.ts';
import { OpenSegment, type RecordLine, RowAside, type RowsOfTables, type SealedFiles } from './open-segment.ts';
import type { Row } from './rows.ts';
import { type SealedSegment, type SegmentRef, sealPath } from './staging.ts';
import { WIDE_VALUE_BYTES, type WideValue, wideColumns, writeWideValue } from './wide-rows.ts';

/** What was delivered becomes durable after this time at the latest: a power cut costs no more. */
const SYNC_MS = 2_000;

export interface SegmentWriterOptions {
  /** Bytes from which on a value gets a file of its own. Lower only in tests. */
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
  /** Seals follow each other, so that segments are numbered as they were written. */
  #sealing: Promise<unknown> = Promise.resolve();
  #writing: Promise<void> | null = null;
  #unwritten = new Set<OpenSegment>();
  #syncs: NodeJS.Timeout | null = null;
  /** A write failed: what the open segment's files hold is unknown. */
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

  /** About how many bytes the open segment has. */
  get bytes(): number {
    return this.#open?.bytes ?? 0;
  }

  /** Rows in the open segment. */
  get rows(): number {
    return this.#open?.rows ?? 0;
  }

  /**
   * Adds a row to the open segment.
   * @throws FilinglakeError `row-invalid` (the row is left out, the segment is as before), `lake-full`, `lake-unwritable`
   */
  append(tableName: string, row: Row): void {
    this.#change((open) => open.append(tableName, row));
  }

  /**
   * Adds a record to the open segment, as the line that it is.
   * @param name of the lines, a file's; all of one name have the same shape
   * @param by the member that `key` is of
   * @throws FilinglakeError `lake-full`, `lake-unwritable`
   */
  appendRecord(name: string, shape: LinesShape, by: string, record: RecordLine): void {
    this.#change((open) => open.appendRecord(name, shape, by, record));
  }

  /**
   * Adds rows that belong together. Once it resolves they are in the system's hands: another attempt finds all of them if this
   * process is killed. Of a delivery that didn't get there nobody finds anything.
   * @param meta any JSON, kept with them
   * @throws FilinglakeError `row-invalid` (nothing of the delivery is in), `lake-full`, `lake-unwritable`
   */
  async deliver(rows: Readonly<Record<string, readonly Row[]>>, meta: unknown): Promise<void> {
    if (this.#broken) throw this.#broken;
    const ready = this.#hasWide(rows) ? await this.#putWideAside(rows) : rows;
    this.#change((open) => {
      open.deliver(ready, meta);
      this.#unwritten.add(open);
    });
    await this.#writeSoon();
  }

  /**
   * Makes the open segment durable and starts the next, at once: rows that come meanwhile go into that one.
   * @param meta any JSON, kept with the segment: where the attempt stands. A function makes it of what was given with its deliveries
   * @returns null where there was neither a row nor a `meta`
   */
  async seal(meta?: unknown): Promise<SegmentRef | null> {
    if (this.#broken) throw this.#broken;
    const open = this.#open ?? null;
    const isMade = typeof meta === 'function';
    if ((open === null || open.rows === 0) && (meta === undefined || isMade)) return null;
    const segment = open ?? this.#begin();
    const kept: unknown = isMade ? meta(segment.metas) : meta;
    // Whoever waits for it may go on before the seal is there.
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

  /** Gives up the open segment, also one that a failed write broke. What was sealed stays, and what was delivered whole for others to take up. */
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

  /** What is delivered in one turn of the event loop is written together. */
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

/** What a row is refused for: the segment is as before. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set(['row-invalid', 'table-unknown']);

/**
 * A name for a segment and its folder. An attempt number may come twice (a workflow that was reset, staging that was dropped): names are
 * never used again.
 */
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
  const sealed: SealedSegment = { name, ...content, ...files };
  await putOnce(storage, sealPath(folder, name), Buffer.from(JSON.stringify(sealed)));
  return { name, ...content };
}

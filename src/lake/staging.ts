/** Staging: the rows of a batch, sealed a segment at a time, so that any worker on any machine goes on from what is sealed. */
import { randomUUID } from 'node:crypto';
import { FilinglakeError } from '../contract/index.ts';
import { batchFolder, pathSegment, runFolder } from './layout.ts';
import { type Row, rowLine } from './rows.ts';
import type { LakeStorage, ScratchFile } from './storage.ts';
import type { TableDefinition } from './tables.ts';

/** Characters held in memory a table before they go to the file. */
const FLUSH_CHARACTERS = 256 * 1024;
const LINE_END = 0x0a;

export interface SegmentTable {
  rows: number;
  bytes: number;
}

/** A sealed segment: enough for a heartbeat, a workflow's history, or another worker. */
export interface SegmentRef {
  /** `<attempt>-<n>`, unique within the batch. */
  readonly name: string;
  readonly tables: Readonly<Record<string, SegmentTable>>;
  /** What was given to `seal`: where the attempt stood. */
  readonly meta?: unknown;
}

/** What stands in the file that seals a segment. */
export interface SealedSegment extends SegmentRef {
  /** Folder of the segment's NDJSON, within the batch's. */
  readonly folder: string;
  /** Bytes of the longest line a table: DuckDB must be told when one is beyond 16 MB. */
  readonly longestLine: Readonly<Record<string, number>>;
  /** Tables whose rows came in the order of their keys, each key once: they need neither be sorted nor looked through for repeated keys. */
  readonly ascending: readonly string[];
}

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

/** Writes the segments of one attempt at one batch. One caller at a time. */
export class SegmentWriter {
  readonly #storage: LakeStorage;
  readonly #tables: ReadonlyMap<string, TableDefinition>;
  readonly #folder: string;
  readonly #attempt: number;
  #number = 0;
  #open = new Map<string, OpenTable>();
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
    const folder = `${this.#attempt}-${this.#number}.${randomUUID().slice(0, 8)}`;
    const tables: Record<string, SegmentTable> = {};
    const longestLine: Record<string, number> = {};
    const ascending = [...this.#open].filter(([, table]) => table.ascending).map(([name]) => name);
    await Promise.all(
      [...this.#open].map(async ([name, table]) => {
        this.#flush(table);
        await this.#storage.adopt(table.scratch, `${this.#folder}/${folder}/${name}.ndjson`);
        tables[name] = { rows: table.rows, bytes: table.bytes };
        longestLine[name] = table.longestLine;
      }),
    );
    this.#open = new Map();
    this.#rows = 0;
    this.#bytes = 0;
    return this.#putSeal({ tables, ...(meta === undefined ? {} : { meta }) }, { folder, longestLine, ascending });
  }

  /** Gives up the open segment, also one that a failed write broke. What was sealed stays. */
  async abandon(): Promise<void> {
    await Promise.all([...this.#open.values()].map((table) => table.scratch.discard()));
    this.#broken = null;
    this.#open = new Map();
    this.#rows = 0;
    this.#bytes = 0;
  }

  /** An attempt number may come twice (a workflow that was reset): the next free number is taken, nothing is overwritten. */
  async #putSeal(
    content: { tables: Record<string, SegmentTable>; meta?: unknown },
    files: Pick<SealedSegment, 'folder' | 'longestLine' | 'ascending'>,
  ): Promise<SegmentRef> {
    for (;;) {
      const name = `${this.#attempt}-${this.#number++}`;
      const sealed: SealedSegment = { name, ...content, ...files };
      if (await this.#storage.putIfAbsent(sealPath(this.#folder, name), Buffer.from(JSON.stringify(sealed)))) {
        return { name, ...content };
      }
    }
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

function sealPath(folder: string, name: string): string {
  return `${folder}/${name}.json`;
}

/** Sealed segments of a batch, in the order of attempt and number. */
export async function sealedSegments(storage: LakeStorage, runId: string, batchId: string): Promise<SealedSegment[]> {
  const folder = batchFolder(runId, batchId);
  const names = (await storage.listNames(folder)).flatMap((file) => {
    const match = /^(\d+)-(\d+)\.json$/.exec(file);
    return match ? [{ attempt: Number(match[1]), number: Number(match[2]) }] : [];
  });
  names.sort((a, b) => a.attempt - b.attempt || a.number - b.number);
  return Promise.all(names.map(({ attempt, number }) => readSegment(storage, folder, `${attempt}-${number}`)));
}

/** @throws FilinglakeError `segment-missing` */
export async function readSegment(storage: LakeStorage, folder: string, name: string): Promise<SealedSegment> {
  const bytes = await storage.read(sealPath(folder, name));
  if (bytes === null) {
    throw new FilinglakeError('segment-missing', `segment ${name} is not sealed in ${storage.name}/${folder}`);
  }
  return JSON.parse(bytes.toString('utf8')) as SealedSegment;
}

/** Rows to be taken out in the commit that brings others: those whose `columns` are among `values`. */
export interface Replacement {
  readonly table: string;
  readonly columns: readonly string[];
  readonly values: readonly (readonly string[])[];
}

/** What a batch is committed from: sealed before the commit, so that a retry commits this and nothing else. */
export interface Manifest {
  readonly run_id: string;
  readonly batch_id: string;
  readonly base_version: number;
  readonly segments: readonly string[];
  readonly replace: readonly Replacement[];
  /** What was given with the batch. */
  readonly meta?: unknown;
}

/** The version that a batch is planned at: what the first who asks names. An attempt that took a newer one would not see what others brought in between. */
export async function batchBase(
  storage: LakeStorage,
  { run_id, batch_id, base_version }: Pick<Manifest, 'run_id' | 'batch_id' | 'base_version'>,
): Promise<number> {
  const path = `${batchFolder(run_id, batch_id)}/base.json`;
  if (await storage.putIfAbsent(path, Buffer.from(JSON.stringify({ base_version })))) return base_version;
  const first = await storage.read(path);
  // Who removed it has committed the batch.
  return first === null ? base_version : (JSON.parse(first.toString('utf8')) as { base_version: number }).base_version;
}

/** The manifest that an attempt sealed, or null. */
export async function readManifest(storage: LakeStorage, runId: string, batchId: string): Promise<Manifest | null> {
  const sealed = await storage.read(manifestPath(runId, batchId));
  return sealed === null ? null : (JSON.parse(sealed.toString('utf8')) as Manifest);
}

function manifestPath(runId: string, batchId: string): string {
  return `${batchFolder(runId, batchId)}/manifest.json`;
}

/** Seals the manifest, or gives the one that another attempt sealed first. */
export async function sealManifest(storage: LakeStorage, manifest: Manifest): Promise<Manifest> {
  const { run_id, batch_id } = manifest;
  const path = manifestPath(run_id, batch_id);
  if (await storage.putIfAbsent(path, Buffer.from(JSON.stringify(manifest)))) return manifest;
  const sealed = await readManifest(storage, run_id, batch_id);
  if (sealed === null) throw new FilinglakeError('manifest-missing', `${path} was removed while it was being read`);
  return sealed;
}

/** Small files that the activities of a run hand each other: lists of filings, cursors. Put once, never changed. */
export function stagedFilePath(runId: string, name: string): string {
  // A plus sign never stands in the name of a batch's folder.
  return `${runFolder(runId)}/+files/${pathSegment(name)}`;
}

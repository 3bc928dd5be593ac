/**
 * The Iceberg face of a lake: Iceberg's metadata (format 2) over the same parts, in `_iceberg/TABLE/metadata`. It is made from the log,
 * so any process may write it again. No other engine may write these tables.
 *
 * A snapshot of a table is a version of the lake that changed it; its id and sequence number are that version plus one. A release is a tag.
 */
import { createHash } from 'node:crypto';
import { FilinglakeError } from '../../../core/index.ts';
import { deltaMetaData } from '../../delta/actions.ts';
import {
  applyCommit,
  isCompaction,
  type LakeCommit,
  type LakeSnapshot,
  presentTables,
  type TableState,
  tableState,
} from '../../log/log.ts';
import { listReleases } from '../../release/releases.ts';
import type { LakeState } from '../../state/state.ts';
import { partPath } from '../../storage/layout.ts';
import type { LakeStorage } from '../../storage/storage.ts';
import type { TableDefinition } from '../../tables/index.ts';
import { avroFile } from './avro.ts';
import { columnMetrics } from './bounds.ts';
import { icebergSchema, MANIFEST_ENTRY, MANIFEST_FILE, nameMapping } from './schema.ts';

const FOLDER = '_iceberg';
/** Exists if each commit writes the metadata. */
const FOLLOW = `${FOLDER}/follow`;
/** Snapshots that a table lists besides releases: versions of the last seven days, but not more. */
const SNAPSHOTS_MAX = 100;
/** Changes if manifests say more than before. */
const MANIFEST_CONTENT = 2;
const DAY_MS = 24 * 3600 * 1000;
const KEPT_MS = 7 * DAY_MS;

export interface IcebergReport {
  readonly lake: string;
  readonly version: number;
  /** By table: its metadata, the newest snapshot, and how many it lists. */
  readonly tables: Readonly<Record<string, { metadata: string; snapshot_id: number; snapshots: number }>>;
  /** Files of metadata that were written now. */
  readonly written: number;
}

/** A version of one table that Iceberg's readers may ask for. */
interface TableVersion {
  readonly id: number;
  readonly committedMs: number;
  readonly operation: 'append' | 'overwrite' | 'replace';
  readonly state: TableState;
}

/** Called after each commit: writes the metadata if that was asked for. What could not be written is made up for by the next commit. */
export function followingCommits(lake: LakeState): () => Promise<void> {
  let follows: boolean | null = null;
  return async () => {
    try {
      follows ??= (await lake.storage.size(FOLLOW)) !== null;
      if (follows) await writeIceberg(lake);
    } catch (error) {
      if (!(error instanceof FilinglakeError)) throw error;
    }
  };
}

export async function followCommits(storage: LakeStorage, follow: boolean): Promise<void> {
  if (follow) await storage.replace(FOLLOW, Buffer.from('each commit\n'));
  else await storage.remove(FOLLOW);
}

/**
 * Writes what is missing of the metadata, up to the newest version. Tables without commits have none. Another process may commit and
 * write meanwhile, and this one then replace its hints by older ones: so each looks again at its end.
 */
export async function writeIceberg(lake: LakeState): Promise<IcebergReport> {
  const report = await writeVersion(lake, await lake.snapshot());
  if ((await lake.snapshot()).version === report.version) return report;
  const again = await writeIceberg(lake);
  return { ...again, written: report.written + again.written };
}

async function writeVersion(lake: LakeState, newest: LakeSnapshot): Promise<IcebergReport> {
  const { storage } = lake;
  const released = (await listReleases(storage)).filter(({ version }) => version >= 0 && version <= newest.version);
  const versions = await versionsOf(lake, newest, new Set(released.map(({ version }) => version)));
  const tables: Record<string, IcebergReport['tables'][string]> = {};
  let written = 0;
  for (const table of presentTables(lake.tables, newest).values()) {
    const listed = versions.get(table.name);
    if (listed === undefined) continue;
    const tags = new Map<string, number>();
    for (const { name, version } of released) {
      const id = (await lake.snapshot(version)).tables.get(table.name)?.version ?? -1;
      if (id >= 0) tags.set(name, id + 1);
    }
    const done = await writeTable(lake, table, listed, tags);
    tables[table.name] = done.table;
    written += done.written;
  }
  return { lake: storage.name, version: newest.version, tables, written };
}

/** By table: the versions that can be read, the oldest first. */
async function versionsOf(
  lake: LakeState,
  newest: LakeSnapshot,
  released: ReadonlySet<number>,
): Promise<Map<string, TableVersion[]>> {
  const found = new Map<string, TableVersion[]>();
  const add = async (table: string, state: TableState) => {
    const list = found.get(table) ?? [];
    if (state.version < 0 || list.some(({ id }) => id === state.version + 1)) return;
    const commit = (await lake.readCommit(state.version))!;
    list.push({
      id: state.version + 1,
      committedMs: Date.parse(commit.committed_at),
      operation: operationOf(commit, table),
      state,
    });
    found.set(table, list);
  };
  for (const version of released) {
    for (const [table, state] of (await lake.snapshot(version)).tables) await add(table, state);
  }
  let snapshot = await lake.snapshot(await firstKept(lake, newest));
  for (const [table, state] of snapshot.tables) await add(table, state);
  while (snapshot.version < newest.version) {
    const commit = (await lake.readCommit(snapshot.version + 1))!;
    snapshot = applyCommit(snapshot, commit);
    for (const table of Object.keys(commit.tables)) await add(table, tableState(snapshot, table));
  }
  for (const list of found.values()) list.sort((a, b) => a.id - b.id);
  return found;
}

/** The oldest version that a vacuum with its defaults keeps, if that is not too long ago. */
async function firstKept(lake: LakeState, { version, committed_at }: LakeSnapshot): Promise<number> {
  const keptSince = Date.parse(committed_at ?? '') - KEPT_MS;
  for (let first = version; ; first--) {
    if (first <= 0 || version - first >= SNAPSHOTS_MAX) return first;
    const before = await lake.readCommit(first - 1);
    if (before === null || Date.parse(before.committed_at) < keptSince) return first;
  }
}

function operationOf(commit: LakeCommit, table: string): TableVersion['operation'] {
  const change = commit.tables[table]!;
  if (change.remove.length === 0) return 'append';
  return isCompaction(change) ? 'replace' : 'overwrite';
}

async function writeTable(
  lake: LakeState,
  table: TableDefinition,
  versions: readonly TableVersion[],
  tags: ReadonlyMap<string, number>,
): Promise<{ table: IcebergReport['tables'][string]; written: number }> {
  const { storage } = lake;
  const root = rootOf(storage);
  const folder = `${FOLDER}/${table.name}/metadata`;
  // Metadata names absolute paths: a lake that was moved gets other files. So does one with manifests without bounds.
  const place = createHash('sha256').update(`${MANIFEST_CONTENT} ${root}`).digest('hex').slice(0, 8);
  const files = await storage.list(folder);
  const there = new Set(files.map(({ name }) => name));
  const needed = new Set<string>();
  let written = 0;
  const snapshots: { id: number; list: string; version: TableVersion }[] = [];
  for (const version of versions) {
    const [manifest, list] = [`manifest-${version.id}-${place}.avro`, `snap-${version.id}-${place}.avro`];
    for (const name of [manifest, list]) needed.add(name);
    snapshots.push({ id: version.id, list: `${root}/${folder}/${list}`, version });
    if (there.has(manifest) && there.has(list)) continue;
    const bytes = manifestOf(table, version, root);
    // The list last: it names the manifest.
    await storage.replace(`${folder}/${manifest}`, bytes);
    await storage.replace(`${folder}/${list}`, listOf(version, `${root}/${folder}/${manifest}`, bytes.length));
    written += 2;
  }
  const newest = versions.at(-1)!;
  const metadata = `v${newest.id}.metadata.json`;
  const text = Buffer.from(metadataOf(lake, table, snapshots, tags, `${root}/${FOLDER}/${table.name}`));
  if (!(await storage.read(`${folder}/${metadata}`))?.equals(text)) {
    await storage.replace(`${folder}/${metadata}`, text);
    written++;
  }
  await storage.replace(`${folder}/version-hint.text`, Buffer.from(String(newest.id)));
  // A reader may still have the metadata of a moment ago.
  const young = Math.max(...files.map(({ modifiedAtMs }) => modifiedAtMs)) - DAY_MS;
  for (const { name, modifiedAtMs } of files) {
    const isLeft =
      /^(manifest|snap)-.*\.avro$|^v\d+\.metadata\.json$/.test(name) && name !== metadata && !needed.has(name);
    if (isLeft && modifiedAtMs < young) await storage.remove(`${folder}/${name}`);
  }
  return {
    table: { metadata: `${root}/${folder}/${metadata}`, snapshot_id: newest.id, snapshots: snapshots.length },
    written,
  };
}

/** The lake's place as Iceberg's readers name it. */
function rootOf({ localFolder, name }: LakeStorage): string {
  return localFolder === null ? name : `file://${localFolder}`;
}

function manifestOf(table: TableDefinition, { id, state }: TableVersion, root: string): Buffer {
  const entries = [...state.parts.values()].map((part) => ({
    // 0: existed before; 1: added by this snapshot.
    status: part.version + 1 === id ? 1 : 0,
    snapshot_id: part.version + 1,
    sequence_number: part.version + 1,
    file_sequence_number: part.version + 1,
    data_file: {
      content: 0,
      file_path: `${root}/${partPath(table.name, part.part)}`,
      file_format: 'PARQUET',
      partition: {},
      record_count: part.rows,
      file_size_in_bytes: part.bytes,
      ...columnMetrics(table, part.rows, part.stats),
    },
  }));
  return avroFile(MANIFEST_ENTRY, entries, {
    schema: JSON.stringify(icebergSchema(table)),
    'schema-id': '0',
    'partition-spec': '[]',
    'partition-spec-id': '0',
    'format-version': '2',
    content: 'data',
  });
}

function listOf({ id, state }: TableVersion, manifest: string, bytes: number): Buffer {
  const parts = [...state.parts.values()];
  const added = parts.filter(({ version }) => version + 1 === id);
  const sum = (list: typeof parts) => list.reduce((total, { rows }) => total + rows, 0);
  const entry = {
    manifest_path: manifest,
    manifest_length: bytes,
    partition_spec_id: 0,
    content: 0,
    sequence_number: id,
    min_sequence_number: Math.min(id, ...parts.map(({ version }) => version + 1)),
    added_snapshot_id: id,
    added_files_count: added.length,
    existing_files_count: parts.length - added.length,
    deleted_files_count: 0,
    added_rows_count: sum(added),
    existing_rows_count: state.rows - sum(added),
    deleted_rows_count: 0,
  };
  return avroFile(MANIFEST_FILE, [entry], {
    'snapshot-id': String(id),
    'parent-snapshot-id': 'null',
    'sequence-number': String(id),
    'format-version': '2',
  });
}

function metadataOf(
  lake: LakeState,
  table: TableDefinition,
  snapshots: readonly { id: number; list: string; version: TableVersion }[],
  tags: ReadonlyMap<string, number>,
  location: string,
): string {
  const newest = snapshots.at(-1)!;
  return JSON.stringify({
    'format-version': 2,
    'table-uuid': deltaMetaData(table, lake.identity).id,
    location,
    'last-sequence-number': newest.id,
    'last-updated-ms': newest.version.committedMs,
    'last-column-id': table.columns.length,
    'current-schema-id': 0,
    schemas: [icebergSchema(table)],
    'default-spec-id': 0,
    'partition-specs': [{ 'spec-id': 0, fields: [] }],
    'last-partition-id': 999,
    'default-sort-order-id': 0,
    'sort-orders': [{ 'order-id': 0, fields: [] }],
    properties: { 'schema.name-mapping.default': nameMapping(table), comment: table.meaning },
    'current-snapshot-id': newest.id,
    snapshots: snapshots.map(({ id, list, version }) => ({
      'snapshot-id': id,
      'sequence-number': id,
      'timestamp-ms': version.committedMs,
      'manifest-list': list,
      summary: {
        operation: version.operation,
        'lake-version': String(id - 1),
        'total-records': String(version.state.rows),
        'total-data-files': String(version.state.parts.size),
      },
      'schema-id': 0,
    })),
    'snapshot-log': snapshots.map(({ id, version }) => ({ 'snapshot-id': id, 'timestamp-ms': version.committedMs })),
    'metadata-log': [],
    refs: {
      ...Object.fromEntries([...tags].map(([name, id]) => [name, { 'snapshot-id': id, type: 'tag' }])),
      main: { 'snapshot-id': newest.id, type: 'branch' },
    },
  });
}

/** A lake commit as the actions of one Delta commit, as Delta's protocol defines them. */
import { createHash } from 'node:crypto';
import {
  isCompaction,
  type LakeCommit,
  type LivePart,
  type Part,
  type RemovedPart,
  type TableChange,
} from '../log/log.ts';
import type { LakeIdentity } from '../storage/lake-file.ts';
import type { TableDefinition } from '../tables/index.ts';
import { type DeltaProtocol, deltaProtocol, deltaSchema } from './schema.ts';

/** The application id of lake commits: `txn.version` is the lake version. */
export const DELTA_APP = 'filinglake';

/**
 * The identity of a table's live parts: their names are unique for ever. Each Delta commit states it beside its lake version, since
 * two copies of a lake may have different commits of one version.
 */
export function partsDigest(names: Iterable<string>): string {
  return createHash('sha256')
    .update([...names].sort().join('\n'))
    .digest('hex')
    .slice(0, 32);
}

interface DeltaMetaData {
  id: string;
  name: string;
  description: string;
  format: { provider: 'parquet'; options: Record<string, string> };
  schemaString: string;
  partitionColumns: string[];
  configuration: Record<string, string>;
  createdTime: number;
}

interface DeltaAdd {
  path: string;
  partitionValues: Record<string, string>;
  size: number;
  modificationTime: number;
  dataChange: boolean;
  stats: string;
}

interface DeltaRemove {
  path: string;
  deletionTimestamp: number;
  dataChange: boolean;
}

/** One line of a Delta commit, or one row of a checkpoint: exactly one member is set. */
export interface DeltaAction {
  commitInfo?: Record<string, unknown>;
  protocol?: DeltaProtocol;
  metaData?: DeltaMetaData;
  txn?: { appId: string; version: number; lastUpdated: number };
  add?: DeltaAdd;
  remove?: DeltaRemove;
}

/** The table's id is derived from the lake's, so that all writers write the same. */
export function deltaMetaData(table: TableDefinition, lake: LakeIdentity): DeltaMetaData {
  const digest = createHash('sha256').update(`${lake.id}/${table.name}`).digest('hex');
  const id = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    digest.slice(12, 16),
    digest.slice(16, 20),
    digest.slice(20, 32),
  ];
  return {
    id: id.join('-'),
    name: table.name,
    description: table.meaning,
    format: { provider: 'parquet', options: {} },
    schemaString: deltaSchema(table),
    partitionColumns: [],
    configuration: {},
    createdTime: Date.parse(lake.created_at),
  };
}

/** Delta version 0: the empty table. */
export function creationActions(table: TableDefinition, lake: LakeIdentity): DeltaAction[] {
  return [
    { commitInfo: { timestamp: Date.parse(lake.created_at), operation: 'CREATE TABLE', engineInfo: DELTA_APP } },
    { protocol: deltaProtocol(table) },
    { metaData: deltaMetaData(table, lake) },
  ];
}

/** The schema actions of a Delta commit: its metadata, and its protocol if that changes. */
export interface SchemaActions {
  readonly metaData: DeltaMetaData;
  readonly protocol: DeltaProtocol | null;
}

/** @param lakeParts `partsDigest` after the commit @param schema if earlier Delta commits lack some of its columns */
export function commitActions(
  commit: LakeCommit,
  change: TableChange,
  lakeParts: string,
  schema: SchemaActions | null,
): DeltaAction[] {
  const time = Date.parse(commit.committed_at);
  const replacing = change.remove.length > 0;
  // Streaming readers skip commits that state no change of data.
  const dataChange = !isCompaction(change);
  const lake = { lakeVersion: String(commit.version), lakeParts };
  return [
    {
      commitInfo: {
        timestamp: time,
        operation: dataChange ? 'WRITE' : 'OPTIMIZE',
        operationParameters: dataChange ? { mode: replacing ? 'Overwrite' : 'Append', ...lake } : lake,
        isBlindAppend: !replacing,
        engineInfo: DELTA_APP,
      },
    },
    ...schemaActions(schema),
    transaction(commit.version, time),
    ...change.remove.map((path) => ({ remove: { path, deletionTimestamp: time, dataChange } })),
    ...change.add.map((part) => ({ add: addOf(part, time, dataChange) })),
  ];
}

/** The state of a table at a lake version: the content of a checkpoint. */
export function checkpointActions(
  table: TableDefinition,
  lake: LakeIdentity,
  state: { version: number; committed_at: string; parts: Iterable<LivePart>; removed: Iterable<RemovedPart> },
): DeltaAction[] {
  const time = Date.parse(state.committed_at);
  const actions: DeltaAction[] = [
    { protocol: deltaProtocol(table) },
    { metaData: deltaMetaData(table, lake) },
    transaction(state.version, time),
  ];
  for (const part of state.parts) actions.push({ add: addOf(part, time, false) });
  for (const { part, removed_at } of state.removed) {
    actions.push({ remove: { path: part, deletionTimestamp: Date.parse(removed_at), dataChange: false } });
  }
  return actions;
}

function schemaActions(schema: SchemaActions | null): DeltaAction[] {
  if (schema === null) return [];
  const { protocol, metaData } = schema;
  return [...(protocol ? [{ protocol }] : []), { metaData }];
}

/** One Delta commit from any state to a lake version: foreign files are removed, parts that others removed added. */
export function realigningActions(
  state: { version: number; committed_at: string; parts: Iterable<LivePart> },
  files: ReadonlyMap<string, number>,
  schema: SchemaActions | null,
): DeltaAction[] {
  const time = Date.parse(state.committed_at);
  const parts = new Map([...state.parts].map((part) => [part.part, part]));
  const wrong = [...files].filter(([file, bytes]) => parts.get(file)?.bytes !== bytes).map(([file]) => file);
  const lacking = [...parts.values()].filter(({ part, bytes }) => files.get(part) !== bytes);
  const lakeParts = partsDigest(parts.keys());
  const operationParameters = { mode: 'Overwrite', lakeVersion: String(state.version), lakeParts };
  return [
    {
      commitInfo: {
        timestamp: time,
        operation: 'WRITE',
        operationParameters,
        isBlindAppend: false,
        engineInfo: DELTA_APP,
      },
    },
    ...schemaActions(schema),
    transaction(state.version, time),
    ...wrong.map((path) => ({ remove: { path, deletionTimestamp: time, dataChange: true } })),
    ...lacking.map((part) => ({ add: addOf(part, time, true) })),
  ];
}

function transaction(version: number, lastUpdated: number): DeltaAction {
  return { txn: { appId: DELTA_APP, version, lastUpdated } };
}

function addOf(part: Part, modificationTime: number, dataChange: boolean): DeltaAdd {
  const { part: path, bytes: size, stats } = part;
  return { path, partitionValues: {}, size, modificationTime, dataChange, stats: JSON.stringify(stats) };
}

export function actionLines(actions: readonly DeltaAction[]): Buffer {
  return Buffer.from(actions.map((action) => `${JSON.stringify(action)}\n`).join(''));
}

/**
 * Delta logs, made from the lake's log. Any process that finds one behind writes its missing commits; every process would write the
 * same ones. A log of another state of the lake, as in a copy made during an export, is compared with the snapshot and corrected.
 */
import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteText } from '../../core/index.ts';
import { engineError } from '../engine/duckdb-errors.ts';
import {
  type CommitReader,
  type LakeCommit,
  type LakeSnapshot,
  readSnapshot,
  type TableState,
  tableState,
} from '../log/log.ts';
import type { LakeIdentity } from '../storage/lake-file.ts';
import { deltaCommitPath } from '../storage/layout.ts';
import { putOnce } from '../storage/put-once.ts';
import type { LakeStorage } from '../storage/storage.ts';
import type { TableDefinition } from '../tables/index.ts';
import {
  actionLines,
  checkpointActions,
  commitActions,
  creationActions,
  type DeltaAction,
  deltaMetaData,
  partsDigest,
  realigningActions,
  type SchemaActions,
} from './actions.ts';
import { type DeltaProtocol, deltaProtocol, deltaSchema, protocolSuffices } from './schema.ts';
import { checkpointPath, type DeltaPosition, deltaPosition, hintPath, readActions, readDeltaState } from './state.ts';

/** A Delta reader replays at most about this many commits after a checkpoint. */
const COMMITS_PER_CHECKPOINT = 10;

/** Types of a checkpoint's columns. Maps and structs must have Delta's names, even if they are empty. */
const CHECKPOINT_COLUMNS = {
  txn: 'STRUCT(appId VARCHAR, version BIGINT, lastUpdated BIGINT)',
  add: `STRUCT("path" VARCHAR, partitionValues MAP(VARCHAR, VARCHAR), size BIGINT, modificationTime BIGINT,
        dataChange BOOLEAN, stats VARCHAR)`,
  remove: 'STRUCT("path" VARCHAR, deletionTimestamp BIGINT, dataChange BOOLEAN)',
  metaData: `STRUCT(id VARCHAR, "name" VARCHAR, description VARCHAR, format STRUCT(provider VARCHAR, options MAP(VARCHAR, VARCHAR)),
        schemaString VARCHAR, partitionColumns VARCHAR[], configuration MAP(VARCHAR, VARCHAR), createdTime BIGINT)`,
  protocol: `STRUCT(minReaderVersion INTEGER, minWriterVersion INTEGER, readerFeatures VARCHAR[], writerFeatures VARCHAR[])`,
} as const;

export class DeltaLogs {
  readonly #storage: LakeStorage;
  readonly #identity: LakeIdentity;
  readonly #connection: () => Promise<DuckDBConnection>;
  readonly #readCommit: CommitReader;
  /** The last known state of the logs. They only grow, so it is at worst behind. */
  readonly #positions = new Map<string, DeltaPosition>();

  /** @param connection a connection for checkpoints; opened only when one is due */
  constructor(
    storage: LakeStorage,
    identity: LakeIdentity,
    connection: () => Promise<DuckDBConnection>,
    readCommit: CommitReader,
  ) {
    this.#readCommit = readCommit;
    this.#storage = storage;
    this.#identity = identity;
    this.#connection = connection;
  }

  /** Forgets the state of the logs, after someone has restored older ones. */
  forget(): void {
    this.#positions.clear();
  }

  /** Rolls every table's Delta log forward to the snapshot. */
  async level(tables: Iterable<TableDefinition>, snapshot: LakeSnapshot): Promise<void> {
    const results = await Promise.allSettled([...tables].map((table) => this.#levelTable(table, snapshot)));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  async #levelTable(table: TableDefinition, snapshot: LakeSnapshot): Promise<void> {
    const { version, columns } = tableState(snapshot, table.name);
    // A newer filinglake writes this log. This release would remove its columns.
    if (columns > table.columns.length) return;
    const remembered = this.#positions.get(table.name);
    if (remembered && remembered.lakeVersion >= version) return;
    // Another tool may have written a checkpoint and deleted the commits below it. A commit of ours must not come below it.
    const isThere = remembered && (await this.#hasCommit(table.name, remembered.deltaVersion));
    let position = isThere ? remembered : await deltaPosition(this.#storage, this.#connection, table.name);
    if (position.deltaVersion < 0) position = await this.#create(table);
    const newest = await this.#notBehind(position, version, snapshot);
    const steps = await this.#steps(table.name, tableState(newest, table.name), position);
    if (steps === null) {
      await this.realign(table, newest);
      return;
    }
    for (const { commit, lakeParts } of steps) {
      const change = commit.tables[table.name]!;
      const actions = commitActions(commit, change, lakeParts, await this.#newColumns(table, commit));
      const deltaVersion = position.deltaVersion + 1;
      if (!(await putOnce(this.#storage, deltaCommitPath(table.name, deltaVersion), actionLines(actions)))) {
        this.#positions.delete(table.name);
        await this.#levelTable(table, newest);
        return;
      }
      position = { deltaVersion, lakeVersion: commit.version, lakeParts };
      await this.#checkpointIfDue(table, position, newest);
    }
    this.#positions.set(table.name, position);
  }

  /** Another process may have committed since. A log that is ahead of even the newest version belongs to another copy of the lake. */
  async #notBehind(position: DeltaPosition, version: number, snapshot: LakeSnapshot): Promise<LakeSnapshot> {
    return position.lakeVersion > version ? readSnapshot(this.#storage) : snapshot;
  }

  async #hasCommit(table: string, deltaVersion: number): Promise<boolean> {
    return (await this.#storage.size(deltaCommitPath(table, deltaVersion))) !== null;
  }

  /** Compares a table's Delta log with the snapshot, and corrects it by one commit. @returns whether it differed */
  async realign(table: TableDefinition, snapshot: LakeSnapshot): Promise<boolean> {
    for (;;) {
      let position = await deltaPosition(this.#storage, this.#connection, table.name);
      if (position.deltaVersion < 0) position = await this.#create(table);
      const newest = await this.#notBehind(position, tableState(snapshot, table.name).version, snapshot);
      const { version: lakeVersion, parts } = tableState(newest, table.name);
      const lakeParts = partsDigest(parts.keys());
      const actions = await this.#realigning(table, newest);
      const isRight = !actions.some(({ add, remove, metaData }) => add ?? remove ?? metaData);
      if (isRight && position.lakeVersion === lakeVersion) {
        this.#positions.set(table.name, { ...position, lakeParts });
        return false;
      }
      const deltaVersion = position.deltaVersion + 1;
      if (!(await putOnce(this.#storage, deltaCommitPath(table.name, deltaVersion), actionLines(actions)))) continue;
      this.#positions.set(table.name, { deltaVersion, lakeVersion, lakeParts });
      await this.#checkpointIfDue(table, { deltaVersion, lakeVersion, lakeParts }, newest);
      return true;
    }
  }

  async #realigning(table: TableDefinition, snapshot: LakeSnapshot): Promise<DeltaAction[]> {
    const { version, parts, columns } = tableState(snapshot, table.name);
    const { files, schemaString, protocol } = await readDeltaState(this.#storage, this.#connection, table.name);
    const committed_at =
      (version < 0 ? null : (await this.#readCommit(version))?.committed_at) ?? this.#identity.created_at;
    const state = { version, committed_at, parts: parts.values() };
    const asOf = { ...table, columns: table.columns.slice(0, columns) };
    // An empty table keeps the columns of the release that made it.
    const schema = version < 0 && schemaString !== null ? null : this.#schema(asOf, schemaString, protocol);
    return realigningActions(state, files, schema);
  }

  async #create(table: TableDefinition): Promise<DeltaPosition> {
    const actions = creationActions(table, this.#identity);
    await putOnce(this.#storage, deltaCommitPath(table.name, 0), actionLines(actions));
    return { deltaVersion: 0, lakeVersion: -1, lakeParts: partsDigest([]) };
  }

  /**
   * The lake's commits from a Delta log's position to a state of the table, each with the parts after it. Null if the position has
   * other parts than the lake had then, or doesn't state them.
   */
  async #steps(
    table: string,
    state: TableState,
    position: DeltaPosition,
  ): Promise<{ commit: LakeCommit; lakeParts: string }[] | null> {
    const steps: { commit: LakeCommit; lakeParts: string }[] = [];
    const names = new Set(state.parts.keys());
    let { version } = state;
    while (version > position.lakeVersion) {
      const commit = await this.#readCommit(version);
      const change = commit?.tables[table];
      if (!change) return null;
      steps.unshift({ commit: commit!, lakeParts: partsDigest(names) });
      for (const { part } of change.add) names.delete(part);
      for (const part of change.remove) names.add(part);
      version = change.previous;
    }
    return version === position.lakeVersion && partsDigest(names) === position.lakeParts ? steps : null;
  }

  /** The table's metadata, if this commit is the first with columns that the Delta log lacks. */
  async #newColumns(table: TableDefinition, commit: LakeCommit): Promise<SchemaActions | null> {
    const change = commit.tables[table.name]!;
    const asOf = { ...table, columns: table.columns.slice(0, change.columns) };
    if (change.previous >= 0) {
      const before = (await this.#readCommit(change.previous))?.tables[table.name]?.columns;
      const known = { ...table, columns: table.columns.slice(0, before) };
      return this.#schema(asOf, deltaSchema(known), deltaProtocol(known));
    }
    const first = await readActions(this.#storage, table.name, 0);
    const schemaString = first.find(({ metaData }) => metaData)?.metaData?.schemaString ?? null;
    return this.#schema(asOf, schemaString, first.find(({ protocol }) => protocol)?.protocol ?? null);
  }

  /** Null if the Delta log states this already. A time type may need a newer protocol than the columns before it. */
  #schema(table: TableDefinition, schemaString: string | null, protocol: DeltaProtocol | null): SchemaActions | null {
    const needed = deltaProtocol(table);
    const isEnough = protocol !== null && protocolSuffices(protocol, needed);
    if (schemaString === deltaSchema(table) && isEnough) return null;
    return { metaData: deltaMetaData(table, this.#identity), protocol: isEnough ? null : needed };
  }

  async #checkpointIfDue(
    table: TableDefinition,
    { deltaVersion, lakeVersion }: DeltaPosition,
    newest: LakeSnapshot,
  ): Promise<void> {
    if (deltaVersion % COMMITS_PER_CHECKPOINT !== 0) return;
    const isNewest = tableState(newest, table.name).version === lakeVersion;
    const snapshot = isNewest ? newest : await readSnapshot(this.#storage, lakeVersion);
    const { parts, removed, columns } = tableState(snapshot, table.name);
    const actions = checkpointActions({ ...table, columns: table.columns.slice(0, columns) }, this.#identity, {
      version: lakeVersion,
      committed_at: snapshot.committed_at ?? this.#identity.created_at,
      parts: parts.values(),
      removed,
    });
    try {
      await this.#writeCheckpoint(checkpointPath(table.name, deltaVersion), actions);
    } catch (error) {
      throw engineError(this.#storage, table.name, error, `the Delta checkpoint of ${table.name}`);
    }
    const last = { version: deltaVersion, size: actions.length };
    await this.#storage.replace(hintPath(table.name), Buffer.from(JSON.stringify(last)));
  }

  async #writeCheckpoint(path: string, actions: readonly DeltaAction[]): Promise<void> {
    const lines = this.#storage.openScratch();
    const built = this.#storage.openScratch();
    const columns = Object.entries(CHECKPOINT_COLUMNS).map(([name, type]) => `"${name}": '${type}'`);
    const connection = await this.#connection();
    try {
      lines.append(actionLines(actions));
      await connection.run(
        `COPY (SELECT ${Object.keys(CHECKPOINT_COLUMNS)
          .map((name) => `"${name}"`)
          .join(', ')}
         FROM read_json(${quoteText(lines.localPath)}, format = 'newline_delimited', columns = {${columns.join(', ')}}))
         TO ${quoteText(built.localPath)} (FORMAT parquet, COMPRESSION zstd)`,
      );
      await this.#storage.adopt(built, path);
    } finally {
      await lines.discard();
      await built.discard();
      connection.closeSync();
    }
  }
}

/** Verifies a lake against its log: parts, rows, keys, references, Delta logs, lake.sql. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { counted, FilinglakeError, quoteList, quoteName, quoteNames, quoteText } from '../../core/index.ts';
import { deltaProtocol, protocolSuffices } from '../delta/schema.ts';
import { readDeltaState } from '../delta/state.ts';
import { numberOf, rowsOf } from '../engine/duckdb.ts';
import { refusalByEngine } from '../engine/duckdb-errors.ts';
import {
  EMPTY_LAKE,
  type LakeSnapshot,
  type LivePart,
  presentTables,
  readSnapshot,
  rollForward,
  type TableState,
  tableState,
} from '../log/log.ts';
import { listReleases } from '../release/releases.ts';
import { missingParts } from '../state/damage.ts';
import type { LakeState } from '../state/state.ts';
import { type Turn, Turns } from '../state/turns.ts';
import { LAKE_SQL, partPath } from '../storage/layout.ts';
import type { StoredFile } from '../storage/storage.ts';
import type { Reference, TableDefinition } from '../tables/index.ts';
import { isLakeSqlOf, selectReadable } from '../views/lake-sql.ts';
import { type Removed, scratchFiles } from './vacuum.ts';

export interface LakeProblem {
  /** `part-missing`, `key-repeated`, `delta-behind`, …; audits add their own. */
  readonly code: string;
  readonly table: string | null;
  readonly message: string;
}

export interface LakeCheckReport {
  readonly lake: string;
  readonly version: number;
  readonly ok: boolean;
  readonly tables: Readonly<Record<string, { rows: number; parts: number; bytes: number }>>;
  readonly problems: readonly LakeProblem[];
  /** Files that no version of the last seven days names: leftovers of a crash, or removed before. They do no harm. */
  readonly unnamed: Removed;
  /** Files being built, by a live writer or a dead one. */
  readonly scratch: Removed;
  /** Of the writer that has the lake; null: nobody has it. */
  readonly turn: Turn | null;
}

/** The tools of an audit. It checks the content of rows, whereas the check verifies their storage. */
export interface AuditPlace {
  /** With a view of every table, over the readable parts. */
  readonly connection: DuckDBConnection;
  readonly tables: ReadonlyMap<string, TableDefinition>;
  readonly problem: (code: string, table: string | null, message: string) => void;
  /** One problem for all rows of a SELECT, if it has any. */
  readonly offenders: (
    select: string,
    message: (count: number, examples: string) => string,
    code: string,
    table: string,
  ) => Promise<void>;
  /** Reports a failure to read a table as a problem of it. */
  readonly reading: (table: string, read: () => Promise<void>) => Promise<void>;
}
export type Audit = (place: AuditPlace) => Promise<void>;

/** How many wrong keys a message lists. */
const EXAMPLES = 3;

/** Verifies every table against the log. @param audit of row contents @throws only if nothing can be read at all */
export async function checkLake(lake: LakeState, audit: Audit | null): Promise<LakeCheckReport> {
  const check = new Check(lake, await (await lake.engines.reader()).connect());
  try {
    return await check.run(audit);
  } finally {
    check.close();
  }
}

class Check {
  readonly #lake: LakeState;
  readonly #connection: DuckDBConnection;
  /** Those that the lake has. */
  #tables: ReadonlyMap<string, TableDefinition> = new Map();
  readonly #problems: LakeProblem[] = [];
  readonly #unnamed = { files: 0, bytes: 0 };
  /** Readable rows of each table. */
  readonly #rows = new Map<string, number>();
  #released: { name: string; snapshot: LakeSnapshot }[] = [];

  constructor(lake: LakeState, connection: DuckDBConnection) {
    this.#lake = lake;
    this.#connection = connection;
  }

  close(): void {
    this.#connection.closeSync();
  }

  async run(audit: Audit | null): Promise<LakeCheckReport> {
    const { storage } = this.#lake;
    const snapshot = await this.#log();
    const tables = presentTables(this.#lake.tables, snapshot);
    this.#tables = tables;
    await this.#releases(snapshot);
    for (const table of tables.values()) {
      const state = tableState(snapshot, table.name);
      const sound = await this.#parts(table, state);
      await this.#view(table, sound);
      await this.#keys(table);
      await this.#delta(table, state);
    }
    for (const table of tables.values()) {
      for (const reference of table.references) await this.#reference(table, reference);
    }
    await audit?.(this.#auditing());
    const sql = await storage.read(LAKE_SQL);
    if (snapshot.version >= 0 && (sql === null || !isLakeSqlOf(sql, snapshot))) {
      this.#problem('lake-sql-behind', null, `lake.sql is not of version ${snapshot.version}`);
    }
    const summary = [...tables.keys()].map((name) => {
      const { rows, bytes, parts } = tableState(snapshot, name);
      return [name, { rows, parts: parts.size, bytes }] as const;
    });
    return {
      lake: storage.name,
      version: snapshot.version,
      ok: this.#problems.length === 0,
      tables: Object.fromEntries(summary),
      problems: this.#problems,
      unnamed: this.#unnamed,
      scratch: await scratchFiles(storage),
      turn: await new Turns(this.#lake).current(),
    };
  }

  #problem(code: string, table: string | null, message: string): void {
    this.#problems.push({ code, table, message });
  }

  /** The whole log, replayed from its beginning, must equal the last snapshot file plus the commits after it. */
  async #log(): Promise<LakeSnapshot> {
    const { storage } = this.#lake;
    const quick = await readSnapshot(storage);
    let snapshot: LakeSnapshot;
    try {
      snapshot = await rollForward(storage, EMPTY_LAKE, undefined, undefined, quick.version);
    } catch (error) {
      if (!(error instanceof FilinglakeError)) throw error;
      this.#problem('log-damaged', null, error.message);
      return quick;
    }
    if (snapshot.version !== quick.version) {
      this.#problem(
        'log-damaged',
        null,
        `the log ends at version ${snapshot.version}, but its snapshot goes to ${quick.version}`,
      );
      return quick;
    }
    for (const [name, state] of snapshot.tables) {
      const other = tableState(quick, name);
      const same =
        state.parts.size === other.parts.size && [...state.parts.keys()].every((part) => other.parts.has(part));
      if (!same)
        this.#problem('snapshot-differs', name, `the snapshot before version ${snapshot.version} has other parts`);
    }
    return snapshot;
  }

  async #releases(newest: LakeSnapshot): Promise<void> {
    const { storage } = this.#lake;
    try {
      for (const { name, version } of await listReleases(storage)) {
        if (version > newest.version)
          this.#problem('release-unknown', null, `the release '${name}' is version ${version}, which the log lacks`);
        else this.#released.push({ name, snapshot: await readSnapshot(storage, version) });
      }
    } catch (error) {
      if (!(error instanceof FilinglakeError)) throw error;
      this.#problem('release-damaged', null, error.message);
    }
  }

  /** Files that only releases need. */
  #releasedParts(table: TableDefinition, state: TableState, files: readonly StoredFile[]): Set<string> {
    const names = new Set<string>();
    for (const { name, snapshot } of this.#released) {
      const then = tableState(snapshot, table.name);
      for (const part of then.parts.keys()) names.add(part);
      for (const { part, reason } of missingParts(table.name, then, files)) {
        if (state.parts.has(part.part)) continue;
        const path = partPath(table.name, part.part);
        this.#problem(
          'release-damaged',
          table.name,
          `${path} of the release '${name}' ${reason} (${counted(part.rows, 'row')})`,
        );
      }
    }
    return names;
  }

  /** @returns the readable parts */
  async #parts(table: TableDefinition, state: TableState): Promise<LivePart[]> {
    const { storage } = this.#lake;
    const files = await storage.list(table.name);
    const missing = missingParts(table.name, state, files);
    for (const { part, code, reason } of missing) {
      const path = partPath(table.name, part.part);
      this.#problem(code, table.name, `${path} ${reason} (${counted(part.rows, 'row')})`);
    }
    const gone = new Set(missing.map(({ part }) => part));
    const whole = [...state.parts.values()].filter((part) => !gone.has(part));
    await storage.makeReadable(whole.map(({ part }) => partPath(table.name, part)));
    const sound: LivePart[] = [];
    const counts = await this.#rowsOfParts(table, whole);
    for (const part of whole) {
      if (counts.get(part.part) === part.rows || (await this.#partRows(table, part))) sound.push(part);
    }
    const released = this.#releasedParts(table, state, files);
    const named = new Set([...state.parts.keys(), ...state.removed.map(({ part }) => part), ...released]);
    for (const { name, bytes } of files) {
      if (named.has(name)) continue;
      this.#unnamed.files++;
      this.#unnamed.bytes += bytes;
    }
    return sound;
  }

  /** Rows of parts by their names, in one statement. Without those of a table of which a part can't be read: each is then read alone. */
  async #rowsOfParts({ name }: TableDefinition, parts: readonly LivePart[]): Promise<ReadonlyMap<string, number>> {
    const { storage } = this.#lake;
    const urls = new Map(parts.map(({ part }) => [storage.url(partPath(name, part)), part]));
    if (urls.size === 0) return new Map();
    try {
      const rows = await rowsOf(
        this.#connection,
        `SELECT file_name, num_rows FROM parquet_file_metadata(${quoteList([...urls.keys()])})`,
      );
      return new Map(rows.map(({ file_name, num_rows }) => [urls.get(String(file_name)) ?? '', Number(num_rows)]));
    } catch {
      // `#partRows` names the part and the reason.
      return new Map();
    }
  }

  async #partRows(table: TableDefinition, part: LivePart): Promise<boolean> {
    const path = partPath(table.name, part.part);
    try {
      const file = quoteText(this.#lake.storage.url(path));
      const rows = await numberOf(this.#connection, `SELECT num_rows FROM parquet_file_metadata(${file})`);
      if (rows === part.rows) return true;
      this.#problem('part-rows', table.name, `${path} has ${counted(rows, 'row')}, the log says ${part.rows}`);
    } catch (error) {
      const refused = refusalByEngine(this.#lake.storage.name, error);
      const what = refused?.message ?? `${path} can't be read: ${(error as Error).message}`;
      this.#problem('part-unreadable', table.name, what);
    }
    return false;
  }

  async #view(table: TableDefinition, sound: readonly LivePart[]): Promise<void> {
    const select = await selectReadable(this.#lake.storage, table, sound);
    await this.#connection.run(`CREATE TEMP VIEW ${quoteName(table.name)} AS ${select}`);
    this.#rows.set(
      table.name,
      sound.reduce((sum, part) => sum + part.rows, 0),
    );
  }

  async #keys(table: TableDefinition): Promise<void> {
    if (!this.#rows.get(table.name)) return;
    const name = quoteName(table.name);
    const key = quoteNames(table.key);
    const empty = table.key.map((column) => `${quoteName(column)} IS NULL`).join(' OR ');
    await this.#reading(table.name, async () => {
      const wrong = `SELECT 1 FROM ${name} GROUP BY ${key} HAVING count(*) > 1 OR ${empty} LIMIT 1`;
      if ((await rowsOf(this.#connection, wrong)).length === 0) return;
      const nulls = await numberOf(this.#connection, `SELECT count(*) FROM ${name} WHERE ${empty}`);
      if (nulls > 0)
        this.#problem(
          'key-null',
          table.name,
          `${counted(nulls, 'row')} of ${table.name} without ${table.key.join(', ')}`,
        );
      await this.#offenders(
        `SELECT ${key} FROM ${name} GROUP BY ${key} HAVING count(*) > 1`,
        (count, examples) =>
          `${counted(count, 'key occurs', 'keys occur')} more than once in ${table.name}: ${examples}`,
        'key-repeated',
        table.name,
      );
    });
  }

  /**
   * Rows of a child must have their parent if the parent's table was exported; an empty table was not. A filing's own tables other
   * than `filings` count only for filings with rows in them.
   */
  async #reference(child: TableDefinition, { columns, table }: Reference): Promise<void> {
    if (!this.#rows.get(table) || !this.#rows.get(child.name)) return;
    const same = columns.map((column) => `p.${quoteName(column)} = c.${quoteName(column)}`).join(' AND ');
    const filled = columns.map((column) => `c.${quoteName(column)} IS NOT NULL`);
    const exported =
      table === 'filings' || !this.#lake.tables.get(table)?.columns.some(({ name }) => name === 'accession_number')
        ? []
        : [`c.accession_number IN (SELECT accession_number FROM ${quoteName(table)})`];
    await this.#reading(child.name, () =>
      this.#offenders(
        `SELECT DISTINCT ${quoteNames(columns, 'c.')} FROM ${quoteName(child.name)} c
         ANTI JOIN ${quoteName(table)} p ON ${same} WHERE ${[...filled, ...exported].join(' AND ')}`,
        (count, examples) => `${count} ${columns.join(', ')} of ${child.name} are not in ${table}: ${examples}`,
        'reference-broken',
        child.name,
      ),
    );
  }

  #auditing(): AuditPlace {
    return {
      connection: this.#connection,
      tables: this.#tables,
      problem: (code, table, message) => this.#problem(code, table, message),
      offenders: (select, message, code, table) => this.#offenders(select, message, code, table),
      reading: (table, read) => this.#reading(table, read),
    };
  }

  async #offenders(
    select: string,
    message: (count: number, examples: string) => string,
    code: string,
    table: string,
  ): Promise<void> {
    const rows = await rowsOf(
      this.#connection,
      `SELECT o, count(*) OVER () AS n FROM (${select}) o ORDER BY 1 LIMIT ${EXAMPLES}`,
    );
    if (rows.length === 0) return;
    const examples = rows.map((row) => Object.values(row.o as Record<string, unknown>).join(' '));
    this.#problem(code, table, message(Number(rows[0]!.n), examples.join(', ')));
  }

  async #delta(table: TableDefinition, state: TableState): Promise<void> {
    const { storage, engines } = this.#lake;
    const connections: DuckDBConnection[] = [];
    try {
      const delta = await readDeltaState(
        storage,
        async () => {
          const connection = await (await engines.reader()).connect();
          connections.push(connection);
          return connection;
        },
        table.name,
      );
      if (delta.deltaVersion < 0 || delta.lakeVersion < state.version) {
        const at = delta.deltaVersion < 0 ? 'is missing' : `is at lake version ${delta.lakeVersion}`;
        this.#problem(
          'delta-behind',
          table.name,
          `the Delta log of ${table.name} ${at}, the lake's at ${state.version}`,
        );
        return;
      }
      const known = { ...table, columns: table.columns.slice(0, state.columns) };
      if (delta.protocol === null || !protocolSuffices(delta.protocol, deltaProtocol(known))) {
        this.#problem(
          'delta-differs',
          table.name,
          `the Delta log of ${table.name} states a protocol that is too old for its columns: Delta readers refuse the table`,
        );
      }
      const lacking = [...state.parts.values()].filter((part) => delta.files.get(part.part) !== part.bytes);
      const foreign = [...delta.files.keys()].filter((file) => !state.parts.has(file));
      if (lacking.length > 0 || foreign.length > 0) {
        this.#problem(
          'delta-differs',
          table.name,
          `the Delta log of ${table.name} lacks ${counted(lacking.length, 'part')} of the lake's and has ${counted(foreign.length, 'other')}: something else wrote to it`,
        );
      }
    } catch (error) {
      this.#problem('delta-unreadable', table.name, (error as Error).message);
    } finally {
      for (const connection of connections) connection.closeSync();
    }
  }

  async #reading(table: string, read: () => Promise<void>): Promise<void> {
    try {
      await read();
    } catch (error) {
      this.#problem('part-unreadable', table, (error as Error).message);
    }
  }
}

/** Many questions to one version of a lake: a view is made once, and a small table is read once. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { type LakeSnapshot, tableState } from '../log/log.ts';
import type { TableDefinition } from '../tables/index.ts';
import { cellsOf, type Made, type QueryPlace, withViews } from './query.ts';
import { queryError } from './query-errors.ts';
import { prepareQuestion } from './read-only.ts';
import type { Cell } from './values.ts';

/** Bytes of a table's parts up to which its rows are kept, and of all kept ones. In memory they take some ten times as much. */
const KEPT_TABLE_BYTES = 4 * 2 ** 20;
const KEPT_BYTES = 24 * 2 ** 20;

interface SessionAnswer {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly Cell[][];
}

export class LakeSession {
  readonly #connection: DuckDBConnection;
  readonly #place: QueryPlace;
  readonly #snapshot: LakeSnapshot;
  readonly #made: Made;
  readonly #named: (error: unknown) => Promise<never>;
  #keptBytes = 0;
  /** One statement after the other: a connection has one result at a time. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param named throws an error with the damage that it may be of */
  constructor(
    connection: DuckDBConnection,
    place: QueryPlace,
    snapshot: LakeSnapshot,
    named: (error: unknown) => Promise<never>,
  ) {
    this.#named = named;
    this.#connection = connection;
    this.#place = place;
    this.#snapshot = snapshot;
    this.#made = { tables: new Set(), views: new Set(), keeps: (table) => this.#keeps(table) };
  }

  #keeps({ name }: TableDefinition): boolean {
    const { bytes } = tableState(this.#snapshot, name);
    if (bytes > KEPT_TABLE_BYTES || this.#keptBytes + bytes > KEPT_BYTES) return false;
    this.#keptBytes += bytes;
    return true;
  }

  /** @throws FilinglakeError as `LakeReader.stream` */
  ask(sql: string): Promise<SessionAnswer> {
    const answer = this.#last.then(() => this.#ask(sql));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #ask(sql: string): Promise<SessionAnswer> {
    const { name: lake } = this.#place.storage;
    try {
      const prepared = () => prepareQuestion(this.#connection, sql);
      const question = await withViews(this.#connection, this.#place, this.#snapshot, sql, prepared, this.#made);
      const result = question === null ? await this.#connection.run(sql) : await question.run();
      const types = result.columnTypes();
      const columns = result.deduplicatedColumnNames().map((name, i) => ({ name, type: String(types[i]) }));
      const rows = (await result.fetchAllChunks()).flatMap((chunk) => cellsOf(chunk, lake));
      question?.destroySync();
      return { columns, rows };
    } catch (error) {
      return await this.#named(queryError(error, lake));
    }
  }

  /** Once all that was asked is answered. */
  async close(): Promise<void> {
    await this.#last;
    this.#connection.closeSync();
  }
}

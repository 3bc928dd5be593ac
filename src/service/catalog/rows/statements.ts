/** Prepared statements by their text, the most recently used ones: preparing costs more than a small query. */
import type { DatabaseSync, SQLInputValue, StatementResultingChanges, StatementSync } from 'node:sqlite';
import { type KeptCounts, PartCounts } from '../counts/index.ts';
import { interruptible, type StillWanted } from '../store/schema.ts';

const STATEMENTS_MAX = 200;
/** Counts that are kept, each with a text of at most this length: some megabytes. */
const COUNTS_MAX = 2_000;
const COUNT_TEXT_MAX = 2_000;
/** Lists of numbers that are kept, each in some ten bytes a number */
const LISTS_MAX = 4;

/** Numbers that a query found, in a table of this connection alone. */
export interface NumberList {
  length: number;
  /** The numbers, as a SELECT with one value */
  sql: string;
  value: number;
}

export class Statements {
  readonly #db: DatabaseSync;
  readonly #known = new Map<string, StatementSync>();
  readonly #knownWrites = new Map<string, StatementSync>();
  readonly #knownArrays = new Map<string, StatementSync>();
  /** By query and values, at one version of the data */
  readonly #counts = new Map<string, number>();
  /** By query and values, at one version of the data; the least recently made first */
  readonly #lists = new Map<string, NumberList>();
  #lastList = 0;
  #version: number | null = null;
  readonly partCounts: PartCounts;

  /** Called between the pieces of long work. Its error ends the work. */
  readonly stillWanted: StillWanted;

  /** @param counts where counts are kept beyond this connection */
  constructor(db: DatabaseSync, stillWanted: StillWanted = () => undefined, counts: KeptCounts | null = null) {
    this.#db = db;
    this.stillWanted = stillWanted;
    this.partCounts = new PartCounts(this, counts);
  }

  /** Rows as objects. */
  prepare(sql: string): StatementSync {
    return this.#lookup(this.#known, sql, () => this.#db.prepare(sql));
  }

  /** Runs a statement that writes. */
  write(sql: string, ...values: SQLInputValue[]): StatementResultingChanges {
    return this.#lookup(this.#knownWrites, sql, () => prepareWrite(this.#db, sql)).run(...values);
  }

  /** Rows as arrays: twice as fast for pages of thousands. */
  prepareArrays(sql: string): StatementSync {
    return this.#lookup(this.#knownArrays, sql, () => {
      const statement = this.#db.prepare(sql);
      statement.setReturnArrays(true);
      return statement;
    });
  }

  /**
   * The number that a `SELECT count(*)` gives. Inside `snapshot` only. It is kept until another connection commits. A count that reads
   * many filings goes through `partCounts`, which keeps it longer.
   */
  count(sql: string, values: readonly SQLInputValue[]): number {
    this.version();
    const text = `${sql}\0${JSON.stringify(values)}`;
    const known = this.#counts.get(text);
    if (known !== undefined) return known;
    const [count] = this.prepareArrays(sql).get(...values) as unknown as [number];
    if (text.length <= COUNT_TEXT_MAX) {
      if (this.#counts.size >= COUNTS_MAX) this.#counts.delete(this.#counts.keys().next().value!);
      this.#counts.set(text, count);
    }
    return count;
  }

  /** The numbers of a query, found once for all statements, and kept. Inside `snapshot` only. @param sql each once */
  list(sql: string, values: readonly SQLInputValue[]): NumberList {
    this.version();
    const text = `${sql}\0${JSON.stringify(values)}`;
    const known = this.#lists.get(text);
    if (known !== undefined) return known;
    if (this.#lastList === 0)
      this.#db.exec('CREATE TEMP TABLE lists (list INTEGER, number INTEGER, PRIMARY KEY (list, number)) WITHOUT ROWID');
    if (this.#lists.size >= LISTS_MAX) this.#forget(this.#lists.keys().next().value!);
    const value = ++this.#lastList;
    const { changes } = this.prepare(`INSERT INTO temp.lists SELECT ?, * FROM (${sql})`).run(value, ...values);
    const list = { length: Number(changes), sql: 'SELECT number FROM temp.lists WHERE list = ?', value };
    this.#lists.set(text, list);
    return list;
  }

  /** A number for the state of the catalog. If another connection has committed, it is another, and what was counted and found is old. */
  version(): number {
    const { data_version: version } = this.prepare('PRAGMA data_version').get() as { data_version: number };
    if (version === this.#version) return version;
    this.#counts.clear();
    for (const text of this.#lists.keys()) this.#forget(text);
    this.#version = version;
    return version;
  }

  #forget(text: string): void {
    this.prepare('DELETE FROM temp.lists WHERE list = ?').run(this.#lists.get(text)!.value);
    this.#lists.delete(text);
  }

  #lookup(known: Map<string, StatementSync>, sql: string, prepare: () => StatementSync): StatementSync {
    let statement = known.get(sql);
    if (statement) known.delete(sql);
    else {
      statement = prepare();
      if (known.size >= STATEMENTS_MAX) known.delete(known.keys().next().value!);
    }
    known.set(sql, statement);
    return statement;
  }

  /** Runs reads that must see one state of the catalog (a page and its count) while ingest commits beside them. */
  snapshot<T>(body: () => T): T {
    const isOuter = !this.#db.isTransaction;
    if (isOuter) this.#db.exec('BEGIN');
    try {
      return body();
    } catch (error) {
      // node:sqlite does not reset an iterator whose row failed: the next use of its statement would report this error again.
      this.#known.clear();
      this.#knownArrays.clear();
      throw error;
    } finally {
      if (isOuter) this.#db.exec('COMMIT');
    }
  }

  /** Until the result is called, all reads see one state. Many small reads then cost one lock. */
  holdSnapshot(): () => void {
    this.#db.exec('BEGIN');
    return () => {
      if (this.#db.isOpen) this.#db.exec('COMMIT');
    };
  }
}

/**
 * A statement that writes. FTS5 uses ids beyond 2^53 for its blocks. node:sqlite returns one of them as the "last row id" of the
 * next statement, and since Node 26 refuses to return it as a number.
 */
export function prepareWrite(db: DatabaseSync, sql: string): StatementSync {
  const statement = db.prepare(sql);
  statement.setReadBigInts(true);
  return statement;
}

/** A WHERE clause under construction: conditions joined by AND, with their values in order. */
export class Conditions {
  readonly clauses: string[] = [];
  readonly values: SQLInputValue[] = [];

  add(clause: string, ...values: SQLInputValue[]): this {
    this.clauses.push(clause);
    this.values.push(...values);
    return this;
  }

  /**
   * `column` equals one of the values. A single value stays an equation, so that an index also gives the order. Several values are
   * passed as one JSON array, so that the text of the query stays the same for any number.
   */
  anyOf(column: string, values: readonly (string | number)[]): this {
    if (values.length === 1) return this.add(`${column} = ?`, values[0]!);
    return this.add(`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(values));
  }

  noneOf(column: string, values: readonly string[]): this {
    return this.add(`${column} NOT IN (SELECT value FROM json_each(?))`, JSON.stringify(values));
  }

  /** The same, and the query can be ended from outside. @param rowId an integer that differs from row to row */
  interruptibleSql(rowId: string): string {
    return this.clauses.length === 0 ? '1' : `${interruptible(rowId)} AND ${this.sql}`;
  }

  get sql(): string {
    return this.clauses.length === 0 ? '1' : this.clauses.join(' AND ');
  }
}

/** CIKs that a filing names. */
export const PARTIES = 'SELECT DISTINCT cik FROM filing_parties WHERE filing = ? AND cik IS NOT NULL';

/** An empty array is not a filter (docs/api.md#requests). */
export function given<T>(values: readonly T[] | undefined): values is readonly [T, ...T[]] {
  return values !== undefined && values.length > 0;
}

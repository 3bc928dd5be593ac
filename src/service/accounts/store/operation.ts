/**
 * What is done with the tables of accounts, whatever database has them: an operation yields its statements and gets their rows. SQLite
 * runs it in one piece, PostgreSQL with a pause for each statement. So every query is written once.
 */
export type Value = string | number | null | Uint8Array;

interface Statement {
  /** With `?` for each value */
  sql: string;
  values: readonly Value[];
  /** Rows are wanted, not the number of changed ones */
  hasRows: boolean;
}

export type Step = Statement | 'begin';

export interface StepResult {
  rows: unknown[];
  changes: number;
}

export type Operation<Result> = Generator<Step, Result, StepResult>;

export function* all<Row>(sql: string, ...values: Value[]): Operation<Row[]> {
  return (yield { sql, values, hasRows: true }).rows as Row[];
}

export function* get<Row>(sql: string, ...values: Value[]): Operation<Row | undefined> {
  return (yield { sql, values, hasRows: true }).rows[0] as Row | undefined;
}

/** @returns rows that were changed */
export function* run(sql: string, ...values: Value[]): Operation<number> {
  return (yield { sql, values, hasRows: false }).changes;
}

/** All that follows in the operation is one transaction, alone: all of it or nothing. Inside such an operation it changes nothing. */
export function* atomically(): Operation<void> {
  yield 'begin';
}

/** An object whose operations are run when they are called. */
export type Asynchronous<Owner> = {
  [Name in keyof Owner]: Owner[Name] extends (...given: infer Given) => Operation<infer Result>
    ? (...given: Given) => Promise<Result>
    : Owner[Name];
};

/** The same, for SQLite: it makes nobody wait for a promise. */
export type Synchronous<Owner> = {
  [Name in keyof Owner]: Owner[Name] extends (...given: infer Given) => Operation<infer Result>
    ? (...given: Given) => Result
    : Owner[Name];
};

const OPERATION = Object.getPrototypeOf(function* () {}) as object;

/** @param start runs an operation. It may call its argument again, to repeat one that changed nothing */
export function running<Owner extends object, Run extends Asynchronous<Owner> | Synchronous<Owner>>(
  owner: Owner,
  start: (operation: () => Operation<unknown>) => unknown,
): Run {
  return new Proxy(owner, {
    get(_, name) {
      const member: unknown = Reflect.get(owner, name, owner);
      if (typeof member !== 'function') return member;
      if (!Object.prototype.isPrototypeOf.call(OPERATION, member)) return member.bind(owner);
      return (...given: unknown[]) => start(() => member.apply(owner, given) as Operation<unknown>);
    },
  }) as unknown as Run;
}

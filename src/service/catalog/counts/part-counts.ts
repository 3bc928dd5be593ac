/**
 * Counts that outlast commits: a count is a sum over ranges of days, and only the ranges that a commit touched are counted again. What a
 * request counted before its deadline is kept too, so that the next one continues. `kept-counts.ts` has them for the next reader.
 */

import type { SQLInputValue, StatementSync } from 'node:sqlite';
import { dayNumber } from '../../../core/index.ts';
import { type CountKind, PART_DAYS } from '../store/count-revisions.ts';
import { FILINGS_A_DAY } from '../store/schema.ts';
import type { KeptCounts, KeptRange } from './kept-counts.ts';

/** Days since 1970, both included. */
export interface Days {
  from: number;
  to: number;
}

export interface CountQuery {
  /** Equal for equal counts, and for no others */
  key: string;
  /** What the counted rows depend on */
  kinds: ReadonlySet<CountKind>;
  date_from?: string | undefined;
  date_to?: string | undefined;
  /** A SELECT that counts the rows of some days */
  of: (days: Days) => { sql: string; values: readonly SQLInputValue[] };
}

interface Connection {
  prepare(sql: string): StatementSync;
  prepareArrays(sql: string): StatementSync;
  /** Another number after another connection's commit */
  version(): number;
  stillWanted(): void;
}

const QUERIES_MAX = 2_000;
const KEY_MAX = 10_000;
/** Milliseconds that one range should take, so that counting it again is short. */
const RANGE_MS = 100;
/** The parts of a range are as many times those of the one before, at most: the newest part says little of the others. */
const GROWTH_MAX = 8;

/** Revisions are below it, and sums are taken modulo it: exact in a number. */
const SUM_LIMIT = 2 ** 52;

/** What is known of one state of the catalog. */
interface State {
  version: number;
  /** Parts that have filings */
  parts: Days;
  /** By kind and part */
  revisions: ReadonlyMap<string, ReadonlyMap<number, number>>;
}

interface Range extends KeptRange {
  /** In which it was counted, or found unchanged; null: of an earlier reader */
  version: number | null;
}

export class PartCounts {
  readonly #statements: Connection;
  readonly #onDisk: KeptCounts | null;
  /** By key; ranges by their last part */
  readonly #kept = new Map<string, Map<number, Range>>();
  #state: State | null = null;

  constructor(statements: Connection, onDisk: KeptCounts | null) {
    this.#statements = statements;
    this.#onDisk = onDisk;
  }

  /** The number of rows. Inside `snapshot` only. */
  count(query: CountQuery): number {
    const state = this.#current();
    const { parts } = state;
    const first = query.date_from === undefined ? parts.from : Math.max(parts.from, partOf(dayNumber(query.date_from)));
    const last = query.date_to === undefined ? parts.to : Math.min(parts.to, partOf(dayNumber(query.date_to)));
    const ranges = this.#rangesOf(query.key);
    let sum = 0;
    let size = 1;
    let ms = 0;
    try {
      for (let at = last; at >= first; ) {
        let range = ranges.get(at);
        if (range === undefined || !isUnchanged(range, state, query.kinds)) {
          if (range !== undefined) size = sizeAfter(range);
          ranges.delete(at);
          range = this.#counted(query, Math.max(first, at - size + 1, endBelow(ranges, at) + 1), at, state);
          ranges.set(at, range);
          ms += range.ms;
        }
        size = sizeAfter(range);
        sum += range.count;
        at = range.from - 1;
      }
      return sum;
    } finally {
      // At the deadline too.
      this.#onDisk?.save(query.key, ranges.values(), ms);
    }
  }

  #counted(query: CountQuery, from: number, to: number, state: State): Range {
    this.#statements.stillWanted();
    const startedAt = performance.now();
    const { sql, values } = query.of({ from: from * PART_DAYS, to: (to + 1) * PART_DAYS - 1 });
    const [count] = this.#statements.prepareArrays(sql).get(...values) as unknown as [number];
    const revision = revisionOf(from, to, state, query.kinds);
    return { from, to, count, version: state.version, revision, ms: performance.now() - startedAt };
  }

  #rangesOf(key: string): Map<number, Range> {
    const ranges =
      this.#kept.get(key) ??
      new Map((this.#onDisk?.load(key) ?? []).map((range): [number, Range] => [range.to, { ...range, version: null }]));
    this.#kept.delete(key);
    if (key.length > KEY_MAX) return ranges;
    if (this.#kept.size >= QUERIES_MAX) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(key, ranges);
    return ranges;
  }

  #current(): State {
    const version = this.#statements.version();
    if (this.#state?.version === version) return this.#state;
    const [first, last] = this.#statements
      .prepareArrays('SELECT (SELECT min(id) FROM filings), (SELECT max(id) FROM filings)')
      .get() as unknown as [number | null, number | null];
    const parts = first === null ? { from: 0, to: -1 } : { from: partOfFiling(first), to: partOfFiling(last!) };
    this.#state = { version, parts, revisions: this.#readRevisions() };
    return this.#state;
  }

  #readRevisions(): State['revisions'] {
    const revisions = new Map<string, Map<number, number>>();
    const rows = this.#statements.prepareArrays('SELECT part, kind, revision FROM part_revisions').all();
    for (const [part, kind, revision] of rows as unknown as [number, string, number][]) {
      const ofKind = revisions.get(kind);
      if (ofKind === undefined) revisions.set(kind, new Map([[part, revision]]));
      else ofKind.set(part, revision);
    }
    return revisions;
  }
}

const partOf = (day: number): number => Math.floor(day / PART_DAYS);
const partOfFiling = (id: number): number => partOf(Math.floor(id / FILINGS_A_DAY));

function isUnchanged(range: Range, state: State, kinds: ReadonlySet<CountKind>): boolean {
  if (range.version === state.version) return true;
  if (range.revision !== revisionOf(range.from, range.to, state, kinds)) return false;
  range.version = state.version;
  return true;
}

function revisionOf(from: number, to: number, { revisions }: State, kinds: ReadonlySet<CountKind>): number {
  let sum = 0;
  for (const kind of kinds) {
    const ofKind = revisions.get(kind);
    if (ofKind === undefined) continue;
    for (let part = from; part <= to; part++) sum = (sum + (ofKind.get(part) ?? 0)) % SUM_LIMIT;
  }
  return sum;
}

/** The last part of the next range below. */
function endBelow(ranges: ReadonlyMap<number, Range>, part: number): number {
  let end = Number.NEGATIVE_INFINITY;
  for (const to of ranges.keys()) if (to < part && to > end) end = to;
  return end;
}

function sizeAfter({ from, to, ms }: Range): number {
  const parts = to - from + 1;
  return Math.max(1, Math.min(parts * GROWTH_MAX, Math.floor((parts * RANGE_MS) / ms)));
}

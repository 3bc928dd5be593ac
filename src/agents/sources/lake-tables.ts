import { quoteText } from '../../core/index.ts';
import type { Cell, Lake, LakeSession, Release } from '../../lake/index.ts';
import type { Moment } from '../answers/moment.ts';

export type LakeRow = Record<string, Cell>;

const RELEASES_KEPT_MS = 60_000;
/** Versions whose sessions are open. */
const SESSIONS_MAX = 2;

/** Of the lake's decimals, behind the point. */
const DECIMALS = 12;

/** When a filing became public, Eastern time: without an acceptance time at the end of its day. @param alias of `filings` */
export const acceptedSql = (alias: string) =>
  `coalesce(${alias}.acceptance_datetime, CAST(${alias}.filing_date + 1 AS TIMESTAMP))`;

/** A condition on filings: true without a moment. */
export function knownSql(alias: string, asOf: Moment | null): string {
  return asOf === null ? 'true' : `${acceptedSql(alias)} <= TIMESTAMP ${quoteText(asOf.replace('T', ' '))}`;
}

/** A condition on filings: known, and not removed by their service. Filings that are named by their numbers need only be known. */
export function standingSql(alias: string, asOf: Moment | null): string {
  const moment = asOf === null ? 'NULL' : `TIMESTAMP ${quoteText(asOf.replace('T', ' '))}`;
  return `${knownSql(alias, asOf)} AND stood_at(${alias}.removed_at, ${moment})`;
}

export class LakeTables {
  readonly lake: Lake;
  /** By version, the one that was asked last at the end. */
  readonly #sessions = new Map<number, Promise<LakeSession>>();

  readonly #release: Release | null;
  readonly #named = new Map<number, { at: number; name: Promise<string | null> }>();

  /** @param release all questions are about its version; null: about the newest */
  constructor(lake: Lake, release: Release | null = null) {
    this.lake = lake;
    this.#release = release;
  }

  /** The version that questions without a cursor are about. */
  async version(): Promise<number> {
    return this.#release?.version ?? (await this.lake.currentVersion());
  }

  /** The name of a release of a version; null without one. A new one is noticed after a minute. */
  releaseAt(version: number): Promise<string | null> {
    if (this.#release?.version === version) return Promise.resolve(this.#release.name);
    const known = this.#named.get(version);
    if (known !== undefined && Date.now() - known.at < RELEASES_KEPT_MS) return known.name;
    const name = this.lake.releases().then((all) => all.find((one) => one.version === version)?.name ?? null);
    this.#named.clear();
    this.#named.set(version, { at: Date.now(), name });
    name.catch(() => this.#named.delete(version));
    return name;
  }

  /** The version of a release. @throws FilinglakeError `release-unknown` */
  async released(name: string): Promise<number> {
    return (await this.lake.release(name)).version;
  }

  /** @throws FilinglakeError as `Lake.query` */
  async rows(sql: string, version: number): Promise<LakeRow[]> {
    const { columns, rows } = await (await this.#session(version)).ask(sql);
    return rows.map((cells) => Object.fromEntries(columns.map((of, i) => [of.name, shownAs(cells[i], of.type)])));
  }

  /** Questions come in numbers, to one version, or to that of a cursor. */
  #session(version: number): Promise<LakeSession> {
    const session = this.#sessions.get(version) ?? this.lake.session(version);
    this.#sessions.delete(version);
    this.#sessions.set(version, session);
    session.catch(() => this.#sessions.delete(version));
    for (const [oldest, idle] of this.#sessions) {
      if (this.#sessions.size <= SESSIONS_MAX) break;
      this.#sessions.delete(oldest);
      void idle.then((one) => one.close());
    }
    return session;
  }

  /** Ends the sessions, before the lake is closed. */
  async close(): Promise<void> {
    for (const session of this.#sessions.values()) await session.then((one) => one.close()).catch(() => undefined);
    this.#sessions.clear();
  }

  /** Which of the tables have no rows, in words; null: all have some. Such tables may have no view either. Printed fundamentals are some. */
  async without(tables: readonly string[], version: number): Promise<string | null> {
    const empty: string[] = [];
    for (const table of tables)
      if (!(await this.has(table, version)) && !(await this.has(`printed_${table}`, version))) empty.push(table);
    return empty.length === 0 ? null : `the lake has no rows of ${empty.join(', ')}`;
  }

  /** Whether a table has rows. */
  async has(table: string, version: number): Promise<boolean> {
    const { tables } = await this.lake.snapshot(version);
    return (tables.get(table)?.rows ?? 0) > 0;
  }
}

/** Decimals as text, the short ones too, without the zeros that their type adds. */
function shownAs(cell: Cell | undefined, type: string): Cell {
  if (cell === null || cell === undefined || !type.startsWith('DECIMAL')) return cell ?? null;
  const text = typeof cell === 'number' ? cell.toFixed(DECIMALS) : String(cell);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

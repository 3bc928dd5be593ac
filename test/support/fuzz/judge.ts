/** Compares a lake with the service, and with fresh lakes: what differs, and what explains it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { type ExportTable, tablesWrittenFor } from '../../../src/lake/tables/index.ts';
import { type Asked, type Dialect, hasCoRegistrant } from './fuzz-service.ts';
import {
  asksForInfo,
  filingOfRow,
  isTooLarge,
  KEYS,
  keyOf,
  type Row,
  type Rows,
  rowsOfService,
  selected,
} from './rows-of-service.ts';
import { type Choice, OF_FORMS } from './scenario.ts';
import { type Tolerance, toleranceOf } from './tolerated.ts';
import { CIKS, type MadeChange, OWNERSHIP_REPORT, World, type WorldFiling } from './world.ts';

export interface Difference {
  table: string;
  key: string;
  /** null: the row is missing, or too much */
  column: string | null;
  lake: unknown;
  expected: unknown;
}

/** Rows of a lake but those about runs. */
export interface Contents {
  problems: readonly string[];
  tables: ReadonlyMap<string, readonly Row[]>;
  keys: ReadonlyMap<string, readonly string[]>;
  failures: readonly Row[];
  /** In the order of their ends. */
  runs: readonly Row[];
}

/** Of each run, and when a filing was seen: they differ between two lakes of the same rows. */
const NOT_COMPARED = new Set(['fetched_at', 'listed_at', 'seen_at', 'run_id']);
const OF_TABLES: ReadonlySet<string> = new Set(OF_FORMS);
const SHOWN = 160;
const DAY_MS = 86_400_000;

/** @param isChecked whether with what `lake check` finds wrong: it costs as much as all else here */
export async function contentsOfLake(folder: string, isChecked: boolean): Promise<Contents> {
  await using lake = await openLake(folder);
  const { problems } = isChecked ? await checkLake(lake) : { problems: [] };
  const tables = new Map<string, readonly Row[]>();
  const keys = new Map<string, readonly string[]>();
  for (const table of lake.presentTables(await lake.snapshot()).values()) {
    if (table.name === 'coverage' || table.name.startsWith('export_')) continue;
    tables.set(table.name, await lake.query(`SELECT * FROM ${table.name}`));
    keys.set(table.name, table.key);
  }
  const failures = tables.has('filings') ? await lake.query('SELECT * FROM export_failures') : [];
  const runs = await lake.query('SELECT * FROM export_runs ORDER BY ended_at');
  return { problems: problems.map(({ message }) => message), tables, keys, failures, runs };
}

export interface Case {
  world: World;
  dialect: Dialect;
  /** Definitions that the lake was made with, the last one at the end. */
  choices: readonly Choice[];
  /** Definitions that made rows, and that the lake refuses since. */
  abandoned: readonly Choice[];
  now: Date;
  /** Filings about which the service refused something in this run. */
  refused: ReadonlySet<number>;
  used: Set<Tolerance>;
}

/** Rows of the service that a lake lacks, or has with other values. */
export function differencesFromService(contents: Contents, given: Case): Difference[] {
  const { world, dialect, choices, now } = given;
  const choice = choices.at(-1)!;
  const found: Difference[] = [];
  for (const [table, rows] of rowsOfService(world, dialect, choice, now)) {
    const stored = byKey(contents.tables.get(table) ?? [], KEYS[table]!);
    for (const [key, expected] of rows) {
      const n = filingOfRow(expected)!;
      if (given.refused.has(n) || hasFailure(contents, n)) continue;
      const row = stored.get(key);
      if (row === undefined) found.push({ table, key, column: null, lake: null, expected });
      else found.push(...differentColumns(table, key, row, expected));
    }
  }
  return found.filter((one) => !isTolerated(one, given));
}

/** A lake of many runs against fresh ones, one for each definition, the last one at the end. */
export function differencesFromFresh(lake: Contents, fresh: readonly Contents[], given: Case): Difference[] {
  const found: Difference[] = [];
  const tables = new Set([lake, ...fresh].flatMap(({ tables }) => [...tables.keys()]));
  for (const table of tables) {
    const key = [lake, ...fresh].map(({ keys }) => keys.get(table)).find((one) => one !== undefined)!;
    const stored = byKey(lake.tables.get(table) ?? [], key);
    const made = fresh.map(({ tables }) => byKey(tables.get(table) ?? [], key));
    const all = new Map(made.flatMap((rows) => [...rows]));
    for (const [id, expected] of all) {
      const n = filingOfRow(expected);
      if (n !== null && (hasFailure(lake, n) || fresh.some((one) => hasFailure(one, n)))) continue;
      const row = stored.get(id);
      if (row === undefined) found.push({ table, key: id, column: null, lake: null, expected });
      else
        for (const one of differentColumns(table, id, row, expected)) {
          // Another definition asked for more.
          const others = made.map((rows) => rows.get(id)?.[one.column!]);
          if (one.expected === null && (given.abandoned.length > 0 || isSizeStated(one, given) || isOwnText(one, row)))
            continue;
          const isOfLookup = table === 'filings' && !given.dialect.forms && one.lake === null;
          if (isOfLastFormat(one, n, given)) continue;
          if ((one.expected === null || isOfLookup) && others.some((value) => isSame(value, one.lake))) continue;
          found.push(one);
        }
    }
    for (const [id, row] of stored) {
      if (all.has(id) || mayStay(table, row, lake, given)) continue;
      found.push({ table, key: id, column: null, lake: row, expected: null });
    }
  }
  return found.filter((one) => !isTolerated(one, given));
}

/** The document was made readable for a definition that chose it by an earlier type. */
function isOwnText({ table, column, lake }: Difference, { content }: Row): boolean {
  return table === 'document_contents' && column === 'text' && wordsOf(content).includes(wordsOf(lake));
}

/** A section that an earlier definition chose: its text has the format of the last one, which requested the filing's sections again. */
function isOfLastFormat(
  { column, lake, expected }: Difference,
  n: number | null,
  { world, choices, now }: Case,
): boolean {
  if (column !== 'text' || n === null || wordsOf(lake) !== wordsOf(expected)) return false;
  const last = choices.findLast((choice) => selected(world, choice, now).some((filing) => filing.n === n));
  return /^#/m.test(String(lake)) === (last?.text_format === 'markdown');
}

/** Without the marks of HTML and Markdown. */
function wordsOf(text: unknown): string {
  return String(text)
    .replaceAll(/<[^>]*>|^#+ |\*\*/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** An earlier form of the filing needed filing_info, which states sizes: the lake knows more than a fresh one. */
function isSizeStated({ table, key, column, lake }: Difference, { world, dialect }: Case): boolean {
  if (table !== 'documents' || column !== 'size' || !dialect.sizes) return false;
  const document = world.of(key.slice(0, 20))?.documents.find(({ document_id }) => document_id === key);
  return document !== undefined && Number(lake) === Buffer.byteLength(document.content);
}

/** Texts of documents that the service never had: an answer that was cut. */
export function invented({ tables }: Contents, world: World): string[] {
  return (tables.get('document_contents') ?? []).flatMap(({ document_id, content, encoding }) => {
    if (encoding === 'json') return [];
    const isHad = world.had.get(String(document_id))?.has(String(content));
    return isHad ? [] : [`document ${String(document_id)} has ${String(content).length} characters that it never had`];
  });
}

/** Filings that the selection had before a run and after it, and that its lake does not have. */
export function unlisted({ tables, failures }: Contents, of: Case, before: ReadonlySet<WorldFiling>): string[] {
  const { world, choices, now, refused } = of;
  const stored = new Set((tables.get('filings') ?? []).map(filingOfRow));
  const lost = selected(world, choices.at(-1)!, now).filter(
    (filing) => before.has(filing) && !stored.has(filing.n) && !refused.has(filing.n),
  );
  const isNamed = (n: number) => failures.some((failure) => filingOfRow(failure) === n);
  return lost.filter(({ n }) => !isNamed(n)).map(({ n }) => `filing ${n} is missing, and every window is proven`);
}

/** Failures of lookups' records that a retry has dropped, and about which it asked nothing: it sends no lookup. */
export function vanished(before: readonly Row[], after: readonly Row[], asked: readonly Asked[]): string[] {
  const left = new Set(after.map(({ step, subject }) => `${String(step)} ${String(subject)}`));
  const isAsked = ({ accession_number }: Row) =>
    asked.some(({ subject }) => subject.startsWith(String(accession_number)));
  return before
    .filter((one) => one.step === 'filing' && !left.has(`${String(one.step)} ${String(one.subject)}`) && !isAsked(one))
    .map(
      ({ subject, message }) => `the failure of ${String(subject)} is gone, and nothing was asked: ${String(message)}`,
    );
}

/**
 * Why a service without faults may leave a run with failures.
 * @param isProven every window: what they lack is not of the selection
 */
export function isExplained(failure: Row, { world, dialect, choices, refused, now }: Case, isProven: boolean): boolean {
  const number = String(failure.accession_number ?? failure.subject ?? '');
  const filing = number.length >= 20 ? world.of(number.slice(0, 20)) : undefined;
  if (filing === undefined || filing.removed || refused.has(filing.n)) return true;
  if (!choices.some((choice) => selected(world, choice, now).includes(filing))) return !isProven;
  if (hasCoRegistrant(dialect, filing)) return true;
  // The service may have the chosen sections, under their titles.
  if (dialect.codes.info === 'named' && choices.some(({ sections, tables }) => sections && tables.some(isOfSections)))
    return true;
  return filing.documents.some(
    (document) => document.late || choices.some((choice) => isLarger(document.content, choice)),
  );
}

function isOfSections(table: string): boolean {
  return table === 'sections' || table === 'section_contents';
}

function isLarger(content: string, { documents }: Choice): boolean {
  const { max_bytes } = (documents ?? {}) as { max_bytes?: number };
  return max_bytes !== undefined && Buffer.byteLength(content) > max_bytes;
}

/** A document that was requested though its size is known, and is over the limit. */
export function isForbidden(documentId: string, { world, dialect, choices, refused }: Case): boolean {
  const filing = world.of(documentId.slice(0, 20));
  const document = filing?.documents.find(({ document_id }) => document_id === documentId);
  if (!filing || !document || refused.has(filing.n) || changesOf(world, filing.n, null).length > 0) return false;
  const choice = choices.at(-1)!;
  // The limit does not apply to documents of forms.
  const isOfForm = document.filename === OWNERSHIP_REPORT && choice.tables.some((table) => OF_TABLES.has(table));
  return !isOfForm && isTooLarge(document, choice, dialect);
}

/** A row of the lake that no fresh lake has. */
function mayStay(table: string, row: Row, lake: Contents, { world, dialect, choices, abandoned, now }: Case): boolean {
  if (abandoned.some(({ tables }) => tablesWrittenFor(tables as ExportTable[]).some((name) => name === table)))
    return true;
  // Another export has requested filing_info, which names the document.
  if (dialect.documents === 'first' && table === 'document_contents') return true;
  const n = filingOfRow(row);
  if (n === null) {
    const owners = new Set((lake.tables.get('filings') ?? []).map(({ cik }) => String(cik)));
    return table.startsWith('entit') && (owners.has(String(row.cik)) || world.made.length > 0);
  }
  // A request that failed, or a document that grew beyond the limit, leaves the older rows, and a failure names it.
  if (hasFailure(lake, n)) return true;
  if (!choices.some((choice) => selected(world, choice, now).some((filing) => filing.n === n))) return true;
  const moved = changesOf(world, n, null).some(({ change }) =>
    ['date', 'date-old', 'date-new', 'cik', 'form', 'removed'].includes(change),
  );
  return moved || choices.some(({ select }) => select.date_from !== undefined);
}

function isTolerated({ table, key, column, lake, expected }: Difference, given: Case): boolean {
  const { world, dialect, choices, now } = given;
  const row = (column === null ? (lake ?? expected) : null) as Row | null;
  const n = filingOfRow(row ?? { accession_number: key.slice(0, 20) });
  const cik = table.startsWith('entit') ? key.split(' ')[0]! : null;
  let made = changesOf(world, n, cik);
  // The index of sections says that they exist.
  const isIndexed = choices.some(({ tables }) => tables.includes('sections'));
  if (isIndexed) made = made.filter(({ change }) => change !== 'stray-404');
  const of = choices.filter((choice) => n !== null && selected(world, choice, now).some((filing) => filing.n === n));
  const place = { table, column, byNumber: of.length > 0 && of.every(({ select }) => 'accession_numbers' in select) };
  const isRefreshed =
    of.length > 0 &&
    of.every((choice) => isOfRefresh(choice, world.filings.get(n!)!, now)) &&
    (!place.byNumber || of.some((choice) => asksForInfo(world.filings.get(n!)!, choice)));
  const isTold = isRefreshed || (dialect.revision && !place.byNumber);
  const isCompanyTold = cik !== null && tellsOfCompany(cik, given);
  const tolerance = toleranceOf(
    made,
    { dialect, isTold, now, entityDays: entityDaysOf(choices), isCompanyTold },
    place,
  );
  if (tolerance !== null) given.used.add(tolerance);
  return tolerance !== null;
}

/** Whether the definition's runs request again what the lake has of the filing. */
function isOfRefresh({ refresh }: Choice, { filing_date }: WorldFiling, now: Date): boolean {
  if (refresh !== '30d') return refresh === 'all';
  return now.getTime() - Date.parse(filing_date) < 29 * DAY_MS;
}

/** Whether a lookup states the company's name to whichever definition reads it first, or a refresh asks for the company. */
function tellsOfCompany(cik: string, { world, choices, now }: Case): boolean {
  if (!choices.every(({ tables }) => tables.includes('entities'))) return false;
  return choices.some(
    (choice) =>
      (!('accession_numbers' in choice.select) || choice.refresh === 'all') &&
      selected(world, choice, now).some((filing) => filing.cik === cik),
  );
}

/** The age at which rows of `entities` are requested again, by all of the definitions. */
function entityDaysOf(choices: readonly Choice[]): number {
  const of = choices.filter(({ tables }) => tables.includes('entities'));
  const days = ({ entities = { refresh: '30d' } }: Choice) =>
    entities.refresh === 'never' ? Number.POSITIVE_INFINITY : Number.parseInt(entities.refresh, 10);
  return Math.max(0, ...of.map(days));
}

/** Removed filings that a proven window should have, and that have no `removed_at`; failures of those that have it. */
export function unmarked({ tables, failures }: Contents, { world, choices, now }: Case): string[] {
  const isPlain = ({ select }: Choice) => Object.keys(select).every((key) => ['date_from', 'date_to'].includes(key));
  const plain = choices.filter(isPlain);
  const marks = (tables.get('filings') ?? []).filter(({ accession_number, removed_at }) => {
    const filing = world.of(String(accession_number))!;
    const would = new World(0, 0, world.today);
    would.filings.set(filing.n, { ...filing, removed: false });
    const isExpected = plain.some((choice) => selected(would, choice, now).length > 0);
    return filing.removed && isExpected && removed_at === null;
  });
  const gone = new Set((tables.get('filings') ?? []).filter(({ removed_at }) => removed_at !== null).map(filingOfRow));
  // A list of accession numbers asks about its filings in each run.
  const byNumber = choices.filter(({ select }) => 'accession_numbers' in select).map(({ name }) => name);
  const kept = failures.filter((one) => gone.has(filingOfRow(one)) && !byNumber.includes(String(one.export)));
  return [
    ...marks.map(({ accession_number }) => `filing ${String(accession_number)} is gone, and has no removed_at`),
    ...kept.map(({ message }) => `a removed filing has a failure: ${String(message)}`),
  ];
}

function changesOf(world: World, n: number | null, cik: string | null): MadeChange[] {
  const filing = n === null ? undefined : world.filings.get(n);
  const company = Number(filing?.cik ?? cik ?? 0) - 1001;
  const hasMoved = world.made.some((change) => change.change === 'cik' && change.n === n);
  return world.made.filter((change) =>
    change.change === 'renamed' ? hasMoved || change.n % CIKS === company : change.n === n && n !== null,
  );
}

function differentColumns(table: string, key: string, row: Row, expected: Row): Difference[] {
  return Object.keys(expected)
    .filter((column) => !NOT_COMPARED.has(column) && !isSame(row[column], expected[column]))
    .map((column) => ({ table, key, column, lake: row[column] ?? null, expected: expected[column] ?? null }));
}

function hasFailure({ failures }: Contents, n: number): boolean {
  return failures.some((failure) => filingOfRow(failure) === n);
}

function isSame(one: unknown, other: unknown): boolean {
  return textOf(one) === textOf(other);
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString().slice(0, 10);
  if (typeof value === 'object' && value !== null)
    return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one));
  return String(value ?? null);
}

function byKey(rows: readonly Row[], key: readonly string[]): Map<string, Row> {
  return new Map(rows.map((row) => [keyOf(row, key), row]));
}

interface DeltaAction {
  add?: { path: string; stats?: string };
  remove?: { path: string };
}

/** Tables whose Delta log, action by action, has another number of rows than the lake's own SQL. */
export function differencesOfDelta(folder: string, { tables }: Contents): string[] {
  return [...tables].flatMap(([table, rows]) => {
    const log = join(folder, table, '_delta_log');
    const live = new Map<string, number>();
    const commits = readdirSync(log).filter((name) => /^\d{20}\.json$/.test(name));
    for (const name of commits.sort())
      for (const line of readFileSync(join(log, name), 'utf8').trim().split('\n')) {
        const { add, remove } = JSON.parse(line) as DeltaAction;
        if (remove) live.delete(remove.path);
        if (add) live.set(add.path, (JSON.parse(add.stats ?? '{}') as { numRecords: number }).numRecords);
      }
    const counted = [...live.values()].reduce((sum, n) => sum + n, 0);
    return counted === rows.length ? [] : [`Delta's log of ${table} has ${counted} rows, the lake ${rows.length}`];
  });
}

export function told({ table, key, column, lake, expected }: Difference): string {
  if (column === null) return `${table} ${key}: ${lake === null ? 'missing' : 'too much'}`;
  const short = (value: unknown) => textOf(value).slice(0, SHOWN);
  return `${table}.${column} of ${key}: ${short(lake)}, not ${short(expected)}`;
}

export type { Rows };

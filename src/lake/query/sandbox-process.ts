/**
 * The process of a sandbox: a DuckDB that reads the parts of one version of a lake and nothing else. It has no keys in its
 * environment. Its parent ends it if a statement doesn't end.
 */
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DuckDBInstance } from '@duckdb/node-api';
import { FilinglakeError, quoteList, quoteName, quoteText } from '../../core/index.ts';
import { openEngine } from '../engine/duckdb.ts';
import type { LakeSnapshot } from '../log/log.ts';
import { type LakeState, openState } from '../state/state.ts';
import { partPath } from '../storage/layout.ts';
import { runOn } from './query.ts';
import { queryError } from './query-errors.ts';
import type { FromSandbox, SandboxOptions, SandboxQuestion, ToSandbox } from './sandbox-messages.ts';
import { cellJson } from './values.ts';

const SPILL_MAX = '2GB';
const MEMORY_LOOKS_MS = 50;
/** Exit code of a process that used too much memory. */
const EXIT_MEMORY = 86;

let lake: LakeState;
let snapshot: LakeSnapshot;
let engine: DuckDBInstance;

const send = (message: FromSandbox) => void process.send!(message);

async function open({ place, version, memoryBytes, threads, residentBytesMax }: SandboxOptions): Promise<void> {
  setInterval(() => {
    if (process.memoryUsage.rss() > residentBytesMax) process.exit(EXIT_MEMORY);
  }, MEMORY_LOOKS_MS).unref();
  lake = await openState(place, { unmended: true });
  snapshot = await lake.snapshot(version);
  const spillFolder = path.join(tmpdir(), `filinglake-spill-${randomUUID()}`);
  engine = await openEngine({ spillFolder, memoryBytes, threads, keepOrder: true });
  const connection = await engine.connect();
  for (const statement of await lake.storage.engineSetUp()) await connection.run(statement);
  const parts = [...snapshot.tables].flatMap(([table, { parts: live }]) =>
    [...live.values()].map(({ part }) => partPath(table, part)),
  );
  await lake.storage.makeReadable(parts);
  for (const statement of [
    `SET GLOBAL max_temp_directory_size = '${SPILL_MAX}'`,
    'CREATE SCHEMA kept',
    `SET GLOBAL allowed_paths = ${quoteList(parts.map((part) => lake.storage.url(part)))}`,
    'SET GLOBAL enable_external_access = false',
    'SET GLOBAL lock_configuration = true',
  ])
    await connection.run(statement);
  connection.closeSync();
  send({ kind: 'opened' });
}

async function ask(question: SandboxQuestion): Promise<void> {
  const { id, sql, rowsMax, charactersMax, timeMs, keepAs } = question;
  const connection = await engine.connect();
  const timer = setTimeout(() => connection.interrupt(), timeMs);
  const place = { storage: lake.storage, tables: lake.tables.values() };
  try {
    const result = await runOn(connection, place, snapshot, sql);
    const rows: string[] = [];
    let characters = 0;
    for await (const chunk of result.chunks()) {
      for (const cells of chunk) {
        const row = `[${cells.map(cellJson).join(',')}]`;
        characters += row.length;
        if (rows.length === rowsMax)
          throw limit(`the statement returns more than ${rowsMax.toLocaleString('en-US')} rows`);
        if (characters > charactersMax)
          throw limit(`the rows have more than ${charactersMax.toLocaleString('en-US')} characters`);
        rows.push(row);
      }
    }
    if (keepAs !== null) await keep(keepAs, sql, result.columns, rows);
    result.close();
    send({ kind: 'rows', id, columns: [...result.columns], rows });
  } catch (thrown) {
    const error = queryError(thrown, lake.storage.name);
    const isLate = error instanceof Error && /INTERRUPT/i.test(error.message);
    sendError(id, isLate ? limit(`the statement needs more than ${timeMs / 1000} s`) : error);
  } finally {
    clearTimeout(timer);
    connection.closeSync();
  }
}

/** The same rows as a table, with the types of the statement. */
async function keep(
  name: string,
  sql: string,
  columns: readonly { name: string; type: string }[],
  rows: readonly string[],
): Promise<void> {
  const connection = await engine.connect();
  try {
    const table = `kept.${quoteName(name)}`;
    const names = columns.map((column) => quoteName(column.name));
    await connection.run(
      `CREATE OR REPLACE TABLE ${table} (${columns.map(({ type }, i) => `${names[i]} ${type}`).join(', ')})`,
    );
    for (let i = 0; i < rows.length; i += 500) {
      const values = rows
        .slice(i, i + 500)
        .map((row) => `(${(JSON.parse(row, exact) as unknown[]).map(literal).join(', ')})`);
      await connection.run(`INSERT INTO ${table} VALUES ${values.join(', ')}`);
    }
  } catch (error) {
    throw new FilinglakeError('sql-invalid', `rows of ${sql.slice(0, 60)} can't be kept: ${(error as Error).message}`, {
      remedy: 'Cast lists, structs and bytes to text first.',
    });
  } finally {
    connection.closeSync();
  }
}

/** Numbers as they are written: a double would lose digits. */
function exact(_: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' && context?.source !== undefined ? { number: context.source } : value;
}

function literal(value: unknown): string {
  if (value === null) return 'NULL';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'object' && 'number' in value) return String(value.number);
  return quoteText(typeof value === 'string' ? value : JSON.stringify(value));
}

function limit(message: string): FilinglakeError {
  return new FilinglakeError('sql-limited', message);
}

function sendError(id: number | null, error: unknown): void {
  const { code, remedy } =
    error instanceof FilinglakeError ? error : { code: 'sql-invalid', remedy: 'Correct the statement.' };
  send({ kind: 'failed', id, code, message: error instanceof Error ? error.message : String(error), remedy });
}

process.on('message', (message: ToSandbox) => {
  if (message.kind === 'open') open(message.options).catch((error: unknown) => sendError(null, error));
  else void ask(message);
});
// The parent is gone.
process.on('disconnect', () => process.exit(0));

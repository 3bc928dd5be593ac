/**
 * The place of the accounts in tests: `accounts.db` of a new folder, or a new schema of PostgreSQL
 * (test/service/slow/accounts/on-postgresql.test.ts). The tests are the same.
 */
import { temporaryFolder } from '../catalog/synthetic-filings.ts';
import type { PostgresServer } from './postgres-server.ts';

type Server = Pick<PostgresServer, 'newPlace' | 'ask'>;
let server: Server | null = null;

export function useServer(postgres: Server | null): void {
  server = postgres;
}

/** Whether the accounts are a file. */
export const isFile = () => server === null;

/** A folder, or the address of a database. */
export async function newPlace(): Promise<string> {
  return server === null ? temporaryFolder() : server.newPlace();
}

/** All rows of all tables. */
export async function rowsOf(place: string): Promise<Record<string, unknown>[]> {
  const names = isFile()
    ? await ask(place, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name")
    : await ask(
        place,
        'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename',
      );
  const tables = await Promise.all(names.map(async ({ name }) => [name, await ask(place, `SELECT * FROM ${name}`)]));
  return tables.map(([name, rows]) => ({ name, rows }));
}

/** Rows of a statement, by a connection of its own. */
export async function ask(place: string, sql: string): Promise<Record<string, unknown>[]> {
  if (server !== null) return server.ask(sql, place);
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(`${place}/accounts.db`);
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

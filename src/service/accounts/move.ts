/** Moves `accounts.db` into an empty PostgreSQL database: accounts, keys, usage, log-ins, and all else. */
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { FilinglakeError } from '../../core/index.ts';
import { ACCOUNTS_FILE, isFileThere } from '../catalog/index.ts';
import { openAccounts } from './open.ts';
import { all, atomically, type Operation, run, type Value } from './store/operation.ts';
import { openAccountsDatabase } from './store/schema.ts';

const ROWS_AT_ONCE = 500;
/** Added to the name of the old database: no service counts there by mistake. */
const MOVED = '.moved';

interface Table {
  name: string;
  columns: string[];
  rows: Record<string, Value>[];
}

/**
 * All or nothing. Other processes can't write the old database meanwhile; afterwards it is `accounts.db.moved`.
 * @returns rows by table
 * @throws FilinglakeError `catalog-missing`, `accounts-database-taken`, `accounts-busy`; as openAccounts
 */
export async function moveAccounts(folder: string, url: string): Promise<Record<string, number>> {
  const file = join(folder, ACCOUNTS_FILE);
  if (!isFileThere(file)) throw new FilinglakeError('catalog-missing', `${file} is not there`);
  // Brings its tables up to date.
  openAccountsDatabase(folder).close();
  const target = await openAccounts(url);
  using source = new DatabaseSync(file, { timeout: 10_000 });
  try {
    source.exec('BEGIN IMMEDIATE');
    const tables = tablesOf(source);
    await target.run(() => fill(tables));
    source.exec('ROLLBACK');
    source.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    source.close();
    renameSync(file, `${file}${MOVED}`);
    for (const beside of ['-wal', '-shm']) rmSync(`${file}${beside}`, { force: true });
    return Object.fromEntries(tables.map(({ name, rows }) => [name, rows.length]));
  } finally {
    await target.close();
  }
}

function tablesOf(source: DatabaseSync): Table[] {
  const names = source.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'").all();
  return names.map(({ name }) => {
    const columns = source.prepare('SELECT name FROM pragma_table_info(?)').all(name!);
    const rows = source.prepare(`SELECT * FROM ${name}`).all() as Record<string, Value>[];
    return { name: String(name), columns: columns.map((column) => String(column.name)), rows };
  });
}

function* fill(tables: readonly Table[]): Operation<void> {
  yield* atomically();
  for (const name of ['keys', 'accounts', 'usage']) {
    const [found] = yield* all(`SELECT 1 FROM ${name} LIMIT 1`);
    if (found) throw new FilinglakeError('accounts-database-taken', `the database has rows in the table ${name}`);
  }
  for (const { name, columns, rows } of tables) {
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
      const part = rows.slice(at, at + ROWS_AT_ONCE);
      const marks = part.map(() => `(${columns.map(() => '?').join(', ')})`).join(', ');
      const values = part.flatMap((row) => columns.map((column) => row[column]!));
      yield* run(`INSERT INTO ${name} (${columns.join(', ')}) VALUES ${marks}`, ...values);
    }
    // The next number is one that no row has had.
    if (columns.includes('id') && typeof rows[0]?.id === 'number') {
      yield* all(`SELECT setval(pg_get_serial_sequence('${name}', 'id'), (SELECT max(id) FROM ${name}))`);
    }
  }
}

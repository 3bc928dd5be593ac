import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeUnfinishedDatabase } from '../../../../src/export/runtime/temporal/database.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';

let folder: string;
let file: string;
const open: DatabaseSync[] = [];
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'temporal.db');
});
afterEach(() => {
  for (const database of open.splice(0)) database.close();
});

/** Left open, as a process that is killed leaves it: with its write-ahead log. */
function databaseOf(sql: string, path = file): DatabaseSync {
  const database = new DatabaseSync(path);
  open.push(database);
  database.exec(`PRAGMA journal_mode = WAL; ${sql}`);
  return database;
}

/** As `databaseOf`, with nobody who has it open. */
function killedDatabaseOf(sql: string): void {
  const elsewhere = join(folder, `elsewhere-${open.length}.db`);
  databaseOf(sql, elsewhere);
  for (const ending of ['', '-wal'])
    if (existsSync(`${elsewhere}${ending}`)) copyFileSync(`${elsewhere}${ending}`, `${file}${ending}`);
}

const NAMESPACES = 'CREATE TABLE namespaces (name TEXT);';

describe("Temporal's database that was never finished", () => {
  it('goes with all that belongs to it, whether it has no tables yet or some, but no namespace', () => {
    for (const sql of ['', 'CREATE TABLE executions (id TEXT);', NAMESPACES]) {
      killedDatabaseOf(sql);
      expect(removeUnfinishedDatabase(file)).toBe(true);
      expect(readdirSync(folder).filter((name) => name.startsWith('temporal.db'))).toEqual([]);
    }
    writeFileSync(file, '');
    expect(removeUnfinishedDatabase(file)).toBe(true);
    expect(removeUnfinishedDatabase(file)).toBe(false);
  });

  it('is deleted too if its first transaction is not finished', () => {
    const elsewhere = join(folder, 'elsewhere.db');
    const database = new DatabaseSync(elsewhere);
    open.push(database);
    database.exec(
      `PRAGMA cache_size = 1; PRAGMA cache_spill = 1; CREATE TABLE before (x); BEGIN; CREATE TABLE one (x)`,
    );
    const fill = database.prepare('INSERT INTO one VALUES (?)');
    for (let i = 0; i < 50; i++) fill.run('x'.repeat(4000));
    for (const ending of ['', '-journal']) copyFileSync(`${elsewhere}${ending}`, `${file}${ending}`);
    expect(removeUnfinishedDatabase(file)).toBe(true);
    expect(existsSync(`${file}-journal`)).toBe(false);
  });

  it('stays if another process has it open', () => {
    databaseOf(NAMESPACES);
    expect(() => removeUnfinishedDatabase(file)).toThrow(`${file} is being used by another process`);
    expect(existsSync(file)).toBe(true);
  });
});

describe("Temporal's database", () => {
  it('stays unchanged once it has a namespace', () => {
    killedDatabaseOf(`${NAMESPACES} INSERT INTO namespaces VALUES ('filinglake')`);
    expect(removeUnfinishedDatabase(file)).toBe(false);
    const database = new DatabaseSync(file);
    open.push(database);
    expect(database.prepare('SELECT name FROM namespaces').get()).toEqual({ name: 'filinglake' });
  });

  it('stays if it is damaged, with an error', () => {
    const damaged = 'no database '.repeat(1000);
    writeFileSync(file, damaged);
    expect(() => removeUnfinishedDatabase(file)).toThrow(`${file} is damaged: file is not a database`);
    expect(readFileSync(file, 'utf8')).toBe(damaged);
  });
});

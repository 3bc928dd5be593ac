/**
 * A digest of everything that a catalog holds: rows, words of full text, bytes of packs. Two catalogs of the same content have the
 * same digest. `node test/support/catalog-digest.ts CATALOG…` prints it, to compare two versions of filinglake.
 */
import { createHash, hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/** A random text is the identity of a catalog. */
const NOT_IDENTITY = "WHERE key <> 'identity'";
/** Columns that differ from one ingest to the other: its time, and random numbers. */
const OF_THE_INGEST: ReadonlySet<string> = new Set(['superseded.at', 'part_revisions.revision']);

/** @returns a digest for each table and pack */
export function catalogDigest(folder: string): Record<string, string> {
  const db = new DatabaseSync(join(folder, 'catalog.db'), { readOnly: true });
  const digests: Record<string, string> = {};
  try {
    for (const table of namesOfTables(db)) {
      const columns = db
        .prepare('SELECT name FROM pragma_table_info(?)')
        .all(table)
        .map(({ name }) => String(name))
        .filter((column) => !OF_THE_INGEST.has(`${table}.${column}`));
      const list = columns.map((column) => `"${column}"`).join(', ');
      digests[table] = digestOf(
        db,
        `SELECT ${list} FROM "${table}" ${table === 'meta' ? NOT_IDENTITY : ''} ORDER BY ${list}`,
      );
    }
    for (const index of ['document_texts', 'entity_names']) {
      db.exec(`CREATE VIRTUAL TABLE temp.words_of_${index} USING fts5vocab('main', '${index}', 'instance')`);
      digests[index] = digestOf(db, `SELECT term, doc, col, offset FROM words_of_${index}`);
    }
  } finally {
    db.close();
  }
  for (const pack of readdirSync(join(folder, 'packs')).sort())
    digests[pack] = hash('sha256', readFileSync(join(folder, 'packs', pack)));
  return digests;
}

/** Without those that SQLite and FTS5 keep for themselves: how they divide words into blocks depends on the batches. */
function namesOfTables(db: DatabaseSync): string[] {
  const own = db.prepare(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'
     AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'document_texts_%' AND name NOT LIKE 'entity_names_%' ORDER BY name`,
  );
  return own.all().map(({ name }) => String(name));
}

function digestOf(db: DatabaseSync, sql: string): string {
  const digest = createHash('sha256');
  const statement = db.prepare(sql);
  statement.setReturnArrays(true);
  for (const row of statement.iterate()) {
    const values = Object.values(row);
    digest.update(JSON.stringify(values.map((value) => (value instanceof Uint8Array ? hash('sha256', value) : value))));
  }
  return digest.digest('hex');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  for (const folder of process.argv.slice(2))
    process.stdout.write(`${JSON.stringify(catalogDigest(folder), null, 1)}\n`);

/** A large catalog, made from a small one: its rows many times, with other numbers, on the same days. The packs stay as they are. */
import type { DatabaseSync } from 'node:sqlite';
import { decompress } from '../../src/service/catalog/packs/frames.ts';
import { PackReader } from '../../src/service/catalog/packs/packs.ts';
import { openToWrite } from '../../src/service/catalog/store/schema.ts';

/** Numbers of a day that a copy of its filings and documents is moved by. */
const FILING_STEP = 2 ** 14;
const DOCUMENT_STEP = 2 ** 26;
/** Copies that find room in the numbers of a day, and in accession numbers: those of copies begin with 100 and more. */
const COPIES_MAX = 900;
/** Copies have entities of their own, with CIKs that no filer has. */
const ENTITY_STEP = 10_000_000;
/** Of each text the index has as many characters in the copies: a million whole texts would take an hour. */
const TEXT_CHARACTERS = 400;
/** In each thousandth copied text. */
export const RARE_WORD = 'zirconium';

export interface Copying {
  /** Copies with entities of their own; those of the others are shared. Default: all */
  entityCopies?: number;
  /** Of the documents only the first text of each filing, short, and records that are numbers alone: for tens of millions */
  isLean?: boolean;
}

/** Adds copies of all filings of a catalog, day by day. Copies have no `filing_info`. */
export function multiply(
  folder: string,
  copies: number,
  { entityCopies = copies, isLean = false }: Copying = {},
): void {
  if (copies > COPIES_MAX) throw new Error(`at most ${COPIES_MAX} copies`);
  const db = openToWrite(folder);
  db.exec('PRAGMA journal_mode=MEMORY');
  db.exec('PRAGMA synchronous=OFF; PRAGMA cache_size=-1000000');
  db.exec(`CREATE TEMP TABLE old_filings AS SELECT * FROM filings; CREATE INDEX temp.old_days ON old_filings (filing_date, id);
    CREATE TEMP TABLE old_texts (id INTEGER PRIMARY KEY, text TEXT);
    CREATE TEMP TABLE copies AS WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < ${copies}) SELECT n FROM c`);
  for (const table of ['filing_records', 'filing_parties', 'filing_items', 'documents', 'entities'])
    db.exec(`CREATE TEMP TABLE old_${table} AS SELECT * FROM ${table}`);
  for (const table of ['filing_records', 'filing_parties', 'filing_items', 'documents'])
    db.exec(`CREATE INDEX temp.old_${table}_of ON old_${table} (filing)`);
  const isChosen = isLean
    ? 'd.searched AND NOT EXISTS (SELECT 1 FROM old_documents e WHERE e.filing = d.filing AND e.searched AND e.id < d.id)'
    : '1';
  db.exec(
    `CREATE TEMP TABLE chosen AS SELECT * FROM old_documents d WHERE ${isChosen}; CREATE INDEX temp.chosen_of ON chosen (filing)`,
  );
  keepTexts(db, folder, isLean ? TEXT_CHARACTERS / 4 : TEXT_CHARACTERS);
  // Rows come in the order of their keys; indexes are made at the end. No reader has a count that these rows make old.
  const later = db
    .prepare(
      `SELECT type, name, sql FROM sqlite_schema WHERE sql LIKE '%part_revisions%' AND type = 'trigger'
       OR type = 'index' AND sql IS NOT NULL AND (tbl_name LIKE 'filing%' OR tbl_name = 'documents')`,
    )
    .all();
  for (const { type, name } of later) db.exec(`DROP ${type} ${name}`);
  const filing = `n * ${FILING_STEP}`;
  const number = '(n + 99) || substr(f.accession, 4)';
  const cik = `p.cik + (n % ${entityCopies}) * ${ENTITY_STEP}`;
  const from = 'FROM copies CROSS JOIN old_filings f INDEXED BY old_days ON f.filing_date = ?';
  const insert = [
    `INSERT INTO filings SELECT f.id + ${filing}, ${number}, form_type, form_key, amendment, filing_date, acceptance, size, name_key,
      dialect, corrected, has_series, sha256, readers ${from}`,
    `INSERT INTO filing_records SELECT f.id + ${filing}, ${isLean ? `'{"accession_number":"' || ${number} || '"}'` : `replace(r.record, f.accession, ${number})`}
      ${from} CROSS JOIN old_filing_records r ON r.filing = f.id`,
    `INSERT INTO filing_parties SELECT f.id + ${filing}, p.position, p.role, ${cik}, p.sic ${from} CROSS JOIN old_filing_parties p ON p.filing = f.id`,
    `INSERT INTO documents SELECT d.id + n * ${DOCUMENT_STEP}, f.id + ${filing}, d.sequence, d.type, d.type_key, d.filename, d.description,
      d.content_type, d.size, d.sha256, d.pack, d.offset, d.length, d.searched, d.text_offset, d.text_length
      ${from} CROSS JOIN chosen d ON d.filing = f.id`,
    `INSERT INTO document_texts (rowid, text) SELECT d.id + n * ${DOCUMENT_STEP}, t.text || CASE (d.id + n) % 1000 WHEN 0 THEN ' ${RARE_WORD}' ELSE '' END
      ${from} CROSS JOIN chosen d ON d.filing = f.id CROSS JOIN old_texts t ON t.id = d.id`,
  ].map((sql) => {
    const statement = db.prepare(sql);
    statement.setReadBigInts(true);
    return statement;
  });
  for (const { day } of db.prepare('SELECT DISTINCT filing_date AS day FROM old_filings ORDER BY 1').all()) {
    db.exec('BEGIN');
    for (const statement of insert) statement.run(day as string);
    db.exec('COMMIT');
  }
  db.exec(`INSERT INTO filing_items SELECT item, filing + ${filing} FROM old_filing_items CROSS JOIN copies ORDER BY 1, 2;
    INSERT INTO entities SELECT p.cik + n * ${ENTITY_STEP}, name_key, sic, state, entity_type, ${isLean ? "'{}'" : 'facts'},
      replace(record, '"cik":"' || cik, '"cik":"' || (cik + n * ${ENTITY_STEP}))
      FROM copies CROSS JOIN old_entities p WHERE n < ${entityCopies}`);
  for (const { sql } of later) db.exec(sql as string);
  db.exec('PRAGMA analysis_limit=2000; PRAGMA optimize=0x10002; PRAGMA journal_mode=WAL');
  db.close();
}

function keepTexts(db: DatabaseSync, folder: string, characters: number): void {
  const packs = new PackReader(folder);
  const keep = db.prepare('INSERT INTO old_texts VALUES (?, ?)');
  for (const row of db.prepare('SELECT id, pack, text_offset, text_length FROM chosen WHERE searched').iterate()) {
    const { id, pack, text_offset: offset, text_length: length } = row as Record<string, number>;
    const text = decompress(packs.read({ pack: pack!, offset: offset!, length: length! }));
    keep.run(id!, `the ${text.toString('utf8', 0, characters)}`);
  }
  packs.close();
}

/** A large catalog, made from a small one: its rows many times, with other numbers, on the same days. The packs stay as they are. */
import type { DatabaseSync } from 'node:sqlite';
import { decompress } from '../../src/catalog/frames.ts';
import { PackReader } from '../../src/catalog/packs.ts';
import { openToWrite } from '../../src/catalog/schema.ts';

/** Numbers of a day that a copy of its filings and documents is moved by. */
const FILING_STEP = 2 ** 15;
const DOCUMENT_STEP = 2 ** 26;
/** Copies that find room in the numbers of a day, and in accession numbers: those of copies begin with 100 and more. */
const COPIES_MAX = 500;
/** Each copy has entities of its own, with CIKs that no filer has. */
const ENTITY_STEP = 10_000_000;
/** Of each text the index has as many characters in the copies: a million whole texts would take an hour. */
const TEXT_CHARACTERS = 400;
/** In each thousandth copied text. */
export const RARE_WORD = 'zirconium';

/** Adds copies of all filings of a catalog. Copies have no `filing_info`. */
export function multiply(folder: string, copies: number): void {
  if (copies > COPIES_MAX) throw new Error(`at most ${COPIES_MAX} copies`);
  const db = openToWrite(folder);
  const texts = textsOf(db, folder);
  db.exec('PRAGMA synchronous=OFF; PRAGMA cache_size=-1000000');
  const addText = db.prepare('INSERT INTO document_texts (rowid, text) VALUES (?, ?)');
  addText.setReadBigInts(true);
  db.exec(`CREATE TEMP TABLE old_filings AS SELECT * FROM filings;
    CREATE TEMP TABLE old_documents AS SELECT * FROM documents;
    CREATE TEMP TABLE old_entities AS SELECT * FROM entities;
    CREATE TEMP TABLE old_items AS SELECT * FROM filing_items; CREATE TEMP TABLE old_parties AS SELECT * FROM filing_parties;
    CREATE TEMP TABLE old_records AS SELECT * FROM filing_records`);
  for (let copy = 1; copy <= copies; copy++) {
    const number = `'${copy + 99}' || substr(accession, 4)`;
    const filing = copy * FILING_STEP;
    db.exec(`BEGIN;
      INSERT INTO filings SELECT id + ${filing}, ${number}, form_type, form_key, amendment, filing_date, acceptance, size, name_key,
        dialect, corrected, has_series, sha256, readers FROM old_filings;
      INSERT INTO filing_records SELECT filing + ${filing}, replace(record, accession, ${number})
        FROM old_records JOIN old_filings ON id = filing;
      INSERT INTO filing_parties SELECT filing + ${filing}, position, role, cik + ${copy * ENTITY_STEP}, sic FROM old_parties;
      INSERT INTO entities SELECT cik + ${copy * ENTITY_STEP}, name_key, sic, state, entity_type, facts,
        replace(record, '"cik":"' || cik, '"cik":"' || (cik + ${copy * ENTITY_STEP})) FROM old_entities;
      INSERT INTO filing_items SELECT item, filing + ${filing} FROM old_items;
      INSERT INTO documents SELECT id + ${copy * DOCUMENT_STEP}, filing + ${filing}, sequence, type, type_key, filename, description,
        content_type, size, sha256, pack, offset, length, searched, text_offset, text_length FROM old_documents`);
    for (const [k, [id, text]] of texts.entries()) {
      const isRare = (k + copy) % 1_000 === 0;
      addText.run(id + copy * DOCUMENT_STEP, isRare ? `${text} ${RARE_WORD}` : text);
    }
    db.exec('COMMIT');
  }
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}

function textsOf(db: DatabaseSync, folder: string): [id: number, text: string][] {
  const packs = new PackReader(folder);
  const rows = db.prepare('SELECT id, pack, text_offset, text_length FROM documents WHERE searched').all();
  const texts = rows.map((row): [number, string] => {
    const { id, pack, text_offset: offset, text_length: length } = row as Record<string, number>;
    const text = decompress(packs.read({ pack: pack!, offset: offset!, length: length! }));
    return [id!, text.toString('utf8', 0, TEXT_CHARACTERS)];
  });
  packs.close();
  return texts;
}

/**
 * The searched documents that came and went, in order, for an engine elsewhere that follows the catalog. Triggers keep the list, whichever
 * version of filinglake writes. It is made when an engine is first filled, and costs 20 bytes for each document after that.
 */
import type { DatabaseSync } from 'node:sqlite';
import { openToWrite } from '../store/schema.ts';
import type { Statements } from './statements.ts';

export interface TextState {
  /** Number of the last change, from 1 */
  change: number;
  /** Random, made with the change: a copy of a catalog that went another way has others */
  mark: string;
}

const TEXT_CHANGES = `
CREATE TABLE text_changes (change INTEGER PRIMARY KEY, document INTEGER, mark INTEGER NOT NULL);
INSERT INTO text_changes (document, mark) VALUES (NULL, random());
CREATE TRIGGER documents_text_INSERT AFTER INSERT ON documents WHEN new.searched = 1
  BEGIN INSERT INTO text_changes (document, mark) VALUES (new.id, random()); END;
CREATE TRIGGER documents_text_DELETE AFTER DELETE ON documents WHEN old.searched = 1
  BEGIN INSERT INTO text_changes (document, mark) VALUES (old.id, random()); END;
CREATE TRIGGER documents_text_UPDATE AFTER UPDATE ON documents BEGIN
  INSERT INTO text_changes (document, mark) VALUES (old.id, random());
  INSERT INTO text_changes (document, mark) SELECT new.id, random() WHERE new.id <> old.id;
END;
`;

const IS_THERE = "SELECT 1 FROM sqlite_schema WHERE name = 'text_changes'";

/** From now on the catalog lists its changes. @throws FilinglakeError as openToRead, `catalog-unwritable` */
export function keepTextChanges(folder: string): void {
  using db: DatabaseSync = openToWrite(folder);
  db.exec('BEGIN IMMEDIATE');
  if (db.prepare(IS_THERE).get() === undefined) db.exec(TEXT_CHANGES);
  db.exec('COMMIT');
}

/** The state that a snapshot sees; null: the catalog keeps no list. */
export function textState(statements: Statements): TextState | null {
  if (statements.prepare(IS_THERE).get() === undefined) return null;
  const row = statements
    .prepareArrays('SELECT change, CAST(mark AS TEXT) FROM text_changes ORDER BY change DESC LIMIT 1')
    .get();
  const [change, mark] = row as unknown as [number, string];
  return { change, mark };
}

/** Whether the catalog is or was in this state. */
export function wasInState(statements: Statements, { change, mark }: TextState): boolean {
  if (textState(statements) === null) return false;
  const row = statements.prepareArrays('SELECT CAST(mark AS TEXT) FROM text_changes WHERE change = ?').get(change);
  return (row as unknown as [string] | undefined)?.[0] === mark;
}

/** Ids of documents that came or went after a change: a SELECT with one value. */
export const CHANGED_SINCE = 'SELECT DISTINCT document FROM text_changes WHERE change > ?';

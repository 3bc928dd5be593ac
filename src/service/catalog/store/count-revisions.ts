/**
 * Parts of a catalog, of some days each, with a revision that changes whenever a count of their rows may change. So a reader keeps the
 * counts of all other parts when a batch is committed. Triggers keep the revisions.
 */

/** Days of a part, as a power of 2: 16 days have some 40,000 filings of EDGAR. */
const PART_BITS = 4;
export const PART_DAYS = 2 ** PART_BITS;
const [FILING_BITS, DOCUMENT_BITS] = [24 + PART_BITS, 36 + PART_BITS];

/** Columns of an entity that a filter tests, by the kind of revision that follows them. */
const ENTITY_COLUMNS = { name: 'name_key', sic: 'sic', state: 'state', type: 'entity_type' } as const;
/** Lists of an entity that a filter tests. */
const ENTITY_LISTS = { tickers: 'entity_tickers', exchanges: 'entity_exchanges' } as const;

/** `filings`: rows of filings, their parties, items and documents. The others: the facts of the parties' entities. */
export type CountKind = 'filings' | keyof typeof ENTITY_COLUMNS | keyof typeof ENTITY_LISTS;

/**
 * A random number, not the next one: a catalog that is restored from a copy never comes to an old number again, and no two sums of
 * revisions are equal by chance.
 */
const NEW_REVISION = 'abs(random() >> 14)';

/**
 * Statements of a trigger that give a part a new revision. Not a conflict clause: the statement that fires a trigger may have another,
 * which counts instead.
 */
const touchPart = (part: string) =>
  `DELETE FROM part_revisions WHERE part = ${part} AND kind = 'filings';
    INSERT INTO part_revisions VALUES (${part}, 'filings', ${NEW_REVISION});`;

/** The same for all parts that have filings of an entity. */
function touchPartsOf(kind: CountKind, ...ciks: string[]): string {
  const parts = `SELECT DISTINCT filing >> ${FILING_BITS} AS part FROM filing_parties WHERE cik IN (${ciks.join(', ')})`;
  return `DELETE FROM part_revisions WHERE kind = '${kind}' AND part IN (${parts});
    INSERT INTO part_revisions SELECT part, '${kind}', ${NEW_REVISION} FROM (${parts});`;
}

/** Rows that belong to a filing. Texts have no trigger, as a virtual table: each comes and goes with its document. */
function rowTriggers(table: string, id: string, bits: number): string {
  const trigger = (event: string, rows: readonly string[]) => {
    const touched = rows.map((row) => touchPart(`${row}.${id} >> ${bits}`)).join(' ');
    return `CREATE TRIGGER ${table}_parts_${event} AFTER ${event} ON ${table} BEGIN ${touched} END;`;
  };
  return trigger('INSERT', ['new']) + trigger('DELETE', ['old']) + trigger('UPDATE', ['old', 'new']);
}

/** Entities are written with each filing that names them, and change seldom. A writer may replace a row: no row is deleted for a trigger then. */
function columnTriggers(kind: CountKind, column: string): string {
  return `
CREATE TRIGGER entities_${kind}_parts_INSERT BEFORE INSERT ON entities
  WHEN NOT EXISTS (SELECT 1 FROM entities WHERE cik = new.cik AND ${column} IS new.${column}) BEGIN ${touchPartsOf(kind, 'new.cik')} END;
CREATE TRIGGER entities_${kind}_parts_DELETE AFTER DELETE ON entities BEGIN ${touchPartsOf(kind, 'old.cik')} END;
CREATE TRIGGER entities_${kind}_parts_UPDATE AFTER UPDATE ON entities
  WHEN old.cik IS NOT new.cik OR old.${column} IS NOT new.${column} BEGIN ${touchPartsOf(kind, 'old.cik', 'new.cik')} END;`;
}

function listTriggers(kind: CountKind, table: string): string {
  return `
CREATE TRIGGER ${table}_parts_INSERT AFTER INSERT ON ${table} BEGIN ${touchPartsOf(kind, 'new.cik')} END;
CREATE TRIGGER ${table}_parts_DELETE AFTER DELETE ON ${table} BEGIN ${touchPartsOf(kind, 'old.cik')} END;
CREATE TRIGGER ${table}_parts_UPDATE AFTER UPDATE ON ${table} BEGIN ${touchPartsOf(kind, 'old.cik', 'new.cik')} END;`;
}

/** A part without a row has not changed since the table was made. Revisions are below 2^50. */
export const PART_REVISIONS = `
CREATE TABLE part_revisions (part INTEGER NOT NULL, kind TEXT NOT NULL, revision INTEGER NOT NULL, PRIMARY KEY (part, kind)) WITHOUT ROWID;
${rowTriggers('filings', 'id', FILING_BITS)}
${rowTriggers('filing_parties', 'filing', FILING_BITS)}
${rowTriggers('filing_items', 'filing', FILING_BITS)}
${rowTriggers('documents', 'id', DOCUMENT_BITS)}
${Object.entries(ENTITY_COLUMNS)
  .map(([kind, column]) => columnTriggers(kind as CountKind, column))
  .join('')}
${Object.entries(ENTITY_LISTS)
  .map(([kind, table]) => listTriggers(kind as CountKind, table))
  .join('')}
`;

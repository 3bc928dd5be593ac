/**
 * A filter on companies leaves few documents. They are listed once: a hit of a common word is then looked up in the list, in place of
 * its filing and the filing's companies.
 */
import { Conditions, type Statements } from '../rows/statements.ts';
import { interruptible } from '../store/schema.ts';
import { type DocumentConditions, textConditions } from './fulltext-hits.ts';

const FEW_DOCUMENTS_MAX = 20_000;
/** Hits below which no list is made. */
const COMMON_HITS = 2_000;
/** Hits that cost as much as entering FTS5 for one word in one document: 0.2 us and 20 us. */
const HITS_OF_A_LOOK = 100;

/** The conditions of a search, with a list of documents in place of its filters if that costs less. Inside `snapshot` only. */
export function withFewDocuments(
  statements: Statements,
  expression: string,
  where: DocumentConditions,
): DocumentConditions {
  const { joined, rowidFrom, rowidTo } = where;
  // Filters that start at filings. Others would look at every filing of the catalog.
  if (!joined.clauses.some((clause) => clause.startsWith('f.id IN ('))) return where;
  // Whenever FTS5 is entered, it merges the beginnings of words again.
  if (expression.includes('" *')) return where;
  const text = textConditions(new Conditions(), expression, where).add(interruptible('document_texts.rowid'));
  const hitsUpTo = (most: number) =>
    statements.count(`SELECT count(*) FROM (SELECT 1 FROM document_texts WHERE ${text.sql} LIMIT ?)`, [
      ...text.values,
      most,
    ]);
  if (hitsUpTo(COMMON_HITS) < COMMON_HITS) return where;
  const days = new Conditions().add(interruptible('d.id'));
  if (rowidFrom !== null) days.add('d.id >= ?', rowidFrom);
  if (rowidTo !== null) days.add('d.id <= ?', rowidTo);
  const list = statements.list(
    `SELECT d.id FROM filings f CROSS JOIN documents d ON d.filing = f.id WHERE ${joined.sql} AND ${days.sql} LIMIT ${FEW_DOCUMENTS_MAX + 1}`,
    [...joined.values, ...days.values],
  );
  if (list.length > FEW_DOCUMENTS_MAX) return where;
  const words = expression.split(' ').length;
  const looks = Math.max(1, list.length) * words * HITS_OF_A_LOOK;
  return { ...where, joined: new Conditions(), few: { list, isFewerThanHits: hitsUpTo(looks) >= looks } };
}

/** The newest file of a ticker list replaces the one before whole, so that tickers that SEC dropped go. */
import { prepareWrite } from '../rows/statements.ts';
import type { EnrichmentTarget } from './enrichment.ts';

interface ListedRow {
  cik: string;
  ticker: string;
  exchange: string | null;
}

/** @param list by the alphabet, an entity's tickers come first from it @returns false: the catalog has a newer file */
export function replaceTickerList(
  { db, entities }: EnrichmentTarget,
  list: 'exchange' | 'fund' | 'plain',
  rows: readonly ListedRow[],
  stamp: string,
): boolean {
  const key = `tickers_${list}`;
  const known = db.prepare('SELECT value FROM meta WHERE key = ?').get(key) as { value: string } | undefined;
  if (known && known.value >= stamp) return false;
  const touched = new Set<number>();
  // Of a symbol in two lists the other decides.
  for (const row of db.prepare("SELECT DISTINCT cik FROM listed_tickers WHERE list IN (?, 'plain')").all(list)) {
    touched.add(row.cik as number);
  }
  prepareWrite(db, 'DELETE FROM listed_tickers WHERE list = ?').run(list);
  const insert = prepareWrite(db, 'INSERT INTO listed_tickers VALUES (?, ?, ?, ?, ?)');
  for (const [position, { cik, ticker, exchange }] of rows.entries()) {
    insert.run(list, Number(cik), position, ticker, exchange);
    touched.add(Number(cik));
  }
  prepareWrite(db, 'INSERT OR REPLACE INTO meta VALUES (?, ?)').run(key, stamp);
  for (const cik of touched) entities.refresh(cik);
  return true;
}

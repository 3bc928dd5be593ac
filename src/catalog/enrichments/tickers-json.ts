/** SEC's two lists of tickers, with and without exchanges. */
import { tickersJsonKind } from '../../edgar/index.ts';
import { prepareWrite } from '../statements.ts';
import { enrichment } from './enrichment.ts';

/** The newest file of a list replaces the one before whole, so that tickers that SEC dropped go. */
export const tickersJson = enrichment(
  tickersJsonKind,
  ['ticker list', 'ticker lists'],
  (tickers, { db, entities }, stamp) => {
    // Named so that the list with exchanges sorts first.
    const list = tickers.some((ticker) => ticker.exchange !== null) ? 'exchange' : 'plain';
    const key = `tickers_${list}`;
    const known = db.prepare('SELECT value FROM meta WHERE key = ?').get(key) as { value: string } | undefined;
    if (known && known.value >= stamp) return false;
    const touched = new Set<number>();
    for (const row of db.prepare('SELECT DISTINCT cik FROM listed_tickers WHERE list = ?').all(list)) {
      touched.add(row.cik as number);
    }
    prepareWrite(db, 'DELETE FROM listed_tickers WHERE list = ?').run(list);
    const insert = prepareWrite(db, 'INSERT INTO listed_tickers VALUES (?, ?, ?, ?, ?)');
    for (const [position, { cik, ticker, exchange }] of tickers.entries()) {
      insert.run(list, Number(cik), position, ticker, exchange);
      touched.add(Number(cik));
    }
    prepareWrite(db, 'INSERT OR REPLACE INTO meta VALUES (?, ?)').run(key, stamp);
    for (const cik of touched) entities.refresh(cik);
    return true;
  },
);

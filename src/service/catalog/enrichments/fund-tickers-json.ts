/** SEC's list of mutual funds' tickers. It names no exchange. */
import { fundTickersJsonKind } from '../../../filings/edgar/index.ts';
import { enrichment } from './enrichment.ts';
import { replaceTickerList } from './ticker-list.ts';

export const fundTickersJson = enrichment(
  fundTickersJsonKind,
  ['list of fund tickers', 'lists of fund tickers'],
  (rows, target, stamp) => {
    const tickers = rows.map(({ cik, ticker }) => ({ cik, ticker, exchange: null }));
    return replaceTickerList(target, 'fund', tickers, stamp);
  },
);

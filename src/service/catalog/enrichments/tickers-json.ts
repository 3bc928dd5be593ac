/** SEC's two lists of tickers, with and without exchanges. */
import { tickersJsonKind } from '../../../filings/edgar/index.ts';
import { enrichment } from './enrichment.ts';
import { replaceTickerList } from './ticker-list.ts';

export const tickersJson = enrichment(tickersJsonKind, ['ticker list', 'ticker lists'], (tickers, target, stamp) => {
  const hasExchanges = tickers.some((ticker) => ticker.exchange !== null);
  return replaceTickerList(target, hasExchanges ? 'exchange' : 'plain', tickers, stamp);
});

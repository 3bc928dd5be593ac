/** `entity_tickers`. */
import { column, table, text } from './table.ts';

export const entityTickers = table({
  name: 'entity_tickers',
  meaning: 'Ticker symbols and exchanges of the entities',
  key: ['cik', 'position'],
  columns: [
    text('cik', 'the entity'),
    column('position', 'INTEGER', 'position in the lists of the entity, from 0'),
    text('ticker', 'ticker symbol at this position; null if there are more exchanges than tickers'),
    text(
      'exchange',
      'NASDAQ, NYSE, OTC or CBOE at this position: that of the ticker, if the service lists both side by side; empty or null if there is none',
    ),
  ],
  unit: ['cik'],
  references: [{ columns: ['cik'], table: 'entities' }],
  sources: ['entity'],
  rows: {
    // Either list may be longer: a service may list exchanges as a set, not in the order of the tickers.
    entity: ({ cik, tickers, exchanges }, add) => {
      for (let position = 0; position < Math.max(tickers.length, exchanges.length); position++) {
        const row = { cik, position, ticker: tickers[position] ?? null, exchange: exchanges[position] ?? null };
        add(`tickers[${position}]`, row);
      }
    },
  },
});

/** `entity_tickers`. */
import { column, table, text } from './table.ts';

export const entityTickers = table({
  name: 'entity_tickers',
  meaning: 'Ticker symbols and exchanges of the entities: a row for each place up to the end of the longer list',
  key: ['cik', 'position'],
  columns: [
    text('cik', 'the entity'),
    column('position', 'INTEGER', 'place in the lists of the entity, from 0'),
    text('ticker', 'ticker symbol at this place; null where the list of tickers is shorter'),
    text(
      'exchange',
      'NASDAQ, NYSE, OTC or CBOE at this place: that of the ticker, if the service lists both side by side; empty or null for none',
    ),
  ],
  unit: ['cik'],
  references: [{ columns: ['cik'], table: 'entities', parentColumns: ['cik'] }],
  sources: ['entity'],
  rows: {
    // Either list may be the longer one: a service may list exchanges as a set, and not side by side with the tickers.
    entity: ({ cik, tickers, exchanges }, add) => {
      for (let position = 0; position < Math.max(tickers.length, exchanges.length); position++) {
        const row = { cik, position, ticker: tickers[position] ?? null, exchange: exchanges[position] ?? null };
        add(`tickers[${position}]`, row);
      }
    },
  },
});

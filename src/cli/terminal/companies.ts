/** Companies that a command line names: CIKs and tickers. */
import { FilinglakeError, quoteList } from '../../core/index.ts';
import type { Lake } from '../../lake/index.ts';

/** CIK by word. @throws FilinglakeError for a ticker that no company of the lake has, or several */
export async function ciksOf(lake: Lake, at: number, words: readonly string[]): Promise<Map<string, string>> {
  const tickers = words.filter((word) => !/^\d{1,10}$/.test(word)).map((word) => word.toUpperCase());
  const rows = await lake.query(
    `SELECT DISTINCT upper(ticker) AS ticker, cik FROM entity_tickers WHERE upper(ticker) IN ${quoteList([...tickers, ''])} ORDER BY ALL`,
    { at },
  );
  const byTicker = Map.groupBy(rows, ({ ticker }) => String(ticker));
  return new Map(
    words.map((word) => {
      if (/^\d{1,10}$/.test(word)) return [word, word.replace(/^0+(?=\d)/, '')];
      const found = (byTicker.get(word.toUpperCase()) ?? []).map(({ cik }) => String(cik));
      if (found.length === 1) return [word, found[0]!];
      const why = found.length === 0 ? 'no company of the lake has' : `companies ${found.join(', ')} have`;
      throw new FilinglakeError('argument-invalid', `${why} the ticker '${word}'`, {
        remedy:
          found.length === 0
            ? 'Give its CIK. Tickers are in the table entity_tickers: an export with `tables: [entities]` fetches them. A catalog has them only from SEC’s company_tickers_exchange.json or submissions JSON: ingest one of these first.'
            : 'Give its CIK.',
      });
    }),
  );
}

import type { RecordKind } from '../file-kind.ts';
import { readTickersJson, type Ticker } from './tickers-json.ts';

export const tickersJsonKind: RecordKind<'tickers_json', Ticker[]> = {
  name: 'tickers_json',
  recognise: (head) =>
    head.isJson() &&
    head.hasJsonKey('ticker') &&
    (head.hasJsonKey('cik_str') || (/^\{\s*"fields"/.test(head.text) && head.hasJsonKey('cik'))),
  read: readTickersJson,
};

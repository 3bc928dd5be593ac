import type { RecordKind } from '../file-kind.ts';
import { type FundTicker, readFundTickersJson } from './fund-tickers-json.ts';

export const fundTickersJsonKind: RecordKind<'fund_tickers_json', FundTicker[]> = {
  name: 'fund_tickers_json',
  recognise: (head) =>
    /^\{\s*"(fields|data)"/.test(head.text) &&
    (head.hasJsonKey('classId') || head.name.toLowerCase() === 'company_tickers_mf.json'),
  read: readFundTickersJson,
};

/** company_tickers_mf.json: the tickers of mutual funds' share classes. */
import { z } from 'zod';
import { type Cik, parseCik } from '../../api/index.ts';
import { EdgarFileError } from '../reading/edgar-file-error.ts';
import type { RecordKind } from '../reading/file-kind.ts';
import { readJson } from '../reading/read-json.ts';

export interface FundTicker {
  /** The registrant, often a trust with many funds */
  cik: Cik;
  /** `S000009184`: the fund */
  seriesId: string;
  /** `C000024954`: the share class that the ticker names */
  classId: string;
  ticker: string;
}

const FILE = 'fund tickers JSON';
/** Names of columns, and rows. */
const fileSchema = z.object({ fields: z.array(z.string()), data: z.array(z.array(z.unknown())) });
const rowSchema = z.object({
  cik: z.union([z.number(), z.string()]),
  seriesId: z.string(),
  classId: z.string(),
  symbol: z.string(),
});

/** Rows in the file's order. Classes without a ticker are left out. @throws EdgarFileError */
export function readFundTickersJson(bytes: Buffer): FundTicker[] {
  const { fields, data } = readJson(bytes, FILE, fileSchema);
  return data.flatMap((values, i) => {
    const row = rowSchema.safeParse(Object.fromEntries(fields.map((field, at) => [field, values[at]])));
    if (!row.success) {
      const issue = row.error.issues[0]!;
      throw new EdgarFileError(FILE, `row ${i}: ${issue.path.join('.')}: ${issue.message}`, { cause: row.error });
    }
    const cik = parseCik(String(row.data.cik));
    if (cik === null) throw new EdgarFileError(FILE, `row ${i}: '${row.data.cik}' is not a CIK`);
    const { seriesId, classId, symbol } = row.data;
    return symbol === '' ? [] : [{ cik, seriesId, classId, ticker: symbol }];
  });
}

export const fundTickersJsonKind: RecordKind<'fund_tickers_json', FundTicker[]> = {
  name: 'fund_tickers_json',
  recognise: (head) =>
    /^\{\s*"(fields|data)"/.test(head.text) &&
    (head.hasJsonKey('classId') || head.name.toLowerCase() === 'company_tickers_mf.json'),
  read: readFundTickersJson,
};

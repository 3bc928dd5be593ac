/** company_tickers.json and company_tickers_exchange.json. */
import { z } from 'zod';
import { type Cik, parseCik } from '../../api/index.ts';
import { EdgarFileError } from '../reading/edgar-file-error.ts';
import type { RecordKind } from '../reading/file-kind.ts';
import { readJson } from '../reading/read-json.ts';
import { exchangeName } from './exchanges.ts';

export interface Ticker {
  cik: Cik;
  name: string;
  ticker: string;
  /** Upper case; null if SEC names none, and in company_tickers.json, which never does. */
  exchange: string | null;
}

const FILE = 'tickers JSON';
const cik = z.union([z.number(), z.string()]);
/** company_tickers.json: an object whose keys number the rows. */
const keyedSchema = z.record(z.string(), z.object({ cik_str: cik, ticker: z.string(), title: z.string() }));
/** company_tickers_exchange.json: names of columns, and rows. */
const tableSchema = z.object({ fields: z.array(z.string()), data: z.array(z.array(z.unknown())) });
const rowSchema = z.object({ cik, name: z.string(), ticker: z.string(), exchange: z.string().nullish() });

/** Reads either of SEC's two files of tickers, rows in the file's order. Throws EdgarFileError. */
export function readTickersJson(bytes: Buffer): Ticker[] {
  const file = readJson(bytes, FILE, z.union([tableSchema, keyedSchema]));
  if (!isTable(file)) return Object.values(file).map((row) => ticker(row.cik_str, row.title, row.ticker, null));
  return file.data.map((values, i) => {
    const row = rowSchema.safeParse(Object.fromEntries(file.fields.map((field, at) => [field, values[at]])));
    if (row.success) return ticker(row.data.cik, row.data.name, row.data.ticker, row.data.exchange);
    const issue = row.error.issues[0]!;
    throw new EdgarFileError(FILE, `row ${i}: ${issue.path.join('.')}: ${issue.message}`, { cause: row.error });
  });
}

function isTable(file: z.infer<typeof tableSchema> | z.infer<typeof keyedSchema>): file is z.infer<typeof tableSchema> {
  return Array.isArray(file.fields);
}

function ticker(
  cikAsGiven: string | number,
  name: string,
  symbol: string,
  exchange: string | null | undefined,
): Ticker {
  const parsed = parseCik(String(cikAsGiven));
  if (parsed === null) throw new EdgarFileError(FILE, `'${cikAsGiven}' is not a CIK`);
  return { cik: parsed, name, ticker: symbol, exchange: exchangeName(exchange) };
}

export const tickersJsonKind: RecordKind<'tickers_json', Ticker[]> = {
  name: 'tickers_json',
  recognise: (head) =>
    head.isJson() &&
    head.hasJsonKey('ticker') &&
    (head.hasJsonKey('cik_str') || (/^\{\s*"fields"/.test(head.text) && head.hasJsonKey('cik'))),
  read: readTickersJson,
};

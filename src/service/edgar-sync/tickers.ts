/** SEC's lists of tickers and exchanges: refreshed once a day, so that entities of a catalog have both. */
import { writeFileSync } from 'node:fs';
import { rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { fundTickersJsonKind, readTickersJson, type Ticker } from '../../filings/edgar/index.ts';
import { ingest } from '../catalog/index.ts';
import type { Session } from './session.ts';

const DAY_MS = 86_400_000;

export function areTickersDue({ ledger, clock }: Session): boolean {
  const last = Number(ledger.meta('tickers_checked_at') ?? 0);
  return clock.now() - last >= DAY_MS || clock.now() < last;
}

/** SEC's lists, in the order in which a ticker is looked for. Some tickers are in one of the first two only. */
export const TICKER_LISTS = [
  'company_tickers_exchange.json',
  'company_tickers.json',
  'company_tickers_mf.json',
] as const;
type TickerList = (typeof TICKER_LISTS)[number];

function readList(name: TickerList, bytes: Buffer): Pick<Ticker, 'ticker' | 'cik'>[] {
  return name === 'company_tickers_mf.json' ? fundTickersJsonKind.read(bytes) : readTickersJson(bytes);
}

function listBytes({ kept, places, signal }: Session, name: TickerList): Promise<Buffer | null> {
  return kept.get(places.tickers(name), (bytes) => void readList(name, bytes), signal);
}

/** One of SEC's current lists; empty if it is missing. @throws FilinglakeError of EDGAR's hosts */
export async function tickerList(session: Session, name: TickerList): Promise<Pick<Ticker, 'ticker' | 'cik'>[]> {
  const bytes = await listBytes(session, name);
  return bytes === null ? [] : readList(name, bytes);
}

/**
 * Ingests the list with exchanges into the catalog, and the others if a ticker was looked for in them: then the catalog knows it too.
 * @throws FilinglakeError of EDGAR's hosts, of the catalog
 */
export async function refreshTickers(session: Session): Promise<void> {
  const { kept, places, catalogFolder, clock, ledger } = session;
  for (const [k, name] of TICKER_LISTS.entries()) {
    if (k > 0 && !kept.has(places.tickers(name))) continue;
    const bytes = await listBytes(session, name);
    if (bytes === null) continue;
    const file = join(catalogFolder, `edgar-${name}`);
    writeFileSync(file, bytes);
    try {
      // The newest list of a kind wins, by its file's time.
      const now = new Date(clock.now());
      await utimes(file, now, now);
      await ingest([file], catalogFolder, { wait: true, threads: 0 });
    } finally {
      await rm(file, { force: true });
    }
  }
  ledger.setMeta('tickers_checked_at', String(clock.now()));
}

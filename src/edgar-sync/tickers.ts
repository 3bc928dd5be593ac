/** SEC's lists of tickers and exchanges: refreshed once a day, so that entities of a catalog have both. */
import { writeFileSync } from 'node:fs';
import { rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { ingest } from '../catalog/index.ts';
import { readTickersJson, type Ticker } from '../edgar/index.ts';
import type { Session } from './session.ts';

const DAY_MS = 86_400_000;

export function areTickersDue({ ledger, clock }: Session): boolean {
  const last = Number(ledger.meta('tickers_checked_at') ?? 0);
  return clock.now() - last >= DAY_MS || clock.now() < last;
}

/** SEC's current list with exchanges; empty if it is missing. @throws FilinglakeError of EDGAR's hosts */
export async function tickerList({ kept, places, signal }: Session): Promise<Ticker[]> {
  const bytes = await kept.get(places.tickers('company_tickers_exchange.json'), (b) => void readTickersJson(b), signal);
  return bytes === null ? [] : readTickersJson(bytes);
}

/** Ingests the list into the catalog. @throws FilinglakeError of EDGAR's hosts, of the catalog */
export async function refreshTickers(session: Session): Promise<void> {
  const { kept, places, signal, catalogFolder, clock, ledger } = session;
  const bytes = await kept.get(places.tickers('company_tickers_exchange.json'), (b) => void readTickersJson(b), signal);
  if (bytes !== null) {
    const file = join(catalogFolder, 'edgar-company_tickers_exchange.json');
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

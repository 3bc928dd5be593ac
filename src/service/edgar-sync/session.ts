/** The parts of every command: the gate, the HTTP client of EDGAR, the ledger, the cached files. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { FilinglakeError, systemErrorWords } from '../../core/index.ts';
import { DATABASE_FILE, SameFiles } from '../catalog/index.ts';
import { type CatalogSeen, catalogSeen, withStored } from './catalog-contents.ts';
import { type Clock, SYSTEM_CLOCK } from './clock.ts';
import { Collector } from './collector.ts';
import { EdgarHttp } from './edgar-http.ts';
import { noCounts, type SyncCounts, type SyncEvent } from './events.ts';
import { KeptFiles } from './kept-files.ts';
import { Ledger } from './ledger.ts';
import { Places } from './places.ts';
import { RequestGate } from './request-gate.ts';
import type { EdgarSettings } from './settings.ts';

interface SessionOptions {
  settings: EdgarSettings;
  catalogFolder: string;
  onEvent?: (event: SyncEvent) => void;
  onProgress?: (done: number, total: number, bytes: number) => void;
  signal?: AbortSignal | undefined;
  threads?: number | undefined;
  clock?: Clock;
}

export interface Session {
  catalogFolder: string;
  places: Places;
  clock: Clock;
  http: EdgarHttp;
  ledger: Ledger;
  /** Its files are the ones that were opened. */
  same: SameFiles;
  kept: KeptFiles;
  collector: Collector;
  counts: SyncCounts;
  onEvent: (event: SyncEvent) => void;
  signal: AbortSignal | undefined;
  /** May be called again. */
  close(): Promise<void>;
}

/** @throws FilinglakeError `catalog-unwritable`, `home-unwritable`, `edgar-ledger-unusable` */
export function openSession(options: SessionOptions): Session {
  const { settings, catalogFolder, signal, threads, onProgress, clock = SYSTEM_CLOCK, onEvent = () => {} } = options;
  makeFolder(catalogFolder);
  const ledger = Ledger.open(catalogFolder);
  let gate: RequestGate;
  try {
    gate = RequestGate.open(settings.homeFolder, {
      clock,
      blockSeconds: settings.blockSeconds,
      onBlocked: (until) => onEvent({ event: 'blocked', until: new Date(until).toISOString() }),
    });
    reconcile(ledger, catalogFolder, clock.now());
  } catch (error) {
    ledger.close();
    throw error;
  }
  const http = new EdgarHttp({ agent: settings.agent, gate, clock });
  const places = new Places(settings);
  const kept = new KeptFiles({ http, ledger, catalogFolder });
  const counts = noCounts();
  const collector = new Collector({
    catalogFolder,
    http,
    places,
    ledger,
    clock,
    counts,
    threads,
    onEvent,
    signal,
    ...(onProgress ? { onProgress } : {}),
  });
  const same = new SameFiles(catalogFolder, DATABASES);
  let isOpen = true;
  return {
    catalogFolder,
    places,
    clock,
    http,
    ledger,
    same,
    kept,
    collector,
    counts,
    onEvent,
    signal,
    async close() {
      if (!isOpen) return;
      isOpen = false;
      noteCatalog(ledger, catalogFolder);
      await collector.close();
      await http.close();
      gate.close();
      ledger.close();
    },
  };
}

const DATABASES = ['edgar.db', DATABASE_FILE];

/** @throws FilinglakeError `catalog-replaced` if a database was deleted or replaced since the session opened it */
export function requireSame({ same, catalogFolder }: Session): void {
  for (const name of DATABASES) {
    const change = same.changeOf(name);
    if (change === null) continue;
    const message = `${join(catalogFolder, name)} was ${change} while this command used it`;
    throw new FilinglakeError('catalog-replaced', message);
  }
}

/** Each week every stored filing is looked up, even if the catalog seems to be the same. */
const LOOK_AT_ALL_MS = 7 * 86_400_000;

/**
 * The catalog alone decides what is stored: a new one is empty, even if the ledger lists filings as stored. In a catalog that is the
 * same file and did not shrink, filings are not looked up one by one.
 */
function reconcile(ledger: Ledger, catalogFolder: string, now: number): void {
  const known = JSON.parse(ledger.meta('catalog_seen') ?? 'null') as (CatalogSeen & { at: number }) | null;
  const seen = catalogSeen(catalogFolder);
  const isSame = known !== null && seen !== null && known.file === seen.file && known.newest <= seen.newest;
  if (isSame && now >= known.at && now - known.at < LOOK_AT_ALL_MS) return;
  const rows = ledger.db
    .prepare(`SELECT accession_number FROM filings WHERE state IN ('stored', 'recheck')`)
    .iterate() as Iterable<{ accession_number: string }>;
  const lost = withStored(catalogFolder, (isStored) => {
    const missing: string[] = [];
    for (const { accession_number } of rows) if (!isStored(accession_number)) missing.push(accession_number);
    return missing;
  });
  ledger.transaction(() => {
    if (lost.length > 0) {
      ledger.forgetStored(lost);
      ledger.forgetEntities();
    }
    if (seen !== null) ledger.setMeta('catalog_seen', JSON.stringify({ ...seen, at: now }));
  });
}

/** The catalog has grown: a copy from before would lack filings. */
function noteCatalog(ledger: Ledger, catalogFolder: string): void {
  const known = JSON.parse(ledger.meta('catalog_seen') ?? 'null') as { at: number } | null;
  const seen = catalogSeen(catalogFolder);
  if (known !== null && seen !== null) ledger.setMeta('catalog_seen', JSON.stringify({ ...seen, at: known.at }));
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    throw new FilinglakeError(
      'catalog-unwritable',
      `the catalog in ${folder} can't be written: ${systemErrorWords(cause)}`,
      { cause },
    );
  }
}

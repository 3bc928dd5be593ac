/**
 * SEC's own record of each company (`CIK##########.json` on the data host): category, entity type, addresses, tickers and
 * exchanges of entities. Requested once a week at most, after the filings. Its older pages have only filings, which the indexes
 * name too.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { EdgarFileError } from '../../filings/edgar/index.ts';
import { ingest } from '../catalog/index.ts';
import type { Session } from './session.ts';

const PACE_MS = 7 * 86_400_000;
/** Maximum in one look of `follow`: ten seconds at the allowed rate, so that new filings never wait long. */
const FILES_A_LOOK = 50;
/** Ingested together */
const BATCH_FILES = 50;
/** With more companies that are due, their records cost more requests than the archive of all costs bytes. */
const BULK_FROM = 5_000;
/** An archive that is not there or is damaged is requested again after this time. */
const BULK_PAUSE_MS = 86_400_000;

/**
 * Refreshes the records of companies that are due.
 * @param ciks all due records of these companies; null: some of the companies with filings in the catalog
 * @param bulkFrom number of companies from which on SEC's archive of all records is fetched instead
 * @throws FilinglakeError of EDGAR's hosts, of the catalog; the signal's reason
 */
export async function refreshEntityFiles(
  session: Session,
  ciks: readonly string[] | null,
  bulkFrom = BULK_FROM,
): Promise<void> {
  const { ledger, clock } = session;
  if (ciks !== null) ledger.noteEntities(ciks);
  const due = ledger.entitiesDue(clock.now(), PACE_MS);
  if (due.length >= bulkFrom && (await refreshFromArchive(session, due))) return;
  const wanted = ciks === null ? due.slice(0, FILES_A_LOOK) : due.filter((cik) => ciks.includes(cik));
  for (let i = 0; i < wanted.length; i += BATCH_FILES) await refreshBatch(session, wanted.slice(i, i + BATCH_FILES));
}

/** @returns whether every record that is due was read: SEC's archive has those of all companies */
async function refreshFromArchive(session: Session, due: readonly string[]): Promise<boolean> {
  const { http, places, catalogFolder, ledger, clock, signal, onEvent, counts } = session;
  const folder = join(catalogFolder, 'edgar-archives');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'submissions.zip');
  // One that is there was downloaded whole by a command that ended while it was ingested.
  if (!existsSync(file)) {
    const triedAt = Number(ledger.meta('all_entities_tried_at') ?? 0);
    if (clock.now() >= triedAt && clock.now() - triedAt < BULK_PAUSE_MS) return false;
    // Noted first: a download that breaks off is not begun again with the next look.
    ledger.setMeta('all_entities_tried_at', String(clock.now()));
    const answer = await http.download(places.allEntities(), file, { signal, retries: 1 });
    if (answer.kind !== 'file') return false;
    counts.bytes += answer.body;
  }
  const names = new Set(due.map((cik) => `CIK${cik.padStart(10, '0')}.json`));
  const { failures, interrupted } = await ingest([file], catalogFolder, {
    wait: true,
    threads: 0,
    zipEntries: (name) => names.has(name),
    ...(signal ? { signal } : {}),
  });
  if (interrupted) signal?.throwIfAborted();
  rmSync(file, { force: true });
  for (const { path, message } of failures)
    onEvent({ event: 'gap', message: `${path.slice(folder.length + 1)}: ${message}` });
  // A fault of the archive itself may have hidden any of them.
  if (failures.some(({ path }) => path === file)) return false;
  ledger.entitiesRefreshed(due, clock.now());
  return true;
}

async function refreshBatch(session: Session, ciks: readonly string[]): Promise<void> {
  const { http, places, catalogFolder, ledger, clock, signal, onEvent, counts } = session;
  const folder = join(catalogFolder, 'edgar-incoming');
  mkdirSync(folder, { recursive: true });
  const files: string[] = [];
  try {
    for (const cik of ciks) {
      const file = join(folder, `CIK${cik.padStart(10, '0')}.json`);
      const answer = await http.download(places.entity(cik), file, { signal, retries: 1 });
      if (answer.kind !== 'file') continue;
      counts.bytes += answer.body;
      files.push(file);
    }
    const { failures } = await ingest(files, catalogFolder, { wait: true, threads: 0 });
    // A bad file does not stop the others. It is requested again a week later.
    for (const { path, message } of failures)
      onEvent({ event: 'gap', message: `${path.slice(folder.length + 1)}: ${message}` });
    ledger.entitiesRefreshed(ciks, clock.now());
  } finally {
    for (const file of files) rmSync(file, { force: true });
  }
}

/** Like `refreshEntityFiles`, but a fault of SEC's JSON is an event: the filings are stored already. */
export async function tryRefreshEntityFiles(session: Session, ciks: readonly string[] | null): Promise<void> {
  await refreshEntityFiles(session, ciks).catch((error) => {
    session.signal?.throwIfAborted();
    if (!(error instanceof EdgarFileError) && (error as { code?: string }).code !== 'edgar-unreachable') throw error;
    session.onEvent({ event: 'gap', message: `SEC's records of companies: ${error.message}` });
  });
}

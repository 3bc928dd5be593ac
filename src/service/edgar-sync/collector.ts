/**
 * Downloads complete submissions and ingests them at the same time. A file is first downloaded into a folder beside the catalog.
 * If the process is killed, the next run ingests the files there, and doesn't download them again.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isClosed } from '../../filings/edgar/index.ts';
import { ingest, ParsePool, stateOnEdgar } from '../catalog/index.ts';
import { storedAmong } from './catalog-contents.ts';
import type { Clock } from './clock.ts';
import { type Answer, type EdgarHttp, RefusedAgainError, type Validators } from './edgar-http.ts';
import type { SyncCounts, SyncEvent } from './events.ts';
import type { KnownFiling, Ledger } from './ledger.ts';
import type { Places } from './places.ts';

/** Parallel downloads, so that a large file doesn't delay the others. The gate limits the rate. */
const LANES = 6;
const BATCH_FILES_MAX = 200;
const BATCH_BYTES_MAX = 64 * 2 ** 20;
/** Maximum wait of a batch's first file for others. */
const BATCH_WAIT_MS = 2000;
/** Maximum bytes of files that are downloaded and not ingested yet. */
const WAITING_BYTES_MAX = 512 * 2 ** 20;
/** Why a filing waits that EDGAR refuses while it answers for others. */
export const REFUSED = 'EDGAR refuses the file (403)';
/** How often a file is downloaded again if it was cut short, or is of another filing. */
const DOWNLOADS_MAX = 3;
/** A complete submission names its accession number in its first bytes, and ends with its closing tag. */
const HEAD_BYTES = 4096;
const TAIL_BYTES = 256;
const NUMBER_IN_HEADER = /^(?:ACCESSION NUMBER:|<ACCESSION-NUMBER>)\s*(\d{10}-\d{2}-\d{6})/m;

interface CollectorOptions {
  catalogFolder: string;
  http: EdgarHttp;
  places: Places;
  ledger: Ledger;
  clock: Clock;
  counts: SyncCounts;
  /** Threads that parse; default as `ingest` */
  threads?: number | undefined;
  onEvent: (event: SyncEvent) => void;
  onProgress?: (done: number, total: number, bytes: number) => void;
  signal?: AbortSignal | undefined;
}

interface Downloaded {
  filing: KnownFiling;
  file: string;
  size: number;
  /** null: an earlier run has downloaded it */
  validators: Validators | null;
}

export class Collector {
  readonly #options: CollectorOptions;
  readonly #folder: string;
  #ready: Downloaded[] = [];
  /** Of the filings that are in the catalog: those that EDGAR has unchanged. */
  readonly #checked: string[] = [];
  #readyBytes = 0;
  #readySince = 0;
  #waitingBytes = 0;
  #listeners: (() => void)[] = [];
  #done = 0;
  #total = 0;
  /** Its threads start at the first file, and serve all batches of the command: to start them costs more than to parse ten filings. */
  readonly #pool: ParsePool;

  constructor(options: CollectorOptions) {
    this.#options = options;
    this.#pool = new ParsePool(options.threads);
    this.#folder = join(options.catalogFolder, 'edgar-incoming');
  }

  /**
   * Stores filings in the catalog. If one can't be fetched, the ledger records the reason, and the others are stored.
   * @throws FilinglakeError of EDGAR's hosts (unreachable, blocked), of the catalog (unwritable); the signal's reason. Earlier
   * filings stay.
   */
  async collect(
    filings: readonly KnownFiling[],
    { done, total }: { done: number; total: number } = { done: 0, total: filings.length },
  ): Promise<void> {
    mkdirSync(this.#folder, { recursive: true });
    this.#total = total;
    this.#done = done;
    const wanted = await this.#takeUpLeftovers(filings);
    const queue = this.#withoutStored(wanted);
    const failure: { error: unknown } = { error: undefined };
    const isOver = () => failure.error !== undefined;
    // A lane that waits for the end of a block must stop if another lane fails.
    const stop = new AbortController();
    const { signal } = this.#options;
    const laneSignal = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
    let lanes = 0;
    const lane = async () => {
      for (let filing = queue.shift(); filing && !isOver(); filing = queue.shift()) {
        while (this.#waitingBytes > WAITING_BYTES_MAX && !isOver()) await this.#changed();
        await this.#download(filing, laneSignal);
      }
    };
    const lanesDone = Promise.all(
      Array.from({ length: Math.min(LANES, queue.length) }, () => {
        lanes++;
        return lane()
          .catch((error) => {
            failure.error ??= error;
            stop.abort();
          })
          .finally(() => {
            lanes--;
            this.#tell();
          });
      }),
    );
    try {
      for (;;) {
        const last = lanes === 0;
        if (this.#ready.length > 0 && (last || this.#isBatch())) await this.#ingestReady();
        else if (last) break;
        else await this.#changed(this.#ready.length > 0 ? BATCH_WAIT_MS : undefined);
      }
    } catch (error) {
      failure.error ??= error;
      stop.abort();
      this.#tell();
    }
    await lanesDone;
    await this.#stateChecked().catch((error) => {
      failure.error ??= error;
    });
    if (failure.error !== undefined) throw failure.error;
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }

  /** Waits until something was downloaded, ingested or has failed, for at most this many milliseconds. */
  #changed(ms?: number): Promise<void> {
    return new Promise((settle) => {
      const timer = ms === undefined ? undefined : setTimeout(settle, ms);
      this.#listeners.push(() => {
        clearTimeout(timer);
        settle();
      });
    });
  }

  #tell(): void {
    for (const listener of this.#listeners.splice(0)) listener();
  }

  #isBatch(): boolean {
    return (
      this.#ready.length >= BATCH_FILES_MAX ||
      this.#readyBytes >= BATCH_BYTES_MAX ||
      performance.now() - this.#readySince >= BATCH_WAIT_MS
    );
  }

  /** Files that an earlier run has downloaded and not ingested. */
  async #takeUpLeftovers(filings: readonly KnownFiling[]): Promise<readonly KnownFiling[]> {
    const byNumber = new Map(filings.map((filing) => [filing.accession_number, filing]));
    for (const name of readdirSync(this.#folder)) {
      const file = join(this.#folder, name);
      const accession = /^(\d{10}-\d{2}-\d{6})\.txt$/.exec(name)?.[1];
      const filing =
        accession === undefined ? null : (byNumber.get(accession) ?? this.#options.ledger.filing(accession));
      // An incomplete download, or an unknown file. A power cut may leave half of a file under its name.
      if (!filing || (await whatIsWrong(file, filing.accession_number)) !== null) rmSync(file, { force: true });
      else {
        byNumber.delete(filing.accession_number);
        this.#push({ filing, file, size: 0, validators: null });
      }
    }
    if (this.#ready.length > 0) await this.#ingestReady();
    return [...byNumber.values()];
  }

  /** Filings in the catalog are not downloaded, unless they must be checked again. */
  #withoutStored(filings: readonly KnownFiling[]): KnownFiling[] {
    const { catalogFolder, ledger, clock } = this.#options;
    const fresh = filings.filter(({ state }) => state !== 'recheck').map(({ accession_number }) => accession_number);
    const stored = storedAmong(catalogFolder, fresh);
    ledger.transaction(() => {
      for (const accession of stored) ledger.stored(accession, clock.now());
    });
    this.#progress(stored.size);
    return filings.filter(({ accession_number }) => !stored.has(accession_number));
  }

  async #download(filing: KnownFiling, signal: AbortSignal): Promise<void> {
    const { http, places, counts } = this.#options;
    const { accession_number, state } = filing;
    const file = join(this.#folder, `${accession_number}.txt`);
    // Only the tag: a correction may keep the time of the earlier file.
    const unless =
      state === 'recheck' ? { etag: filing.etag, lastModified: filing.etag ? null : filing.last_modified } : null;
    let fault = '';
    for (let tries = 0; tries < DOWNLOADS_MAX; tries++) {
      const url = places.submission(filing.path);
      const answer: Answer<number> = await http.download(url, file, { unless, signal }).catch((error) => {
        // The refusal may be of this file alone. It waits, so that the next look begins with other files.
        if (error instanceof RefusedAgainError && error.url === url) this.#missed(filing, REFUSED);
        throw error;
      });
      if (answer.kind === 'unchanged') return this.#settled(filing);
      if (answer.kind === 'missing') {
        if (answer.isRefused) return this.#missed(filing, REFUSED);
        // The indexes show if a stored filing was withdrawn.
        if (state === 'recheck') return this.#settled(filing);
        return this.#missed(filing, `EDGAR has no such file (${answer.status})`);
      }
      counts.downloads++;
      counts.bytes += answer.body;
      const wrong = await whatIsWrong(file, accession_number);
      if (wrong === null) {
        this.#push({ filing, file, size: answer.body, validators: answer });
        return;
      }
      fault = wrong;
      await rm(file, { force: true });
    }
    this.#missed(filing, fault);
  }

  #push(downloaded: Downloaded): void {
    if (this.#ready.length === 0) this.#readySince = performance.now();
    this.#ready.push(downloaded);
    this.#readyBytes += downloaded.size;
    this.#waitingBytes += downloaded.size;
    this.#tell();
  }

  async #ingestReady(): Promise<void> {
    const batch = this.#ready;
    this.#ready = [];
    this.#readyBytes = 0;
    const fresh = batch.filter(({ filing }) => filing.state !== 'recheck');
    if (fresh.length > 0) await this.#ingest(fresh);
    // One by one, so that it is known which of them has changed.
    for (const one of batch) if (one.filing.state === 'recheck') await this.#ingest([one]);
  }

  async #ingest(batch: readonly Downloaded[]): Promise<void> {
    const { catalogFolder, ledger, clock, counts, onEvent } = this.#options;
    const summary = await ingest(
      batch.map(({ file }) => file),
      catalogFolder,
      { wait: true, pool: this.#pool, fetchedAt: new Date(clock.now()).toISOString() },
    );
    const failed = new Map(summary.failures.map(({ path, message }) => [path, message]));
    const stored = storedAmong(
      catalogFolder,
      batch.map(({ filing }) => filing.accession_number),
    );
    const now = clock.now();
    const events: SyncEvent[] = [];
    ledger.transaction(() => {
      for (const { filing, file, validators } of batch) {
        const { accession_number, form_type, filing_date, accepted_at, state } = filing;
        const reason = failed.get(file);
        const about = { accession_number, form_type, filing_date };
        if (stored.has(accession_number) && (state !== 'recheck' || reason === undefined)) {
          ledger.stored(accession_number, now);
          // Only now: "unchanged" must refer to the stored file.
          if (validators !== null) ledger.setValidators(accession_number, validators);
          if (state === 'recheck') {
            if (summary.filings.replaced === 0) {
              this.#checked.push(accession_number);
              continue;
            }
            counts.corrected++;
            events.push({ event: 'corrected', ...about });
          } else {
            counts.stored++;
            // Below 0 only if this machine's clock is wrong.
            const lag_s = accepted_at === null || now < accepted_at ? null : Math.round((now - accepted_at) / 1000);
            events.push({ event: 'filing', ...about, lag_s });
          }
        } else {
          const why = reason === undefined ? 'the file holds another filing' : `the file can't be read: ${reason}`;
          ledger.missed(accession_number, why, now);
          events.push({ event: 'missing', accession_number, reason: why });
          counts.missing++;
        }
      }
    });
    for (const event of events) onEvent(event);
    for (const { file, size } of batch) {
      await rm(file, { force: true });
      this.#waitingBytes -= size;
    }
    this.#tell();
    this.#progress(batch.length);
  }

  /** In one write: thousands of checks find nothing. */
  async #stateChecked(): Promise<void> {
    const accessions = this.#checked.splice(0);
    const { catalogFolder, clock } = this.#options;
    if (accessions.length === 0) return;
    await stateOnEdgar({ checked: { accessions, at: new Date(clock.now()).toISOString() } }, catalogFolder);
  }

  #settled({ accession_number }: KnownFiling): void {
    this.#options.ledger.stored(accession_number, this.#options.clock.now());
    this.#checked.push(accession_number);
    this.#progress(1);
  }

  #missed({ accession_number }: KnownFiling, reason: string): void {
    const { ledger, clock, onEvent, counts } = this.#options;
    ledger.missed(accession_number, reason, clock.now());
    counts.missing++;
    onEvent({ event: 'missing', accession_number, reason });
    this.#progress(1);
  }

  #progress(done: number): void {
    this.#done += done;
    this.#options.onProgress?.(this.#done, this.#total, this.#options.counts.bytes);
  }
}

/** The fault of a downloaded file; null: it is the whole requested submission. */
async function whatIsWrong(file: string, accessionNumber: string): Promise<string | null> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const head = Buffer.alloc(Math.min(HEAD_BYTES, size));
    const tail = Buffer.alloc(Math.min(TAIL_BYTES, size));
    await handle.read(head, 0, head.length, 0);
    await handle.read(tail, 0, tail.length, size - tail.length);
    const end = tail.toString('latin1');
    const start = head.toString('latin1');
    if (!start.includes(accessionNumber)) return 'EDGAR sent something else under its name';
    // The catalog stores a file under the number of its header. With another number it would replace another filing.
    const named = NUMBER_IN_HEADER.exec(start)?.[1] ?? accessionNumber;
    if (named !== accessionNumber) return `EDGAR sent the filing ${named} under its name`;
    if (!isClosed(start, end)) return 'the file is cut short';
    return null;
  } finally {
    await handle.close();
  }
}

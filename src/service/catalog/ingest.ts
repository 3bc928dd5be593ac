/** `ingest`: files in, commits out. Unpacks here, parses in threads, writes in batches, in bounded memory. */
import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { FilinglakeError } from '../../core/index.ts';
import { FILE_KINDS, type FileKind, submissionKind } from '../../filings/edgar/index.ts';
import type { EdgarNews } from './edgar-states.ts';
import type { Enrichment } from './enrichments/enrichment.ts';
import { ENRICHMENTS } from './enrichments/index.ts';
import { takeIngestLock } from './ingest-lock.ts';
import type { FileInput, Input } from './input.ts';
import { readInputs } from './inputs.ts';
import { FACT_KINDS, type LeftDocuments, LooseFiles } from './loose-files.ts';
import { ParsePool } from './parse-pool.ts';
import { DATABASE_FILE, databaseError, fileError } from './store/database-file.ts';
import { type BatchItem, CatalogWriter, type FilingOutcome } from './writer.ts';

export interface IngestOptions {
  /** Wait for another ingest to end instead of refusing */
  wait?: boolean;
  onWait?: (holder: string) => void;
  /** Stops the ingest. Files that were read are committed first: `interrupted` in the summary */
  signal?: AbortSignal;
  /** Number of threads that parse; 0: the calling one. Default: the processors minus one, from 1 to 4 */
  threads?: number;
  /** Threads that outlive this ingest, instead of its own: for many small ones. The caller closes them */
  pool?: ParsePool;
  /** Time limit for a step of a document; a longer one is left out, and the record says so. Needs threads */
  stepTimeLimitMs?: number;
  /** Filings a transaction, at most */
  batchFilings?: number;
  onProgress?: (progress: IngestProgress) => void;
  onFailure?: (failure: IngestFailure) => void;
  /** When EDGAR sent the files, UTC. Default: they are somebody's own */
  fetchedAt?: string;
  /** As `InputOptions.zipEntries`: SEC's archive of all companies has a million files */
  zipEntries?: (name: string) => boolean;
  /** Default: those of src/filings/edgar */
  kinds?: readonly FileKind[];
  /** Default: those of ./enrichments */
  enrichments?: readonly Enrichment[];
}

export interface IngestProgress {
  files: number;
  filings: number;
  /** Unpacked bytes of submissions */
  bytes: number;
  skipped: number;
  failed: number;
}

export interface IngestFailure {
  path: string;
  /** Byte of the fault: in the unpacked file; in the archive if that can't be unpacked. null if unknown */
  offset: number | null;
  message: string;
}

export interface IngestWarning {
  path: string;
  message: string;
}

export interface IngestSummary {
  filings: { new: number; replaced: number; unchanged: number; deleted: number };
  /** Documents of new and replaced filings */
  documents: number;
  /** Entities that were made or changed, counted once a transaction */
  entities: number;
  /** Unpacked bytes of submissions, unchanged ones included */
  bytes: number;
  /** Files with new facts about entities, by kind */
  enriched: Record<string, number>;
  /** Files that are not stored, by kind. `superseded_submission`: its other dialect, or a corrected file, is stored */
  skipped: Record<string, number>;
  /** The first thousand files of `skipped`, without superseded ones */
  skipped_files: { path: string; kind: string }[];
  /**
   * Documents without their submission. `stored`: made into filings. `facts_of`: files beside them that say whose they are.
   * `of_stored_filings`: their filing is stored whole. `left`: not stored, by reason
   */
  loose: { stored: number; facts_of: number; of_stored_filings: number; left: LeftDocuments[] };
  /** Whether the catalog has tickers: they come from SEC's lists, not from submissions */
  has_tickers: boolean;
  failures: IngestFailure[];
  /** Oddities of stored files; the first thousand */
  warnings: IngestWarning[];
  warning_count: number;
  interrupted: boolean;
  seconds: number;
}

/** Raw bytes that wait for the writer or are being parsed: bounds memory. */
const QUEUE_BYTES_MAX = 48 * 2 ** 20;
const QUEUE_FILES_MAX = 256;
const BATCH_BYTES_MAX = 32 * 2 ** 20;
const BATCH_FILINGS_MAX = 1_000;
const WARNINGS_MAX = 1_000;

type Ready = { item: BatchItem; path: string; bytes: number } | { failure: IngestFailure; bytes: number };

/**
 * Ingests files, folders and archives into a catalog, which is created if missing. A broken file is reported and skipped, never
 * half stored. Stored files are skipped. Start a killed ingest again, and it continues.
 * @throws FilinglakeError `file-unreadable`, `catalog-busy`, `catalog-unwritable`, `catalog-unreadable`
 */
export async function ingest(
  paths: readonly string[],
  catalogFolder: string,
  options: IngestOptions = {},
): Promise<IngestSummary> {
  using _lock = await takeIngestLock(catalogFolder, options);
  const run = startedRun(catalogFolder, options);
  try {
    return await run.ingest(paths);
  } catch (error) {
    throw databaseError(join(catalogFolder, DATABASE_FILE), error);
  } finally {
    await run.close();
  }
}

/** Keeps what EDGAR says of filings, and writes it into the stored ones. @throws as ingest */
export async function stateOnEdgar(news: EdgarNews, catalogFolder: string): Promise<void> {
  using _lock = await takeIngestLock(catalogFolder, { wait: true });
  try {
    const writer = new CatalogWriter(catalogFolder);
    try {
      writer.stateOnEdgar(news);
    } finally {
      writer.close();
    }
  } catch (error) {
    throw databaseError(join(catalogFolder, DATABASE_FILE), error);
  }
}

function startedRun(folder: string, options: IngestOptions): IngestRun {
  try {
    return new IngestRun(folder, options);
  } catch (error) {
    throw fileError('write', folder, error);
  }
}

class IngestRun {
  readonly #folder: string;
  readonly #options: IngestOptions;
  readonly #writer: CatalogWriter;
  readonly #pool: ParsePool;
  readonly #enrichments: ReadonlyMap<FileKind, Enrichment>;
  readonly #startedAt = performance.now();
  /** In the order of the input, so that the same input gives the same catalog with any number of threads. */
  readonly #queue: Promise<Ready>[] = [];
  #queueBytes = 0;
  #batch: { item: BatchItem; path: string }[] = [];
  #batchBytes = 0;
  #files = 0;
  readonly #loose = new LooseFiles();
  readonly #summary: IngestSummary = {
    filings: { new: 0, replaced: 0, unchanged: 0, deleted: 0 },
    documents: 0,
    entities: 0,
    bytes: 0,
    enriched: {},
    skipped: {},
    skipped_files: [],
    loose: { stored: 0, facts_of: 0, of_stored_filings: 0, left: [] },
    has_tickers: false,
    failures: [],
    warnings: [],
    warning_count: 0,
    interrupted: false,
    seconds: 0,
  };

  constructor(folder: string, options: IngestOptions) {
    this.#folder = folder;
    this.#options = options;
    this.#writer = new CatalogWriter(folder);
    const enrichments = options.enrichments ?? ENRICHMENTS;
    this.#enrichments = new Map(enrichments.map((enrichment) => [enrichment.kind, enrichment]));
    for (const { kind } of enrichments) this.#summary.enriched[kind.name] = 0;
    this.#pool = options.pool ?? new ParsePool(options.threads, options.stepTimeLimitMs);
  }

  async ingest(paths: readonly string[]): Promise<IngestSummary> {
    const walk = { wanted: new Set([submissionKind, ...this.#enrichments.keys()]) };
    await this.#walk(paths, walk, (input) => {
      this.#files++;
      this.#take(input);
    });
    await this.#settleAll();
    if (!this.#loose.isEmpty && !this.#summary.interrupted) await this.#ingestLoose(paths);
    this.#writer.settle();
    this.#summary.has_tickers = this.#writer.hasTickers();
    this.#summary.seconds = (performance.now() - this.#startedAt) / 1000;
    return this.#summary;
  }

  async #walk(
    paths: readonly string[],
    which: { wanted: ReadonlySet<FileKind>; paths?: ReadonlySet<string> },
    take: (input: Input) => void,
  ): Promise<void> {
    const { signal, kinds = FILE_KINDS, zipEntries } = this.#options;
    for await (const input of readInputs(paths, {
      kinds,
      ...which,
      excluded: [this.#folder],
      ...(zipEntries ? { zipEntries } : {}),
    })) {
      take(input);
      while (this.#queueBytes > QUEUE_BYTES_MAX || this.#queue.length > QUEUE_FILES_MAX) await this.#settleFirst();
      this.#report();
      if (!signal?.aborted) continue;
      this.#summary.interrupted = true;
      return;
    }
  }

  /** Makes filings of documents without their submission, as far as something says what they are. */
  async #ingestLoose(paths: readonly string[]): Promise<void> {
    const { loose } = this.#summary;
    loose.of_stored_filings = this.#loose.dropStored((accession) => this.#writer.hasWhole(accession));
    if (!this.#loose.isEmpty)
      await this.#walk(paths, { wanted: new Set<FileKind>(FACT_KINDS) }, (input) => {
        if (input.kind !== 'file') return;
        try {
          // Submissions JSON is of use in itself, and not among the skipped files.
          if (this.#loose.learn(input) && this.#unskip(input.fileKind!.name)) loose.facts_of++;
        } catch (error) {
          this.#fail(input.path, error as Error);
        }
      });
    // A file beside documents may name a filing that is stored.
    loose.of_stored_filings += this.#loose.dropStored((accession) => this.#writer.hasWhole(accession));
    const wanted = this.#loose.wanted();
    if (wanted.size > 0 && !this.#summary.interrupted)
      await this.#walk(paths, { wanted: new Set(), paths: wanted }, (input) => {
        if (input.kind === 'file') this.#takeLoose(input);
      });
    if (!this.#summary.interrupted)
      for (const path of this.#loose.unfinished())
        this.#fail(path, new Error('not all documents of its filing could be read'));
    loose.left = this.#loose.left();
    await this.#settleAll();
  }

  #takeLoose(input: FileInput): void {
    try {
      const made = this.#loose.add(input);
      if (made === null) return;
      made.kinds.forEach((kind) => void this.#unskip(kind));
      this.#summary.loose.stored += made.kinds.length;
      this.#takeSubmission({ ...input, bytes: made.bytes });
    } catch (error) {
      this.#fail(input.path, error as Error);
    }
  }

  #fail(path: string, { message, offset }: Error & { offset?: number }): void {
    this.#enqueue(Promise.resolve({ failure: { path, offset: offset ?? null, message }, bytes: 0 }), 0);
  }

  async #settleAll(): Promise<void> {
    while (this.#queue.length > 0) await this.#settleFirst();
    this.#commit();
  }

  #take(input: Input): void {
    switch (input.kind) {
      case 'skipped':
        this.#skip(input.fileKind);
        this.#loose.note(input.path, input.fileKind);
        if (this.#summary.skipped_files.length < WARNINGS_MAX)
          this.#summary.skipped_files.push({ path: input.path, kind: input.fileKind });
        return;
      case 'failed':
        this.#enqueue(
          Promise.resolve({ failure: { path: input.path, offset: input.offset, message: input.message }, bytes: 0 }),
          0,
        );
        return;
      case 'file': {
        const enrichment = input.fileKind && this.#enrichments.get(input.fileKind);
        if (enrichment) this.#enqueue(Promise.resolve(readEnrichment(enrichment, input)), input.bytes.length);
        else this.#takeSubmission(input);
      }
    }
  }

  #takeSubmission({ path, bytes: content, modified }: FileInput): void {
    const bytes = content.length;
    this.#summary.bytes += bytes;
    const sha256 = hash('sha256', content, 'buffer');
    if (this.#writer.hasSubmission(sha256)) {
      this.#summary.filings.unchanged++;
      return;
    }
    if (this.#writer.wasSuperseded(sha256, modified)) {
      this.#skip('superseded_submission');
      return;
    }
    this.#enqueue(
      this.#pool
        .parse(copyOf(content), sha256)
        .then((parsed) =>
          'fault' in parsed
            ? { failure: { path, ...parsed.fault }, bytes }
            : { item: { kind: 'filing', filing: parsed.filing }, path, bytes },
        ),
      bytes,
    );
  }

  #enqueue(ready: Promise<Ready>, bytes: number): void {
    this.#queue.push(ready);
    this.#queueBytes += bytes;
  }

  async #settleFirst(): Promise<void> {
    const ready = await this.#queue.shift()!;
    this.#queueBytes -= ready.bytes;
    if ('failure' in ready) {
      this.#summary.failures.push(ready.failure);
      this.#options.onFailure?.(ready.failure);
      return;
    }
    this.#batch.push({ item: ready.item, path: ready.path });
    this.#batchBytes += ready.bytes;
    const full = this.#batch.length >= (this.#options.batchFilings ?? BATCH_FILINGS_MAX);
    if (full || this.#batchBytes >= BATCH_BYTES_MAX) this.#commit();
  }

  #commit(): void {
    if (this.#batch.length === 0) return;
    const batch = this.#batch;
    this.#batch = [];
    this.#batchBytes = 0;
    const result = this.#writer.write(
      batch.map(({ item }) => item),
      this.#options.fetchedAt,
    );
    this.#writer.renewStatistics();
    const submissions = batch.filter(({ item }) => item.kind === 'filing');
    for (const [i, outcome] of result.outcomes.entries()) this.#count(outcome, submissions[i]!);
    this.#summary.documents += result.documents;
    this.#summary.entities += result.entities;
    for (const name of result.enriched) this.#summary.enriched[name]! += 1;
    this.#report();
  }

  #count(outcome: FilingOutcome, { item, path }: { item: BatchItem; path: string }): void {
    const { filings } = this.#summary;
    if (outcome === 'deletion') filings.deleted++;
    else if (outcome === 'superseded') this.#skip('superseded_submission');
    else if (outcome === 'deleted') this.#skip('deleted_submission');
    else filings[outcome]++;
    if (item.kind !== 'filing' || (outcome !== 'new' && outcome !== 'replaced')) return;
    for (const message of item.filing.warnings) {
      this.#summary.warning_count++;
      if (this.#summary.warnings.length < WARNINGS_MAX) this.#summary.warnings.push({ path, message });
    }
  }

  #skip(kind: string): void {
    this.#summary.skipped[kind] = (this.#summary.skipped[kind] ?? 0) + 1;
  }

  /** A file was of use after all. @returns whether one of its kind was skipped */
  #unskip(kind: string): boolean {
    const before = this.#summary.skipped[kind] ?? 0;
    if (before > 1) this.#summary.skipped[kind] = before - 1;
    else delete this.#summary.skipped[kind];
    return before > 0;
  }

  #report(): void {
    const { filings, bytes, skipped, failures } = this.#summary;
    this.#options.onProgress?.({
      files: this.#files,
      filings: filings.new + filings.replaced + filings.unchanged,
      bytes,
      skipped: Object.values(skipped).reduce((sum, n) => sum + n, 0),
      failed: failures.length,
    });
  }

  async close(): Promise<void> {
    if (this.#options.pool === undefined) await this.#pool.close();
    this.#writer.close();
  }
}

/** The input's bytes are gone with the next input. A thread reads these where they are. */
function copyOf(bytes: Buffer): Buffer {
  const copy = Buffer.from(new SharedArrayBuffer(bytes.length));
  bytes.copy(copy);
  return copy;
}

function readEnrichment({ kind, read }: Enrichment, { path, bytes, modified }: FileInput): Ready {
  try {
    // SEC's lists have no date. The file that was modified later is newer; files of the same time are ordered by their hash.
    const stamp = `${modified?.toISOString() ?? ''} ${hash('sha256', bytes)}`;
    return {
      item: { kind: 'enrichment', name: kind.name, apply: read(copyOf(bytes), stamp) },
      path,
      bytes: bytes.length,
    };
  } catch (error) {
    const { message, offset } = error as FilinglakeError & { offset?: number };
    return { failure: { path, offset: offset ?? null, message }, bytes: bytes.length };
  }
}

/** `/readyz`: whether the service can do its work now, part by part, and why not. */
import { statfsSync } from 'node:fs';
import { ACCOUNTS_FILE, type Catalog, DATABASE_FILE, SameFiles } from './catalog/index.ts';
import type { PatientQuotas } from './http/account-book.ts';
import { lagOf } from './lag.ts';
import type { PdfRenderer } from './pdf/pdf-renderer.ts';
import type { ReaderPool } from './readers/reader-pool.ts';

export interface ServiceParts {
  accounts: PatientQuotas;
  readers: ReaderPool;
  pdfs: PdfRenderer;
  catalog: Catalog;
}

/** @param hasAccountsFile the accounts are in `accounts.db`. @param fulltext the place of an index elsewhere */
type ReadinessParts = ServiceParts & { hasAccountsFile: boolean; fulltext: string | undefined };

/** With less free space, counting requests soon fails. */
const LEAST_FREE_BYTES = 32 * 1024 * 1024;
/** A result is reused for this time. */
const FRESH_MS = 2_000;
/** An index elsewhere is asked more seldom: every service of every machine asks it. */
const INDEX_FRESH_MS = 10_000;
const INDEX_LIMIT_MS = 1_000;

export class Readiness {
  readonly #parts: ReadinessParts;
  readonly #now: () => Date;
  readonly #files: SameFiles;
  #index: { at: number; fault: Promise<string | null> } | null = null;
  #answer: { at: number; status: number; body: string } | null = null;

  constructor(parts: ReadinessParts, now: () => Date) {
    this.#parts = parts;
    this.#now = now;
    this.#files = new SameFiles(parts.catalog.folder, [DATABASE_FILE, ACCOUNTS_FILE]);
  }

  /** 200 if every part works, else 503. Neither `fulltext`, `browser` nor `lag` makes a service unready: it answers everything else. */
  async answer(): Promise<{ status: number; body: string }> {
    if (this.#answer && Date.now() - this.#answer.at < FRESH_MS) return this.#answer;
    const { hasAccountsFile } = this.#parts;
    const parts = {
      catalog: this.#catalogFault() ?? this.#changeOf(DATABASE_FILE),
      accounts: this.#parts.accounts.failure ?? (hasAccountsFile ? this.#changeOf(ACCOUNTS_FILE) : null),
      disk: this.#diskFault(),
    };
    const ready = Object.values(parts).every((fault) => fault === null);
    const told = Object.fromEntries(Object.entries(parts).map(([name, fault]) => [name, fault ?? 'ok']));
    const { pdfs, catalog, fulltext } = this.#parts;
    const lag = lagOf(catalog, this.#now());
    const index = fulltext === undefined ? {} : { fulltext: (await this.#indexFault(fulltext)) ?? 'ok' };
    const others = { ...told, ...index, browser: pdfs.browserState, lag };
    const body = JSON.stringify({ status: ready ? 'ok' : 'unready', ...others });
    this.#answer = { at: Date.now(), status: ready ? 200 : 503, body };
    return this.#answer;
  }

  /** A backup put in the place of a database: the service reads and counts in the old one. */
  #changeOf(name: string): string | null {
    const change = this.#files.changeOf(name);
    if (change === null) return null;
    return change === 'deleted' ? `${name} is gone` : `${name} was replaced: restart the service`;
  }

  #indexFault(place: string): Promise<string | null> {
    if (this.#index === null || Date.now() - this.#index.at >= INDEX_FRESH_MS)
      this.#index = { at: Date.now(), fault: this.#parts.catalog.indexFault(place, INDEX_LIMIT_MS) };
    return this.#index.fault;
  }

  #catalogFault(): string | null {
    const { readers, catalog } = this.#parts;
    const { threads, stuck } = readers.state();
    if (threads === 0) return 'no reader thread could open the catalog';
    if (stuck > 0 && stuck >= threads) return 'the reader threads are held by long searches';
    try {
      const missing = catalog.missingPacks().length;
      return missing === 0 ? null : `packs that are missing: ${missing}`;
    } catch (error) {
      return (error as Error).message;
    }
  }

  #diskFault(): string | null {
    try {
      const { bavail, bsize } = statfsSync(this.#parts.catalog.folder);
      return bavail * bsize < LEAST_FREE_BYTES ? 'the disk is full' : null;
    } catch {
      return 'the folder of the catalog is not there';
    }
  }
}

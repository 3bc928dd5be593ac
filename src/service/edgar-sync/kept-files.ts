/** Files of EDGAR that are cached between runs, and downloaded again only if they have changed. */
import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EdgarHttp } from './edgar-http.ts';
import type { Ledger } from './ledger.ts';
import { unwritable } from './write-error.ts';

interface KeptRow {
  file: string;
  sha256: string;
  etag: string | null;
  last_modified: string | null;
}

export class KeptFiles {
  readonly #http: EdgarHttp;
  readonly #ledger: Ledger;
  readonly #folder: string;

  constructor(options: { http: EdgarHttp; ledger: Ledger; catalogFolder: string }) {
    this.#http = options.http;
    this.#ledger = options.ledger;
    this.#folder = join(options.catalogFolder, 'edgar-kept');
  }

  /**
   * EDGAR's current file; null if EDGAR lacks it.
   * @param check throws for a file of another kind, which is then not cached
   * @throws FilinglakeError of EDGAR's hosts; the errors of `check`
   */
  async get(url: string, check: (bytes: Buffer) => void, signal?: AbortSignal): Promise<Buffer | null> {
    const row = this.#row(url);
    const before = row && this.#read(row);
    const unless = row && before ? { etag: row.etag, lastModified: row.last_modified } : null;
    const answer = await this.#http.get(url, { unless, signal });
    if (answer.kind === 'missing') return null;
    if (answer.kind === 'unchanged') return before;
    check(answer.body);
    this.#keep(url, answer.body, answer);
    return answer.body;
  }

  /** Whether a file is kept: `get` then only asks whether it has changed. */
  has(url: string): boolean {
    return this.#row(url) !== null;
  }

  #row(url: string): KeptRow | null {
    const row = this.#ledger.db
      .prepare('SELECT file, sha256, etag, last_modified FROM kept_files WHERE url = ?')
      .get(url);
    return (row as unknown as KeptRow | undefined) ?? null;
  }

  /** Null: the file was deleted or damaged. It is downloaded again. */
  #read({ file, sha256 }: KeptRow): Buffer | null {
    try {
      const bytes = readFileSync(join(this.#folder, file));
      return hash('sha256', bytes) === sha256 ? bytes : null;
    } catch {
      return null;
    }
  }

  #keep(
    url: string,
    bytes: Buffer,
    { etag, lastModified }: { etag: string | null; lastModified: string | null },
  ): void {
    const file = nameOf(url);
    try {
      mkdirSync(this.#folder, { recursive: true });
      writeFileSync(join(this.#folder, `${file}.part`), bytes);
      renameSync(join(this.#folder, `${file}.part`), join(this.#folder, file));
    } catch (cause) {
      throw unwritable(join(this.#folder, file), cause);
    }
    this.#ledger.db
      .prepare('INSERT OR REPLACE INTO kept_files VALUES (?, ?, ?, ?, ?)')
      .run(url, file, hash('sha256', bytes), etag, lastModified);
  }
}

/** The last parts of the address, and a hash of all of it: `2025-QTR4-master.idx-1f0c…` */
function nameOf(url: string): string {
  const words = new URL(url).pathname
    .split('/')
    .slice(-3)
    .join('-')
    .replace(/[^\w.-]/g, '');
  return `${hash('sha256', url).slice(0, 12)}-${words}`;
}

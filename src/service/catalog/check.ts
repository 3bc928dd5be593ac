/** `catalog check`: all that the catalog's rows point to is there, byte for byte. Reads only, even during an ingest. */
import { hash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { zstdDecompressSync } from 'node:zlib';
import { counted, FilinglakeError } from '../../core/index.ts';
import { filingInfoSchema, filingSchema } from '../../filings/api/index.ts';
import { movedFile } from './packs/moved-pack.ts';
import { PackReader, packBytes, packFile } from './packs/packs.ts';
import { readInfo } from './packs/stored-info.ts';
import { damagedDatabases, NOT_AS_COPIED } from './store/copied-databases.ts';
import { DATABASE_FILE, fileError, isDamage } from './store/database-file.ts';
import { openToRead, PACK_FOLDER } from './store/schema.ts';

interface CheckProblem {
  /** The kind of problem, for scripts: `document-damaged` */
  code: CheckProblemCode;
  /** The document id, accession number, CIK or file with the problem */
  subject: string;
  message: string;
}

type CheckProblemCode =
  | 'database-damaged'
  | 'pack-missing'
  | 'pack-short'
  | 'document-damaged'
  | 'text-damaged'
  | 'record-damaged'
  | 'orphan'
  | 'search-index-out-of-step';

export interface CheckReport {
  ok: boolean;
  filings: number;
  documents: number;
  entities: number;
  /** Unpacked bytes of the documents that were read */
  bytes: number;
  /** Bytes of packs that no row points to any more: replaced and removed filings */
  unused_pack_bytes: number;
  /** The first thousand */
  problems: CheckProblem[];
  problem_count: number;
  seconds: number;
}

export interface CheckOptions {
  onProgress?: (documents: number, total: number) => void;
}

const PROBLEMS_MAX = 1_000;

/** Checks a catalog folder. @throws FilinglakeError `catalog-missing`, `catalog-unsupported`, `catalog-unreadable`, `pack-unreachable` */
export function checkCatalog(folder: string, options: CheckOptions = {}): CheckReport {
  const startedAt = performance.now();
  const damaged = damagedDatabases(folder);
  using db = openToRead(folder);
  const check = new Check(folder, db, options);
  for (const name of damaged) check.problem('database-damaged', name, `it is ${NOT_AS_COPIED}`);
  try {
    // One snapshot: an ingest that commits meanwhile must not look like a problem.
    db.exec('BEGIN');
    return { ...check.run(), seconds: (performance.now() - startedAt) / 1000 };
  } finally {
    check.close();
  }
}

interface DocumentRow {
  id: number;
  accession: string | null;
  sequence: number;
  size: number;
  sha256: Uint8Array;
  pack: number;
  offset: number;
  length: number;
  searched: number;
  text_offset: number | null;
  text_length: number | null;
}

class Check {
  readonly #folder: string;
  readonly #db: DatabaseSync;
  readonly #options: CheckOptions;
  readonly #packs: PackReader;
  readonly #problems: CheckProblem[] = [];
  #problemCount = 0;

  constructor(folder: string, db: DatabaseSync, options: CheckOptions) {
    this.#folder = folder;
    this.#db = db;
    this.#options = options;
    this.#packs = new PackReader(folder);
  }

  run(): Omit<CheckReport, 'seconds'> {
    this.#asFarAsReadable(() => this.#checkDatabase(), null);
    const committed = this.#asFarAsReadable(() => this.#checkPacks(), 0);
    this.#asFarAsReadable(() => this.#checkOrphans(), null);
    this.#asFarAsReadable(() => this.#checkSearchIndex(), null);
    this.#asFarAsReadable(() => this.#checkRecords(), null);
    const { bytes, used } = this.#asFarAsReadable(() => this.#checkDocuments(), { bytes: 0, used: committed });
    const count = (table: string) => this.#asFarAsReadable(() => this.#number(`SELECT count(*) FROM ${table}`), 0);
    const counts = { filings: count('filings'), documents: count('documents'), entities: count('entities') };
    return {
      ok: this.#problemCount === 0,
      ...counts,
      bytes,
      unused_pack_bytes: Math.max(0, committed - used),
      problems: this.#problems,
      problem_count: this.#problemCount,
    };
  }

  /** A damaged page ends the reading of its table. The check continues with the other tables. */
  #asFarAsReadable<Result>(read: () => Result, fallback: Result): Result {
    try {
      return read();
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.problem('database-damaged', DATABASE_FILE, (error as Error).message);
      return fallback;
    }
  }

  #checkDatabase(): void {
    for (const row of this.#db.prepare('PRAGMA integrity_check(100)').all()) {
      const message = row.integrity_check as string;
      if (message !== 'ok') this.problem('database-damaged', DATABASE_FILE, message);
    }
  }

  /** @returns bytes that were committed to packs */
  #checkPacks(): number {
    let committed = 0;
    for (const row of this.#db.prepare('SELECT pack, bytes FROM packs ORDER BY pack').all()) {
      const file = packFile(this.#folder, row.pack as number);
      committed += row.bytes as number;
      const found = this.#packBytes(row.pack as number);
      if (found === null)
        this.problem('pack-missing', file, `${counted(Number(row.bytes), 'byte was', 'bytes were')} committed to it`);
      else if (found < (row.bytes as number))
        this.problem('pack-short', file, `it has ${counted(found, 'byte')}, ${row.bytes} were committed`);
    }
    for (const name of this.#packNames()) {
      if (!/^\d{6,}\.(pack|moved(\.draft)?)$/.test(name))
        this.problem('orphan', name, 'the pack folder has a file that is not a pack');
    }
    return committed;
  }

  #packBytes(pack: number): number | null {
    try {
      return packBytes(this.#folder, pack);
    } catch (error) {
      this.problem('pack-missing', movedFile(this.#folder, pack), messageOf(error));
      return Number.POSITIVE_INFINITY;
    }
  }

  #packNames(): string[] {
    const packs = join(this.#folder, PACK_FOLDER);
    try {
      return readdirSync(packs);
    } catch (cause) {
      throw fileError('read', packs, cause);
    }
  }

  #checkOrphans(): void {
    const children = ['filing_records', 'filing_infos', 'filing_parties', 'filing_items', 'documents'];
    for (const table of children) {
      const lost = this.#number(`SELECT count(*) FROM ${table} WHERE filing NOT IN (SELECT id FROM filings)`);
      if (lost > 0) this.problem('orphan', table, `${counted(lost, 'row belongs', 'rows belong')} to no filing`);
    }
    for (const table of ['filing_records', 'filing_infos']) {
      for (const row of this.#db
        .prepare(`SELECT accession FROM filings WHERE id NOT IN (SELECT filing FROM ${table})`)
        .all()) {
        this.problem('record-damaged', row.accession as string, `it has no row in ${table}`);
      }
    }
    const parties = this.#db.prepare(
      'SELECT DISTINCT cik FROM filing_parties WHERE cik IS NOT NULL AND cik NOT IN (SELECT cik FROM entities)',
    );
    for (const row of parties.all()) this.problem('orphan', `CIK ${row.cik}`, 'a party of a filing is not an entity');
    for (const table of ['entity_tickers', 'entity_exchanges']) {
      const lost = this.#number(`SELECT count(*) FROM ${table} WHERE cik NOT IN (SELECT cik FROM entities)`);
      if (lost > 0) this.problem('orphan', table, `${counted(lost, 'row belongs', 'rows belong')} to no entity`);
    }
  }

  #checkSearchIndex(): void {
    // The table of sizes has a row for each indexed text.
    const indexed = 'SELECT id FROM document_texts_docsize';
    const searched = 'SELECT id FROM documents WHERE searched = 1';
    const missing = this.#number(`SELECT count(*) FROM (${searched} EXCEPT ${indexed})`);
    const spare = this.#number(`SELECT count(*) FROM (${indexed} EXCEPT ${searched})`);
    if (missing > 0)
      this.problem(
        'search-index-out-of-step',
        'document_texts',
        `${counted(missing, 'document is', 'documents are')} not indexed`,
      );
    if (spare > 0)
      this.problem(
        'search-index-out-of-step',
        'document_texts',
        `${counted(spare, 'indexed text has', 'indexed texts have')} no document`,
      );
  }

  #checkRecords(): void {
    const rows = this.#db
      .prepare(
        `SELECT f.accession, r.record, i.info, (SELECT count(*) FROM documents WHERE filing = f.id) AS documents
         FROM filings f JOIN filing_records r ON r.filing = f.id JOIN filing_infos i ON i.filing = f.id`,
      )
      .iterate();
    for (const row of rows) {
      const accession = row.accession as string;
      try {
        const filing = filingSchema.parse(JSON.parse(row.record as string));
        const info = filingInfoSchema.parse(JSON.parse(readInfo(row.info as Uint8Array).toString('utf8')));
        const counts = [filing.documents.length, info.documents.length, row.documents as number];
        if (filing.accession_number !== accession || info.accession_number !== accession) {
          this.problem('record-damaged', accession, 'its record is of another filing');
        } else if (new Set(counts).size > 1) {
          this.problem('record-damaged', accession, `documents in record, info and table: ${counts.join(', ')}`);
        }
      } catch (error) {
        this.problem('record-damaged', accession, (error as Error).message);
      }
    }
  }

  #checkDocuments(): { bytes: number; used: number } {
    const total = this.#number('SELECT count(*) FROM documents');
    const rows = this.#db
      .prepare(
        `SELECT d.id, f.accession, d.sequence, d.size, d.sha256, d.pack, d.offset, d.length, d.searched, d.text_offset, d.text_length
         FROM documents d LEFT JOIN filings f ON f.id = d.filing ORDER BY d.pack, d.offset`,
      )
      .iterate() as Iterable<unknown> as Iterable<DocumentRow>;
    let bytes = 0;
    let used = 0;
    let done = 0;
    for (const row of rows) {
      const subject = `${row.accession ?? 'no filing'}-${row.sequence}`;
      used += row.length + (row.text_offset !== null && row.text_offset !== row.offset ? row.text_length! : 0);
      try {
        const content = zstdDecompressSync(this.#packs.read(row));
        bytes += content.length;
        if (content.length !== row.size) {
          this.problem('document-damaged', subject, `it has ${counted(content.length, 'byte')} instead of ${row.size}`);
        } else if (Buffer.compare(hash('sha256', content, 'buffer'), row.sha256) !== 0) {
          this.problem('document-damaged', subject, 'its bytes are not those that were stored (sha256 differs)');
        }
      } catch (error) {
        this.problem('document-damaged', subject, messageOf(error));
      }
      if (row.searched === 1) this.#checkText(subject, row);
      this.#options.onProgress?.(++done, total);
    }
    return { bytes, used };
  }

  #checkText(subject: string, row: DocumentRow): void {
    if (row.text_offset === null || row.text_length === null) {
      this.problem('text-damaged', subject, 'it is searched, but its text is not stored');
      return;
    }
    if (row.text_offset === row.offset) return;
    try {
      zstdDecompressSync(this.#packs.read({ pack: row.pack, offset: row.text_offset, length: row.text_length }));
    } catch (error) {
      this.problem('text-damaged', subject, messageOf(error));
    }
  }

  #number(sql: string): number {
    return Object.values(this.#db.prepare(sql).get()!)[0] as number;
  }

  problem(code: CheckProblemCode, subject: string, message: string): void {
    this.#problemCount++;
    if (this.#problems.length < PROBLEMS_MAX) this.#problems.push({ code, subject, message });
  }

  close(): void {
    this.#packs.close();
  }
}

/** @throws an error that says nothing of what is stored: a bucket that does not answer */
function messageOf(error: unknown): string {
  if (error instanceof FilinglakeError && error.code === 'pack-unreachable') throw error;
  return (error as Error).message;
}

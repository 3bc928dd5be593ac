/** The catalog as the service reads it: queries of the operations, totals, what is stored. */
import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { KeptCounts } from './counts/index.ts';
import { indexFault, openSearchEngine } from './opensearch/engine.ts';
import { OpenSearchLink } from './opensearch/link.ts';
import { movedFile } from './packs/moved-pack.ts';
import { PackReader } from './packs/packs.ts';
import { isStored } from './queries/coverage.ts';
import { embeddedEngine } from './queries/fulltext-engine.ts';
import { type CatalogQueries, queriesOf } from './queries/index.ts';
import type { CatalogSource } from './queries/source.ts';
import { Statements } from './rows/statements.ts';
import { identityOf, openToRead, type ReadOptions } from './store/schema.ts';

export interface CatalogTotals {
  filings: number;
  documents: number;
  entities: number;
  /** Filing dates of the first and the last filing; null in an empty catalog */
  date_from: string | null;
  date_to: string | null;
}

interface CatalogOptions {
  /** `opensearch+https://…`: the index that answers searches. Default: the catalog's own */
  fulltext?: string | undefined;
}

/** A catalog opened to read. Synchronous: each thread opens its own. It sees every commit of a running ingest. */
export type Catalog = CatalogFolder & CatalogQueries;

export const Catalog = {
  /** @throws FilinglakeError `catalog-missing`, `catalog-unsupported`, `catalog-unreadable` */
  open(folder: string, options: ReadOptions & CatalogOptions = {}): Catalog {
    const db = openToRead(folder, options);
    const identity = options.neverWait ? null : identityOf(db);
    const counts = identity === null ? null : new KeptCounts(folder, identity);
    const statements = new Statements(db, options.stillWanted, counts);
    const link = options.fulltext === undefined ? null : new OpenSearchLink(options.fulltext, statements.stillWanted);
    const fulltext = link === null ? embeddedEngine(statements) : openSearchEngine(statements, options.fulltext!, link);
    const source = { folder, statements, packs: new PackReader(folder, options), fulltext };
    return Object.assign(new CatalogFolder(folder, db, source, { link, counts }), queriesOf(source));
  },
};

interface Others {
  link: OpenSearchLink | null;
  counts: KeptCounts | null;
}

class CatalogFolder {
  readonly folder: string;
  readonly #db: DatabaseSync;
  readonly #statements: Statements;
  readonly #packs: PackReader;
  readonly #others: Others;

  /** @param others what is closed with it */
  constructor(folder: string, db: DatabaseSync, { statements, packs }: CatalogSource, others: Others) {
    this.folder = folder;
    this.#db = db;
    this.#statements = statements;
    this.#packs = packs;
    this.#others = others;
  }

  close(): void {
    this.#others.link?.close();
    this.#others.counts?.close();
    this.#packs.close();
    this.#db.close();
  }

  /** Milliseconds that another engine took since the last call. */
  takeWorkElsewhere(): number {
    const { link } = this.#others;
    if (link === null) return 0;
    const { workMs } = link;
    link.workMs = 0;
    return workMs;
  }

  /** Why an index in OpenSearch can't answer searches of this catalog now; null: it can. @param limitMs for its answer */
  indexFault(place: string, limitMs: number): Promise<string | null> {
    return indexFault(this.#statements, place, limitMs);
  }

  /** Packs that the database names and that are missing: their documents can't be read. */
  missingPacks(): string[] {
    const packs = this.#statements.prepare('SELECT pack FROM packs WHERE bytes > 0').all() as { pack: number }[];
    return packs
      .map(({ pack }) => ({ file: this.#packs.fileOf(pack), note: movedFile(this.folder, pack) }))
      .filter(({ file, note }) => !existsSync(file) && !existsSync(note))
      .map(({ file }) => file);
  }

  totals(): CatalogTotals {
    return {
      ...this.#statements
        .prepare(
          `SELECT (SELECT count(*) FROM filings) AS filings, (SELECT count(*) FROM documents) AS documents,
           (SELECT count(*) FROM entities) AS entities,
           (SELECT min(filing_date) FROM filings) AS date_from, (SELECT max(filing_date) FROM filings) AS date_to`,
        )
        .get(),
    } as unknown as CatalogTotals;
  }

  /** A number that grows with each new filing; 0 without one. */
  newestFiling(): number {
    return (this.#statements.prepare('SELECT coalesce(max(id), 0) AS id FROM filings').get() as { id: number }).id;
  }

  /** Until the result is called, all reads see one state. Many small reads then cost one lock. */
  holdSnapshot(): () => void {
    return this.#statements.holdSnapshot();
  }

  /** Whether a filing is stored, or a deletion notice removed it. */
  isStored(accessionNumber: string): boolean {
    return isStored(this.#statements, accessionNumber);
  }
}

/** The catalog as the service reads it: look-ups, full text, filings, documents. */
import { existsSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import {
  type AccessionNumber,
  type DocumentId,
  type EntityLookupParameters,
  type FilingInfo,
  type FilingLookupParameters,
  type FulltextSearchParameters,
  splitDocumentId,
} from '../api/index.ts';
import { type FulltextPage, fulltextSearch } from './fulltext/search.ts';
import { entityLookup, filingLookup, type LookupPage, type PageLimits } from './lookups.ts';
import { PackReader } from './packs.ts';
import { openToRead, type ReadOptions } from './schema.ts';
import { Statements } from './statements.ts';
import { DOCUMENT_COLUMNS, type DocumentRow, type StoredDocument, storedDocument } from './stored-document.ts';
import { isCompressed, readInfo } from './stored-info.ts';

export interface CatalogTotals {
  filings: number;
  documents: number;
  entities: number;
  /** Filing dates of the first and the last filing; null in an empty catalog */
  date_from: string | null;
  date_to: string | null;
}

/**
 * A catalog folder, opened to read. Synchronous, and not to be shared between threads: each worker opens its own. Sees every commit
 * of an ingest that runs beside it.
 */
export class Catalog {
  readonly folder: string;
  readonly #db: DatabaseSync;
  readonly #statements: Statements;
  readonly #packs: PackReader;
  readonly #info: StatementSync;

  private constructor(folder: string, db: DatabaseSync, options: ReadOptions) {
    this.folder = folder;
    this.#db = db;
    this.#statements = new Statements(db, options.stillWanted);
    this.#packs = new PackReader(folder);
    this.#info = db.prepare(
      'SELECT info FROM filing_infos WHERE filing = (SELECT id FROM filings WHERE accession = ?)',
    );
  }

  /** @throws FilinglakeError `catalog-missing`, `catalog-version`, `catalog-unreadable` */
  static open(folder: string, options: ReadOptions = {}): Catalog {
    return new Catalog(folder, openToRead(folder, options), options);
  }

  close(): void {
    this.#packs.close();
    this.#db.close();
  }

  /** Changes whenever something was committed since this catalog was opened: a key for caches of answers. */
  version(): number {
    return (this.#statements.prepare('PRAGMA data_version').get() as { data_version: number }).data_version;
  }

  /** Packs that the database names and that are not there: their documents can't be given. */
  missingPacks(): string[] {
    const packs = this.#statements.prepare('SELECT pack FROM packs WHERE bytes > 0').all() as { pack: number }[];
    return packs.map(({ pack }) => this.#packs.fileOf(pack)).filter((file) => !existsSync(file));
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

  /** Those of some filings that are stored, or that a deletion notice took back: neither is to be fetched again. */
  storedAmong(accessionNumbers: Iterable<string>): Set<string> {
    const stored = this.#statements.prepare(
      'SELECT 1 FROM filings WHERE accession = ?1 UNION ALL SELECT 1 FROM deletions WHERE accession = ?1',
    );
    return new Set([...accessionNumbers].filter((accession) => stored.get(accession) !== undefined));
  }

  /** @throws FilinglakeError `entity-filter-required` where no filter is given */
  entityLookup(parameters: EntityLookupParameters, limits?: PageLimits): LookupPage {
    return entityLookup(this.#statements, parameters, limits);
  }

  /** @throws FilinglakeError `entity-filter-required` where `entity_query` is given but empty */
  filingLookup(parameters: FilingLookupParameters, limits?: PageLimits): LookupPage {
    return filingLookup(this.#statements, parameters, limits);
  }

  /** @throws QueryError where the query can't be read; FilinglakeError `entity-filter-required` as filingLookup */
  fulltextSearch(parameters: FulltextSearchParameters, limits?: PageLimits): FulltextPage {
    return fulltextSearch(this.#statements, this.#packs, parameters, limits);
  }

  /** JSON text of the filing's FilingInfo as stored at ingest, or null. */
  filingInfoJson(accessionNumber: AccessionNumber): string | null {
    const row = this.#info.get(accessionNumber) as { info: Uint8Array } | undefined;
    return row ? readInfo(row.info).toString('utf8') : null;
  }

  /**
   * The same as bytes, where they are stored as they are: no more work than the look-up itself. `compressed`: there is a record,
   * large enough to be another thread's work.
   */
  smallFilingInfo(accessionNumber: AccessionNumber): Uint8Array | 'compressed' | null {
    const row = this.#info.get(accessionNumber) as { info: Uint8Array } | undefined;
    if (!row) return null;
    return isCompressed(row.info) ? 'compressed' : readInfo(row.info);
  }

  filing(accessionNumber: AccessionNumber): FilingInfo | null {
    const text = this.filingInfoJson(accessionNumber);
    return text === null ? null : (JSON.parse(text) as FilingInfo);
  }

  document(id: DocumentId): StoredDocument | null {
    const { accessionNumber, sequence } = splitDocumentId(id);
    return this.#oneDocument(accessionNumber, 'd.sequence = ?', sequence);
  }

  /** The document with this file name, without regard to case; the first in sequence where names repeat. */
  documentByName(accessionNumber: AccessionNumber, filename: string): StoredDocument | null {
    return this.#oneDocument(accessionNumber, 'lower(d.filename) = lower(?)', filename);
  }

  /** The filing's main document: the first in sequence, which is the form itself. */
  mainDocument(accessionNumber: AccessionNumber): StoredDocument | null {
    return this.#oneDocument(accessionNumber, '? = 1', 1);
  }

  /** All documents of a filing in sequence; empty where there is no such filing. */
  documents(accessionNumber: AccessionNumber): StoredDocument[] {
    const rows = this.#statements
      .prepare(
        `SELECT ${DOCUMENT_COLUMNS} FROM documents d WHERE d.filing = (SELECT id FROM filings WHERE accession = ?) ORDER BY d.sequence`,
      )
      .all(accessionNumber) as unknown as DocumentRow[];
    return rows.map((row) => storedDocument(accessionNumber, row, this.#packs));
  }

  #oneDocument(accessionNumber: AccessionNumber, condition: string, value: string | number): StoredDocument | null {
    const row = this.#statements
      .prepare(
        `SELECT ${DOCUMENT_COLUMNS} FROM documents d WHERE d.filing = (SELECT id FROM filings WHERE accession = ?)
         AND ${condition} ORDER BY d.sequence LIMIT 1`,
      )
      .get(accessionNumber, value) as unknown as DocumentRow | undefined;
    return row ? storedDocument(accessionNumber, row, this.#packs) : null;
  }
}

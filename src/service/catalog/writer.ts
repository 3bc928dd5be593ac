/**
 * Writes batches: pack bytes are appended and synced first, then one transaction holds everything that points to them. After a
 * crash the last commit is intact. The next writer cuts the bytes after it.
 */
import type { DatabaseSync } from 'node:sqlite';
import { dayNumber, FilinglakeError, systemErrorWords } from '../../core/index.ts';
import { type FilingInfo, isAmendment, type Party } from '../../filings/api/index.ts';
import { Acceptances } from './acceptances.ts';
import { type EdgarNews, EdgarStates } from './edgar-states.ts';
import type { Apply } from './enrichments/enrichment.ts';
import { PackWriter } from './packs/packs.ts';
import { type EdgarState, readInfo } from './packs/stored-info.ts';
import type { ParsedFiling } from './parse-filing.ts';
import { READERS, revisionIn } from './revision.ts';
import type { PartyMention } from './rows/entity-facts.ts';
import { EntityWriter } from './rows/entity-writer.ts';
import { codeKey, itemKey, nameKey } from './rows/filters.ts';
import { PARTIES, Statements } from './rows/statements.ts';
import { isDamage } from './store/database-file.ts';
import { DOCUMENTS_A_DAY, FILINGS_A_DAY, openToWrite } from './store/schema.ts';

export type BatchItem =
  | { kind: 'filing'; filing: ParsedFiling }
  /** `name`: of the file's kind */
  | { kind: 'enrichment'; name: string; apply: Apply };

/**
 * The outcome of a submission. `superseded`: the other dialect's file, the whole submission or a corrected one, is stored and stays. `deletion`: a
 * notice that removes a filing. `deleted`: a copy of a filing that a notice removed.
 */
export type FilingOutcome = 'new' | 'replaced' | 'unchanged' | 'superseded' | 'deletion' | 'deleted';

interface BatchResult {
  /** One for each submission of the batch, in order */
  outcomes: FilingOutcome[];
  documents: number;
  entities: number;
  /** The kind of each file that had new facts */
  enriched: string[];
}

/** Which file of a filing stays, by what it has: a bare header may be all that there is, and then is the filing. */
const RANKS = { header: 0, loose: 1, nc: 2, txt: 3 } as const satisfies Record<ParsedFiling['dialect'], number>;

/** The stored state of an accession number, or the one about to be stored. */
interface Standing {
  dialect: ParsedFiling['dialect'];
  corrected: boolean;
  sha256: Uint8Array;
  revision: string | null;
}

/** What the batch does to one accession number. */
interface Change {
  /** null: the filing is removed */
  filing: ParsedFiling | null;
  standing: Standing | null;
  /** Hashes of the submissions that it replaces */
  superseded: Uint8Array[];
  /** What EDGAR's answer adds */
  news: Partial<EdgarState>;
}

const STANDING =
  'SELECT id, dialect, corrected, sha256, record FROM filings LEFT JOIN filing_records ON filing = id WHERE accession = ?';
/** Tables whose rows go with their filing. */
const OF_FILING = ['documents', 'filing_items', 'filing_parties', 'filing_infos', 'filing_records'];

export class CatalogWriter {
  readonly #db: DatabaseSync;
  readonly #statements: Statements;
  readonly #packs: PackWriter;
  readonly #entities: EntityWriter;
  readonly #acceptances: Acceptances;
  readonly #edgarStates: EdgarStates;
  readonly #nextFiling = new Map<number, number>();
  readonly #nextDocument = new Map<number, number>();

  /** The caller holds the ingest lock. @throws FilinglakeError `catalog-unsupported`, `pack-damaged` */
  constructor(folder: string) {
    this.#db = openToWrite(folder);
    const committed = new Map<number, number>();
    for (const row of this.#db.prepare('SELECT pack, bytes FROM packs').all()) {
      committed.set(row.pack as number, row.bytes as number);
    }
    this.#packs = new PackWriter(folder, committed);
    this.#statements = new Statements(this.#db);
    this.#entities = new EntityWriter(this.#statements);
    this.#acceptances = new Acceptances(this.#statements);
    this.#edgarStates = new EdgarStates(this.#statements);
  }

  /** Whether exactly this submission is stored, as today's readers read it: then it needn't be parsed. */
  hasSubmission(sha256: Uint8Array): boolean {
    return (
      this.#statements.prepare('SELECT 1 FROM filings WHERE sha256 = ? AND readers = ?').get(sha256, READERS) !==
      undefined
    );
  }

  /** Whether a filing is stored from its submission, not from single documents or a bare header. */
  hasWhole(accession: string): boolean {
    const standing = this.#storedStanding(accession);
    return standing !== null && RANKS[standing.dialect] > RANKS.loose;
  }

  /**
   * Whether this submission was stored before and then replaced by another with its accession number. Two different ones in one
   * folder would otherwise replace each other with each ingest. A file that was written since then is stored again.
   */
  wasSuperseded(sha256: Uint8Array, modified: Date | null): boolean {
    const row = this.#statements.prepare('SELECT at FROM superseded WHERE sha256 = ?').get(sha256) as
      | { at: string }
      | undefined;
    return row !== undefined && (modified === null || modified.toISOString() <= row.at);
  }

  /**
   * Stores the batch whole or not at all.
   * @param fetchedAt when EDGAR sent the files (UTC); null: they are somebody's own
   * @throws FilinglakeError `catalog-unwritable` (disk full …): then close the writer
   */
  write(items: readonly BatchItem[], fetchedAt: string | null = null): BatchResult {
    const { outcomes, changes, passedOver, readAgain } = this.#decide(items, fetchedAt);
    const stored = [...changes.values()].filter((change) => change.filing !== null).map((change) => change.filing!);
    // Rows of a transaction in the order of their ids: FTS5 flushes its index whenever a row id is smaller than the one before.
    stored.sort((a, b) =>
      a.filingDate !== b.filingDate ? (a.filingDate < b.filingDate ? -1 : 1) : a.accession < b.accession ? -1 : 1,
    );
    const result: BatchResult = {
      outcomes,
      documents: stored.reduce((sum, filing) => sum + filing.documents.length, 0),
      entities: 0,
      enriched: [],
    };
    this.#inTransaction(() => {
      const placed = stored.map((filing) => this.#packs.append(filing.frames));
      const lengths = this.#packs.sync();
      this.#writeRows(items, changes, stored, placed, result);
      const at = new Date().toISOString();
      for (const sha256 of passedOver) this.#supersede(sha256, at);
      for (const sha256 of readAgain)
        this.#statements.write('UPDATE filings SET readers = ? WHERE sha256 = ?', READERS, sha256);
      for (const [pack, bytes] of lengths)
        this.#statements.write('INSERT OR REPLACE INTO packs VALUES (?, ?)', pack, bytes);
    });
    return result;
  }

  #inTransaction(work: () => void): void {
    try {
      this.#db.exec('BEGIN IMMEDIATE');
      work();
      this.#db.exec('COMMIT');
    } catch (cause) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      if (isDamage(cause)) throw cause;
      throw new FilinglakeError('catalog-unwritable', `the catalog could not be written: ${systemErrorWords(cause)}`, {
        remedy: 'Make room on the disk, or repair it, and ingest again. What was committed is unharmed.',
        cause,
      });
    }
  }

  /**
   * `passedOver`: hashes of superseded submissions, noted so that the next ingest of the same file need not parse it. `readAgain`: of
   * those that today's readers read as others did before.
   */
  #decide(
    items: readonly BatchItem[],
    fetchedAt: string | null,
  ): {
    outcomes: FilingOutcome[];
    changes: Map<string, Change>;
    passedOver: Uint8Array[];
    readAgain: Uint8Array[];
  } {
    const changes = new Map<string, Change>();
    const outcomes: FilingOutcome[] = [];
    const passedOver: Uint8Array[] = [];
    const readAgain: Uint8Array[] = [];
    for (const item of items) {
      if (item.kind !== 'filing') continue;
      const read = this.#acceptances.completed(item.filing);
      const pending = changes.get(read.accession);
      const standing = pending ? pending.standing : this.#storedStanding(read.accession);
      const news = { ...pending?.news, ...newsOf(read, standing, fetchedAt) };
      const filing = this.#edgarStates.completed(read, news);
      const takenBack = pending ? pending.filing === null : this.#isDeleted(filing.accession);
      const outcome = takenBack && filing.dissemination !== 'deletion' ? 'deleted' : outcomeOf(filing, standing);
      outcomes.push(outcome);
      if (outcome === 'superseded') passedOver.push(filing.sha256);
      if (outcome === 'unchanged') readAgain.push(filing.sha256);
      const superseded = pending?.superseded ?? [];
      if (outcome === 'deletion') changes.set(filing.accession, { filing: null, standing: null, superseded, news: {} });
      if (outcome === 'new' || outcome === 'replaced') {
        const corrected = filing.dissemination === 'correction';
        if (standing && !isSameSubmission(standing, filing)) superseded.push(standing.sha256);
        changes.set(filing.accession, {
          filing,
          standing: { dialect: filing.dialect, corrected, sha256: filing.sha256, revision: filing.revision },
          superseded,
          news,
        });
      }
    }
    return { outcomes, changes, passedOver, readAgain };
  }

  /** Whether a notice removed the filing. */
  #isDeleted(accession: string): boolean {
    return this.#statements.prepare('SELECT 1 FROM deletions WHERE accession = ?').get(accession) !== undefined;
  }

  #supersede(sha256: Uint8Array, at: string): void {
    this.#statements.write('INSERT OR REPLACE INTO superseded VALUES (?, ?)', sha256, at);
  }

  #storedStanding(accession: string): Standing | null {
    const row = this.#statements.prepare(STANDING).get(accession) as
      | { dialect: ParsedFiling['dialect']; corrected: number; sha256: Uint8Array; record: string | null }
      | undefined;
    if (!row) return null;
    const revision = row.record === null ? null : revisionIn(row.record);
    return { dialect: row.dialect, corrected: row.corrected === 1, sha256: row.sha256, revision };
  }

  #writeRows(
    items: readonly BatchItem[],
    changes: ReadonlyMap<string, Change>,
    stored: readonly ParsedFiling[],
    placed: readonly { pack: number; offset: number }[],
    result: BatchResult,
  ): void {
    const rebuilt = new Set<number>();
    const removedTexts: number[] = [];
    const at = new Date().toISOString();
    for (const [accession, { filing, superseded, news }] of changes) {
      if (Object.keys(news).length > 0) this.#edgarStates.keep(accession, news);
      const removed = this.#removeFiling(accession);
      for (const cik of removed.ciks) rebuilt.add(cik);
      removedTexts.push(...removed.texts);
      for (const sha256 of superseded) this.#supersede(sha256, at);
      if (filing === null) this.#statements.write('INSERT OR IGNORE INTO deletions VALUES (?)', accession);
      else this.#statements.write('DELETE FROM superseded WHERE sha256 = ?', filing.sha256);
    }
    // Texts come last: FTS5 would write what it has collected at each statement that fires a trigger.
    const texts = stored.flatMap((filing, i) => this.#insertFiling(filing, placed[i]!));
    for (const id of removedTexts) this.#statements.write('DELETE FROM document_texts WHERE rowid = ?', id);
    for (const [id, text] of texts)
      this.#statements.write('INSERT INTO document_texts (rowid, text) VALUES (?, ?)', id, text);
    for (const cik of rebuilt) this.#entities.rebuild(cik, this.#mentionsOf(cik));
    for (const filing of stored) {
      filing.parties.forEach((party, position) => {
        if (party.cik === null || rebuilt.has(Number(party.cik))) return;
        this.#entities.mention({ ...filing, party, position });
      });
    }
    const target = {
      db: this.#db,
      entities: this.#entities,
      stateAcceptances: (times: ReadonlyMap<string, string>) => {
        const { isNew, ciks } = this.#acceptances.state(times);
        // Headers of one day are ordered by their times.
        for (const cik of ciks) this.#entities.rebuild(cik, this.#mentionsOf(cik));
        return isNew;
      },
    };
    for (const item of items) if (item.kind === 'enrichment' && item.apply(target)) result.enriched.push(item.name);
    result.entities = this.#entities.flush();
  }

  /** @returns the CIKs that the removed filing named, and the ids of its documents with searched texts, which stay */
  #removeFiling(accession: string): { ciks: number[]; texts: number[] } {
    const row = this.#statements.prepare(STANDING).get(accession) as { id: number } | undefined;
    if (!row) return { ciks: [], texts: [] };
    const ciks = this.#statements.prepare(PARTIES).all(row.id);
    const searched = this.#statements.prepare('SELECT id FROM documents WHERE filing = ? AND searched = 1').all(row.id);
    for (const table of OF_FILING) this.#statements.write(`DELETE FROM ${table} WHERE filing = ?`, row.id);
    this.#statements.write('DELETE FROM filings WHERE id = ?', row.id);
    return { ciks: ciks.map((party) => party.cik as number), texts: searched.map((document) => document.id as number) };
  }

  /** @returns its searched texts, by the ids of their documents */
  #insertFiling(filing: ParsedFiling, at: { pack: number; offset: number }): [id: number, text: Uint8Array][] {
    const texts: [number, Uint8Array][] = [];
    const day = dayNumber(filing.filingDate);
    const id = this.#nextId(this.#nextFiling, 'filings', day, FILINGS_A_DAY);
    this.#statements.write(
      'INSERT INTO filings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      id,
      filing.accession,
      filing.formType,
      codeKey(filing.formType),
      isAmendment(filing.formType) ? 1 : 0,
      filing.filingDate,
      filing.acceptance,
      filing.size,
      filing.entityName === null ? null : nameKey(filing.entityName),
      filing.dialect,
      filing.dissemination === 'correction' ? 1 : 0,
      filing.hasSeries ? 1 : 0,
      filing.sha256,
      READERS,
    );
    this.#statements.write('INSERT INTO filing_records VALUES (?, ?)', id, filing.record);
    this.#statements.write('INSERT INTO filing_infos VALUES (?, ?)', id, filing.info);
    filing.parties.forEach((party, position) => {
      const cik = party.cik === null ? null : Number(party.cik);
      const values = [id, position, party.role, cik, party.sic];
      this.#statements.write('INSERT INTO filing_parties VALUES (?, ?, ?, ?, ?)', ...values);
    });
    for (const item of filing.items)
      this.#statements.write('INSERT OR IGNORE INTO filing_items VALUES (?, ?)', itemKey(item), id);
    for (const document of [...filing.documents].sort((a, b) => a.sequence - b.sequence)) {
      const documentId = this.#nextId(this.#nextDocument, 'documents', day, DOCUMENTS_A_DAY);
      this.#statements.write(
        'INSERT INTO documents VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
        documentId,
        id,
        document.sequence,
        document.type,
        document.type === null ? null : codeKey(document.type),
        document.filename,
        document.description,
        document.contentType,
        document.size,
        document.sha256,
        at.pack,
        at.offset + document.offset,
        document.length,
        document.text === null ? 0 : 1,
        document.textOffset === null ? null : at.offset + document.textOffset,
        document.textLength,
      );
      if (document.text !== null)
        texts.push([documentId, filing.texts.subarray(document.text.start, document.text.end)]);
    }
    return texts;
  }

  #nextId(next: Map<number, number>, table: 'filings' | 'documents', day: number, aDay: number): number {
    let id = next.get(day);
    if (id === undefined) {
      const first = day * aDay;
      const row = this.#db
        .prepare(`SELECT max(id) AS last FROM ${table} WHERE id >= ? AND id < ?`)
        .get(first, first + aDay);
      const last = (row as { last: number | null }).last;
      id = last === null ? first : last + 1;
    }
    next.set(day, id + 1);
    return id;
  }

  /** The facts of all stored headers about an entity. Read only if one of the filings was replaced or removed. */
  *#mentionsOf(cik: number): Generator<PartyMention> {
    const rows = this.#db
      .prepare(
        `SELECT f.accession, f.form_type, f.filing_date, f.acceptance, f.has_series, i.info FROM filings f
         JOIN filing_infos i ON i.filing = f.id WHERE f.id IN (SELECT filing FROM filing_parties WHERE cik = ?)`,
      )
      .iterate(cik);
    for (const row of rows) {
      const info = JSON.parse(readInfo(row.info as Uint8Array).toString('utf8')) as FilingInfo;
      const parties: Party[] = info.parties;
      for (const [position, party] of parties.entries()) {
        if (party.cik === null || Number(party.cik) !== cik) continue;
        yield {
          party,
          position,
          accession: row.accession as string,
          formType: row.form_type as string,
          filingDate: row.filing_date as string,
          acceptance: row.acceptance as string | null,
          hasSeries: row.has_series === 1,
        };
      }
    }
  }

  /**
   * Updates the planner's statistics of tables that have grown tenfold. An open reader learns them only with a new schema: a service that
   * was started over a small catalog would scan where it should search.
   * @throws FilinglakeError `catalog-unwritable`
   */
  renewStatistics(): void {
    this.#inTransaction(() => {
      const before = this.#statistics();
      this.#db.exec('PRAGMA analysis_limit=2000; PRAGMA optimize=0x10002');
      if (this.#statistics() !== before) this.#db.exec('CREATE VIEW renewed AS SELECT 1; DROP VIEW renewed');
    });
  }

  /** At the end: writes the log into the database. */
  settle(): void {
    this.renewStatistics();
    this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  #statistics(): unknown {
    const table = this.#db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'").get();
    return (
      table &&
      this.#db.prepare('SELECT json_group_array(json_array(tbl, idx, stat)) AS all_of FROM sqlite_stat1').get()!.all_of
    );
  }

  /** @throws FilinglakeError `catalog-unwritable` */
  stateOnEdgar({ withdrawn, checked }: EdgarNews): void {
    this.#inTransaction(() => {
      if (withdrawn) this.#edgarStates.stateWithdrawn(withdrawn);
      for (const accession of checked?.accessions ?? [])
        this.#edgarStates.state(accession, { checked_at: checked!.at });
    });
  }

  /** Whether any entity has a ticker: submissions name none. */
  hasTickers(): boolean {
    return this.#db.prepare('SELECT 1 FROM entity_tickers LIMIT 1').get() !== undefined;
  }

  close(): void {
    this.#packs.close();
    this.#db.close();
  }
}

/** The outcome of a submission, given the stored one of its accession number. Their order makes no difference. */
function outcomeOf(filing: ParsedFiling, standing: Standing | null): FilingOutcome {
  if (filing.dissemination === 'deletion') return 'deletion';
  if (!standing) return 'new';
  // Today's readers may read the same submission in another way.
  if (isSameSubmission(standing, filing)) return standing.revision === filing.revision ? 'unchanged' : 'replaced';
  if (RANKS[filing.dialect] < RANKS[standing.dialect]) return 'superseded';
  const sameDialect = standing.dialect === filing.dialect;
  if (sameDialect && standing.corrected && filing.dissemination !== 'correction') return 'superseded';
  return 'replaced';
}

/** Two dialects of a submission differ, and neither corrects the other. */
function newsOf(filing: ParsedFiling, standing: Standing | null, fetchedAt: string | null): Partial<EdgarState> {
  if (fetchedAt === null) return {};
  const isCorrected = standing !== null && standing.dialect === filing.dialect && !isSameSubmission(standing, filing);
  return { checked_at: fetchedAt, ...(isCorrected ? { corrected_at: fetchedAt } : {}) };
}

function isSameSubmission(standing: Standing, { sha256 }: ParsedFiling): boolean {
  return Buffer.compare(standing.sha256, sha256) === 0;
}

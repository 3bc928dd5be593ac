/** Entities of one transaction: facts are read once, merged in memory, and written with their filter columns at its end. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { normalTicker } from '../../../filings/api/index.ts';
import type { SubmissionsJson } from '../../../filings/edgar/index.ts';
import {
  type EntityFacts,
  entityRecord,
  type ListedTicker,
  mergeMention,
  mergeSubmissions,
  NO_FACTS,
  type PartyMention,
} from './entity-facts.ts';
import { codeKey, nameKey, sicKey } from './filters.ts';
import { prepareWrite } from './statements.ts';

export class EntityWriter {
  readonly #changed = new Map<number, EntityFacts>();
  readonly #facts: StatementSync;
  readonly #listed: StatementSync;
  readonly #others: StatementSync;
  readonly #write: StatementSync;
  readonly #remove: StatementSync;
  readonly #tickers: EntityList;
  readonly #exchanges: EntityList;

  constructor(db: DatabaseSync) {
    this.#facts = db.prepare('SELECT facts FROM entities WHERE cik = ?');
    // The list with exchanges says more, so it comes first.
    this.#listed = db.prepare(
      'SELECT list, ticker, exchange FROM listed_tickers WHERE cik = ? ORDER BY list, position',
    );
    this.#others = db.prepare(
      `SELECT 1 FROM listed_tickers l WHERE list = 'exchange' AND ticker = ? AND (SELECT substr(e.value, 1, 24) >= substr(p.value, 1, 24)
        FROM meta e, meta p WHERE e.key = 'tickers_exchange' AND p.key = 'tickers_plain')`,
    );
    this.#write = prepareWrite(db, 'INSERT OR REPLACE INTO entities VALUES (?, ?, ?, ?, ?, ?, ?)');
    this.#remove = prepareWrite(db, 'DELETE FROM entities WHERE cik = ?');
    this.#tickers = new EntityList(db, 'entity_tickers', 'ticker');
    this.#exchanges = new EntityList(db, 'entity_exchanges', 'exchange');
  }

  /** The entity as named in a stored filing's header. Parties without a CIK are not entities. */
  mention(mention: PartyMention): void {
    if (mention.party.cik === null) return;
    const cik = Number(mention.party.cik);
    const facts = this.#read(cik);
    this.#changed.set(cik, { ...facts, header: mergeMention(facts.header, mention) });
  }

  /** SEC's own record of the entity. @returns whether it said anything new */
  submissions(json: SubmissionsJson): boolean {
    if (!json.entity) return false;
    const cik = Number(json.entity.cik);
    const known = this.#read(cik);
    const merged = mergeSubmissions(known, json);
    const isNew = JSON.stringify(merged.submissions) !== JSON.stringify(known.submissions);
    if (isNew) this.#changed.set(cik, merged);
    return isNew;
  }

  /** A filing that named the entity was removed or changed: its header facts are computed again from the other filings. */
  rebuild(cik: number, mentions: Iterable<PartyMention>): void {
    let header: EntityFacts['header'] = null;
    for (const mention of mentions) header = mergeMention(header, mention);
    this.#changed.set(cik, { ...this.#read(cik), header });
  }

  /** The ticker lists changed: the record of a known entity is written again. */
  refresh(cik: number): void {
    const known = this.#stored(cik);
    if (known && !this.#changed.has(cik)) this.#changed.set(cik, known);
  }

  /** Writes what changed. @returns how many entities */
  flush(): number {
    for (const [cik, facts] of this.#changed) this.#store(cik, facts);
    const written = this.#changed.size;
    this.#changed.clear();
    return written;
  }

  #read(cik: number): EntityFacts {
    return this.#changed.get(cik) ?? this.#stored(cik) ?? NO_FACTS;
  }

  #stored(cik: number): EntityFacts | null {
    const row = this.#facts.get(cik) as { facts: string } | undefined;
    return row ? (JSON.parse(row.facts) as EntityFacts) : null;
  }

  #store(cik: number, facts: EntityFacts): void {
    if (!facts.header && !facts.submissions) {
      this.#tickers.set(cik, []);
      this.#exchanges.set(cik, []);
      this.#remove.run(cik);
      return;
    }
    const record = entityRecord(String(cik), facts, this.#listedTickers(cik));
    this.#write.run(
      cik,
      record.name === null ? null : nameKey(record.name),
      record.sic === null ? null : sicKey(record.sic),
      record.state_of_incorporation === null ? null : codeKey(record.state_of_incorporation),
      record.entity_type,
      JSON.stringify(facts),
      JSON.stringify(record),
    );
    this.#tickers.set(cik, record.tickers.map(normalTicker));
    this.#exchanges.set(cik, record.exchanges.filter((exchange) => exchange !== '').map(codeKey));
  }

  /** The tickers of the list with exchanges, then those that only the plain list has. A plain list takes none that the other gives to another, unless it is newer. */
  #listedTickers(cik: number): ListedTicker[] {
    const tickers = new Map<string, ListedTicker>();
    for (const row of this.#listed.all(cik) as unknown as (ListedTicker & { list: string })[]) {
      const key = normalTicker(row.ticker);
      if (!tickers.has(key) && !(row.list === 'plain' && this.#others.get(row.ticker)))
        tickers.set(key, { ticker: row.ticker, exchange: row.exchange });
    }
    return [...tickers.values()];
  }
}

/** Values of entities by which filters find them. Only differences are written: a row that comes or goes makes counts of filings old. */
class EntityList {
  readonly #stored: StatementSync;
  readonly #add: StatementSync;
  readonly #drop: StatementSync;

  constructor(db: DatabaseSync, table: string, column: string) {
    this.#stored = db.prepare(`SELECT ${column} AS value FROM ${table} WHERE cik = ?`);
    this.#add = prepareWrite(db, `INSERT INTO ${table} VALUES (?, ?)`);
    this.#drop = prepareWrite(db, `DELETE FROM ${table} WHERE ${column} = ? AND cik = ?`);
  }

  set(cik: number, values: readonly string[]): void {
    const stored = new Set(this.#stored.all(cik).map(({ value }) => value as string));
    const wanted = new Set(values);
    for (const value of stored.difference(wanted)) this.#drop.run(value, cik);
    for (const value of wanted.difference(stored)) this.#add.run(value, cik);
  }
}

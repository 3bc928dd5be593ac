/** Entities of one transaction: facts are read once, merged in memory, and written with their filter columns at its end. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { normalTicker } from '../api/index.ts';
import type { SubmissionsJson } from '../edgar/index.ts';
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
  readonly #write: StatementSync;
  readonly #remove: StatementSync;
  readonly #dropTickers: StatementSync;
  readonly #dropExchanges: StatementSync;
  readonly #addTicker: StatementSync;
  readonly #addExchange: StatementSync;

  constructor(db: DatabaseSync) {
    this.#facts = db.prepare('SELECT facts FROM entities WHERE cik = ?');
    // The list with exchanges says more, so it comes first.
    this.#listed = db.prepare(
      'SELECT list, ticker, exchange FROM listed_tickers WHERE cik = ? ORDER BY list, position',
    );
    this.#write = prepareWrite(db, 'INSERT OR REPLACE INTO entities VALUES (?, ?, ?, ?, ?, ?, ?)');
    this.#remove = prepareWrite(db, 'DELETE FROM entities WHERE cik = ?');
    this.#dropTickers = prepareWrite(db, 'DELETE FROM entity_tickers WHERE cik = ?');
    this.#dropExchanges = prepareWrite(db, 'DELETE FROM entity_exchanges WHERE cik = ?');
    this.#addTicker = prepareWrite(db, 'INSERT OR IGNORE INTO entity_tickers VALUES (?, ?)');
    this.#addExchange = prepareWrite(db, 'INSERT OR IGNORE INTO entity_exchanges VALUES (?, ?)');
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
    this.#dropTickers.run(cik);
    this.#dropExchanges.run(cik);
    if (!facts.header && !facts.submissions) {
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
    for (const ticker of record.tickers) this.#addTicker.run(normalTicker(ticker), cik);
    for (const exchange of record.exchanges) if (exchange !== '') this.#addExchange.run(codeKey(exchange), cik);
  }

  /** The tickers of the list with exchanges, then those that only the plain list has. */
  #listedTickers(cik: number): ListedTicker[] {
    const tickers = new Map<string, ListedTicker>();
    for (const row of this.#listed.all(cik) as unknown as ListedTicker[]) {
      const key = normalTicker(row.ticker);
      if (!tickers.has(key)) tickers.set(key, { ticker: row.ticker, exchange: row.exchange });
    }
    return [...tickers.values()];
  }
}

/** Entities of one transaction: facts are read once, merged in memory, and written with their filter columns at its end. */
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
import type { Statements } from './statements.ts';

// The list with exchanges says more, so it comes first.
const LISTED = 'SELECT list, ticker, exchange FROM listed_tickers WHERE cik = ? ORDER BY list, position';
const OF_ANOTHER = `SELECT 1 FROM listed_tickers l WHERE list = 'exchange' AND ticker = ? AND (SELECT substr(e.value, 1, 24) >= substr(p.value, 1, 24)
  FROM meta e, meta p WHERE e.key = 'tickers_exchange' AND p.key = 'tickers_plain')`;

export class EntityWriter {
  readonly #changed = new Map<number, EntityFacts>();
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
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
    const row = this.#statements.prepare('SELECT facts FROM entities WHERE cik = ?').get(cik) as
      | { facts: string }
      | undefined;
    return row ? (JSON.parse(row.facts) as EntityFacts) : null;
  }

  #store(cik: number, facts: EntityFacts): void {
    if (!facts.header && !facts.submissions) {
      this.#setLists(cik, [], []);
      this.#statements.write('DELETE FROM entities WHERE cik = ?', cik);
      return;
    }
    const record = entityRecord(String(cik), facts, this.#listedTickers(cik));
    this.#statements.write(
      'INSERT OR REPLACE INTO entities VALUES (?, ?, ?, ?, ?, ?, ?)',
      cik,
      record.name === null ? null : nameKey(record.name),
      record.sic === null ? null : sicKey(record.sic),
      record.state_of_incorporation === null ? null : codeKey(record.state_of_incorporation),
      record.entity_type,
      JSON.stringify(facts),
      JSON.stringify(record),
    );
    const exchanges = record.exchanges.filter((exchange) => exchange !== '');
    this.#setLists(cik, record.tickers.map(normalTicker), exchanges.map(codeKey));
  }

  /** The tickers of the list with exchanges, then those that only the plain list has. A plain list takes none that the other gives to another, unless it is newer. */
  #listedTickers(cik: number): ListedTicker[] {
    const tickers = new Map<string, ListedTicker>();
    for (const row of this.#statements.prepare(LISTED).all(cik) as unknown as (ListedTicker & { list: string })[]) {
      const key = normalTicker(row.ticker);
      if (!tickers.has(key) && !(row.list === 'plain' && this.#statements.prepare(OF_ANOTHER).get(row.ticker)))
        tickers.set(key, { ticker: row.ticker, exchange: row.exchange });
    }
    return [...tickers.values()];
  }

  #setLists(cik: number, tickers: readonly string[], exchanges: readonly string[]): void {
    this.#setList('entity_tickers', 'ticker', cik, tickers);
    this.#setList('entity_exchanges', 'exchange', cik, exchanges);
  }

  /** Values by which filters find an entity. Only differences are written: a row that comes or goes makes counts of filings old. */
  #setList(table: string, column: string, cik: number, values: readonly string[]): void {
    const rows = this.#statements.prepare(`SELECT ${column} AS value FROM ${table} WHERE cik = ?`).all(cik);
    const stored = new Set(rows.map(({ value }) => value as string));
    const wanted = new Set(values);
    for (const value of stored.difference(wanted))
      this.#statements.write(`DELETE FROM ${table} WHERE ${column} = ? AND cik = ?`, value, cik);
    for (const value of wanted.difference(stored))
      this.#statements.write(`INSERT INTO ${table} VALUES (?, ?)`, value, cik);
  }
}

/** Times of acceptance from SEC's submissions JSON, for filings whose header has none: those of daily archives. */
import { createHash } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { readInfo, storeInfo } from './packs/stored-info.ts';
import type { ParsedFiling } from './parse-filing.ts';
import { REVISION_CHARACTERS, revisionIn } from './revision.ts';
import { prepareWrite } from './rows/statements.ts';

const NO_TIME = '"acceptance_datetime":null';

export class Acceptances {
  readonly #of: StatementSync;
  readonly #keep: StatementSync;
  readonly #filing: StatementSync;
  readonly #parties: StatementSync;
  readonly #write: { filing: StatementSync; record: StatementSync; info: StatementSync };

  constructor(db: DatabaseSync) {
    this.#of = db.prepare('SELECT at FROM acceptances WHERE accession = ?');
    this.#keep = prepareWrite(db, 'INSERT OR IGNORE INTO acceptances VALUES (?, ?)');
    this.#filing = db.prepare(
      `SELECT f.id, r.record, i.info FROM filings f JOIN filing_records r ON r.filing = f.id JOIN filing_infos i ON i.filing = f.id
       WHERE f.accession = ? AND f.acceptance IS NULL`,
    );
    this.#parties = db.prepare('SELECT DISTINCT cik FROM filing_parties WHERE filing = ? AND cik IS NOT NULL');
    this.#write = {
      filing: prepareWrite(db, 'UPDATE filings SET acceptance = ? WHERE id = ?'),
      record: prepareWrite(db, 'UPDATE filing_records SET record = ? WHERE filing = ?'),
      info: prepareWrite(db, 'UPDATE filing_infos SET info = ? WHERE filing = ?'),
    };
  }

  /** A parsed filing with the time that SEC states, if its header has none. */
  completed(filing: ParsedFiling): ParsedFiling {
    if (filing.acceptance !== null) return filing;
    const row = this.#of.get(filing.accession) as { at: string } | undefined;
    if (row === undefined) return filing;
    const written = withTime(filing, row.at);
    return { ...filing, ...written, info: storeInfo(written.info), acceptance: row.at };
  }

  /** Keeps times, for stored filings that have none. @returns if any was new; `ciks`: parties of changed filings */
  state(times: ReadonlyMap<string, string>): { isNew: boolean; ciks: Set<number> } {
    let isNew = false;
    const ciks = new Set<number>();
    for (const [accession, at] of times) {
      if (Number(this.#keep.run(accession, at).changes) > 0) isNew = true;
      const row = this.#filing.get(accession) as { id: number; record: string; info: Uint8Array } | undefined;
      if (row === undefined) continue;
      const kept = (this.#of.get(accession) as { at: string }).at;
      const written = withTime({ record: row.record, info: row.info, revision: revisionIn(row.record) }, kept);
      this.#write.filing.run(kept, row.id);
      this.#write.record.run(written.record, row.id);
      this.#write.info.run(storeInfo(written.info), row.id);
      for (const party of this.#parties.all(row.id)) ciks.add(party.cik as number);
    }
    return { isNew: isNew || ciks.size > 0, ciks };
  }
}

/** The answers about a filing with a time, and another revision. Older records have none. */
function withTime(
  { record, info, revision }: { record: string; info: Uint8Array; revision: string | null },
  at: string,
): { record: string; info: string; revision: string } {
  const next = createHash('sha256').update(`${revision} ${at}`).digest('base64url').slice(0, REVISION_CHARACTERS);
  const set = (text: string) => {
    const dated = text.replace(NO_TIME, `"acceptance_datetime":"${at}"`);
    return revision === null ? dated : dated.replace(`"revision":"${revision}"}`, `"revision":"${next}"}`);
  };
  return { record: set(record), info: set(readInfo(info).toString('utf8')), revision: next };
}

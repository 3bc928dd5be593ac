/** Times of acceptance from SEC's submissions JSON, for filings whose header has none: those of daily archives. */
import { createHash } from 'node:crypto';
import { readInfo, storeInfo } from './packs/stored-info.ts';
import type { ParsedFiling } from './parse-filing.ts';
import { REVISION_CHARACTERS, revisionIn } from './revision.ts';
import { PARTIES, type Statements } from './rows/statements.ts';

const NO_TIME = '"acceptance_datetime":null';

const TIME = 'SELECT at FROM acceptances WHERE accession = ?';
const UNDATED = `SELECT f.id, r.record, i.info FROM filings f JOIN filing_records r ON r.filing = f.id JOIN filing_infos i ON i.filing = f.id
  WHERE f.accession = ? AND f.acceptance IS NULL`;

export class Acceptances {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** A parsed filing with the time that SEC states, if its header has none. */
  completed(filing: ParsedFiling): ParsedFiling {
    if (filing.acceptance !== null) return filing;
    const row = this.#statements.prepare(TIME).get(filing.accession) as { at: string } | undefined;
    if (row === undefined) return filing;
    const written = withTime(filing, row.at);
    return { ...filing, ...written, info: storeInfo(written.info), acceptance: row.at };
  }

  /** Keeps times, for stored filings that have none. @returns if any was new; `ciks`: parties of changed filings */
  state(times: ReadonlyMap<string, string>): { isNew: boolean; ciks: Set<number> } {
    const statements = this.#statements;
    let isNew = false;
    const ciks = new Set<number>();
    for (const [accession, at] of times) {
      const { changes } = statements.write('INSERT OR IGNORE INTO acceptances VALUES (?, ?)', accession, at);
      if (Number(changes) > 0) isNew = true;
      const row = statements.prepare(UNDATED).get(accession) as
        | { id: number; record: string; info: Uint8Array }
        | undefined;
      if (row === undefined) continue;
      const kept = (statements.prepare(TIME).get(accession) as { at: string }).at;
      const written = withTime({ record: row.record, info: row.info, revision: revisionIn(row.record) }, kept);
      statements.write('UPDATE filings SET acceptance = ? WHERE id = ?', kept, row.id);
      statements.write('UPDATE filing_records SET record = ? WHERE filing = ?', written.record, row.id);
      statements.write('UPDATE filing_infos SET info = ? WHERE filing = ?', storeInfo(written.info), row.id);
      for (const party of statements.prepare(PARTIES).all(row.id)) ciks.add(party.cik as number);
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

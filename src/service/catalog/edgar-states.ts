/** What EDGAR says of filings later: asked for, corrected, withdrawn. It outlasts another ingest of the same file. */
import { createHash } from 'node:crypto';
import { type EdgarState, NO_STATE, readInfo, storeInfo } from './packs/stored-info.ts';
import type { ParsedFiling } from './parse-filing.ts';
import { REVISION_CHARACTERS } from './revision.ts';
import type { Statements } from './rows/statements.ts';

/** What was learned of filings, stored or not. */
export interface EdgarNews {
  /** All that EDGAR has withdrawn, and when that was seen */
  withdrawn?: ReadonlyMap<string, string>;
  /** Those whose submission EDGAR was asked for, without another content */
  checked?: { accessions: Iterable<string>; at: string };
}

/** The end of a record of `filing_info`, as it is stored. Records of older catalogs have no times. */
const END = new RegExp(
  `(?:${Object.keys(NO_STATE)
    .map((name) => `,"${name}":(?:null|"[^"]*")`)
    .join('')})?(,"revision":"[^"]*")?\\}$`,
);

const STORED = `SELECT f.id, r.record, i.info FROM filings f JOIN filing_records r ON r.filing = f.id JOIN filing_infos i ON i.filing = f.id
  WHERE f.accession = ?`;

export class EdgarStates {
  readonly #statements: Statements;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** A parsed filing with its state. @param news what its ingest adds */
  completed(filing: ParsedFiling, news: Partial<EdgarState>): ParsedFiling {
    const known = this.#known(filing.accession);
    if (known === null && Object.keys(news).length === 0) return filing;
    const state = { ...(known ?? NO_STATE), ...news };
    const revision = revisionAfter(filing.revision, null, state.withdrawn_at);
    const info = withState(readInfo(filing.info).toString('utf8'), state, revision);
    return { ...filing, revision, record: withNewRevision(filing.record, revision), info: storeInfo(info) };
  }

  keep(accession: string, news: Partial<EdgarState>): void {
    const { withdrawn_at, corrected_at, checked_at } = { ...(this.#known(accession) ?? NO_STATE), ...news };
    const values = [accession, withdrawn_at, corrected_at, checked_at];
    this.#statements.write('INSERT OR REPLACE INTO edgar_states VALUES (?, ?, ?, ?)', ...values);
  }

  /** Writes the state of a stored filing; that of another waits for its ingest. */
  state(accession: string, news: Partial<EdgarState>): void {
    const before = this.#known(accession) ?? NO_STATE;
    this.keep(accession, news);
    const row = this.#statements.prepare(STORED).get(accession) as
      | { id: number; record: string; info: Uint8Array }
      | undefined;
    if (row === undefined) return;
    const info = readInfo(row.info).toString('utf8');
    const state = { ...before, ...news };
    const now = (JSON.parse(row.record) as { revision?: string }).revision;
    // A record of an older catalog has none.
    const revision = now === undefined ? null : revisionAfter(now, before.withdrawn_at, state.withdrawn_at);
    const written = storeInfo(withState(info, state, revision));
    this.#statements.write('UPDATE filing_infos SET info = ? WHERE filing = ?', written, row.id);
    if (revision === null || revision === now) return;
    const record = withNewRevision(row.record, revision);
    this.#statements.write('UPDATE filing_records SET record = ? WHERE filing = ?', record, row.id);
  }

  /** Writes which filings EDGAR has withdrawn: these, and no others. */
  stateWithdrawn(times: ReadonlyMap<string, string>): void {
    const marked = this.#statements
      .prepare('SELECT accession, withdrawn_at AS at FROM edgar_states WHERE withdrawn_at IS NOT NULL')
      .all() as { accession: string; at: string }[];
    const before = new Map(marked.map(({ accession, at }) => [accession, at]));
    for (const accession of before.keys()) if (!times.has(accession)) this.state(accession, { withdrawn_at: null });
    for (const [accession, at] of times) if (before.get(accession) !== at) this.state(accession, { withdrawn_at: at });
  }

  #known(accession: string): EdgarState | null {
    const sql = 'SELECT withdrawn_at, corrected_at, checked_at FROM edgar_states WHERE accession = ?';
    return (this.#statements.prepare(sql).get(accession) as unknown as EdgarState | undefined) ?? null;
  }
}

/** A correction has other content, and so another revision. A mere check has none: else each would cost every export a request. */
function revisionAfter(revision: string, withdrawnBefore: string | null, withdrawn: string | null): string {
  if (withdrawnBefore === withdrawn) return revision;
  const hash = createHash('sha256').update(`${revision} withdrawn ${withdrawn}`);
  return hash.digest('base64url').slice(0, REVISION_CHARACTERS);
}

function withState(info: string, state: EdgarState, revision: string | null): string {
  const { withdrawn_at, corrected_at, checked_at } = state;
  const times = JSON.stringify({ withdrawn_at, corrected_at, checked_at }).slice(1, -1);
  const last = revision === null ? '' : `,"revision":"${revision}"`;
  return info.replace(END, `,${times}${last}}`);
}

const withNewRevision = (record: string, revision: string): string =>
  record.replace(/"revision":"[^"]*"\}$/, `"revision":"${revision}"}`);

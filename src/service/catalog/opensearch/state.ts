/** How far an index has followed its catalog: a document of the index itself. */
import { FilinglakeError } from '../../../core/index.ts';
import type { Statements } from '../rows/statements.ts';
import { type TextState, textState, wasInState } from '../rows/text-changes.ts';
import { type Answer, type Call, reasonIn } from './client.ts';

/** Raised when the documents of an index are made in another way: then it must be filled again. */
export const INDEX_FORMAT = 1;
const STATE_PATH = '/_doc/state';

export interface IndexState {
  format: number;
  /** Random, of one filling */
  fill: string;
  /** All documents are as in this state of the catalog, but those that changed after it */
  at: TextState;
  /** The newest state of the catalog of which any document may already be in the index */
  to: TextState;
  /** The index has documents with ids up to this one only; null: all */
  filled: number | null;
}

/** The state, and what a write must name so that no other writer comes between. */
export interface StoredState {
  state: IndexState;
  seqNo: number;
  term: number;
}

export const READ_STATE: Call = { method: 'GET', path: STATE_PATH };

/** @param before null: it is the first */
export function writeState(state: IndexState, before: StoredState | null): Call {
  const condition = before === null ? 'op_type=create' : `if_seq_no=${before.seqNo}&if_primary_term=${before.term}`;
  return { method: 'PUT', path: `${STATE_PATH}?${condition}`, body: JSON.stringify({ state }) };
}

/** @returns null: there is no index, or it has no state */
export function stateIn({ status, body }: Answer): StoredState | null {
  if (status === 404) return null;
  const { _source, _seq_no, _primary_term } = body as {
    _source: { state: IndexState };
    _seq_no: number;
    _primary_term: number;
  };
  return { state: _source.state, seqNo: _seq_no, term: _primary_term };
}

/** @returns the state of a whole index of this catalog @throws FilinglakeError `fulltext-index-unfit` */
export function usableState(answer: Answer, statements: Statements, name: string): IndexState {
  const stored = stateIn(answer);
  if (stored === null) throw foreign(`there is no index of filinglake at ${name}`, FILL);
  const { state } = stored;
  if (state.format !== INDEX_FORMAT)
    throw foreign(`another version of filinglake filled the index at ${name}`, FILL_AGAIN);
  const { at, to } = state;
  const change = textState(statements)?.change ?? 0;
  // A catalog that was restored from a copy may have come as far as the index on another way.
  if (!wasInState(statements, at) || (to.change <= change && !wasInState(statements, to))) throw ofAnother(name);
  if (state.filled !== null)
    throw new FilinglakeError('fulltext-index-unfit', `the index at ${name} is not filled to its end`);
  return state;
}

const FILL = 'Run `filinglake catalog index` with this catalog and this address.';
const FILL_AGAIN = 'Run `filinglake catalog index --refill` with this catalog and this address, or name another index.';

/** The index is of another catalog, or of what a catalog was before it was restored. */
export function ofAnother(name: string): FilinglakeError {
  return foreign(`the index at ${name} is of another catalog, or of another state of it`, FILL_AGAIN);
}

function foreign(message: string, remedy: string): FilinglakeError {
  return new FilinglakeError('fulltext-index-unfit', message, { remedy });
}

/** The body of an answer that must have come through. @throws FilinglakeError `fulltext-engine-unreachable` */
export function accepted({ status, body }: Answer, what: string): unknown {
  if (status < 300) return body;
  throw new FilinglakeError(
    'fulltext-engine-unreachable',
    `OpenSearch refuses ${what} (${status}): ${reasonIn(JSON.stringify(body))}`,
  );
}

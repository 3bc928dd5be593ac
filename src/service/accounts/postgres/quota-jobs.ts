/** What requests wait for while the database counts them. */
import type { Admission, CountedAnswer, CountedRequest, KnownKey, UsageTicket } from '../keys/admission.ts';
import type { KeyRow } from '../keys/known-keys.ts';
import type { UsedOfMonth } from '../keys/quotas.ts';
import type { Deltas } from './deltas.ts';
import type { Taken } from './unwritten.ts';

interface Waiting<Result> {
  /** By performance.now(): then it fails */
  until: number;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
  /** Its caller has got an error */
  isOver?: boolean;
  /** What its last transaction counted */
  delta?: Deltas;
}
export type CountJob = Waiting<(Admission | null)[]> & {
  kind: 'count';
  requests: readonly CountedRequest[];
  now: Date;
};
export type SettleJob = Waiting<UsedOfMonth> & { kind: 'settle'; ticket: UsageTicket; answer: CountedAnswer };
export type FindJob = Waiting<(KeyRow | null)[]> & { kind: 'find'; apiKeys: readonly string[] };
export type WriteJob = Waiting<void> & { kind: 'write' };
export type Job = CountJob | SettleJob | FindJob | WriteJob;

/** A transaction whose COMMIT got no answer. */
export interface Doubt {
  batch: number;
  jobs: readonly Job[];
  finish: () => void;
  taken: Taken;
}

export function isGivenBack(job: Job): job is SettleJob {
  return job.kind === 'settle' && !job.answer.counted;
}

export function apiKeysOf(job: Job): readonly string[] {
  if (job.kind === 'find') return job.apiKeys;
  return job.kind === 'count' ? job.requests.map(({ apiKey }) => apiKey) : [];
}

export function keysOf(apiKeys: readonly string[], keys: ReadonlyMap<string, KeyRow>): (KeyRow | null)[] {
  return apiKeys.map((apiKey) => keys.get(apiKey) ?? null);
}

export function knownKey(row: KeyRow | null): KnownKey | null {
  return row && { prefix: row.prefix, closed: row.closed_at !== null };
}

/** A request of a key, from its admission to its count. */

/** The limits of a key in a month, and its usage. null: no limit. */
export interface QuotaState {
  plan: string;
  requestsPerMonth: number | null;
  requestsUsed: number;
  bytesPerMonth: number | null;
  bytesUsed: number;
  /** Seconds of reader threads */
  workSecondsPerMonth: number | null;
  workSecondsUsed: number;
  /** First instant of the next calendar month, UTC */
  resetAt: Date;
}

export type QuotaLimit = 'requests' | 'bytes' | 'work' | 'rate';

/** Names one admitted request until it is settled. */
export interface UsageTicket {
  /** The meter of its key */
  readonly keyId: number;
  readonly month: string;
  /** `YYYY-MM-DD`, UTC */
  readonly day: string;
  /** The plan has no limit: the request is counted when it is settled, in a batch */
  readonly unlimited: boolean;
}

export interface CountedAnswer {
  counted: boolean;
  bytes: number;
  /** Operation for the usage by day; absent: unknown */
  operation?: string;
}

/** A request to admit. If its answer is at hand, the answer is counted with it, and nothing is left to settle. */
export interface CountedRequest {
  apiKey: string;
  answer?: { bytes: number; operation: string };
}

/** The state of a key, read without counting a request. */
export interface KnownKey {
  prefix: string;
  closed: boolean;
}

export type Admission =
  /** No such key, or it was revoked: 401. */
  | { outcome: 'unknown' }
  /** The account was closed: 403. */
  | { outcome: 'closed' }
  /** The month's requests, bytes or work are used up, or too many requests came in this second: 429. */
  | { outcome: 'refused'; limit: QuotaLimit; quota: QuotaState }
  | { outcome: 'admitted'; ticket: UsageTicket; quota: QuotaState };

/** Usage in a month or on a day. */
export interface UsageRow {
  requests: number;
  bytes: number;
}

/** Keys and quotas for a service, whatever database has them. With `accounts.db` nothing is a promise. */
import type { Admission, CountedAnswer, CountedRequest, KnownKey, QuotaState, UsageTicket } from './admission.ts';
import type { MonthUsage } from './usage-days.ts';

type Maybe<T> = T | Promise<T>;

export interface KeyUsage {
  quota: QuotaState;
  usage: MonthUsage;
}

export interface UsedOfMonth {
  requestsUsed: number;
  bytesUsed: number;
}

export interface Quotas {
  /** Each of the keys; null: unknown or revoked. Counts no request, and never waits for a lock. A promise: they are looked up elsewhere. */
  find(apiKeys: readonly string[]): Maybe<(KnownKey | null)[]>;
  admit(apiKey: string | undefined, now: Date): Maybe<Admission>;
  /** Admits requests and counts them, all or none. Null: the plan of its key is unknown. */
  count(requests: readonly CountedRequest[], now: Date): Maybe<(Admission | null)[]>;
  settle(ticket: UsageTicket, answer: CountedAnswer): Maybe<UsedOfMonth>;
  addWork(ticket: UsageTicket, ms: number): void;
  writeBatch(): Maybe<void>;
  usage(apiKey: string, now: Date, month?: string): Maybe<KeyUsage | null>;
  /** By the clock of the accounts, which all servers share. Other methods take such a time. */
  timeOf(now: Date): Date;
  missingPlans(): Maybe<string[]>;
  close(): Maybe<void>;
}

/** Checks the key of a request, counts the request, and states the remaining quota (docs/api.md#quotas). */
import type { OperationName } from '../../filings/api/index.ts';
import type { KnownKey, QuotaLimit, QuotaState, UsageTicket } from '../accounts/index.ts';
import { ServiceProblem } from '../answers/problem.ts';
import type { AccountBook } from './account-book.ts';
import { quotaHeaders, secondsUntil } from './quota-headers.ts';

/** Statuses that count against the month. */
const COUNTED: ReadonlySet<number> = new Set([200, 304, 404, 422]);

interface Admitted {
  /** Counts the answer, or returns the request if its status doesn't count; once. @returns the quota headers */
  settle(status: number, bytes: number): Promise<Record<string, string>> | Record<string, string>;
  /** Counts thread time, whatever becomes of the request */
  addWork(ms: number): void;
}

/** The key's account, before anything is counted. @throws ServiceProblem 401, 403, 503 */
export async function requireKnownKey(accounts: AccountBook, apiKey: string | undefined): Promise<KnownKey> {
  const [known] = apiKey === undefined ? [] : await accounts.find([apiKey]);
  if (!known) throw new ServiceProblem(401, 'Invalid or missing API key');
  if (known.closed) throw new ServiceProblem(403, 'this account is closed');
  return known;
}

interface AdmittedRequest {
  operation: OperationName;
  /** The answer, if it is at hand: it is counted with its request, and nothing is left to settle */
  answer: { counted: number } | null;
  onRefused: (limit: QuotaLimit) => void;
}

/** @throws ServiceProblem 401, 403, 429, 503 */
export async function admit(
  parts: { accounts: AccountBook; pricingUrl: string; now: () => Date },
  apiKey: string,
  { operation, answer, onRefused }: AdmittedRequest,
): Promise<Admitted> {
  const { accounts } = parts;
  const now = parts.now();
  const admission =
    answer === null
      ? await accounts.admit(apiKey, now)
      : await accounts.count({ apiKey, answer: { bytes: answer.counted, operation } }, now);
  switch (admission.outcome) {
    case 'unknown':
      throw new ServiceProblem(401, 'Invalid or missing API key');
    case 'closed':
      throw new ServiceProblem(403, 'this account is closed');
    case 'refused':
      onRefused(admission.limit);
      throw new ServiceProblem(429, refusal(admission.limit, admission.quota, parts.pricingUrl), {
        headers: {
          ...quotaHeaders(admission.quota, now),
          'retry-after': admission.limit === 'rate' ? '1' : String(secondsUntil(admission.quota.resetAt, now)),
        },
      });
    case 'admitted':
      return answer === null
        ? admitted(accounts, admission.ticket, admission.quota, now, operation)
        : { settle: () => quotaHeaders(admission.quota, now), addWork: () => {} };
  }
}

function admitted(
  accounts: AccountBook,
  ticket: UsageTicket,
  quota: QuotaState,
  now: Date,
  operation: OperationName,
): Admitted {
  let headers: Record<string, string> | null = null;
  const headersOf = (used: { requestsUsed: number; bytesUsed: number }) => {
    headers = quotaHeaders({ ...quota, ...used }, now);
    return headers;
  };
  return {
    addWork: (ms) => accounts.addWork(ticket, ms),
    settle(status, bytes) {
      if (headers) return headers;
      const used = accounts.settle(ticket, { counted: COUNTED.has(status), bytes, operation });
      return used instanceof Promise ? used.then(headersOf) : headersOf(used);
    },
  };
}

function refusal(limit: QuotaLimit, quota: QuotaState, pricingUrl: string): string {
  if (limit === 'rate') return `Too many requests a second for the plan '${quota.plan}'. Plans: ${pricingUrl}`;
  const reset = quota.resetAt.toISOString().replace('.000Z', 'Z');
  const what =
    limit === 'requests'
      ? `Monthly request limit exceeded: the plan '${quota.plan}' has ${quota.requestsPerMonth} requests a month`
      : limit === 'bytes'
        ? `Monthly bandwidth limit exceeded: the plan '${quota.plan}' has ${quota.bytesPerMonth} bytes a month`
        : `Monthly work limit exceeded: the plan '${quota.plan}' has ${quota.workSecondsPerMonth} seconds of work a month`;
  return `${what}, and resets at ${reset}. Plans: ${pricingUrl}`;
}

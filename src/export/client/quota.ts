/** Quota and waiting times in an answer's headers. */

export interface QuotaState {
  /** The month's allowance, if the policy header states it */
  limit: number | null;
  remaining: number;
  /** Seconds to the reset, if stated */
  resetSeconds: number | null;
}

/** null members: the plan has no such limit, or the service doesn't state it. */
export interface Quota {
  requests: QuotaState | null;
  bytes: QuotaState | null;
}

/** A month's quota returns within a month: a longer wait is cut to this, and then the client tries again. */
const WAIT_SECONDS_MAX = 62 * 86_400;

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

export function headerText(headers: Headers, name: string): string | null {
  const value = headers[name];
  if (value === undefined) return null;
  return Array.isArray(value) ? value.join(', ') : value;
}

/** Reads `RateLimit-Policy: "requests";q=100;w=month` and `RateLimit: "requests";r=93;t=861231` (both lists); null without them. */
export function readQuota(headers: Headers): Quota | null {
  const state = headerText(headers, 'ratelimit');
  if (state === null) return null;
  const policy = headerText(headers, 'ratelimit-policy') ?? '';
  const limits = items(policy);
  const states = items(state);
  const quotaOf = (name: string): QuotaState | null => {
    const remaining = states.get(name)?.get('r');
    if (remaining === undefined) return null;
    return {
      limit: limits.get(name)?.get('q') ?? null,
      remaining,
      resetSeconds: clamped(states.get(name)?.get('t') ?? null),
    };
  };
  return { requests: quotaOf('requests'), bytes: quotaOf('bytes') };
}

/** `"requests";r=93;t=861231, "bytes";…` as name -> parameter -> number; others (`w=month`) are left out. */
function items(header: string): Map<string, Map<string, number>> {
  const found = new Map<string, Map<string, number>>();
  for (const item of header.split(',')) {
    const [name, ...parameters] = item.split(';').map((part) => part.trim());
    const values = new Map<string, number>();
    for (const parameter of parameters) {
      const match = /^([a-z]+)=(\d+)$/.exec(parameter);
      const value = Number(match?.[2]);
      // More digits than a number can hold: the wait is long, and nothing more is known.
      if (match && (Number.isSafeInteger(value) || match[1] === 't')) values.set(match[1]!, value);
    }
    found.set((name ?? '').replaceAll('"', ''), values);
  }
  return found;
}

/**
 * `Retry-After` in milliseconds from now, 62 days at most: seconds or an HTTP date; null if absent or unreadable.
 * @param now our clock, if the answer has no date of its own: the service's clock may differ by hours
 */
export function retryAfterMs(headers: Headers, now: Date): number | null {
  const text = headerText(headers, 'retry-after')?.trim();
  if (!text) return null;
  if (/^\d+(\.\d+)?$/.test(text)) return clamped(Number(text)) * 1_000;
  const at = httpDate(text);
  if (at === null) return null;
  const itsNow = httpDate(headerText(headers, 'date') ?? '') ?? now.getTime();
  return clamped((at - itsNow) / 1_000) * 1_000;
}

function clamped<Seconds extends number | null>(seconds: Seconds): Seconds {
  return (seconds === null ? null : Math.min(Math.max(0, seconds), WAIT_SECONDS_MAX)) as Seconds;
}

/** Milliseconds; null for anything but a date with a time. Date.parse takes `5, 10` for a day in May. */
function httpDate(text: string): number | null {
  const at = /\d\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

/** Midnight UTC at the start of the month after `now`: the assumed reset of a monthly quota without `Retry-After`. */
export function firstOfNextMonth(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
}

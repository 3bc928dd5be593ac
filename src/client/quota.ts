/** What an answer's headers say about quota and waiting. */

export interface QuotaState {
  /** The month's allowance, where the policy header states it */
  limit: number | null;
  remaining: number;
  /** Seconds to the reset, where stated */
  resetSeconds: number | null;
}

/** null members: the plan has no such limit, or the service doesn't say. */
export interface Quota {
  requests: QuotaState | null;
  bytes: QuotaState | null;
}

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
      resetSeconds: states.get(name)?.get('t') ?? null,
    };
  };
  return { requests: quotaOf('requests'), bytes: quotaOf('bytes') };
}

/** `"requests";r=93;t=861231, "bytes";…` as name -> parameter -> number; parameters that are no numbers (`w=month`) are left out. */
function items(header: string): Map<string, Map<string, number>> {
  const found = new Map<string, Map<string, number>>();
  for (const item of header.split(',')) {
    const [name, ...parameters] = item.split(';').map((part) => part.trim());
    const values = new Map<string, number>();
    for (const parameter of parameters) {
      const match = /^([a-z]+)=(\d+)$/.exec(parameter);
      if (match) values.set(match[1]!, Number(match[2]));
    }
    found.set((name ?? '').replaceAll('"', ''), values);
  }
  return found;
}

/**
 * `Retry-After` in milliseconds from now: seconds or an HTTP date; null where absent or unreadable.
 * @param now our clock, where the answer doesn't say its own: a date is one of the service's clock, which may be hours from ours
 */
export function retryAfterMs(headers: Headers, now: Date): number | null {
  const text = headerText(headers, 'retry-after')?.trim();
  if (!text) return null;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1_000;
  const at = Date.parse(text);
  if (Number.isNaN(at)) return null;
  const itsNow = Date.parse(headerText(headers, 'date') ?? '');
  return Math.max(0, at - (Number.isNaN(itsNow) ? now.getTime() : itsNow));
}

/** Midnight UTC at the start of the month after `now`: when a monthly quota without `Retry-After` is taken to return. */
export function firstOfNextMonth(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
}

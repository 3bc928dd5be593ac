/** What counts against the month of a key, and how a used-up month is answered. */
import { type Check, type CheckContext, expectStatus, firstFault, may, must, need, Skipped } from '../check.ts';
import { publishedError, typeFault } from '../published-types.ts';
import type { WireAnswer } from '../wire.ts';

/** `RateLimit: "requests";r=93;t=861231, …`: requests left; null: no such header, or no limit. */
function requestsLeft({ headers }: WireAnswer): number | null {
  const [, left] = /"requests";r=(\d+)/.exec(String(headers.ratelimit ?? '')) ?? [];
  return left === undefined ? null : Number(left);
}

/** How far RateLimit goes down from one look-up to the next, with `ask` between them. @throws Skipped if it is not stated */
async function loweredBy(context: CheckContext, ask: () => Promise<WireAnswer>): Promise<number> {
  const left = async () => {
    const answer = await context.wire.ask('filing_lookup', { from: 0, to: 0 });
    return need(requestsLeft(answer), 'RateLimit header with a limit of requests for this key');
  };
  const before = await left();
  await ask();
  return before - (await left());
}

function spent({ spentWire }: CheckContext) {
  if (spentWire === null) throw new Skipped('--spent-key names no key whose month is used up');
  return spentWire;
}

export const QUOTA_CHECKS: readonly Check[] = [
  may('quota.counts', 'an answer counts one request of the month', async (context) => {
    const lowered = await loweredBy(context, () => context.wire.ask('filing_lookup', { to: 1 }));
    return lowered === 2 ? null : `two answers lower RateLimit by ${lowered}`;
  }),
  may('quota.refused-is-free', 'a request that is refused with 400 or 401 counts nothing', async (context) => {
    const lowered = await loweredBy(context, async () => {
      await context.wire.ask('filing_info', {}, { key: 'none' });
      return context.wire.ask('filing_info');
    });
    return lowered === 1 ? null : `one answer and two refusals lower RateLimit by ${lowered}`;
  }),
  may('quota.usage', '/v2/usage states the month of the key, and counts nothing', async (context) => {
    const answer = await context.wire.ask('usage');
    const fault = expectStatus(answer, 200);
    if (fault !== null) return fault;
    const { requests, month } = (answer.json ?? {}) as { requests?: unknown; month?: unknown };
    if (typeof requests !== 'number' || typeof month !== 'string') return 'requests or month is missing';
    const again = (await context.wire.ask('usage')).json as { requests?: unknown };
    return again.requests === requests ? null : `requests is ${requests}, then ${again.requests}`;
  }),
  must('quota.spent', 'a key whose month is used up is answered 429, with {"error": message}', async (context) => {
    const answer = await spent(context).ask('filing_lookup', { to: 1 });
    return firstFault(expectStatus(answer, 429), typeFault(publishedError, answer.json));
  }),
  must('quota.spent-message', 'the message of 429 names the limit, and links to the plans', async (context) => {
    const { text } = await spent(context).ask('filing_lookup', { to: 1 });
    if (!/request|bandwidth|byte/i.test(text)) return `the message names no limit: ${text.slice(0, 200)}`;
    return /https?:\/\//.test(text) ? null : `the message has no link: ${text.slice(0, 200)}`;
  }),
  may('quota.spent-retry-after', '429 has Retry-After, in seconds', async (context) => {
    const { headers } = await spent(context).ask('filing_lookup', { to: 1 });
    const value = headers['retry-after'];
    return /^\d+$/.test(String(value)) ? null : value === undefined ? 'there is no Retry-After' : `it is '${value}'`;
  }),
];

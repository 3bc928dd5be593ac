/** /v2/usage: docs/api.md#usage. Counts nothing, so that a key whose month is used up can ask why. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { USAGE, type Usage } from '../../filings/api/index.ts';
import { JSON_TYPE } from '../answers/outcome.ts';
import { ServiceProblem } from '../answers/problem.ts';
import { readValues } from '../requests/parameters.ts';
import type { AccountBook, UsageBook } from './account-book.ts';
import { readKeyedRequest } from './operation-route.ts';
import { quotaHeaders } from './quota-headers.ts';

export function usageRoute(book: UsageBook, { accounts, now }: { accounts: AccountBook; now: () => Date }) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { key, query, body } = await readKeyedRequest(request, accounts);
    const { month } = readValues(USAGE.parameters, query, body);
    const found = await book.usage(key, now(), month);
    if (found === null) throw new ServiceProblem(401, 'Invalid or missing API key');
    const { quota, usage } = found;
    const answer: Usage = {
      month: usage.month,
      plan: quota.plan,
      requests: usage.requests,
      bytes: usage.bytes,
      requests_per_month: quota.requestsPerMonth,
      bytes_per_month: quota.bytesPerMonth,
      work_seconds: usage.work_seconds,
      work_seconds_per_month: quota.workSecondsPerMonth,
      resets_at: quota.resetAt.toISOString().replace('.000Z', 'Z'),
      days: usage.days,
    };
    const headers = { 'cache-control': 'no-store', vary: 'Accept, Accept-Encoding', ...quotaHeaders(quota, now()) };
    return reply
      .code(200)
      .headers(headers)
      .type(JSON_TYPE)
      .send(Buffer.from(JSON.stringify(answer)));
  };
}

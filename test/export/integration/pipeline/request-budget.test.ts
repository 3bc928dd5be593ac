import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { BudgetReachedError, RecordNotFoundError, RequestCounter } from '../../../../src/export/client/index.ts';
import type { BudgetPort } from '../../../../src/export/pipeline/index.ts';
import { RequestBudget } from '../../../../src/export/pipeline/worker/request-budget.ts';
import { serve } from '../../../support/local-server.ts';
import { accessionNumber, definitionOf } from '../../../support/pipeline/activity-harness.ts';
import { BudgetAlone } from '../../../support/pipeline/budget-alone.ts';

describe('a batch that is fetched again after the service was away', () => {
  it('counts against the budget each time, though it has the name and the attempt of the first', async () => {
    const budget = new BudgetAlone();
    const service = await serve((_, response) => response.writeHead(404).end('{"error":"filing was not found"}'));
    const more = `budget: { max_requests: 25 }\nservice: { base_url: "${service.url}" }`;
    const definition = definitionOf('again', 'filings', more);
    const run = { run_id: 'r', workflow_id: 'w', lake: '/', definition };
    let sent = 0;
    for (let execution = 0; execution < 6; execution++) {
      const requests = new RequestCounter();
      const requestBudget = new RequestBudget({
        run,
        budget: budget as unknown as BudgetPort,
        requests,
        holder: 'batch-w-1/1',
        expected: 10,
      });
      const reached = { apiKey: 'key', addressOf: (url: string) => Promise.resolve(url) };
      const client = await requestBudget.client(reached, new AbortController().signal);
      for (let i = 0; i < 10; i++) {
        await client.filingInfo(accessionNumber(i)).catch((error: unknown) => {
          if (!(error instanceof RecordNotFoundError) && !(error instanceof BudgetReachedError)) throw error;
        });
      }
      sent += requests.own.requests;
      await requestBudget.settle();
      await client.close();
    }
    await service.close();
    expect(sent).toBe(25);
    expect(budget.spent).toBe(25);
  });
});

describe('connections that wait for the first answer', () => {
  it('continue if its bytes can not be counted on disk', async () => {
    const service = await serve((_, response) => response.writeHead(404).end('{"error":"filing was not found"}'));
    const definition = definitionOf('t', 'filings', `service: { base_url: "${service.url}", connections: 2 }`);
    const requests = new RequestCounter();
    let refusals = 1;
    requests.alsoTo(({ bytes }) => {
      if (bytes > 0 && refusals-- > 0) throw new Error('the disk refuses');
    });
    const requestBudget = new RequestBudget({
      run: { run_id: 'r', workflow_id: 'w', lake: '/', definition },
      holder: 'batch-w-1/1',
      expected: 10,
      budget: new BudgetAlone() as unknown as BudgetPort,
      requests,
    });
    const reached = { apiKey: 'key', addressOf: (url: string) => Promise.resolve(url) };
    const client = await requestBudget.client(reached, new AbortController().signal);
    const answers = await Promise.allSettled([1, 2].map((n) => client.filingInfo(accessionNumber(n))));
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(refusals).toBeLessThan(1);
    await client.close();
    await service.close();
  });
});

describe('the first requests of an activity', () => {
  /** The most in flight before the first answer. */
  async function firstOf(is_plenty: boolean): Promise<number> {
    let [inFlight, most] = [0, 0];
    const service = await serve(async (_, response) => {
      most = Math.max(most, ++inFlight);
      // Whatever the load: the four come, or only one does.
      for (const until = Date.now() + (is_plenty ? 20_000 : 200); most < 4 && Date.now() < until; ) await sleep(5);
      response.writeHead(404).end('{"error":"filing was not found"}');
      inFlight = Number.NEGATIVE_INFINITY;
    });
    const definition = definitionOf('t', 'filings', `service: { base_url: "${service.url}", connections: 4 }`);
    const budget = {
      reserve: async () => ({ granted: 10, retry_at: null, reason: null, ...(is_plenty ? { is_plenty } : {}) }),
      settle: async () => {},
    };
    const requestBudget = new RequestBudget({
      run: { run_id: 'r', workflow_id: 'w', lake: '/', definition },
      holder: 'batch-w-1/1',
      expected: 10,
      budget: budget as unknown as BudgetPort,
      requests: new RequestCounter(),
    });
    const reached = { apiKey: 'key', addressOf: (url: string) => Promise.resolve(url) };
    const client = await requestBudget.client(reached, new AbortController().signal);
    await Promise.allSettled([1, 2, 3, 4].map((n) => client.filingInfo(accessionNumber(n))));
    await client.close();
    await service.close();
    return most;
  }

  it('are sent together if plenty of the quota is known to be left, else one goes alone', async () => {
    expect([await firstOf(true), await firstOf(false)]).toEqual([4, 1]);
  });
});

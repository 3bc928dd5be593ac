/** The health of a worker, as a probe of Kubernetes reads it. */
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { metricsText, serveMetrics } from '../../../src/cli/terminal/export-metrics.ts';

it('is 200, and 503 with the reason while the worker can not use a lake', async () => {
  const problems: object[] = [];
  const server = await serveMetrics(
    { host: '127.0.0.1', port: 0 },
    () => metricsText(null, 0),
    () => problems,
  );
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const well = await fetch(`${url}/healthz`);
  expect([well.status, await well.json()]).toEqual([200, { problems: [] }]);
  problems.push({ lake: 's3://a/b', message: 'the store refuses: ExpiredToken', since: '2026-11-21T00:00:00.000Z' });
  const unwell = await fetch(`${url}/healthz`);
  expect([unwell.status, await unwell.json()]).toEqual([503, { problems }]);
  expect((await fetch(`${url}/metrics`)).status).toBe(200);
  server.closeAllConnections();
  server.close();
});

/** The health of a worker, as a probe of Kubernetes reads it; its metrics, beside the board and the rules that use them. */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { metricsText, serveMetrics } from '../../../src/cli/terminal/export-metrics.ts';
import type { Look } from '../../../src/cli/terminal/schedule-watch.ts';
import { newProgress } from '../../../src/export/run/index.ts';

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

it('shows every series that the board and the rules of exports name', () => {
  const operations = resolve(import.meta.dirname, '../../../config/operations');
  const read = (name: string) => readFileSync(resolve(operations, name), 'utf8');
  const { panels } = JSON.parse(read('grafana-exports.json')) as {
    panels: { id: number; targets: { expr: string; legendFormat: string }[] }[];
  };
  const { groups } = parse(read('export-alerts.yaml')) as { groups: { rules: { alert: string; expr: string }[] }[] };
  const rules = groups.flatMap((group) => group.rules);
  const time = '2026-11-21T00:00:00.000Z';
  const progress = { ...newProgress(time), waiting_until: time, last_commit: { version: 3, at: time } };
  const of = { name: 'a', lake: 's3://a/b' };
  const run = { ...of, state: 'running', ended_at: null, progress, worker: { answers: true } };
  const ended = { ...of, state: 'completed', ended_at: time, progress, worker: null };
  const look = {
    at: 0,
    runs: [run, ended],
    committed: new Map([[of.lake, time]]),
    notices_failed: 0,
    schedules: [{ schedule: { ...of, state: 'active' }, condition: { kind: 'well' } }],
  } as unknown as Look;
  const lines = metricsText(look, Date.parse(time)).split('\n');
  const targets = panels.flatMap((panel) => panel.targets);
  const expressions = [...rules, ...targets].map(({ expr }) => expr);
  let series = 0;
  for (const [, name, labels = ''] of expressions.join('\n').matchAll(/(filinglake_\w+)(?:\{([^}]*)\})?/g)) {
    series++;
    const found = lines.filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
    expect([name, found.length > 0]).toEqual([name, true]);
    for (const [, label, value] of labels.matchAll(/(\w+)=~?"([^"]*)"/g))
      for (const one of value!.split('|')) expect(found.join('\n')).toContain(`${label}="${one}"`);
  }
  expect(series).toBeGreaterThan(20);
  // Labels that Prometheus adds.
  const known = new Set([
    'instance',
    'activity_type',
    ...lines
      .join()
      .matchAll(/(\w+)="/g)
      .map(([, label]) => label!),
  ]);
  for (const [, label] of targets
    .map(({ legendFormat }) => legendFormat)
    .join()
    .matchAll(/\{\{(\w+)\}\}/g))
    expect(known).toContain(label);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
});

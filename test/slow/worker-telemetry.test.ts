/** What a worker sends about itself: metrics of Temporal's SDK for Prometheus and by OTLP, and spans of an export's activities. */

import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../src/runtime/index.ts';
import { temporaryFolder } from '../support/lake/temporary-folder.ts';
import { type LocalServer, serve } from '../support/local-server.ts';
import { temporalExecutable, temporalNamespace } from '../support/temporal.ts';
import { buildRoad, type Command, type Road, runCommand } from '../support/test-stack.ts';

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  status: { code?: number };
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

describe.skipIf(!temporalExecutable)('a worker', () => {
  let road: Road;
  let env: Record<string, string>;
  let collector: LocalServer;
  let worker: Command | null = null;
  const got: { path: string; type: string; body: Buffer; key: unknown }[] = [];

  beforeAll(async () => {
    road = await buildRoad(12);
    const place = await temporalNamespace();
    env = { ...place, FILINGLAKE_HOME: road.home, FILINGLAKE_API_KEY: road.createKey('unlimited') };
    collector = await serve(async ({ url = '', headers }, response) => {
      const sent = await buffer(response.req);
      const body = headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
      got.push({ path: url, type: String(headers['content-type']), body, key: headers['x-collector-key'] });
      response.writeHead(200, { 'content-type': String(headers['content-type']) }).end();
    });
  });
  afterAll(async () => {
    worker?.process.kill('SIGTERM');
    await worker?.ended;
    await collector?.close();
    await road?.stop();
  });

  async function exportBy(name: string, options: string[], more: Record<string, string>): Promise<void> {
    worker = runCommand(['worker', '--json', ...options], { ...env, ...more });
    await worker.event((event) => 'task_queue' in event);
    const lake = `${temporaryFolder()}/${name}`;
    const command = runCommand(['export', road.definition(name), '--lake', lake, '--no-worker', '--json'], env);
    expect(await command.ended, command.stderr()).toBe(0);
  }
  async function endWorker(): Promise<void> {
    worker!.process.kill('SIGTERM');
    expect(await worker!.ended).toBe(0);
    worker = null;
  }

  it('serves metrics of the SDK beside those of exports', async () => {
    const port = await freePort();
    await exportBy('scraped', ['--metrics', String(port)], {});
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(text).toContain('filinglake_export_state');
    expect(text).toMatch(/^temporal_activity_execution_latency\w*_count\{.*activity_type="fetchBatch".*\} [1-9]/m);
    expect(text).toMatch(/^temporal_num_pollers\{.*\} \d/m);
    await endWorker();
  });

  it('sends metrics and spans to a collector', async () => {
    await exportBy('traced', [], {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=of%20ours',
    });
    await expect
      .poll(() => got.some(({ path, body }) => path === '/v1/metrics' && body.includes('fetchBatch')))
      .toBe(true);
    await endWorker();
    expect(new Set(got.map(({ key }) => key))).toEqual(new Set(['of ours']));
    const spans = got
      .filter(({ path }) => path === '/v1/traces')
      .flatMap(({ body }) => JSON.parse(body.toString()).resourceSpans as { scopeSpans: { spans: Span[] }[] }[])
      .flatMap(({ scopeSpans }) => scopeSpans.flatMap((one) => one.spans));
    const [whole, ...others] = spans.filter(({ parentSpanId }) => !parentSpanId);
    expect(others).toEqual([]);
    expect(whole!.name).toBe('export');
    const of = (span: Span, key: string) => span.attributes.find((one) => one.key === key)?.value;
    expect(of(whole!, 'filinglake.state')).toEqual({ stringValue: 'completed' });
    expect(of(whole!, 'filinglake.export')).toEqual({ stringValue: 'traced' });
    const children = spans.filter((span) => span !== whole);
    // All attempts of the run are in one trace, below the span of the whole.
    for (const { traceId, parentSpanId, status } of children)
      expect([traceId, parentSpanId, status.code ?? 0]).toEqual([whole!.traceId, whole!.spanId, 0]);
    const names = new Set(children.map(({ name }) => name));
    expect([...names]).toEqual(
      expect.arrayContaining(['openRun', 'readWindows', 'planWindows', 'fetchBatch', 'finishRun']),
    );
    const fetched = children.filter(({ name }) => name === 'fetchBatch');
    expect(fetched.reduce((sum, span) => sum + Number(of(span, 'filinglake.requests')?.intValue), 0)).toBeGreaterThan(
      11,
    );
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
  });

  it('works as without it if the collector is away', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    await exportBy('alone', [], { OTEL_EXPORTER_OTLP_ENDPOINT: url });
    await endWorker();
  });
});

/** What a worker tells Prometheus of itself. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../src/export/runtime/index.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { temporalExecutable, temporalNamespace } from '../../support/temporal.ts';
import { buildRoad, type Command, type Road, runCommand } from '../../support/test-stack.ts';

describe.skipIf(!temporalExecutable)('a worker', () => {
  let road: Road;
  let env: Record<string, string>;
  let worker: Command | null = null;

  beforeAll(async () => {
    road = await buildRoad(12);
    const place = await temporalNamespace();
    env = { ...place, FILINGLAKE_HOME: road.home, FILINGLAKE_API_KEY: road.createKey('unlimited') };
  });
  afterAll(async () => {
    worker?.process.kill('SIGTERM');
    await worker?.ended;
    await road?.stop();
  });

  async function exportBy(name: string, options: string[]): Promise<void> {
    worker = runCommand(['worker', '--json', ...options], env);
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
    await exportBy('scraped', ['--metrics', String(port)]);
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(text).toContain('filinglake_export_state');
    expect(text).toMatch(/^temporal_activity_execution_latency\w*_count\{.*activity_type="fetchBatch".*\} [1-9]/m);
    expect(text).toMatch(/^temporal_num_pollers\{.*\} \d/m);
    await endWorker();
  });
});

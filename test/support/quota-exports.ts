/** Exports under keys with and without quotas: by a worker in the process of the test, whose waits take no time. */
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { openLog, readSettings, type Settings } from '../../src/core/environment/index.ts';
import { ExportRuns, ensureTemporal, startWorker, type TemporalSession } from '../../src/export/runtime/index.ts';
import { type TemporalPlace, temporalNamespace } from './temporal.ts';
import { buildRoad, contentsOf, type Road } from './test-stack.ts';
import { timeSkippingClient } from './time-skipping.ts';

/** Of TEST_PLANS' small plan. */
export const QUOTA = 40;
export const FILINGS = 25;
/** Of the road's definitions. */
export const CONNECTIONS = 4;

export class QuotaExports {
  road!: Road;
  session!: TemporalSession;
  #temporal!: TemporalPlace;
  /** Contents of a lake whose export nothing held up. */
  whole!: Record<string, unknown[]>;
  /** Requests of that export. */
  requestsNeeded = 0;

  get settings(): Settings {
    return readSettings({ ...process.env, ...this.#temporal, FILINGLAKE_HOME: this.road.home });
  }

  async start(): Promise<void> {
    this.road = await buildRoad(FILINGS);
    this.#temporal = await temporalNamespace();
    this.session = await ensureTemporal(this.settings);
    const { worker, runs, handle, lake } = await this.runExport('whole', this.road.createKey('unlimited'));
    await runs.result(handle);
    await worker.stop();
    this.whole = await contentsOf(lake);
    this.requestsNeeded = this.road.proxy.requests;
    expect(this.requestsNeeded).toBeGreaterThan(QUOTA);
    expect(this.requestsNeeded).toBeLessThan(QUOTA * 4);
  }

  reset(): void {
    const { proxy } = this.road;
    this.road.setClock(null);
    proxy.requests = 0;
    proxy.byStatus.clear();
    proxy.bodyBytes.length = 0;
  }

  async stop(): Promise<void> {
    await this.session.release();
    await this.road.stop();
  }

  /** @param onMessage called with the name of each signal before it is sent */
  async runExport(name: string, apiKey: string, onMessage: (name: string) => void = () => {}, more = '') {
    const { road, session, settings } = this;
    const client = await timeSkippingClient(session, onMessage);
    const worker = await startWorker(session, { apiKey, client, log: openLog(settings, 'worker', [apiKey]) });
    const definition = road.parsed(name, more);
    const lake = join(road.folder, `lake-${name}`);
    const runs = await ExportRuns.of(session, client);
    const { handle } = await runs.start(definition, lake, apiKey);
    return { client, worker, runs, handle, lake };
  }
}

/** For the `describe` that it is called in. */
export function quotaExports(): QuotaExports {
  const given = new QuotaExports();
  beforeAll(() => given.start());
  beforeEach(() => given.reset());
  afterAll(() => given.stop());
  return given;
}

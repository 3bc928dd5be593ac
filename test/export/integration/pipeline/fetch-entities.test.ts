/** Entities of filings, and those that failed before: asked of a service that a test scripts. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseExportDefinition } from '../../../../src/export/definition/parse.ts';
import { fetchEntities } from '../../../../src/export/pipeline/fetch/fetch-entities.ts';
import type { EntitiesFetched, RunReference } from '../../../../src/export/pipeline/index.ts';
import { readFailures } from '../../../../src/export/pipeline/lookup/read-failures.ts';
import { stagePage } from '../../../../src/export/pipeline/staging/staged-files.ts';
import { failuresWindow } from '../../../../src/export/windows/index.ts';
import { sealManifest } from '../../../../src/lake/commit/staging.ts';
import type { Batch, Lake } from '../../../../src/lake/index.ts';
import { checkLake } from '../../../../src/lake/report/index.ts';
import { type LocalServer, serve } from '../../../support/local-server.ts';
import {
  definitionOf,
  dependenciesOf,
  filingOfLookup,
  openDriven,
  planDriven,
  runOf,
  stageFilings,
} from '../../../support/pipeline/activity-harness.ts';

const FAILURES = 'SELECT subject, code, attempts::INT AS attempts FROM export_failures ORDER BY subject';

let lake: Lake;
let server: LocalServer;
/** The service's answer for a CIK; undefined: none. */
let entities: Record<string, object | undefined>;
let asked: string[][];
let runs = 0;

beforeEach(async () => {
  lake = await openDriven();
  entities = {};
  asked = [];
  server = await serve(async (request, response) => {
    if (request.url === '/openapi.json') return void response.writeHead(404).end();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const inQuery = new URL(request.url!, 'http://localhost').searchParams.getAll('ciks');
    const body = chunks.length > 0 ? (JSON.parse(Buffer.concat(chunks).toString()) as { ciks?: string[] }) : {};
    const ciks = body.ciks ?? inQuery;
    asked.push(ciks);
    const found = ciks.flatMap((cik) => entities[cik] ?? []);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ count: found.length, entities: found, truncated: false }));
  });
});
afterEach(async () => {
  await server.close();
  await lake.close();
});

const entity = (cik: string, over: object = {}) => ({
  cik,
  name: `Company ${cik}`,
  tickers: [],
  exchanges: [],
  ...over,
});
const service = () => `service: { base_url: "${server.url}" }`;

interface Attempt {
  attempt: number;
  /** Requests that the month's quota leaves. */
  requests?: number;
  at?: Lake;
}

function fetch(
  run: RunReference,
  more: object = {},
  { attempt, requests = 100, at = lake }: Attempt = { attempt: 1 },
): Promise<EntitiesFetched> {
  const request = { run, window: 'w', plan: 1, pages: 1, ...more };
  let left = requests;
  const reserve = async () => {
    const granted = left;
    left = 0;
    return { granted, reason: granted > 0 ? null : 'quota', retry_at: granted > 0 ? null : '2030-01-01T00:00:00Z' };
  };
  const budget = { reserve, settle: async () => {} };
  const dependencies = dependenciesOf(at, { apiKey: 'key', budget, attempt });
  return fetchEntities(dependencies, request);
}

/** A run of an export whose filings are of these companies. */
async function runOfFilings(name: string, ...ciks: string[]): Promise<RunReference> {
  const run = runOf(definitionOf(name, 'filings, entities', service()), `run-${++runs}`, lake);
  const filings = ciks.map((cik, n) => filingOfLookup(n, { cik }));
  await stageFilings(lake, run.run_id, filings);
  return run;
}

async function ofFilings(name: string, ...ciks: string[]): Promise<EntitiesFetched> {
  return fetch(await runOfFilings(name, ...ciks));
}

async function retry(run: RunReference): Promise<EntitiesFetched> {
  const window = failuresWindow('2024-04-01');
  await readFailures({ lake, run }, window);
  return fetch(run, { window: window.id, of: 'failures' });
}

/** The lake with another way to commit. */
function altered(commitFirstSealed: Lake['commitFirstSealed']): Lake {
  return new Proxy(lake, {
    get: (target, name) => {
      if (name === 'commitFirstSealed') return commitFirstSealed;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** The lake of an attempt that is killed at its commit: at once, or after it has sealed it. */
function dying(when: 'before' | 'between the seal and the log'): Lake {
  return altered(async ({ segments, ...batch }: Batch) => {
    const names = segments.map(({ name }) => name);
    if (when !== 'before') await sealManifest(lake.storage, { replace: [], ...batch, segments: names });
    throw new Error('killed');
  });
}

describe('entities of filings', () => {
  it('fail once each: one whose record breaks the contract is not missing besides', async () => {
    entities = { '1': entity('1'), '2': entity('2', { name: { first: 'no text' } }) };
    expect(await ofFilings('t', '1', '2', '3')).toMatchObject({ asked: 3, missing: 2 });
    expect(await lake.query(FAILURES)).toEqual([
      { subject: '2', code: 'contract-broken', attempts: 1 },
      { subject: '3', code: 'entity-not-found', attempts: 1 },
    ]);
    expect(await lake.query('SELECT cik FROM entities')).toEqual([{ cik: '1' }]);
  });

  it('are failures of the requested ones if no CIK of a record is readable', async () => {
    const unreadable = (n: string) => entity(n, { cik: { n } });
    entities = { '7': unreadable('7'), '8': entity('8') };
    expect(await ofFilings('t', '7', '8')).toMatchObject({ missing: 1 });
    expect(await lake.query(FAILURES)).toEqual([{ subject: '7', code: 'contract-broken', attempts: 1 }]);
    entities = { '7': entity('7'), '9': unreadable('9') };
    expect(await ofFilings('t', '7', '9')).toMatchObject({ missing: 1 });
    expect(await lake.query(FAILURES)).toEqual([{ subject: '9', code: 'contract-broken', attempts: 1 }]);
  });

  it('are no longer failures once another export has fetched them, without any request', async () => {
    expect(await ofFilings('t', '7')).toMatchObject({ missing: 1 });
    entities = { '7': entity('7') };
    await ofFilings('other', '7');
    asked.length = 0;
    expect(await ofFilings('t', '7')).toMatchObject({ asked: 0, missing: 0 });
    expect(asked).toEqual([]);
    expect(await lake.query(FAILURES)).toEqual([]);
  });
});

describe('entities of several windows', () => {
  it('are requested together, a hundred a request, and each once', async () => {
    const ciks = Array.from({ length: 150 }, (_, n) => String(n + 1));
    entities = Object.fromEntries(ciks.map((cik) => [cik, entity(cik)]));
    const run = { ...(await runOfFilings('t', '1')), started_at: new Date().toISOString() };
    const windows = ['u', 'v', 'x'];
    for (const [i, window] of windows.entries()) {
      const records = ciks
        .filter((_, n) => n % windows.length === i)
        .map((cik) => filingOfLookup(Number(cik), { cik, entity_name: `Company ${cik}` }));
      await stagePage(lake, run.run_id, window, 0, { state: null, records, violations: [] });
      await planDriven(lake, run, { window });
    }
    for (const window of windows) await fetch(run, { window });
    expect(asked.map((some) => some.length)).toEqual([100, 50]);
    // In a refresh too.
    const definition = { ...run.definition, refresh: 'all' as const };
    const again = { ...run, definition, run_id: 'again', started_at: new Date().toISOString() };
    for (const [i, window] of windows.entries()) {
      const records = ciks
        .filter((_, n) => n % windows.length <= i)
        .map((cik) => filingOfLookup(Number(cik), { cik, entity_name: `Company ${cik}` }));
      await stagePage(lake, again.run_id, window, 0, { state: null, records, violations: [] });
      await planDriven(lake, again, { window });
    }
    asked.length = 0;
    for (const window of windows) await fetch(again, { window });
    expect(asked.map((some) => some.length)).toEqual([100, 50]);
    expect(await lake.query('SELECT count(*)::INT AS n FROM entities')).toEqual([{ n: 150 }]);
  });
});

describe('entities requested by an attempt that is killed', () => {
  it('are in the lake once, even if another run takes its turn before the next attempt', async () => {
    entities = { '7': entity('7', { tickers: ['T'], exchanges: ['NYSE'] }), '8': entity('8') };
    const run = await runOfFilings('t', '7', '8');
    await expect(fetch(run, {}, { attempt: 1, at: dying('before') })).rejects.toThrow('killed');
    await ofFilings('other', '7');
    asked.length = 0;
    await expect(fetch(run, {}, { attempt: 2 })).rejects.toMatchObject({ code: 'plan-outdated' });
    expect(asked).toEqual([]);
    expect(await fetch(run, { plan: 2 })).toMatchObject({ asked: 1, missing: 0 });
    expect(await lake.query('SELECT cik FROM entities ORDER BY cik')).toEqual([{ cik: '7' }, { cik: '8' }]);
    expect((await checkLake(lake)).problems).toEqual([]);
  });

  it('are missing, as its next attempt reports, if the service has none of them', async () => {
    const run = await runOfFilings('t', '7');
    await expect(fetch(run, {}, { attempt: 1, at: dying('before') })).rejects.toThrow('killed');
    expect(await fetch(run, {}, { attempt: 2 })).toMatchObject({ missing: 1 });
  });

  it('are committed as it sealed them, and its stop is reported, so that the rest is requested', async () => {
    const ciks = Array.from({ length: 150 }, (_, n) => String(n + 1));
    entities = Object.fromEntries(ciks.map((cik) => [cik, entity(cik)]));
    const run = await runOfFilings('t', ...ciks);
    const at = dying('between the seal and the log');
    await expect(fetch(run, {}, { attempt: 1, requests: 1, at })).rejects.toThrow('killed');
    const stop = { kind: 'quota', retry_at: '2030-01-01T00:00:00Z' };
    expect(await fetch(run, {}, { attempt: 2 })).toMatchObject({ asked: 150, stop, spent: { requests: 0 } });
    const countEntities = async () => (await lake.query('SELECT count(*)::INT AS n FROM entities'))[0]!.n;
    expect(await countEntities()).toBe(100);
    expect(await fetch(run, { plan: 2 })).toMatchObject({ asked: 50, stop: null });
    expect(await countEntities()).toBe(150);
    expect(asked.map((some) => some.length)).toEqual([100, 50]);
  });

  it('are reported as committed if the attempt lives on, and commits after its next one', async () => {
    const ciks = Array.from({ length: 150 }, (_, n) => String(n + 1));
    entities = Object.fromEntries(ciks.map((cik) => [cik, entity(cik)]));
    const run = await runOfFilings('t', ...ciks);
    const at = altered(async (batch) => {
      await fetch(run, {}, { attempt: 2 });
      return lake.commitFirstSealed(batch);
    });
    // Stopped behind its first request, which is all that it would have committed.
    expect(await fetch(run, {}, { attempt: 1, requests: 1, at })).toMatchObject({ asked: 50, stop: null });
    expect(await lake.query('SELECT count(*)::INT AS n FROM entities')).toEqual([{ n: 150 }]);
    expect((await checkLake(lake)).problems).toEqual([]);
  });
});

describe('entities of a query that failed', () => {
  const byQuery = () => {
    const yaml = `name: q\nselect: { entities: query, entity_query: { states: [DE] } }\ntables: [entities, entity_tickers]\n${service()}`;
    const { definition } = parseExportDefinition(yaml, 'q.yaml', {});
    return runOf(definition, `run-${++runs}`, lake);
  };

  it('are asked by a retry by their CIKs, and take the place of older records in the lake', async () => {
    const run = byQuery();
    const writer = lake.openStaging('before', 'b', 1);
    writer.append('entities', { cik: '5', name: 'Old name' });
    writer.append('entity_tickers', { cik: '5', position: 0, ticker: 'OLD' });
    for (const cik of ['5', '6', 'window e']) {
      const failure = { export: 'q', step: 'entity', subject: cik, cik, code: 'contract-broken', attempts: 1 };
      writer.append('export_failures', { ...failure, message: 'x', failed_at: '2024-01-01T00:00:00Z' });
    }
    const sealed = await writer.seal();
    await lake.commitBatch({ run_id: 'before', batch_id: 'b', base_version: -1, segments: [sealed!] });

    entities = { '5': entity('5', { name: 'New name', tickers: ['NEW'], exchanges: ['NYSE'] }) };
    expect(await retry(run)).toMatchObject({ asked: 2, missing: 1 });
    expect(asked.flat().sort()).toEqual(['5', '6']);
    expect(await lake.query('SELECT cik, name, ticker FROM entities JOIN entity_tickers USING (cik)')).toEqual([
      { cik: '5', name: 'New name', ticker: 'NEW' },
    ]);
    // A record without a CIK needs the whole export.
    expect((await lake.query(FAILURES)).map(({ subject, attempts }) => [subject, attempts])).toEqual([
      ['6', 2],
      ['window e', 1],
    ]);
    expect((await checkLake(lake)).problems).toEqual([]);
  });
});

/** Entities of filings, and those that failed before: asked of a service that a test scripts. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fetchEntities } from '../../activities/export/fetch-entities.ts';
import { readFailures } from '../../activities/export/read-failures.ts';
import type { EntitiesFetched, RunReference } from '../../activities/index.ts';
import { failuresWindow, parseExportDefinition } from '../../src/export/index.ts';
import type { Lake } from '../../src/lake/index.ts';
import {
  asAttempt,
  definitionOf,
  dependenciesOf,
  filingOfLookup,
  lakeFolder,
  openDriven,
  runOf,
  stageFilings,
} from './driven.ts';

const FAILURES = 'SELECT subject, code, attempts::INT AS attempts FROM export_failures ORDER BY subject';

let lake: Lake;
let server: Server;
/** What the service says of a CIK; undefined: nothing. */
let entities: Record<string, object | undefined>;
let asked: string[][];
let runs = 0;

beforeEach(async () => {
  lake = await openDriven(lakeFolder());
  entities = {};
  asked = [];
  server = createServer(async (request, response) => {
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await lake.close();
});

const entity = (cik: string, over: object = {}) => ({
  cik,
  name: `Company ${cik}`,
  tickers: [],
  exchanges: [],
  ...over,
});
const service = () => `service: { base_url: "http://127.0.0.1:${(server.address() as AddressInfo).port}" }`;

function dependencies() {
  const budget = { reserve: async () => ({ granted: 100, reason: null, retry_at: null }), settle: async () => {} };
  return dependenciesOf(lake, { apiKey: 'key', budget, pulse: { tell: () => {} } });
}

function fetch(run: RunReference, more: object = {}): Promise<EntitiesFetched> {
  const request = { run, window: 'w', plan: 1, pages: 1, ...more };
  return asAttempt(1, () => fetchEntities(dependencies(), request));
}

/** A run of an export whose filings are of these companies. */
async function ofFilings(name: string, ...ciks: string[]): Promise<EntitiesFetched> {
  const run = runOf(definitionOf(name, 'filings, entities', service()), `run-${++runs}`, lake);
  const filings = ciks.map((cik, n) => filingOfLookup(n, { cik }));
  await stageFilings(lake, run.run_id, filings);
  return fetch(run);
}

async function retry(run: RunReference): Promise<EntitiesFetched> {
  const window = failuresWindow('2024-04-01');
  await readFailures({ lake, run }, window);
  return fetch(run, { window: window.id, of: 'failures' });
}

describe('entities of filings', () => {
  it('fail once each: one whose record breaks the contract is not missing besides', async () => {
    entities = { '1': entity('1'), '2': entity('2', { name: { first: 'no text' } }) };
    expect(await ofFilings('t', '1', '2', '3')).toMatchObject({ asked: 3, missing: 2 });
    expect(await lake.query(FAILURES)).toEqual([
      { subject: '2', code: 'contract-violation', attempts: 1 },
      { subject: '3', code: 'entity-not-found', attempts: 1 },
    ]);
    expect(await lake.query('SELECT cik FROM entities')).toEqual([{ cik: '1' }]);
  });

  it('are failures no more once another export has brought them, with nothing asked', async () => {
    expect(await ofFilings('t', '7')).toMatchObject({ missing: 1 });
    entities = { '7': entity('7') };
    await ofFilings('other', '7');
    asked.length = 0;
    expect(await ofFilings('t', '7')).toMatchObject({ asked: 0, missing: 0 });
    expect(asked).toEqual([]);
    expect(await lake.query(FAILURES)).toEqual([]);
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
      const failure = { export: 'q', step: 'entity', subject: cik, cik, code: 'contract-violation', attempts: 1 };
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
    // A record without a CIK takes the whole export.
    expect((await lake.query(FAILURES)).map(({ subject, attempts }) => [subject, attempts])).toEqual([
      ['6', 2],
      ['window e', 1],
    ]);
    expect((await lake.check()).problems).toEqual([]);
  });
});

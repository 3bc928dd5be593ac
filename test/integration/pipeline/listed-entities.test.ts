/** Selections whose CIKs are in a file: windows for some of them each, no filing lost, and those listed that the service doesn't know. */
import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type ExportDefinition, firstWindows, parseExportDefinition } from '../../../src/export/index.ts';
import { openLake } from '../../../src/lake/index.ts';
import { finishRun } from '../../../src/pipeline/commit/run-lifecycle.ts';
import { readWindows } from '../../../src/pipeline/lookup/read-windows.ts';
import { planWindows } from '../../../src/pipeline/plan/plan-windows.ts';
import { PagesReadLast } from '../../../src/pipeline/plan/staged-files.ts';
import type { RunReference } from '../../../src/pipeline/types.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { dependenciesOf, jobOf } from '../../support/pipeline/activity-harness.ts';
import { BudgetAlone } from '../../support/pipeline/budget-alone.ts';
import { filingOfLookup } from '../../support/pipeline/lake-of-runs.ts';

const CIKS = Array.from({ length: 1_203 }, (_, i) => String(i + 1));
const isKnown = (cik: string) => Number(cik) % 100 !== 0;
/** Two filings of each known company, one of them of its neighbour too: it is in the windows of both. */
const FILINGS = CIKS.filter(isKnown).flatMap((cik) => [
  { ciks: [cik], filing: filingOfLookup(Number(cik) * 2, { cik, documents: [] }) },
  { ciks: [cik, String(Number(cik) + 1)], filing: filingOfLookup(Number(cik) * 2 + 1, { cik, documents: [] }) },
]);

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const query = Object.fromEntries(new URL(request.url!, 'http://localhost').searchParams);
  return { ...query, ...(text === '' ? {} : (JSON.parse(text) as object)) };
}

/** @returns its URL, and how many values each request named */
async function service(): Promise<{ url: string; asked: { path: string; ciks: number }[] }> {
  const asked: { path: string; ciks: number }[] = [];
  server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const query = ((body.entity_query as object | undefined) ?? body) as { ciks?: string[] | string };
      const ciks = new Set([query.ciks ?? []].flat());
      if (request.url === '/openapi.json') return void response.writeHead(404).end();
      const path = new URL(request.url!, 'http://localhost').pathname.slice(4);
      asked.push({ path, ciks: ciks.size });
      const [from, to] = [Number(body.from ?? 0), Number(body.to ?? 10_000)];
      const entities = [...ciks]
        .filter(isKnown)
        .map((cik) => ({ cik, name: `C${cik}`, tickers: [], exchanges: [], addresses: {} }));
      const filings = FILINGS.filter((one) => one.ciks.some((cik) => ciks.has(cik))).map(({ filing }) => filing);
      const answer =
        path === 'entity_lookup'
          ? { count: entities.length, entities: entities.slice(from, to), truncated: false, response_bytes: 1 }
          : { count: filings.length, filings: filings.slice(from, to), truncated: false };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

describe('a list of CIKs in a file', () => {
  it('is split, finds every filing once, and names those that the service does not know', async () => {
    const { url, asked } = await service();
    const folder = temporaryFolder();
    const path = `${folder}/ciks.csv`;
    writeFileSync(path, `gvkey,cik\n${CIKS.map((cik) => `x,${cik.padStart(10, '0')}`).join('\n')}\n`);
    const text = `name: t\nselect: { entity_query: { ciks: { file: ciks.csv } } }\ntables: [filings]\nservice: { base_url: "${url}", page_size: 300 }\n`;
    const readFile = () => ({
      path,
      text: `gvkey,cik\n${CIKS.map((cik) => `x,${cik.padStart(10, '0')}`).join('\n')}\n`,
    });
    const { definition } = parseExportDefinition(text, 't.yaml', {}, { readFile });
    expect(JSON.stringify(definition).length).toBeLessThan(1_000);

    const lake = await openLake(`${folder}/lake`, { create: true });
    const run = { run_id: 'r', workflow_id: 'export/t', definition, lake: lake.root } as RunReference;
    const leaving = new AbortController().signal;
    const pages = new PagesReadLast();
    const budget = Object.assign(new BudgetAlone(), { leave: async () => {} });
    const job = { apiKey: 'key', budget, ...jobOf(2), leaving, batchMs: 60_000, pages };
    const dependencies = dependenciesOf(lake, job);
    const first = firstWindows(definition as ExportDefinition, '2024-06-30');
    expect(first).toMatchObject([{ id: 'w', of: 'list', parts: 'filings' }]);
    const { reads } = await readWindows(dependencies, { run, unread: first });
    const [split, ...parts] = reads;
    expect(split!.split!.map(({ id, of }) => [id, of])).toEqual([1, 2, 3].map((n) => [`w-${n}`, undefined]));
    expect(parts.every(({ proven }) => proven)).toBe(true);
    const windows = split!.split!.map((window, i) => {
      const read = parts[i]!;
      return { window: window.id, pages: read.pages, plan: 1, record: { window, read } };
    });
    await planWindows(dependencies, { run, batch_id: 'plan-w-1', windows });
    const numbers = await lake.query(
      'SELECT count(*)::INT AS n, count(DISTINCT accession_number)::INT AS each FROM filings',
    );
    expect(numbers).toEqual([{ n: FILINGS.length, each: FILINGS.length }]);

    const unknown = CIKS.filter((cik) => !isKnown(cik));
    const finished = await finishRun(dependencies, {
      run,
      state: 'completed',
      started_at: '2024-06-30T00:00:00Z',
      requests: 1,
      bytes: 1,
    });
    expect(finished.unknown).toEqual({ kind: 'ciks', count: unknown.length, some: unknown.toSorted().slice(0, 10) });
    expect(await lake.query('SELECT value FROM export_unknown ORDER BY value')).toEqual(
      unknown.toSorted().map((value) => ({ value })),
    );
    expect(Math.max(...asked.map(({ ciks }) => ciks))).toBe(500);
    await lake.close();
  });
});

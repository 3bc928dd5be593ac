/** Selections whose companies are in a file: windows for some of them each, no filing lost, and those listed that the service doesn't know. */
import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { parseExportDefinition } from '../../../../src/export/definition/parse.ts';
import { withListsRead } from '../../../../src/export/index.ts';
import { finishRun } from '../../../../src/export/pipeline/commit/run-lifecycle.ts';
import { readListFile } from '../../../../src/export/pipeline/lookup/list-file.ts';
import { readWindows } from '../../../../src/export/pipeline/lookup/read-windows.ts';
import { planWindows } from '../../../../src/export/pipeline/plan/plan-windows.ts';
import { PagesReadLast } from '../../../../src/export/pipeline/staging/staged-files.ts';
import type { RunReference, WindowRead } from '../../../../src/export/pipeline/types.ts';
import { type ExportWindow, firstWindows, takeReads } from '../../../../src/export/windows/index.ts';
import { openLake } from '../../../../src/lake/index.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { type LocalServer, serve } from '../../../support/local-server.ts';
import { dependenciesOf, jobOf } from '../../../support/pipeline/activity-harness.ts';
import { BudgetAlone } from '../../../support/pipeline/budget-alone.ts';
import { filingOfLookup } from '../../../support/pipeline/lake-of-runs.ts';

const CIKS = Array.from({ length: 1_203 }, (_, i) => String(i + 1));
const isKnown = (cik: string) => Number(cik) % 100 !== 0;
/** Two filings of each known company, one of them of its neighbour too: it is in the windows of both. */
const FILINGS = CIKS.filter(isKnown).flatMap((cik) => [
  { ciks: [cik], filing: filingOfLookup(Number(cik) * 2, { cik, documents: [] }) },
  { ciks: [cik, String(Number(cik) + 1)], filing: filingOfLookup(Number(cik) * 2 + 1, { cik, documents: [] }) },
]);

const entity = (cik: string, name: string) => ({ cik, name, tickers: [], exchanges: [], addresses: {} });
/** Two companies have the name Twin. */
const NAMED = [
  ...['1', '2', '3'].map((cik) => entity(cik, `NUMBER ${cik} CORP`)),
  ...['4', '5'].map((cik) => entity(cik, 'TWIN INC')),
];
const namedAs = (texts: readonly string[]) =>
  NAMED.filter(({ name }) => texts.every((text) => name.includes(text.toUpperCase())));

let server: LocalServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
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
  server = await serve((request, response) => {
    void bodyOf(request).then((body) => {
      const query = ((body.entity_query as object | undefined) ?? body) as { ciks?: string[] | string };
      const ciks = new Set([query.ciks ?? []].flat());
      if (request.url === '/openapi.json') return void response.writeHead(404).end();
      const path = new URL(request.url!, 'http://localhost').pathname.slice(4);
      asked.push({ path, ciks: ciks.size });
      const [from, to] = [Number(body.from ?? 0), Number(body.to ?? 10_000)];
      const names = [body.name_includes ?? []].flat() as string[];
      const entities =
        names.length > 0 ? namedAs(names) : [...ciks].filter(isKnown).map((cik) => entity(cik, `C${cik}`));
      const filings = FILINGS.filter((one) => one.ciks.some((cik) => ciks.has(cik))).map(({ filing }) => filing);
      const answer =
        path === 'entity_lookup'
          ? { count: entities.length, entities: entities.slice(from, to), truncated: false, response_bytes: 1 }
          : { count: filings.length, filings: filings.slice(from, to), truncated: false };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answer));
    });
  });
  return { url: server.url, asked };
}

/** Reads and plans the windows of a run over a file, and ends the run. Each attempt reads the windows again. */
async function exported(list: { name: string; text: string; key: string }, pageSize: number, attempts = 1) {
  const { url, asked } = await service();
  const folder = temporaryFolder();
  const path = `${folder}/${list.name}`;
  writeFileSync(path, list.text);
  const text = `name: t\nselect: { entity_query: { ${list.key}: { file: ${list.name} } } }\ntables: [filings]\nservice: { base_url: "${url}", page_size: ${pageSize} }\n`;
  const { definition } = await withListsRead(
    parseExportDefinition(text, 't.yaml', {}, { pathOf: () => path }),
    readListFile,
  );
  expect(JSON.stringify(definition).length).toBeLessThan(1_000);
  const lake = await openLake(`${folder}/lake`, { create: true });
  const run = { run_id: 'r', workflow_id: 'export/t', definition, lake: lake.root } as RunReference;
  const leaving = new AbortController().signal;
  const pages = new PagesReadLast();
  const budget = Object.assign(new BudgetAlone(), { leave: async () => {} });
  const dependencies = dependenciesOf(lake, { apiKey: 'key', budget, ...jobOf(2), leaving, batchMs: 60_000, pages });
  const first = firstWindows(definition, '2024-06-30');
  expect(first).toMatchObject([{ id: 'w', of: 'list', parts: 'filings' }]);
  let { reads } = await readWindows(dependencies, { run, unread: first });
  if (attempts > 1) ({ reads } = await readWindows(dependencies, { run, unread: first }));
  const windows: { window: string; pages: number; plan: number; record: { window: ExportWindow; read: WindowRead } }[] =
    [];
  const unread = [...first];
  for (const read of reads) {
    const window = unread[0]!;
    takeReads(unread, [read]);
    if (read.split === null) windows.push({ window: window.id, pages: read.pages, plan: 1, record: { window, read } });
  }
  expect(unread).toEqual([]);
  await planWindows(dependencies, { run, batch_id: 'plan-w-1', windows });
  const finish = { run, state: 'completed', started_at: '2024-06-30T00:00:00Z', requests: 1, bytes: 1 } as const;
  const finished = await finishRun(dependencies, finish);
  const rows = (sql: string) => lake.query(sql);
  return { asked, windows, finished, rows, close: () => lake.close() };
}

describe('a list of CIKs in a file', () => {
  it('is split, finds every filing once, and names those that the service does not know', async () => {
    const csv = `gvkey,cik\n${CIKS.map((cik) => `x,${cik.padStart(10, '0')}`).join('\n')}\n`;
    const { asked, windows, finished, rows, close } = await exported({ name: 'ciks.csv', text: csv, key: 'ciks' }, 300);
    expect(windows.map(({ window, record }) => [window, record.window.of, record.read.proven])).toEqual(
      [1, 2, 3].map((n) => [`w-${n}-1`, undefined, true]),
    );
    expect(await rows('SELECT count(*)::INT AS n, count(DISTINCT accession_number)::INT AS each FROM filings')).toEqual(
      [{ n: FILINGS.length, each: FILINGS.length }],
    );
    const unknown = CIKS.filter((cik) => !isKnown(cik)).toSorted();
    expect(finished.unknown).toEqual({ kind: 'ciks', count: unknown.length, some: unknown.slice(0, 10) });
    expect(await rows('SELECT value, matches FROM export_unknown ORDER BY value')).toEqual(
      unknown.map((value) => ({ value, matches: 0 })),
    );
    expect(Math.max(...asked.map(({ ciks }) => ciks))).toBe(500);
    // Which of them are known: one request for 500.
    expect(asked.filter(({ path }) => path === 'entity_lookup')).toHaveLength(3);
    await close();
  });

  it('is asked once, if its windows are read again after a kill', async () => {
    const list = { name: 'ciks.txt', text: CIKS.join('\n'), key: 'ciks' };
    const { asked, rows, close } = await exported(list, 10_000, 2);
    expect(asked).toHaveLength(6);
    expect(await rows('SELECT count(*)::INT AS n FROM filings')).toEqual([{ n: FILINGS.length }]);
    await close();
  });
});

describe('a list of names in a file', () => {
  it('is one company each; those of none or several are listed, and bring no filing', async () => {
    const text = 'Number 1 Corporation\nNUMBER 2 CORP.\nnumber 2\nTwin\nNobody Inc\nNumber 3 Ltd\n';
    const { asked, finished, rows, close } = await exported({ name: 'names.txt', text, key: 'names' }, 10_000);
    const theirs = FILINGS.filter(({ ciks }) => ciks.includes('1') || ciks.includes('2'));
    expect(await rows('SELECT count(*)::INT AS n FROM filings')).toEqual([{ n: theirs.length }]);
    expect(await rows('SELECT kind, value, matches, companies FROM export_unknown ORDER BY value')).toEqual([
      { kind: 'names', value: 'Nobody Inc', matches: 0, companies: null },
      { kind: 'names', value: 'Number 3 Ltd', matches: 0, companies: null },
      { kind: 'names', value: 'Twin', matches: 2, companies: '4 TWIN INC; 5 TWIN INC' },
    ]);
    expect(finished.unknown).toEqual({ kind: 'names', count: 3, some: ['Nobody Inc', 'Number 3 Ltd', 'Twin'] });
    expect(asked.filter(({ path }) => path === 'entity_lookup')).toHaveLength(6);
    await close();
  });

  it('selects nothing, and not everything, if no company is known', async () => {
    const { asked, finished, rows, close } = await exported({ name: 'n.txt', text: 'Nobody\n', key: 'names' }, 10_000);
    expect(await rows('SELECT count(*)::INT AS n FROM filings')).toEqual([{ n: 0 }]);
    expect(finished.unknown).toMatchObject({ count: 1 });
    expect(asked.filter(({ path }) => path === 'filing_lookup')).toEqual([]);
    await close();
  });
});

/** Two attempts at one window, the first of which was given up for dead and still is alive. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { afterEach, describe, expect, it } from 'vitest';
import type { Dependencies } from '../../activities/export/dependencies.ts';
import { FILINGS } from '../../activities/export/paged-lookups.ts';
import { planWindow } from '../../activities/export/plan-window.ts';
import { readWindow } from '../../activities/export/read-window.ts';
import { PagesReadLast, recordsOfWindow, stagePage } from '../../activities/export/staged.ts';
import type { RunReference, WindowRead } from '../../activities/export/types.ts';
import type { Filing } from '../../src/contract/index.ts';
import { type ExportWindow, WindowReading } from '../../src/export/index.ts';
import { type Lake, openLake } from '../../src/lake/index.ts';
import { temporaryFolder } from '../lake/temporary-folder.ts';
import { definitionOf, filingOfLookup } from './lake-of-runs.ts';

const ALL = Array.from({ length: 301 }, (_, i) => filingOfLookup(i + 1, { documents: [] }));
const WINDOW: ExportWindow = { id: 'w', filter: {}, today: '2024-06-30', inexact: null };

let server: Server | null = null;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = null;
});

/** A lookup of all filings; `meanwhile` is done before each answer. */
async function service(meanwhile: (request: number) => Promise<void>): Promise<string> {
  let requests = 0;
  server = createServer((request, response) => {
    const { searchParams } = new URL(request.url!, 'http://localhost');
    const page = ALL.slice(Number(searchParams.get('from') ?? 0), Number(searchParams.get('to') ?? 10_000));
    void meanwhile(++requests).then(() => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ count: ALL.length, filings: page }));
    });
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What the first attempt stages: an answer that the service had cut short. */
function stageCutShort(lake: Lake, first: readonly Filing[]): Promise<boolean> {
  const reading = new WindowReading(WINDOW, 1_000);
  reading.take({ count: ALL.length, truncated: true, received: first.length, records: first.map(FILINGS.sampleOf) });
  return stagePage(lake, 'r', 'w', 0, { state: reading.save(), records: [...first], violations: [] });
}

function world(lake: Lake, base_url: string) {
  const budget = { reserve: async () => ({ granted: 100, reason: null, retry_at: null }), settle: async () => {} };
  const dependencies = {
    apiKey: 'key',
    budget,
    lakes: { at: async () => lake },
    pages: new PagesReadLast(),
    pulse: { tell: () => {} },
  } as unknown as Dependencies;
  const definition = definitionOf('filings', `service: { base_url: "${base_url}", page_size: 1000, method: get }`);
  const run = { run_id: 'r', workflow_id: 'export/t', definition, lake: lake.root } as RunReference;
  const context = { info: { attempt: 2 }, cancellationSignal: new AbortController().signal } as unknown as Context;
  const asActivity = <Result>(activity: () => Promise<Result>) => asyncLocalStorage.run(context, activity);
  return {
    read: () => asActivity(() => readWindow(dependencies, { run, window: WINDOW })),
    plan: (read: Pick<WindowRead, 'pages' | 'promised' | 'found' | 'proven'>) =>
      asActivity(() =>
        planWindow(dependencies, { run, window: 'w', pages: read.pages, plan: 1, record: { window: WINDOW, read } }),
      ),
  };
}

describe('a window that two attempts read', () => {
  it('is read on from the page that the other one staged first', async () => {
    const lake = await openLake(temporaryFolder(), { create: true });
    const url = await service(async (request) => {
      if (request === 1) await stageCutShort(lake, ALL.slice(0, 100));
    });
    const { read: readOn, plan } = world(lake, url);
    const read = await readOn();
    expect(read).toMatchObject({ promised: 301, found: 301, proven: true, pages: 2, split: null });
    const { records } = await recordsOfWindow<Filing>(lake, 'r', 'w', read.pages, FILINGS.keyOf);
    expect(records).toHaveLength(301);
    await plan(read);
    expect(await lake.query('SELECT count(*)::INT AS n FROM filings')).toEqual([{ n: 301 }]);
  });

  it('is not planned where the staging has fewer records than were found', async () => {
    const lake = await openLake(temporaryFolder(), { create: true });
    await stageCutShort(lake, ALL.slice(0, 100));
    const { plan } = world(lake, 'http://127.0.0.1:9');
    await expect(plan({ pages: 1, promised: 301, found: 301, proven: true })).rejects.toThrow(
      'the staging has 100 records of window w, and its reading found 301',
    );
  });
});

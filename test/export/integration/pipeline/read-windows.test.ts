/** Windows that are read and planned together; and two attempts at one, the first of which was taken for dead but lives. */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { FILINGS } from '../../../../src/export/pipeline/lookup/paged-lookups.ts';
import { readWindows } from '../../../../src/export/pipeline/lookup/read-windows.ts';
import { planWindows } from '../../../../src/export/pipeline/plan/plan-windows.ts';
import { PagesReadLast, recordsOfWindow, stagePage } from '../../../../src/export/pipeline/staging/staged-files.ts';
import type { RunReference, WindowRead } from '../../../../src/export/pipeline/types.ts';
import type { Dependencies } from '../../../../src/export/pipeline/worker/dependencies.ts';
import { type ExportWindow, takeReads, WindowReading } from '../../../../src/export/windows/index.ts';
import { entityFilterSchema } from '../../../../src/filings/api/filters.ts';
import type { Filing } from '../../../../src/filings/api/index.ts';
import { type Lake, openLake } from '../../../../src/lake/index.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { type LocalServer, serve } from '../../../support/local-server.ts';
import { dependenciesOf, jobOf } from '../../../support/pipeline/activity-harness.ts';
import { BudgetAlone } from '../../../support/pipeline/budget-alone.ts';
import { definitionOf, filingOfLookup } from '../../../support/pipeline/lake-of-runs.ts';

const ALL = Array.from({ length: 301 }, (_, i) => filingOfLookup(i + 1, { documents: [] }));
const WINDOW: ExportWindow = { id: 'w', filter: {}, today: '2024-06-30', inexact: null };

let server: LocalServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

/** A lookup of all filings, whatever day was requested: each is of that day. `meanwhile` is done before each answer. */
async function service(meanwhile: (request: number, response: ServerResponse) => Promise<void>): Promise<string> {
  let requests = 0;
  server = await serve((request, response) => {
    if (request.url === '/openapi.json') return void response.writeHead(404).end();
    const { searchParams } = new URL(request.url!, 'http://localhost');
    const day = searchParams.get('date_from') ?? searchParams.get('date_to');
    const page = ALL.slice(Number(searchParams.get('from') ?? 0), Number(searchParams.get('to') ?? 10_000)).map(
      ({ filing_date, ...filing }) => ({ ...filing, filing_date: day ?? filing_date }),
    );
    void meanwhile(++requests, response).then(() => {
      if (response.writableEnded || response.destroyed) return;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ count: ALL.length, filings: page, truncated: false }));
    });
  });
  return server.url;
}

/** A page of the first attempt: an answer that the service had cut short. */
function stageCutShort(lake: Lake, first: readonly Filing[]): Promise<boolean> {
  const reading = new WindowReading(WINDOW, 1_000);
  reading.take({ count: ALL.length, truncated: true, received: first.length, records: first.map(FILINGS.sampleOf) });
  return stagePage(lake, 'r', 'w', 0, { state: reading.save(), records: [...first], violations: [] });
}

type Read = Pick<WindowRead, 'pages' | 'promised' | 'found' | 'proven'>;

function world(lake: Lake, base_url: string, more = '', budget = new BudgetAlone(), ofService = '', pageSize = 1_000) {
  const leaving = new AbortController().signal;
  const dependencies = dependenciesOf(lake, { apiKey: 'key', budget, ...jobOf(2), leaving, batchMs: 7_000 });
  const service = `service: { base_url: "${base_url}", page_size: ${pageSize}, method: get${ofService} }`;
  const definition = definitionOf('filings', `${service}\n${more}`);
  const run = { run_id: 'r', workflow_id: 'export/t', definition, lake: lake.root } as RunReference;
  const planAll = (windows: readonly ExportWindow[], reads: readonly Read[], pages = new PagesReadLast()) =>
    planWindows(
      { ...dependencies, pages },
      {
        run,
        batch_id: 'plan-w-1',
        windows: windows.map((window, i) => {
          const read = reads[i]!;
          return { window: window.id, pages: read.pages, plan: 1, record: { window, read } };
        }),
      },
    );
  const readAll = (unread: ExportWindow[], pages = new PagesReadLast(), signal = dependencies.signal) =>
    readWindows({ ...dependencies, ...jobOf(2), pages, signal }, { run, unread });
  return {
    readAll,
    read: async (unread = [WINDOW]) => (await readAll(unread)).reads,
    plan: (read: Read) => planAll([WINDOW], [read]),
    planAll,
  };
}

describe('a window that two attempts read', () => {
  it('is read on from the page that the other one staged first', async () => {
    const lake = await openLake(temporaryFolder(), { create: true });
    const url = await service(async (request) => {
      if (request === 1) await stageCutShort(lake, ALL.slice(0, 100));
    });
    const { read: readOn, plan } = world(lake, url);
    const [read] = await readOn();
    expect(read).toMatchObject({ promised: 301, found: 301, proven: true, pages: 2, split: null });
    const { records } = await recordsOfWindow<Filing>(lake, 'r', 'w', read!.pages, FILINGS.keyOf);
    expect(records).toHaveLength(301);
    await plan(read!);
    expect(await lake.query('SELECT count(*)::INT AS n FROM filings')).toEqual([{ n: 301 }]);
  });

  it('is not planned if the staging has fewer records than were found', async () => {
    const lake = await openLake(temporaryFolder(), { create: true });
    await stageCutShort(lake, ALL.slice(0, 100));
    const { plan } = world(lake, 'http://127.0.0.1:9');
    await expect(plan({ pages: 1, promised: 301, found: 301, proven: true })).rejects.toThrow(
      'the staging has 100 records of window w, but its reading found 301',
    );
  });
});

describe('a window of which two filings change dates in opposite directions between two pages', () => {
  it('is read once more: a filing that was listed with both dates does not stand for the one that was not listed', async () => {
    const lake = await openLake(temporaryFolder(), { create: true });
    const dayOf = (n: number) => `2024-03-${String(n + 1).padStart(2, '0')}`;
    const records = ALL.slice(0, 30).map((filing, n) => ({ ...filing, filing_date: dayOf(n) }));
    let requests = 0;
    server = await serve((request, response) => {
      if (request.url === '/openapi.json') return void response.writeHead(404).end();
      if (++requests === 3) {
        records[2]!.filing_date = dayOf(28);
        records[28]!.filing_date = dayOf(2);
      }
      const { searchParams } = new URL(request.url!, 'http://localhost');
      const sorted = records.toSorted((a, b) => (a.filing_date < b.filing_date ? -1 : 1));
      const filings = sorted.slice(Number(searchParams.get('from') ?? 0), Number(searchParams.get('to')));
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ count: records.length, filings, truncated: false }));
    });
    const { read: readAll } = world(lake, server.url, '', new BudgetAlone(), '', 10);
    const [read] = await readAll();
    expect(read).toMatchObject({ promised: 30, found: 30, proven: true });
    expect(requests).toBe(8);
    const staged = await recordsOfWindow<Filing>(lake, 'r', 'w', read!.pages, FILINGS.keyOf);
    expect(staged.records).toHaveLength(30);
    expect(staged.violations).toMatchObject([{ subject: records[2]!.accession_number }]);
  });
});

describe('windows that name 1,000 companies', () => {
  it('are read until their JSON nears what Temporal takes: all splits nested, every result is below 2 MB', async () => {
    await using lake = await openLake(temporaryFolder(), { create: true });
    const tooMany = async (_request: number, response: ServerResponse) => {
      const from = new URL(response.req.url!, 'http://localhost').searchParams.get('date_from') ?? '1994-01-01';
      const filings = ALL.map((filing) => ({ ...filing, filing_date: from }));
      response.end(JSON.stringify({ count: 5_000_000, filings, truncated: true }));
    };
    const { readAll } = world(lake, await service(tooMany));
    const ciks = Array.from({ length: 1_000 }, (_, i) => String(1_000_000_000 + i));
    const entity_query = entityFilterSchema.parse({ ciks });
    const unread: ExportWindow[] = [{ ...WINDOW, filter: { entity_query } }];
    for (let activities = 0; activities < 4; activities++) {
      const sent = unread.slice(0, 50);
      const result = await readAll(sent);
      expect(result.reads.length).toBeGreaterThan(0);
      expect(JSON.stringify(sent).length, 'input').toBeLessThan(2_000_000);
      expect(JSON.stringify(result).length, 'result').toBeLessThan(2_000_000);
      for (const read of result.reads) takeReads(unread, [read]);
    }
    expect(unread.length).toBeGreaterThan(64);
  });
});

describe('windows that are read together', () => {
  const [FIRST, SECOND]: [ExportWindow, ExportWindow] = [
    { ...WINDOW, id: 'w-1', filter: { date_to: '2024-01-31' } },
    { ...WINDOW, id: 'w-2', filter: { date_from: '2024-02-01' } },
  ];

  /** Each window has the same filings: they moved from one to the other while they were read. */
  async function readBoth(meanwhile: (request: number, response: ServerResponse) => Promise<void> = async () => {}) {
    const lake = await openLake(temporaryFolder(), { create: true });
    return { lake, ...world(lake, await service(meanwhile)) };
  }

  it('are committed together, what two of them have once', async () => {
    const { lake, read, planAll } = await readBoth();
    const reads = await read([FIRST, SECOND]);
    expect(reads.map(({ found, proven }) => [found, proven])).toEqual([
      [301, true],
      [301, true],
    ]);
    const before = await lake.currentVersion();
    const { windows, committed } = await planAll([FIRST, SECOND], reads);
    expect(windows.map(({ known }) => known)).toEqual([0, 0]);
    expect(committed?.version).toBe(before + 1);
    expect(await lake.query('SELECT count(*)::INT AS n FROM filings')).toEqual([{ n: 301 }]);
    expect(await lake.query('SELECT "window" FROM export_windows ORDER BY 1')).toEqual([
      { window: 'w-1' },
      { window: 'w-2' },
    ]);
  });

  it('keep the plans that an earlier attempt has made', async () => {
    const { lake, read, planAll } = await readBoth();
    const reads = await read([FIRST, SECOND]);
    const dead = new PagesReadLast();
    vi.spyOn(dead, 'page').mockImplementation((_lake, _run, window) => {
      if (window === 'w-2') throw new Error('the attempt dies here');
      return undefined;
    });
    await expect(planAll([FIRST, SECOND], reads, dead)).rejects.toThrow('dies here');
    expect(await lake.query('SELECT count(*)::INT AS n FROM filings')).toEqual([{ n: 0 }]);
    await planAll([FIRST, SECOND], reads);
    expect(
      await lake.query('SELECT count(*)::INT AS n, count(DISTINCT "window")::INT AS w FROM export_windows'),
    ).toEqual([{ n: 2, w: 2 }]);
    expect(await lake.query('SELECT count(*)::INT AS n FROM filings')).toEqual([{ n: 301 }]);
  });

  it('are as many as came before the service went away', async () => {
    const { read } = await readBoth(async (request, response) => {
      if (request === 2) response.destroy();
      else if (request > 2) response.writeHead(400).end('{"error":"broken"}');
    });
    const first = await read([FIRST, SECOND]);
    expect(first).toMatchObject([{ found: 301 }]);
    await expect(read([SECOND])).rejects.toThrow();
  });
});

describe('windows that are read several at a time', () => {
  const NAMES = Array.from({ length: 12 }, (_, i) => `2024-01-${String(i + 1).padStart(2, '0')}`);
  const DAYS: ExportWindow[] = NAMES.map((day, i) => ({
    ...WINDOW,
    id: `w-${i + 1}`,
    filter: { date_from: day, date_to: day },
  }));
  const ONE_BY_ONE = 'budget: { max_requests: 1000 }';
  type Answering = (day: string, response: ServerResponse, nth: number) => Promise<void> | undefined;

  /**
   * Three connections, unless the run has a budget. Asked: each window's day, in the order of requests.
   * @param atOnce requests that can be in flight: answers wait for them once, but for the first, which goes alone
   */
  async function several(answering: Answering = () => undefined, atOnce = 3) {
    const lake = await openLake(temporaryFolder(), { create: true });
    const asked: string[] = [];
    const counts = { inFlight: 0, most: 0 };
    const url = await service(async (n, response) => {
      const day = new URL(response.req.url!, 'http://localhost').searchParams.get('date_from')!;
      asked.push(day);
      counts.most = Math.max(counts.most, ++counts.inFlight);
      await sleep(5);
      for (const until = Date.now() + 5_000; n > 1 && counts.most < atOnce && Date.now() < until; ) await sleep(5);
      counts.inFlight--;
      await answering(day, response, asked.filter((other) => other === day).length);
    });
    const of = (more = '') => world(lake, url, more, new BudgetAlone(), ', connections: 3');
    return { lake, asked, counts, of };
  }
  const countOf = (asked: readonly string[], day: string) => asked.filter((other) => other === day).length;

  it('have the result of windows read one after the other, with as many requests', async () => {
    const [together, inTurn] = [await several(), await several(undefined, 1)];
    const result = await together.of().readAll(DAYS);
    expect(result.reads).toEqual((await inTurn.of(ONE_BY_ONE).readAll(DAYS)).reads);
    expect([together.counts.most, inTurn.counts.most]).toEqual([3, 1]);
    expect([...together.asked].sort()).toEqual(NAMES);
    expect(inTurn.asked).toEqual(NAMES);
    expect(result.spent.requests).toBe(12);
  });

  it('are those before one that fails; those after it are not requested again', async () => {
    let isBroken = true;
    const { of, asked } = await several(async (day, response) => {
      // It fails last, when the windows beside it have ended.
      if (day !== NAMES[3] || !isBroken) return;
      await sleep(100);
      response.writeHead(400).end('{"error":"broken"}');
    });
    const { reads } = await of().readAll(DAYS);
    expect(reads).toHaveLength(3);
    await expect(of().readAll(DAYS.slice(3))).rejects.toThrow('broken');
    isBroken = false;
    expect((await of().readAll(DAYS.slice(3))).reads).toHaveLength(9);
    for (const day of NAMES) expect([day, countOf(asked, day)]).toEqual([day, day === NAMES[3] ? 3 : 1]);
  });

  it('repeat only the requests in flight when their worker dies', async () => {
    let isDying = true;
    const death = new AbortController();
    const { of, asked, counts, lake } = await several(async (day) => {
      if (day !== NAMES[6] || !isDying) return;
      isDying = false;
      death.abort(new Error('the worker dies here'));
      await sleep(20);
    });
    await expect(of().readAll(DAYS, new PagesReadLast(), death.signal)).rejects.toThrow('dies here');
    const before = asked.length;
    const { reads } = await of().readAll(DAYS);
    expect(reads.map(({ found, proven }) => [found, proven])).toEqual(DAYS.map(() => [301, true]));
    expect(before).toBeGreaterThanOrEqual(7);
    expect(asked.length - DAYS.length).toBeLessThanOrEqual(counts.most);
    expect(counts.most).toBe(3);
    for (const { id } of DAYS)
      expect((await recordsOfWindow<Filing>(lake, 'r', id, 1, FILINGS.keyOf)).records).toHaveLength(301);
  });

  it('wait for a refusal of too many requests in one of them', async () => {
    const { of, asked } = await several(async (day, response, nth) => {
      if (day === NAMES[4] && nth === 1)
        response.writeHead(429, { 'retry-after': '1' }).end('{"error":"too many requests"}');
    });
    expect((await of().readAll(DAYS)).reads).toHaveLength(12);
    expect([asked.length, countOf(asked, NAMES[4]!)]).toEqual([13, 2]);
  });

  it('send no request beyond a quota that ends meanwhile, and continue with what is staged', async () => {
    let left = 7;
    const { of, asked } = await several(async (_day, response) => {
      response.setHeader('ratelimit-policy', '"requests";q=1000;w=month');
      response.setHeader('ratelimit', `"requests";r=${Math.max(0, --left)};t=3600`);
    });
    const first = await of().readAll(DAYS);
    expect([asked.length, first.stop?.kind]).toEqual([7, 'quota']);
    left = 1_000;
    const { reads } = await of().readAll(DAYS.slice(first.reads.length));
    expect(first.reads.length + reads.length).toBe(12);
    expect(asked).toHaveLength(12);
  });

  it('show with the last part of a split window what none of the parts has', async () => {
    for (const missing of [0, 2]) {
      // The second part answers last.
      const { of, counts } = await several((day) => (day === NAMES[1] ? sleep(50) : undefined), 2);
      const left = 4 * 301 + missing;
      const parts = DAYS.slice(0, 4).map((day, i) => ({ ...day, share: { of: 'w', left, later: 3 - i } }));
      const { reads } = await of().readAll(parts);
      const whole = [301, true];
      const last = [301 + missing, missing === 0];
      expect(reads.map(({ promised, proven }) => [promised, proven])).toEqual([whole, whole, whole, last]);
      expect(counts.most).toBeGreaterThan(1);
    }
  });
});

describe('a budget, while windows are read', () => {
  const DAYS: ExportWindow[] = Array.from({ length: 20 }, (_, i) => {
    const day = `2024-01-${String(i + 1).padStart(2, '0')}`;
    return { ...WINDOW, id: `w-${i + 1}`, filter: { date_from: day, date_to: day } };
  });

  it('of bytes is looked at before each lookup', async () => {
    const lake = await openLake(temporaryFolder(), { create: true });
    let requests = 0;
    const url = await service(async (request) => {
      requests = request;
    });
    // One answer has more.
    const { readAll } = world(lake, url, 'budget: { max_bytes: 10000 }', new BudgetAlone());
    const { reads, stop } = await readAll(DAYS);
    expect([requests, reads.length, stop?.kind]).toEqual([1, 1, 'budget']);
  });

  it('of requests loses a handful to an attempt that dies', async () => {
    const lake = await openLake(temporaryFolder(), { create: true });
    const url = await service(async () => {});
    const budget = new BudgetAlone();
    const { readAll } = world(lake, url, 'budget: { max_requests: 30 }', budget);
    const dying = new PagesReadLast();
    vi.spyOn(dying, 'remember').mockImplementation(() => {
      throw new Error('the attempt dies here');
    });
    budget.isHeard = false;
    await expect(readAll(DAYS, dying)).rejects.toThrow('dies here');
    budget.isHeard = true;
    budget.ahead = 130_000;
    const { reads, stop } = await readAll(DAYS);
    expect([reads.length, stop]).toEqual([20, null]);
  });
});

describe('pages that are kept in memory', () => {
  it('are deleted after planning, unless their filers are still needed', async () => {
    for (const [tables, entities, kept] of [
      ['filings', 'filers', false],
      ['filings, entities', 'filers', true],
      ['filings, entities', 'query', false],
    ] as const) {
      const lake = await openLake(temporaryFolder(), { create: true });
      const select = `{ entities: ${entities}, entity_query: { states: [DE] } }`;
      const run = { run_id: 'r', workflow_id: 'w', definition: definitionOf(tables, '', select), lake: lake.root };
      const pages = new PagesReadLast();
      const page = { state: null, records: [filingOfLookup(1)], violations: [] };
      await stagePage(lake, 'r', 'w', 0, page);
      pages.remember(lake, 'r', 'w', 0, page);
      const dependencies = { lakes: { at: async () => lake }, pages } as unknown as Dependencies;
      const windows = [{ window: 'w', pages: 1, plan: 1, record: null }];
      await planWindows(dependencies, { run, batch_id: 'plan-w-1', windows });
      expect(pages.page(lake, 'r', 'w', 0) !== undefined).toBe(kept);
    }
  });
});

/** Searches in OpenSearch find what the catalog's own index finds, whatever is written, and fail if they can't. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text as bodyOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FilinglakeError } from '../../../../src/core/index.ts';
import type { FulltextSearchParameters } from '../../../../src/filings/api/index.ts';
import { parseQuery } from '../../../../src/service/catalog/fulltext/query.ts';
import {
  backupCatalog,
  type FillSummary,
  fillIndex,
  ingest,
  QueryError,
} from '../../../../src/service/catalog/index.ts';
import type { Answer, Call } from '../../../../src/service/catalog/opensearch/client.ts';
import { openSearchEngine } from '../../../../src/service/catalog/opensearch/engine.ts';
import type { FillOptions } from '../../../../src/service/catalog/opensearch/fill.ts';
import { OpenSearchLink } from '../../../../src/service/catalog/opensearch/link.ts';
import { filterClauses, NotTranslatable, textClause } from '../../../../src/service/catalog/opensearch/translate.ts';
import {
  embeddedEngine,
  type FulltextEngine,
  searchSnapshot,
} from '../../../../src/service/catalog/queries/fulltext-engine.ts';
import { searchFacets } from '../../../../src/service/catalog/queries/search-facets.ts';
import { Statements } from '../../../../src/service/catalog/rows/statements.ts';
import { openToRead } from '../../../../src/service/catalog/store/schema.ts';
import { type OpenSearchServer, startOpenSearch } from '../../../support/catalog/opensearch-server.ts';
import { RandomSearches } from '../../../support/catalog/random-searches.ts';
import { type MadeUpSubmission, ncOf, temporaryFolder, txtOf } from '../../../support/catalog/synthetic-filings.ts';
import { serve } from '../../../support/local-server.ts';
import { runs } from '../../../support/property-runs.ts';
import { seeded } from '../../../support/seeded-chance.ts';
import { TestService } from '../../../support/service/running-service.ts';

const FILINGS = 500;
const cli = join(import.meta.dirname, '../../../../src/cli/main.ts');
const started = await startOpenSearch();
const missing = 'missing' in started ? started.missing : null;

/** Counts what OpenSearch refuses. */
class CountingLink extends OpenSearchLink {
  refused = 0;
  override call(call: Call): Answer {
    const answer = super.call(call);
    if (answer.status === 400) this.refused++;
    return answer;
  }
}

/** A catalog, and both engines over it. */
class TwoEngines {
  readonly folder: string;
  readonly place: string;
  readonly random: RandomSearches;
  readonly known: MadeUpSubmission[] = [];
  readonly link: CountingLink;
  readonly statements: Statements;
  readonly #engines: [own: FulltextEngine, other: FulltextEngine];
  readonly #close: () => void;
  partlyFaceted = 0;
  /** Of searches that OpenSearch can answer */
  translated = { searches: 0, found: 0, hits: 0 };

  private constructor(folder: string, place: string, random: RandomSearches) {
    [this.folder, this.place, this.random] = [folder, place, random];
    const db = openToRead(folder);
    this.statements = new Statements(db);
    this.link = new CountingLink(place, this.statements.stillWanted);
    this.#engines = [embeddedEngine(this.statements), openSearchEngine(this.statements, place, this.link)];
    this.#close = () => {
      this.link.close();
      db.close();
    };
  }

  static async make(place: string, seed: number, filings = FILINGS): Promise<TwoEngines> {
    const folder = join(temporaryFolderOfTests, `catalog-${seed}`);
    const random = new RandomSearches(seeded(seed));
    const known = Array.from({ length: filings }, (_, n) => random.submission(n));
    await store(
      folder,
      known.map((s) => txtOf(s)),
    );
    const both = new TwoEngines(folder, place, random);
    both.known.push(...known);
    return both;
  }

  open(place = this.place, folder = this.folder): TwoEngines {
    const other = new TwoEngines(folder, place, this.random);
    other.known.push(...this.known);
    return other;
  }

  fill(options: FillOptions = {}): Promise<FillSummary> {
    return fillIndex(this.folder, this.place, options);
  }

  close(): void {
    this.#close();
  }

  /** Arrivals, other texts of known filings, and deletions. */
  async change(): Promise<void> {
    const fresh = Array.from({ length: 5 }, () => this.random.submission(10_000 + this.random.number(1_000_000)));
    const again = Array.from({ length: 5 }, () => {
      const before = this.random.pick(this.known);
      return {
        ...before,
        documents: before.documents.map((document) => ({ ...document, content: this.random.text() })),
      };
    });
    const gone = Array.from({ length: 3 }, () => this.random.pick(this.known));
    this.known.push(...fresh);
    await store(
      this.folder,
      [...fresh, ...again].map((s) => txtOf(s)),
    );
    await store(
      this.folder,
      gone.map((s) => ncOf(s, 'DELETION')),
    );
  }

  compare(count: number): void {
    for (let i = 0; i < count; i++) {
      const p = this.#search();
      const order = this.random.pick(['asc', 'desc'] as const);
      const from = this.random.number(this.random.pick([5, 200]));
      const to = from + 1 + this.random.number(60);
      const [own, other] = this.#engines.map((engine) => found(this.statements, engine, p, order, from, to));
      // As text: a comparison of arrays of a thousand numbers takes longer than the searches.
      expect(JSON.stringify(other), JSON.stringify(p)).toBe(JSON.stringify(own));
      // Every tenth, for the time: facets of all hits, and of the newest fifty with counted years.
      for (const most of i % 10 === 0 ? [undefined, { hits: 50, yearHits: 30 }] : []) {
        const [ownFacets, otherFacets] = this.#engines.map((fulltext) =>
          searchFacets({ statements: this.statements, fulltext }, p, most),
        );
        expect(otherFacets).toEqual(ownFacets);
        if (!ownFacets!.isWhole) this.partlyFaceted++;
      }
      if (!this.isTranslated(p)) continue;
      this.translated.searches++;
      this.translated.hits += own!.count;
      if (own!.count > 0) this.translated.found++;
    }
  }

  /** One that the catalog does not refuse as too much work. */
  #search(): FulltextSearchParameters {
    for (;;) {
      const p = this.random.search();
      try {
        parseQuery(p.query!, p.query_type);
        return p;
      } catch (error) {
        if (!(error instanceof QueryError)) throw error;
      }
    }
  }

  isTranslated(p: FulltextSearchParameters): boolean {
    try {
      textClause(parseQuery(p.query!, p.query_type).node);
      filterClauses(p, this.statements);
      return true;
    } catch (error) {
      if (error instanceof NotTranslatable) return false;
      throw error;
    }
  }

  search(p: FulltextSearchParameters = { query: 'the' }) {
    return found(this.statements, this.#engines[1], p, 'desc', 0, 10);
  }
}

let stored = 0;
async function store(folder: string, files: readonly Buffer[]): Promise<void> {
  const files_ = join(temporaryFolderOfTests, `files-${++stored}`);
  mkdirSync(files_);
  for (const [i, bytes] of files.entries()) {
    const file = join(files_, `${i}.txt`);
    writeFileSync(file, bytes);
    // Later than what it replaces.
    utimesSync(file, new Date(), new Date(Date.now() + stored * 1_000));
  }
  await ingest([files_], folder, { threads: 0 });
  rmSync(files_, { recursive: true });
}

function found(
  statements: Statements,
  engine: FulltextEngine,
  p: FulltextSearchParameters,
  order: 'asc' | 'desc',
  from: number,
  to: number,
) {
  return searchSnapshot(statements, () => {
    const hits = engine(parseQuery(p.query!, p.query_type), p);
    const ids = (some: readonly { rowid: number }[]) => some.map(({ rowid }) => rowid);
    const scored = hits.hitsByScore(order, 0, 10_000);
    const falling = scored.map(({ score }) => score!).sort((a, b) => (order === 'asc' ? a - b : b - a));
    expect(JSON.stringify(scored.map(({ score }) => score))).toBe(JSON.stringify(falling));
    return {
      count: hits.countHits(),
      upTo: hits.countHits(7),
      all: ids(hits.hitsByDate(order, 0, 10_000)),
      window: ids(hits.hitsByDate(order, from, to, false)),
      scored: ids(scored).sort((a, b) => a - b),
      scoredWindow: ids(hits.hitsByScore(order, from, to)).length,
    };
  });
}

/** Of the error of a search; null: it is answered */
function codeOf(of: TwoEngines): string | null {
  try {
    of.search();
    return null;
  } catch (error) {
    return (error as FilinglakeError).code;
  }
}

/** Seconds of work of the service's own key this month */
async function workOf(service: TestService): Promise<number> {
  return ((await service.get('usage', '')).json as { work_seconds: number }).work_seconds;
}

const temporaryFolderOfTests = temporaryFolder();

describe.skipIf(missing !== null)(`an index in OpenSearch${missing === null ? '' : ` (${missing})`}`, () => {
  const server = started as OpenSearchServer;
  let both: TwoEngines;
  beforeAll(async () => {
    both = await TwoEngines.make(server.newPlace(), 1);
    await fillIndex(both.folder, both.place);
  });
  afterAll(async () => {
    both.close();
    await server.stop();
  });

  describe('gives the hits, counts, order by date and windows of the own index: 1,000 random searches', () => {
    // Ten tests, for their time on a slow machine.
    it.each(Array.from({ length: 10 }, (_, i) => (i + 1) * 100))('%i of them', (count) => {
      while (both.translated.searches < runs(count)) both.compare(10);
    });

    it('which OpenSearch answers, and which find something', () => {
      // OpenSearch refuses a beginning of too many words inside a phrase: the own index answers.
      expect(both.link.refused).toBeGreaterThan(0);
      expect(both.link.refused).toBeLessThan(runs(500));
      // Engines that find nothing agree too. Each run has the same 1,000 searches: 583 of them find 39,075 hits.
      expect(both.translated.found).toBeGreaterThan(runs(500));
      expect(both.translated.hits).toBeGreaterThan(runs(30_000));
      // With more than fifty hits, of 120 searches.
      expect(both.partlyFaceted).toBeGreaterThan(runs(10));
    });
  });

  it('does so while the catalog is ahead, and after it has followed', async () => {
    for (let round = 0; round < 4; round++) {
      await both.change();
      if (round % 2 === 0) await both.change();
      both.compare(40);
      const { written, deleted } = await both.fill();
      expect(written).toBeGreaterThan(0);
      expect(deleted).toBeGreaterThan(0);
      both.compare(40);
    }
    expect(await both.fill({ check: true })).toMatchObject({ written: 0, deleted: 0, repaired: 0 });
  });

  it('keeps apart a document and a later one with its id', async () => {
    const last = { ...both.random.submission(0), accession: '0009999999-25-000001', date: '2025-05-05' };
    const text = (content: string) => ({ ...last, documents: [{ content }] });
    const idOf = () => both.statements.prepare('SELECT max(id) AS id FROM documents').get()!.id;
    await store(both.folder, [txtOf(text('onlyfirst'))]);
    await both.fill();
    const id = idOf();
    await store(both.folder, [txtOf(text('onlysecond'))]);
    expect(idOf()).toBe(id);
    for (const fills of [false, true]) {
      if (fills) await both.fill();
      expect(both.search({ query: 'onlyfirst' }).count).toBe(0);
      expect(both.search({ query: 'onlysecond' }).all).toEqual([id]);
    }
  });

  it('is right, or refuses, after a kill at any request of a filling, and the next run continues', async () => {
    const few = await TwoEngines.make(server.newPlace(), 2, 30);
    let requests = 0;
    let killAt: { request: number; after: boolean } | null = null;
    let child: ChildProcess | null = null;
    await using between = await serve(async (request, response) => {
      const isIt = killAt !== null && ++requests === killAt.request;
      const end = () => void child!.kill('SIGKILL');
      if (isIt && !killAt!.after) return end();
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const answer = await fetch(`http://127.0.0.1:${server.port}${request.url}`, {
        method: request.method!,
        headers: { 'content-type': 'application/json' },
        ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
      });
      const body = Buffer.from(await answer.arrayBuffer());
      if (isIt) return end();
      response.writeHead(answer.status).end(body);
    });
    const throughProxy = few.place.replace(String(server.port), String(between.port));
    const run = async (request: number, after: boolean) => {
      [requests, killAt] = [0, { request, after }];
      child = spawn(
        process.execPath,
        [cli, 'catalog', 'index', '--catalog', few.folder, '--fulltext', throughProxy, '--json'],
        { stdio: 'ignore' },
      );
      const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
      expect(signal ?? code).toBe(signal === null ? 0 : 'SIGKILL');
      return signal === 'SIGKILL';
    };
    let kills = 0;
    // At each request of a first filling. One that is not disturbed follows, and then the index is deleted.
    for (let request = 2; await run(request >> 1, request % 2 === 1); request++) {
      kills++;
      // After the last write of a filling it is whole.
      const refused = codeOf(few);
      if (refused === null) few.compare(5);
      else expect(refused).toMatch(/^fulltext-index-(unfit|outdated)$/);
      await few.fill();
      few.compare(5);
      expect(await few.fill({ check: true })).toMatchObject({ repaired: 0 });
      await fetch(few.place.replace('opensearch+', ''), { method: 'DELETE' });
    }
    // At each request of one that brings changes. Each run continues where the one before was killed.
    await few.change();
    for (let request = 2; await run(request >> 1, request % 2 === 1); request++) {
      kills++;
      few.compare(5);
      await few.change();
    }
    few.compare(20);
    expect(await few.fill({ check: true })).toMatchObject({ repaired: 0 });
    expect(kills).toBeGreaterThan(20);
    few.close();
  });

  it('is refused if it is of another catalog, or of this one before it was restored', async () => {
    const other = await TwoEngines.make(server.newPlace(), 3, 20);
    expect(codeOf(other)).toBe('fulltext-index-unfit');
    await other.fill();
    const stranger = other.open(both.place);
    expect(codeOf(stranger)).toBe('fulltext-index-unfit');
    await expect(stranger.fill()).rejects.toMatchObject({ code: 'fulltext-index-unfit' });

    const copy = `${other.folder}-copy`;
    await backupCatalog(other.folder, copy);
    await other.change();
    await other.fill();
    const restored = other.open(other.place, copy);
    expect(codeOf(restored)).toBe('fulltext-index-unfit');
    // It comes as far as the index, on another way.
    for (let i = 0; i < 3; i++) await restored.change();
    expect(codeOf(restored)).toBe('fulltext-index-unfit');
    await restored.fill({ refill: true });
    restored.compare(20);
    for (const one of [other, stranger, restored]) one.close();
  });

  it('is refused far behind the catalog, and is not a stranger’s', async () => {
    const behind = await TwoEngines.make(server.newPlace(), 4, 5);
    await behind.fill();
    const db = new DatabaseSync(join(behind.folder, 'catalog.db'));
    db.exec(`INSERT INTO text_changes (document, mark) SELECT (SELECT max(id) FROM documents), random()
      FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20001) SELECT i FROM n)`);
    db.close();
    expect(() => behind.search()).toThrow(expect.objectContaining({ code: 'fulltext-index-unfit' }));
    await behind.fill();
    behind.compare(5);
    behind.close();
    const strange = server.newPlace();
    await fetch(strange.replace('opensearch+', ''), { method: 'PUT' });
    await expect(fillIndex(behind.folder, strange, { refill: true })).rejects.toMatchObject({
      code: 'fulltext-index-unfit',
    });
  });

  it('is repaired by a check', async () => {
    const url = both.place.replace('opensearch+', '');
    const [lost, old] = both.search().all as [number, number];
    const put = async (method: 'PUT' | 'DELETE', id: number, document: object | null) => {
      const { _version = 1 } = (await (await fetch(`${url}/_doc/${id}`)).json()) as { _version?: number };
      const answer = await fetch(`${url}/_doc/${id}?version=${_version}&version_type=external_gte`, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(document === null ? {} : { body: JSON.stringify({ ...document, id, place: 1 }) }),
      });
      expect(answer.ok).toBe(true);
    };
    await put('DELETE', lost, null);
    await put('PUT', old, { text: ['another'] });
    await put('PUT', 2 ** 50, { text: ['the'] });
    await fetch(`${url}/_refresh`, { method: 'POST' });
    expect(both.search({ query: 'the' }).all).not.toContain(lost);
    expect(await both.fill({ check: true })).toMatchObject({ repaired: 3 });
    both.compare(20);
    expect(both.search({ query: 'the' }).all).toContain(lost);
  });

  describe('behind a service', () => {
    it('answers as without it; without OpenSearch searches get 503, and look-ups an answer', async () => {
      const place = server.newPlace();
      const service = await TestService.start({ fulltext: place });
      const { folder } = service.catalog;
      const path = (query: string) => `/v2/fulltext_search?query=${query}&api_key=${service.key}`;
      expect(await service.ask(path('the'))).toMatchObject({ status: 503 });
      const { json: ready } = await service.ask('/readyz');
      expect(ready).toMatchObject({ status: 'ok', fulltext: expect.stringContaining('there is no index') });
      await fillIndex(folder, place);
      const own = await TestService.start();
      for (const query of ['the', 'company', 'annual%20report', 'nothing-like-it']) {
        const [a, b] = await Promise.all([
          service.ask(path(query)),
          own.ask(`/v2/fulltext_search?query=${query}&api_key=${own.key}`),
        ]);
        const plain = ({ json }: { json: unknown }) =>
          JSON.stringify(json, (name, value: unknown) =>
            name === 'score' || name === 'response_bytes' ? undefined : value,
          );
        expect(a!.status).toBe(200);
        expect(plain(a!)).toBe(plain(b!));
      }
      await server.signal('SIGKILL');
      const refused = await service.ask(path('the'));
      expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
      expect(service.logLines.join('')).toContain('Start OpenSearch');
      const isReady = async () => ((await service.ask('/readyz')).json as { fulltext: string }).fulltext;
      await expect.poll(isReady).toContain("can't be asked");
      expect(await service.ask('/readyz')).toMatchObject({ status: 200 });
      expect(await service.ask(`/v2/filing_lookup?api_key=${service.key}`)).toMatchObject({ status: 200 });
      await server.startAgain();
      expect(await service.ask(path('the'))).toMatchObject({ status: 200 });
      await expect.poll(isReady).toBe('ok');
      await service.stop();
      await own.stop();
    });

    it('counts the time of OpenSearch as work of the key', async () => {
      const place = server.newPlace();
      await using slow = await serve(async (request, response) => {
        const body = request.method === 'POST' ? await bodyOf(request) : null;
        const answer = await fetch(`http://127.0.0.1:${server.port}${request.url}`, {
          method: request.method!,
          body,
          headers: { 'content-type': 'application/json' },
        });
        response.writeHead(answer.status).end((await answer.text()).replace(/"took":\d+/, '"took":7000'));
      });
      const service = await TestService.start({ fulltext: place.replace(String(server.port), String(slow.port)) });
      await fillIndex(service.catalog.folder, place);
      expect(await service.get('fulltext_search', 'query=the')).toMatchObject({ status: 200 });
      expect(await workOf(service)).toBeGreaterThanOrEqual(7);
      await service.stop();
    });

    it('ends a search whose time is over while OpenSearch hangs, and counts the time it waited', async () => {
      const place = server.newPlace();
      const service = await TestService.start({ fulltext: place, limits: { readerThreads: 1, deadlineMs: 1_500 } });
      await fillIndex(service.catalog.folder, place);
      const path = `/v2/fulltext_search?query=the&api_key=${service.key}`;
      // On a busy machine the first takes longer.
      await expect.poll(async () => (await service.ask(path)).status).toBe(200);
      await server.signal('SIGSTOP');
      const before = await workOf(service);
      expect(await service.ask(path)).toMatchObject({ status: 503 });
      // The thread answers its caller's end after the caller has got an answer.
      await expect.poll(() => workOf(service)).toBeGreaterThan(before + 1);
      expect(await service.ask(`/v2/filing_lookup?api_key=${service.key}`)).toMatchObject({ status: 200 });
      const fulltext = async () => ((await service.ask('/readyz')).json as { fulltext: string }).fulltext;
      await expect.poll(fulltext).toContain("can't be asked");
      await server.signal('SIGCONT');
      await expect.poll(async () => (await service.ask(path)).status).toBe(200);
      await service.stop();
    });
  });
});

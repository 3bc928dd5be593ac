/** Everything for a test: a catalog of sample filings, the real service over it, a counting proxy in front, homes and lakes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { sampleSubmissions } from '../../src/cli/sample/index.ts';
import { parseExportDefinition } from '../../src/export/definition/parse.ts';
import type { ExportDefinition } from '../../src/export/index.ts';
import type { QuotaPlans } from '../../src/filings/api/index.ts';
import { openLake } from '../../src/lake/index.ts';
import { readAs } from '../../src/lake/views/index.ts';
import { KeyRegister } from '../../src/service/accounts/index.ts';
import { ingest } from '../../src/service/catalog/index.ts';
import { type RunningService, startService } from '../../src/service/index.ts';
import { LocalServer } from './local-server.ts';

export const CHECKOUT = resolve(import.meta.dirname, '../..');

export const TEST_PLANS: QuotaPlans = {
  pricing_url: 'http://127.0.0.1/plans',
  plans: {
    unlimited: { requests_per_month: null, bytes_per_month: null, price: '0', description: 'all there is' },
    small: { requests_per_month: 40, bytes_per_month: null, price: '0', description: 'forty requests a month' },
    large: { requests_per_month: 100_000, bytes_per_month: null, price: '0', description: 'enough' },
  },
};

export interface Road {
  folder: string;
  catalogFolder: string;
  service: RunningService;
  proxy: CountingProxy;
  /** FILINGLAKE_HOME of this test: a Temporal of its own. */
  home: string;
  createKey(plan: 'unlimited' | 'small' | 'large'): string;
  revokeKey(apiKey: string): void;
  /** The clock of the service's months; null: the real clock */
  setClock(now: Date | null): void;
  /** The file of a definition; `parsed`: what is read from it */
  definition(name: string, more?: string): string;
  parsed(name: string, more?: string): ExportDefinition;
  stop(): Promise<void>;
}

/** @param from a number of filings of the sample corpus, or a folder of EDGAR files */
export async function buildRoad(from: number | string, options: { delayMs?: number } = {}): Promise<Road> {
  const folder = mkdtempSync(join(tmpdir(), 'filinglake-road-'));
  const corpus = typeof from === 'string' ? from : join(folder, 'corpus');
  if (typeof from === 'number') {
    for (const { path, bytes } of sampleSubmissions({ filings: from, seed: 7 })) {
      mkdirSync(dirname(join(corpus, path)), { recursive: true });
      writeFileSync(join(corpus, path), bytes);
    }
  }
  const catalogFolder = join(folder, 'catalog');
  await ingest([corpus], catalogFolder, { threads: 0 });
  let clock: Date | null = null;
  // A reader thread costs 0.7 s of CPU to start, and an export of a few filings needs no more than one.
  const limits = { readerThreads: 1 };
  const now = () => clock ?? new Date();
  const service = await startService({ catalogFolder, port: 0, plans: TEST_PLANS, limits, now });
  const proxy = await CountingProxy.start(service.port, options.delayMs ?? 0);
  const accounts = KeyRegister.open(catalogFolder, TEST_PLANS);
  let definitions = 0;
  const road: Road = {
    folder,
    catalogFolder,
    service,
    proxy,
    home: join(folder, 'home'),
    createKey: (plan) => accounts.createKey(plan).api_key,
    revokeKey: (apiKey) => void accounts.revokeKey(apiKey),
    setClock(now) {
      clock = now;
    },
    definition(name, more = '') {
      const file = join(folder, `definition-${definitions++}.yaml`);
      writeFileSync(
        file,
        `name: ${name}
service: { base_url: ${proxy.url}, key: bearer, connections: 4 }
select: {}
tables: [entities, filings, parties, documents, sections, section_contents, items_8k, exhibits_8k, document_contents]
${more}`,
      );
      return file;
    },
    parsed(name, more) {
      const file = road.definition(name, more);
      return parseExportDefinition(readFileSync(file, 'utf8'), file, {}).definition;
    },
    async stop() {
      accounts.close();
      await proxy.close();
      await service.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  return road;
}

/** Passes requests on, counts them and their answers, and lets a test act at the nth. */
export class CountingProxy extends LocalServer {
  requests = 0;
  /** Milliseconds before each answer. */
  delayMs = 0;
  readonly byStatus = new Map<number, number>();
  /** Bytes of the answers' bodies, in order of their end. */
  readonly bodyBytes: number[] = [];
  /** Requests with the key in their address. */
  keysInAddresses = 0;
  /** Paths with their queries but for the key, in order of arrival. */
  readonly asked: string[] = [];
  /** Called with the running number of each request, and its client's port, before it is passed on. */
  onRequest: (n: number, port: number) => void = () => {};
  /** Answers a request instead of the service, or lets it pass (null). */
  fault: (path: string) => { status: number; body: string; type?: string } | null = () => null;
  /** Headers that no answer has. */
  dropped: readonly string[] = [];
  /** Answers wait for it. */
  hold: Promise<void> | null = null;
  /** The answers of some paths wait for its promise. */
  holdSome: (path: string) => Promise<void> | null = () => null;
  /** Requests that wait for their answer. */
  inFlight = 0;
  readonly #upstreamPort: number;

  private constructor(upstreamPort: number, delayMs: number) {
    super();
    this.#upstreamPort = upstreamPort;
    this.delayMs = delayMs;
  }

  static start(upstreamPort: number, delayMs: number): Promise<CountingProxy> {
    return new CountingProxy(upstreamPort, delayMs).listen();
  }

  /** Acts before the nth request is passed on. @returns when it has */
  atRequest(n: number, act: () => unknown = () => {}): Promise<void> {
    return new Promise((settle) => {
      this.onRequest = (now) => {
        if (now === n) settle(void act());
      };
    });
  }

  refused(): number {
    return this.byStatus.get(429) ?? 0;
  }

  protected answer(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method = 'GET', url = '/', headers } = incoming;
    const [port, delayMs] = [this.#upstreamPort, this.delayMs];
    if (url === '/openapi.json') {
      const described = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      described.on('error', () => outgoing.destroy());
      described.end();
      return;
    }
    this.requests++;
    if (url.includes('api_key=')) this.keysInAddresses++;
    this.asked.push(url.replace(/api_key=[^&]*&?/, ''));
    this.onRequest(this.requests, incoming.socket.remotePort ?? 0);
    this.inFlight++;
    outgoing.on('close', () => this.inFlight--);
    const fault = this.fault(this.asked.at(-1)!);
    if (fault !== null) {
      this.#count(fault.status);
      incoming.resume();
      outgoing.writeHead(fault.status, { 'content-type': fault.type ?? 'text/html' }).end(fault.body);
      return;
    }
    const upstream = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      this.#count(answer.statusCode ?? 0);
      for (const name of this.dropped) delete answer.headers[name];
      setTimeout(async () => {
        await (this.holdSome(url) ?? this.hold);
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        let bytes = 0;
        answer.on('data', (chunk: Buffer) => {
          bytes += chunk.length;
        });
        answer.on('end', () => this.bodyBytes.push(bytes));
        answer.pipe(outgoing);
      }, delayMs);
    });
    upstream.on('error', () => outgoing.destroy());
    // A client that was killed leaves its request half done.
    incoming.on('error', () => upstream.destroy());
    outgoing.on('error', () => upstream.destroy());
    incoming.pipe(upstream);
  }

  #count(status: number): void {
    this.byStatus.set(status, (this.byStatus.get(status) ?? 0) + 1);
  }

  /** From now on connections are refused; those that are open break. @returns the port, for `comeBack` */
  goAway(): number {
    const { port } = this;
    void this.close();
    return port;
  }

  async comeBack(port: number): Promise<void> {
    await this.listen(port);
  }
}

export interface Command {
  process: ChildProcess;
  /** JSON lines of its standard output so far. */
  events: Record<string, unknown>[];
  stderr: () => string;
  /** Waits for an event; rejects when the command ends without it. */
  event(matches: (event: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
  ended: Promise<number | null>;
}

/** Runs a filinglake command with a home and a key of its own. @param checkout of the release to run */
export function runCommand(args: readonly string[], env: Record<string, string>, checkout = CHECKOUT): Command {
  const child = spawn(process.execPath, [join(checkout, 'src/cli/main.ts'), ...args], {
    cwd: checkout,
    env: { ...process.env, TEMPORAL_ADDRESS: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const events: Record<string, unknown>[] = [];
  const listeners = new Set<() => void>();
  let errors = '';
  child.stderr.on('data', (data: Buffer) => {
    errors += data.toString();
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('{')) events.push(JSON.parse(line) as Record<string, unknown>);
    for (const listener of listeners) listener();
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    process: child,
    events,
    stderr: () => errors,
    ended,
    event: (matches) =>
      new Promise((settle, reject) => {
        const look = () => {
          const found = events.find(matches);
          if (found) settle(found);
          return found !== undefined;
        };
        if (look()) return;
        const listener = () => look() && listeners.delete(listener);
        listeners.add(listener);
        void ended.then(
          (code) => look() || reject(new Error(`the command ended (${code}) without the event: ${errors}`)),
        );
      }),
  };
}

/** Columns that differ between two runs that fetched the same. */
const OF_THE_RUN: Record<string, string[]> = {
  coverage: ['fetched_at', 'run_id'],
  entities: ['fetched_at'],
  export_windows: ['run_id'],
  export_failures: ['run_id', 'first_reported_by'],
};

/**
 * All rows of a lake but those about runs, in the order of their keys: equal for lakes that hold the same.
 * @param without a document whose content is left out
 */
export async function contentsOf(folder: string, without?: string): Promise<Record<string, unknown[]>> {
  await using lake = await openLake(folder);
  const contents: Record<string, unknown[]> = {};
  for (const table of lake.presentTables(await lake.snapshot()).values()) {
    if (['export_runs', 'export_plans', 'export_passes'].includes(table.name)) continue;
    const columns = table.columns.map((c) => c.name).filter((name) => !OF_THE_RUN[table.name]?.includes(name));
    const key = table.key.filter((name) => columns.includes(name)).join(', ');
    const where = table.name === 'document_contents' && without ? `WHERE document_id != '${without}'` : '';
    contents[table.name] = await lake.query(
      `SELECT ${columns.map((c) => `"${c}"`).join(', ')} FROM ${readAs(table.name)} ${where} ORDER BY ${key.replace('window', '"window"')}`,
    );
  }
  return contents;
}

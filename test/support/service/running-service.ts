/** A real service on a free port over a small catalog, asked by a real HTTP client. */
import pino from 'pino';
import { Client, type Dispatcher } from 'undici';
import type { QuotaPlans } from '../../../src/filings/api/index.ts';
import { KeyRegister } from '../../../src/service/accounts/index.ts';
import { type RunningService, type ServiceOptions, startService } from '../../../src/service/index.ts';
import { type MadeFiling, makeSmallCatalog, type SmallCatalog } from './small-catalog.ts';

export const PLANS: QuotaPlans = {
  pricing_url: 'https://plans.example/prices',
  plans: {
    unlimited: { requests_per_month: null, bytes_per_month: null, price: '', description: '' },
    free: { requests_per_month: 100, bytes_per_month: 1_000_000, price: '', description: '' },
    twenty: { requests_per_month: 20, bytes_per_month: null, price: '', description: '' },
    roomy: { requests_per_month: 10_000, bytes_per_month: null, price: '', description: '' },
    narrow: { requests_per_month: null, bytes_per_month: 1_000, price: '', description: '' },
  },
};

export interface Asked {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  bytes: Buffer;
  /** The body as JSON; undefined if it is not JSON */
  json: unknown;
}

export interface AskOptions {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export class TestService {
  readonly service: RunningService;
  readonly catalog: SmallCatalog;
  readonly accounts: KeyRegister;
  readonly logLines: string[];
  readonly key: string;
  readonly #client: Client;

  private constructor(service: RunningService, catalog: SmallCatalog, logLines: string[]) {
    this.service = service;
    this.catalog = catalog;
    this.logLines = logLines;
    this.accounts = KeyRegister.open(catalog.folder, PLANS);
    this.key = this.newKey('unlimited');
    this.#client = new Client(service.url, { allowH2: false });
  }

  static async start(
    options: Partial<ServiceOptions> & { more?: number; others?: readonly MadeFiling[]; over?: SmallCatalog } = {},
  ): Promise<TestService> {
    const { more = 0, others = [], over, limits = {}, ...rest } = options;
    const catalog = over ?? (await makeSmallCatalog(more, others));
    const logLines: string[] = [];
    const logger = pino({ level: 'info' }, { write: (line: string) => void logLines.push(line) });
    const service = await startService({
      catalogFolder: catalog.folder,
      port: 0,
      plans: PLANS,
      logger,
      ...rest,
      limits: { readerThreads: 1, ...limits },
    });
    return new TestService(service, catalog, logLines);
  }

  newKey(plan: string): string {
    return this.accounts.createKey(plan).api_key;
  }

  /** What a key has used this month. */
  used(key: string): { requests: number; bytes: number } {
    const { requests, bytes } = this.accounts.listKeys().find(({ prefix }) => key.startsWith(prefix))!;
    return { requests, bytes };
  }

  /** Requests a path unchanged; a body that isn't a text is sent as JSON. */
  async ask(path: string, options: AskOptions = {}): Promise<Asked> {
    const { body, method = 'GET' } = options;
    const text = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const json = text === undefined ? {} : { 'content-type': 'application/json' };
    const response = await this.#client.request({
      path,
      method: method as Dispatcher.HttpMethod,
      headers: { ...json, ...options.headers },
      ...(text === undefined ? {} : { body: text as string | Buffer }),
    });
    const bytes = Buffer.from(await response.body.arrayBuffer());
    return { status: response.statusCode, headers: response.headers, bytes, json: jsonOf(bytes) };
  }

  /** Asks an operation with this service's own key. */
  get(operation: string, query: string, options: AskOptions = {}): Promise<Asked> {
    return this.ask(`/v2/${operation}?api_key=${this.key}${query === '' ? '' : `&${query}`}`, options);
  }

  /** The catalog stays. */
  async stop(): Promise<void> {
    await this.#client.close();
    await this.service.close();
    this.accounts.close();
  }
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

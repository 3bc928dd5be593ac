/** The service, put together and started: catalog threads, accounts, renderer, HTTP. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FastifyBaseLogger } from 'fastify';
import pino from 'pino';
import { Accounts, Catalog, type CatalogTotals, loadPlans } from '../catalog/index.ts';
import type { Plans } from '../contract/index.ts';
import { createApp } from './http/app.ts';
import { DEFAULT_LIMITS, DRAIN_TIMEOUT_MS, type ServiceLimits } from './http/limits.ts';
import { listen } from './http/listen.ts';
import { PdfRenderer } from './pdf/pdf-renderer.ts';
import { ReaderPool } from './readers/reader-pool.ts';

export interface ServiceOptions {
  catalogFolder: string;
  /** 0: any free port */
  port: number;
  /** Default 127.0.0.1: who wants to be reached from elsewhere says so */
  host?: string;
  /** A taken port is an error; else the next free one is taken */
  strictPort?: boolean;
  /** Default: those of config/plans.yaml */
  plans?: Plans;
  /** Default: errors only, as JSON lines on stderr */
  logger?: FastifyBaseLogger;
  limits?: Partial<ServiceLimits>;
  /** The clock that months are told by */
  now?: () => Date;
}

export interface RunningService {
  url: string;
  port: number;
  /** What the catalog held when the service started */
  totals: CatalogTotals;
  /** Ends the service: what is under way is answered, what still comes in gets 503. */
  close(): Promise<void>;
}

/** @throws FilinglakeError `catalog-missing`, `catalog-version`, `catalog-unreadable`, `catalog-unwritable`, `plans-invalid`, `port-taken`, `cannot-listen` */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { catalogFolder, host = '127.0.0.1', now = () => new Date() } = options;
  const limits: ServiceLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const plans = options.plans ?? loadPlans();
  const logger = options.logger ?? pino({ level: 'error' }, pino.destination(2));
  const totals = totalsOf(catalogFolder);
  const accounts = accountsOf(catalogFolder, plans);
  const readers = await ReaderPool.start(catalogFolder, limits.readerThreads);
  const pdfs = new PdfRenderer({ catalogFolder, ...limits }, logger);
  let closing = false;
  const app = createApp({
    ...{ readers, pdfs, accounts, logger, now },
    pricingUrl: plans.pricing_url,
    maxResponseBytes: limits.maxResponseBytes,
    version: packageVersion(),
    isClosing: () => closing,
  });
  const release = async () => {
    await Promise.all([readers.close(), pdfs.close()]);
    accounts.close();
  };
  try {
    const port = await listen(app, host, options.port, options.strictPort ?? false);
    let closed: Promise<void> | null = null;
    const close = async () => {
      closing = true;
      const deadline = setTimeout(() => app.server.closeAllConnections(), DRAIN_TIMEOUT_MS);
      await app.close();
      clearTimeout(deadline);
      await release();
    };
    return {
      url: urlOf(host, port),
      port,
      totals,
      close: () => {
        closed ??= close();
        return closed;
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Opens the catalog here once: a missing one is told before any thread starts. */
function totalsOf(catalogFolder: string): CatalogTotals {
  const catalog = Catalog.open(catalogFolder);
  try {
    return catalog.totals();
  } finally {
    catalog.close();
  }
}

/** Every request is counted: where that can't be written down, the service would answer none. */
function accountsOf(catalogFolder: string, plans: Plans): Accounts {
  const accounts = Accounts.open(catalogFolder, plans);
  try {
    accounts.requireWritable();
    return accounts;
  } catch (error) {
    accounts.close();
    throw error;
  }
}

function packageVersion(): string {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (!existsSync(file)) continue;
    const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as { name?: string; version?: string };
    if (name === 'filinglake' && version !== undefined) return version;
  }
  return 'unknown';
}

/** A host that stands for every address of the machine is no address to connect to. */
function urlOf(host: string, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

/** The service, put together and started: catalog threads, accounts, renderer, HTTP. */
import type { Server } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import pino from 'pino';
import type { QuotaPlans } from '../filings/api/index.ts';
import { AccountDesk, type AccountSettings, isPostgres, loadPlans, openQuotas } from './accounts/index.ts';
import { JSON_TYPE } from './answers/outcome.ts';
import { Catalog, type CatalogTotals } from './catalog/index.ts';
import { gaugesOf, METRICS_TYPE } from './gauges.ts';
import { PatientQuotas } from './http/account-book.ts';
import { createApp, type OpenPath } from './http/app.ts';
import { DEFAULT_LIMITS, LEAST_BYTES_PER_SECOND, type ServiceLimits } from './http/limits.ts';
import { listen } from './http/listen.ts';
import { addMcp, type OpenTools } from './http/mcp-route.ts';
import { PendingAnswers } from './http/pending-answers.ts';
import type { TlsFiles } from './http/server.ts';
import { loggedError } from './http/shown-text.ts';
import { watchServer } from './http/watch-server.ts';
import { Metrics } from './metrics.ts';
import { PdfRenderer } from './pdf/pdf-renderer.ts';
import { QuickLookUps } from './readers/quick-look-ups.ts';
import { ReaderPool } from './readers/reader-pool.ts';
import { WorkBudget } from './readers/work-budget.ts';
import { Readiness } from './readiness.ts';
import { Looks } from './site/look.ts';
import { packageVersion } from './site/package-file.ts';
import { addSite } from './site/site.ts';
import { visitorOf } from './site/visit.ts';

/** For the 503s at shutdown. */
const LAST_ANSWERS_MS = 1_000;

export interface ServiceOptions {
  catalogFolder: string;
  /** 0: any free port */
  port: number;
  /** Default 127.0.0.1: other machines can't connect */
  host?: string;
  /** A taken port is an error. Otherwise the next free one is used */
  strictPort?: boolean;
  /** `opensearch+https://…`: the index that answers searches. Default: that of the catalog */
  fulltext?: string;
  /** Default: those of config/plans.yaml */
  plans?: QuotaPlans;
  /** Default: errors only, as JSON lines on stderr */
  logger?: FastifyBaseLogger;
  limits?: Partial<ServiceLimits>;
  /** HTTPS in place of HTTP: certificate chain and private key, as PEM */
  tls?: TlsFiles;
  /** Addresses or networks of proxies whose X-Forwarded-For is trusted */
  trustedProxies?: readonly string[];
  /** Address of `/readyz` and `/metrics`. Default: that of the service */
  metrics?: { host: string; port: number };
  /** The clock for the months of quotas */
  now?: () => Date;
  /** Mail and billing of accounts */
  accounts?: AccountSettings;
  /** The address at which users reach the service, if not at the address that it listens on */
  publicUrl?: string;
  /** Tools for agents at /mcp. Default: no such path */
  tools?: OpenTools;
  /** false: neither pages nor accounts, only /v2 */
  pages?: boolean;
}

export interface RunningService {
  url: string;
  port: number;
  /** The content of the catalog when the service started */
  totals: CatalogTotals;
  /** Problems at the start that don't stop the service */
  warnings: string[];
  /** Its paths: `GET /v2/document` … */
  routes: readonly string[];
  /** Ends the service: active requests are answered, new ones get 503. */
  close(): Promise<void>;
}

/** @throws FilinglakeError `catalog-missing`, `catalog-unsupported`, `catalog-unreadable`, `catalog-unwritable`, `quota-plans-invalid`, `address-unusable` */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { catalogFolder, host = '127.0.0.1', now: clock = () => new Date() } = options;
  const limits: ServiceLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const plans = options.plans ?? loadPlans();
  const logger = options.logger ?? pino({ level: 'error' }, pino.destination(2));
  const budget = new WorkBudget();
  const catalog = Catalog.open(catalogFolder, { neverWait: true, stillWanted: budget.spend });
  const totals = catalog.totals();
  const place = options.accounts?.database ?? catalogFolder;
  const accounts = new PatientQuotas(await openQuotas(place, plans, limits.accountsWaitMs), limits.accountsWaitMs);
  const now = () => accounts.timeOf(clock());
  const pending = new PendingAnswers(
    { idleMs: limits.unreadTimeoutMs, leastBytesPerSecond: LEAST_BYTES_PER_SECOND },
    () => readers.wake(),
  );
  const readers = await ReaderPool.start(catalogFolder, {
    threads: limits.readerThreads,
    fulltext: options.fulltext,
    ...(limits.deadlineMs === undefined ? {} : { deadlineMs: limits.deadlineMs }),
    mayStart: (key) => pending.hasRoom(key),
    onLostThread: (reason) => logger.warn(reason),
  });
  const pdfs = new PdfRenderer({ catalogFolder, ...limits }, logger);
  const parts = { accounts, readers, pdfs, pending, catalog, totals };
  const metrics = new Metrics(gaugesOf(parts, () => app.server, now));
  const readiness = new Readiness({ ...parts, hasAccountsFile: !isPostgres(place), fulltext: options.fulltext }, now);
  let closing = false;
  const scheme = options.tls ? 'https' : 'http';
  let ownUrl = urlOf(host, options.port, scheme);
  const addressOf = (path: string) => new URL(path, options.publicUrl ?? ownUrl).href;
  const desk =
    options.pages === false
      ? null
      : await AccountDesk.open({
          ...options.accounts,
          catalogFolder,
          plans,
          now,
          addressOf,
          neverWait: true,
          onFailure: (error) => logger.error({ err: loggedError(error) }, 'a mail or a sign-up failed'),
        });
  const looksOf = (ofDesk: AccountDesk) =>
    new Looks(readers, async (request) => {
      const visitor = await visitorOf(request, { desk: ofDesk, now, addressOf });
      return visitor?.account.id ?? null;
    });
  const watched: OpenPath[] = [
    {
      path: '/readyz',
      summary: 'Whether the service can answer now, part by part',
      contentType: JSON_TYPE,
      statuses: { 200: 'Every part works', 503: 'A part does not work; its member says why' },
      answer: () => readiness.answer(),
    },
    {
      path: '/metrics',
      summary: 'Counters and gauges for Prometheus',
      contentType: METRICS_TYPE,
      statuses: { 200: 'Prometheus text format 0.0.4' },
      answer: async () => ({ status: 200, body: metrics.text() }),
    },
  ];
  const app = createApp({
    readers,
    pdfs,
    accounts,
    pending,
    logger,
    now,
    accessLog: metrics,
    usage: accounts,
    quick: new QuickLookUps(catalog, budget, limits.maxResponseBytes),
    // Plans may change while the service runs.
    get pricingUrl() {
      return addressOf(plans.pricing_url);
    },
    addPaths: (to) => {
      // A certificate is of the name that users call.
      const address = () => (options.tls && options.publicUrl) || ownUrl;
      if (options.tools) addMcp(to, { accounts, publicUrl: options.publicUrl, address, tools: options.tools });
      if (desk) addSite(to, { desk, plans, now, addressOf, pdfs, pending, totals, looks: looksOf(desk) });
    },
    maxResponseBytes: limits.maxResponseBytes,
    maxConnections: limits.maxConnections,
    maxConnectionsOfAddress: limits.maxConnectionsOfAddress ?? Math.ceil(limits.maxConnections / 4),
    headersTimeoutMs: limits.headersTimeoutMs,
    bodyBytesMax: limits.bodyBytesMax,
    version: packageVersion(),
    ...(options.tls ? { tls: options.tls } : {}),
    ...(options.trustedProxies ? { trustedProxies: options.trustedProxies } : {}),
    isClosing: () => closing,
    openPaths: options.metrics ? [] : watched,
  });
  let watch: Server | null = null;
  const release = async () => {
    await Promise.all([readers.close(), pdfs.close()]);
    await Promise.all([accounts.close(), desk?.close()]);
    catalog.close();
  };
  try {
    if (options.metrics) watch = await watchServer(watched, options.metrics);
    const port = await listen(app, host, options.port, options.strictPort ?? false);
    ownUrl = urlOf(host, port, scheme);
    let closed: Promise<void> | null = null;
    const close = async () => {
      closing = true;
      // After the deadline, waiting and running requests are answered 503. Clients that don't read it are disconnected.
      const deadline = setTimeout(() => void Promise.all([readers.close(), pdfs.close()]), limits.drainTimeoutMs);
      const end = setTimeout(() => app.server.closeAllConnections(), limits.drainTimeoutMs + LAST_ANSWERS_MS);
      await app.close();
      clearTimeout(deadline);
      clearTimeout(end);
      watch?.close();
      watch?.closeAllConnections();
      await release();
    };
    return {
      url: ownUrl,
      port,
      totals,
      routes: app.routes,
      warnings: [
        ...catalog.missingPacks().map((file) => `pack ${file} is missing: its documents can't be given`),
        ...(await accounts.missingPlans()).map(
          (plan) => `keys have the plan '${plan}', which the plans file doesn't have`,
        ),
      ],
      close: () => {
        closed ??= close();
        return closed;
      },
    };
  } catch (error) {
    watch?.close();
    await release();
    throw error;
  }
}

/** Clients can't connect to a host that means every address of the machine. */
function urlOf(host: string, port: number, scheme: 'http' | 'https'): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `${scheme}://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

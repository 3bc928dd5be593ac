/** `filinglake serve`: the /v2 service over a catalog, until it is ended. */
import { once } from 'node:events';
import { Command } from 'commander';
import { FilinglakeError, shellWord } from '../../core/index.ts';
import type { QuotaPlans } from '../../filings/api/index.ts';
import { LivePlans, loadPlans, openKeys } from '../../service/accounts/index.ts';
import {
  type OpenTools,
  openLog,
  type RunningService,
  readTlsFiles,
  readTrustedProxies,
  type ServiceOptions,
  startService,
} from '../../service/index.ts';
import { ACCOUNTS_OPTION, accountSettings, accountsDatabase } from '../terminal/account-settings.ts';
import { FULLTEXT_OPTION, fulltextPlace } from '../terminal/fulltext-place.ts';
import { watchInterrupts } from '../terminal/interruption.ts';
import { metricsAddress, wholeNumber } from '../terminal/option-values.ts';
import { packageVersion } from '../terminal/package-version.ts';
import { counted, printJson } from '../terminal/terminal.ts';

const DEFAULT_PORT = 8080;

interface Options {
  catalog: string;
  accounts?: string;
  fulltext?: string;
  port?: number;
  host: string;
  plans?: string;
  strictPort?: boolean;
  maxResponseBytes?: number;
  threads?: number;
  maxConnections?: number;
  maxConnectionsPerAddress?: number;
  pdfLanes?: number;
  pages: boolean;
  tlsCert?: string;
  tlsKey?: string;
  trustProxy?: string;
  metrics?: { host: string; port: number };
  verbose?: boolean;
  log?: string;
  json?: boolean;
}

export function command(): Command {
  return new Command('serve')
    .description('Serve a catalog over HTTP: lookups, full text, documents, sections and PDFs under /v2')
    .requiredOption('--catalog <dir>', 'folder of the catalog')
    .option(...ACCOUNTS_OPTION)
    .option(...FULLTEXT_OPTION)
    .option(
      '--port <n>',
      `port; 0 takes any free one. Default: ${DEFAULT_PORT}, or the next free one if that is taken`,
      wholeNumber('--port', 0, 65_535),
    )
    .option('--strict-port', 'end with an error if the default port is taken, as with --port')
    .option('--host <host>', 'address to listen on; 0.0.0.0 for all addresses of the machine', '127.0.0.1')
    .option('--plans <file>', 'plans file (default: the plans that come with filinglake)')
    .option(
      '--max-response-bytes <n>',
      'cut pages with longer JSON short (truncated)',
      wholeNumber('--max-response-bytes', 1024, 2 ** 30),
    )
    .option(
      '--threads <n>',
      'number of threads that read the catalog (default: the processors plus one)',
      wholeNumber('--threads', 1, 256),
    )
    .option(
      '--max-connections <n>',
      'connections at once; further ones are closed at once (4096)',
      wholeNumber('--max-connections', 1, 1_000_000),
    )
    .option(
      '--max-connections-per-address <n>',
      'of them from one address (IPv6: one /64 network); proxies of --trust-proxy are exempt (a quarter)',
      wholeNumber('--max-connections-per-address', 1, 1_000_000),
    )
    .option(
      '--pdf-lanes <n>',
      'PDFs made at a time, each with a browser (default: the processors less one, 1 to 4)',
      wholeNumber('--pdf-lanes', 1, 64),
    )
    .option('--no-pages', 'only /v2: neither pages nor accounts')
    .option('--tls-cert <file>', 'serve HTTPS: certificate chain, PEM; needs --tls-key')
    .option('--tls-key <file>', 'private key of --tls-cert, PEM')
    .option(
      '--trust-proxy <addresses>',
      'proxies, separated by commas, whose X-Forwarded-For names the caller: in the log, and for limits by address',
    )
    .option(
      '--metrics <address>',
      'serve /metrics and /readyz at this port or HOST:PORT alone, hidden from users',
      metricsAddress,
    )
    .option('--verbose', 'log every request to stderr, a JSON line each (without it only failures)')
    .option('--log <file>', 'log every request to this file; SIGHUP opens it again')
    .option('--json', 'once listening print {"url", "port"} to stdout')
    .addHelpText(
      'after',
      `
Examples:
  filinglake serve --catalog ./catalog
  filinglake serve --catalog ./catalog --accounts postgres://filinglake@db.example.org/accounts
  filinglake serve --catalog ./catalog --port 9000 --host 0.0.0.0 --log service.log
  curl "http://127.0.0.1:8080/v2/filing_lookup?api_key=$FILINGLAKE_API_KEY&form_types=10-K"

Keys: filinglake keys create --plan unlimited --catalog ./catalog`,
    )
    .action(serve);
}

/** Loaded with the first request: most services have no callers of tools. */
const tools: OpenTools = async (address, onFault) => {
  const { ServiceTools } = await import('../../agents/index.ts');
  return new ServiceTools(address, packageVersion(), onFault);
};

async function serve(options: Options): Promise<void> {
  const first = loadPlans(options.plans);
  const { logger, reopen } = openLog({
    file: options.log ?? null,
    everyRequest: options.verbose === true || options.log !== undefined,
  });
  const plans = new LivePlans(options.plans, (error) => {
    if (error === null) logger.info('the plans file has changed');
    else logger.error({ err: error }, 'the plans file has changed and can not be read: the plans before hold');
  });
  try {
    const service = await startService({ ...serviceOptions(options), plans, logger, tools });
    announce(service, options);
    for (const warning of service.warnings) process.stderr.write(`warning: ${warning}\n`);
    if (!options.json) await hintAtKeys(options, first);
    // `logrotate` moves the file and sends this signal. Without a log file it ends the service, as usual.
    if (options.log !== undefined) process.on('SIGHUP', reopen);
    const interruption = watchInterrupts();
    await once(interruption.signal, 'abort');
    process.stderr.write('ending: active requests are answered first (again: at once)\n');
    await service.close();
  } finally {
    plans.close();
  }
}

function serviceOptions(options: Options): ServiceOptions {
  const { publicUrl, ...accounts } = accountSettings(options.accounts);
  const fulltext = fulltextPlace(options.fulltext);
  const { maxResponseBytes, threads, pdfLanes, maxConnections, maxConnectionsPerAddress } = options;
  const tls = tlsOf(options);
  return {
    catalogFolder: options.catalog,
    port: options.port ?? DEFAULT_PORT,
    host: options.host,
    // A user who names a port gives it to others. On another port they would reach another program.
    strictPort: options.port !== undefined || options.strictPort === true,
    accounts,
    ...(fulltext === undefined ? {} : { fulltext }),
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(options.metrics === undefined ? {} : { metrics: options.metrics }),
    pages: options.pages,
    ...(tls ? { tls } : {}),
    ...(options.trustProxy === undefined ? {} : { trustedProxies: readTrustedProxies(options.trustProxy) }),
    limits: {
      ...(maxResponseBytes === undefined ? {} : { maxResponseBytes }),
      ...(threads === undefined ? {} : { readerThreads: threads }),
      ...(pdfLanes === undefined ? {} : { pdfLanes }),
      ...(maxConnections === undefined ? {} : { maxConnections }),
      ...(maxConnectionsPerAddress === undefined ? {} : { maxConnectionsOfAddress: maxConnectionsPerAddress }),
    },
  };
}

function tlsOf({ tlsCert, tlsKey }: Options): ServiceOptions['tls'] {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert !== undefined && tlsKey !== undefined) return readTlsFiles({ certFile: tlsCert, keyFile: tlsKey });
  throw new FilinglakeError('argument-missing', '--tls-cert and --tls-key go together, and one of them is missing');
}

function announce({ url, port, totals }: RunningService, options: Options): void {
  if (options.port === undefined && port !== DEFAULT_PORT) {
    process.stderr.write(`port ${DEFAULT_PORT} is taken; port ${port} is used instead\n`);
  }
  if (options.json) {
    printJson({ url, port });
    return;
  }
  const span = totals.date_from === null ? '' : ` of ${totals.date_from} to ${totals.date_to}`;
  const counts = `${counted(totals.filings, 'filing')}${span}, ${counted(totals.documents, 'document')}, ${counted(totals.entities, 'entity', 'entities')}`;
  process.stdout.write(`${url} serves ${counts}\n`);
}

/** A service without keys answers 401 to everybody: print that first. */
async function hintAtKeys({ catalog, accounts }: Options, plans: QuotaPlans): Promise<void> {
  const register = await openKeys(accountsDatabase(accounts) ?? catalog, plans);
  const keys = await register.listKeys();
  await register.close();
  if (!keys.some((key) => key.revoked_at === null && key.closed_at === null))
    process.stderr.write(`no key yet: filinglake keys create --plan unlimited --catalog ${shellWord(catalog)}\n`);
}

/** `filinglake serve`: the /v2 service over a catalog, until it is ended. */
import { once } from 'node:events';
import { Command } from 'commander';
import pino from 'pino';
import type { QuotaPlans } from '../../api/index.ts';
import { Accounts, LivePlans } from '../../catalog/index.ts';
import { FilinglakeError, shellWord, systemErrorWords } from '../../core/index.ts';
import { type RunningService, startService } from '../../service/index.ts';
import { accountSettings } from '../terminal/account-settings.ts';
import { watchInterrupts } from '../terminal/interruption.ts';
import { wholeNumber } from '../terminal/option-values.ts';
import { counted, printJson } from '../terminal/terminal.ts';

const DEFAULT_PORT = 8080;

interface Options {
  catalog: string;
  port?: number;
  host: string;
  plans?: string;
  strictPort?: boolean;
  maxResponseBytes?: number;
  threads?: number;
  maxConnections?: number;
  pages: boolean;
  verbose?: boolean;
  log?: string;
  json?: boolean;
}

export function command(): Command {
  return new Command('serve')
    .description('Serve a catalog over HTTP: lookups, full text, documents, sections and PDFs under /v2')
    .requiredOption('--catalog <dir>', 'folder of the catalog')
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
    .option('--no-pages', 'only /v2: neither pages nor accounts')
    .option('--verbose', 'log every request to stderr, a JSON line each (without it only failures)')
    .option('--log <file>', 'log to this file instead, every request')
    .option('--json', 'once listening print {"url", "port"} to stdout')
    .addHelpText(
      'after',
      `
Examples:
  filinglake serve --catalog ./catalog
  filinglake serve --catalog ./catalog --port 9000 --host 0.0.0.0 --log service.log
  curl "http://127.0.0.1:8080/v2/filing_lookup?api_key=$FILINGLAKE_API_KEY&form_types=10-K"

Keys: filinglake keys create --plan unlimited --catalog ./catalog`,
    )
    .action(serve);
}

async function serve(options: Options): Promise<void> {
  const { publicUrl, ...accounts } = accountSettings();
  const logger = loggerOf(options);
  const plans = new LivePlans(options.plans, (error) => {
    if (error === null) logger.info('the plans file has changed');
    else logger.error({ err: error }, 'the plans file has changed and can not be read: the plans before hold');
  });
  const service = await startService({
    catalogFolder: options.catalog,
    port: options.port ?? DEFAULT_PORT,
    host: options.host,
    // A user who names a port gives it to others. On another port they would reach another program.
    strictPort: options.port !== undefined || options.strictPort === true,
    plans,
    logger,
    accounts,
    ...(publicUrl === undefined ? {} : { publicUrl }),
    pages: options.pages,
    limits: {
      ...(options.maxResponseBytes === undefined ? {} : { maxResponseBytes: options.maxResponseBytes }),
      ...(options.threads === undefined ? {} : { readerThreads: options.threads }),
      ...(options.maxConnections === undefined ? {} : { maxConnections: options.maxConnections }),
    },
  });
  announce(service, options);
  for (const warning of service.warnings) process.stderr.write(`warning: ${warning}\n`);
  if (!options.json) hintAtKeys(options, plans);
  const interruption = watchInterrupts();
  await once(interruption.signal, 'abort');
  process.stderr.write('ending: active requests are answered first (again: at once)\n');
  plans.close();
  await service.close();
}

/** Failures always go to stderr; every request only if requested. */
function loggerOf({ log, verbose }: Options): pino.Logger {
  if (log === undefined) return pino({ level: verbose ? 'info' : 'error' }, pino.destination(2));
  try {
    return pino({ level: 'info' }, pino.destination({ dest: log, sync: true }));
  } catch (cause) {
    throw new FilinglakeError('log-unwritable', `the log ${log} can't be written: ${systemErrorWords(cause)}`, {
      cause,
    });
  }
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
function hintAtKeys({ catalog }: Options, plans: QuotaPlans): void {
  const accounts = Accounts.open(catalog, plans);
  const usable = accounts.listKeys().some((key) => key.revoked_at === null && key.closed_at === null);
  accounts.close();
  if (!usable)
    process.stderr.write(`no key yet: filinglake keys create --plan unlimited --catalog ${shellWord(catalog)}\n`);
}

/** What commands about runs share: Temporal during the command, and a worker if one is needed. */
import { openLog, readSettings } from '../../core/environment/index.ts';
import { FilinglakeError } from '../../core/index.ts';
import {
  ExportRuns,
  ensureTemporal,
  type OpeningSession,
  type RunningWorker,
  Schedules,
  startWorker,
  type TemporalSession,
} from '../../export/runtime/index.ts';
import { openCatalogService } from './catalog-service.ts';
import { watchInterrupts } from './interruption.ts';

interface RunsOptions {
  command: string;
  /** Key for the worker; null starts no worker. */
  apiKey: string | null;
  silent: boolean;
  /** HOST:PORT for metrics of the worker's SDK */
  sdkMetrics?: string;
}

export interface RunsSession {
  runs: ExportRuns;
  schedules: Schedules;
  worker: RunningWorker | null;
  temporal: TemporalSession;
  /** Aborted by the first Ctrl-C or SIGTERM; a second one ends the process at once. */
  interrupted: AbortSignal;
}

export async function withRuns<Result>(
  options: RunsOptions,
  use: (session: RunsSession) => Promise<Result>,
): Promise<Result> {
  const settings = readSettings();
  const { command, apiKey, sdkMetrics } = options;
  const print = (line: string) => options.silent || process.stderr.write(`${line}\n`);
  const log = openLog(settings, command, apiKey === null ? [] : [apiKey]);
  let starting: Promise<RunningWorker | null> = Promise.resolve(null);
  const meanwhile = (coming: OpeningSession) => {
    if (apiKey === null) return;
    const metrics = sdkMetrics === undefined ? {} : { sdkMetrics };
    starting = startWorker(coming, { apiKey, log, openCatalog: openCatalogService, ...metrics });
    // If Temporal can't be reached, its error is the command's.
    starting.catch(() => {});
  };
  await using session = await ensureTemporal(settings, { onMessage: print, command, meanwhile });
  // Only now: while Temporal can't be reached, a signal ends the process.
  using interruption = watchInterrupts();
  const worker = await starting;
  try {
    const [runs, schedules] = await Promise.all([ExportRuns.of(session), Schedules.of(session)]);
    return await use({ runs, schedules, worker, temporal: session, interrupted: interruption.signal });
  } finally {
    await worker?.stop().catch((error: unknown) => log.error({ error: String(error) }, 'the worker failed'));
  }
}

/** @throws FilinglakeError `key-missing` (exit 4) */
export function requiredKey(apiKey: string | null, variable = 'FILINGLAKE_API_KEY'): string {
  if (apiKey !== null) return apiKey;
  throw new FilinglakeError('key-missing', `there is no API key: the environment variable ${variable} is not set`, {
    remedy: `Set ${variable} to a key of the service. A catalog of yours needs none: give --catalog DIR, or service.catalog of the definition. For your own service run \`filinglake keys create --plan unlimited --catalog DIR\`.`,
  });
}

/** Runs an export in this process, with Temporal and a worker: its progress, and its summary at the end. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { openLog, readSettings } from '../core/environment/index.ts';
import { EXIT, type ExitCode, FilinglakeError } from '../core/index.ts';
import {
  catalogOf,
  type ExportProgress,
  type ExportState,
  type ParsedDefinition,
  parseExportDefinitions,
  withListsRead,
} from '../export/index.ts';
import type {
  ExportRuns,
  RunningWorker,
  RunStatus,
  StartedRun,
  TemporalSession,
  Watched,
} from '../export/runtime/index.ts';
import { absolutePlace } from '../lake/index.ts';

export interface ExportOptions {
  /** Folder of the lake; default: the definition's, else ./lake */
  lake?: string;
  /** Default: the definition's, else the variable FILINGLAKE_API_KEY */
  apiKey?: string;
  /** Values that replace the definition's: `{ 'select.date_from': '-30d' }`; lists as `a,b` */
  set?: Readonly<Record<string, string>>;
  /** Which export of a file that holds several */
  name?: string;
  /** Folder for relative paths in a definition that isn't a file; default: the working folder */
  folder?: string;
  /** Whether to wait for the reset if the quota is used up; default true */
  waitForQuota?: boolean;
  /** false: leave the work to workers that run elsewhere */
  worker?: boolean;
  /** Receives a line for each event that a person should know: warnings, and what is used, downloaded, started */
  onMessage?: (line: string) => void;
  /** Settings, as the command reads them from the environment; default: process.env */
  env?: Readonly<Record<string, string | undefined>>;
}

/** How an export ended. */
export interface ExportSummary {
  id: string;
  /** Folder of the lake */
  lake: string;
  /** Version of the lake after the last commit; -1 before the first */
  lakeVersion: number;
  state: ExportState;
  /** The exit code of the command: 0 complete; 3 with failures or unproven windows; 5, 6 and 130 for a run that is kept */
  exitCode: ExitCode;
  progress: ExportProgress;
  /** Failures by kind, the most frequent first */
  failed: readonly { step: string; code: string; count: number; known: number; subject: string; message: string }[];
}

/**
 * Starts an export, or attaches to its run if one is active. Close it when done.
 * @param definition path of a YAML file, or the definition itself
 * @throws FilinglakeError `key-missing` (exit 4), `export-differs` (exit 2), DefinitionError (exit 2), and the errors of starting
 * Temporal
 */
export async function startExport(definition: string | object, options: ExportOptions = {}): Promise<ExportRun> {
  const { env = process.env, onMessage = () => {} } = options;
  const parsed = await parse(definition, options, env);
  for (const warning of parsed.warnings) onMessage(warning);
  if (catalogOf(parsed.definition.service.base_url) !== null) {
    throw new FilinglakeError('argument-invalid', 'service.catalog works with commands only', {
      remedy: 'Run `filinglake export`, or serve the catalog and give service.base_url.',
    });
  }
  const apiKey = options.apiKey ?? parsed.apiKey;
  if (apiKey === null) {
    throw new FilinglakeError('key-missing', 'there is no API key', {
      remedy: `Give apiKey, or set ${parsed.apiKeyVariable} to a key of the service.`,
    });
  }
  const lake = absolutePlace(options.lake ?? parsed.definition.lake);
  const settings = readSettings(env);
  // Loaded here: programs that only read lakes or sections need not load Temporal.
  const { ensureTemporal, ExportRuns, startWorker } = await import('../export/runtime/index.ts');
  const session = await ensureTemporal(settings, { onMessage, command: 'export' });
  let worker: RunningWorker | null = null;
  try {
    if (options.worker !== false) {
      const log = openLog(settings, 'export', [apiKey]);
      worker = await startWorker(session, { apiKey, log });
    }
    const runs = await ExportRuns.of(session);
    const started = await runs.start({ ...parsed.definition, lake }, lake, apiKey);
    if (started.budgetChanged) await started.handle.executeUpdate('raise-budget', { args: [parsed.definition.budget] });
    if (started.attached) await runs.goOnIfItWaits(started.handle);
    return new ExportRun({ session, worker, runs, started, lake, wait: options.waitForQuota !== false });
  } catch (error) {
    await worker?.stop();
    await session.release();
    throw error;
  }
}

/** @internal */
interface Running {
  session: TemporalSession;
  worker: RunningWorker | null;
  runs: ExportRuns;
  started: StartedRun;
  lake: string;
  wait: boolean;
}

/** A running export. Iterate over it for its progress, or await `done()`. */
export class ExportRun implements AsyncDisposable {
  /** `export/<name>` */
  readonly id: string;
  /** Folder of the lake */
  readonly lake: string;
  /** Whether the run was active already. */
  readonly attached: boolean;
  readonly #running: Running;
  readonly #leaving = new AbortController();
  #watching: AsyncGenerator<RunStatus, Watched> | null = null;
  #watched: Watched | null = null;
  #closed: Promise<void> | null = null;

  /** @internal */
  constructor(running: Running) {
    this.#running = running;
    this.id = running.started.id;
    this.lake = running.lake;
    this.attached = running.started.attached;
  }

  /** Its progress, at each change. @throws FilinglakeError the run's error; `temporal-unreachable` */
  async *[Symbol.asyncIterator](): AsyncGenerator<ExportProgress, void> {
    let last = '';
    for (let status = await this.#next(); status !== null; status = await this.#next()) {
      const text = JSON.stringify(status.progress);
      if (text !== last) yield status.progress;
      last = text;
    }
  }

  /**
   * Waits for the end. An incomplete export is an error, so that nobody takes it for a complete one.
   * @param options.allowIncomplete also returns the summary of an incomplete export: check its `exitCode`
   * @throws FilinglakeError `export-incomplete` (exit 3), `export-stopped` (exit 5 or 6), `export-interrupted` (exit 130), the
   * run's error
   */
  async done(options: { allowIncomplete?: boolean } = {}): Promise<ExportSummary> {
    while ((await this.#next()) !== null);
    const summary = this.#summary();
    if (summary.exitCode === EXIT.complete || options.allowIncomplete) return summary;
    throw notComplete(summary);
  }

  /** Stops watching and working. A run that has not ended is kept: start the same export again to continue it. */
  close(): Promise<void> {
    this.#leaving.abort();
    this.#closed ??= this.#leave();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #leave(): Promise<void> {
    const { worker, session } = this.#running;
    // Reads the last progress while Temporal still answers.
    try {
      while ((await this.#next()) !== null);
    } catch {
      // Callers that wait for the end get this error there. The worker and the session are released all the same.
    }
    try {
      await worker?.stop();
    } finally {
      await session.release();
    }
  }

  /** The next status; null: watching has ended. */
  async #next(): Promise<RunStatus | null> {
    if (this.#watched !== null) return null;
    const { runs, started, worker, wait } = this.#running;
    if (this.#watching === null) {
      const { watchRun } = await import('../export/runtime/index.ts');
      this.#watching = watchRun(runs, started.handle, { wait, worker, interrupted: this.#leaving.signal });
    }
    const next = await this.#watching.next();
    if (!next.done) return next.value;
    this.#watched = next.value;
    return null;
  }

  #summary(): ExportSummary {
    const { status, result, exitCode } = this.#watched!;
    const { state, progress } = status;
    const lakeVersion = result?.finished.lake_version ?? progress.last_commit?.version ?? -1;
    return {
      id: this.id,
      lake: this.lake,
      lakeVersion,
      state,
      exitCode,
      progress,
      failed: result?.finished.failed ?? [],
    };
  }
}

function notComplete({ id, exitCode, progress }: ExportSummary): FilinglakeError {
  if (exitCode === EXIT.finishedWithFailures) {
    const { failures, windows_unproven, filings_deferred } = progress;
    const what = `${failures} failures, ${windows_unproven} unproven windows, ${filings_deferred} filings left to the next run`;
    return new FilinglakeError('export-incomplete', `${id} ended with ${what}`, {
      remedy: 'Read export_failures in its lake. done({ allowIncomplete: true }) returns the summary.',
    });
  }
  const code = exitCode === EXIT.interrupted ? 'export-interrupted' : 'export-stopped';
  return new FilinglakeError(code, `${id} was left: ${progress.message ?? progress.stopped_by ?? progress.state}`, {
    exitCode,
  });
}

async function parse(
  definition: string | object,
  options: ExportOptions,
  env: NonNullable<ExportOptions['env']>,
): Promise<ParsedDefinition> {
  const file = typeof definition === 'string' ? definition : 'definition';
  const folder = typeof definition === 'string' ? dirname(resolve(definition)) : resolve(options.folder ?? '.');
  // JSON is YAML.
  const text = typeof definition === 'string' ? readDefinition(definition) : JSON.stringify(definition);
  const parsed = parseExportDefinitions(text, file, env, {
    names: options.name === undefined ? [] : [options.name],
    set: Object.entries(options.set ?? {}).map(([name, value]) => `${name}=${value}`),
    pathOf: (name) => resolve(folder, name),
  });
  if (parsed.length === 1) {
    const { readListFile } = await import('../export/runtime/index.ts');
    return withListsRead(parsed[0]!, readListFile);
  }
  const names = parsed.map((one) => one.definition.name);
  throw new FilinglakeError('export-unknown', `${file} holds ${names.length} exports: ${names.join(', ')}`, {
    remedy: `Name one of them: { name: '${names[0]}' }.`,
  });
}

function readDefinition(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new FilinglakeError('file-unreadable', `${file} can't be read: ${(cause as Error).message}`, {
      remedy: 'Give the path of an export definition (YAML), or the definition as an object.',
      cause,
    });
  }
}

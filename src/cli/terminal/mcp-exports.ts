/** Exports that agents start: Temporal and a worker run from the first export or question about one, until the server ends. */
import type { ExportRequest, Exports, PlannedWork, RunProgress, RunState } from '../../agents/index.ts';
import { openLog, readSettings } from '../../core/environment/index.ts';
import { FilinglakeError } from '../../core/index.ts';
import { type ExportDefinition, type ExportState, parseExportDefinitions } from '../../export/index.ts';
import type { ExportRuns, RunStatus, TemporalSession } from '../../export/runtime/index.ts';
import { absolutePlace } from '../../lake/index.ts';
import { openCatalogService } from './catalog-service.ts';

interface ExportPlaces {
  readonly lake: string;
  /** `base_url` of the definitions: an address, or that of a catalog. */
  readonly baseUrl: string;
  /** Current address of the service. A catalog's own service has a new port at each start. */
  readonly address: string;
  readonly apiKey: string;
}

/** What the server fixes, or reads from files. */
const REFUSED = ['service', 'lake', 'budget', 'exports'];
const STATES: Record<ExportState, RunState> = {
  running: 'working',
  waiting_for_quota: 'waiting',
  paused: 'waiting',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
};
type RunHandle = Parameters<ExportRuns['status']>[0];
const CANCEL_SILENCE_MS = 20_000;
const CANCEL_MOST_MS = 120_000;

export class McpExports implements Exports {
  readonly #places: ExportPlaces;
  #session: Promise<{ runs: ExportRuns; close: () => Promise<void> }> | null = null;

  constructor(places: ExportPlaces) {
    this.#places = places;
  }

  async plan(given: ExportRequest['definition'], signal: AbortSignal): Promise<PlannedWork> {
    const { planOf } = await import('../../export/runtime/index.ts');
    const { apiKey, address, lake } = this.#places;
    const definition = this.#definition(given, null);
    const plan = await planOf({ definition, apiKey, address, signal, lake: absolutePlace(lake), sample: null });
    return {
      filings: plan.filings,
      requests: plan.requests,
      bytes: plan.bytes,
      months: plan.months,
      exact: plan.whole,
      requestsLeft: plan.quota?.requests_left ?? null,
      notes: plan.notes,
      steps: plan.steps.map(({ step, requests, tables }) => ({ step, requests, tables })),
    };
  }

  async start(request: ExportRequest): Promise<RunProgress> {
    const { runs } = await this.#open();
    const lake = absolutePlace(this.#places.lake);
    const definition = { ...this.#definition(request.definition, request), lake };
    const { handle, attached } = await runs.start(definition, lake, this.#places.apiKey);
    if (attached) await this.#continue(runs, handle, definition);
    return this.#told(runs, await runs.status(handle));
  }

  /** A run that is started again tries at once. The plan was of what is left: its budget counts from what the run has spent. */
  async #continue(runs: ExportRuns, handle: RunHandle, { budget }: ExportDefinition): Promise<void> {
    const { requests, bytes } = (await runs.status(handle)).progress;
    const beyond = (spent: number, limit: number | null) => (limit === null ? null : spent + limit);
    const limits: ExportDefinition['budget'] = {
      ...budget,
      max_requests: beyond(requests, budget.max_requests),
      max_bytes: beyond(bytes, budget.max_bytes),
    };
    await handle.executeUpdate('raise-budget', { args: [limits] });
    await runs.goOnIfItWaits(handle);
  }

  async progress(task: string): Promise<RunProgress | null> {
    const { runs } = await this.#open();
    const status = await this.#status(runs, task);
    return status && this.#told(runs, status);
  }

  async cancel(task: string): Promise<RunProgress | null> {
    const { runs } = await this.#open();
    const status = await this.#status(runs, task);
    if (status === null) return null;
    if (status.worker !== null) {
      const handle = await runs.open(task, this.#places.apiKey);
      await runs.end(handle, { silenceMs: CANCEL_SILENCE_MS, mostMs: CANCEL_MOST_MS, onMessage: () => {} });
    }
    return this.progress(task);
  }

  async close(): Promise<void> {
    const session = await this.#session?.catch(() => null);
    await session?.close();
  }

  /** Null for an unknown run, and for one of another lake: this server knows nothing of it. */
  async #status(runs: ExportRuns, task: string): Promise<RunStatus | null> {
    try {
      const status = await runs.status(await runs.handleOf(task));
      return status.lake === absolutePlace(this.#places.lake) ? status : null;
    } catch (error) {
      if (error instanceof FilinglakeError && error.code === 'run-unknown') return null;
      throw error;
    }
  }

  async #told(runs: ExportRuns, status: RunStatus): Promise<RunProgress> {
    const { progress } = status;
    const error = status.state === 'failed' ? await failureOf(runs, status) : null;
    return {
      task: status.id,
      name: status.name,
      state: STATES[status.state],
      detail: progress.stopped_by === null ? status.state : `${status.state}: ${progress.stopped_by}`,
      startedAt: status.started_at,
      updatedAt: new Date().toISOString(),
      requests: progress.requests,
      bytes: progress.bytes,
      filingsFound: progress.filings_found,
      filingsDone: progress.filings_committed,
      waitsUntil: progress.waiting_until,
      error,
    };
  }

  /** The caller's selection and tables; service, lake and budget are not the caller's. No file is read, no variable replaced. */
  #definition(given: ExportRequest['definition'], budget: ExportRequest | null): ExportDefinition {
    const refused = REFUSED.find((name) => name in given);
    if (refused !== undefined)
      throw new FilinglakeError('tool-input-invalid', `definition must not have ${refused}: the server fixes it`);
    const limits = {
      max_requests: budget?.maxRequests,
      ...(budget?.maxBytes != null && { max_bytes: budget.maxBytes }),
    };
    const text = JSON.stringify({ ...given, ...(budget && { budget: limits }) });
    const [parsed] = parseExportDefinitions(text, 'definition', {}, {});
    if (parsed?.edgar !== undefined || parsed?.lists?.length)
      throw new FilinglakeError('tool-input-invalid', 'definition must not name files or EDGAR');
    const { service, ...definition } = parsed!.definition;
    return { ...definition, lake: this.#places.lake, service: { ...service, base_url: this.#places.baseUrl } };
  }

  #open() {
    this.#session ??= this.#start();
    this.#session.catch(() => {
      this.#session = null;
    });
    return this.#session;
  }

  async #start() {
    const { ensureTemporal, ExportRuns: Runs, startWorker } = await import('../../export/runtime/index.ts');
    const settings = readSettings();
    const { apiKey } = this.#places;
    const session: TemporalSession = await ensureTemporal(settings, { command: 'mcp', onMessage: () => {} });
    try {
      const log = openLog(settings, 'mcp', [apiKey]);
      const worker = await startWorker(session, { apiKey, log, openCatalog: openCatalogService });
      const runs = await Runs.of(session);
      const close = async () => {
        await worker.stop().catch((error: unknown) => log.error({ error: String(error) }, 'the worker failed'));
        await session.release();
      };
      return { runs, close };
    } catch (error) {
      await session.release();
      throw error;
    }
  }
}

async function failureOf(runs: ExportRuns, { id }: RunStatus): Promise<RunProgress['error']> {
  try {
    await runs.result(await runs.handleOf(id));
    return null;
  } catch (error) {
    if (!(error instanceof FilinglakeError)) throw error;
    return { code: error.code, message: error.message, remedy: error.remedy };
  }
}

/** Calls of the engine on a lake of their own, without workflow, worker or service. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FilingClient, RequestCounter } from '../../../src/export/client/index.ts';
import { parseExportDefinition } from '../../../src/export/definition/parse.ts';
import type { ExportDefinition } from '../../../src/export/index.ts';
import { commitBatches } from '../../../src/export/pipeline/commit/commit-batch.ts';
import type { WorkLine } from '../../../src/export/pipeline/coverage/coverage.ts';
import { FailureLog } from '../../../src/export/pipeline/failures/failure-log.ts';
import { probeRequests } from '../../../src/export/pipeline/failures/probe-requests.ts';
import { FilingFetcher } from '../../../src/export/pipeline/fetch/fetch-filing.ts';
import type {
  Committed,
  JobContext,
  RunReference,
  WindowPlanned,
  WindowToPlan,
} from '../../../src/export/pipeline/index.ts';
import { SentByRuns } from '../../../src/export/pipeline/index.ts';
import { planWindows } from '../../../src/export/pipeline/plan/plan-windows.ts';
import { SegmentSink } from '../../../src/export/pipeline/staging/segment-sink.ts';
import { PagesReadLast, readPlan, stagePage } from '../../../src/export/pipeline/staging/staged-files.ts';
import { lineOfText, readStretch } from '../../../src/export/pipeline/staging/work-list.ts';
import type { Dependencies } from '../../../src/export/pipeline/worker/dependencies.ts';
import type { RequestBudget } from '../../../src/export/pipeline/worker/request-budget.ts';
import type { Pass } from '../../../src/export/steps/index.ts';
import type { Filing, FilingInfo } from '../../../src/filings/api/index.ts';
import { type Lake, openLake } from '../../../src/lake/index.ts';

export function lakeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'filinglake-driven-'));
}

export function openDriven(folder: string): Promise<Lake> {
  return openLake(folder, { create: true });
}

export function definitionOf(name: string, tables: string, more = ''): ExportDefinition {
  const yaml = `name: ${name}\nselect: {}\ntables: [${tables}]\n${more}`;
  return byPass(parseExportDefinition(yaml, 'driven.yaml', {}).definition);
}

/** A run that is driven by hand fetches pass by pass: a test sees what each of them does. */
function byPass(definition: ExportDefinition): ExportDefinition {
  return { ...definition, budget: { ...definition.budget, order: 'breadth' } };
}

export function runOf(definition: ExportDefinition, run_id: string, lake: Lake): RunReference {
  return { run_id, workflow_id: `export/${definition.name}`, definition: byPass(definition), lake: lake.root };
}

/** What an engine call knows of its caller, as its nth attempt. */
export function jobOf(attempt = 1): JobContext {
  return {
    attempt,
    signal: new AbortController().signal,
    log: { warn: () => {} },
    heartbeat: { report: () => {} },
    requests: new RequestCounter(),
  };
}

export function dependenciesOf(lake: Lake, more: object = {}): Dependencies {
  const lakes = { at: async () => lake, openOrMake: async () => lake };
  const addressOf = async (baseUrl: string) => baseUrl;
  const runs = { server: async () => 'test', isOver: async () => false };
  const defaults = { lakes, addressOf, runs, pages: new PagesReadLast(), sent: new SentByRuns() };
  return { ...jobOf(), ...defaults, ...more } as unknown as Dependencies;
}

export function accessionNumber(n: number): string {
  return `0000000001-24-${String(n).padStart(6, '0')}`;
}

/** A filing as the lookup has it: two documents without sizes. */
export function filingOfLookup(n: number, over: Partial<Filing> = {}): Filing {
  const accession_number = accessionNumber(n);
  return {
    accession_number,
    cik: '1',
    form_type: '10-K',
    filing_date: '2024-03-01',
    acceptance_datetime: '2024-03-01T10:00:00',
    entity_name: 'A',
    report_date: null,
    size: 5,
    documents: [1, 2].map((sequence) => ({
      document_id: `${accession_number}-${sequence}`,
      sequence,
      filename: `d${sequence}.htm`,
      description: null,
      type: sequence === 1 ? '10-K' : 'EX-1',
    })),
    ...over,
  };
}

export function infoOf(filing: Filing): FilingInfo {
  const { size: _size, ...rest } = filing;
  return {
    ...rest,
    form_type: filing.form_type ?? '10-K',
    documents: filing.documents.map((document) => ({ ...document, size: 1 })),
    sections: [],
    items_8k: null,
    parties: [],
  };
}

/** A filer as the client gives it: what the service does not state is null. */
export function partyOf(cik: string, name: string): FilingInfo['parties'][number] {
  return {
    role: 'filer',
    cik,
    name,
    former_names: [],
    addresses: {},
    relationship: null,
    state_of_incorporation: null,
    fiscal_year_end: null,
    sic: null,
    sic_description: null,
    irs_number: null,
    file_number: null,
    film_number: null,
    sec_act: null,
  };
}

/** A client that knows every filing, two parties each. */
export function knowingClient(): FilingClient {
  const filingInfo = async (number: string): Promise<{ value: FilingInfo }> => {
    const info = infoOf(filingOfLookup(Number(number.slice(-6))));
    const parties = ['1', '2'].map((cik) => partyOf(cik, cik));
    return { value: { ...info, parties } };
  };
  return { filingInfo, filingLookup: async () => ({}) } as unknown as FilingClient;
}

/** Stages one page of a window `w`, as a reading would. */
export function stageFilings(lake: Lake, runId: string, filings: readonly Filing[]): Promise<unknown> {
  return stagePage(lake, runId, 'w', 0, { state: null, records: [...filings], violations: [] });
}

export type DrivenPlan = WindowPlanned & { committed: Committed | null };

/** A single window. */
export async function planDriven(lake: Lake, run: RunReference, more: Partial<WindowToPlan> = {}): Promise<DrivenPlan> {
  const window: WindowToPlan = { window: 'w', pages: 1, plan: 1, record: null, ...more };
  const batch_id = `plan-${window.window}-${window.plan}`;
  const { windows, committed } = await planWindows(dependenciesOf(lake), { run, batch_id, windows: [window] });
  return { ...windows[0]!, committed };
}

/** The work list of a plan, all of it. */
export async function linesOfPlan(lake: Lake, runId: string, window: string, plan: number): Promise<WorkLine[]> {
  const { stretches } = (await readPlan(lake, runId, window, plan))!;
  const texts: string[] = [];
  for (const stretch of stretches) texts.push(...(await readStretch(lake, runId, stretch))!);
  return texts.map(lineOfText);
}

/** Fetches and commits the pending steps of a window's first plan in a pass. */
export async function fetchDriven(
  lake: Lake,
  run: RunReference,
  pass: Pass,
  base_version: number,
  client: FilingClient = knowingClient(),
  window = 'w',
  recordsRefusals = false,
  plan = 1,
) {
  const { run_id, definition } = run;
  const batch_id = `batch-${window}-${plan}-${pass}-1`;
  const lines = await linesOfPlan(lake, run_id, window, plan);
  const sink = new SegmentSink(lake.openStaging(run_id, batch_id, 1));
  const requestBudget = { settle: async () => {}, refused: () => {} } as unknown as RequestBudget;
  const log = new FailureLog(lake, run);
  const fetcher = new FilingFetcher({
    definition,
    client,
    sink,
    requestBudget,
    log,
    pass,
    recordsRefusals,
    done: new Set<string>(),
    probes: (operation) => probeRequests(lake, operation),
  });
  for (const line of lines) await fetcher.fetch(line);
  await fetcher.settleSuspects();
  await sink.seal();
  await sink.close();
  const segments = sink.sealed.map(({ name }) => name);
  if (segments.length === 0) return null;
  return commitBatches(dependenciesOf(lake), { run, base_version, batches: [{ batch_id, segments }] });
}

/** Calls of the engine on a lake of their own, without workflow, worker or service. */
import { type FilingClient, RequestCounter, UnprocessableError } from '../../../src/export/client/index.ts';
import { parseExportDefinition } from '../../../src/export/definition/parse.ts';
import type { ExportDefinition } from '../../../src/export/index.ts';
import { commitBatches } from '../../../src/export/pipeline/commit/commit-batch.ts';
import { finishRun } from '../../../src/export/pipeline/commit/run-lifecycle.ts';
import type { WorkLine } from '../../../src/export/pipeline/coverage/coverage.ts';
import { FailureLog } from '../../../src/export/pipeline/failures/failure-log.ts';
import { probeRequests } from '../../../src/export/pipeline/failures/probe-requests.ts';
import { FilingFetcher } from '../../../src/export/pipeline/fetch/fetch-filing.ts';
import type {
  Committed,
  JobContext,
  RunFinished,
  RunReference,
  WindowPlanned,
  WindowToPlan,
} from '../../../src/export/pipeline/index.ts';
import { SentByRuns } from '../../../src/export/pipeline/index.ts';
import { planWindows } from '../../../src/export/pipeline/plan/plan-windows.ts';
import { type RowBatch, SegmentSink } from '../../../src/export/pipeline/staging/segment-sink.ts';
import { PagesReadLast, readPlan, stagePage } from '../../../src/export/pipeline/staging/staged-files.ts';
import { lineOfText, readStretch } from '../../../src/export/pipeline/staging/work-list.ts';
import type { Dependencies } from '../../../src/export/pipeline/worker/dependencies.ts';
import type { RequestBudget } from '../../../src/export/pipeline/worker/request-budget.ts';
import type { Pass } from '../../../src/export/steps/index.ts';
import type { Filing, FilingInfo } from '../../../src/filings/api/index.ts';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { temporaryFolder } from '../lake/temporary-folder.ts';

export function openDriven(folder = temporaryFolder()): Promise<Lake> {
  return openLake(folder, { create: true });
}

/** What a test ends with: its lake is sound. */
export async function closeSound(lake: Lake): Promise<void> {
  const { problems } = await checkLake(lake);
  await lake.close();
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
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

/** A section as filing_info lists it. */
export const listedSection = (section: string, heading: string | null = null) => ({
  ...{ section, title: null, heading },
  ...{ start_index: 0, end_index: 1 },
});

/**
 * A client that gives what a test has for a request, and may throw.
 * @param info members of filing_info that differ @param sections code and HTML of each @param document the text
 */
export function clientOf({
  info = () => ({}),
  sections = () => [],
  document = () => 'x',
}: {
  info?: (number: string) => Partial<FilingInfo>;
  sections?: (number: string, form: string) => readonly (readonly [code: string, html: string])[];
  document?: (id: string) => string;
}): FilingClient {
  const client = {
    filingLookup: async () => ({}),
    filingInfo: async (number: string) => ({
      value: { ...infoOf(filingOfLookup(Number(number.slice(-6)))), ...info(number) },
    }),
    filingSections: async ({ accession_number, form_type }: { accession_number: string; form_type: string }) => {
      const found = sections(accession_number, form_type).map(([section, html]) => ({
        section,
        title: null,
        heading: null,
        html,
      }));
      return { value: { accession_number, form_type, sections: found } };
    },
    document: async ({ document_id }: { document_id: string }) => {
      const content = document(document_id);
      const about = { document_id, accession_number: document_id.slice(0, 20), size: content.length, sha256: 'x' };
      return { value: { ...about, content_type: 'text/html', encoding: 'utf-8', content } };
    },
  };
  return client as unknown as FilingClient;
}

/** One whose requests about a filing fail. */
export function clientThatFails(error: Error = new UnprocessableError('it can not be given')): FilingClient {
  const fail = () => {
    throw error;
  };
  return clientOf({ info: fail, sections: fail, document: fail });
}

/** Records the end of a run that is driven by hand. */
export function finishDriven(lake: Lake, run: RunReference, more: object = {}): Promise<RunFinished> {
  const { started_at = '2024-01-01T00:00:00Z' } = run;
  const request = { run, state: 'completed', started_at, requests: 1, bytes: 1, ...more };
  return finishRun(dependenciesOf(lake, { budget: { leave: async () => {} } }), request);
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

type Fetching = ConstructorParameters<typeof FilingFetcher>[0];

/** A fetcher without a lake that knows of failures. */
export function fetcherOf(
  options: Pick<Fetching, 'definition' | 'client' | 'pass' | 'sink'> & Partial<Fetching>,
): FilingFetcher {
  const requestBudget = { settle: async () => {}, refused: () => {} } as unknown as RequestBudget;
  const log = new FailureLog({ query: async () => [] }, { run_id: 'r', definition: options.definition });
  return new FilingFetcher({ requestBudget, log, done: new Set(), ...options });
}

/** A sink that passes on what it takes. */
export function sinkTo(take: (batch: RowBatch) => unknown): SegmentSink {
  return { take: async (batch: RowBatch) => void take(batch), seal: async () => {} } as unknown as SegmentSink;
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
  const probes: Fetching['probes'] = (operation) => probeRequests(lake, operation);
  const log = new FailureLog(lake, run);
  const fetcher = fetcherOf({ definition, client, sink, log, pass, recordsRefusals, probes });
  for (const line of lines) await fetcher.fetch(line);
  await fetcher.settleSuspects();
  await sink.seal();
  await sink.close();
  const segments = sink.sealed.map(({ name }) => name);
  if (segments.length === 0) return null;
  return commitBatches(dependenciesOf(lake), { run, base_version, batches: [{ batch_id, segments }] });
}

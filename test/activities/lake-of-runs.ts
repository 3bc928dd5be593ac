/** Runs driven activity by activity, without a workflow: what a lookup found is staged as given, and planned and fetched from there. */
import { asyncLocalStorage, type Context } from '@temporalio/activity';
import { commitBatch } from '../../activities/export/commit-batch.ts';
import type { Dependencies } from '../../activities/export/dependencies.ts';
import { FailureLog } from '../../activities/export/failure-log.ts';
import { FilingFetcher } from '../../activities/export/fetch-filing.ts';
import type { Gate } from '../../activities/export/gate.ts';
import { planWindow } from '../../activities/export/plan-window.ts';
import { Sink } from '../../activities/export/sink.ts';
import { PagesReadLast, readPlan, stagePage } from '../../activities/export/staged.ts';
import type { PlanWindowRequest, RunReference, WindowPlanned } from '../../activities/export/types.ts';
import type { ContractViolation, FilingClient } from '../../src/client/index.ts';
import type { Filing, FilingInfo } from '../../src/contract/index.ts';
import { type ExportDefinition, PASSES, type Pass, parseExportDefinition } from '../../src/export/index.ts';
import type { Lake } from '../../src/lake/index.ts';

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

export function definitionOf(tables: string, more = '', select = '{ form_types: [10-K] }'): ExportDefinition {
  return parseExportDefinition(`name: t\nselect: ${select}\ntables: [${tables}]\n${more}`, 't.yaml', {}).definition;
}

interface Found {
  records: readonly unknown[];
  violations?: ContractViolation[];
}

export class LakeOfRuns {
  readonly lake: Lake;
  #runs = 0;
  #run: RunReference | null = null;
  #definition: ExportDefinition | null = null;

  constructor(lake: Lake) {
    this.lake = lake;
  }

  /** A new run: one window's records are planned, and what the lookup brings is committed. */
  async lookUp(
    definition: ExportDefinition,
    { records, violations = [] }: Found,
    request: Partial<Pick<PlanWindowRequest, 'of' | 'window' | 'record'>> = {},
  ): Promise<WindowPlanned> {
    const run_id = `r${++this.#runs}`;
    this.#definition = definition;
    this.#run = { run_id, workflow_id: 'export/t', definition, lake: this.lake.root };
    const { window = 'w' } = request;
    await stagePage(this.lake, run_id, window, 0, { state: null, records: [...records], violations });
    return this.#planned({ window, plan: 1, ...request });
  }

  /** What the last plan owes is fetched and committed, all passes. */
  async fetch(planned: WindowPlanned, client: Partial<FilingClient>, window = 'w'): Promise<void> {
    for (const pass of PASSES) await this.#fetchPass(planned, pass, client as FilingClient, window);
  }

  async rows(sql: string): Promise<Record<string, unknown>[]> {
    return this.lake.query(sql);
  }

  #planned(request: Partial<PlanWindowRequest> & Pick<PlanWindowRequest, 'window' | 'plan'>): Promise<WindowPlanned> {
    const dependencies = this.#dependencies();
    const whole: PlanWindowRequest = { run: this.#run!, pages: 1, record: null, ...request };
    return inActivity(() => planWindow(dependencies, whole));
  }

  async #fetchPass(planned: WindowPlanned, pass: Pass, client: FilingClient, window: string): Promise<void> {
    const { run_id } = this.#run!;
    const batch_id = `batch-${window}-1-${pass}-1`;
    const plan = await readPlan(this.lake, run_id, window, 1);
    const sink = new Sink(this.lake.openStaging(run_id, batch_id, 1));
    const gate = { settle: async () => {}, refused: () => {} } as unknown as Gate;
    const log = new FailureLog(this.lake, 't');
    const done = new Set<string>();
    const fetcher = new FilingFetcher({ definition: this.#definition!, client, sink, gate, log, pass, done });
    for (const line of plan!.lines) await fetcher.fetch(line);
    await fetcher.settleSuspects();
    await sink.seal();
    await sink.close();
    const segments = sink.sealed.map(({ name }) => name);
    if (segments.length === 0) return;
    const { base_version } = planned;
    await inActivity(() => commitBatch(this.#dependencies(), { run: this.#run!, batch_id, base_version, segments }));
  }

  #dependencies(): Dependencies {
    return { lakes: { at: async () => this.lake }, pages: new PagesReadLast() } as unknown as Dependencies;
  }
}

function inActivity<T>(work: () => Promise<T>): Promise<T> {
  const context = { info: { attempt: 1 }, cancellationSignal: new AbortController().signal };
  return asyncLocalStorage.run(context as unknown as Context, work);
}

/** Runs driven activity by activity, without a workflow: what a lookup found is staged as given, and planned and fetched from there. */

import type { ContractViolation, FilingClient } from '../../../src/export/client/index.ts';
import { parseExportDefinition } from '../../../src/export/definition/parse.ts';
import { type ExportDefinition, PASSES } from '../../../src/export/index.ts';
import { finishRun } from '../../../src/export/pipeline/commit/run-lifecycle.ts';
import { stagePage } from '../../../src/export/pipeline/staging/staged-files.ts';
import type { RunReference, WindowPlanned, WindowToPlan } from '../../../src/export/pipeline/types.ts';
import type { Pass } from '../../../src/export/steps/index.ts';
import type { Lake } from '../../../src/lake/index.ts';
import { type DrivenPlan, dependenciesOf, fetchDriven, planDriven } from './activity-harness.ts';

export { accessionNumber, filingOfLookup, infoOf, partyOf } from './activity-harness.ts';

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

  readonly #prefix: string;

  /** @param prefix of the runs' ids: another for each that works on one lake */
  constructor(lake: Lake, prefix = 'r') {
    this.#prefix = prefix;
    this.lake = lake;
  }

  /** A new run: one window's records are planned, and the lookup's rows are committed. */
  async lookUp(
    definition: ExportDefinition,
    { records, violations = [] }: Found,
    request: Partial<Pick<WindowToPlan, 'of' | 'window' | 'record'>> = {},
  ): Promise<DrivenPlan> {
    const run_id = `${this.#prefix}${++this.#runs}`;
    this.#run = { run_id, workflow_id: 'export/t', definition, lake: this.lake.root };
    const { window = 'w' } = request;
    await stagePage(this.lake, run_id, window, 0, { state: null, records: [...records], violations });
    return this.#planned({ window, plan: 1, ...request });
  }

  /** The pending steps of the last plan are fetched and committed, all passes. */
  async fetch(planned: WindowPlanned, client: Partial<FilingClient>, window = 'w'): Promise<void> {
    for (const pass of PASSES) await this.#fetchPass(planned, pass, client as FilingClient, window);
  }

  /** Records the end of the last run. */
  async end(): Promise<void> {
    const dependencies = dependenciesOf(this.lake, { budget: { leave: async () => {} } });
    const started_at = new Date().toISOString();
    await finishRun(dependencies, { run: this.#run!, state: 'completed', started_at, requests: 0, bytes: 0 });
  }

  async rows(sql: string): Promise<Record<string, unknown>[]> {
    return this.lake.query(sql);
  }

  #planned(request: Partial<WindowToPlan> & Pick<WindowToPlan, 'window' | 'plan'>): Promise<DrivenPlan> {
    return planDriven(this.lake, this.#run!, request);
  }

  async #fetchPass({ base_version }: WindowPlanned, pass: Pass, client: FilingClient, window: string): Promise<void> {
    await fetchDriven(this.lake, this.#run!, pass, base_version, client, window);
  }
}

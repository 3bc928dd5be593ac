/** The export workflow with scripted activities, on a stand-in for Temporal whose waits take no time: the order of its requests. */
import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseExportDefinition } from '../../../../src/export/definition/parse.ts';
import { newProgress } from '../../../../src/export/run/index.ts';
import { type Host, host, NextHistory } from '../../../support/fuzz/workflow-shim.ts';
import { ScriptedRun } from '../../../support/scripted-run.ts';

vi.mock('@temporalio/workflow', () => import('../../../support/fuzz/workflow-shim.ts'));
const { exportWorkflow } = await import('../../../../workflows/export.ts');
const { newWork } = await import('../../../../workflows/remaining-work.ts');

const SELECTIONS = {
  filings: 'select: {}\ntables: [filings]',
  parties: 'select: {}\ntables: [filings, parties]',
  registry: 'select: { entities: query }\ntables: [entities]',
};
/** So few that almost every step ends a history. */
const ACTIVITIES_OF_HISTORY = 2;
const WAITS_MAX = 100;
/** Temporal passes JSON. */
const copyOf = <T>(value: T): T => (value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T));

/** Runs it to its end; gives the number of histories that it took. */
async function run(script: ScriptedRun, selection: keyof typeof SELECTIONS, only: object = {}): Promise<number> {
  const { definition } = parseExportDefinition(`name: t\n${SELECTIONS[selection]}\n`, 't.yaml', {});
  const activities = script.activities() as Record<string, (request: unknown) => Promise<unknown>>;
  let [calls, waits] = [0, 0];
  const pass = async (ms: number | null) => {
    if (ms === null || ++waits > WAITS_MAX) throw new Error('the run gets nowhere');
    vi.setSystemTime(Date.now() + ms);
    await new Promise(setImmediate);
  };
  const of: Host = {
    info: {
      workflowId: 'export/t',
      runId: 'r',
      taskQueue: 'q',
      startTime: new Date(),
      typedSearchAttributes: { get: () => undefined } as never,
      get continueAsNewSuggested() {
        return calls >= ACTIVITIES_OF_HISTORY;
      },
    },
    wait: pass,
    sleep: pass,
    async call(activity, request) {
      calls++;
      try {
        return copyOf(await activities[activity]!(copyOf(request)));
      } catch (error) {
        throw new ActivityFailure('failed', activity, '1', 'NON_RETRYABLE_FAILURE', '', error as Error);
      }
    },
  };
  let input: unknown = { run_id: 'r', definition, lake: '/l', started_at: '2026-11-21T00:00:00.000Z', ...only };
  for (let histories = 1; ; histories++) {
    try {
      await host.run(of, () => exportWorkflow(copyOf(input) as never));
      return histories;
    } catch (error) {
      if (!(error instanceof NextHistory)) throw error;
      [input, calls] = [error.input, 0];
    }
  }
}

beforeAll(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterAll(() => void vi.useRealTimers());

describe('the export workflow, in short histories', () => {
  it('continues as new while an operation fails, and fetches the deferred work when it works again', async () => {
    const script = new ScriptedRun(2, 1);
    let failures = 0;
    script.beforeFetch = () => {
      if (++failures <= 4)
        throw ApplicationFailure.nonRetryable('filing_info failed 8 times in a row', 'operation-failing');
    };
    expect(await run(script, 'parties')).toBeGreaterThan(4);
    expect(script.steps.filter((step) => /^fetch w-[12]/.test(step))).toHaveLength(4 + 2);
    const plans = script.steps.filter((step) => step.startsWith('plan w-1'));
    expect(new Set(plans).size).toBe(plans.length);
  });

  it('continues by passes if an operation fails for every filing: the others do not wait for it', async () => {
    const script = new ScriptedRun(2, 1);
    script.isByOrder = true;
    let fetches = 0;
    script.beforeFetch = () => {
      if (++fetches === 1) throw ApplicationFailure.nonRetryable('filing_sections fails', 'operation-failing');
    };
    await run(script, 'parties');
    expect(script.steps.filter((step) => step.startsWith('fetch'))).toEqual([
      'fetch w-1 1 whole',
      'fetch w-1 2',
      'fetch w-2 2',
    ]);
  });

  it('requests sections once the lists of filing_info are in the lake', async () => {
    const script = new ScriptedRun(1, 1);
    script.passes = ['info', 'sections'];
    script.beforeCommit = () => new Promise((done) => setTimeout(done, 50));
    await run(script, 'parties');
    const lists = script.steps.findIndex((step) => /^commit batch-w-1-\d+-info/.test(step));
    const sections = script.steps.findLastIndex((step) => /^fetch w-1 \d+ sections/.test(step));
    expect(lists).toBeGreaterThan(-1);
    expect(sections).toBeGreaterThan(lists);
  });

  it('retries failed entities of a query by their CIKs', async () => {
    const script = new ScriptedRun(1, 0);
    await run(script, 'registry', { only: 'failures' });
    expect(script.steps).toEqual(['read f', 'plan f 1', 'entities f failures']);
  });

  it('plans again what was refused, since another writer had the lake', async () => {
    const script = new ScriptedRun(1, 1);
    script.refusals = 1;
    await run(script, 'filings');
    expect(script.steps.filter((step) => /^(plan|fetch)/.test(step))).toEqual(
      [1, 2].flatMap((n) => [`plan w-1 ${n}`, `fetch w-1 ${n}`]),
    );
    expect(script.steps.at(-1)).toMatch(/^commit batch-w-1-2/);
  });

  it('gives way to others after a batch of a long turn, and plans again in the next one', async () => {
    const script = new ScriptedRun(1, 2);
    script.isWanted = true;
    const window = { id: 'w-1', filter: {}, today: '2026-11-21', inexact: null };
    const turn = { term: 1, since: 0 };
    const carried = { work: newWork([window]), progress: newProgress(''), pause_asked: false, turn };
    await run(script, 'filings', { carried });
    expect(script.isWanted).toBe(false);
    expect(script.steps.filter((step) => step.startsWith('plan'))).toEqual(['plan w-1 1', 'plan w-1 2']);
  });

  it('asks for nothing while another writer has the lake, and takes it after three minutes without a sign of life', async () => {
    const script = new ScriptedRun(1, 1);
    script.others = ['1', '2', '3', '3'];
    await run(script, 'parties');
    expect(script.silences).toEqual(['3']);
    expect(script.steps.filter((step) => step.startsWith('fetch'))).toHaveLength(1);
  });

  it('lists each page and plan that is no longer needed, and never reads them afterwards', async () => {
    const script = new ScriptedRun(4, 1);
    let failures = 0;
    // The third window is planned again.
    script.beforeFetch = () => {
      if (++failures === 3)
        throw ApplicationFailure.nonRetryable('filing_info failed 8 times in a row', 'operation-failing');
    };
    await run(script, 'parties');
    const gone = script.unneeded.map((one) => ('batch' in one ? one.batch : `${one.window} ${one.pages} ${one.plan}`));
    // What the last commit leaves goes with the run's staging.
    for (const done of ['w 1 0', 'w-1 1 1', 'w-2 1 1', 'w-3 0 1']) expect(gone).toContain(done);
    expect(new Set(gone).size).toBe(gone.length);
    const lastUse = (id: string) =>
      script.steps.findLastIndex((step) => step.startsWith(`fetch ${id} `) || step.startsWith(`plan ${id} `));
    expect(lastUse('w-1')).toBeLessThan(lastUse('w-3'));
  });
});

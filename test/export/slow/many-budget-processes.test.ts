/** More processes than Temporal admits updates of one workflow: all are answered, also while the budget's history is handed on. */
import path from 'node:path';
import { Client } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BudgetClient } from '../../../activities/index.ts';
import { openLog, readSettings } from '../../../src/core/environment/index.ts';
import { parseExportDefinition } from '../../../src/export/definition/parse.ts';
import type { RunReference } from '../../../src/export/pipeline/index.ts';
import { type BudgetState, budgetIdOf } from '../../../src/export/run/index.ts';
import {
  ensureTemporal,
  type RunningWorker,
  startWorker,
  type TemporalSession,
} from '../../../src/export/runtime/index.ts';
import { keyFingerprint } from '../../../src/export/runtime/worker/worker.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { temporalExecutable } from '../../support/temporal.ts';

const KEY = 'many-processes';
const PROCESSES = 25;
const ROUNDS = 8;

describe.skipIf(!temporalExecutable)('a budget of many processes', () => {
  const folder = temporaryFolder();
  let session: TemporalSession;
  let worker: RunningWorker;
  let client: Client;

  beforeAll(async () => {
    const settings = readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: path.join(folder, 'home') });
    // The budget hands on its history several times during the test.
    const extraServerArguments = ['--dynamic-config-value', 'limit.historyCount.suggestContinueAsNew=100'];
    session = await ensureTemporal(settings, { extraServerArguments });
    worker = await startWorker(session, { apiKey: KEY, log: openLog(settings, 'worker', [KEY]) });
    client = new Client({ connection: await session.connect(), namespace: session.namespace });
  });
  afterAll(async () => {
    await worker.stop();
    await session.release();
  });

  function runOf(run_id: string): RunReference {
    const { definition } = parseExportDefinition('name: many\nselect: {}\ntables: [filings]\n', 'many.yaml', {});
    return { run_id, workflow_id: run_id, lake: '/', definition };
  }

  it('grants each its requests, and counts each settlement once', async () => {
    const process = () => new BudgetClient(client.workflow, worker.taskQueue, keyFingerprint(KEY));
    const kept = runOf('kept');
    await process().reserve(kept, 'kept', 1);
    await Promise.all(
      Array.from({ length: PROCESSES }, async (_, n) => {
        const budget = process();
        const run = runOf(`run-${n}`);
        for (let round = 0; round < ROUNDS; round++) {
          const batch_id = `${n}/${round}`;
          const { granted } = await budget.reserve(run, batch_id, 10);
          expect(granted).toBe(10);
          const spent = { requests: 7, bytes: 70, requests_left: null, resets_at: null, admitted: true };
          await budget.settle(run, { batch_id, ...spent });
        }
      }),
    );
    const handle = client.workflow.getHandle(budgetIdOf(kept.definition.service.base_url, keyFingerprint(KEY)));
    const state = await handle.query<BudgetState>('budget');
    const counted = Object.entries(state.runs).filter(([id]) => id !== 'kept');
    expect(counted).toHaveLength(PROCESSES);
    for (const [, { requests, grants }] of counted) {
      expect(requests).toBe(7 * ROUNDS);
      expect(grants).toEqual({});
    }
    const histories = [];
    for await (const { runId } of client.workflow.list({ query: "WorkflowType = 'budgetWorkflow'" }))
      histories.push(runId);
    expect(histories.length).toBeGreaterThan(1);

    for (const id of Object.keys(state.runs)) await process().leave(runOf(id));
    await handle.result();
  });
});

/**
 * Records the histories that `npm test` replays: `npm run histories` makes all of them, in a minute; `npm run histories -- SCENARIO`
 * those of one scenario. Run it if the order of a workflow's steps has changed.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { WorkflowHandle } from '@temporalio/client';
import { type NativeConnection, Worker } from '@temporalio/worker';
import { parseExportDefinition } from '../../src/export/definition/parse.ts';
import { workflowBundle } from '../../src/export/runtime/worker/bundle.ts';
import { ensureTemporal } from '../../src/export/runtime/index.ts';
import { readSettings } from '../../src/core/environment/index.ts';
import { TIME_SKIPPING_ARGUMENTS, timeSkippingClient } from '../support/time-skipping.ts';
import { BUDGET_SCENARIO, playBudget } from './budget-scenario.ts';
import { type Scenario, scenarios } from './scenarios.ts';

const only = process.argv[2];
/** So few events that a run of some windows is handed on, and others are not. */
const SHORT_HISTORIES = ['--dynamic-config-value', 'limit.historyCount.suggestContinueAsNew=90'];

const folder = mkdtempSync(join(tmpdir(), 'filinglake-histories-'));
const settings = readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: join(folder, 'home') });
const session = await ensureTemporal(settings, {
  extraServerArguments: [...SHORT_HISTORIES, ...TIME_SKIPPING_ARGUMENTS],
});
try {
  const client = await timeSkippingClient(session);
  let current: WorkflowHandle | null = null;
  const all = scenarios(() => current!);
  const write = async (name: string, workflowId: string) => {
    let part = 0;
    for await (const { runId } of client.workflow.list({ query: `WorkflowId = '${workflowId}'` })) {
      const json = historyToJSON(await client.workflow.getHandle(workflowId, runId).fetchHistory());
      const path = join(import.meta.dirname, `${name}-${++part}.json`);
      // Process, machine and folders of the recorder are nobody's business.
      const checkout = join(import.meta.dirname, '../..');
      writeFileSync(path, json.replace(/("identity": *)"[^"]*"/g, '$1"recorder"').replaceAll(checkout, '/filinglake'));
      process.stdout.write(`${path}\n`);
    }
  };
  const one = async ({ name, script, input = {}, tables = 'select: {}\ntables: [filings, parties]', service, tell }: Scenario) => {
    const { definition } = parseExportDefinition(`name: ${name}\n${service ? `service: { ${service} }\n` : ''}${tables}\n`, 'recorded.yaml', {});
    const worker = await Worker.create({
      connection: (await session.connectWorker()) as NativeConnection,
      namespace: session.namespace,
      taskQueue: name,
      workflowBundle: await workflowBundle(),
      activities: script.activities(),
    });
    const fetches = await Worker.create({
      connection: (await session.connectWorker()) as NativeConnection,
      namespace: session.namespace,
      taskQueue: `${name}/fetch`,
      activities: script.activities(),
    });
    const workflowId = `export/${name}`;
    const play = async () => {
      current = await client.workflow.start('exportWorkflow', {
        workflowId,
        taskQueue: name,
        args: [{ run_id: name, definition, lake: '/lake', started_at: '2026-11-21T00:00:00.000Z', ...input }],
        searchAttributes: { ExportName: [name], ExportState: ['running'] },
      });
      await tell?.(current);
      // Some end by failing, or by being cancelled.
      await client.workflow.getHandle(workflowId).result().catch(() => {});
    };
    await worker.runUntil(() => fetches.runUntil(play));
    await write(name, workflowId);
  };
  for (const scenario of all) if (only === undefined || scenario.name === only) await one(scenario);
  if (only === undefined || only === BUDGET_SCENARIO) {
    const decides = await Worker.create({
      connection: (await session.connectWorker()) as NativeConnection,
      namespace: session.namespace,
      taskQueue: BUDGET_SCENARIO,
      workflowBundle: await workflowBundle(),
    });
    await decides.runUntil(async () => write(BUDGET_SCENARIO, await playBudget(client, BUDGET_SCENARIO)));
  }
} finally {
  await session.release();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/**
 * Records the histories that `npm test` replays: `npm run histories -- NAME` makes all of them, in a minute. Run it before a
 * release, under its version. Earlier recordings stay: runs of that time may still be active. `npm run histories -- NAME SCENARIO`
 * makes those of one scenario.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { WorkflowHandle } from '@temporalio/client';
import { type NativeConnection, Worker } from '@temporalio/worker';
import { parseExportDefinition } from '../../src/export/index.ts';
import { workflowBundle } from '../../src/runtime/worker/bundle.ts';
import { ensureTemporal } from '../../src/runtime/index.ts';
import { readSettings } from '../../src/environment/index.ts';
import { TIME_SKIPPING_ARGUMENTS, timeSkippingClient } from '../support/time-skipping.ts';
import { BUDGET_SCENARIO, playBudget } from './budget-scenario.ts';
import { remapScenarios } from './remap-scenarios.ts';
import { type Scenario, scenarios } from './scenarios.ts';

const release = process.argv[2] ?? 'new';
const only = process.argv[3];
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
      const path = join(import.meta.dirname, `${name}${part++ === 0 ? '' : `-${part}`}-${release}.json`);
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
  for (const { name, activities, input } of remapScenarios()) {
    if (only !== undefined && name !== only) continue;
    const connection = (await session.connectWorker()) as NativeConnection;
    const common = { connection, namespace: session.namespace };
    const decides = await Worker.create({ ...common, taskQueue: name, workflowBundle: await workflowBundle() });
    const maps = await Worker.create({ ...common, taskQueue: `${name}/remap`, activities });
    const workflowId = `remap/${name}`;
    await decides.runUntil(() =>
      maps.runUntil(async () => {
        await client.workflow.start('remapWorkflow', { workflowId, taskQueue: name, args: [input] });
        // Some end by failing.
        await client.workflow.getHandle(workflowId).result().catch(() => {});
      }),
    );
    await write(name, workflowId);
  }
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

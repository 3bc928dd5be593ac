/**
 * Records the histories that `npm test` replays: `node test/histories/record.ts NAME`. Run it when workflows change in a way that
 * `patched` covers, under a new NAME; what was recorded before stays, since runs of that time may still be going on.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseExportDefinition } from '../../src/export/index.ts';
import { ExportRuns, ensureTemporal, openLog, readSettings, startWorker } from '../../src/runtime/index.ts';
import { buildRoad } from '../given/road.ts';
import { temporalExecutable } from '../given/temporal.ts';
import { TIME_SKIPPING_ARGUMENTS, timeSkippingClient } from '../given/time-skipping.ts';

const name = process.argv[2] ?? 'new';
const road = await buildRoad(25);
const settings = readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: road.home });
const session = await ensureTemporal(settings, { extraServerArguments: TIME_SKIPPING_ARGUMENTS });
try {
  const apiKey = road.createKey('small');
  let months = 0;
  const client = await timeSkippingClient(session, (update) => {
    if (update === 'block') road.setClock(new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + ++months, 1, 0, 5)));
  });
  const log = openLog(settings, 'record', [apiKey]);
  const worker = await startWorker(session, { apiKey, client, log, compactParts: 1 });
  const file = road.definition('recorded');
  const { definition } = parseExportDefinition(readFileSync(file, 'utf8'), file, {});
  const runs = await ExportRuns.of(session, client);
  const { handle } = await runs.start(definition, join(road.folder, 'lake'), apiKey);
  await runs.result(handle);
  for await (const { workflowId, type } of client.workflow.list()) {
    const where = ['--address', session.address, '--namespace', session.namespace];
    const show = ['workflow', 'show', ...where, '--workflow-id', workflowId, '--output', 'json'];
    const history = execFileSync(temporalExecutable!.path, show, { encoding: 'utf8', maxBuffer: 1 << 28 });
    const path = join(import.meta.dirname, `${type}-${name}.json`);
    // Process and machine of the recorder are nobody's business.
    writeFileSync(path, history.replace(/("identity": *)"[^"]*"/g, '$1"recorder"'));
    process.stdout.write(`${path}\n`);
  }
  await worker.stop();
} finally {
  await session.release();
  await road.stop();
}

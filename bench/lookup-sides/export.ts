/** The export: Temporal (whose CPU is counted while it runs), worker, lake. */
import { join } from 'node:path';
import { openHome, openLog, readSettings } from '../../src/environment/index.ts';
import { parseExportDefinition } from '../../src/export/index.ts';
import { ExportRuns, ensureTemporal, startWorker } from '../../src/runtime/index.ts';
import { readTemporalState } from '../../src/runtime/temporal/state.ts';
import { cpuSecondsOf } from '../export-sides/process-cpu.ts';
import { report } from './given.ts';

const API_KEY = 'fl_bench';

await report(async ({ url, home, folder, documents, page_size }) => {
  const settings = readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: home });
  const session = await ensureTemporal(settings);
  const server = readTemporalState(openHome(home).temporalState)!.server!.pid;
  const before = cpuSecondsOf(server);
  const tables = documents ? 'tables: [filings, documents]\ndocuments: { sizes: false }' : 'tables: [filings]';
  const yaml = `name: lookup\nservice: { base_url: ${url}, page_size: ${page_size} }\nselect: {}\n${tables}\n`;
  const { definition } = parseExportDefinition(yaml, 'lookup.yaml', {});
  const worker = await startWorker(session, { apiKey: API_KEY, log: openLog(settings, 'bench', [API_KEY]) });
  const runs = await ExportRuns.of(session);
  const { handle } = await runs.start(definition, join(folder, 'lake'), API_KEY);
  const { progress } = await runs.result(handle);
  await worker.stop();
  await session.release();
  const { requests, tables: brought, windows_unproven } = progress;
  if (windows_unproven > 0) throw new Error(`${windows_unproven} windows are not proven`);
  return { rows: brought.filings?.rows_new ?? 0, requests, otherCpuSeconds: cpuSecondsOf(server) - before };
});

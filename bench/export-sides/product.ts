/**
 * The export itself: Temporal, a worker, the lake. The Temporal server runs already, as on a machine that exports daily; its CPU is
 * counted.
 */

import { openHome, openLog, readSettings } from '../../src/core/environment/index.ts';
import { ExportRuns, ensureTemporal, startWorker } from '../../src/export/runtime/index.ts';
import { readTemporalState } from '../../src/export/runtime/temporal/state.ts';
import { cpuSecondsOf } from '../recording/proc.ts';
import { definitionOf, given, report } from './given.ts';

const settings = readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: given.home });
const session = await ensureTemporal(settings);
const server = readTemporalState(openHome(given.home).temporalState)!.server!.pid;
const before = cpuSecondsOf(server);

await report(async () => {
  const { api_key, lake } = given;
  const worker = await startWorker(session, { apiKey: api_key, log: openLog(settings, 'bench', [api_key]) });
  const runs = await ExportRuns.of(session);
  const { handle } = await runs.start(definitionOf(given), lake, api_key);
  const { progress, finished } = await runs.result(handle);
  await worker.stop();
  if (finished.failures > 0) throw new Error(`${finished.failures} failures`);
  const brought = (table: string) => progress.tables[table]?.rows_new ?? 0;
  return {
    requests: progress.requests,
    rows: {
      filings: brought('filings'),
      sections: brought('section_contents'),
      documents: brought('document_contents'),
      entities: brought('entities'),
    },
    temporal_cpu_seconds: cpuSecondsOf(server) - before,
  };
});
await session.release();

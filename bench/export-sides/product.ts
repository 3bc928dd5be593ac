/** The export itself: Temporal, a worker, the lake. The Temporal server runs already, as on a machine that exports daily; its CPU is counted. */
import { readFileSync } from 'node:fs';
import { parseExportDefinition } from '../../src/export/index.ts';
import { ExportRuns, ensureTemporal, openHome, openLog, readSettings, startWorker } from '../../src/runtime/index.ts';
import { readTemporalState } from '../../src/runtime/temporal-state.ts';
import { given, report } from './given.ts';

const settings = readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: given.home });
const session = await ensureTemporal(settings);
const server = readTemporalState(openHome(given.home).temporalState)!.server!.pid;
const before = cpuSecondsOf(server);

await report(async () => {
  const { url, api_key, connections, lake } = given;
  const yaml = `name: bench
service: { base_url: ${url}, connections: ${connections} }
select: {}
tables: [entities, filings, parties, documents, sections, section_contents, items_8k, exhibits_8k, document_contents]`;
  const { definition } = parseExportDefinition(yaml, 'bench.yaml', {});
  const worker = await startWorker(session, { apiKey: api_key, log: openLog(settings, 'bench', [api_key]) });
  const runs = await ExportRuns.of(session);
  const { handle } = await runs.start(definition, lake, api_key);
  const { progress, finished } = await runs.result(handle);
  await worker.stop();
  if (finished.failures > 0) throw new Error(`${finished.failures} failures`);
  return { requests: progress.requests, others_cpu_seconds: cpuSecondsOf(server) - before };
});
await session.release();

/** User and system time of a process, from /proc; 0 where there is no /proc. */
function cpuSecondsOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0;
  }
}

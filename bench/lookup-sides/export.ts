/** The export as it is published: Temporal (whose CPU is counted while it runs), worker, lake. */
import { join } from 'node:path';
import { cpuSecondsOf } from '../recording/proc.ts';
import { report } from './given.ts';

await report(async ({ url, home, folder, documents, page_size, temporal, program }) => {
  const before = cpuSecondsOf(temporal);
  const { startExport } = (await import(program)) as typeof import('../../src/library/index.ts');
  const run = await startExport(
    {
      name: 'lookup',
      service: { base_url: url, page_size },
      select: {},
      ...(documents ? { tables: ['filings', 'documents'], documents: { sizes: false } } : { tables: ['filings'] }),
    },
    {
      lake: join(folder, 'lake'),
      apiKey: 'fl_bench',
      env: { ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: home },
    },
  );
  const { progress } = await run.done();
  await run.close();
  const { requests, tables: brought, windows_unproven } = progress;
  if (windows_unproven > 0) throw new Error(`${windows_unproven} windows are not proven`);
  return { rows: brought.filings?.rows_new ?? 0, requests, otherCpuSeconds: cpuSecondsOf(temporal) - before };
});

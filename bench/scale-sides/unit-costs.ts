/**
 * The measured cost of one filing: an export of the sections of 10-Ks and 10-Qs from a real service, over sample filings or a
 * folder of real ones.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeyRegister, loadPlans } from '../../src/accounts/index.ts';
import { ingest } from '../../src/catalog/index.ts';
import { openHome, openLog, readSettings } from '../../src/environment/index.ts';
import { parseExportDefinition } from '../../src/export/index.ts';
import { openLake } from '../../src/lake/index.ts';
import { ExportRuns, ensureTemporal, startWorker } from '../../src/runtime/index.ts';
import { readTemporalState } from '../../src/runtime/temporal/state.ts';
import { writeSample } from '../../src/sample/index.ts';
import { startService } from '../export.ts';
import { cpuSecondsOf } from '../export-sides/process-cpu.ts';

export const SELECTION = `select: { form_types: [10-K, 10-Q], date_from: 1993-01-01 }
tables: [filings, sections, section_contents]
`;

export interface UnitCosts {
  filings: number;
  requests: number;
  bytes: number;
  /** From the run's start to its end: code is loaded, Temporal runs. */
  seconds: number;
  /** Of worker and Temporal; the service's is not counted */
  cpu_seconds: number;
  commits: number;
  events: number;
  parts: number;
  lake_bytes: number;
  /** Of the lake's log */
  log_bytes: number;
}

/** @param from a number of sample filings, of which some are 10-Ks and 10-Qs, or a folder of EDGAR's files */
export async function measureUnitCosts(from: number | string): Promise<UnitCosts> {
  const folder = mkdtempSync(join(tmpdir(), 'filinglake-scale-'));
  const home = join(folder, 'home');
  const settings = readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: home });
  const catalogFolder = join(folder, 'catalog');
  const corpus = typeof from === 'string' ? from : join(folder, 'corpus');
  if (typeof from === 'number') await writeSample({ filings: from, seed: 17, out: corpus });
  await ingest([corpus], catalogFolder, {});
  const accounts = KeyRegister.open(catalogFolder, loadPlans());
  const { api_key } = accounts.createKey('unlimited');
  accounts.close();
  const service = await startService(catalogFolder);
  const session = await ensureTemporal(settings);
  try {
    const server = readTemporalState(openHome(home).temporalState)!.server!.pid;
    const worker = await startWorker(session, { apiKey: api_key, log: openLog(settings, 'scale', [api_key]) });
    const yaml = `name: scale\nservice: { base_url: ${service.url} }\n${SELECTION}`;
    const { definition } = parseExportDefinition(yaml, 'scale.yaml', {});
    const runs = await ExportRuns.of(session);
    const lakeFolder = join(folder, 'lake');
    const cpu = process.cpuUsage();
    const temporalCpu = cpuSecondsOf(server);
    const startedAt = performance.now();
    const { handle } = await runs.start(definition, lakeFolder, api_key);
    const { progress } = await runs.result(handle);
    const seconds = (performance.now() - startedAt) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    const { historyLength } = await handle.describe();
    await worker.stop();
    return {
      filings: progress.filings_found,
      requests: progress.requests,
      bytes: progress.bytes,
      seconds,
      cpu_seconds: (user + system) / 1e6 + cpuSecondsOf(server) - temporalCpu,
      events: historyLength,
      ...(await lakeCosts(lakeFolder)),
    };
  } finally {
    await session.release();
    service.process.kill('SIGTERM');
    if (service.process.exitCode === null) await once(service.process, 'exit');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function lakeCosts(folder: string): Promise<Pick<UnitCosts, 'commits' | 'parts' | 'lake_bytes' | 'log_bytes'>> {
  const lake = await openLake(folder);
  try {
    const { version, tables } = await lake.snapshot();
    const all = [...tables.values()];
    const log = await lake.storage.list('_lake');
    return {
      commits: version + 1,
      parts: all.reduce((sum, { parts }) => sum + parts.size, 0),
      lake_bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
      log_bytes: log.reduce((sum, { bytes }) => sum + bytes, 0),
    };
  } finally {
    await lake.close();
  }
}

/**
 * Makes the tables of forms and XBRL again, from the documents that a lake has, without a request: all stretches in this process. The
 * workflow of a remap does the same with many workers.
 */
import { randomUUID } from 'node:crypto';
import { addStretch, newRemapReport, type RemapReport } from '../../export/index.ts';
import { MAPPING_VERSION } from '../../forms/index.ts';
import type { Lake } from '../../lake/index.ts';
import { USUAL_FORM_TABLES } from '../../tables/index.ts';
import type { BytesBeat } from '../compaction/types.ts';
import type { WorkerDependencies } from '../dependencies.ts';
import { filingsOfOlderMapping } from './mapping-version.ts';
import { planRemap } from './plan-remap.ts';
import { remapStretch } from './remap-stretch.ts';
import type { RemapReference, StretchLimits } from './types.ts';

interface RemapOptions {
  /** Names of tables; absent: all tables of forms and XBRL, without form_values. */
  tables?: readonly string[];
  /** @param beat bytes of the current stretch */
  onProgress?: (done: RemapReport, beat: BytesBeat) => void;
  signal?: AbortSignal;
  /** For tests. */
  limits?: Partial<StretchLimits>;
}

/** How often `onProgress` is called, at most. */
const BEAT_MS = 200;

/** @throws FilinglakeError of the lake; what was committed stays, and the next remap continues after it */
export async function remapLake(lake: Lake, options: RemapOptions = {}): Promise<RemapReport> {
  const { tables = USUAL_FORM_TABLES, signal = new AbortController().signal, limits, onProgress = () => {} } = options;
  const report = newRemapReport(MAPPING_VERSION);
  const remap = { lake: lake.root, lake_id: lake.id, run_id: newRemapRun(), mapping_version: MAPPING_VERSION };
  let beat: () => Partial<BytesBeat> = () => ({});
  const heartbeat = {
    report(given: () => object) {
      beat = given;
    },
  };
  const lakes = { at: async () => lake } as unknown as WorkerDependencies['lakes'];
  const job = { lakes, attempt: 1, signal, heartbeat, leaving: new AbortController().signal };
  const tell = () => onProgress(report, { bytes: 0, of: 0, ...beat() });
  const timer = setInterval(tell, BEAT_MS);
  try {
    const planned = await planRemap(job, { ...remap, ...(limits ? { limits } : {}) });
    const { plan, stretches, filings, bytes, version } = planned;
    Object.assign(report, { filings, bytes, version, stretches });
    for (let stretch = 0; stretch < stretches; stretch++) {
      signal.throwIfAborted();
      const since = report.version;
      addStretch(report, (await remapStretch(job, { ...remap, tables, plan, stretch, since })).report);
      beat = () => ({});
      tell();
    }
  } finally {
    clearInterval(timer);
    await lake.dropStaging(remap.run_id);
  }
  report.older = await filingsOfOlderMapping(lake);
  return report;
}

export function newRemapRun(): string {
  return `remap-${randomUUID()}`;
}

/** The end of a remap by workers, completed or not: deletes its staged files. @returns filings of an older mapping that are left */
export async function finishRemap(
  { lakes }: Pick<WorkerDependencies, 'lakes'>,
  remap: RemapReference,
): Promise<{ older: number; version: number }> {
  const lake = await lakes.at(remap);
  await lake.dropStaging(remap.run_id);
  return { older: await filingsOfOlderMapping(lake), version: await lake.currentVersion() };
}

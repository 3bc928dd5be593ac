/** A step of some seconds in the compaction of a table. Any worker can continue: the lake itself shows what is left to do. */
import type { WorkerDependencies } from '../dependencies.ts';
import type { JobContext } from '../job-context.ts';
import type { BytesBeat, CompactTableRequest, LakeReference, TableCompacted, TablesToCompact } from './types.ts';

/** Each step ends with a commit. A kill loses only what was written since the last one. */
export const COMPACTION_BOX_MS = 8_000;
/** For its own DuckDB, beside those of commits and queries in the same process. Sorting spills to disk beyond it. */
const MEMORY_BYTES = 384 * 2 ** 20;

export async function compactTable(
  { lakes, leaving, compactionBoxMs, signal, heartbeat }: WorkerDependencies & JobContext,
  request: CompactTableRequest,
): Promise<TableCompacted> {
  const { table, target_bytes, smallest } = request;
  const lake = await lakes.at(request);
  let beat: BytesBeat = { bytes: 0, of: 0 };
  heartbeat.report(() => beat);
  const report = await lake.compact({
    tables: [table],
    ...(target_bytes === null ? {} : { targetBytes: target_bytes }),
    smallest,
    boxMs: compactionBoxMs,
    memoryBytes: MEMORY_BYTES,
    signal: AbortSignal.any([leaving, signal]),
    onProgress: ({ bytes, of }) => {
      beat = { bytes, of };
    },
  });
  signal.throwIfAborted();
  const { version, commits, groups_lost, whole } = report;
  return { version, commits, groups_lost, whole, ...report.tables[table]! };
}

/** Tables of the lake in the order of compaction: the table with the most small parts comes first. */
export async function tablesToCompact({ lakes }: WorkerDependencies, request: LakeReference): Promise<TablesToCompact> {
  const lake = await lakes.at(request);
  const counts = [...(await lake.smallParts())].filter(([, parts]) => parts > 1);
  return { version: await lake.currentVersion(), tables: counts.sort(([, a], [, b]) => b - a).map(([table]) => table) };
}

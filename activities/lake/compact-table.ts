/** Some seconds of a table's compaction. Begun anew by whoever comes next: what is to be done stands in the lake itself. */
import { CancelledFailure, Context } from '@temporalio/activity';
import type { WorkerDependencies } from '../export/dependencies.ts';
import type { CompactionBeat, CompactTableRequest, LakeReference, TableCompacted, TablesToCompact } from './types.ts';

/** A kill costs what was written since the last commit, and each step ends with one. */
export const COMPACTION_BOX_MS = 8_000;
/** For a DuckDB beside those of commits and queries in the same process; sorting spills beyond it. */
const MEMORY_BYTES = 384 * 2 ** 20;
const BEAT_MS = 500;

export async function compactTable(
  { lakes, leaving, compactionBoxMs }: WorkerDependencies,
  request: CompactTableRequest,
): Promise<TableCompacted> {
  const { table, target_bytes, smallest } = request;
  const context = Context.current();
  const lake = await lakes.at(request);
  let beat: CompactionBeat = { bytes: 0, of: 0 };
  const beating = setInterval(() => context.heartbeat(beat), BEAT_MS);
  try {
    const report = await lake.compact({
      tables: [table],
      ...(target_bytes === null ? {} : { targetBytes: target_bytes }),
      smallest,
      boxMs: compactionBoxMs,
      memoryBytes: MEMORY_BYTES,
      signal: AbortSignal.any([leaving, context.cancellationSignal]),
      onProgress: ({ bytes, of }) => {
        beat = { bytes, of };
      },
    });
    if (context.cancellationSignal.aborted) throw new CancelledFailure('the compaction was ended');
    const { version, commits, groups_lost, whole } = report;
    return { version, commits, groups_lost, whole, ...report.tables[table]! };
  } finally {
    clearInterval(beating);
  }
}

/** Tables of the lake, in the order in which they are compacted: those with the most small parts first. */
export async function tablesToCompact({ lakes }: WorkerDependencies, request: LakeReference): Promise<TablesToCompact> {
  const lake = await lakes.at(request);
  const counts = [...(await lake.smallParts())].filter(([, parts]) => parts > 1);
  return { version: await lake.currentVersion(), tables: counts.sort(([, a], [, b]) => b - a).map(([table]) => table) };
}

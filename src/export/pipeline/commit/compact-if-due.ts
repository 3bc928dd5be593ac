/** Compaction by the process that commits: after its commit, if a table has got many small parts. */
import type { Lake } from '../../../lake/index.ts';
import { messageOf } from '../failures/verdict.ts';
import type { JobContext } from '../job-context.ts';
import type { WorkerDependencies } from '../worker/dependencies.ts';

/** Nothing more is started after this time: the rest is for the next commit. A kill loses only the part that is being written. */
export const COMPACTION_BOX_MS = 8_000;
/** For its own DuckDB, beside those of commits and queries in the same process. Sorting spills to disk beyond it. */
const MEMORY_BYTES = 384 * 2 ** 20;

/** Never throws: the commit is safe, and the next one tries again. */
export async function compactIfDue(
  {
    attempt,
    compactParts,
    compactionBoxMs,
    leaving,
    log,
    signal,
  }: Pick<WorkerDependencies, 'compactParts' | 'compactionBoxMs' | 'leaving'> &
    Pick<JobContext, 'attempt' | 'log' | 'signal'>,
  lake: Lake,
  term?: number,
): Promise<void> {
  // A compaction that ended its worker must not do it again and again: the commit must get through.
  if (compactParts === 0 || attempt > 1) return;
  try {
    const counts = [...(await lake.smallParts())].sort(([, a], [, b]) => b - a);
    if ((counts[0]?.[1] ?? 0) <= compactParts) return;
    // Tables that are due soon are included, so that one compaction serves all tables of an export.
    const smallest = Math.max(2, Math.floor(compactParts / 2));
    const until = performance.now() + compactionBoxMs;
    for (const [table, parts] of counts) {
      const boxMs = until - performance.now();
      if (parts < smallest || boxMs <= 0 || signal.aborted || leaving.aborted) return;
      const ended = AbortSignal.any([leaving, signal]);
      await lake.compact({ tables: [table], smallest, boxMs, memoryBytes: MEMORY_BYTES, signal: ended, term });
    }
  } catch (error) {
    log.warn('the lake could not be compacted', { lake: lake.root, error: messageOf(error) });
  }
}

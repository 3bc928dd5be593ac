/** How many of the listed filings of runs are complete, counted in their lakes. */
import { FilinglakeError } from '../../core/index.ts';
import type { RunStatus } from '../../export/runtime/index.ts';
import { openLake } from '../../lake/index.ts';
import { COUNTED_TABLES, filingsWithout, incompleteFilings, sentencesOfWithout } from '../../lake/report/index.ts';

export interface RunStatusCounted extends RunStatus {
  /** Listed filings for which the lake has everything that the run planned; null if the lake can't be read here. */
  filings_complete: number | null;
  /** Filings of the lake without rows of what exports want of their documents, and why: a sentence for each kind. */
  without: readonly string[];
}

/** Counts for each run, at the newest version of its lake. Lakes are read, never written. */
export async function withCompleteFilings(runs: readonly RunStatus[]): Promise<RunStatusCounted[]> {
  const incomplete = new Map<string, Counted | null>();
  for (const folder of new Set(runs.map(({ lake }) => lake))) {
    const ids = runs.flatMap(({ lake, run_id }) => (lake === folder && run_id !== null ? [run_id] : []));
    incomplete.set(folder, ids.length === 0 ? NOTHING : await countedIn(folder, ids));
  }
  return runs.map((run) => {
    const of = incomplete.get(run.lake);
    const lacking = of?.lacking;
    const listed = run.progress.filings_found;
    // The run's own figures may be a moment older than the lake.
    const complete = lacking ? Math.max(0, listed - (lacking.get(run.run_id ?? '') ?? 0)) : null;
    return { ...run, filings_complete: complete, without: of?.without ?? [] };
  });
}

interface Counted {
  lacking: Map<string, number>;
  without: readonly string[];
}
const NOTHING: Counted = { lacking: new Map(), without: [] };

async function countedIn(folder: string, runIds: readonly string[]): Promise<Counted | null> {
  try {
    const lake = await openLake(folder, { unmended: true });
    const counted = async () => ({
      lacking: await incompleteFilings(lake, runIds),
      without: sentencesOfWithout(await filingsWithout((sql) => lake.query(sql, { tables: COUNTED_TABLES }))),
    });
    return await counted().finally(() => lake.close());
  } catch (error) {
    // Deleted, on another machine, of a newer release, or damaged: other commands report it.
    if (error instanceof FilinglakeError) return null;
    throw error;
  }
}

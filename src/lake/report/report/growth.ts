/** How a lake grew: rows and bytes at the end of each day with a commit. */
import { isCompaction, type LakeCommit } from '../../index.ts';

export interface GrowthDay {
  /** UTC */
  day: string;
  /** The last version of the day, and the number of versions. */
  version: number;
  commits: number;
  filings: number;
  /** Rows of all tables. */
  rows: number;
  /** Bytes of live parts. */
  bytes: number;
  /** Rows added on that day, replacing ones included. */
  rows_new: number;
}

/** With more days, only some are shown, and always the last. */
const DAYS_MAX = 400;

/** Replays the log: no single commit has the size of the live parts. */
export async function growthOf(
  readCommit: (version: number) => Promise<LakeCommit | null>,
  newest: number,
): Promise<GrowthDay[]> {
  const live = new Map<string, number>();
  let bytes = 0;
  const days: GrowthDay[] = [];
  for (let version = 0; version <= newest; version++) {
    const commit = await readCommit(version);
    if (commit === null) break;
    let rows_new = 0;
    for (const change of Object.values(commit.tables)) {
      for (const part of change.remove) {
        bytes -= live.get(part) ?? 0;
        live.delete(part);
      }
      for (const { part, bytes: size } of change.add) {
        bytes += size;
        live.set(part, size);
      }
      if (!isCompaction(change)) rows_new += change.rows_new + change.rows_replaced;
    }
    const day = commit.committed_at.slice(0, 10);
    const before = days.at(-1)?.day === day ? days.pop() : undefined;
    days.push({
      day,
      version,
      commits: (before?.commits ?? 0) + 1,
      filings: commit.promises.filings ?? 0,
      rows: Object.values(commit.promises).reduce((sum, rows) => sum + rows, 0),
      bytes,
      rows_new: (before?.rows_new ?? 0) + rows_new,
    });
  }
  return thinned(days);
}

function thinned(days: GrowthDay[]): GrowthDay[] {
  const step = Math.ceil(days.length / DAYS_MAX);
  return days.filter((_, i) => (days.length - 1 - i) % step === 0);
}

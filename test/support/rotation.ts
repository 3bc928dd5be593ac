/**
 * Which slow files a run begins with. The files are dealt into groups of about equal seconds. The number of a run decides which group
 * comes first; the others follow in turn, as far as the time goes. So four runs with numbers in a row run every file, if none is added
 * or changes its seconds meanwhile: then they may be dealt otherwise.
 *
 * The number is the one that the CI service counts, if it states one: it grows by one with each run, also if there are several in
 * a day, or none. Elsewhere it is the day. Both need no state. The count of commits would be worse: a shallow clone has one, and who
 * pushes four at a time would always begin with the same group.
 */
import { secondsOf } from './durations.ts';

export const GROUPS = 4;

const DAY_MS = 24 * 3600 * 1000;

export function runNumber(env: Readonly<Record<string, string | undefined>>, now: number): number {
  const counted = Number(env.GITHUB_RUN_NUMBER);
  return Number.isSafeInteger(counted) && counted > 0 ? counted : Math.floor(now / DAY_MS);
}

/** The files in the order of a run, the longest of each group first. The same files are always dealt in the same way. */
export function rotated(files: readonly string[], run: number): string[] {
  const groups = Array.from({ length: GROUPS }, () => ({ files: [] as string[], seconds: 0 }));
  for (const file of files.toSorted((a, b) => secondsOf(b) - secondsOf(a) || (a < b ? -1 : 1))) {
    const least = groups.reduce((least, group) => (group.seconds < least.seconds ? group : least));
    least.files.push(file);
    least.seconds += secondsOf(file);
  }
  return groups.flatMap((_, n) => groups[(run + n) % GROUPS]!.files);
}

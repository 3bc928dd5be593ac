/**
 * The newest commits in one file, for lakes whose log takes a request for each commit and for each thousand names. It is written
 * after each commit whose Delta logs and lake.sql are done. The log stays the truth: a file that contradicts it is ignored.
 */
import { packed, unpacked } from '../storage/compressed-file.ts';
import { commitName, LOG_FOLDER, RECENT_FILE } from '../storage/layout.ts';
import type { LakeStorage } from '../storage/storage.ts';
import {
  applyCommit,
  COMMIT_NAME,
  type CommitReader,
  commitsFrom,
  EMPTY_LAKE,
  type LakeCommit,
  type LakeSnapshot,
  LOG_FORMAT,
  readCommit,
  readSnapshotFile,
  rollForward,
  versionsAmong,
} from './log.ts';

interface RecentFile {
  format: number;
  /** Id of the lake. A file that another lake left in the place is ignored. */
  lake: string;
  version: number;
  /** Version of the snapshot before these commits; -1 without one. */
  snapshot_version: number;
  commits: LakeCommit[];
  /** The commit of `version`, even if a snapshot file contains it. */
  newest: LakeCommit;
}

export interface Recent {
  readonly snapshot: LakeSnapshot;
  /** Up to this version, Delta logs and lake.sql were written. */
  readonly published: number;
}

/** The newest version of the lake by this file, or null if the file can't be used. */
export async function readRecent(storage: LakeStorage, lakeId: string): Promise<Recent | null> {
  const bytes = await storage.read(RECENT_FILE);
  const file = bytes && (await parsed(bytes));
  if (file === null || file.lake !== lakeId) return null;
  const { version, snapshot_version, commits, newest } = file;
  const read: CommitReader = (wanted) => readCommit(storage, wanted);
  const [from, logged, names] = await Promise.all([
    snapshot_version < 0 ? EMPTY_LAKE : readSnapshotFile(storage, snapshot_version).catch(() => null),
    read(version),
    storage.listNames(LOG_FOLDER, commitName(version)),
  ]);
  // Someone may have restored an older log, or copied files from another lake.
  if (from === null || logged === null || JSON.stringify(logged) !== JSON.stringify(newest)) return null;
  let snapshot = from;
  try {
    for (const commit of commits) snapshot = applyCommit(snapshot, commit);
  } catch {
    return null;
  }
  if (snapshot.version !== version) return null;
  const last = versionsAmong(names, COMMIT_NAME).at(-1) ?? -1;
  snapshot = await rollForward(storage, snapshot, undefined, read, last);
  // The log has a hole. Reading the whole log reports which commit is missing.
  return snapshot.version < last ? null : { snapshot, published: version };
}

/** Writes the file for a version that is completely published. */
export async function writeRecent(
  storage: LakeStorage,
  lakeId: string,
  { version, snapshotVersion }: LakeSnapshot,
  read: CommitReader,
): Promise<void> {
  const commits: LakeCommit[] = [];
  for await (const commit of commitsFrom(read, snapshotVersion + 1, version, version)) commits.push(commit);
  const newest = commits.at(-1) ?? (await read(version));
  if (newest?.version !== version) return;
  const file = { format: LOG_FORMAT, lake: lakeId, version, snapshot_version: snapshotVersion, commits, newest };
  await storage.replace(RECENT_FILE, await packed(Buffer.from(JSON.stringify(file satisfies RecentFile))));
}

async function parsed(bytes: Buffer): Promise<RecentFile | null> {
  try {
    const file = JSON.parse((await unpacked(bytes)).toString('utf8')) as RecentFile;
    return file.format === LOG_FORMAT ? file : null;
  } catch {
    return null;
  }
}

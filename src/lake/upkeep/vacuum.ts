/** Vacuum: deletes files that no recent version names, and leftovers of runs and crashes. Safe while others read. */
import { FilinglakeError } from '../../core/index.ts';
import { readDeltaState } from '../delta/state.ts';
import { type LakeSnapshot, tableState } from '../log/log.ts';
import type { LakeReader } from '../query/reader.ts';
import { ANNOUNCED_MS, announceVacuum, releasedParts, removeOldAnnouncements } from '../release/releases.ts';
import type { LakeState } from '../state/state.ts';
import { commitName, isPartPath, LOG_FOLDER, partPath, pathSegment, STAGING_FOLDER } from '../storage/layout.ts';
import type { LakeStorage, StoredFile } from '../storage/storage.ts';

const DAY_MS = 24 * 3600 * 1000;
/** Versions of this time stay readable: as long as Delta readers expect a removed file to exist. */
const KEEP_MS_DEFAULT = 7 * DAY_MS;
/**
 * Younger files always stay: a part that isn't committed yet, the scratch file of a writer. An attempt takes 30 minutes at most.
 * The rest allows for clocks that differ and machines that sleep.
 */
const YOUNGEST_MS = DAY_MS;
/** A run that hasn't ended in the lake may wait a month for its quota. One without changes for longer won't continue. */
const ABANDONED_MS = 60 * DAY_MS;

export interface VacuumOptions {
  /** Files of versions of this time stay. */
  keepMs?: number;
  /** Reports what would be deleted, and deletes nothing. */
  dryRun?: boolean;
  /** The current time; set only in tests. */
  nowMs?: number;
}

export interface Removed {
  files: number;
  bytes: number;
}

export interface VacuumReport {
  lake: string;
  version: number;
  dry_run: boolean;
  /** Oldest version that can be read afterwards, apart from the last one before. */
  kept_since: string;
  /** By table: parts that no kept version names. */
  parts: Record<string, Removed>;
  /** Files that were being built when a process ended. */
  scratch: Removed;
  /** Staged rows of ended runs. */
  staging: Removed & { runs: number };
  /** Runs that haven't ended in the lake: their staged rows stay. */
  runs_kept: { folder: string; bytes: number }[];
}

interface FoundFile extends StoredFile {
  path: string;
}

interface StagedRun {
  folder: string;
  files: FoundFile[];
  over: boolean;
}

const NOTHING: Removed = { files: 0, bytes: 0 };

/**
 * Deletes parts that no release and no version of the last seven days (`keepMs`) names, and leftovers of finished runs and crashes. Files are
 * listed before the log is read. A file that is committed in between is in the log, or too young to delete.
 * @throws FilinglakeError `lake-damaged`; `lake-unwritable`, `lake-busy`: some files are deleted, the rest stay, and the next call
 * continues
 */
export async function vacuumLake(
  lake: LakeState,
  reader: LakeReader,
  options: VacuumOptions = {},
): Promise<VacuumReport> {
  const { storage } = lake;
  const { keepMs = KEEP_MS_DEFAULT, dryRun = false } = options;
  if (!dryRun) lake.refuseUnwritable();
  const endOfAnnouncement = dryRun ? null : await announceVacuum(storage);
  try {
    return await vacuum(lake, reader, { ...options, keepMs, dryRun });
  } finally {
    await endOfAnnouncement?.();
  }
}

async function vacuum(
  lake: LakeState,
  reader: LakeReader,
  options: VacuumOptions & { keepMs: number; dryRun: boolean },
): Promise<VacuumReport> {
  const { storage } = lake;
  const { keepMs, dryRun } = options;
  const startedMs = Date.now();
  const nowMs = options.nowMs ?? (dryRun ? startedMs : await storageTime(storage));
  const old = ({ modifiedAtMs }: StoredFile) => modifiedAtMs < nowMs - YOUNGEST_MS;
  if (!dryRun) await removeOldAnnouncements(storage, old);
  const parts = new Map<string, StoredFile[]>();
  for (const table of lake.tables.keys())
    parts.set(
      table,
      // Only files named like our parts are ever deleted.
      (await storage.list(table)).filter(({ name }) => isPartPath(partPath(table, name))),
    );
  const scratch = (await storage.scratchFiles()).filter(old);
  const runs = await stagedRuns(storage, reader, nowMs);

  const snapshot = await lake.snapshot();
  const written = new Map((await storage.list(LOG_FOLDER)).map(({ name, modifiedAtMs }) => [name, modifiedAtMs]));
  const going = runs.filter(({ over, files }) => over && files.every(old));
  const staying = runs.filter((run) => !going.includes(run));
  const keptSince = nowMs - keepMs;
  const named = await namedParts(lake, snapshot, written, keptSince);
  // After the log: `isSafe` of a release relies on the order.
  const released = await releasedParts(lake);
  const unnamed = new Map<string, StoredFile[]>();
  const connection = await (await lake.engines.reader()).connect();
  try {
    for (const [table, files] of parts) {
      // Another tool may have restored some of the files.
      const delta = (await readDeltaState(storage, async () => connection, table)).files;
      const isNamed = (name: string) =>
        named.has(partPath(table, name)) || released.has(partPath(table, name)) || delta.has(name);
      const unneeded = files.filter((file) => old(file) && !isNamed(file.name));
      unnamed.set(table, unneeded);
    }
  } finally {
    connection.closeSync();
  }

  if (!dryRun) {
    for (const [table, files] of unnamed) {
      for (const { name } of files) {
        refuseOutlived(storage, startedMs);
        await storage.remove(partPath(table, name));
      }
    }
    // An empty folder of DuckDB's spills stays: a live process may use it.
    for (const { name } of scratch) await storage.removeScratch(name);
    for (const { folder } of going) await storage.removeFolder(folder);
  }
  const staged = going.flatMap(({ files }) => files);
  return {
    lake: storage.name,
    version: snapshot.version,
    dry_run: dryRun,
    kept_since: new Date(keptSince).toISOString(),
    parts: Object.fromEntries([...unnamed].map(([table, files]) => [table, sumOf(files)])),
    scratch: sumOf(scratch),
    staging: { runs: going.length, ...sumOf(staged) },
    runs_kept: staying.map(({ folder, files }) => ({ folder, bytes: sumOf(files).bytes })),
  };
}

/**
 * The time by the storage's clock, which dates the lake's files. For a bucket or a network mount it is not this machine's clock,
 * which may be wrong by a year.
 */
async function storageTime(storage: LakeStorage): Promise<number> {
  await storage.replace(`${STAGING_FOLDER}/${CLOCK_FILE}`, Buffer.from('clock'));
  const file = (await storage.list(STAGING_FOLDER)).find(({ name }) => name === CLOCK_FILE);
  await storage.remove(`${STAGING_FOLDER}/${CLOCK_FILE}`);
  return file?.modifiedAtMs ?? Date.now();
}

const CLOCK_FILE = 'clock';

/** Releases take an announcement of a day for a crashed one. @throws FilinglakeError `lake-busy` */
function refuseOutlived(storage: LakeStorage, startedMs: number): void {
  if (Date.now() - startedMs < ANNOUNCED_MS / 2) return;
  throw new FilinglakeError('lake-busy', `the vacuum of ${storage.name} took longer than half a day`, {
    remedy: 'Run the command again. It continues with the files that are left.',
  });
}

/** Leftovers of a crash in the scratch folder, and files that are being built. */
export async function scratchFiles(storage: LakeStorage): Promise<Removed> {
  return sumOf(await storage.scratchFiles());
}

/** Paths of the parts of the newest version and of every version since `keptSince`: a part that a commit removed was live until then. */
async function namedParts(
  lake: LakeState,
  snapshot: LakeSnapshot,
  written: ReadonlyMap<string, number>,
  keptSince: number,
): Promise<Set<string>> {
  const named = new Set<string>();
  for (const table of lake.tables.keys()) {
    for (const part of tableState(snapshot, table).parts.keys()) named.add(partPath(table, part));
  }
  for (let version = snapshot.version; version >= 0; version--) {
    const commit = await lake.readCommit(version);
    if (commit === null) throw new FilinglakeError('lake-damaged', `version ${version} is missing in the lake's log`);
    // A writer's clock may have been behind.
    const committedAt = Math.max(Date.parse(commit.committed_at), written.get(commitName(version)) ?? 0);
    if (committedAt < keptSince) break;
    for (const [table, { remove }] of Object.entries(commit.tables)) {
      for (const part of remove) named.add(partPath(table, part));
    }
  }
  return named;
}

async function stagedRuns(storage: LakeStorage, reader: LakeReader, nowMs: number): Promise<StagedRun[]> {
  const names = await storage.listFolders(STAGING_FOLDER);
  if (names.length === 0) return [];
  const ended = new Set((await reader.endedRuns()).map(pathSegment));
  const runs: StagedRun[] = [];
  for (const name of names) {
    const folder = `${STAGING_FOLDER}/${name}`;
    const files = await filesUnder(storage, folder);
    // An empty folder may belong to a run that has just started.
    if (files.length === 0 && !ended.has(name)) continue;
    const newest = Math.max(...files.map(({ modifiedAtMs }) => modifiedAtMs));
    runs.push({ folder, files, over: ended.has(name) || newest < nowMs - ABANDONED_MS });
  }
  return runs;
}

async function filesUnder(storage: LakeStorage, folder: string): Promise<FoundFile[]> {
  const files = (await storage.list(folder)).map((file) => ({ ...file, path: `${folder}/${file.name}` }));
  for (const name of await storage.listFolders(folder)) files.push(...(await filesUnder(storage, `${folder}/${name}`)));
  return files;
}

function sumOf(files: readonly StoredFile[]): Removed {
  return files.reduce((sum, { bytes }) => ({ files: sum.files + 1, bytes: sum.bytes + bytes }), NOTHING);
}

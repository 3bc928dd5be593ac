/**
 * Releases: names of versions, in `_releases`. A version with a name stays readable, whatever a vacuum deletes.
 *
 * A vacuum may run while a release is made, on another machine. Each announces itself before it looks: a release puts a pin, and then
 * looks for vacuums; a vacuum puts a mark, and then looks for pins and names. One of the two sees the other.
 */
import { randomUUID } from 'node:crypto';
import { FilinglakeError, invalidValue } from '../../core/index.ts';
import { type LakeSnapshot, presentTables, readable, tableState } from '../log/log.ts';
import { refuseVacuumed } from '../log/time-travel.ts';
import { refuseMissingParts } from '../state/damage.ts';
import type { LakeState } from '../state/state.ts';
import {
  PINS_FOLDER,
  partPath,
  RELEASES_FOLDER,
  releasePath,
  releaseSqlPath,
  VACUUMS_FOLDER,
} from '../storage/layout.ts';
import { putOnce } from '../storage/put-once.ts';
import type { LakeStorage, StoredFile } from '../storage/storage.ts';
import { lakeSql } from '../views/lake-sql.ts';

const FORMAT = 1;
/** A pin or a mark that is older was left by a crash. A vacuum ends before. */
export const ANNOUNCED_MS = 24 * 3600 * 1000;
/** Each attempt means that a commit removed parts during the one before it. */
const ATTEMPTS_MAX = 20;

export interface Release {
  /** Tells it from another one of its name, made after it was deleted. */
  readonly id: string;
  readonly name: string;
  readonly version: number;
  /** When the version was committed; null: it is empty. */
  readonly committed_at: string | null;
  readonly released_at: string;
  /** What it is for, in the words of the user. */
  readonly note: string | null;
}

interface ReleaseFile extends Release {
  readonly format: number;
}

/** Words that the command takes as its own, and Iceberg's name of the newest version. */
const RESERVED: ReadonlySet<string> = new Set(['list', 'delete', 'export', 'verify', 'rebuild', 'help', 'main']);
/** Also the name of a file, on every system. A number would be a version. */
const NAME = /^(?!\d+$)[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/;

/** @throws FilinglakeError `argument-invalid` */
export function refuseReleaseName(name: string): void {
  if (NAME.test(name) && !RESERVED.has(name)) return;
  throw invalidValue(
    'argument-invalid',
    'the name of a release',
    'at most 80 letters, digits, dots, dashes and underscores, not only digits, not "main", and no word of the command',
    name,
    'Give for example 2026-q3 or v1.0.',
  );
}

/** Every release, the oldest version first. @throws FilinglakeError `lake-damaged`: one can't be read */
export async function listReleases(storage: LakeStorage): Promise<Release[]> {
  const names = (await storage.listNames(RELEASES_FOLDER)).filter((name) => name.endsWith('.json'));
  const releases = await Promise.all(names.map((name) => readRelease(storage, name.slice(0, -'.json'.length))));
  return releases.filter((release) => release !== null).sort((a, b) => a.version - b.version);
}

/** @throws FilinglakeError `release-unknown` (exit 2), `lake-damaged` */
export async function releaseNamed(storage: LakeStorage, name: string): Promise<Release> {
  refuseReleaseName(name);
  const release = await readRelease(storage, name);
  if (release !== null) return release;
  const known = (await listReleases(storage)).map((one) => one.name);
  throw new FilinglakeError('release-unknown', `the lake ${storage.name} has no release '${name}'`, {
    ...(known.length > 0 && { remedy: `Its releases: ${known.join(', ')}.` }),
  });
}

async function readRelease(storage: LakeStorage, name: string): Promise<Release | null> {
  const path = releasePath(name);
  const bytes = await storage.read(path);
  if (bytes === null) return null;
  const { format: _, ...release } = readable<ReleaseFile>(bytes, path);
  return release;
}

/**
 * Gives a version a name.
 * @param version default: the newest
 * @throws FilinglakeError `release-exists` (exit 2), `lake-version-unknown`, `lake-version-vacuumed`, `part-damaged`, `release-refused`
 */
export async function makeRelease(
  lake: LakeState,
  { name, version, note = null }: { name: string; version?: number | undefined; note?: string | null | undefined },
): Promise<Release> {
  refuseReleaseName(name);
  lake.refuseUnwritable();
  await refuseTaken(lake, name);
  for (let attempt = 1; ; attempt++) {
    const snapshot = await lake.snapshot(version);
    const pin = `${PINS_FOLDER}/${randomUUID()}.json`;
    await putOnce(lake.storage, pin, Buffer.from(JSON.stringify({ format: FORMAT, version: snapshot.version })));
    try {
      if (await isSafe(lake, snapshot)) return await put(lake, snapshot, { name, note, pin });
    } catch (error) {
      // It was the newest a moment ago.
      if (version !== undefined || attempt === ATTEMPTS_MAX || !isVacuumedVersion(error)) throw error;
      continue;
    } finally {
      await lake.storage.remove(pin);
    }
    if (version !== undefined || attempt === ATTEMPTS_MAX) {
      throw new FilinglakeError(
        'release-refused',
        `version ${snapshot.version} of ${lake.storage.name} has parts that a later version lacks, and a vacuum is running`,
      );
    }
  }
}

function isVacuumedVersion(error: unknown): boolean {
  return error instanceof FilinglakeError && error.code === 'lake-version-vacuumed';
}

async function put(
  lake: LakeState,
  snapshot: LakeSnapshot,
  { name, note, pin }: { name: string; note: string | null; pin: string },
): Promise<Release> {
  const { storage } = lake;
  const { version, committed_at } = snapshot;
  const release: Release = {
    id: randomUUID(),
    name,
    version,
    committed_at,
    released_at: new Date().toISOString(),
    note,
  };
  const file = Buffer.from(`${JSON.stringify({ format: FORMAT, ...release } satisfies ReleaseFile)}
`);
  if (!(await putOnce(storage, releasePath(name), file))) {
    await refuseTaken(lake, name);
    throw new FilinglakeError('lake-busy', `another process made the release '${name}', and deleted it at once`);
  }
  // A process may have slept for a day since its pin. A vacuum then took the pin for a leftover, before it looked for names.
  if ((await storage.size(pin)) === null && !(await isSafe(lake, snapshot).catch(() => false))) {
    await storage.remove(releasePath(name));
    throw new FilinglakeError('release-refused', `the release of version ${version} took more than a day`);
  }
  await writeSql(lake, snapshot, name);
  return release;
}

/** Whether no vacuum can delete a part of the version any more. Its pin is there. */
async function isSafe(lake: LakeState, snapshot: LakeSnapshot): Promise<boolean> {
  const { storage } = lake;
  const newest = await lake.snapshot();
  const removed = [...snapshot.tables].some(([table, { parts }]) => {
    const live = tableState(newest, table).parts;
    return [...parts.keys()].some((part) => !live.has(part));
  });
  // A vacuum that didn't see the pin read the log before: it keeps what was live then and still is.
  if (removed && (await isVacuumed(storage))) return false;
  await refuseVacuumed(storage, snapshot, newest);
  await refuseMissingParts(storage, snapshot);
  return true;
}

async function isVacuumed(storage: LakeStorage): Promise<boolean> {
  const marks = await storage.list(VACUUMS_FOLDER);
  if (marks.length === 0) return false;
  // Pins are dated by the same clock, and ours is the newest or younger than a moment.
  const now = Math.max(...[...marks, ...(await storage.list(PINS_FOLDER))].map(({ modifiedAtMs }) => modifiedAtMs));
  return marks.some(({ modifiedAtMs }) => modifiedAtMs > now - ANNOUNCED_MS);
}

async function refuseTaken(lake: LakeState, name: string): Promise<void> {
  const taken = await readRelease(lake.storage, name);
  if (taken === null) return;
  // The process that made it may have ended before.
  if ((await lake.storage.size(releaseSqlPath(name))) === null) {
    await writeSql(lake, await lake.snapshot(taken.version), name);
  }
  throw new FilinglakeError('release-exists', `the release '${name}' is version ${taken.version} already`);
}

async function writeSql(lake: LakeState, snapshot: LakeSnapshot, name: string): Promise<void> {
  const sql = lakeSql(presentTables(lake.tables, snapshot).values(), snapshot, lake.storage.readersPlace);
  await lake.storage.replace(releaseSqlPath(name), Buffer.from(sql));
}

/** Takes the name away. The version's parts stay until a vacuum. @throws FilinglakeError `release-unknown` (exit 2) */
export async function deleteRelease(lake: LakeState, name: string): Promise<Release> {
  lake.refuseUnwritable();
  const release = await releaseNamed(lake.storage, name);
  await lake.storage.remove(releaseSqlPath(name));
  await lake.storage.remove(releasePath(name));
  return release;
}

/** Announces a vacuum, before it reads the log and the releases. @returns ends the announcement */
export async function announceVacuum(storage: LakeStorage): Promise<() => Promise<void>> {
  const mark = `${VACUUMS_FOLDER}/${randomUUID()}`;
  await putOnce(storage, mark, Buffer.from('vacuum'));
  return () => storage.remove(mark);
}

/** Leftovers of crashes among pins and marks. They are deleted before a vacuum looks for names. */
export async function removeOldAnnouncements(
  storage: LakeStorage,
  isOld: (file: StoredFile) => boolean,
): Promise<void> {
  for (const folder of [PINS_FOLDER, VACUUMS_FOLDER]) {
    for (const file of (await storage.list(folder)).filter(isOld)) await storage.remove(`${folder}/${file.name}`);
  }
}

/** Paths of all parts of released versions, and of versions that are about to be released. */
export async function releasedParts(lake: LakeState): Promise<Set<string>> {
  const { storage } = lake;
  const pins = await Promise.all(
    (await storage.listNames(PINS_FOLDER)).map(async (name) => {
      const bytes = await storage.read(`${PINS_FOLDER}/${name}`);
      return bytes === null ? [] : readable<{ format: number; version: number }>(bytes, name).version;
    }),
  );
  // Pins first: a release removes its pin after it has put its name.
  const named = (await listReleases(storage)).map(({ version }) => version);
  const parts = new Set<string>();
  for (const version of new Set([...pins.flat(), ...named])) {
    for (const [table, state] of (await lake.snapshot(version)).tables) {
      for (const part of state.parts.keys()) parts.add(partPath(table, part));
    }
  }
  return parts;
}

/** Paths in a lake's folder. */

export const LAKE_FILE = 'lake.json';
export const LAKE_SQL = 'lake.sql';
export const LOG_FOLDER = '_lake';
export const STAGING_FOLDER = '_staging';
/** The newest commits again, in one file. */
export const RECENT_FILE = `${LOG_FOLDER}/_recent.json`;
/** Who writes the lake: a file for each turn, and one beside it if somebody waits for its end. */
export const TURNS_FOLDER = `${LOG_FOLDER}/turns`;
/** In a local lake: files being built, and spills of commits. */
export const SCRATCH_FOLDER = '_scratch';

/** Names of versions that stay: a file for each release, and the views of its version for plain DuckDB. */
export const RELEASES_FOLDER = '_releases';
/** Versions that are about to get a name: a vacuum keeps their parts. */
export const PINS_FOLDER = `${RELEASES_FOLDER}/pins`;
/** Vacuums that may be deleting. */
export const VACUUMS_FOLDER = `${RELEASES_FOLDER}/vacuums`;

export function releasePath(name: string): string {
  return `${RELEASES_FOLDER}/${name}.json`;
}

export function releaseSqlPath(name: string): string {
  return `${RELEASES_FOLDER}/${name}.sql`;
}

/** Twenty digits, as in Delta: names sort like numbers. */
export function versionName(version: number): string {
  return String(version).padStart(20, '0');
}

export function commitName(version: number): string {
  return `${versionName(version)}.json`;
}

export function commitPath(version: number): string {
  return `${LOG_FOLDER}/${commitName(version)}`;
}

/** The state after a commit, so that a reader needn't replay all commits. */
export function snapshotPath(version: number): string {
  return `${LOG_FOLDER}/${versionName(version)}.snapshot.json`;
}

export function turnPath(term: number): string {
  return `${TURNS_FOLDER}/${versionName(term)}.json`;
}

export function wantedPath(term: number): string {
  return `${TURNS_FOLDER}/${versionName(term)}.wanted`;
}

export function deltaFolder(table: string): string {
  return `${table}/_delta_log`;
}

export function deltaCommitPath(table: string, deltaVersion: number): string {
  return `${deltaFolder(table)}/${versionName(deltaVersion)}.json`;
}

export function partPath(table: string, part: string): string {
  return `${table}/${part}`;
}

export function runFolder(runId: string): string {
  return `${STAGING_FOLDER}/${pathSegment(runId)}`;
}

export function batchFolder(runId: string, batchId: string): string {
  return `${runFolder(runId)}/${pathSegment(batchId)}`;
}

/** Any text as the name of a file or folder. Other than plain characters become %XX, so `..` can't leave a folder. */
export function pathSegment(id: string): string {
  const plain = (byte: number) => /[A-Za-z0-9_-]/.test(String.fromCharCode(byte));
  let segment = '';
  for (const byte of Buffer.from(id)) {
    const dot = byte === 0x2e && segment !== '';
    segment += plain(byte) || dot ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return segment;
}

/** Files of a table's rows. They have random names, are written once and never change. */
const PART = /^[^/]+\/part-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.zstd\.parquet$/;

export function isPartPath(path: string): boolean {
  return PART.test(path);
}

/** Verifies the folder of a release: every file against SHA256SUMS and the manifest, and every row against the digests. */
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { FilinglakeError } from '../../core/index.ts';
import { openReader, READER_MEMORY_BYTES } from '../engine/duckdb.ts';
import {
  type LakeManifest,
  MANIFEST,
  MANIFEST_FORMAT,
  manifestFault,
  releaseDigest,
  SUMS,
  sumsText,
} from './manifest.ts';
import { DIGEST_METHOD } from './row-digest.ts';
import { digestOf, sha256OfFile } from './write-release.ts';

export interface ReleaseProblem {
  readonly code: 'file-missing' | 'file-extra' | 'file-differs' | 'manifest-differs' | 'rows-differ' | 'unreadable';
  /** Path within the folder. */
  readonly file: string;
  readonly message: string;
}

export interface VerifyReport {
  readonly folder: string;
  readonly ok: boolean;
  readonly files: number;
  readonly bytes: number;
  readonly rows: number;
  /** Of the manifest, and so of the whole release: worth to be written down elsewhere. Null: the manifest can't be read. */
  readonly manifest_sha256: string | null;
  readonly problems: readonly ReleaseProblem[];
}

/** @throws FilinglakeError `release-unreadable`: the folder holds no release */
export async function verifyRelease(
  folder: string,
  onProgress: (file: string, done: number, of: number) => void = () => {},
): Promise<VerifyReport> {
  const problems: ReleaseProblem[] = [];
  const problem = (code: ReleaseProblem['code'], file: string, message: string) =>
    problems.push({ code, file, message });
  const present = await filesOf(folder);
  const manifest = await readManifestFile(folder, problem);
  const sums = new Map<string, string>();
  const names = [...present.keys()].filter((name) => name !== SUMS);
  for (const [n, name] of names.entries()) {
    onProgress(name, n, names.length);
    if (present.get(name) === null) sums.set(name, NO_FILE);
    else sums.set(name, await sha256OfFile(path.join(folder, name)).catch(unreadableFile(name, problem)));
  }
  if (typeof present.get(SUMS) !== 'number')
    problem('file-missing', SUMS, `${SUMS} is missing: the release was not written to its end`);
  else compareSums(await readFile(path.join(folder, SUMS), 'latin1'), sums, problem);
  if (manifest !== null) {
    compareManifest(manifest, sums, present, problem);
    // Rows of files that differ were counted against already.
    const wrong = new Set(problems.map(({ file }) => file));
    await compareRows(folder, manifest, wrong, problem);
  }
  return {
    folder: path.resolve(folder),
    ok: problems.length === 0,
    files: present.size,
    bytes: [...present.values()].reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0),
    rows: Object.values(manifest?.tables ?? {}).reduce((sum, { rows }) => sum + rows, 0),
    manifest_sha256: sums.get(MANIFEST) ?? null,
    problems,
  };
}

type Report = (code: ReleaseProblem['code'], file: string, message: string) => unknown;

/** Stands for the SHA-256 of what has no bytes to read. */
const NO_FILE = '';

function unreadableFile(name: string, problem: Report): (cause: Error) => string {
  return (cause) => {
    problem('unreadable', name, `${name} can't be read: ${cause.message}`);
    return NO_FILE;
  };
}

/** Bytes of every file, by its path with `/`. A link counts as its file. Null: a pipe, or a link to no file. */
async function filesOf(folder: string): Promise<Map<string, number | null>> {
  const found = new Map<string, number | null>();
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch((cause: Error) => {
    throw new FilinglakeError('release-unreadable', `${folder} can't be read: ${cause.message}`, { cause });
  });
  for (const entry of entries) {
    if (entry.isDirectory()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const seen = await stat(file).catch(() => null);
    found.set(path.relative(folder, file).split(path.sep).join('/'), seen?.isFile() ? seen.size : null);
  }
  return found;
}

/** The manifest of a release's folder. @throws FilinglakeError `release-unreadable` */
export async function readManifest<Manifest extends LakeManifest = LakeManifest>(file: string): Promise<Manifest> {
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new FilinglakeError('release-unreadable', `${file} can't be read: ${cause.message}`, { cause });
  });
  let manifest: LakeManifest;
  try {
    manifest = JSON.parse(text) as LakeManifest;
  } catch {
    throw new FilinglakeError('release-unreadable', `${file} is not JSON`);
  }
  if (
    typeof manifest?.format === 'number' &&
    (manifest.format !== MANIFEST_FORMAT || manifest.method !== DIGEST_METHOD)
  ) {
    throw new FilinglakeError('lake-newer', `${file} was written by another filinglake`, {
      remedy: `Use the version that its member "versions" names.`,
    });
  }
  const fault = manifestFault(manifest);
  if (fault !== null)
    throw new FilinglakeError('release-unreadable', `${file} is not the manifest of a release: ${fault}`);
  return manifest as Manifest;
}

async function readManifestFile(folder: string, problem: Report): Promise<LakeManifest | null> {
  try {
    return await readManifest(path.join(folder, MANIFEST));
  } catch (error) {
    if (!(error instanceof FilinglakeError)) throw error;
    problem('unreadable', MANIFEST, error.message);
    return null;
  }
}

function compareSums(text: string, sums: ReadonlyMap<string, string>, problem: Report): void {
  const before = problem;
  let isFound = false;
  const found: Report = (...call) => {
    isFound = true;
    before(...call);
  };
  const stated = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, sha256, file] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
    if (file !== undefined) stated.set(file, sha256!);
  }
  for (const [file, sha256] of stated) {
    if (!sums.has(file)) found('file-missing', file, `${file} is missing`);
    else if (sums.get(file) !== sha256) found('file-differs', file, `${file} differs from its SHA-256 in ${SUMS}`);
  }
  for (const file of sums.keys()) {
    if (!stated.has(file)) found('file-extra', file, `${file} does not belong to the release`);
  }
  if (!isFound && text !== sumsText(sums)) found('file-differs', SUMS, `${SUMS} was changed`);
}

function compareManifest(
  manifest: LakeManifest,
  sums: ReadonlyMap<string, string>,
  present: ReadonlyMap<string, number | null>,
  problem: Report,
): void {
  const named = new Set<string>();
  for (const { parts } of Object.values(manifest.tables)) {
    for (const { file, bytes, sha256 } of parts) {
      named.add(file);
      if (sums.get(file) === sha256 && present.get(file) === bytes) continue;
      problem(
        'manifest-differs',
        file,
        `${file} ${sums.has(file) ? 'differs from' : 'is missing, and named in'} ${MANIFEST}`,
      );
    }
  }
  for (const file of sums.keys()) {
    if (file.startsWith('tables/') && !named.has(file))
      problem('manifest-differs', file, `${MANIFEST} does not name ${file}`);
  }
  if (releaseDigest(manifest.tables) !== manifest.digest) {
    problem('manifest-differs', MANIFEST, `the digest of ${MANIFEST} is not that of its tables`);
  }
}

async function compareRows(
  folder: string,
  manifest: LakeManifest,
  wrong: ReadonlySet<string>,
  problem: Report,
): Promise<void> {
  const engine = await openReader(READER_MEMORY_BYTES);
  const connection = await engine.connect();
  try {
    for (const [name, { parts, rows, digest, columns }] of Object.entries(manifest.tables)) {
      if (parts.some(({ file }) => wrong.has(file))) continue;
      const digested = columns.filter((column) => digest?.columns.includes(column.name));
      try {
        const found = await digestOf(connection, folder, parts, digested);
        if (found.rows !== rows)
          problem('rows-differ', name, `${name} has ${found.rows} rows, ${MANIFEST} says ${rows}`);
        else if (digest !== null && found.sha256 !== digest.sha256)
          problem('rows-differ', name, `the rows of ${name} differ from their digest in ${MANIFEST}`);
      } catch (error) {
        problem('unreadable', name, `${name} can't be read: ${(error as Error).message}`);
      }
    }
  } finally {
    connection.closeSync();
    engine.closeSync();
  }
}

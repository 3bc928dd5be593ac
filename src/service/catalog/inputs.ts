/** The inputs of `ingest`: files, folders and archives, unpacked one file after another. Memory holds one file at a time. */
import {
  closeSync,
  createReadStream,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { FilinglakeError, systemErrorWords } from '../../core/index.ts';
import { recogniseFile } from '../../filings/edgar/index.ts';
import { unpack } from './archives.ts';
import {
  FILE_BYTES_MAX,
  HEAD_BYTES,
  type Input,
  type InputOptions,
  type InputRules,
  isWanted,
  unwanted,
} from './input.ts';

/** Larger files get memory of their own. */
const SHARED_BYTES = 4 * 2 ** 20;

/**
 * Walks the paths in order; folders by name, recursively. A file that can't be read is returned as failed, and the walk continues.
 * @throws FilinglakeError `file-unreadable` (exit 2) before anything is read
 */
export async function* readInputs(paths: readonly string[], options: InputOptions): AsyncGenerator<Input> {
  for (const path of paths) requireFileOrFolder(path);
  const rules = {
    ...options,
    excluded: new Set(options.excluded?.map(realPath)),
    shared: Buffer.allocUnsafeSlow(SHARED_BYTES),
  };
  for (const path of paths) yield* walk(path, rules);
}

function requireFileOrFolder(path: string): void {
  let stats: ReturnType<typeof statSync>;
  try {
    stats = statSync(path);
  } catch (cause) {
    throw new FilinglakeError('file-unreadable', `${path} can't be read: ${systemErrorWords(cause)}`, { cause });
  }
  // A pipe (`<(zcat …)`) is refused: files are recognised by their names, and read more than once.
  if (stats.isFile() || stats.isDirectory()) return;
  throw new FilinglakeError('file-unreadable', `${path} is neither a file nor a folder`);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // A catalog that isn't there yet can't hold inputs.
    return resolve(path);
  }
}

async function* walk(path: string, rules: InputRules): AsyncGenerator<Input> {
  let stats: ReturnType<typeof statSync>;
  try {
    stats = statSync(path);
  } catch (error) {
    yield { kind: 'failed', path, offset: null, message: missingMessage(path, error as Error) };
    return;
  }
  if (stats.isDirectory()) {
    if (rules.excluded.has(realPath(path))) return;
    const names: { name: string; folderLink: boolean }[] = [];
    try {
      for (const entry of readdirSync(path, { withFileTypes: true })) {
        // What filinglake itself leaves beside filings, such as the mark of a sample.
        if (entry.name.startsWith('.filinglake-')) continue;
        // A link to a folder could lead back here.
        const folderLink = entry.isSymbolicLink() && isFolder(join(path, entry.name));
        names.push({ name: entry.name, folderLink });
      }
    } catch (error) {
      yield { kind: 'failed', path, offset: null, message: systemErrorWords(error) };
      return;
    }
    names.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const { name, folderLink } of names) if (!folderLink) yield* walk(join(path, name), rules);
    return;
  }
  if (!stats.isFile()) return;
  if (/\.(gz|tgz|tar|zip)$/i.test(path)) {
    yield* unpack(
      { path, name: path, modified: stats.mtime, stream: () => createReadStream(path, { highWaterMark: 1 << 18 }) },
      rules,
      0,
      true,
    );
  } else yield readPlainFile(path, stats.mtime, rules);
}

/** Node shows a name that isn't UTF-8 with U+FFFD, and can't open the file by it. */
function missingMessage(path: string, error: Error): string {
  return path.includes('\ufffd') ? 'its name is not UTF-8; rename it' : systemErrorWords(error);
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // A broken link is read as a file, which reports it.
    return false;
  }
}

function readPlainFile(path: string, modified: Date, rules: InputRules): Input {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(path, 'r');
    const { size } = fstatSync(descriptor);
    const { shared } = rules;
    const headLength = readFully(descriptor, shared.subarray(0, Math.min(size, HEAD_BYTES)), 0);
    const fileKind = recogniseFile(basename(path), shared.subarray(0, headLength), rules.kinds);
    if (!isWanted(fileKind, path, rules)) return unwanted(path, basename(path), fileKind, size);
    if (size > FILE_BYTES_MAX) throw new Error(`it has ${size} bytes; at most ${FILE_BYTES_MAX} can be read`);
    let bytes = shared.subarray(0, size);
    if (size > shared.length) {
      bytes = Buffer.allocUnsafeSlow(size);
      shared.copy(bytes, 0, 0, headLength);
    }
    const filled = headLength + readFully(descriptor, bytes, headLength);
    return { kind: 'file', fileKind, path, bytes: bytes.subarray(0, filled), modified };
  } catch (error) {
    return { kind: 'failed', path, offset: null, message: systemErrorWords(error) };
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

function readFully(descriptor: number, into: Buffer, at: number): number {
  let filled = 0;
  while (at + filled < into.length) {
    const n = readSync(descriptor, into, at + filled, into.length - at - filled, at + filled);
    if (n === 0) break;
    filled += n;
  }
  return filled;
}

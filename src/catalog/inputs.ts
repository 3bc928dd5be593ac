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
import { PassThrough, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import tar from 'tar-stream';
import yauzl from 'yauzl';
import { FilinglakeError, systemErrorWords } from '../core/index.ts';
import { type FileKind, recogniseFile } from '../edgar/index.ts';

/** Enough bytes to recognise a file. */
const HEAD_BYTES = 16 * 1024;
/**
 * EDGAR's largest submissions have some hundred MB. A larger file is not a filing: it is an archive that was made to fill the
 * memory.
 */
const FILE_BYTES_MAX = 2 ** 30;
/** Real archives are at most a .gz in a .zip in a .tar.gz. Archive bombs are deeper. */
const ARCHIVE_DEPTH_MAX = 4;

export type Input =
  | FileInput
  /** `fileKind`: its name, or `unknown` */
  | { kind: 'skipped'; path: string; fileKind: string }
  /** `offset` of the fault, in the file on disk or in its archive */
  | { kind: 'failed'; path: string; offset: number | null; message: string };

export interface FileInput {
  kind: 'file';
  fileKind: FileKind;
  /** With `!` before the entry of an archive: `2025.tar.gz!0001.nc` */
  path: string;
  /** Valid until the next input is read: a second ingest reads most files only to hash them, and needs no memory for each */
  bytes: Buffer;
  /** Of the file or the archive's entry */
  modified: Date | null;
}

export interface InputOptions {
  /** The kinds of files, in the order in which they are tried */
  kinds: readonly FileKind[];
  /** Kinds whose bytes are read. Others are only counted */
  wanted: ReadonlySet<FileKind>;
  /** Folders that are not entered (the catalog itself) */
  excluded?: readonly string[];
  /** Of a .zip, only entries with these names are unpacked; the others are neither read nor counted. Default: all */
  zipEntries?: (name: string) => boolean;
}

/** Larger files get memory of their own. */
const SHARED_BYTES = 4 * 2 ** 20;

interface Rules {
  kinds: readonly FileKind[];
  wanted: ReadonlySet<FileKind>;
  /** Real paths */
  excluded: ReadonlySet<string>;
  zipEntries?: (name: string) => boolean;
  /** Memory for the bytes of a plain file, the same for each */
  shared: Buffer;
}

interface Source {
  path: string;
  /** The name that shows the type: without `.gz` after unpacking */
  name: string;
  modified: Date | null;
  stream: () => Readable;
}

/**
 * Walks the paths in order; folders by name, recursively. A file that can't be read is returned as failed, and the walk continues.
 * @throws FilinglakeError `path-missing`, `path-unreadable` (exit 2) before anything is read
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
    throw new FilinglakeError('path-missing', `${path} can't be read: ${systemErrorWords(cause)}`, { cause });
  }
  // A pipe (`<(zcat …)`) is refused: files are recognised by their names, and read more than once.
  if (stats.isFile() || stats.isDirectory()) return;
  throw new FilinglakeError('path-unreadable', `${path} is neither a file nor a folder`);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // A catalog that isn't there yet can't hold inputs.
    return resolve(path);
  }
}

async function* walk(path: string, rules: Rules): AsyncGenerator<Input> {
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

function readPlainFile(path: string, modified: Date, rules: Rules): Input {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(path, 'r');
    const { size } = fstatSync(descriptor);
    const { shared } = rules;
    const headLength = readFully(descriptor, shared.subarray(0, Math.min(size, HEAD_BYTES)), 0);
    const fileKind = recogniseFile(basename(path), shared.subarray(0, headLength), rules.kinds);
    if (!isWanted(fileKind, rules)) return unwanted(path, basename(path), fileKind, size);
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

function isWanted(kind: FileKind | null, { wanted }: Rules): kind is FileKind {
  return kind !== null && wanted.has(kind);
}

/** `0000320193-24-000123.txt` */
const SUBMISSION_NAME = /^\d{10}-\d{2}-\d{6}\.(txt|nc|pc)$/i;

/**
 * A file of a kind that is not read. It is skipped, or reported if it has the name of a submission and its download failed.
 * @param name without `.gz`
 */
function unwanted(path: string, name: string, kind: FileKind | null, bytes: number): Input {
  if (SUBMISSION_NAME.test(name)) {
    const is =
      bytes === 0
        ? 'it is empty'
        : kind?.name === 'page'
          ? 'it is a web page, such as the SEC sends if it refuses a request'
          : null;
    if (is !== null) return { kind: 'failed', path, offset: null, message: `${is}; fetch the submission again` };
  }
  return { kind: 'skipped', path, fileKind: kind?.name ?? 'unknown' };
}

/**
 * Unpacks one layer by the source's name, or reads it as a file. `onDisk`: `path` is a file on disk, which can be read from any
 * position.
 */
async function* unpack(source: Source, rules: Rules, depth: number, onDisk = false): AsyncGenerator<Input> {
  const name = source.name.toLowerCase();
  if (depth > ARCHIVE_DEPTH_MAX) {
    yield {
      kind: 'failed',
      path: source.path,
      offset: null,
      message: `archives are nested deeper than ${ARCHIVE_DEPTH_MAX}`,
    };
  } else if (name.endsWith('.tgz') || name.endsWith('.tar.gz')) {
    yield* unpackTar({ ...source, stream: () => gunzip(source.stream()) }, rules, depth);
  } else if (name.endsWith('.tar')) {
    yield* unpackTar(source, rules, depth);
  } else if (name.endsWith('.zip')) {
    yield* unpackZip(source, rules, depth, onDisk);
  } else if (name.endsWith('.gz')) {
    yield* unpack(
      { ...source, name: source.name.slice(0, -3), stream: () => gunzip(source.stream()) },
      rules,
      depth + 1,
    );
  } else {
    yield await readStream(source, rules);
  }
}

/** Errors of gunzip state the compressed byte after which they were found. */
function gunzip(compressed: Readable): Readable {
  const unzipped = createGunzip();
  compressed.on('error', (error) => unzipped.destroy(error));
  unzipped.on('error', (error: Error & { offset?: number }) => {
    error.offset ??= unzipped.bytesWritten;
    compressed.destroy();
  });
  unzipped.on('close', () => compressed.destroy());
  return compressed.pipe(unzipped);
}

function failed(path: string, error: unknown): Input {
  const { message, offset } = error as Error & { offset?: number };
  return { kind: 'failed', path, offset: offset ?? null, message };
}

async function readStream(source: Source, rules: Rules): Promise<Input> {
  const stream = source.stream();
  const chunks: Buffer[] = [];
  let length = 0;
  let fileKind: FileKind | null | undefined;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (fileKind === undefined && length >= HEAD_BYTES) {
        fileKind = recogniseFile(basename(source.name), Buffer.concat(chunks), rules.kinds);
        if (!isWanted(fileKind, rules)) {
          stream.destroy();
          return unwanted(source.path, basename(source.name), fileKind, length);
        }
      }
      if (length > FILE_BYTES_MAX) throw new Error(`it has more than ${FILE_BYTES_MAX} bytes`);
    }
  } catch (error) {
    stream.destroy();
    return failed(source.path, error);
  }
  const bytes = Buffer.concat(chunks, length);
  if (fileKind === undefined) fileKind = recogniseFile(basename(source.name), bytes, rules.kinds);
  if (!isWanted(fileKind, rules)) return unwanted(source.path, basename(source.name), fileKind, length);
  return { kind: 'file', fileKind, path: source.path, bytes, modified: source.modified };
}

async function* unpackTar(source: Source, rules: Rules, depth: number): AsyncGenerator<Input> {
  const extract = tar.extract();
  const stream = source.stream();
  stream.on('error', (error) => extract.destroy(error));
  stream.pipe(extract);
  try {
    for await (const entry of extract) {
      if (entry.header.type !== 'file') {
        entry.resume();
        continue;
      }
      const path = `${source.path}!${entry.header.name}`;
      const modified = entry.header.mtime ?? source.modified;
      yield* unpack(
        { path, name: entry.header.name, modified, stream: () => entryStream(entry as unknown as Readable) },
        rules,
        depth + 1,
      );
      // If it was never opened.
      entry.resume();
    }
  } catch (error) {
    yield failed(source.path, error);
  } finally {
    stream.destroy();
  }
}

/** The stream of an entry (streamx) must be read to its end, or the whole archive ends. This one may be left half read. */
function entryStream(entry: Readable): Readable {
  const through = new PassThrough();
  entry.on('data', (chunk: Buffer) => {
    if (through.destroyed || through.write(chunk)) return;
    entry.pause();
    through.once('drain', () => entry.resume());
  });
  entry.on('end', () => through.end());
  entry.on('error', (error: Error) => through.destroy(error));
  through.on('close', () => entry.resume());
  return through;
}

async function* unpackZip(source: Source, rules: Rules, depth: number, onDisk: boolean): AsyncGenerator<Input> {
  let zip: yauzl.ZipFile | null = null;
  try {
    zip = onDisk
      ? await yauzl.openPromise(source.path, { autoClose: false })
      : await yauzl.fromBufferPromise(await readAll(source));
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/') || rules.zipEntries?.(entry.fileName) === false) continue;
      const path = `${source.path}!${entry.fileName}`;
      let stream: Readable;
      try {
        stream = await zip.openReadStreamPromise(entry);
      } catch (error) {
        yield failed(path, error);
        continue;
      }
      yield* unpack(
        { path, name: entry.fileName, modified: entry.getLastModDate(), stream: () => stream },
        rules,
        depth + 1,
      );
    }
  } catch (error) {
    yield failed(source.path, error);
  } finally {
    zip?.close();
  }
}

async function readAll(source: Source): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of source.stream() as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > FILE_BYTES_MAX) throw new Error(`it has more than ${FILE_BYTES_MAX} bytes`);
  }
  return Buffer.concat(chunks, length);
}

/** Archives among the inputs of `ingest`, unpacked one entry after another: .gz, .tar, .tgz, .zip, also inside one another. */
import { closeSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import tar from 'tar-stream';
import yauzl from 'yauzl';
import { counted } from '../../core/index.ts';
import { type FileKind, recogniseFile } from '../../filings/edgar/index.ts';
import { cutZipEntries, isZip, type ReadAt } from './cut-zip.ts';
import { FILE_BYTES_MAX, HEAD_BYTES, type Input, type InputRules, isWanted, unwanted } from './input.ts';

/** Real archives are at most a .gz in a .zip in a .tar.gz. Archive bombs are deeper. */
const ARCHIVE_DEPTH_MAX = 4;

/** A file on disk, or an entry of an archive. */
interface Source {
  path: string;
  /** The name that shows the type: without `.gz` after unpacking */
  name: string;
  modified: Date | null;
  stream: () => Readable;
}

/** Unpacks one layer by the source's name, or reads a file. `onDisk`: `path` can be read from any position. */
export async function* unpack(source: Source, rules: InputRules, depth: number, onDisk = false): AsyncGenerator<Input> {
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

const TAR_BLOCK = 512;

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

/** Errors of gunzip and of the reader of .tar for an archive that ends too early. */
const CUT = /unexpected end/i;

/**
 * The fault of an archive whose files before it are read. A cut has lost files; damage may also have changed some of those: .tar has
 * checksums of its headers only.
 */
function failedAfter(path: string, error: unknown, files: number): Input {
  const { message, offset } = error as Error & { offset?: number };
  const fault = CUT.test(message) ? 'the archive is cut off here' : 'the archive is damaged here';
  const before =
    files === 0
      ? 'no whole file is before that'
      : `${counted(files, 'whole file')} before that ${files === 1 ? 'was' : 'were'} read`;
  return { kind: 'failed', path, offset: offset ?? null, message: `${fault} (${message}); ${before}` };
}

async function readStream(source: Source, rules: InputRules): Promise<Input> {
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
        if (!isWanted(fileKind, source.path, rules)) {
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
  if (!isWanted(fileKind, source.path, rules)) return unwanted(source.path, basename(source.name), fileKind, length);
  return { kind: 'file', fileKind, path: source.path, bytes, modified: source.modified };
}

async function* unpackTar(source: Source, rules: InputRules, depth: number): AsyncGenerator<Input> {
  const extract = tar.extract();
  const stream = source.stream();
  stream.on('error', (error) => extract.destroy(error));
  // A .tar ends with blocks of zeros. One that is cut between two files looks whole otherwise.
  let end: Buffer = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => {
    end = (chunk.length < TAR_BLOCK ? Buffer.concat([end, chunk]) : chunk).subarray(-TAR_BLOCK);
  });
  stream.pipe(extract);
  let files = 0;
  try {
    for await (const entry of extract) {
      if (entry.header.type !== 'file') {
        entry.resume();
        continue;
      }
      const path = `${source.path}!${entry.header.name}`;
      const modified = entry.header.mtime ?? source.modified;
      const member = { path, name: entry.header.name, modified };
      for await (const input of unpack(
        { ...member, stream: () => entryStream(entry as unknown as Readable) },
        rules,
        depth + 1,
      )) {
        if (input.kind !== 'failed') files++;
        yield input;
      }
      // The entry may never have been opened.
      entry.resume();
    }
    if (end.length < TAR_BLOCK || end.some((byte) => byte !== 0))
      yield failedAfter(source.path, new Error('unexpected end: a .tar ends with zeros'), files);
  } catch (error) {
    yield failedAfter(source.path, error, files);
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

async function* unpackZip(source: Source, rules: InputRules, depth: number, onDisk: boolean): AsyncGenerator<Input> {
  let zip: yauzl.ZipFile | null = null;
  let whole: Buffer | null = null;
  try {
    if (!onDisk) whole = await readAll(source);
    zip =
      whole === null
        ? await yauzl.openPromise(source.path, { autoClose: false })
        : await yauzl.fromBufferPromise(whole);
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
    // Without its end, the directory of the archive is missing.
    if (zip === null) yield* unpackCutZip(source, whole, rules, depth, error);
    else yield failed(source.path, error);
  } finally {
    zip?.close();
  }
}

/** @param whole null: the archive is a file on disk */
async function* unpackCutZip(
  source: Source,
  whole: Buffer | null,
  rules: InputRules,
  depth: number,
  error: unknown,
): AsyncGenerator<Input> {
  let descriptor: number | null = null;
  try {
    if (whole === null) descriptor = openSync(source.path, 'r');
    const readAt: ReadAt = (position, length) => {
      if (whole !== null) return whole.subarray(position, position + length);
      const bytes = Buffer.allocUnsafe(length);
      return bytes.subarray(0, readSync(descriptor!, bytes, 0, length, position));
    };
    if (!isZip(readAt)) {
      yield failed(source.path, error);
      return;
    }
    let files = 0;
    const entries = cutZipEntries(readAt);
    let next = entries.next();
    for (; !next.done; next = entries.next()) {
      const { name, modified, bytes } = next.value;
      if (name.endsWith('/') || rules.zipEntries?.(name) === false) continue;
      const path = `${source.path}!${name}`;
      if (bytes instanceof Error) {
        yield failed(path, bytes);
        continue;
      }
      for await (const input of unpack(
        { path, name, modified, stream: () => Readable.from([bytes]) },
        rules,
        depth + 1,
      )) {
        if (input.kind !== 'failed') files++;
        yield input;
      }
    }
    const { offset, isCut } = next.value;
    const message = isCut ? 'unexpected end of the .zip' : 'unexpected bytes in the .zip';
    yield failedAfter(source.path, Object.assign(new Error(message), { offset }), files);
  } catch (cause) {
    yield failed(source.path, cause);
  } finally {
    if (descriptor !== null) closeSync(descriptor);
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

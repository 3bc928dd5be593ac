/** Archives among the inputs of `ingest`, unpacked one entry after another: .gz, .tar, .tgz, .zip, also inside one another. */
import { basename } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import tar from 'tar-stream';
import yauzl from 'yauzl';
import { type FileKind, recogniseFile } from '../edgar/index.ts';
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

/**
 * Unpacks one layer by the source's name, or reads it as a file. `onDisk`: `path` is a file on disk, which can be read from any
 * position.
 */
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
      // The entry may never have been opened.
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

async function* unpackZip(source: Source, rules: InputRules, depth: number, onDisk: boolean): AsyncGenerator<Input> {
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

/**
 * Copies of a bucket's objects on this machine's disk, for DuckDB. A copy is named after the object's ETag, so it is used only
 * while the object is unchanged. Processes share copies; any may be deleted at any time.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, stat, statfs, utimes } from 'node:fs/promises';
import path from 'node:path';
import { eachOf, keptFiles, type ObjectState, type S3Objects } from '../../../core/bucket/index.ts';
import { FilinglakeError } from '../../../core/index.ts';
import { isPartPath } from '../layout.ts';
import { storageError } from '../local/local-storage.ts';

/** For this many files of a folder, one listing takes fewer requests than one for each file. */
const LISTED_FROM = 8;
const REQUESTS_AT_ONCE = 16;
const DOWNLOADS_AT_ONCE = 4;
/** A copy that was unused for this time may be deleted, if copies take too much space. */
const UNUSED_MS = 6 * 3600 * 1000;
/** After this time it is always deleted: the lake may be gone. */
const FORGOTTEN_MS = 30 * 24 * 3600 * 1000;
/** Space to leave free for other programs. */
const FREE_BYTES_MIN = 500_000_000;
const MB = 1_000_000;

export class Copies {
  readonly #lake: string;
  readonly #folder: string;
  readonly #bytesMax: number;
  readonly #objects: S3Objects;
  readonly #files = new Map<string, string>();
  /** Objects that this process uploaded complete, under paths that nobody else uses. */
  readonly #own = new Set<string>();
  readonly #fetching = new Map<string, Promise<void>>();
  #isPruned = false;

  constructor(lake: string, folder: string, bytesMax: number, objects: S3Objects) {
    this.#lake = lake;
    this.#folder = folder;
    this.#bytesMax = bytesMax;
    this.#objects = objects;
  }

  /** Path of an object's copy for DuckDB; there may be no file. */
  fileOf(object: string): string {
    return this.#files.get(object) ?? this.#fileFor(object, 'none');
  }

  has(object: string): boolean {
    return this.#files.has(object);
  }

  /** Uses an uploaded file as the copy of its object. */
  async keep(object: string, etag: string, file: string): Promise<void> {
    const copy = this.#fileFor(object, etag);
    await this.#onDisk(copy, async () => {
      await mkdir(path.dirname(copy), { recursive: true });
      await rename(file, copy);
    });
    this.#files.set(object, copy);
    this.#own.add(object);
  }

  /** The object has other content from now on. */
  forget(object: string): void {
    this.#files.delete(object);
    this.#own.delete(object);
  }

  async drop(isGone: (object: string) => boolean): Promise<void> {
    const gone = [...this.#files].filter(([object]) => isGone(object));
    for (const [object, file] of gone) {
      this.forget(object);
      await rm(file, { force: true }).catch(() => undefined);
    }
  }

  /** Downloads copies of the current objects. A missing object gets no copy. */
  async fetch(objects: readonly string[]): Promise<void> {
    const wanted: string[] = [];
    for (const object of new Set(objects)) if (!(await this.#isKnown(object))) wanted.push(object);
    if (wanted.length === 0) return;
    const states = await this.#statesOf(wanted);
    const missing: [string, ObjectState][] = [];
    for (const object of wanted) {
      const state = states.get(object);
      if (!state) {
        this.forget(object);
        continue;
      }
      const copy = this.#fileFor(object, state.etag);
      if (await isCopy(copy, state.bytes)) this.#files.set(object, copy);
      else missing.push([object, state]);
    }
    if (missing.length === 0) return;
    await this.#prune();
    await this.#refuseTooMuch(missing.reduce((sum, [, { bytes }]) => sum + bytes, 0));
    await eachOf(missing, DOWNLOADS_AT_ONCE, ([object, state]) => this.#fetchOnce(object, state));
  }

  /** Whether its copy needs no request: this process wrote or read the object, and objects of this kind never change. */
  async #isKnown(object: string): Promise<boolean> {
    const file = this.#files.get(object);
    if (file === undefined || !(this.#own.has(object) || isPartPath(object))) return false;
    return isTouched(file);
  }

  async #statesOf(objects: readonly string[]): Promise<Map<string, ObjectState>> {
    const states = new Map<string, ObjectState>();
    const single: string[] = [];
    const byFolder = Map.groupBy(objects, (object) => path.posix.dirname(object));
    for (const [folder, ofFolder] of byFolder) {
      if (ofFolder.length < LISTED_FROM) {
        single.push(...ofFolder);
        continue;
      }
      const listed = new Map((await this.#objects.list(folder)).files.map((file) => [`${folder}/${file.name}`, file]));
      for (const object of ofFolder) {
        const file = listed.get(object);
        if (file) states.set(object, file);
      }
    }
    await eachOf(single, REQUESTS_AT_ONCE, async (object) => {
      const state = await this.#objects.state(object);
      if (state !== null) states.set(object, state);
    });
    return states;
  }

  #fetchOnce(object: string, state: ObjectState): Promise<void> {
    const copy = this.#fileFor(object, state.etag);
    const fetching = this.#fetching.get(copy) ?? this.#fetch(object, state, copy);
    this.#fetching.set(copy, fetching);
    return fetching.finally(() => this.#fetching.delete(copy));
  }

  async #fetch(object: string, state: ObjectState, copy: string): Promise<void> {
    const draft = `${copy}.${randomUUID()}.draft`;
    await this.#onDisk(copy, async () => {
      try {
        await mkdir(path.dirname(copy), { recursive: true });
        await this.#objects.download(object, state, draft);
        await rename(draft, copy);
      } finally {
        await rm(draft, { force: true });
      }
    });
    this.#files.set(object, copy);
  }

  /** The object's own name stays at the end, since DuckDB's errors name the file. */
  #fileFor(object: string, etag: string): string {
    const names = object.split('/').map((name) => encodeURIComponent(name).replaceAll('*', '%2A'));
    const mark = createHash('sha256').update(etag).digest('hex').slice(0, 16);
    return path.join(this.#folder, 'copies', ...names.slice(0, -1), `${mark}.${names.at(-1)}`);
  }

  async #refuseTooMuch(bytes: number): Promise<void> {
    const folder = this.#folder;
    const { bavail, bsize } = await this.#onDisk(folder, async () => {
      await mkdir(folder, { recursive: true });
      return statfs(folder);
    });
    const free = bavail * bsize - FREE_BYTES_MIN;
    if (bytes <= free) return;
    const said = `${Math.ceil(bytes / MB)} MB of ${this.#lake}, and ${folder} has room for ${Math.floor(Math.max(0, free) / MB)} MB`;
    throw new FilinglakeError('lake-full', `DuckDB needs copies of ${said}`, {
      remedy:
        'Set FILINGLAKE_S3_CACHE to a folder on a larger disk, or read without copies: FILINGLAKE_S3_READ=httpfs. See docs/guide/object-storage.md.',
    });
  }

  /** Once for each process: deletes forgotten copies, and the least recently used ones while copies exceed their limit. */
  async #prune(): Promise<void> {
    if (this.#isPruned) return;
    this.#isPruned = true;
    if (!existsSync(this.#folder)) return;
    const files = await keptFiles(this.#folder);
    let bytes = files.reduce((sum, one) => sum + one.bytes, 0);
    for (const one of files) {
      const unusedMs = Date.now() - one.usedAtMs;
      if (unusedMs < FORGOTTEN_MS && (unusedMs < UNUSED_MS || bytes <= this.#bytesMax)) continue;
      await rm(one.file, { force: true });
      bytes -= one.bytes;
    }
  }

  async #onDisk<T>(file: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw storageError(this.#lake, 'write', file, error);
    }
  }
}

/** Whether a complete copy exists; then it is used from now on. */
async function isCopy(file: string, bytes: number): Promise<boolean> {
  const found = await stat(file).catch(() => null);
  if (found?.size !== bytes) return false;
  return isTouched(file);
}

/** Marks a copy as used. False if it is gone: another process may delete it at any moment, and then it is downloaded again. */
function isTouched(file: string): Promise<boolean> {
  const now = new Date();
  return utimes(file, now, now).then(
    () => true,
    () => false,
  );
}

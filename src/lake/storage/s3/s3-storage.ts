/**
 * A lake in a bucket. The first of two writers wins by a conditional put. Files are built on this machine's disk and uploaded
 * whole. DuckDB reads copies, or the bucket itself if it has its httpfs extension.
 */
import { createHash, randomUUID } from 'node:crypto';
import path from 'node:path';
import {
  keyOf,
  parsePlace,
  S3Objects,
  type S3Place,
  S3Requests,
  type S3Settings,
  s3Settings,
} from '../../../core/bucket/index.ts';
import { nodeFileOperations } from '../local/file-operations.ts';
import { LocalFile } from '../local/local-file.ts';
import { LocalStorage, storageError } from '../local/local-storage.ts';
import type { GrowingFile, LakeStorage, ScratchFile, StoredFile } from '../storage.ts';
import { Copies } from './copies.ts';
import { GrowingObject } from './growing-object.ts';
import { hasHttpfs, httpfsFile, httpfsSetUp, isPattern } from './httpfs.ts';
import { proveFirstWins } from './probe.ts';

export class S3Storage implements LakeStorage {
  readonly name: string;
  readonly localFolder = null;
  readonly readersPlace: string;
  readonly requestsAtOnce = 8;
  readonly scratchFolder: string;
  readonly #place: S3Place;
  readonly #settings: S3Settings;
  readonly #requests: S3Requests;
  readonly #objects: S3Objects;
  /** Its folder on this machine's disk. */
  readonly #work: string;
  /** The scratch folder, like any other on disk. */
  readonly #local: LocalStorage;
  readonly #copies: Copies;
  #reading: Promise<'copies' | 'httpfs'> | null = null;

  /** Sends nothing. @throws FilinglakeError `lake-place-unknown`, `setting-invalid` (both exit 2) */
  constructor(url: string, env: Readonly<Record<string, string | undefined>> = process.env) {
    this.#place = parsePlace(url);
    this.#settings = s3Settings(env);
    this.name = this.#place.url;
    this.readersPlace = this.name;
    const { endpoint, cacheFolder, copiesBytesMax } = this.#settings;
    const id = createHash('sha256')
      .update(`${endpoint ?? ''}\n${this.name}`)
      .digest('hex')
      .slice(0, 16);
    this.#work = path.join(cacheFolder, id);
    this.#local = new LocalStorage(this.#work);
    this.scratchFolder = this.#local.scratchFolder;
    this.#requests = new S3Requests(this.#place, this.#settings);
    this.#objects = new S3Objects(this.#requests);
    this.#copies = new Copies(this.name, this.#work, copiesBytesMax, this.#objects);
  }

  read(file: string): Promise<Buffer | null> {
    return this.#objects.read(file);
  }

  async size(file: string): Promise<number | null> {
    return (await this.#objects.state(file))?.bytes ?? null;
  }

  async list(folder: string): Promise<StoredFile[]> {
    const { files } = await this.#objects.list(folder);
    return files.map(({ name, bytes, modifiedAtMs }) => ({ name, bytes, modifiedAtMs }));
  }

  async listNames(folder: string, after?: string): Promise<string[]> {
    return (await this.#objects.list(folder, { after })).files.map(({ name }) => name);
  }

  async listFolders(folder: string): Promise<string[]> {
    return (await this.#objects.list(folder)).folders;
  }

  putIfAbsent(file: string, bytes: Uint8Array): Promise<boolean> {
    return this.#objects.putIfAbsent(file, bytes);
  }

  async replace(file: string, bytes: Uint8Array): Promise<void> {
    this.#copies.forget(file);
    await this.#objects.put(file, bytes);
  }

  openScratch(): ScratchFile {
    // Made by LocalStorage, with its own errors.
    const { localPath } = this.#local.openScratch();
    return this.#localFile(localPath);
  }

  #localFile(at: string): LocalFile {
    return new LocalFile(at, nodeFileOperations, (error) => storageError(this.name, 'write', at, error));
  }

  scratchFiles(): Promise<StoredFile[]> {
    return this.#local.scratchFiles();
  }

  /** Every visible object is durable. */
  async makeNamesDurable(): Promise<void> {}

  removeScratch(name: string): Promise<void> {
    return this.#local.removeScratch(name);
  }

  openGrowing(file: string): GrowingFile {
    const local = this.#localFile(path.join(this.scratchFolder, `growing-${randomUUID()}`));
    return new GrowingObject(local, {
      put: (bytes) => this.#objects.putFile(file, local.localPath, bytes),
      keep: (etag) => this.#copies.keep(file, etag, local.localPath),
    });
  }

  async adopt(scratch: ScratchFile, file: string): Promise<void> {
    const local = scratch as LocalFile;
    local.close();
    const etag = await this.#objects.putFile(file, local.localPath, await local.size());
    await this.#copies.keep(file, etag, local.localPath);
  }

  async proveWritable(): Promise<void> {
    await this.#local.proveWritable([]);
    await this.proveFit();
  }

  proveFit(): Promise<void> {
    return proveFirstWins(this.#requests);
  }

  async remove(file: string): Promise<void> {
    await this.#objects.delete(file);
    await this.#copies.drop((one) => one === file);
  }

  async removeFolder(folder: string): Promise<void> {
    const { files } = await this.#objects.list(folder, { deep: true });
    await this.#objects.deleteAll(files.map(({ name }) => `${folder}/${name}`));
    await this.#copies.drop((one) => one.startsWith(`${folder}/`));
  }

  url(file: string): string {
    // Copies are used until it is known whether DuckDB has httpfs.
    return this.#isHttpfs && !this.#copies.has(file)
      ? `s3://${this.#place.bucket}/${keyOf(this.#place, file)}`
      : this.#copies.fileOf(file);
  }

  async makeReadable(files: readonly string[]): Promise<void> {
    if ((await this.#howToRead()) === 'httpfs') return;
    await this.#copies.fetch(files);
  }

  async engineSetUp(): Promise<readonly string[]> {
    return (await this.#howToRead()) === 'httpfs' ? httpfsSetUp(this.#requests) : [];
  }

  async howItIsRead(): Promise<string> {
    if ((await this.#howToRead()) === 'httpfs') return 'DuckDB reads the bucket by its httpfs extension';
    const copies = `DuckDB reads copies of its files, kept in ${this.#work}`;
    if (this.#settings.reading === 'copies') return copies;
    if (isPattern(this.#place)) return `${copies}, since its prefix is a pattern to httpfs`;
    return `${copies}. It would read the bucket itself by ${await httpfsFile()}, which FILINGLAKE_S3_READ=httpfs downloads`;
  }

  #isHttpfs = false;

  #howToRead(): Promise<'copies' | 'httpfs'> {
    this.#reading ??= (async () => {
      const { reading } = this.#settings;
      const canRead = reading !== 'copies' && !isPattern(this.#place);
      this.#isHttpfs = canRead && (await hasHttpfs(reading === 'httpfs'));
      return this.#isHttpfs ? 'httpfs' : 'copies';
    })();
    return this.#reading;
  }
}

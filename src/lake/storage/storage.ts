/** The only interface through which files of a lake are read and written. Paths are relative to the lake, with `/`. */

export interface StoredFile {
  /** Name within the listed folder. */
  name: string;
  bytes: number;
  /** When it was last written, milliseconds since 1970 by the storage's clock. */
  modifiedAtMs: number;
}

/** A file that is being built outside the lake's tables; `adopt` moves it in. */
export interface ScratchFile {
  /** Path on this machine's disk, for programs (DuckDB) that write the file themselves. */
  readonly localPath: string;
  /** Appends at once, blocking. The first call creates the file. */
  append(bytes: Uint8Array): void;
  /** Closes and deletes it, unless it was adopted. Never throws. */
  discard(): Promise<void>;
}

/** A growing file at its final path: every reader sees the appended bytes, even if this process is killed. */
export interface GrowingFile {
  /** Appends at once, blocking. The first call creates the file. Its path must be unused. */
  append(bytes: Uint8Array): void;
  /** Makes earlier appends durable: a power cut doesn't lose them. */
  sync(): Promise<void>;
  /** Never throws. The file stays. */
  close(): void;
}

/**
 * The storage that a lake needs. On disk: `LocalStorage`. An object store fits too (`putIfAbsent` by a conditional PUT, `adopt` by
 * an upload, `url` by s3://).
 * All methods throw FilinglakeError `lake-unwritable`, `lake-unreadable` or `lake-full` if the storage refuses.
 */
export interface LakeStorage {
  /** For messages: the lake's folder or URL. */
  readonly name: string;
  /** The whole file, or null if it does not exist. */
  read(path: string): Promise<Buffer | null>;
  /** Files directly in the folder, sorted by name; [] if the folder does not exist. */
  list(folder: string): Promise<StoredFile[]>;
  /** Only names: cheaper than `list`. */
  listNames(folder: string): Promise<string[]>;
  /** Names of the folders directly in the folder, sorted. */
  listFolders(folder: string): Promise<string[]>;
  /** Bytes of the file, or null if it does not exist. */
  size(path: string): Promise<number | null>;
  /**
   * Creates the file whole and durably, or returns false if it exists. At most one of several callers gets true. If a request may
   * be sent twice, false may refer to one's own file: `putOnce` reads it back.
   */
  putIfAbsent(path: string, bytes: Uint8Array): Promise<boolean>;
  /** Replaces the file; readers see the whole old one or the whole new one. */
  replace(path: string, bytes: Uint8Array): Promise<void>;
  /** Names a file to build. Synchronous, since it is called between two rows. */
  openScratch(): ScratchFile;
  /** Names a file that grows at its final path. */
  openGrowing(path: string): GrowingFile;
  /** Moves a scratch file into the lake, durably, under a path that nobody else uses. */
  adopt(scratch: ScratchFile, path: string): Promise<void>;
  /** @throws if no file can be written in the folder, or the folder is missing and can't be created */
  proveWritable(folder: string): Promise<void>;
  /** Deletes a file; does nothing if it does not exist. */
  remove(path: string): Promise<void>;
  /** Deletes a folder with its content; does nothing if it does not exist. */
  removeFolder(folder: string): Promise<void>;
  /** The form of this path for DuckDB's read_parquet and read_json. */
  url(path: string): string;
}

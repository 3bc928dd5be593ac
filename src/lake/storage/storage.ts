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

/** A growing file at its final path. On disk every reader sees the bytes at once, elsewhere those that were synced. */
export interface GrowingFile {
  /** Appends at once, blocking. The first call creates the file. Its path must be unused. */
  append(bytes: Uint8Array): void;
  /** Makes earlier appends durable: a power cut doesn't lose them, and every reader sees them. */
  sync(): Promise<void>;
  /** Never throws. The file stays. */
  close(): void;
}

/** The storage that a lake needs. Every method may throw `lake-unwritable`, `lake-unreadable` or `lake-full`. */
export interface LakeStorage {
  /** The lake's folder or URL, the same from any folder. It opens the same place again. */
  readonly name: string;
  /** The lake's folder on this machine's disk; null if it is elsewhere. */
  readonly localFolder: string | null;
  /** A folder on this machine's disk, for files being built and DuckDB's spills. May not exist yet. */
  readonly scratchFolder: string;
  /** How many small requests may be sent at a time: 1 on disk, where they share one device. */
  readonly requestsAtOnce: number;
  /** The lake's place in `lake.sql`, if the reader sets none: `.` for the folder that it is read in. */
  readonly readersPlace: string;
  /** The whole file, or null if it does not exist. */
  read(path: string): Promise<Buffer | null>;
  /** Files directly in the folder, sorted by name; [] if the folder does not exist. */
  list(folder: string): Promise<StoredFile[]>;
  /** Only names: cheaper than `list`. @param after only names that sort after this one */
  listNames(folder: string, after?: string): Promise<string[]>;
  /** Names of the folders directly in the folder, sorted. */
  listFolders(folder: string): Promise<string[]>;
  /** Bytes of the file, or null if it does not exist. */
  size(path: string): Promise<number | null>;
  /**
   * Creates the file whole and durably, or returns false if it exists. At most one of several callers gets true. If a request may
   * be sent twice, false may refer to the caller's own file: `putOnce` reads it back.
   */
  putIfAbsent(path: string, bytes: Uint8Array): Promise<boolean>;
  /** Makes the names in a folder durable, also those of files whose writer was killed before its sync. */
  makeNamesDurable(folder: string): Promise<void>;
  /** Replaces the file; readers see the whole old one or the whole new one. */
  replace(path: string, bytes: Uint8Array): Promise<void>;
  /** Names a file to build. Synchronous, since it is called between two rows. */
  openScratch(): ScratchFile;
  /** All files under the scratch folder: being built, or left by a crash. Names are relative to it. */
  scratchFiles(): Promise<StoredFile[]>;
  /** Deletes one of them; does nothing if it does not exist. */
  removeScratch(name: string): Promise<void>;
  /** Names a file that grows at its final path. */
  openGrowing(path: string): GrowingFile;
  /** Moves a scratch file into the lake, durably, under a path that nobody else uses. */
  adopt(scratch: ScratchFile, path: string): Promise<void>;
  /** @throws if no file can be written in one of the folders or the scratch folder, or one is missing and can't be created */
  proveWritable(folders: readonly string[]): Promise<void>;
  /** Tests that exactly one of many callers of `putIfAbsent` gets true. @throws FilinglakeError `lake-place-unfit` */
  proveFit(): Promise<void>;
  /** Deletes a file; does nothing if it does not exist. */
  remove(path: string): Promise<void>;
  /** Deletes a folder with its content; does nothing if it does not exist. */
  removeFolder(folder: string): Promise<void>;
  /** The form of this path for DuckDB's read_parquet and read_json, after `makeReadable`. */
  url(path: string): string;
  /** Lets DuckDB read files by their `url`. Missing files are not an error here: DuckDB won't find them. */
  makeReadable(paths: readonly string[]): Promise<void>;
  /** Statements that a DuckDB instance must run before it reads. They may change. */
  engineSetUp(): Promise<readonly string[]>;
  /** In words, how DuckDB reads files that are not on this machine's disk; null if all are. */
  howItIsRead(): Promise<string | null>;
}

/** The one interface through which every file of a lake is read and written. Paths are relative to the lake, with `/`. */

export interface StoredFile {
  /** Name within the listed folder. */
  name: string;
  bytes: number;
  /** When it was last written, milliseconds since 1970 by the clock of the place. */
  modifiedAtMs: number;
}

/** A file that is being built outside the lake's sight; `adopt` brings it in. */
export interface ScratchFile {
  /** Path on this machine's disk, for those (DuckDB) who write the file themselves. */
  readonly localPath: string;
  /** Appends at once, blocking; the file appears with the first call. */
  append(bytes: Uint8Array): void;
  /** Closes and removes it, where it was not adopted. Never throws. */
  discard(): Promise<void>;
}

/** A file that grows in its place in the lake: what was appended is there for every reader, also if this process is killed. */
export interface GrowingFile {
  /** Appends at once, blocking; the file appears with the first call. Its path must be unused. */
  append(bytes: Uint8Array): void;
  /** Makes durable what was appended before the call: from then on a power cut doesn't cost it. */
  sync(): Promise<void>;
  /** Never throws. The file stays. */
  close(): void;
}

/**
 * What a lake needs of the place where it lies. On disk: `LocalStorage`; an object store fits too (`putIfAbsent` by a
 * conditional PUT, `adopt` by an upload, `url` by s3://).
 * All methods throw FilinglakeError `lake-unwritable`, `lake-unreadable` or `lake-full` where the place refuses.
 */
export interface LakeStorage {
  /** For messages: the lake's folder or URL. */
  readonly name: string;
  /** The whole file, or null where there is none. */
  read(path: string): Promise<Buffer | null>;
  /** Files directly in the folder, sorted by name; [] where there is no such folder. */
  list(folder: string): Promise<StoredFile[]>;
  /** Names alone: cheaper than `list`. */
  listNames(folder: string): Promise<string[]>;
  /** Names of the folders directly in the folder, sorted. */
  listFolders(folder: string): Promise<string[]>;
  /** Bytes of the file, or null where there is none. */
  size(path: string): Promise<number | null>;
  /**
   * Creates the file whole and durably, or leaves the one that is there: false. Of many callers at most one gets true. Where a
   * request may be sent twice, false is also said of one's own file: `putOnce` reads it back.
   */
  putIfAbsent(path: string, bytes: Uint8Array): Promise<boolean>;
  /** Puts the file in place of any that is there; readers see the old one or the new one, whole. */
  replace(path: string, bytes: Uint8Array): Promise<void>;
  /** Names a file to be built. Synchronous, for it is asked for between two rows. */
  openScratch(): ScratchFile;
  /** Names a file that is to grow in its place. */
  openGrowing(path: string): GrowingFile;
  /** Brings a scratch file into the lake, durably, under a path that nobody else uses. */
  adopt(scratch: ScratchFile, path: string): Promise<void>;
  /** @throws where no file can be put into the folder, or the folder can't be made where there is none */
  proveWritable(folder: string): Promise<void>;
  /** Removes a file; nothing where there is none. */
  remove(path: string): Promise<void>;
  /** Removes a folder and all in it; nothing where there is none. */
  removeFolder(folder: string): Promise<void>;
  /** What DuckDB's read_parquet and read_json take for this path. */
  url(path: string): string;
}

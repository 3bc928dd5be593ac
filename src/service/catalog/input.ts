/** One input of `ingest`: a file that is read, skipped or broken. */
import type { FileKind } from '../../filings/edgar/index.ts';

/** Enough bytes to recognise a file. */
export const HEAD_BYTES = 16 * 1024;
/** EDGAR's largest submissions have some hundred MB. A larger file is an archive made to fill the memory. */
export const FILE_BYTES_MAX = 2 ** 30;

export type Input =
  | FileInput
  /** `fileKind`: its name, or `unknown` */
  | { kind: 'skipped'; path: string; fileKind: string }
  /** `offset` of the fault, in the file on disk or in its archive */
  | { kind: 'failed'; path: string; offset: number | null; message: string };

export interface FileInput {
  kind: 'file';
  /** null: of no kind, and wanted by its path */
  fileKind: FileKind | null;
  /** With `!` before the entry of an archive: `2025.tar.gz!0001.nc` */
  path: string;
  /** Valid until the next input is read: a second ingest only hashes most files, in the same memory */
  bytes: Buffer;
  /** Modification time of the file or the archive's entry */
  modified: Date | null;
}

export interface InputOptions {
  /** The kinds of files, in the order in which they are tried */
  kinds: readonly FileKind[];
  /** Kinds whose bytes are read. Others are only counted */
  wanted: ReadonlySet<FileKind>;
  /** Folders that are not entered (the catalog itself) */
  excluded?: readonly string[];
  /** Files that are read whatever their kind; then others are not read */
  paths?: ReadonlySet<string>;
  /** The entries of a .zip to unpack; others are neither read nor counted. Default: all */
  zipEntries?: (name: string) => boolean;
}

export interface InputRules extends Omit<InputOptions, 'excluded'> {
  /** Real paths */
  excluded: ReadonlySet<string>;
  /** Memory for the bytes of a plain file, the same for each */
  shared: Buffer;
}

export function isWanted(kind: FileKind | null, path: string, { wanted, paths }: InputRules): boolean {
  return paths === undefined ? kind !== null && wanted.has(kind) : paths.has(path);
}

/** `0000320193-24-000123.txt` */
const SUBMISSION_NAME = /^\d{10}-\d{2}-\d{6}\.(txt|nc|pc)$/i;

/** A file that is not read: skipped, or reported if it looks like a failed download. @param name without `.gz` */
export function unwanted(path: string, name: string, kind: FileKind | null, bytes: number): Input {
  if (SUBMISSION_NAME.test(name)) {
    const is =
      bytes === 0
        ? 'it is empty'
        : kind?.name === 'page' || kind?.name === 'headers_page'
          ? 'it is a web page, such as the SEC sends if it refuses a request'
          : null;
    if (is !== null) return { kind: 'failed', path, offset: null, message: `${is}; fetch the submission again` };
  }
  return { kind: 'skipped', path, fileKind: kind?.name ?? 'unknown' };
}

/** Making a folder with those above it, without the call that may never end. */

/** Calls of the file system: this room has none of its own. */
export interface FolderCalls {
  /** Whether it is there and is a folder. */
  isFolder(path: string): boolean;
  /** Makes one folder; those above it are there. */
  make(path: string): void;
  parentOf(path: string): string;
}

/**
 * Makes the folders that are missing, one by one, outermost first. Node's recursive mkdir goes round for ever where the system says
 * "no such file" of a folder that can't be made though the one above it is there, as under /proc.
 * @param folder absolute path
 * @throws what `make` throws: of the folder that can't be made
 */
export function makeFolders(folder: string, { isFolder, make, parentOf }: FolderCalls): void {
  const missing: string[] = [];
  for (let at = folder; !isFolder(at) && at !== parentOf(at); at = parentOf(at)) missing.unshift(at);
  for (const one of missing) {
    try {
      make(one);
    } catch (error) {
      // Another process was quicker; a file in the folder's place is not what is wanted.
      if ((error as { code?: string }).code !== 'EEXIST' || !isFolder(one)) throw error;
    }
  }
}

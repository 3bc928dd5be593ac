/** Creates a folder with its parents. Node's recursive mkdir may never end. */

/** Calls of the file system. The caller passes them: this room does no I/O. */
export interface FolderCalls {
  /** Whether the path exists and is a folder. */
  isFolder(path: string): boolean;
  /** Creates one folder, whose parent exists. */
  make(path: string): void;
  parentOf(path: string): string;
}

/**
 * Creates the missing folders one by one, outermost first. Node's recursive mkdir loops for ever if the system reports "no such
 * file" for a folder that can't be created below an existing one, as under /proc.
 * @param folder absolute path
 * @throws the error of `make` for the folder that can't be created
 */
export function makeFolders(folder: string, { isFolder, make, parentOf }: FolderCalls): void {
  const missing: string[] = [];
  for (let at = folder; !isFolder(at) && at !== parentOf(at); at = parentOf(at)) missing.unshift(at);
  for (const one of missing) {
    try {
      make(one);
    } catch (error) {
      // Another process may have created the folder meanwhile. A file in its place is an error.
      if ((error as { code?: string }).code !== 'EEXIST' || !isFolder(one)) throw error;
    }
  }
}

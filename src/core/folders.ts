/** Creates a folder with its parents. Node's recursive mkdir may never end. */

/** Calls of node:fs and node:path. The caller passes them: this room does no I/O. */
interface FolderCalls {
  statSync(path: string, options: { throwIfNoEntry: false }): { isDirectory(): boolean } | undefined;
  mkdirSync(path: string, options: { mode: number | undefined }): unknown;
  dirname(path: string): string;
}

/**
 * Creates the missing folders one by one, outermost first. Node's recursive mkdir loops for ever if the system reports "no such
 * file" for a folder that can't be created below an existing one, as under /proc.
 * @param folder absolute path
 * @param mode permissions of the created folders
 * @throws the system's error for the folder that can't be created
 */
export function makeFolders(folder: string, { statSync, mkdirSync, dirname }: FolderCalls, mode?: number): void {
  const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const missing: string[] = [];
  for (let at = folder; !isFolder(at) && at !== dirname(at); at = dirname(at)) missing.unshift(at);
  for (const one of missing) {
    try {
      mkdirSync(one, { mode });
    } catch (error) {
      // Another process may have created the folder meanwhile. A file in its place is an error.
      if ((error as { code?: string }).code !== 'EEXIST' || !isFolder(one)) throw error;
    }
  }
}

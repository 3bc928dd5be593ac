/** Whether databases are still the files that were opened: a process may work on in files that were deleted or replaced. */
import { statSync } from 'node:fs';
import { join } from 'node:path';

export class SameFiles {
  readonly #folder: string;
  /** Device and inode of each file that was there. */
  readonly #seen = new Map<string, string>();

  constructor(folder: string, names: readonly string[]) {
    this.#folder = folder;
    for (const name of names) this.changeOf(name);
  }

  /** What became of a file since it was first there. */
  changeOf(name: string): 'deleted' | 'replaced' | null {
    const stat = statSync(join(this.#folder, name), { throwIfNoEntry: false, bigint: true });
    const is = stat && `${stat.dev} ${stat.ino}`;
    const was = this.#seen.get(name) ?? is;
    if (was !== is) return is === undefined ? 'deleted' : 'replaced';
    if (is !== undefined) this.#seen.set(name, is);
    return null;
  }
}

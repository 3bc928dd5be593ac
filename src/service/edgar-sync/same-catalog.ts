/** Whether a catalog is still the one that a session has opened. A process may write on into files that were deleted. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { FilinglakeError } from '../../core/index.ts';

const FILES = ['edgar.db', 'catalog.db'];

export class SameCatalog {
  readonly #folder: string;
  /** Device and inode of each file that was there. */
  readonly #seen = new Map<string, string>();

  constructor(folder: string) {
    this.#folder = folder;
    this.require();
  }

  /** @throws FilinglakeError `catalog-replaced` if a file was deleted or replaced since an earlier call */
  require(): void {
    for (const name of FILES) {
      const stat = statSync(join(this.#folder, name), { throwIfNoEntry: false });
      const is = stat === undefined ? undefined : `${stat.dev} ${stat.ino}`;
      const was = this.#seen.get(name);
      if (was !== undefined && was !== is) {
        throw new FilinglakeError(
          'catalog-replaced',
          `${join(this.#folder, name)} was ${is === undefined ? 'deleted' : 'replaced'} while this command used it`,
        );
      }
      if (is !== undefined) this.#seen.set(name, is);
    }
  }
}

/** The databases that a service has open, and whether other files stand in their places. */
import { statSync } from 'node:fs';
import { join } from 'node:path';

type DatabaseName = 'catalog.db' | 'accounts.db';
const FILES: readonly DatabaseName[] = ['catalog.db', 'accounts.db'];

/** A backup put in the place of a database: the service reads and counts in the old one. Only a restart helps. */
export class OpenFiles {
  readonly #folder: string;
  readonly #atStart: ReadonlyMap<DatabaseName, string | null>;

  /** @param folder of a catalog whose databases were just opened */
  constructor(folder: string) {
    this.#folder = folder;
    this.#atStart = new Map(FILES.map((name) => [name, identityOf(join(folder, name))]));
  }

  /** Null: the file is the one that the service has open. */
  faultOf(name: DatabaseName): string | null {
    const now = identityOf(join(this.#folder, name));
    if (now === this.#atStart.get(name)) return null;
    return now === null ? `${name} is gone` : `${name} was replaced: restart the service`;
  }
}

function identityOf(file: string): string | null {
  const found = statSync(file, { throwIfNoEntry: false, bigint: true });
  return found ? `${found.dev} ${found.ino}` : null;
}

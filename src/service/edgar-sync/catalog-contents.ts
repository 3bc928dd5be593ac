/** Which filings a catalog has, by accession number. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { FilinglakeError } from '../../core/index.ts';
import { Catalog, DATABASE_FILE } from '../catalog/index.ts';

/** Whether a filing is in the catalog, or a deletion notice removed it. */
type IsStored = (accessionNumber: string) => boolean;

/** Those that the catalog has or saw deleted; none without a catalog. @throws FilinglakeError as `Catalog.open` */
export function storedAmong(catalogFolder: string, accessionNumbers: Iterable<string>): Set<string> {
  return withStored(catalogFolder, (isStored) => new Set([...accessionNumbers].filter(isStored)));
}

/** What shows that a catalog is another one, or an older copy. */
export interface CatalogSeen {
  /** Device and inode of its database */
  file: string;
  /** Number of the newest filing: it grows with each new one */
  newest: number;
}

/** Null: there is none. */
export function catalogSeen(catalogFolder: string): CatalogSeen | null {
  const stat = statSync(join(catalogFolder, DATABASE_FILE), { throwIfNoEntry: false });
  if (stat === undefined) return null;
  const catalog = Catalog.open(catalogFolder);
  try {
    return { file: `${stat.dev} ${stat.ino}`, newest: catalog.newestFiling() };
  } finally {
    catalog.close();
  }
}

/** The same for many calls: the catalog is opened once. @throws FilinglakeError as `Catalog.open` */
export function withStored<Result>(catalogFolder: string, work: (isStored: IsStored) => Result): Result {
  let catalog: Catalog;
  try {
    catalog = Catalog.open(catalogFolder);
  } catch (error) {
    if (error instanceof FilinglakeError && error.code === 'catalog-missing') return work(() => false);
    throw error;
  }
  try {
    return work((accession) => catalog.isStored(accession));
  } finally {
    catalog.close();
  }
}

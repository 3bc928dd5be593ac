/** What a catalog has of filings, asked by accession number. */
import { Catalog } from '../catalog/index.ts';
import { FilinglakeError } from '../core/index.ts';

/**
 * Those of some filings that the catalog has, or that a deletion notice took back. A catalog that is not there yet has none.
 * @throws FilinglakeError as `Catalog.open`
 */
export function storedAmong(catalogFolder: string, accessionNumbers: Iterable<string>): Set<string> {
  let catalog: Catalog;
  try {
    catalog = Catalog.open(catalogFolder);
  } catch (error) {
    if (error instanceof FilinglakeError && error.code === 'catalog-missing') return new Set();
    throw error;
  }
  try {
    return catalog.storedAmong(accessionNumbers);
  } finally {
    catalog.close();
  }
}

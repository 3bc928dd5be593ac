/**
 * A catalog on this machine in the place of a service's address. It is the same in every run of an export, while the port of the
 * service that reads the catalog is not. Only workers know the port.
 */
const SCHEME = 'catalog:';

/** @param folder absolute, but for definitions that were not resolved yet */
export function catalogAddress(folder: string): string {
  return `${SCHEME}${folder}`;
}

/** The folder of a catalog's address; null for the address of a service. */
export function catalogOf(baseUrl: string): string | null {
  return baseUrl.startsWith(SCHEME) ? baseUrl.slice(SCHEME.length) : null;
}

/** The addresses of services, as a worker reaches them. The service of a catalog starts with its first request, and ends with the worker. */
import { FilinglakeError } from '../../../core/index.ts';
import { catalogOf } from '../../definition/index.ts';

export interface OpenedService {
  /** `http://127.0.0.1:PORT` */
  url: string;
  close(): Promise<void>;
}

/** Starts the service of a catalog on this machine. */
export type OpenCatalog = (folder: string) => Promise<OpenedService>;

export class ServiceAddresses {
  readonly #open: OpenCatalog | null;
  readonly #opened = new Map<string, Promise<OpenedService>>();

  /** @param open null: this worker can't start services */
  constructor(open: OpenCatalog | null) {
    this.#open = open;
  }

  /** @param baseUrl of a definition @throws FilinglakeError as `OpenCatalog`; `catalog-missing` if this worker reads no catalogs */
  async of(baseUrl: string): Promise<string> {
    const folder = catalogOf(baseUrl);
    if (folder === null) return baseUrl;
    if (this.#open === null) {
      throw new FilinglakeError('catalog-missing', `this worker can't read the catalog in ${folder}`, {
        remedy: 'Run the export with `filinglake export`, or `filinglake worker --catalog DIR`.',
      });
    }
    const known = this.#opened.get(folder);
    if (known !== undefined) return (await known).url;
    const opened = this.#open(folder);
    this.#opened.set(folder, opened);
    // The next attempt tries again.
    opened.catch(() => this.#opened.delete(folder));
    return (await opened).url;
  }

  async closeAll(): Promise<void> {
    const opened = [...this.#opened.values()];
    this.#opened.clear();
    for (const service of opened) await service.then(({ close }) => close()).catch(() => {});
  }
}

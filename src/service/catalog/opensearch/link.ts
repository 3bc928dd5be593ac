/** OpenSearch for synchronous code. */
import { extname } from 'node:path';
import { SideThread } from '../packs/side-thread.ts';
import type { StillWanted } from '../store/schema.ts';
import type { Answer, Call } from './client.ts';

export class OpenSearchLink {
  readonly #thread: SideThread<Call, Answer>;
  readonly #stillWanted: StillWanted;
  /** Milliseconds that searches took in OpenSearch, or waited for it until they were given up. `Catalog.takeWorkElsewhere` sets it to 0. */
  workMs = 0;

  constructor(place: string, stillWanted: StillWanted) {
    this.#thread = new SideThread(new URL(`./link-thread${extname(import.meta.filename)}`, import.meta.url), place);
    this.#stillWanted = stillWanted;
  }

  /** @throws FilinglakeError as OpenSearch.call; the error of `stillWanted` */
  call(call: Call): Answer {
    const sentAt = performance.now();
    return this.#thread.ask(call, () => {
      try {
        this.#stillWanted();
      } catch (error) {
        this.workMs += performance.now() - sentAt;
        throw error;
      }
    });
  }

  close(): void {
    this.#thread.close();
  }
}

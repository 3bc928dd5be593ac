/** The world of a caller of a service: its own key pays for each request, as for /v2. */
import { FilingClient } from '../export/client/index.ts';
import { ServiceSource } from './sources/service-source.ts';
import type { World } from './tool.ts';

/** Callers whose connections are kept. */
const CALLERS_MAX = 50;

/** Worlds by key: a caller's next call finds its connections. */
export class ServiceWorlds {
  readonly #address: () => string;
  readonly #opened = new Map<string, { world: World; client: FilingClient }>();

  /** @param address of the service, as this process reaches it */
  constructor(address: () => string) {
    this.#address = address;
  }

  of(apiKey: string): World {
    const found = this.#opened.get(apiKey) ?? this.#open(apiKey);
    this.#opened.delete(apiKey);
    this.#opened.set(apiKey, found);
    for (const [key, { client }] of this.#opened) {
      if (this.#opened.size <= CALLERS_MAX) break;
      this.#opened.delete(key);
      void client.close();
    }
    return found.world;
  }

  #open(apiKey: string) {
    // A tool answers within a client's patience: a quota that is used up is an error, not a wait.
    const retry = { attempts: 2, maxRetryAfterMs: 2_000 };
    const client = new FilingClient({ baseUrl: this.#address(), apiKey, timeoutMs: 30_000, retry });
    return { client, world: { sources: [new ServiceSource(client)], lake: null, sql: null, exports: null } };
  }

  async close(): Promise<void> {
    for (const { client } of this.#opened.values()) await client.close();
    this.#opened.clear();
  }
}

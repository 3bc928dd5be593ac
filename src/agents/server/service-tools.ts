/** Tools for the callers of a service: a caller's own key pays for each request, as for /v2. */
import type { Server } from '@modelcontextprotocol/server';
import { FilingClient } from '../../export/client/index.ts';
import { ServiceSource } from '../sources/service-source.ts';
import type { World } from '../tools/tool.ts';
import { mcpServer } from './server.ts';

/** Callers whose connections are kept. */
const CALLERS_MAX = 50;

/** Tools by key: a caller's next call finds its connections. */
export class ServiceTools {
  readonly #address: () => string;
  readonly #version: string;
  readonly #onFault: (error: unknown) => void;
  readonly #opened = new Map<string, { world: World; client: FilingClient }>();

  /** @param address of the service, as this process reaches it @param onFault told when a tool fails */
  constructor(address: () => string, version: string, onFault: (error: unknown) => void) {
    this.#address = address;
    this.#version = version;
    this.#onFault = onFault;
  }

  serverFor(apiKey: string): Server {
    return mcpServer(this.#worldOf(apiKey), this.#version, this.#onFault);
  }

  #worldOf(apiKey: string): World {
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

/** What the tools of one `filinglake mcp` read and start. */
import { resolve } from 'node:path';
import type { World } from '../../agents/index.ts';
import { readSettings } from '../../core/environment/index.ts';
import { catalogKey, openCatalogService } from './catalog-service.ts';
import { McpExports } from './mcp-exports.ts';
import { requiredKey } from './with-runs.ts';

export interface McpPlaces {
  readonly lake?: string;
  /** Of the lake: all questions are about its version. */
  readonly release?: string;
  readonly catalog?: string;
  readonly service?: string;
}

interface OpenedWorld {
  readonly world: World;
  close(): Promise<void>;
}

/** @throws FilinglakeError `lake-missing`, `release-unknown`, `catalog-missing`, `key-missing` */
export async function openWorld({ lake: place, release, catalog, service }: McpPlaces): Promise<OpenedWorld> {
  const { LakeSource, LakeTables, ServiceSource } = await import('../../agents/index.ts');
  const closing: (() => Promise<unknown>)[] = [];
  try {
    let tables: InstanceType<typeof LakeTables> | null = null;
    let sql: World['sql'] = null;
    const sources: World['sources'][number][] = [];
    if (place !== undefined) {
      const { LakeSandbox, openLake } = await import('../../lake/index.ts');
      // Exports into a new lake may be the first thing that is asked for.
      const lake = await openLake(place, { create: catalog !== undefined || service !== undefined });
      const sandbox = new LakeSandbox(place);
      closing.push(
        () => lake.close(),
        () => sandbox.close(),
      );
      const opened = new LakeTables(lake, release === undefined ? null : await lake.release(release));
      tables = opened;
      closing.push(() => opened.close());
      sql = sandbox;
      sources.push(new LakeSource(tables));
    }
    const opened = catalog !== undefined ? await openCatalogService(catalog) : null;
    if (opened) closing.push(() => opened.close());
    const address = opened?.url ?? service ?? null;
    let exports: McpExports | null = null;
    if (address !== null) {
      const apiKey = catalog !== undefined ? await catalogKey(catalog) : requiredKey(readSettings().apiKey);
      const { FilingClient } = await import('../../export/client/index.ts');
      // A tool answers within a client's patience: a service that is down is an error, not a wait.
      const client = new FilingClient({
        baseUrl: address,
        apiKey,
        timeoutMs: 30_000,
        retry: { attempts: 2, maxRetryAfterMs: 2_000 },
      });
      closing.push(() => client.close());
      sources.push(new ServiceSource(client));
      if (place !== undefined) {
        const { catalogAddress } = await import('../../export/index.ts');
        const baseUrl = catalog !== undefined ? catalogAddress(resolve(catalog)) : address;
        exports = new McpExports({ lake: place, baseUrl, address, apiKey });
        const started = exports;
        closing.push(() => started.close());
      }
    }
    const close = async () => {
      // The last one that was opened ends first.
      for (const end of closing.toReversed()) await end();
    };
    return { world: { sources, lake: tables, sql, exports }, close };
  } catch (error) {
    for (const end of closing.toReversed()) await end();
    throw error;
  }
}

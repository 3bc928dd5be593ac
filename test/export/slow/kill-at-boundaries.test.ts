/**
 * A worker killed at every boundary (a page of the lookup staged, a segment sealed, a batch committed): the run continues, and
 * requests again only what was in flight.
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporalExecutable } from '../../support/temporal.ts';
import { buildRoad, type Command, contentsOf, type Road, runCommand } from '../../support/test-stack.ts';

const FILINGS = 24;
const CONNECTIONS = 4;
/** Each kill costs the time after which a worker is missed: by default the first few boundaries of each kind are taken. */
const KILLS_OF_A_KIND = process.env.FILINGLAKE_EVERY_KILL ? 1_000 : 2;
const POLL_MS = 5;

type Boundary = 'page' | 'segment' | 'commit';

/** The boundary that a file of a lake's folder marks when it appears; null: none. */
function boundaryOf(path: string): Boundary | null {
  if (/^_staging\/.*\/lookup-[^/]+\.json$/.test(path)) return 'page';
  if (/^_staging\/.*\/batch-[^/]+\/\d+-\d+\.[0-9a-f]+\.json$/.test(path)) return 'segment';
  return /^_lake\/\d{20}\.json$/.test(path) ? 'commit' : null;
}

/** Boundaries of a lake that were not there when it was looked at last. */
class Boundaries {
  readonly #folder: string;
  readonly #seen = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  fresh(): Boundary[] {
    if (!existsSync(this.#folder)) return [];
    const fresh: Boundary[] = [];
    for (const path of this.#paths()) {
      const boundary = boundaryOf(path);
      if (boundary === null || this.#seen.has(path)) continue;
      this.#seen.add(path);
      fresh.push(boundary);
    }
    return fresh;
  }

  #paths(): string[] {
    try {
      return readdirSync(this.#folder, { recursive: true, encoding: 'utf8' });
    } catch (error) {
      // A folder was deleted while it was being read: the next look sees the current state.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }
}

describe.skipIf(!temporalExecutable)('an export whose worker is killed at its boundaries', () => {
  let road: Road;
  let env: Record<string, string>;

  beforeAll(async () => {
    road = await buildRoad(FILINGS, { delayMs: 120 });
    env = { FILINGLAKE_HOME: road.home, FILINGLAKE_API_KEY: road.createKey('unlimited') };
  });
  afterAll(() => road.stop());

  function definition(name: string): string {
    const file = join(road.folder, `${name}.yaml`);
    writeFileSync(
      file,
      `name: ${name}
service: { base_url: ${road.proxy.url}, connections: ${CONNECTIONS}, page_size: 10 }
select: {}
tables: [entities, filings, parties, section_contents, document_contents]
`,
    );
    return file;
  }

  it('makes the same lake, for the requests in flight', async () => {
    const calm = runCommand(['export', definition('calm'), '--lake', join(road.folder, 'calm'), '--json'], env);
    expect(await calm.ended, calm.stderr()).toBe(0);
    const undisturbed = road.proxy.requests;
    road.proxy.requests = 0;

    const lake = join(road.folder, 'killed');
    let worker: Command = runCommand(['worker', '--json'], env);
    // The successor is there before the kill: the only wait is for noticing the death.
    let successor: Command = runCommand(['worker', '--json'], env);
    const command = runCommand(['export', definition('killed'), '--lake', lake, '--json', '--no-worker'], env);
    const boundaries = new Boundaries(lake);
    const kills: Record<Boundary, number> = { page: 0, segment: 0, commit: 0 };
    let allowed = 0;
    let isOver = false;
    void command.ended.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      const [boundary] = boundaries.fresh();
      if (boundary === undefined || kills[boundary] >= KILLS_OF_A_KIND) {
        await sleep(POLL_MS);
        continue;
      }
      const atBoundary = road.proxy.requests;
      // Both may have taken tasks: the run has no worker for a moment.
      worker.process.kill('SIGKILL');
      successor.process.kill('SIGKILL');
      await Promise.all([worker.ended, successor.ended]);
      kills[boundary]++;
      // In flight, and sent since.
      allowed += CONNECTIONS + (road.proxy.requests - atBoundary);
      boundaries.fresh();
      worker = runCommand(['worker', '--json'], env);
      successor = runCommand(['worker', '--json'], env);
    }
    expect(await command.ended, command.stderr()).toBe(0);
    for (const one of [worker, successor]) {
      one.process.kill('SIGTERM');
      expect(await one.ended, one.stderr()).toBe(0);
    }
    expect(Math.min(...Object.values(kills)), JSON.stringify(kills)).toBeGreaterThan(0);
    expect(await contentsOf(lake)).toEqual(await contentsOf(join(road.folder, 'calm')));
    expect(road.proxy.requests, JSON.stringify({ undisturbed, kills })).toBeLessThanOrEqual(undisturbed + allowed);
  }, 3_600_000);
});

/**
 * A real Temporal server on PostgreSQL, whose authorizer gives commands and workers the rights of one namespace. A worker and the server
 * are killed in the middle of a run. The lake must be that of a run on filinglake's own server.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { type TemporalOnPostgres, temporalOnPostgres } from '../../support/temporal-on-postgres.ts';
import { buildRoad, type Command, contentsOf, type Road, runCommand } from '../../support/test-stack.ts';
import { workerOf } from '../../support/worker-of.ts';

const FILINGS = 60;
const WORKERS = 4;
const CONNECTIONS = 4;
/** Longer than a new server needs to take over the old one's shards. */
const SERVER_AWAY_MS = 5_000;

const temporal = temporalOnPostgres();
if ('missing' in temporal) console.warn(`Temporal on PostgreSQL is not tested: ${temporal.missing}`);

/** Who has a connection is found in /proc. */
const canFind = process.platform === 'linux';

describe.skipIf('missing' in temporal || !canFind)('Temporal on PostgreSQL', () => {
  let road: Road;
  let server: TemporalOnPostgres;
  let apiKey: string;
  let undisturbed: Record<string, unknown[]>;
  let needed = 0;
  let workers: Command[] = [];

  beforeAll(async () => {
    if ('missing' in temporal) return;
    server = await temporal.start();
    road = await buildRoad(FILINGS, { delayMs: 60 });
    apiKey = road.createKey('unlimited');
    const lake = join(road.folder, 'own-server');
    const env = { FILINGLAKE_HOME: road.home, FILINGLAKE_API_KEY: apiKey };
    const command = runCommand(['export', road.definition('own-server'), '--lake', lake, '--json'], env);
    expect(await command.ended, command.stderr()).toBe(0);
    undisturbed = await contentsOf(lake);
    needed = road.proxy.requests;
  });
  afterAll(async () => {
    for (const { process: worker } of workers) worker.kill('SIGTERM');
    await Promise.all(workers.map(({ ended }) => ended));
    await server?.stop();
    await road?.stop();
  });

  const machine = (key?: string) => ({
    ...server.env(key),
    FILINGLAKE_HOME: temporaryFolder(),
    TMPDIR: temporaryFolder(),
    FILINGLAKE_API_KEY: apiKey,
  });
  const exported = (name: string, key?: string) =>
    runCommand(
      ['export', road.definition(name), '--lake', join(road.folder, name), '--json', '--no-worker'],
      machine(key),
    );

  it('carries a run through the deaths of a worker and of the server, with a role of one namespace', async () => {
    workers = Array.from({ length: WORKERS }, () => runCommand(['worker', '--json'], machine()));
    await Promise.all(workers.map((worker) => worker.event((event) => 'task_queue' in event)));
    const before = road.proxy.requests;
    const strikes = [
      {
        at: 0.4,
        strike: async (port: number) => void workerOf(port, workers)!.process.kill('SIGKILL'),
      },
      {
        at: 0.6,
        strike: async () => {
          await server.kill();
          await sleep(SERVER_AWAY_MS);
          await server.restart();
        },
      },
    ];
    const struck: Promise<void>[] = [];
    road.proxy.onRequest = (n, port) => {
      if (strikes.length > 0 && n - before > needed * strikes[0]!.at) struck.push(strikes.shift()!.strike(port));
    };
    const command = exported('on-postgres');
    expect(await command.ended, command.stderr()).toBe(0);
    await Promise.all(struck);
    expect(struck.length).toBe(2);
    expect(workers.filter(({ process: worker }) => worker.signalCode === 'SIGKILL').length).toBe(1);
    const place = join(road.folder, 'on-postgres');
    expect(await contentsOf(place)).toEqual(undisturbed);
    const lake = await openLake(place);
    expect((await checkLake(lake)).problems).toEqual([]);
    await lake.close();
    const repeated = road.proxy.requests - before - needed;
    console.info('on PostgreSQL', JSON.stringify({ needed, repeated, of: server.query('temporal', SIZES) }));
    // Those in flight when a worker dies, and when all lose the server.
    expect(repeated).toBeLessThanOrEqual(CONNECTIONS * (WORKERS + 1));
  });

  it('has the run in its own tables, and its search attributes', async () => {
    const rows = server.query(
      'temporal_visibility',
      "SELECT workflow_id, status FROM executions_visibility WHERE workflow_type_name = 'exportWorkflow'",
    );
    expect(rows).toEqual([['export/on-postgres', '2']]);
    const list = runCommand(['status', 'on-postgres', '--json'], machine());
    expect(await list.ended, list.stderr()).toBe(0);
  });

  it.each([
    ['of another namespace', () => server.keyFor('elsewhere:admin')],
    ['that nobody signed', () => 'not.a.key'],
  ])('ends a command with 5 whose key is one %s', async (_what, keyOf) => {
    const command = exported('refused', keyOf());
    expect(await command.ended, command.stderr()).toBe(5);
    expect(command.stderr()).toContain('TEMPORAL_API_KEY');
  });
});

const SIZES = "SELECT pg_database_size('temporal'), pg_database_size('temporal_visibility')";

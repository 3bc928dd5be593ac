/**
 * Temporal as `docker-compose.yml` runs it, without containers: its server on PostgreSQL, with the schema and the namespace that
 * `config/temporal` makes. Its own authorizer admits who has a signed key: for the whole server, or for one namespace.
 */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, existsSync, readdirSync, realpathSync, renameSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { readSettings } from '../../src/core/environment/index.ts';
import { freePort } from '../../src/export/runtime/index.ts';
import { runFolder } from './file-folder.ts';
import { type LocalServer, serve } from './local-server.ts';
import { temporalExecutable } from './temporal.ts';
import { CHECKOUT } from './test-stack.ts';

/** As in docker-compose.yml. */
const SERVER = { module: 'go.temporal.io/server', version: 'v1.32.0' };
const NAMESPACE = 'filinglake';
const PASSWORD = 'a-password-of-the-test';
const BUILT_WITHIN_MS = 2_400_000;
/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534;

export interface TemporalOnPostgres {
  /** Variables of a command with a role of the namespace. @param key instead of the role's */
  env(key?: string): Record<string, string>;
  /** A key that is signed, with permissions such as `filinglake:write`. */
  keyFor(...permissions: string[]): string;
  /** Ends the server at once. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** Rows of a query of one of the two databases, each as text. */
  query(database: 'temporal' | 'temporal_visibility', sql: string): string[][];
  stop(): Promise<void>;
}

/**
 * Builds the server from its source once: some 7 CPU-minutes and 4 GB of disk.
 * @returns starts all; `missing`: why it can't be started
 */
export function temporalOnPostgres(): { start: () => Promise<TemporalOnPostgres> } | { missing: string } {
  const postgres = postgresFolder();
  if (postgres === null) return { missing: 'PostgreSQL is not installed (initdb, postgres and psql)' };
  if (temporalExecutable === null) return { missing: 'there is no temporal command' };
  const built = builtServer();
  return typeof built === 'string' ? { start: () => start(postgres, built) } : built;
}

function postgresFolder(): string | null {
  const onPath = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'postgres'));
  const installed = '/usr/lib/postgresql';
  const versions = existsSync(installed) ? readdirSync(installed).sort((a, b) => Number(b) - Number(a)) : [];
  const found = [
    ...onPath.filter((file) => existsSync(file)),
    ...versions.map((v) => join(installed, v, 'bin/postgres')),
  ];
  const folders = found.map((file) => dirname(realpathSync(file)));
  return (
    folders.find((folder) => ['initdb', 'postgres', 'psql'].every((name) => existsSync(join(folder, name)))) ?? null
  );
}

/** @returns the folder with `temporal-server`, `temporal-sql-tool` and `schema` */
function builtServer(): string | { missing: string } {
  const { module, version } = SERVER;
  const folder = join(readSettings().cacheFolder, `temporal-server-${version}`);
  if (existsSync(folder)) return folder;
  if (Date.now() + BUILT_WITHIN_MS > Number(process.env.FILINGLAKE_TEST_DEADLINE ?? Number.POSITIVE_INFINITY))
    return { missing: "Temporal's server is not built yet, and these tests have a time budget" };
  const building = `${folder}.${process.pid}`;
  try {
    const env = { ...process.env, GOBIN: building, GOFLAGS: '-trimpath' };
    const parts = ['cmd/server', 'cmd/tools/sql'].map((part) => `${module}/${part}@${version}`);
    execFileSync('go', ['install', '-ldflags', '-s -w', ...parts], { env, stdio: 'pipe', timeout: BUILT_WITHIN_MS });
    const modules = execFileSync('go', ['env', 'GOMODCACHE'], { encoding: 'utf8' }).trim();
    cpSync(join(modules, `${module}@${version}`, 'schema/postgresql/v12'), join(building, 'schema'), {
      recursive: true,
    });
    renameSync(join(building, 'server'), join(building, 'temporal-server'));
    renameSync(join(building, 'sql'), join(building, 'temporal-sql-tool'));
    renameSync(building, folder);
    return folder;
  } catch (error) {
    const said = String((error as { stderr?: Buffer }).stderr ?? (error as Error).message).trim();
    return { missing: `Temporal's server could not be built: ${said.split('\n').at(-1)}` };
  }
}

async function start(postgres: string, built: string): Promise<TemporalOnPostgres> {
  const database = await startPostgres(postgres);
  const keys = await startKeyServer();
  const ports = await lowPorts(12);
  const [frontend] = ports;
  const address = `127.0.0.1:${frontend}`;
  const names = ['FRONTEND', 'HISTORY', 'MATCHING', 'WORKER', 'INTERNAL_FRONTEND'];
  const serverEnv = {
    ...process.env,
    DB: 'postgres12',
    DB_PORT: String(database.port),
    POSTGRES_SEEDS: '127.0.0.1',
    BIND_ON_IP: '127.0.0.1',
    POSTGRES_USER: 'temporal',
    POSTGRES_PWD: PASSWORD,
    NUM_HISTORY_SHARDS: '16',
    LOG_LEVEL: 'error',
    DYNAMIC_CONFIG_FILE_PATH: join(CHECKOUT, 'config/temporal/dynamic-config.yaml'),
    TEMPORAL_AUTH_AUTHORIZER: 'default',
    TEMPORAL_AUTH_CLAIM_MAPPER: 'default',
    TEMPORAL_JWT_KEY_SOURCE1: `${keys.url}/keys.json`,
    // With an authorizer the server's own workers need a door of their own.
    USE_INTERNAL_FRONTEND: 'true',
    TEMPORAL_SERVICES: 'frontend,history,matching,worker,internal-frontend',
    ...Object.fromEntries(names.map((name, i) => [`${name}_GRPC_PORT`, String(ports[i])])),
    ...Object.fromEntries(names.map((name, i) => [`${name}_MEMBERSHIP_PORT`, String(ports[names.length + i])])),
    FRONTEND_HTTP_PORT: String(ports[10]),
    INTERNAL_FRONTEND_HTTP_PORT: String(ports[11]),
  };
  const envOf = (key: string) => ({
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: NAMESPACE,
    TEMPORAL_API_KEY: key,
    TEMPORAL_TLS: 'false',
  });
  // Beside it, this process answers for the keys.
  const run = async (script: string, more: Record<string, string>) => {
    const PATH = [built, dirname(temporalExecutable!.path), process.env.PATH].join(delimiter);
    const env = { ...process.env, PATH, ...more };
    await promisify(execFile)('sh', [join(CHECKOUT, 'config/temporal', script)], { env });
  };
  await run('setup-schema.sh', {
    SCHEMA_FOLDER: join(built, 'schema'),
    SQL_PLUGIN: 'postgres12',
    SQL_HOST: '127.0.0.1',
    SQL_PORT: String(database.port),
    SQL_USER: 'temporal',
    SQL_PASSWORD: PASSWORD,
  });
  let server: ChildProcess;
  const restart = async () => {
    server = endsWithTheTest([join(built, 'temporal-server'), 'start'], { env: serverEnv, cwd: built });
    await untilOpen(frontend!, server, "Temporal's server");
  };
  await restart();
  await run('create-namespace.sh', envOf(keys.keyFor('temporal-system:admin')));
  return {
    env: (key = keys.keyFor(`${NAMESPACE}:write`)) => envOf(key),
    keyFor: keys.keyFor,
    kill: () => ended(server),
    restart,
    query: database.query,
    async stop() {
      await ended(server);
      await database.stop();
      await keys.close();
    },
  };
}

async function startPostgres(bin: string) {
  const folder = runFolder('postgres', false);
  const port = await freePort();
  const own = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if ('uid' in own) chownSync(folder, NOBODY, NOBODY);
  chmodSync(folder, 0o700);
  const data = join(folder, `data-${port}`);
  const options = { ...own, cwd: folder, env: { ...process.env, HOME: folder, TMPDIR: folder, PGPASSWORD: PASSWORD } };
  const say = `printf %s "$PGPASSWORD" >password && exec "$0" "$@"`;
  const args = [
    '-D',
    data,
    '-U',
    'temporal',
    '--auth=scram-sha-256',
    '--pwfile=password',
    '--encoding=UTF8',
    '--locale=C',
  ];
  execFileSync('sh', ['-c', say, join(bin, 'initdb'), ...args], { ...options, stdio: 'pipe' });
  const listen = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-p', String(port)];
  const server = endsWithTheTest([join(bin, 'postgres'), '-D', data, ...listen], options);
  await untilOpen(port, server, 'PostgreSQL');
  return {
    port,
    query(database: string, sql: string): string[][] {
      const where = ['-h', '127.0.0.1', '-p', String(port), '-U', 'temporal', '-d', database];
      const text = execFileSync(join(bin, 'psql'), [...where, '-AtF', '\t', '-c', sql], {
        ...options,
        encoding: 'utf8',
      });
      return text.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')]));
    },
    stop: () => ended(server),
  };
}

/** Serves the public key by which Temporal knows who signed a token. */
async function startKeyServer() {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const kid = 'of-the-test';
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' };
  const server: LocalServer = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: [jwk] }));
  });
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return {
    url: server.url,
    close: () => server.close(),
    keyFor(...permissions: string[]): string {
      const exp = Math.floor(Date.now() / 1000) + 7_200;
      const said = `${part({ alg: 'RS256', typ: 'JWT', kid })}.${part({ sub: 'somebody', permissions, exp })}`;
      return `${said}.${sign('sha256', Buffer.from(said), privateKey).toString('base64url')}`;
    },
  };
}

/** Temporal stores the ports of its parts as SMALLINT, and ends at once if one is above 32,767. */
async function lowPorts(count: number): Promise<number[]> {
  const free = new Set<number>();
  while (free.size < count) {
    const port = 12_000 + Math.floor(Math.random() * 20_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    server.close();
    if (isFree) free.add(port);
  }
  return [...free];
}

function endsWithTheTest(command: string[], options: object): ChildProcess {
  const untilThen = '"$@" & cat >/dev/null; kill -9 $!; wait';
  return spawn('sh', ['-c', untilThen, 'sh', ...command], { ...options, stdio: ['pipe', 'ignore', 'ignore'] });
}

async function ended(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const exit = once(server, 'exit');
  server.stdin!.end();
  await exit;
}

async function untilOpen(port: number, server: ChildProcess, name: string): Promise<void> {
  for (const deadline = Date.now() + 120_000; ; await sleep(200)) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    if (server.exitCode !== null || Date.now() > deadline)
      throw new Error(`${name} did not start (${server.exitCode})`);
  }
}

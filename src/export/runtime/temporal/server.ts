/** A Temporal server for this process: the one of TEMPORAL_ADDRESS, or filinglake's own, shared by all commands of a home. */
import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { extname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Connection } from '@temporalio/client';
import type { NativeConnection } from '#temporal-worker';
import { type Home, openHome, requireWritableFiles, type Settings } from '../../../core/environment/index.ts';
import { FilinglakeError } from '../../../core/index.ts';
import {
  connectClient,
  connectWorker,
  EMBEDDED_NAMESPACE,
  externalTarget,
  prepareNamespace,
  SEARCH_ATTRIBUTES,
  type TemporalTarget,
} from './connection.ts';
import { findTemporal } from './fetch.ts';
import { isAlive, isWanted, lingerFor, takeLease } from './leases.ts';
import { endOfLog, whatWentWrong } from './server-log.ts';
import { readTemporalState, type TemporalState } from './state.ts';
import type { SupervisorOrder } from './supervisor.ts';

interface EnsureTemporalOptions {
  /** Receives one line for each event that a person should know: what is used, downloaded, started. */
  onMessage?: (line: string) => void;
  /** Who holds the lease, for people: `export`, `up`. */
  command?: string;
  /** Called once the server is there, or starts: begins what takes time of its own. */
  meanwhile?: (session: OpeningSession) => void;
  /** More flags for `temporal server start-dev`, if this call starts it: for tests that skip time. */
  extraServerArguments?: readonly string[];
}

export interface TemporalSession extends AsyncDisposable {
  /** `host:port` */
  address: string;
  namespace: string;
  /** Whether it is filinglake's own server, which ends some minutes after its last user left. */
  embedded: boolean;
  /** A connection for clients, opened at the first call and closed by `release()`. */
  connect(): Promise<Connection>;
  /** A new connection for a worker. Its owner closes it after the worker ended, before `release()`. */
  connectWorker(): Promise<NativeConnection>;
  /** Releases the server. It stays for `FILINGLAKE_LINGER`; with 0 the last user waits until it has ended. A second call does nothing. */
  release(): Promise<void>;
}

/** A session that may still be opening. Its connections wait for it, and fail with it. */
export type OpeningSession = Pick<TemporalSession, 'namespace' | 'connect' | 'connectWorker'>;

const POLL_MS = 15;
const START_TIMEOUT_MS = 120_000;
/** How often a holder checks whether the supervisor lives. */
const WATCH_INTERVAL_MS = 2_000;
const SUPERVISOR_LOG = 'temporal-supervisor.log';
const SERVER_LOG = 'temporal-server.log';
/** SIGTERM, then SIGKILL five seconds later, then a margin. */
const END_TIMEOUT_MS = 15_000;

/**
 * Finds or starts Temporal, connects, and proves that the namespace can be used.
 * @throws FilinglakeError `temporal-unreachable`, `temporal-missing`, `temporal-refused` (all exit 5); `home-unwritable`
 */
export async function ensureTemporal(
  settings: Settings,
  options: EnsureTemporalOptions = {},
): Promise<TemporalSession> {
  const onMessage = options.onMessage ?? (() => {});
  if (settings.temporalAddress !== null) {
    const target = externalTarget(settings.env);
    onMessage(`using Temporal at ${target.address}, namespace ${target.namespace}`);
    // A connection to it has some seconds: nothing loads meanwhile.
    const session = await openSession(target, async () => {});
    options.meanwhile?.(session);
    return session;
  }

  const home = openHome(settings.homeFolder);
  requireWritableFiles(filesOf(home));
  // First take the lease, then read the state: a supervisor about to leave either sees the lease or has announced that it leaves.
  const lease = takeLease(home.leases, options.command ?? 'filinglake');
  const starter = supervisorStarter(settings, home, options.extraServerArguments ?? [], onMessage);
  const open = async () => {
    const { port } = await starter.untilRunning();
    const address = `127.0.0.1:${port}`;
    const target = { address, namespace: EMBEDDED_NAMESPACE, embedded: true, connectionOptions: { address } };
    const startAgain = () => starter.startIfGone().catch((error: Error) => onMessage(error.message));
    const watch = setInterval(startAgain, WATCH_INTERVAL_MS).unref();
    return openSession(target, async () => {
      clearInterval(watch);
      // First the mark: without a lease and without it, the server would end.
      lingerFor(home.leases, settings.lingerSeconds);
      lease.release();
      await untilEndedIfLast(home);
    });
  };
  try {
    await starter.startIfGone();
    const opening = open();
    const connect = async () => (await opening).connect();
    const connectWorker = async () => (await opening).connectWorker();
    options.meanwhile?.({ namespace: EMBEDDED_NAMESPACE, connect, connectWorker });
    return await opening;
  } catch (error) {
    lease.release();
    throw error;
  }
}

/** Files that the supervisor and its server write. */
function filesOf({ logs, temporalDatabase, temporalLock }: Home): string[] {
  const database = ['', '-wal', '-shm'].map((ending) => `${temporalDatabase}${ending}`);
  return [...database, temporalLock, join(logs, SUPERVISOR_LOG), join(logs, SERVER_LOG)];
}

async function openSession(target: TemporalTarget, leave: () => Promise<void>): Promise<TemporalSession> {
  let connection: Connection | null = null;
  let released = false;
  const release = async () => {
    if (released) return;
    released = true;
    await connection?.close();
    await leave();
  };
  try {
    connection = await connectClient(target);
    await prepareNamespace(connection, target);
  } catch (error) {
    await release();
    throw error;
  }
  const opened = connection;
  return {
    address: target.address,
    namespace: target.namespace,
    embedded: target.embedded,
    connect: async () => opened,
    connectWorker: () => connectWorker(target),
    release,
    [Symbol.asyncDispose]: release,
  };
}

/** Makes sure that a supervisor runs: waits for an active one, or starts one. */
function supervisorStarter(
  settings: Settings,
  home: Home,
  extraServerArguments: readonly string[],
  onMessage: (line: string) => void,
) {
  const serverLog = join(home.logs, SERVER_LOG);
  /** End of its log before it was started. */
  let serverLogFrom = 0;
  /** The supervisor this process started, as long as it runs. */
  let started: { exitCode: number | null } | null = null;
  let executable: { path: string; version: string } | null = null;

  async function untilRunning(): Promise<TemporalState> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (Date.now() < deadline) {
      const state = readTemporalState(home.temporalState);
      const alive = state !== null && isAlive(state.supervisor);
      if (state && alive && state.state === 'running') {
        if (!started) onMessage(`using the Temporal ${state.version} that runs on port ${state.port}`);
        return state;
      }
      if (started && started.exitCode !== null) {
        if (started.exitCode !== 0) {
          // The state read above may be older than its last one.
          const last = readTemporalState(home.temporalState);
          throw startFailure(last?.message ?? `ended with ${started.exitCode}`, last?.remedy);
        }
        started = null; // another process's supervisor was first
      }
      await startIfGone();
      await pause(POLL_MS);
    }
    throw startFailure(`it was not ready within ${START_TIMEOUT_MS / 1000} s`);
  }

  /** Starts a supervisor if none runs. One that follows a killed one takes over the database and the port. */
  async function startIfGone(): Promise<void> {
    const state = readTemporalState(home.temporalState);
    if (state && isAlive(state.supervisor)) return;
    if (started && started.exitCode === null) return;
    await start();
  }

  async function start(): Promise<void> {
    const running: { exitCode: number | null } = { exitCode: null };
    started = running;
    executable ??= await findTemporal({ cacheFolder: settings.cacheFolder, env: settings.env, onMessage });
    const order: SupervisorOrder = {
      homeFolder: home.folder,
      executable: executable.path,
      version: executable.version,
      namespace: EMBEDDED_NAMESPACE,
      searchAttributes: SEARCH_ATTRIBUTES,
      extraServerArguments: [...extraServerArguments],
    };
    onMessage(`starting Temporal ${order.version}`);
    const script = fileURLToPath(new URL(`./supervisor${extname(import.meta.url)}`, import.meta.url));
    serverLogFrom = endOfLog(serverLog);
    const log = openSync(join(home.logs, SUPERVISOR_LOG), 'a', 0o600);
    // A separate process group and session: Ctrl-C in the terminal is for the command, not for the server that others may use.
    const child = spawn(process.execPath, [script, JSON.stringify(order)], {
      detached: true,
      stdio: ['ignore', log, log],
      cwd: home.folder,
      env: withoutSecrets(settings.env),
    });
    closeSync(log);
    child.once('exit', (code) => (running.exitCode = code ?? 1));
    child.once('error', () => (running.exitCode = 1));
    child.unref();
  }

  function startFailure(reason: string, remedy?: string): FilinglakeError {
    const lines = whatWentWrong(serverLog, serverLogFrom).map((line) => `\n       ${line}`);
    return new FilinglakeError('temporal-missing', `Temporal could not be started: ${reason}`, {
      remedy:
        remedy ??
        `Run \`filinglake doctor\` to see whether the disk has room. The log of Temporal is ${serverLog}${lines.join('')}`,
    });
  }

  return { untilRunning, startIfGone };
}

/** Keys are for workers only, and the server lives longer than the command that started it. */
function withoutSecrets(env: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  const { FILINGLAKE_API_KEY: _key, TEMPORAL_API_KEY: _temporalKey, NODE_OPTIONS: _options, ...rest } = env;
  return Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('AWS_')));
}

/** A command that leaves no time for another one leaves no server running that only it used. */
async function untilEndedIfLast(home: Home): Promise<void> {
  const deadline = Date.now() + END_TIMEOUT_MS;
  while (Date.now() < deadline && !isWanted(home.leases)) {
    const state = readTemporalState(home.temporalState);
    if (!state) return;
    if (!isAlive(state.supervisor)) {
      // Its supervisor was killed and nobody is left to start another.
      if (state.server && isAlive(state.server)) process.kill(state.server.pid, 'SIGTERM');
      else return;
    }
    await pause(POLL_MS);
  }
}

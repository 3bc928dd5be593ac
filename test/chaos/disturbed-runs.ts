/**
 * Exports that are disturbed at random: workers, Temporal servers, services and commands killed, answers spoilt, the disk full once, the workflow
 * reset, Temporal's database or the lake put back, the lake removed, puts that say "was there" although they were applied.
 * Each ends when an export ends with exit code 0; what it left must be the lake of an undisturbed one, row for row.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { Accounts, ingest } from '../../src/catalog/index.ts';
import { openLake } from '../../src/lake/index.ts';
import { openHome } from '../../src/runtime/home.ts';
import { readTemporalState } from '../../src/runtime/temporal-state.ts';
import { sampleSubmissions } from '../../src/sample/index.ts';
import { Random } from '../../src/sample/random.ts';
import { CHECKOUT, type Command, contentsOf, runCommand, TEST_PLANS } from '../given/road.ts';
import { FAULTS, FaultyProxy } from './faulty-proxy.ts';
import { mountSmallDisk } from './small-disk.ts';
import {
  KILLED,
  putTemporalBack,
  removeLake,
  resetByChance,
  restoreLake,
  TURNED_BACK,
  tryKill,
  type Victim,
  type Victims,
} from './strikes.ts';

const CONNECTIONS = 4;
const FAULT_SHARE = 0.05;
/** Commands that one run may take: more means that it gets nowhere. */
const COMMANDS_MAX = 25;
const DISK_MEGABYTES = 400;
const DISK_FULL_MS = 2_500;

/** A run that takes longer is stuck: what is left of it is killed, and it counts as not whole. */
const RUN_MS_MAX = 360_000;
const LAST_MOMENT_MS = 1_000;
const TURN_BACK = {
  reset: resetByChance,
  'temporal-put-back': putTemporalBack,
  'lake-removed': removeLake,
  'lake-restored': restoreLake,
} satisfies Record<(typeof TURNED_BACK)[number], (victims: Victims, random: Random) => boolean | Promise<boolean>>;
/** Of runs: their puts are ambiguous. */
const AMBIGUOUS_SHARE = 0.5;
const AMBIGUOUS_PUTS = `--import ${pathToFileURL(join(import.meta.dirname, 'ambiguous-puts.ts')).href}`;

export interface DisturbedRun {
  seed: number;
  /** What was done to it, in order. */
  disturbances: Victim[];
  /** Of those: what had no effect, since there was no run to be reset or no lake to be removed at that moment. */
  missed: Victim[];
  /** Whether some puts of the lake said "was there" although they were applied. */
  ambiguous: boolean;
  faults: number;
  requests: number;
  /** Commands until one ended with 0, and what they ended with. */
  exit_codes: (number | null)[];
  seconds: number;
  /** Tables whose rows differ from those of an undisturbed run; empty: none. */
  different: string[];
  /** What `lake check` found. */
  problems: string[];
}

export class Chaos {
  readonly folder: string;
  /** Requests of the undisturbed run. */
  undisturbedRequests = 0;
  #undisturbed: Record<string, unknown[]> = {};
  readonly #apiKey: string;
  readonly #service: KillableService;

  private constructor(folder: string, apiKey: string, service: KillableService) {
    this.folder = folder;
    this.#apiKey = apiKey;
    this.#service = service;
  }

  /** Ingests sample filings, and runs one export that nothing disturbs. */
  static async prepare(filings: number): Promise<Chaos> {
    const folder = mkdtempSync(join(tmpdir(), 'filinglake-chaos-'));
    const corpus = join(folder, 'corpus');
    for (const { path, bytes } of sampleSubmissions({ filings, seed: 11 })) {
      mkdirSync(dirname(join(corpus, path)), { recursive: true });
      writeFileSync(join(corpus, path), bytes);
    }
    const catalog = join(folder, 'catalog');
    await ingest([corpus], catalog, { threads: 0 });
    const accounts = Accounts.open(catalog, TEST_PLANS);
    const apiKey = accounts.createKey('unlimited').api_key;
    accounts.close();
    const chaos = new Chaos(folder, apiKey, await KillableService.start(catalog));
    const calm = await chaos.#run(0, []);
    if (calm.exit_codes.join() !== '0') throw new Error(`the undisturbed export ended with ${calm.exit_codes.join()}`);
    chaos.undisturbedRequests = calm.requests;
    return chaos;
  }

  /** One export, disturbed as the seed says. */
  disturb(seed: number): Promise<DisturbedRun> {
    const random = new Random('chaos', seed);
    const one = <T>(of: readonly T[]): T => of[random.int(0, of.length - 1)]!;
    const disturbances: Victim[] = Array.from({ length: random.int(1, 3) }, () => one(KILLED));
    for (const victim of ['disk', one(TURNED_BACK)] as const)
      disturbances.splice(random.int(0, disturbances.length), 0, victim);
    return this.#run(seed, disturbances, random.unit() < AMBIGUOUS_SHARE);
  }

  async #run(seed: number, wanted: readonly Victim[], ambiguous = false): Promise<DisturbedRun> {
    const random = new Random('moments', seed);
    const startedAt = performance.now();
    const proxy = await FaultyProxy.start(this.#service.port, random);
    const isDisturbed = wanted.length > 0;
    if (isDisturbed) Object.assign(proxy, { share: FAULT_SHARE, delayMs: 10 });
    const home = join(this.folder, `home-${seed}`);
    const disk = join(this.folder, `disk-${seed}`);
    mkdirSync(disk);
    const smallDisk = isDisturbed ? mountSmallDisk(disk, DISK_MEGABYTES) : null;
    const lake = join(disk, 'lake');
    const env = {
      FILINGLAKE_HOME: home,
      FILINGLAKE_API_KEY: this.#apiKey,
      ...(ambiguous ? { NODE_OPTIONS: AMBIGUOUS_PUTS } : {}),
    };
    const definition = join(this.folder, `run-${seed}.yaml`);
    writeFileSync(
      definition,
      `name: run-${seed}
service: { base_url: ${proxy.url}, connections: ${CONNECTIONS}, page_size: 200 }
select: {}
tables: [entities, filings, parties, documents, sections, section_contents, items_8k, exhibits_8k, document_contents]
`,
    );
    let command: Command | null = null;
    let worker: Command | null = null;
    let lakeStruckAt = Number.NEGATIVE_INFINITY;
    const killTemporal = () => {
      const server = readTemporalState(openHome(home).temporalState)?.server;
      if (server) tryKill(server.pid);
    };
    const victims: Victims = {
      ...{ home, lake, workflowId: `export/run-${seed}` },
      worker: () => worker,
      command: () => command,
    };
    const strike = async (victim: Victim) => {
      const turnBack = TURN_BACK[victim as keyof typeof TURN_BACK];
      if (turnBack && !(await turnBack(victims, random))) missed.push(victim);
      else if (victim.startsWith('lake-')) lakeStruckAt = performance.now();
      if (victim === 'worker' || victim === 'all') worker?.process.kill('SIGKILL');
      if (victim === 'temporal' || victim === 'all') killTemporal();
      if (victim === 'service' || victim === 'all') await this.#service.kill();
      if (victim === 'command') command?.process.kill('SIGKILL');
      if (victim === 'disk' && smallDisk) {
        smallDisk.fill();
        await sleep(DISK_FULL_MS);
        smallDisk.empty();
      }
      // It comes back after a moment, as a supervised one does.
      if (!this.#service.isRunning) await this.#service.restart();
    };
    // Struck at requests, so that a slow machine is struck as often as a fast one.
    const moments = wanted.map(() => random.int(2, Math.max(3, this.undisturbedRequests - 2))).sort((a, b) => a - b);
    const played: Victim[] = [];
    const missed: Victim[] = [];
    let striking: Promise<void> = Promise.resolve();
    proxy.onRequest = (n) => {
      if (played.length >= wanted.length || n < moments[played.length]!) return;
      const next = wanted[played.length]!;
      // Where nothing may be mounted a worker dies in place of the disk.
      const victim = next === 'disk' && !smallDisk ? 'worker' : next;
      played.push(victim);
      striking = striking
        .then(() => strike(victim))
        .catch((error: unknown) => {
          process.stderr.write(`seed ${seed}, ${victim}: ${String(error)}\n`);
        });
    };
    const isLate = () => performance.now() - startedAt > RUN_MS_MAX;

    const exit_codes: (number | null)[] = [];
    let isDone = false;
    while (!isDone && exit_codes.length < COMMANDS_MAX && !isLate()) {
      if (worker === null || worker.process.exitCode !== null || worker.process.signalCode !== null) {
        worker = runCommand(['worker', '--json'], env);
      }
      command = runCommand(['export', definition, '--lake', lake, '--json'], env);
      const { ended, process: running } = command;
      const timer = setTimeout(() => running.kill('SIGKILL'), RUN_MS_MAX - (performance.now() - startedAt));
      exit_codes.push(await ended);
      const endedAt = performance.now();
      clearTimeout(timer);
      // What is put back must be there before anything is started on it.
      await striking;
      // A command can't know of a lake that is taken away when it is about to end.
      isDone = exit_codes.at(-1) === 0 && lakeStruckAt < endedAt - LAST_MOMENT_MS;
    }
    worker?.process.kill(isLate() ? 'SIGKILL' : 'SIGTERM');
    await worker?.ended;
    await proxy.close();

    const contents = { ...(await contentsOf(lake)), export_windows: [] };
    if (!isDisturbed) this.#undisturbed = contents;
    const different = Object.keys(this.#undisturbed).filter(
      (table) => !isDeepStrictEqual((contents as Record<string, unknown[]>)[table], this.#undisturbed[table]),
    );
    const open = await openLake(lake);
    const { problems } = await open.check();
    await open.close();
    smallDisk?.remove();
    rmSync(disk, { recursive: true, force: true });
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    return {
      seed,
      disturbances: played,
      missed,
      ambiguous,
      faults: FAULTS.reduce((sum, fault) => sum + proxy.faults[fault], 0),
      requests: proxy.requests,
      exit_codes,
      seconds: (performance.now() - startedAt) / 1000,
      different,
      problems: problems.map(({ message }) => message),
    };
  }

  async close(): Promise<void> {
    await this.#service.kill();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** `filinglake serve` as a process of its own, on one port whatever happens to it. */
class KillableService {
  port = 0;
  isRunning = false;
  readonly #catalog: string;
  #process: ReturnType<typeof spawn> | null = null;

  private constructor(catalog: string) {
    this.#catalog = catalog;
  }

  static async start(catalog: string): Promise<KillableService> {
    const service = new KillableService(catalog);
    await service.restart();
    return service;
  }

  async restart(): Promise<void> {
    const args = ['serve', '--catalog', this.#catalog, '--port', String(this.port), '--strict-port', '--json'];
    const child = spawn(process.execPath, [join(CHECKOUT, 'src/cli/main.ts'), ...args], {
      cwd: CHECKOUT,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.#process = child;
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    this.port = (JSON.parse(line.toString()) as { port: number }).port;
    this.isRunning = true;
  }

  async kill(): Promise<void> {
    const child = this.#process;
    this.isRunning = false;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'close');
  }
}

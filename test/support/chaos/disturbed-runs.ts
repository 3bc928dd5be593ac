/**
 * Exports that are disturbed at random. Workers, Temporal servers, services and commands are killed, answers damaged, the disk is
 * full once. The workflow is reset, Temporal's database or the lake restored, the lake deleted or replaced. Puts report "exists"
 * although they were applied. Documents have 200 MB, records and headers odd values.
 * Each ends when an export exits with code 0, or with 3 if all failures are of the large document or of odd values. Its lake must
 * equal the lake of an undisturbed one, row for row.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { Random } from '../../../src/cli/sample/companies/random.ts';
import { sampleSubmissions } from '../../../src/cli/sample/index.ts';
import { openHome } from '../../../src/core/environment/state-folder.ts';
import { readTemporalState } from '../../../src/export/runtime/temporal/state.ts';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { checkLake } from '../../../src/lake/report/index.ts';
import { KeyRegister } from '../../../src/service/accounts/index.ts';
import { ingest } from '../../../src/service/catalog/index.ts';
import { type S3Stub, startS3Stub } from '../lake/s3-stub.ts';
import { type Command, contentsOf, runCommand, TEST_PLANS } from '../test-stack.ts';
import { AnswersChanged, type Contents, type LargeDocument } from './answers-changed.ts';
import { FAULTS, FaultyProxy } from './faulty-proxy.ts';
import { KillableService } from './killable-service.ts';
import { mountSmallDisk } from './small-disk.ts';
import {
  KILLED,
  putTemporalBack,
  removeLake,
  replaceLake,
  resetByChance,
  restoreLake,
  TURNED_BACK,
  tryKill,
  type Victim,
  type Victims,
} from './strikes.ts';

const CONNECTIONS = 4;
const FAULT_SHARE = 0.05;
/** Of requests to a bucket: an answer is lost, a connection cut, or the store is overloaded. */
const STORE_FAULT_SHARE = 0.05;
const STORE_FAULTS = ['lose', 'cut', 500, 503] as const;
/** What is done to a folder is not done to a bucket. */
const BUCKET_TURNED_BACK = ['reset', 'temporal-put-back'] as const;
/** Commands that one run may take: more means that it gets nowhere. */
const COMMANDS_MAX = 25;
const DISK_MEGABYTES = 400;
/** A large document is staged, built and rewritten, and attempts that were killed leave theirs for a while. */
const LARGE_DISK_MEGABYTES = 2_000;
const DISK_FULL_MS = 2_500;
/** Of runs: one document is large. Beyond 256 MiB an answer is longer than the client takes. */
const LARGE_SHARE = 0.15;
const LARGE_MEGABYTES = [180, 200, 220, 280] as const;
/** Of runs: some filings have odd values. */
const ODD_SHARE = 0.3;
const ODD_FILINGS = 4;

/**
 * A run that takes longer is killed, and counts as late and incomplete. A machine with other work takes several times as long as a
 * calm one.
 */
const RUN_MS_MAX = 900_000;
const LAST_MOMENT_MS = 1_000;
const TURN_BACK = {
  reset: resetByChance,
  'temporal-put-back': putTemporalBack,
  'lake-removed': removeLake,
  'lake-restored': restoreLake,
  'lake-replaced': replaceLake,
} satisfies Record<(typeof TURNED_BACK)[number], (victims: Victims, random: Random) => boolean | Promise<boolean>>;
/** Of runs: their puts are ambiguous. */
const AMBIGUOUS_SHARE = 0.5;
const AMBIGUOUS_PUTS = `--import ${pathToFileURL(join(import.meta.dirname, 'ambiguous-puts.ts')).href}`;

/** `replaced`: the lake that took the place of the run's has the document as it was before, for the same record. */
type LargeState = 'stored' | 'replaced' | 'recorded' | 'missing' | 'wrong';

export interface DisturbedRun {
  seed: number;
  /** It ended well, and left the lake of an undisturbed run. */
  whole: boolean;
  /** What was done to it, in order. */
  disturbances: Victim[];
  /** Of those: strikes without effect, since there was no run to reset or no lake to delete at that moment. */
  missed: Victim[];
  /** Whether some puts of the lake reported "exists" although they were applied. */
  ambiguous: boolean;
  /** Of the document that the service made large, and whether it is in the lake or a failure tells why not. */
  large: { bytes: number; is: LargeState } | null;
  /** Operations in whose answers odd values were, one for each filing. */
  odd: string[];
  /** Whether it took longer than a run may. */
  late: boolean;
  faults: number;
  requests: number;
  /** Commands until one exited with 0, and their exit codes. */
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
  #undisturbed: Contents = {};
  #otherLake: string | null = null;
  readonly #apiKey: string;
  readonly #service: KillableService;
  /** The lakes lie in its bucket; null: on disk. */
  readonly #store: S3Stub | null;
  /** Beside that of the command: with one, a run has two fetchers. */
  readonly #workers: number;

  private constructor(folder: string, apiKey: string, service: KillableService, store: S3Stub | null, workers: number) {
    this.#store = store;
    this.#workers = workers;
    this.folder = folder;
    this.#apiKey = apiKey;
    this.#service = service;
  }

  /** Ingests sample filings, and runs one export that nothing disturbs. */
  static async prepare(filings: number, { bucket = false, workers = 1 } = {}): Promise<Chaos> {
    const folder = mkdtempSync(join(tmpdir(), 'filinglake-chaos-'));
    const corpus = join(folder, 'corpus');
    for (const { path, bytes } of sampleSubmissions({ filings, seed: 11 })) {
      mkdirSync(dirname(join(corpus, path)), { recursive: true });
      writeFileSync(join(corpus, path), bytes);
    }
    const catalog = join(folder, 'catalog');
    await ingest([corpus], catalog, { threads: 0 });
    const accounts = KeyRegister.open(catalog, TEST_PLANS);
    const apiKey = accounts.createKey('unlimited').api_key;
    accounts.close();
    const service = await KillableService.start(catalog);
    const chaos = new Chaos(folder, apiKey, service, bucket ? await startS3Stub() : null, workers);
    if (chaos.#store) Object.assign(process.env, chaos.#store.env(join(folder, 'copies')));
    const calm = await chaos.#calmRun('undisturbed', '{}');
    chaos.undisturbedRequests = calm.requests;
    chaos.#undisturbed = await withoutRuns(calm.lake);
    return chaos;
  }

  /** An export that nothing disturbs. */
  async #calmRun(name: string, select: string): Promise<{ lake: string; requests: number }> {
    const proxy = await FaultyProxy.start(this.#service.port, new Random(name));
    const lake = join(this.folder, name);
    const definition = this.#definition(name, proxy.url, select);
    const env = { FILINGLAKE_HOME: join(this.folder, `home-${name}`), FILINGLAKE_API_KEY: this.#apiKey };
    const { ended, stderr } = runCommand(['export', definition, '--lake', lake, '--json'], env);
    const code = await ended;
    await proxy.close();
    if (code !== 0) throw new Error(`the undisturbed export ended with ${code}: ${stderr()}`);
    return { lake, requests: proxy.requests };
  }

  #definition(name: string, url: string, select: string): string {
    const file = join(this.folder, `${name}.yaml`);
    writeFileSync(
      file,
      `name: ${name}
service: { base_url: ${url}, connections: ${CONNECTIONS}, page_size: 200 }
select: ${select}
tables: [entities, filings, parties, documents, sections, section_contents, items_8k, exhibits_8k, document_contents]
`,
    );
    return file;
  }

  /** A lake of the older half of the filings, as another export has made it. */
  async #makeOtherLake(): Promise<void> {
    const days = (this.#undisturbed.filings as { filing_date: string }[]).map((row) => String(row.filing_date)).sort();
    const half = days[Math.floor(days.length / 2)]!;
    this.#otherLake = (await this.#calmRun('other', `{ date_to: ${half} }`)).lake;
  }

  /** One export, disturbed according to the seed. */
  async disturb(seed: number): Promise<DisturbedRun> {
    const random = new Random('chaos', seed);
    const one = <T>(of: readonly T[]): T => of[random.int(0, of.length - 1)]!;
    const disturbances: Victim[] = Array.from({ length: random.int(1, 3) }, () => one(KILLED));
    for (const victim of ['disk', this.#store ? one(BUCKET_TURNED_BACK) : one(TURNED_BACK)] as const)
      disturbances.splice(random.int(0, disturbances.length), 0, victim);
    if (disturbances.includes('lake-replaced') && this.#otherLake === null) await this.#makeOtherLake();
    const isAmbiguous = random.unit() < AMBIGUOUS_SHARE;
    const megabytes = random.chance(LARGE_SHARE) ? random.pick(LARGE_MEGABYTES) : null;
    const odd = random.chance(ODD_SHARE) ? ODD_FILINGS : 0;
    const changed = new AnswersChanged(this.#undisturbed, random, { megabytes, odd });
    return this.#run(seed, disturbances, isAmbiguous, changed);
  }

  async #run(
    seed: number,
    wanted: readonly Victim[],
    ambiguous: boolean,
    changed: AnswersChanged,
  ): Promise<DisturbedRun> {
    const random = new Random('moments', seed);
    const startedAt = performance.now();
    const proxy = await FaultyProxy.start(this.#service.port, random);
    Object.assign(proxy, { share: FAULT_SHARE, delayMs: 10, changed });
    const home = join(this.folder, `home-${seed}`);
    const disk = join(this.folder, `disk-${seed}`);
    mkdirSync(disk);
    const smallDisk = mountSmallDisk(disk, changed.large ? LARGE_DISK_MEGABYTES : DISK_MEGABYTES);
    // Of a lake in a bucket, the files that are being built are on the disk that fills.
    const store = this.#store;
    const lake = store ? `s3://soak/run-${seed}` : join(disk, 'lake');
    const atStore = new Random('store', seed);
    if (store) store.rule = () => (atStore.unit() < STORE_FAULT_SHARE ? atStore.pick(STORE_FAULTS) : null);
    const env = {
      FILINGLAKE_HOME: home,
      FILINGLAKE_API_KEY: this.#apiKey,
      ...(ambiguous ? { NODE_OPTIONS: AMBIGUOUS_PUTS } : {}),
      ...store?.env(disk),
    };
    const definition = this.#definition(`run-${seed}`, proxy.url, '{}');
    let command: Command | null = null;
    const workers: Command[] = [];
    // The next one struck: each in its turn.
    let struck = 0;
    const worker = () => workers[struck % this.#workers] ?? null;
    let lakeStruckAt = Number.NEGATIVE_INFINITY;
    const killTemporal = () => {
      const server = readTemporalState(openHome(home).temporalState)?.server;
      if (server) tryKill(server.pid);
    };
    const victims: Victims = {
      home,
      lake,
      otherLake: this.#otherLake,
      workflowId: `export/run-${seed}`,
      worker,
      workers: () => workers,
      command: () => command,
    };
    const strike = async (victim: Victim) => {
      const turnBack = TURN_BACK[victim as keyof typeof TURN_BACK];
      if (turnBack && !(await turnBack(victims, random))) missed.push(victim);
      else if (victim.startsWith('lake-')) lakeStruckAt = performance.now();
      if (victim === 'worker') worker()?.process.kill('SIGKILL');
      if (victim === 'all') for (const one of workers) one.process.kill('SIGKILL');
      if (victim === 'worker') struck++;
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
      // If nothing may be mounted, a worker dies in place of the disk.
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
      for (let n = 0; n < this.#workers; n++) {
        const { exitCode = 0, signalCode = null } = workers[n]?.process ?? {};
        if (exitCode !== null || signalCode !== null) workers[n] = runCommand(['worker', '--json'], env);
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
      const isSettled = lakeStruckAt < endedAt - LAST_MOMENT_MS;
      // Each export retries the failures, and exits with 3 again: odd values stay odd.
      const isOdd =
        exit_codes.at(-1) === 3 && !changed.isEmpty && (await this.#differences(lake, changed)).length === 0;
      isDone = isSettled && (exit_codes.at(-1) === 0 || isOdd);
    }
    const late = !isDone && isLate();
    for (const one of workers) one.process.kill(isLate() ? 'SIGKILL' : 'SIGTERM');
    await Promise.all(workers.map(({ ended }) => ended));
    await proxy.close();

    if (store) store.rule = () => null;
    const different = await this.#differences(lake, changed);
    const open = await openLake(lake);
    const { problems } = await checkLake(open);
    const large = changed.large && { bytes: changed.large.bytes, is: await this.#stateOf(open, changed.large, played) };
    await open.close();
    smallDisk?.remove();
    rmSync(disk, { recursive: true, force: true });
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    const isLargeKnown = large === null || ['stored', 'replaced', 'recorded'].includes(large.is);
    return {
      seed,
      whole: isDone && different.length === 0 && problems.length === 0 && isLargeKnown,
      disturbances: played,
      missed,
      ambiguous,
      large,
      odd: changed.oddities.map(({ operation }) => operation),
      late,
      faults: FAULTS.reduce((sum, fault) => sum + proxy.faults[fault], 0),
      requests: proxy.requests,
      exit_codes,
      seconds: (performance.now() - startedAt) / 1000,
      different,
      problems: problems.map(({ message }) => message),
    };
  }

  /** Tables whose rows are not those of the undisturbed lake, but for those that may differ. */
  async #differences(lake: string, changed: AnswersChanged): Promise<string[]> {
    const contents: Contents = await withoutRuns(lake, changed.large?.document_id);
    const settled = (of: Contents, table: string) => (of[table] ?? []).filter((row) => !changed.mayDiffer(table, row));
    return Object.keys(this.#undisturbed).filter(
      (table) => !isDeepStrictEqual(settled(contents, table), settled(this.#undisturbed, table)),
    );
  }

  /** Whether a large document is in the lake, whole, or a failure explains its absence. */
  async #stateOf(lake: Lake, { document_id, sha256 }: LargeDocument, played: readonly Victim[]): Promise<LargeState> {
    const where = `WHERE document_id = '${document_id}'`;
    const hashOf = async (of: Lake) =>
      (await of.query(`SELECT sha256(content) AS sha256 FROM document_contents ${where}`))[0]?.sha256;
    const stored = await hashOf(lake);
    if (stored === sha256) return 'stored';
    if (stored !== undefined && played.includes('lake-replaced')) {
      const other = await openLake(this.#otherLake!);
      const isOfOther = (await hashOf(other)) === stored;
      await other.close();
      if (isOfOther) return 'replaced';
    }
    if (stored !== undefined) return 'wrong';
    const failures = await lake.query(`SELECT code FROM export_failures ${where}`);
    return failures.length > 0 ? 'recorded' : 'missing';
  }

  async close(): Promise<void> {
    await this.#service.kill();
    await this.#store?.stop();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** @param without a document whose content is left out */
async function withoutRuns(lake: string, without?: string): Promise<Contents> {
  return { ...(await contentsOf(lake, without)), export_windows: [] };
}

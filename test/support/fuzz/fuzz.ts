/** Plays a scenario: runs of exports against a service that changes, then the comparison with fresh lakes. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { parseExportDefinition } from '../../../src/export/definition/parse.ts';
import { type ExportDefinition, withListsRead } from '../../../src/export/index.ts';
import { readListFile } from '../../../src/export/pipeline/index.ts';
import { openLakeIfThere } from '../../../src/lake/index.ts';
import { repairLake } from '../../../src/lake/report/index.ts';
import { type Fault, FuzzService, hasCoRegistrant } from './fuzz-service.ts';
import {
  type Case,
  type Contents,
  contentsOfLake,
  type Difference,
  differencesFromFresh,
  differencesFromService,
  differencesOfDelta,
  invented,
  isExplained,
  isForbidden,
  told,
  unlisted,
  unmarked,
  vanished,
} from './judge.ts';
import { asksForInfo, selected } from './rows-of-service.ts';
import { type Ended, runAlone } from './run-alone.ts';
import type { TemporalRuns } from './run-on-temporal.ts';
import type { Choice, Scenario, Step } from './scenario.ts';
import type { Tolerance } from './tolerated.ts';
import { realNow, setTime, skipTime } from './without-temporal.ts';
import { numberOf, World } from './world.ts';

export interface Problem {
  /** Number of the step, from 0; `end`: at the comparison with fresh lakes */
  step: number | 'end';
  kind: 'error' | 'check' | 'rows' | 'requests' | 'alarm' | 'stale' | 'failures';
  message: string;
}

export interface Played {
  problems: Problem[];
  /** Exit codes, in order. */
  exits: number[];
  killed: number;
  requests: number;
  tolerated: string[];
  /** Of runs that failed: the service was broken, or the lake refused the definition. */
  errors: string[];
  seconds: number;
  /** Without those of a worker's process. */
  cpu_seconds: number;
}

type HowToRun = Pick<Step & { do: 'run' }, 'kills' | 'history' | 'batchMs' | 'fetchers' | 'workers'> & {
  only?: 'failures';
};

const CALM: HowToRun = { kills: [], history: null, batchMs: 7_000, fetchers: 1, workers: 1 };
const DAY_MS = 86_400_000;
const NOON_MS = 12 * 3_600_000;
const BESIDE_AT = 3;
/** Of one kind in one place. */
const TOLD_MAX = 6;

/** @param temporal for scenarios that run on it; null: none is available, and they run in this process */
export async function play(scenario: Scenario, temporal: TemporalRuns | null): Promise<Played> {
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'filinglake-fuzz-'));
  setTime(scenario.on_temporal ? null : Date.parse(scenario.today) + NOON_MS);
  const isForeign = scenario.dialect.annual_20f !== null;
  const world = new World(scenario.seed, scenario.filings, scenario.today, isForeign);
  const service = await FuzzService.start(world, scenario.dialect);
  const game = new Game(scenario, world, service, { folder, temporal: scenario.on_temporal ? temporal : null });
  try {
    await game.play();
  } finally {
    await service[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  const { problems, exits, killed, requests, errors } = game;
  const tolerated = [...game.used].map(({ change, reason }) => `${change}: ${reason}`);
  const { user, system } = process.cpuUsage(cpuBefore);
  const seconds = (performance.now() - startedAt) / 1000;
  return { problems, exits, killed, requests, tolerated, errors, seconds, cpu_seconds: (user + system) / 1e6 };
}

class Game {
  readonly problems: Problem[] = [];
  readonly exits: number[] = [];
  readonly errors: string[] = [];
  readonly used = new Set<Tolerance>();
  killed = 0;
  requests = 0;
  readonly #scenario: Scenario;
  readonly #world: World;
  readonly #service: FuzzService;
  readonly #folder: string;
  readonly #temporal: TemporalRuns | null;
  readonly #lake: string;
  /** Choices in the order of their last run. */
  #chosen: Choice[] = [];
  readonly #abandoned: Choice[] = [];
  #runs = 0;

  constructor(
    scenario: Scenario,
    world: World,
    service: FuzzService,
    { folder, temporal }: { folder: string; temporal: TemporalRuns | null },
  ) {
    this.#scenario = scenario;
    this.#world = world;
    this.#service = service;
    this.#folder = folder;
    this.#temporal = temporal;
    this.#lake = join(folder, 'lake');
  }

  async play(): Promise<void> {
    for (const [i, step] of this.#scenario.steps.entries()) {
      if (step.do === 'change') this.#world.make(step.change, new Date());
      else if (step.do === 'wait') skipTime(step.days * DAY_MS);
      else if (step.do === 'run') await this.#run(step, i);
      else if (step.do === 'retry') await this.#retry(step, i);
      else await this.#upkeep(step.do, Date.now());
    }
    await this.#end();
  }

  async #run(step: Step & { do: 'run' }, at: number): Promise<void> {
    const choice = withRefresh(this.#scenario.choices[step.choice]!, step.refresh);
    const other = { ...this.#scenario.choices[step.other]!, name: 'beside' };
    const before = new Set(selected(this.#world, choice, new Date()));
    const faults = step.faults.filter((fault) =>
      this.#isTellable(fault, step.beside === 'export' ? [choice, other] : [choice]),
    );
    const during = [...step.during];
    const besides: Promise<unknown>[] = [];
    let ofOther: Ended | null = null;
    this.#service.begin(faults, (request) => {
      for (const one of during) if (one.request === request) this.#world.make(one.change, new Date());
      if (this.#temporal && step.kills.some(({ operation }) => operation === request)) this.#temporal.killWorker();
      if (request !== BESIDE_AT || step.beside === null || besides.length > 0) return;
      const { beside } = step;
      const run = async () => {
        ofOther = await this.#export(other, this.#lake, step);
      };
      // Of the file system's time: the files of this run must look as new as they are.
      besides.push(beside === 'export' ? run() : this.#upkeep(beside, realNow()));
    });
    const ended = await this.#export(choice, this.#lake, step);
    await Promise.all(besides);
    if (!isRefused(ended)) this.#note(choice);
    if (ended.error === null && choice.select.accession_numbers === undefined)
      for (const { n } of selected(this.#world, choice, new Date())) this.#world.read.add(n);
    if (ofOther !== null && !isRefused(ofOther)) this.#note(other);
    this.requests += this.#service.asked.length;
    const refused = new Set(
      step.faults
        .flatMap((fault) => (fault.fault === 'refuse' ? [fault.n] : []))
        .concat(
          this.#service.asked
            .filter((one) => one.refused !== null && one.subject !== '')
            .map((one) => numberOf(one.subject.slice(0, 20))),
        ),
    );
    for (const { operation, subject, refused: how } of this.#service.asked) {
      if (operation === 'filing_sections' && how === 404)
        this.#world.make({ change: 'stray-404', n: numberOf(subject), salt: 0 }, new Date());
    }
    // Two records of one key may be of two filers: then the page is whole, and a failure names the key,
    // perhaps since an earlier run. Of a filing that has two
    // records the other one may be left: its row has the other filer.
    const isNamed = ended.exit !== 0 || (ended.result?.finished.known_failures ?? 0) > 0;
    for (const fault of step.faults)
      if (fault.fault === 'repeat' && isNamed && (fault.other || this.#hasTwoRecords(fault.instead)))
        refused.add(fault.instead);
    const isCalm = step.faults.length === 0 && during.length === 0;
    const of = this.#case([choice], refused);
    const byName = { ...of, refused: new Set(refused) };
    if (during.length > 0) for (const { change } of during) refused.add(change.n);
    const isAlone = step.beside !== 'export';
    const contents = await this.#judge(ended, of, { at, isCalm, isAlone, isStill: during.length === 0 });
    if (contents === null) return;
    // What is only moved while pages are read is in the selection before, meanwhile and after.
    const isMovedOnly = during.every(({ change: { change } }) => change.startsWith('date'));
    if (isMovedOnly && this.#scenario.dialect.count === 'all' && ended.result!.progress.windows_unproven === 0)
      this.#tell(at, 'rows', unlisted(contents, byName, before));
    if (isAlone) this.#tell(at, 'requests', this.#miscounted(contents, ended));
  }

  /** As the command does: nothing is run without failures. The definition is that of the last run. */
  async #retry(step: Step & { do: 'retry' }, at: number): Promise<void> {
    const { name } = this.#scenario.choices[step.choice]!;
    const choice = this.#chosen.findLast((one) => one.name === name);
    if (choice === undefined) return;
    const ofExport = ({ failures }: Contents) => failures.filter((failure) => failure.export === name);
    const before = ofExport(await contentsOfLake(this.#lake, false));
    if (before.length === 0) return;
    this.#service.begin([], () => {});
    const ended = await this.#export(choice, this.#lake, { ...CALM, only: 'failures' });
    this.requests += this.#service.asked.length;
    if (ended.error !== null) {
      if (!isRefused(ended)) this.#tell(at, 'error', [ended.error]);
      return;
    }
    const contents = await contentsOfLake(this.#lake, true);
    this.#tell(at, 'check', contents.problems);
    const after = ofExport(contents);
    this.#tell(at, 'failures', vanished(before, after, this.#service.asked));
    if (ended.result!.finished.failures !== after.length)
      this.#tell(at, 'failures', [
        `the retry counts ${ended.result!.finished.failures} failures, and the lake has ${after.length}`,
      ]);
    this.#tell(at, 'requests', this.#miscounted(contents, ended));
  }

  /** A run that no other one runs beside sends what it counts. A worker that dies may have sent more. */
  #miscounted({ runs }: Contents, ended: Ended): string[] {
    if (ended.killed > 0 || this.#scenario.on_temporal) return [];
    const sent = this.#service.received;
    const counted = { 'the run': ended.result!.progress.requests, export_runs: runs.at(-1)?.requests };
    return Object.entries(counted).flatMap(([where, count]) =>
      Number(count) === sent ? [] : [`${where} counts ${String(count)} requests, and ${sent} were sent`],
    );
  }

  /** Whether an export can tell that a text is cut: something that it reads states the size, or the answer says so. */
  #isTellable(fault: Fault, choices: readonly Choice[]): boolean {
    const filing = this.#world.filings.get(fault.n);
    if (fault.fault !== 'cut' || fault.how === 'told' || filing === undefined) return true;
    const { measures, sizes } = this.#scenario.dialect;
    return measures !== 'none' || (sizes && choices.every((choice) => asksForInfo(filing, choice)));
  }

  /** @returns null after a run that failed */
  async #judge(
    ended: Ended,
    of: Case,
    { at, isCalm, isAlone, isStill }: { at: number | 'end'; isCalm: boolean; isAlone: boolean; isStill: boolean },
  ): Promise<Contents | null> {
    if (ended.error !== null) {
      if (isRefused(ended)) return null;
      if (isCalm || /error-unexpected|endless|Error:/.test(ended.error)) this.#tell(at, 'error', [ended.error]);
      return null;
    }
    const contents = await contentsOfLake(this.#lake, at !== 'end');
    this.#tell(at, 'check', contents.problems);
    this.#tell(at, 'rows', invented(contents, this.#world));
    const { windows_unproven } = ended.result!.progress;
    if (ended.exit !== 0 && isCalm) {
      // The exit code is about failures of this export.
      const failures = contents.failures.filter((failure) => failure.export === of.choices[0]!.name);
      const odd = failures
        .filter((failure) => !isExplained(failure, of, windows_unproven === 0))
        .map((failure) => `${failure.subject}: ${failure.message}`);
      if (windows_unproven > 0 && !of.dialect.co_registrants) odd.push(`${windows_unproven} windows are not proven`);
      if (odd.length === 0 && failures.length === 0 && windows_unproven === 0) odd.push('exit 3 without a failure');
      this.#tell(at, 'alarm', odd);
    }
    if (isStill && (windows_unproven === 0 || ended.exit === 0))
      this.#tell(at, 'rows', differencesFromService(contents, of).map(told));
    if (isAlone && isStill) {
      const sent = this.#service.asked
        .filter(({ operation }) => operation === 'document')
        .map(({ subject }) => subject);
      const forbidden = [...new Set(sent)].filter((subject) => isForbidden(subject, of));
      this.#tell(
        at,
        'requests',
        forbidden.map((subject) => `document ${subject} is over max_bytes, and was requested`),
      );
    }
    return contents;
  }

  /** Every definition runs once more, without faults, into the lake and into a fresh one. */
  async #end(): Promise<void> {
    const fresh: Awaited<ReturnType<typeof contentsOfLake>>[] = [];
    if (this.#chosen.length === 0) return;
    this.#chosen = this.#chosen.map((choice) => withRefresh(choice, this.#scenario.refresh_at_end));
    let areProven = true;
    for (const choice of this.#chosen) {
      this.#service.begin([], () => {});
      const ended = await this.#export(choice, this.#lake, CALM);
      const of = this.#case([choice], new Set());
      this.requests += this.#service.asked.length;
      await this.#judge(ended, of, { at: 'end', isCalm: true, isAlone: true, isStill: true });
      if (isRefused(ended)) {
        this.#chosen = this.#chosen.filter((one) => one !== choice);
        this.#abandoned.push(choice);
      } else if (ended.error !== null) return;
      else areProven &&= ended.result!.progress.windows_unproven === 0;
    }
    for (const [i, choice] of this.#chosen.entries()) {
      const folder = join(this.#folder, `fresh-${i}`);
      this.#service.begin([], () => {});
      const ended = await this.#export(choice, folder, CALM);
      if (ended.error !== null) {
        this.#tell('end', 'error', [`a fresh lake: ${ended.error}`]);
        return;
      }
      fresh.push(await contentsOfLake(folder, false));
      rmSync(folder, { recursive: true, force: true });
    }
    const of = this.#case(this.#chosen, new Set());
    const lake = await contentsOfLake(this.#lake, true);
    this.#tell('end', 'check', lake.problems);
    const differences: Difference[] = differencesFromFresh(lake, fresh, of);
    this.#tell('end', 'stale', differences.map(told));
    if (areProven) this.#tell('end', 'stale', unmarked(lake, of));
    this.#tell('end', 'check', differencesOfDelta(this.#lake, lake));
  }

  async #export(choice: Choice, lake: string, step: HowToRun): Promise<Ended> {
    const { kills, only, history, batchMs, fetchers, workers } = step;
    const run_id = `run-${++this.#runs}`;
    const definition = { ...(await this.#definitionOf(choice, run_id)), lake };
    const options = { run_id, history, batchMs, fetchers, workers, only, kills: choice.name === 'beside' ? [] : kills };
    const isReal = this.#temporal !== null && lake === this.#lake;
    const ended = isReal
      ? await this.#temporal!.run(definition, lake, only)
      : await runAlone(definition, lake, options);
    this.exits.push(ended.exit);
    if (ended.error !== null) this.errors.push(ended.error);
    this.killed += ended.killed;
    return ended;
  }

  async #definitionOf({ service, listed, select, ...choice }: Choice, run_id: string): Promise<ExportDefinition> {
    const inFiles = listed ? inFile(select, join(this.#folder, `${run_id}.${listed}`)) : select;
    const yaml = stringify({ ...choice, select: inFiles, service: { ...service, base_url: this.#service.url } });
    const parsed = parseExportDefinition(yaml, 'fuzz.yaml', {}, { pathOf: (name) => name });
    return (await withListsRead(parsed, readListFile)).definition;
  }

  async #upkeep(what: 'compact' | 'repair' | 'vacuum', nowMs: number): Promise<void> {
    const lake = await openLakeIfThere(this.#lake, what === 'repair' ? { unmended: true } : {});
    if (lake === null) return;
    try {
      if (what === 'compact') await lake.compact();
      else if (what === 'vacuum') await lake.vacuum({ keepMs: 0, nowMs });
      else await repairLake(lake, { dryRun: false });
    } finally {
      await lake.close();
    }
  }

  #case(choices: readonly Choice[], refused: ReadonlySet<number>): Case {
    return {
      world: this.#world,
      dialect: this.#scenario.dialect,
      choices,
      abandoned: this.#abandoned,
      now: new Date(),
      refused,
      used: this.used,
    };
  }

  #hasTwoRecords(n: number): boolean {
    return hasCoRegistrant(this.#scenario.dialect, { n });
  }

  #note(choice: Choice): void {
    this.#chosen = [...this.#chosen.filter((one) => one !== choice), choice];
  }

  #tell(step: number | 'end', kind: Problem['kind'], messages: readonly string[]): void {
    for (const message of messages.slice(0, TOLD_MAX)) this.problems.push({ step, kind, message });
    if (messages.length > TOLD_MAX)
      this.problems.push({ step, kind, message: `and ${messages.length - TOLD_MAX} more` });
  }
}

function withRefresh(choice: Choice, isRefreshed: boolean): Choice {
  return isRefreshed ? { ...choice, refresh: 'all' } : choice;
}

/** The selection with its numbers or CIKs in a file. */
function inFile({ accession_numbers, entity_query, ...select }: Choice['select'], file: string): Choice['select'] {
  const isOfNumbers = accession_numbers !== undefined;
  const values = (isOfNumbers ? accession_numbers : (entity_query as { ciks: string[] }).ciks) as readonly string[];
  const head = file.endsWith('.csv') ? [isOfNumbers ? 'accession_number' : 'cik'] : ['# a list'];
  writeFileSync(file, [...head, ...values, ''].join('\n'));
  return { ...select, ...(isOfNumbers ? { accession_numbers: { file } } : { entity_query: { ciks: { file } } }) };
}

/** A definition that contradicts another one of the lake: nothing was done. */
function isRefused({ error }: Ended): boolean {
  return error?.startsWith('format-differs') ?? false;
}

/**
 * Leaves out steps, then parts of steps, as long as a problem of the same kind remains.
 * @param given.tries scenarios that are played at most
 */
export async function shrink(
  scenario: Scenario,
  given: { kind: Problem['kind']; tries: number; temporal: TemporalRuns | null },
): Promise<Scenario> {
  let small = scenario;
  const { kind, tries: most, temporal } = given;
  let tries = most;
  for (const smaller of [withoutSteps, withoutParts]) {
    for (let i = smaller(small).length - 1; i >= 0 && tries > 0; i--) {
      const candidate = smaller(small)[i];
      if (candidate === undefined) continue;
      tries--;
      const { problems } = await play(candidate, temporal);
      if (problems.some((problem) => problem.kind === kind)) small = candidate;
    }
  }
  return small;
}

function withoutSteps(scenario: Scenario): Scenario[] {
  return scenario.steps.map((_, i) => ({ ...scenario, steps: scenario.steps.filter((_, k) => k !== i) }));
}

function withoutParts(scenario: Scenario): Scenario[] {
  const plain = { kills: [], faults: [], during: [], beside: null, history: null, workers: 1 } as const;
  return scenario.steps.flatMap((step, i) =>
    step.do !== 'run'
      ? []
      : Object.keys(plain).map((part) => ({
          ...scenario,
          steps: scenario.steps.with(i, { ...step, [part]: plain[part as keyof typeof plain] } as Step),
        })),
  );
}

/**
 * Whole runs whose batches several workers fetch, in any order, with any fault: the test plays Temporal, the service and the lake. Each
 * step of each filing must be committed once.
 */
import { ActivityFailure, ApplicationFailure } from '@temporalio/common';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { parseExportDefinition } from '../../../../src/export/definition/parse.ts';
import { PASSES } from '../../../../src/export/index.ts';
import type {
  BatchFetched,
  Committed,
  FetchBatchRequest,
  PlanWindowsRequest,
  ReadWindowsRequest,
} from '../../../../src/export/pipeline/index.ts';
import type { Pass, PassCounts } from '../../../../src/export/steps/index.ts';
import { host, NextHistory } from '../../../support/fuzz/workflow-shim.ts';
import { runs } from '../../../support/property-runs.ts';

vi.mock('@temporalio/workflow', () => import('../../../support/fuzz/workflow-shim.ts'));
const { exportWorkflow } = await import('../../../../workflows/export.ts');

type Fault = 'none' | 'service-unreachable' | 'lake-unwritable' | 'budget' | 'late' | 'operation-failing';

interface Play {
  windows: number;
  filings: number;
  workers: number;
  parallel: number | undefined;
  /** Passes that a filing takes part in: bits. */
  passes: number[];
  /** Numbers by which everything is decided that may happen in one way or another. */
  chance: number[];
  faults: Fault[];
  /** A commit that is refused: which one, and why. */
  refusal: { at: number; type: 'plan-outdated' | 'part-vanished' } | null;
  historyEvery: number | null;
}

/** Faults that Temporal or the engine reports. */
function failed(type: string): ActivityFailure {
  const worker = type === 'lake-unwritable' ? { worker: { id: '1@a', others: ['2@b'] } } : {};
  const details = [{ exit_code: 1, remedy: null, spent: { requests: 0, bytes: 0, retries: 0 }, ...worker }];
  const cause = ApplicationFailure.create({ message: type, type, nonRetryable: true, details });
  return new ActivityFailure(type, 'a', '1', 'NON_RETRYABLE_FAILURE', undefined, cause);
}

class World {
  /** `<filing> <pass>`: how often it was fetched, and committed. */
  readonly fetched = new Map<string, number>();
  readonly committed = new Map<string, number>();
  readonly queues = new Set<string | undefined>();
  commits = 0;
  joint = 0;
  atOnce = 0;
  mostAtOnce = 0;
  /** Batches that are being fetched when the first one ends. */
  besideFirst: number | null = null;
  readonly #play: Play;
  readonly #plans = new Map<string, { filing: number; passes: Pass[] }[]>();
  readonly #staged = new Map<string, string[]>();
  readonly #waiting: (() => void)[] = [];
  #version = 0;
  #chances = 0;
  #fetches = 0;
  #isTurning = false;
  calls = 0;

  constructor(play: Play) {
    this.#play = play;
  }

  chance(below: number): number {
    const { chance } = this.#play;
    return chance.length === 0 ? 0 : chance[this.#chances++ % chance.length]! % below;
  }

  /** Until its turn, in any order with the others that wait. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#next();
    });
  }

  #next(): void {
    if (this.#isTurning || this.#waiting.length === 0) return;
    this.#isTurning = true;
    setImmediate(() => {
      this.#isTurning = false;
      const [one] = this.#waiting.splice(this.chance(this.#waiting.length), 1);
      one?.();
      this.#next();
    });
  }

  #passesOf(filing: number): Pass[] {
    const { passes } = this.#play;
    const bits = passes[filing % passes.length] ?? 1;
    return PASSES.filter((_, i) => (bits & (1 << i)) !== 0);
  }

  get steps(): string[] {
    const { windows, filings } = this.#play;
    return Array.from({ length: windows * filings }, (_, n) => n).flatMap((n) =>
      this.#passesOf(n).map((pass) => `${n} ${pass}`),
    );
  }

  async call(name: string, request: unknown, queue: string | undefined): Promise<unknown> {
    if (++this.calls > 5_000) throw new Error('the run gets nowhere');
    await this.turn();
    const answer = this.#answer(name, request as never, queue);
    return JSON.parse(JSON.stringify((await answer) ?? null));
  }

  #answer(name: string, request: never, queue: string | undefined): unknown {
    const outcome = { spent: { requests: 1, bytes: 0, retries: 0 }, quota: null, stop: null };
    switch (name) {
      case 'openRun':
        return { lake_version: 0, lake_id: 'l' };
      case 'takeTurn':
        return { term: 1 };
      case 'readWindows': {
        const { unread } = request as ReadWindowsRequest;
        const whole = unread[0]!.id === 'w';
        if (!whole)
          return {
            ...outcome,
            reads: unread.map(() => ({ split: null, pages: 1, promised: 1, found: 1, proven: true })),
          };
        const split = Array.from({ length: this.#play.windows }, (_, i) => ({ ...unread[0]!, id: `w-${i}` }));
        return { ...outcome, reads: [{ split, pages: 0, promised: 0, found: 0, proven: false }] };
      }
      case 'planWindows':
        return this.#plan(request);
      case 'fetchBatch':
        return this.#fetch(request, queue, outcome);
      case 'commitBatches':
        return this.#commit((request as { batches: { batch_id: string }[] }).batches.map(({ batch_id }) => batch_id));
      case 'leaveRun':
        return [];
      case 'finishRun':
        return {
          lake_version: this.#version,
          tables: {},
          failures: 0,
          known_failures: 0,
          retryable: 0,
          failed: [],
          absent: [],
        };
      default:
        return null;
    }
  }

  #plan({ windows }: PlanWindowsRequest) {
    return {
      committed: null,
      workers: this.#play.workers,
      windows: windows.map(({ window, plan }) => {
        const first = Number(window.slice(2)) * this.#play.filings;
        const lines = Array.from({ length: this.#play.filings }, (_, i) => first + i).flatMap((filing) => {
          const passes = this.#passesOf(filing).filter((pass) => !this.committed.has(`${filing} ${pass}`));
          return passes.length > 0 ? [{ filing, passes }] : [];
        });
        this.#plans.set(`${window} ${plan}`, lines);
        const counts = PASSES.map((pass) => {
          const filings = lines.filter(({ passes }) => passes.includes(pass)).length;
          return [pass, { filings, requests: filings }];
        });
        const pending = Object.fromEntries(counts) as PassCounts;
        return { base_version: this.#version, known: 0, failures: 0, pending, lines: lines.length };
      }),
    };
  }

  async #fetch(
    { window, plan, pass, batch_id, from, to }: FetchBatchRequest,
    queue: string | undefined,
    outcome: object,
  ): Promise<BatchFetched> {
    this.queues.add(queue);
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.atOnce);
    await this.turn();
    this.besideFirst ??= this.atOnce;
    this.atOnce--;
    const fault = this.#play.faults[this.#fetches++] ?? 'none';
    const lines = this.#plans.get(`${window} ${plan}`)!;
    const own = lines
      .map((line, at) => ({ ...line, at }))
      .slice(from, to)
      .filter(({ passes }) => passes.includes(pass));
    const few = fault !== 'none' || this.chance(3) === 0;
    // A retry passes the lines that earlier attempts have sealed in no time. Without a fault at least one is taken.
    const earlier = this.#staged.get(batch_id) ?? [];
    const sealedTo = own.findLastIndex(({ filing }) => earlier.includes(`${filing} ${pass}`)) + 1;
    const least = Math.max(sealedTo, Math.min(own.length, fault === 'none' ? 1 : 0));
    const taken = few ? own.slice(0, least + this.chance(own.length + 1 - least)) : own;
    // The last filing of a batch that is stopped is not complete, though its line was taken.
    const done = fault === 'budget' || fault === 'late' ? taken.slice(0, -1) : taken;
    const steps = done.map(({ filing }) => `${filing} ${pass}`);
    for (const step of steps.filter((one) => !earlier.includes(one)))
      this.fetched.set(step, (this.fetched.get(step) ?? 0) + 1);
    this.#staged.set(batch_id, [...new Set([...earlier, ...steps])]);
    if (fault !== 'none' && fault !== 'budget' && fault !== 'late') throw failed(fault);
    const sealed = this.#staged.get(batch_id)!;
    const next = own[taken.length]?.at ?? null;
    const stop = fault === 'budget' || fault === 'late' ? { kind: 'budget' as const, message: 'reached' } : null;
    const segments = sealed.length > 0 ? [`1-0.${batch_id}`] : [];
    const counts = { filings: 0, steps: steps.length, failures: 0 };
    return {
      ...(outcome as { spent: never; quota: null; stop: null }),
      stop,
      batch_id,
      next,
      segments,
      ...counts,
      workers: this.#play.workers,
    };
  }

  async #commit(batches: string[]): Promise<Committed | null> {
    await this.turn();
    const { refusal } = this.#play;
    if (refusal?.at === this.commits++) throw failed(refusal.type);
    if (batches.length > 1) this.joint++;
    for (const batch of batches) {
      for (const step of this.#staged.get(batch) ?? []) this.committed.set(step, (this.committed.get(step) ?? 0) + 1);
      // A second commit of the batch finds the first.
      this.#staged.set(batch, []);
    }
    return { version: ++this.#version, tables: {} };
  }
}

async function run(play: Play): Promise<World> {
  const world = new World(play);
  let asked = 0;
  let resume: (() => unknown) | null = null;
  const of = {
    info: {
      workflowId: 'export/t',
      runId: 'r',
      taskQueue: 'q',
      startTime: new Date(0),
      typedSearchAttributes: { get: () => undefined } as never,
      get continueAsNewSuggested() {
        return play.historyEvery !== null && world.calls > 0 && ++asked % (play.historyEvery * 5) === 0;
      },
    },
    call: (name: string, request: unknown, _: number, queue?: string) => world.call(name, request, queue),
    async wait(ms: number | null) {
      await world.turn();
      // A person continues a run that would wait for ever.
      if (ms === null) resume?.();
    },
    sleep: () => world.turn(),
    handle(name: string, handler: () => unknown) {
      if (name === 'resume') resume = handler;
    },
  };
  const more = play.parallel === undefined ? '' : `, parallel: ${play.parallel}`;
  const text = `name: t\nservice: { base_url: "http://x", connections: 1${more} }\nselect: {}\ntables: [filings, parties]\n`;
  const { definition } = parseExportDefinition(text, 't.yaml', {});
  let input: unknown = { run_id: 'r', definition, lake: '/l', started_at: '2026-11-21T00:00:00.000Z', by_person: true };
  for (;;) {
    try {
      await host.run(of, () => exportWorkflow(JSON.parse(JSON.stringify(input))));
      return world;
    } catch (error) {
      if (!(error instanceof NextHistory)) throw error;
      input = error.input;
    }
  }
}

const CALM = { passes: [7], chance: [0], faults: [], refusal: null, historyEvery: null, parallel: undefined };

describe('a run with several workers', () => {
  it('fetches as many batches at the same time, each step once, and joins their commits', async () => {
    const world = await run({ ...CALM, windows: 3, filings: 60, workers: 4, chance: [0, 3, 1, 2, 5] });
    expect(world.mostAtOnce).toBe(4);
    expect(world.queues).toEqual(new Set(['q/fetch']));
    expect([...world.fetched.values()].every((times) => times === 1)).toBe(true);
    expect(world.committed.size).toBe(world.steps.length);
    expect(world.joint).toBeGreaterThan(0);
  });

  it('has a batch for each from the beginning, even of a single window', async () => {
    for (const windows of [1, 2]) {
      const world = await run({ ...CALM, windows, filings: 60, workers: 4 });
      expect(world.besideFirst).toBe(4);
    }
  });

  it('does with one worker what it did before: one batch at a time, from the queue of the run', async () => {
    const world = await run({ ...CALM, windows: 2, filings: 30, workers: 1 });
    expect(world.mostAtOnce).toBe(1);
    expect(world.queues).toEqual(new Set([undefined]));
    expect([world.joint, world.committed.size]).toEqual([0, world.steps.length]);
  });

  it('uses no more of them than the definition says', async () => {
    const world = await run({ ...CALM, windows: 1, filings: 60, workers: 8, parallel: 2 });
    expect(world.mostAtOnce).toBe(2);
  });

  it('starts as many as the definition says though there are fewer workers: the rest waits in the queue', async () => {
    const world = await run({ ...CALM, windows: 2, filings: 60, workers: 1, parallel: 4 });
    expect(world.mostAtOnce).toBe(4);
    expect(world.committed.size).toBe(world.steps.length);
  });

  it('commits each step once, in any order, with any stop, failure and length of its histories', async () => {
    const fault = fc.constantFrom<Fault>(
      ...(['none', 'none', 'none', 'service-unreachable', 'lake-unwritable'] as const),
      ...(['budget', 'late', 'operation-failing'] as const),
    );
    const play = fc.record({
      windows: fc.integer({ min: 1, max: 4 }),
      filings: fc.integer({ min: 1, max: 40 }),
      workers: fc.integer({ min: 1, max: 6 }),
      parallel: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
      passes: fc.array(fc.integer({ min: 0, max: 7 }), { minLength: 1, maxLength: 5 }),
      chance: fc.array(fc.nat(1000), { minLength: 1, maxLength: 40 }),
      faults: fc.array(fault, { maxLength: 12 }),
      refusal: fc.option(
        fc.record({ at: fc.nat(8), type: fc.constantFrom('plan-outdated' as const, 'part-vanished' as const) }),
        { nil: null },
      ),
      historyEvery: fc.option(fc.integer({ min: 2, max: 9 }), { nil: null }),
    });
    await fc.assert(
      fc.asyncProperty(play, async (one) => {
        const world = await run(one);
        expect([...world.committed.keys()].sort()).toEqual([...world.steps].sort());
        const twice = [...world.committed].filter(([, times]) => times > 1);
        expect(twice).toEqual([]);
        if (one.refusal === null && one.faults.every((each) => each === 'none')) {
          expect([...world.fetched].filter(([, times]) => times > 1)).toEqual([]);
        }
      }),
      { numRuns: runs(150) },
    );
  });
});

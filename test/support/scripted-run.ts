/** Activities that a test scripts, for an export workflow without a service and a lake. */

import { ApplicationFailure } from '@temporalio/common';
import type { ExportActivities } from '../../activities/index.ts';
import { PASSES } from '../../src/export/index.ts';
import type {
  BatchFetched,
  Clearing,
  Committed,
  FetchBatchRequest,
  PlanWindowsRequest,
  ReadWindowsRequest,
  Stop,
  TurnTaken,
  Unneeded,
  WindowsPlanned,
  WindowsRead,
} from '../../src/export/pipeline/index.ts';
import type { Pass, PassCounts } from '../../src/export/steps/index.ts';
import type { ExportWindow } from '../../src/export/windows/index.ts';

const OUTCOME = { spent: { requests: 1, bytes: 0, retries: 0 }, quota: null, stop: null };
const NOTHING_OWED = { filings: 0, requests: 0 };
/** Activities over some windows, read one at a time; each has the pending steps of `pending` until it is fetched. */
export class ScriptedRun {
  /** The requests, in order: `read w-1`, `plan w-1 1`, `fetch w-1 1`, `fetch w-1 1 sections`, and the commits once done: `commit …`. */
  readonly steps: string[] = [];
  /** Of each window that was read, as JSON. */
  readonly filters: string[] = [];
  /** Files that the workflow listed as no longer needed. */
  readonly unneeded: Unneeded[] = [];
  /** Signs of another writer that has the lake, look by look; the last one stays until its silence is reported. */
  others: readonly string[] = [];
  /** Silences that the workflow has reported. */
  readonly silences: string[] = [];
  /** Another writer waits for the lake until the run gives it back. Batches end early. */
  isWanted = false;
  /** Commits that are refused, since the run has lost its turn. */
  refusals = 0;
  /** Passes in which each window has pending steps. */
  passes: readonly Pass[] = ['info'];
  /** Each window has pending steps in the pass of its order: `whole`, or `info` in the order `breadth`. */
  isByOrder = false;
  /** Workers that may fetch at the same time, and the lines of a batch that each takes. Null: it is not said, as by an older release. */
  shards: { workers: number; linesOfBatch: number } | null = null;
  /** Of the lake. */
  version = -1;
  /** Called before each fetch of a batch. */
  beforeFetch: () => Promise<void> | void = () => {};
  /** Called before each commit of a batch. */
  beforeCommit: () => Promise<void> | void = () => {};
  /** Why the next fetch ends before anything was fetched; null: it does not. */
  stop: Stop | null = null;
  #looks = 0;
  readonly #parts: number;
  readonly #pending: number;
  readonly #fetched = new Set<string>();
  /** Lines fetched by window and pass, of a run with several workers. */
  readonly #lines = new Map<string, number>();

  constructor(parts: number, pending: number) {
    this.#parts = parts;
    this.#pending = pending;
  }

  activities(): Partial<ExportActivities> {
    return {
      takeTurn: async ({ silent }) => this.#take(silent),
      endTurn: async () => {
        this.isWanted = false;
      },
      openRun: async () => ({ lake_version: this.version, lake_id: 'scripted' }),
      readWindows: async (request) => this.#read(request),
      planWindows: async (request) => this.#plan(request),
      fetchBatch: async (request) => this.#fetch(request),
      commitBatches: async ({ batches, unneeded }) =>
        this.#commit({ batch_id: batches.map(({ batch_id }) => batch_id).join('+'), ...(unneeded && { unneeded }) }),
      fetchEntities: async ({ window, of }) => {
        this.#said(`entities ${window} ${of}`);
        return { ...OUTCOME, batch_id: `entities-${window}`, asked: 1, missing: 0, committed: this.#committed() };
      },
      finishRun: async () => ({
        lake_version: this.version,
        spent: { requests: 1, bytes: 0 },
        tables: {},
        failures: 0,
        known_failures: 0,
        retryable: 0,
        failed: [],
        absent: [],
        without: [],
        missing: [],
      }),
      blockBudget: async () => {},
      unblockBudget: async () => {},
      leaveRun: async () => {
        await this.beforeCommit();
        return [this.#committed()];
      },
    };
  }

  #take(silent: string | undefined): TurnTaken {
    if (silent !== undefined) this.silences.push(silent);
    const sign = this.others[Math.min(this.#looks++, this.others.length - 1)];
    if (sign === undefined || silent === sign) return { term: this.#looks };
    return { message: 'export other has the lake', sign, silent_ms: 180_000 };
  }

  #read({ unread: [window] }: ReadWindowsRequest): WindowsRead {
    const { id } = window!;
    const split = id === 'w' ? Array.from({ length: this.#parts }, (_, i) => partOf(window!, i + 1)) : null;
    this.#said(`read ${id}`);
    this.filters.push(JSON.stringify(window!.filter));
    const found = split ? 0 : 1;
    return { ...OUTCOME, reads: [{ split, pages: 1, promised: found, found, proven: !split }] };
  }

  #plan({ run, windows, unneeded }: PlanWindowsRequest): WindowsPlanned {
    const ofOrder: Pass = run.definition.budget.order === 'breadth' ? 'info' : 'whole';
    const wanted: readonly Pass[] = this.isByOrder ? [ofOrder] : this.passes;
    for (const { window, plan } of windows) this.#said(`plan ${window} ${plan}`);
    this.unneeded.push(...(unneeded ?? []));
    const planned = windows.map(({ window }) => {
      const passes = Object.fromEntries(
        PASSES.map((pass) => {
          const isDone = this.#fetched.has(`${window} ${pass}`) || !wanted.includes(pass);
          return [pass, isDone ? NOTHING_OWED : { filings: this.#pending, requests: this.#pending }];
        }),
      );
      return {
        base_version: this.version,
        known: 0,
        failures: 0,
        pending: passes as PassCounts,
        lines: this.#pending,
      };
    });
    return {
      windows: planned as WindowsPlanned['windows'],
      committed: this.#committed(),
      ...(this.shards && { workers: this.shards.workers }),
    };
  }

  async #fetch({ window, plan, pass, batch_id, from, to = 0 }: FetchBatchRequest): Promise<BatchFetched> {
    this.#said(`fetch ${window} ${plan}${pass === 'info' ? '' : ` ${pass}`}`);
    await this.beforeFetch();
    const { stop } = this;
    this.stop = null;
    if (stop) return { ...OUTCOME, stop, batch_id, next: 0, segments: [], filings: 0, steps: 0, failures: 0 };
    if (this.shards) {
      const { workers, linesOfBatch } = this.shards;
      const end = Math.min(to, from + linesOfBatch);
      const done = (this.#lines.get(`${window} ${pass}`) ?? 0) + end - from;
      this.#lines.set(`${window} ${pass}`, done);
      if (done === this.#pending) this.#fetched.add(`${window} ${pass}`);
      const next = end < to ? end : null;
      return { ...OUTCOME, batch_id, next, segments: ['1-0'], filings: 1, steps: end - from, failures: 0, workers };
    }
    const batch = { ...OUTCOME, batch_id, segments: ['1-0'], filings: 1, steps: 1, failures: 0 };
    if (this.isWanted) return { ...batch, next: 1, wanted: true };
    this.#fetched.add(`${window} ${pass}`);
    return { ...batch, next: null };
  }

  async #commit({ batch_id, unneeded }: Clearing & { batch_id: string }): Promise<Committed> {
    await this.beforeCommit();
    if (this.refusals-- > 0) {
      this.#fetched.clear();
      throw ApplicationFailure.nonRetryable('another writer has had the lake', 'plan-outdated');
    }
    this.#said(`commit ${batch_id}`);
    this.unneeded.push(...(unneeded ?? []));
    return this.#committed();
  }

  #committed(): Committed {
    return { version: ++this.version, tables: {} };
  }

  #said(step: string): void {
    this.steps.push(step);
  }
}

function partOf(window: ExportWindow, n: number): ExportWindow {
  return { ...window, id: `${window.id}-${n}` };
}

/**
 * A share is a part of a key's budget that this process reserves at once, and hands out to its activities. It does so for twenty
 * seconds. The next share is reserved before that, so that no activity waits. Older shares stay until their activities have settled.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { SHARE_LIFE_MS } from '../../run/index.ts';
import type { Settlement, ShareOffice } from '../ports.ts';
import type { RunReference } from '../types.ts';

/** Bounds of a share's requests. Its size is what the process sends in the time below. */
const SHARE_MIN = 1_000;
const SHARE_MAX = 20_000;
/** The time in which requests of a share are handed out. Its activities settle in the rest of its life. */
const HANDED_OUT_MS = SHARE_LIFE_MS / 9;
/** A share is reserved only if the quota has room for this many. */
const PLENTY = 20;
/** The next share is reserved at a random moment between these parts of that time, or when only this part of the requests is left. */
const AHEAD_FROM = 0.6;
const AHEAD_TO = 0.9;
const AHEAD_LEFT = 0.15;
/** How long a process that ends waits for a share that it has asked for. */
const CLOSE_MS = 3_000;
const ASK_AGAIN_MS = 5_000;

export interface SharePoolOptions {
  /** After this time without use, a share is returned. */
  idleMs: number;
  /** Milliseconds of a clock that never goes back. */
  clock: () => number;
  /** 0 to 1. */
  random: () => number;
}

export const SHARE_DEFAULTS: SharePoolOptions = {
  idleMs: 2_000,
  clock: () => performance.now(),
  random: Math.random,
};

interface Share {
  id: string;
  /** A run that the budget knows. */
  run: RunReference;
  size: number;
  left: number;
  openedAt: number;
  /** When the next share is reserved. It is random, so that processes that began together don't send updates together. */
  aheadAt: number;
  /** Requests that activities have reserved of it, by reservation. */
  held: Map<string, { run_id: string; requests: number }>;
  spentBy: Record<string, { requests: number; bytes: number }>;
  said: { requests_left: number | null; resets_at: string | null };
  /** Nothing more is handed out of it. */
  isOver: boolean;
}

export class SharePool {
  /** Runs that the budget knows, since they have reserved there. */
  readonly runs = new Set<string>();
  readonly #office: ShareOffice;
  readonly #kept: number;
  readonly #options: SharePoolOptions;
  readonly #clock: () => number;
  readonly #shares = new Set<Share>();
  #current: Share | null = null;
  #opening: Promise<void> | null = null;
  /** Number of stops. A share whose reservation began before the last stop is returned at once. */
  #stops = 0;
  /** Requests left of the quota. Undefined: not known yet; null: there is no limit. */
  #left: number | null | undefined;
  #size = SHARE_MIN;
  #refusedAt = Number.NEGATIVE_INFINITY;
  #idle: NodeJS.Timeout | undefined;
  readonly #settling = new Set<Promise<void>>();

  constructor(office: ShareOffice, kept: number, options: SharePoolOptions) {
    this.#office = office;
    this.#kept = kept;
    this.#options = options;
    this.#clock = options.clock;
  }

  /** @returns requests handed out; 0: the run must reserve for itself */
  async take(run: RunReference, batchId: string, requests: number): Promise<number> {
    if (!this.runs.has(run.run_id) || !this.#isPlenty()) return 0;
    if (this.#isUsedUp()) await this.#ask(run);
    else if (this.#isLow()) {
      // If it fails, the next call that needs a share asks again.
      this.#ask(run).catch(() => {});
    }
    const share = this.#current;
    if (share === null || share.left === 0) return 0;
    const granted = Math.min(requests, share.left);
    share.left -= granted;
    share.held.set(batchId, { run_id: run.run_id, requests: granted });
    return granted;
  }

  /** Learns the rest of the quota. */
  hear({ requests_left, admitted }: Settlement): void {
    if (requests_left !== null) this.#left = requests_left;
    else if (admitted) this.#left = null;
  }

  /** @returns false if the reservation was not handed out here */
  async putBack({ run_id }: RunReference, settlement: Settlement): Promise<boolean> {
    const share = [...this.#shares].find(({ held }) => held.has(settlement.batch_id));
    const held = share?.held.get(settlement.batch_id);
    if (!share || !held) return false;
    const { requests, bytes, requests_left, resets_at } = settlement;
    share.held.delete(settlement.batch_id);
    share.left += Math.max(0, held.requests - requests);
    spend(share, run_id, requests, bytes);
    if (requests_left !== null) share.said = { requests_left, resets_at };
    if (!this.#isPlenty()) this.#halt();
    await this.#settleOver();
    this.#watchIdle();
    return true;
  }

  /** What a run has spent or holds of shares that are not settled. */
  async unsettledOf(run_id: string): Promise<{ requests: number; bytes: number }> {
    await Promise.all(this.#settling);
    const total = { requests: 0, bytes: 0 };
    for (const { spentBy, held } of this.#shares) {
      total.requests += spentBy[run_id]?.requests ?? 0;
      total.bytes += spentBy[run_id]?.bytes ?? 0;
      for (const one of held.values()) if (one.run_id === run_id) total.requests += one.requests;
    }
    return total;
  }

  /** Hands out nothing more until the service has stated its quota again. */
  async stop(): Promise<void> {
    this.#left = undefined;
    this.#halt();
    await this.#settleOver();
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await Promise.race([this.#opening?.catch(() => {}), sleep(CLOSE_MS, null, { ref: false })]);
    this.#halt();
    for (const share of this.#shares) giveUp(share);
    await this.#settleOver();
    // A call that outlives the connection would end the process.
    await Promise.all(this.#settling);
  }

  #isPlenty(): boolean {
    if (this.#left === undefined) return false;
    return this.#left === null || this.#left - this.#kept >= PLENTY * this.#size;
  }

  #isUsedUp(): boolean {
    const share = this.#current;
    return share === null || share.left === 0 || this.#clock() - share.openedAt >= HANDED_OUT_MS;
  }

  #isLow(): boolean {
    const share = this.#current;
    if (share === null || this.#clock() - this.#refusedAt < ASK_AGAIN_MS) return false;
    return share.left < AHEAD_LEFT * share.size || this.#clock() >= share.aheadAt;
  }

  /** Many may ask; one share is opened. */
  #ask(run: RunReference): Promise<void> {
    this.#opening ??= this.#open(run).finally(() => {
      this.#opening = null;
    });
    return this.#opening;
  }

  /** Until the new share is there, the one before it is handed out. */
  async #open(run: RunReference): Promise<void> {
    if (this.#isUsedUp()) this.#end();
    if (this.#clock() - this.#refusedAt < ASK_AGAIN_MS) return;
    for (const share of this.#shares) if (this.#clock() - share.openedAt > SHARE_LIFE_MS) giveUp(share);
    await this.#settleOver();
    this.#plan();
    const openedAt = this.#clock();
    const share: Share = {
      id: `share/${randomUUID()}`,
      run,
      size: 0,
      left: 0,
      openedAt,
      aheadAt: openedAt + HANDED_OUT_MS * (AHEAD_FROM + (AHEAD_TO - AHEAD_FROM) * this.#options.random()),
      held: new Map(),
      spentBy: {},
      said: { requests_left: null, resets_at: null },
      isOver: false,
    };
    const stops = this.#stops;
    const { granted } = await this.#office.reserveShare(run, share.id, this.#size);
    if (granted === 0) {
      this.#refusedAt = this.#clock();
      return;
    }
    share.size = share.left = granted;
    this.#shares.add(share);
    if (this.#stops !== stops) {
      // Meanwhile the service has refused, or the last run has left.
      share.isOver = true;
      await this.#settleOver();
      return;
    }
    this.#end();
    this.#current = share;
    this.#watchIdle();
  }

  /** Sizes the next share by the speed at which this one is used. */
  #plan(): void {
    const share = this.#current;
    if (share === null) return;
    const perMs = (share.size - share.left) / Math.max(1, this.#clock() - share.openedAt);
    this.#size = Math.min(SHARE_MAX, Math.max(SHARE_MIN, Math.ceil(perMs * HANDED_OUT_MS)));
  }

  #halt(): void {
    this.#stops++;
    this.#end();
  }

  #end(): void {
    if (this.#current === null) return;
    this.#plan();
    this.#current.isOver = true;
    this.#current = null;
  }

  #watchIdle(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#returnIdle(), this.#options.idleMs);
    this.#idle.unref();
  }

  #returnIdle(): void {
    if (this.#current === null || this.#current.held.size > 0) return;
    this.#halt();
    void this.#settleOver();
  }

  /** Settles shares of which nothing is held. If the budget does not answer, the next call tries again. */
  async #settleOver(): Promise<void> {
    const settling = this.#settleEach();
    this.#settling.add(settling);
    await settling;
    this.#settling.delete(settling);
  }

  async #settleEach(): Promise<void> {
    const over = [...this.#shares].filter(({ isOver, held }) => isOver && held.size === 0);
    for (const share of over) {
      this.#shares.delete(share);
      const spent = Object.values(share.spentBy);
      try {
        await this.#office.settleShare(share.run, {
          batch_id: share.id,
          requests: spent.reduce((sum, { requests }) => sum + requests, 0),
          bytes: spent.reduce((sum, { bytes }) => sum + bytes, 0),
          ...share.said,
          admitted: spent.length > 0,
          spent_by: share.spentBy,
        });
      } catch {
        // The budget counts it as spent until it expires.
        this.#shares.add(share);
      }
    }
  }
}

function spend({ spentBy }: Share, run_id: string, requests: number, bytes: number): void {
  const before = spentBy[run_id] ?? { requests: 0, bytes: 0 };
  spentBy[run_id] = { requests: before.requests + requests, bytes: before.bytes + bytes };
}

/** Activities that died without settling: nobody knows how many requests they sent. */
function giveUp(share: Share): void {
  for (const { run_id, requests } of share.held.values()) spend(share, run_id, requests, 0);
  share.held.clear();
  share.isOver = true;
}

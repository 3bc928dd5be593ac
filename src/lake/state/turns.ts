/**
 * Turns: a lake has one writer at a moment. Who has it stands in the folder of its log, a file for each turn. The number of a turn,
 * its term, only grows. No clock decides: who waits compares the last sign of life with the one that it saw before.
 */
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { FilinglakeError } from '../../core/index.ts';
import { applyCommit, LOG_FORMAT, nextCommit, readable } from '../log/log.ts';
import { putEntry } from '../log/preconditions.ts';
import { TURNS_FOLDER, turnPath, wantedPath } from '../storage/layout.ts';
import { putOnce } from '../storage/put-once.ts';
import type { LakeState } from './state.ts';

/** How often a writer shows that it lives. */
export const SIGN_MS = 20_000;
/** A turn is free if it showed no sign of life for this time, by the clock of the one who waits. */
const SILENT_MS = 180_000;
/** Between two looks of a command that waits. */
const LOOK_MS = 1_000;

export interface Turn {
  readonly format: number;
  readonly term: number;
  /** Id of the writer: a run, or a process. */
  readonly holder: string;
  /** The writer in words: `export annual-reports`, `filinglake lake compact` */
  readonly what: string;
  readonly since: string;
  /** The last sign of life, and its number. */
  readonly signed_at: string;
  readonly sign: number;
  readonly ended: boolean;
  /** The turn before was not given back. Its writer may wake up: an entry of the log shuts it out. */
  readonly shuts_out: boolean;
}

export interface TurnOptions {
  what: string;
  /** Default: this process. */
  holder?: string;
  /** False: a lake that somebody has is refused. Default: it is waited for. */
  wait?: boolean;
  /** Called with each look at the turn of another writer. */
  waiting?: (turn: Turn) => void;
}

const THIS_PROCESS = `process ${process.pid} of ${hostname()}`;

export class Turns {
  readonly #state: LakeState;
  /** A sign of life never overtakes the end of its turn. */
  #last: Promise<unknown> = Promise.resolve();
  #signed: { term: number; at: number; state: 'held' | 'wanted' | 'lost' } = { term: 0, at: 0, state: 'lost' };

  constructor(state: LakeState) {
    this.#state = state;
  }

  /** The turn of the writer that has the lake, or null. */
  async current(): Promise<Turn | null> {
    const { turn } = await this.#look();
    return turn === null || turn.ended ? null : turn;
  }

  /**
   * Takes the lake. May be repeated: a holder has one turn. If another writer has the lake, its turn is marked as wanted.
   * @param isGone whether the writer of a turn that was not given back is gone; its sign of life changes as long as it lives
   * @returns the turn of the one who has it, its sign of life, and after which time of silence it is free
   */
  async take(
    { holder, what }: Pick<TurnOptions, 'what'> & { holder: string },
    isGone: (turn: Turn, sign: string) => boolean | Promise<boolean>,
  ): Promise<{ turn: Turn; isMine: boolean; sign: string; silentMs: number }> {
    const { storage } = this.#state;
    for (;;) {
      const { turn: newest, names } = await this.#look();
      const isHeld = newest !== null && !newest.ended;
      if (isHeld && newest.holder === holder) {
        await this.#shutOut(newest);
        return told(newest, true);
      }
      if (isHeld && !isOfDeadProcess(newest) && !(await isGone(newest, signOf(newest)))) {
        if (!names.includes(wantedPath(newest.term)))
          await putOnce(storage, wantedPath(newest.term), Buffer.from(what));
        return told(newest, false);
      }
      const now = new Date().toISOString();
      // A copy of a lake may have its log, and older turns.
      const term = Math.max(newest?.term ?? 0, (await this.#state.snapshot()).term) + 1;
      const of = { format: LOG_FORMAT, term, holder, what, since: now, signed_at: now, sign: 0 };
      const turn: Turn = { ...of, ended: false, shuts_out: isHeld };
      if (!(await putOnce(storage, turnPath(term), bytesOf(turn)))) continue;
      // It may have slept, and files of old terms are deleted: a later turn counts.
      if ((await this.#look()).turn?.term !== term) continue;
      const old = names.filter((path) => path < turnPath(newest?.term ?? 0));
      await Promise.all(old.map((path) => storage.remove(path).catch(() => undefined)));
      await this.#shutOut(turn);
      return told(turn, true);
    }
  }

  /** Shows that the writer lives: now and then, however often it is called. @returns whether it still has the lake, and others wait */
  async sign(term: number): Promise<'held' | 'wanted' | 'lost'> {
    if (this.#signed.term === term && performance.now() - this.#signed.at < SIGN_MS / 2) return this.#signed.state;
    const { isHeld, names } = await this.#change(term, ({ sign }) => ({
      sign: sign + 1,
      signed_at: new Date().toISOString(),
    }));
    const state = !isHeld ? 'lost' : names.includes(wantedPath(term)) ? 'wanted' : 'held';
    this.#signed = { term, at: performance.now(), state };
    return state;
  }

  /** Gives the lake back. Nothing of the turn may be written after it. */
  async end(term: number): Promise<void> {
    this.#signed = { ...this.#signed, term: 0 };
    await this.#change(term, () => ({ ended: true }));
  }

  /** Does some work in a turn. @throws FilinglakeError `lake-busy` if it does not wait */
  async during<Result>(options: TurnOptions, work: (term: number) => Promise<Result>): Promise<Result> {
    const { term } = await this.#wait(options);
    const signs = setInterval(() => void this.sign(term).catch(() => undefined), SIGN_MS).unref();
    try {
      return await work(term);
    } finally {
      clearInterval(signs);
      // A turn that could not be given back ends by its silence.
      await this.end(term).catch(() => undefined);
    }
  }

  async #wait({ what, holder = THIS_PROCESS, wait = true, waiting }: TurnOptions): Promise<Turn> {
    let seen = { sign: '', at: 0 };
    const isSilent = (_: Turn, sign: string) => {
      if (sign !== seen.sign) seen = { sign, at: performance.now() };
      return performance.now() - seen.at >= SILENT_MS;
    };
    for (;;) {
      const { turn, isMine } = await this.take({ what, holder }, isSilent);
      if (isMine) return turn;
      if (!wait) throw new FilinglakeError('lake-busy', `${this.#state.storage.name}: ${turnText(turn)}`);
      waiting?.(turn);
      await sleep(LOOK_MS);
    }
  }

  async #look(): Promise<{ turn: Turn | null; names: string[] }> {
    const { storage } = this.#state;
    for (;;) {
      const names = (await storage.listNames(TURNS_FOLDER)).map((name) => `${TURNS_FOLDER}/${name}`);
      const newest = names.findLast((name) => name.endsWith('.json'));
      if (newest === undefined) return { turn: null, names };
      const bytes = await storage.read(newest);
      // Null: a later turn has begun since.
      if (bytes !== null) return { turn: readable<Turn>(bytes, newest), names };
    }
  }

  /** Only the holder of a term writes its file. */
  #change(term: number, to: (turn: Turn) => Partial<Turn>): Promise<{ isHeld: boolean; names: string[] }> {
    const change = async () => {
      const { turn, names } = await this.#look();
      const isHeld = turn?.term === term && !turn.ended;
      if (isHeld) await this.#state.storage.replace(turnPath(term), bytesOf({ ...turn, ...to(turn) }));
      return { isHeld, names };
    };
    const next = this.#last.then(change, change);
    this.#last = next.catch(() => undefined);
    return next;
  }

  /** After this entry the log refuses every earlier term. */
  async #shutOut({ shuts_out, term, holder }: Turn): Promise<void> {
    const { tables } = this.#state;
    for (;;) {
      const snapshot = await this.#state.snapshot();
      if (!shuts_out || snapshot.term >= term) return;
      const commit = nextCommit(snapshot, tables, {}, { run_id: holder, batch_id: `turn-${term}`, term });
      if (await putEntry(this.#state, snapshot, commit))
        await this.#state.publish(applyCommit(snapshot, commit), commit);
    }
  }
}

const told = (turn: Turn, isMine: boolean) => ({ turn, isMine, sign: signOf(turn), silentMs: SILENT_MS });

function signOf({ term, sign }: Turn): string {
  return `${term}.${sign}`;
}

/** Who has the lake, since when, and what ends it. */
export function turnText({ what, holder, since, signed_at }: Turn): string {
  const [from, last] = [since, signed_at].map((at) => at.slice(0, 19).replace('T', ' '));
  return `${what} (${holder}) has the lake since ${from} UTC. It gives it back when it ends, pauses or waits, and soon if others wait. Without a sign of life it loses it after ${SILENT_MS / 60_000} minutes (last sign: ${last} UTC)`;
}

function bytesOf(turn: Turn): Buffer {
  return Buffer.from(`${JSON.stringify(turn)}\n`);
}

/** A command that was killed on this machine. */
function isOfDeadProcess({ holder }: Turn): boolean {
  const [, pid, host] = /^process (\d+) of (.+)$/.exec(holder) ?? [];
  if (host !== hostname()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

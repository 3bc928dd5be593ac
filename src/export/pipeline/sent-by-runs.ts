/** What this worker sent for each run, kept on disk in the run's staging: heartbeats lag, and a kill would cost what they lack. */
import { FilinglakeError } from '../../core/index.ts';
import type { Lake } from '../../lake/index.ts';
import { addSent, NOTHING_SENT, type Sent, ServiceHabits } from '../client/index.ts';

/** Runs whose files are held open. */
const OPEN_MAX = 16;

class SentOfRun {
  /** What the run's requests have shown of its service: its activities share it. */
  readonly habits = new ServiceHabits();
  readonly #tally: ReturnType<Lake['openTally']>;
  #total = NOTHING_SENT;
  isKept = true;

  constructor(tally: ReturnType<Lake['openTally']>) {
    this.#tally = tally;
  }

  add(more: Sent): void {
    this.#total = addSent(this.#total, more);
    if (!this.isKept) return;
    const { requests, bytes, retries } = this.#total;
    try {
      this.#tally.put([requests, bytes, retries]);
    } catch (error) {
      if (!(error instanceof FilinglakeError)) throw error;
      // The disk refuses the rows of these requests too, and ends the attempt with its own error. Heartbeats still count.
      this.isKept = false;
    }
  }

  close(): void {
    this.isKept = false;
    this.#tally.close();
  }
}

export class SentByRuns {
  readonly #open = new Map<string, SentOfRun>();

  of(lake: Lake, runId: string): SentOfRun {
    const key = keyOf(lake, runId);
    const open = this.#open.get(key);
    // A disk that was full may have room again.
    const sent = open?.isKept ? open : new SentOfRun(lake.openTally(runId));
    this.#open.delete(key);
    this.#open.set(key, sent);
    for (const [oldest] of this.#open) {
      if (this.#open.size <= OPEN_MAX) break;
      this.#close(oldest);
    }
    return sent;
  }

  /** The run is over. */
  forget(lake: Lake, runId: string): void {
    this.#close(keyOf(lake, runId));
  }

  closeAll(): void {
    for (const key of [...this.#open.keys()]) this.#close(key);
  }

  #close(key: string): void {
    this.#open.get(key)?.close();
    this.#open.delete(key);
  }
}

/** By all workers, living and dead. Less than what was sent only if a power cut cost the last seconds, or the disk was full. */
export async function sentOfRun(lake: Lake, runId: string): Promise<Sent> {
  const tallies = await lake.tallies(runId);
  return tallies
    .map(([requests = 0, bytes = 0, retries = 0]) => ({ requests, bytes, retries }))
    .reduce(addSent, NOTHING_SENT);
}

function keyOf(lake: Lake, runId: string): string {
  return JSON.stringify([lake.id, lake.root, runId]);
}

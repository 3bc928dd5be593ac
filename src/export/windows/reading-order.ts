/** Windows that are read several at a time, in the order of reading one after the other. */
import { countOff, type Read, type Shared } from './split-shortfall.ts';

export class ReadingOrder<Window extends Shared, Result extends Read<Window>> {
  /** The parts of a split window follow it. */
  readonly #windows: Window[];
  /** By place: its result, `begun`, or neither. */
  readonly #states: (Result | 'begun' | undefined)[];

  /** @param unread in reading order */
  constructor(unread: readonly Window[]) {
    this.#windows = [...unread];
    this.#states = unread.map(() => undefined);
  }

  /**
   * The next window to read beside those that are being read; null: none now. The last part of a split window waits for the counts of
   * the others, which show what it should have.
   */
  begin(): Window | null {
    const unfinished = new Set<string>();
    for (const [place, state] of this.#states.entries()) {
      const { share } = this.#windows[place]!;
      const mayBegin = share === undefined || share.later > 0 || !unfinished.has(share.of);
      if (state === undefined && mayBegin) {
        this.#states[place] = 'begun';
        return this.#windows[place]!;
      }
      if (share !== undefined && (state === undefined || state === 'begun')) unfinished.add(share.of);
    }
    return null;
  }

  /** A window was read. */
  end({ id }: Shared, result: Result): void {
    const place = this.#windows.findIndex((window) => window.id === id);
    const { share } = this.#windows[place]!;
    this.#states[place] = result;
    if (share) countOff(share, result, [[this.#windows, place + 1]]);
    const parts = result.split ?? [];
    this.#windows.splice(place + 1, 0, ...parts);
    this.#states.splice(place + 1, 0, ...parts.map(() => undefined));
  }

  /** Windows and their results, up to the first window that was not read. */
  *read(): Generator<readonly [Window, Result]> {
    for (const [place, state] of this.#states.entries()) {
      if (state === undefined || state === 'begun') return;
      yield [this.#windows[place]!, state];
    }
  }
}

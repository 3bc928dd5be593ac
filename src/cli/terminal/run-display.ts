/** Shows an active run: a table redrawn in place on a terminal, a line every half minute elsewhere. */
import type { RunStatus } from '../../export/runtime/index.ts';
import { RecentRate, runLine, runTable } from './run-table.ts';

const PLAIN_INTERVAL_MS = 30_000;
/** A run that ends sooner needs no line in a log. */
const FIRST_PLAIN_MS = 5_000;

interface RunDisplay {
  show(status: RunStatus): void;
  /** A permanent line above the table. */
  note(line: string): void;
  /** Removes the table, and prints one line. */
  finish(line: string): void;
}

export const NO_DISPLAY: RunDisplay = { show: () => {}, note: () => {}, finish: () => {} };

type Screen = Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns' | 'rows'>;

export function openRunDisplay(screen: Screen = process.stderr): RunDisplay {
  return screen.isTTY === true && !process.env.CI ? new TableDisplay(screen) : new LineDisplay(screen);
}

class TableDisplay implements RunDisplay {
  readonly #screen: Screen;
  readonly #rate = new RecentRate();
  #drawn = 0;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  show(status: RunStatus): void {
    this.#rate.add(performance.now(), status.progress.requests, status.progress.state === 'running');
    const lines = runTable(status, this.#rate.perSecond(), Date.now(), (this.#screen.columns || 80) - 1);
    // Lines that have scrolled away can't be erased: a small screen shows the beginning.
    const shown = lines.slice(0, Math.max(1, (this.#screen.rows || 24) - 1));
    this.#screen.write(`${this.#erased()}${shown.map((line) => `${line}\n`).join('')}`);
    this.#drawn = shown.length;
  }

  note(line: string): void {
    this.#screen.write(`${this.#erased()}${line}\n`);
    this.#drawn = 0;
  }

  finish(line: string): void {
    this.note(line);
  }

  /** Erases from the table's first line to the end of the screen. */
  #erased(): string {
    return this.#drawn === 0 ? '' : `\x1b[${this.#drawn}A\r\x1b[J`;
  }
}

class LineDisplay implements RunDisplay {
  readonly #screen: Screen;
  readonly #rate = new RecentRate();
  #nextAt = performance.now() + FIRST_PLAIN_MS;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  show(status: RunStatus): void {
    const now = performance.now();
    this.#rate.add(now, status.progress.requests, status.progress.state === 'running');
    if (now < this.#nextAt) return;
    this.#nextAt = now + PLAIN_INTERVAL_MS;
    this.#screen.write(`${runLine(status, this.#rate.perSecond())}\n`);
  }

  note(line: string): void {
    this.#screen.write(`${line}\n`);
  }

  finish(line: string): void {
    this.note(line);
  }
}

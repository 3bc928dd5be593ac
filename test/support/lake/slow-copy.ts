/** `cp -r` of a lake that is being written: each folder is listed at one moment, and each of its files read at a later one. */
import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { type FileOperations, nodeFileOperations } from '../../../src/lake/storage/local/file-operations.ts';

/** `log first`: the lake's log before its tables; `at random`: any file or folder found so far comes next. */
export const COPY_ORDERS = ['log first', 'log last', 'at random'] as const;
export type CopyOrder = (typeof COPY_ORDERS)[number];

export class SlowCopy {
  readonly folder: string;
  readonly order: CopyOrder;
  readonly #from: string;
  readonly #chance: () => number;
  readonly #left: string[] = [''];

  constructor(from: string, to: string, order: CopyOrder, chance: () => number) {
    this.#from = from;
    this.folder = to;
    this.order = order;
    this.#chance = chance;
  }

  get done(): boolean {
    return this.#left.length === 0;
  }

  /** Lists one folder, or copies one file. */
  step(): void {
    const at = this.order === 'at random' ? Math.floor(this.#chance() * this.#left.length) : 0;
    const [name] = this.#left.splice(at, 1);
    const source = path.join(this.#from, name!);
    const target = path.join(this.folder, name!);
    // As cp: a file that was deleted since is left out.
    if (!existsSync(source)) return;
    const entries = listed(source);
    if (entries === null) {
      copyFileSync(source, target);
      return;
    }
    mkdirSync(target, { recursive: true });
    const found = this.#shuffled(entries).map((entry) => path.join(name!, entry));
    if (name === '' && this.order !== 'at random') {
      const isLog = (entry: string) => entry === '_lake';
      const others = found.filter((entry) => !isLog(entry));
      this.#left.unshift(...(this.order === 'log first' ? ['_lake', ...others] : [...others, '_lake']));
    } else this.#left.unshift(...found);
  }

  finish(): void {
    while (!this.done) this.step();
  }

  #shuffled(names: readonly string[]): string[] {
    return names
      .map((name) => ({ name, at: this.#chance() }))
      .sort((a, b) => a.at - b.at)
      .map(({ name }) => name);
  }
}

function listed(file: string): string[] | null {
  try {
    return readdirSync(file);
  } catch {
    return null;
  }
}

/** File operations before each of which something else happens. */
export function interrupted(meanwhile: () => void): FileOperations {
  const around = <Name extends keyof FileOperations>(name: Name): FileOperations[Name] =>
    ((...args: never[]) => {
      meanwhile();
      return (nodeFileOperations[name] as (...all: never[]) => unknown)(...args);
    }) as FileOperations[Name];
  return {
    mkdir: around('mkdir'),
    write: around('write'),
    appendSync: around('appendSync'),
    sync: around('sync'),
    rename: around('rename'),
    link: around('link'),
    unlink: around('unlink'),
    removeTree: around('removeTree'),
  };
}

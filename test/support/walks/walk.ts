/** A walk of CONTRIBUTING.md, done in a copy of the checkout. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export const CHECKOUT = join(import.meta.dirname, '../../..');
const NOT_COPIED = ['node_modules', '.git', '.filinglake', 'dist'];

/** Texts to insert: each before the first place of another text. */
export type Edit = readonly { before: string; insert: string }[];
/** New files with their text, and files with edits. Paths are relative to the checkout. */
export type Walk = Readonly<Record<string, string | Edit>>;

/** Files that the table of a walk names, and how it changes them. @param heading start of the walk's heading */
export function filesOfWalk(heading: string): Map<string, string> {
  const page = readFileSync(join(CHECKOUT, 'CONTRIBUTING.md'), 'utf8');
  const section = page.split(`\n## ${heading}`)[1]!.split('\n## ')[0]!;
  const cells = [...section.matchAll(/^\| (`.*?) \|/gm)].map((row) => row[1]!);
  const files = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`(?: \((new|if needed)\))?/g)]);
  return new Map(files.map(([, path, change]) => [path!, change ?? 'edited']));
}

export interface Ended {
  status: number | null;
  output: string;
}

/** A copy of the checkout, with a link to its packages. */
export class WalkedCopy {
  readonly folder = mkdtempSync(join(tmpdir(), 'filinglake-walk-'));

  constructor(walks: readonly Walk[]) {
    for (const name of readdirSync(CHECKOUT).filter((entry) => !NOT_COPIED.includes(entry)))
      cpSync(join(CHECKOUT, name), join(this.folder, name), { recursive: true });
    symlinkSync(join(CHECKOUT, 'node_modules'), join(this.folder, 'node_modules'), 'dir');
    for (const [path, change] of walks.flatMap((walk) => Object.entries(walk)))
      this.#change(join(this.folder, path), change);
  }

  /** Runs a script or a tool's file with Node, in the copy. */
  run(...args: readonly string[]): Promise<Ended> {
    return this.runWith(process.execPath, args);
  }

  async runWith(command: string, args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
    const stdio = ['ignore', 'pipe', 'pipe'] as const;
    const child = spawn(command, args, { cwd: this.folder, stdio: [...stdio], env: { ...process.env, ...env } });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    const [status] = (await once(child, 'close')) as [number | null];
    return { status, output };
  }

  tests(...args: readonly string[]): Promise<Ended> {
    return this.run('node_modules/vitest/vitest.mjs', 'run', '--reporter=dot', ...args);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #change(file: string, change: string | Edit): void {
    if (typeof change === 'string') {
      if (existsSync(file)) throw new Error(`${file} is not new`);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, change);
      return;
    }
    let text = readFileSync(file, 'utf8');
    for (const { before, insert } of change) {
      const at = text.indexOf(before);
      if (at < 0) throw new Error(`${file} lacks '${before}'`);
      text = text.slice(0, at) + insert + text.slice(at);
    }
    writeFileSync(file, text);
  }
}

/** The `edgar` commands, with a home and a catalog of their own: in this process, or as one that can be killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import type { SyncEvent } from '../../../../src/service/edgar-sync/index.ts';
import { commandLine } from '../../../support/command-line.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';

const MAIN = resolve(import.meta.dirname, '../../../../src/cli/main.ts');

export interface Ran {
  code: number | null;
  events: (SyncEvent & Record<string, unknown>)[];
  stdout: string;
  stderr: string;
}

export class EdgarCommand {
  readonly folder = temporaryFolder();
  readonly catalog = join(this.folder, 'catalog');
  readonly #env: Record<string, string>;

  constructor(url: string, env: Record<string, string> = {}) {
    this.#env = {
      FILINGLAKE_HOME: join(this.folder, 'home'),
      FILINGLAKE_EDGAR_URL: url,
      FILINGLAKE_EDGAR_AGENT: 'A Tester tester@example.com',
      ...env,
    };
  }

  /** As a process. */
  start(args: readonly string[], catalog = this.catalog): { child: ChildProcess; ended: Promise<Ran> } {
    const child = spawn(process.execPath, [MAIN, 'edgar', ...args, '--catalog', catalog], {
      env: { ...process.env, ...this.#env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (data) => (stdout += data));
    child.stderr.on('data', (data) => (stderr += data));
    const ended = once(child, 'close').then(([code]) => ranOf(code as number | null, stdout, stderr));
    return { child, ended };
  }

  async run(...args: string[]): Promise<Ran> {
    const { status, stdout, stderr } = await commandLine(['edgar', ...args, '--catalog', this.catalog], {
      env: this.#env,
    });
    return ranOf(status, stdout, stderr);
  }
}

function ranOf(code: number | null, stdout: string, stderr: string): Ran {
  const lines = stdout.split('\n').filter((line) => line.startsWith('{"event"'));
  return { code, events: lines.map((line) => JSON.parse(line)), stdout, stderr };
}

/** The `edgar` commands as processes, with a home and a catalog of their own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { SyncEvent } from '../../../src/edgar-sync/index.ts';

const MAIN = resolve(import.meta.dirname, '../../../src/cli/main.ts');

export interface Ran {
  code: number | null;
  events: (SyncEvent & Record<string, unknown>)[];
  stdout: string;
  stderr: string;
}

export class EdgarCommand {
  readonly folder = mkdtempSync(join(tmpdir(), 'filinglake-edgar-'));
  readonly catalog = join(this.folder, 'catalog');
  readonly #env: Record<string, string>;

  constructor(url: string, env: Record<string, string> = {}) {
    this.#env = {
      FILINGLAKE_HOME: join(this.folder, 'home'),
      FILINGLAKE_EDGAR_URL: url,
      FILINGLAKE_EDGAR_DATA_URL: url,
      FILINGLAKE_EDGAR_AGENT: 'A Tester tester@example.com',
      ...env,
    };
  }

  start(args: readonly string[], catalog = this.catalog): { child: ChildProcess; ended: Promise<Ran> } {
    const child = spawn(process.execPath, [MAIN, 'edgar', ...args, '--catalog', catalog], {
      env: { ...process.env, ...this.#env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (data) => (stdout += data));
    child.stderr.on('data', (data) => (stderr += data));
    const ended = once(child, 'close').then(([code]) => ({
      ...{ code: code as number | null, stdout, stderr },
      events: stdout
        .split('\n')
        .filter((line) => line.startsWith('{"event"'))
        .map((line) => JSON.parse(line)),
    }));
    return { child, ended };
  }

  run(...args: string[]): Promise<Ran> {
    return this.start(args).ended;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The same runs by a real Temporal server and a worker in a process of its own, which is killed at some requests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '../../../src/core/environment/index.ts';
import type { FilinglakeError } from '../../../src/core/index.ts';
import type { ExportDefinition } from '../../../src/export/index.ts';
import { ExportRuns, ensureTemporal, exitOfResult, type TemporalSession } from '../../../src/export/runtime/index.ts';
import { type Command, runCommand } from '../test-stack.ts';
import type { Ended } from './run-alone.ts';

const KEY = 'key';

export class TemporalRuns {
  readonly #home: string;
  readonly #session: TemporalSession;
  #worker: Command;
  #killed = 0;

  private constructor(home: string, session: TemporalSession) {
    this.#home = home;
    this.#session = session;
    this.#worker = this.#startWorker();
  }

  static async start(): Promise<TemporalRuns> {
    const home = mkdtempSync(join(tmpdir(), 'filinglake-fuzz-home-'));
    const settings = readSettings({ ...process.env, TEMPORAL_ADDRESS: '', FILINGLAKE_HOME: home });
    return new TemporalRuns(home, await ensureTemporal(settings));
  }

  /** SIGKILL; another one takes its place. */
  killWorker(): void {
    this.#killed++;
    this.#worker.process.kill('SIGKILL');
    this.#worker = this.#startWorker();
  }

  async run(definition: ExportDefinition, lake: string, only?: 'failures'): Promise<Ended> {
    const before = this.#killed;
    const runs = await ExportRuns.of(this.#session);
    try {
      const { handle } = await runs.start(definition, lake, KEY, only);
      const result = await runs.result(handle);
      return { exit: exitOfResult(result), error: null, result, killed: this.#killed - before };
    } catch (error) {
      const { code, message } = error as FilinglakeError;
      return { exit: 1, error: `${code ?? 'Error'}: ${message}`, result: null, killed: this.#killed - before };
    }
  }

  async close(): Promise<void> {
    this.#worker.process.kill('SIGTERM');
    await this.#worker.ended;
    await this.#session.release();
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 5 });
  }

  #startWorker(): Command {
    return runCommand(['worker', '--json'], { FILINGLAKE_HOME: this.#home, FILINGLAKE_API_KEY: KEY });
  }
}

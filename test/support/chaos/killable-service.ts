/** `filinglake serve` as a process of its own, on one port whatever happens to it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { CHECKOUT } from '../test-stack.ts';

export class KillableService {
  port = 0;
  isRunning = false;
  readonly #catalog: string;
  readonly #more: readonly string[];
  readonly #clockFile: string | undefined;
  #process: ReturnType<typeof spawn> | null = null;

  private constructor(catalog: string, more: readonly string[], clockFile?: string) {
    this.#catalog = catalog;
    this.#more = more;
    this.#clockFile = clockFile;
  }

  /** @param more options of the command. @param clockFile of a clock that jumps: `jumping-clock.ts` */
  static async start(catalog: string, more: readonly string[] = [], clockFile?: string): Promise<KillableService> {
    const service = new KillableService(catalog, more, clockFile);
    await service.restart();
    return service;
  }

  async restart(): Promise<void> {
    const args = [
      'serve',
      '--catalog',
      this.#catalog,
      '--port',
      String(this.port),
      '--strict-port',
      '--json',
      ...this.#more,
    ];
    const clock = this.#clockFile === undefined ? [] : ['--import', join(CHECKOUT, 'test/support/jumping-clock.ts')];
    const child = spawn(process.execPath, [...clock, join(CHECKOUT, 'src/cli/main.ts'), ...args], {
      cwd: CHECKOUT,
      env: { ...process.env, CLOCK_FILE: this.#clockFile },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.#process = child;
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    this.port = (JSON.parse(line.toString()) as { port: number }).port;
    this.isRunning = true;
  }

  /** `SIGSTOP`: it is stopped, with all that it holds. */
  signal(name: NodeJS.Signals): void {
    this.#process?.kill(name);
  }

  async kill(): Promise<void> {
    const child = this.#process;
    this.isRunning = false;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'close');
  }
}

/**
 * Statements of strangers over one version of a lake, in a process of their own: no file, network or setting is in reach, and time, memory
 * and rows are limited. A process that doesn't stop is killed, and the next statement starts another.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { FilinglakeError, isErrorCode } from '../../core/index.ts';
import type { FromSandbox, SandboxQuestion, ToSandbox } from './sandbox-messages.ts';

export interface SandboxLimits {
  readonly timeMs: number;
  readonly memoryBytes: number;
  readonly residentBytesMax: number;
  readonly rowsMax: number;
  /** Of all rows as JSON. */
  readonly charactersMax: number;
}

export const SANDBOX_LIMITS: SandboxLimits = {
  timeMs: 20_000,
  memoryBytes: 1024 * 2 ** 20,
  residentBytesMax: 2 * 2 ** 30,
  rowsMax: 10_000,
  charactersMax: 4_000_000,
};
/** How long an interrupted statement may take to stop. */
const GRACE_MS = 3_000;
const OPEN_MS = 60_000;
const THREADS = 2;
const ANSWERS_KEPT = 8;

export interface SandboxAnswer {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Each as JSON, an array of cells. */
  readonly rows: readonly string[];
  /** Of the rows, sorted and parted by line ends: the order of rows doesn't count. */
  readonly sha256: string;
}

interface Opened {
  readonly child: ChildProcess;
  readonly version: number;
  readonly ready: Promise<void>;
}

export class LakeSandbox {
  readonly #place: string;
  readonly #limits: SandboxLimits;
  #opened: Opened | null = null;
  /** One statement at a time: limits are those of a process. */
  #line: Promise<unknown> = Promise.resolve();
  #lastId = 0;
  /** Answers of late, so that pages of one answer need no second run. */
  readonly #answers = new Map<string, SandboxAnswer>();
  readonly #kept = new Set<string>();

  constructor(place: string, limits: Partial<SandboxLimits> = {}) {
    this.#place = place;
    this.#limits = { ...SANDBOX_LIMITS, ...limits };
  }

  /** Version of the kept results; null: nothing is kept. */
  get keptVersion(): number | null {
    return this.#kept.size === 0 ? null : (this.#opened?.version ?? null);
  }

  /**
   * @param keepAs keeps the rows as table `kept.NAME`, as long as statements read the same version
   * @throws FilinglakeError `sql-invalid`, `sql-refused`, `sql-limited`, `lake-version-unknown` …
   */
  async run(
    sql: string,
    { version, keepAs, signal }: { version: number; keepAs: string | null; signal: AbortSignal },
  ): Promise<SandboxAnswer> {
    const name = `${version} ${sql}`;
    const known = keepAs === null && !/\bkept\b/i.test(sql) ? this.#answers.get(name) : undefined;
    if (known) return known;
    const turn = this.#line.then(() => this.#run(sql, version, keepAs, signal));
    this.#line = turn.catch(() => undefined);
    const answer = await turn;
    this.#answers.set(name, answer);
    for (const old of this.#answers.keys()) if (this.#answers.size > ANSWERS_KEPT) this.#answers.delete(old);
    return answer;
  }

  async #run(sql: string, version: number, keepAs: string | null, signal: AbortSignal): Promise<SandboxAnswer> {
    signal.throwIfAborted();
    if (this.#opened !== null && this.#opened.version !== version) await this.close();
    this.#opened ??= this.#open(version);
    const { child, ready } = this.#opened;
    await ready;
    const { rowsMax, charactersMax, timeMs } = this.#limits;
    const question = { id: ++this.#lastId, sql, rowsMax, charactersMax, timeMs, keepAs };
    const { columns, rows } = await this.#ask(child, question, signal);
    if (keepAs !== null) this.#kept.add(keepAs);
    const sha256 = createHash('sha256')
      .update([...rows].sort().join('\n'))
      .digest('hex');
    return { columns, rows, sha256 };
  }

  #open(version: number): Opened {
    const file = new URL(`./sandbox-process${extname(import.meta.filename)}`, import.meta.url);
    const child = fork(file, {
      env: safeEnvironment(),
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: ['--max-old-space-size=1024'],
    });
    const { memoryBytes, residentBytesMax } = this.#limits;
    const options = { place: this.#place, version, memoryBytes, residentBytesMax, threads: THREADS };
    const ready = new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => child.kill('SIGKILL'), OPEN_MS);
      child.once('message', (message: FromSandbox) => {
        clearTimeout(timer);
        if (message.kind === 'opened') resolve();
        else reject(message.kind === 'failed' ? failureOf(message) : limit('the process of the sandbox is confused'));
      });
      child.once('exit', () => {
        clearTimeout(timer);
        reject(limit('the process for statements did not start'));
      });
    });
    ready.catch(() => this.#drop(child));
    child.once('exit', () => this.#drop(child));
    child.send({ kind: 'open', options } satisfies ToSandbox);
    // A session that waits for its client doesn't wait for this process.
    child.unref();
    child.channel?.unref();
    return { child, version, ready };
  }

  #ask(child: ChildProcess, question: SandboxQuestion, signal: AbortSignal) {
    return new Promise<{ columns: SandboxAnswer['columns']; rows: string[] }>((resolve, reject) => {
      child.channel?.ref();
      const timer = setTimeout(() => child.kill('SIGKILL'), question.timeMs + GRACE_MS);
      const abort = () => child.kill('SIGKILL');
      signal.addEventListener('abort', abort, { once: true });
      const settle = (then: () => void) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
        child.off('message', onMessage).off('exit', onExit);
        child.channel?.unref();
        then();
      };
      const onMessage = (message: FromSandbox) => {
        if (message.kind === 'opened' || message.id !== question.id) return;
        settle(() => (message.kind === 'rows' ? resolve(message) : reject(failureOf(message))));
      };
      const onExit = () =>
        settle(() => reject(limit('the statement used too much time or memory: its process was ended')));
      child.on('message', onMessage).once('exit', onExit);
      child.send({ kind: 'ask', ...question } satisfies ToSandbox);
    });
  }

  #drop(child: ChildProcess): void {
    if (this.#opened?.child !== child) return;
    this.#opened = null;
    this.#kept.clear();
    child.kill('SIGKILL');
  }

  async close(): Promise<void> {
    const child = this.#opened?.child;
    if (!child) return;
    child.ref();
    const ended = new Promise((resolve) => child.once('exit', resolve));
    this.#drop(child);
    if (child.exitCode === null && child.signalCode === null) await ended;
  }
}

/** What Node, temporary files and buckets need: no key of a service. */
function safeEnvironment(): NodeJS.ProcessEnv {
  const kept =
    /^(PATH|HOME|TMPDIR|TEMP|TMP|SystemRoot|LANG|LC_.*|TZ|AWS_.*|NODE_COMPILE_CACHE|NODE_EXTRA_CA_CERTS|FILINGLAKE_S3.*|FILINGLAKE_CACHE|FILINGLAKE_HOME)$/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => kept.test(name)));
}

function limit(message: string): FilinglakeError {
  return new FilinglakeError('sql-limited', message);
}

function failureOf({ code, message, remedy }: Extract<FromSandbox, { kind: 'failed' }>): FilinglakeError {
  return new FilinglakeError(isErrorCode(code) ? code : 'sql-invalid', message, { remedy });
}

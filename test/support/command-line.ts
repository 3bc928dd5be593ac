/** A `filinglake` command in the process of the test: for all that is not about the process itself (signals, pipes, kills). */
import { Readable } from 'node:stream';

export interface Given {
  /** Folder that the command is called in. */
  cwd?: string;
  /** Standard input. */
  input?: string;
  /** Variables of the environment besides those of the test; undefined: not set. */
  env?: Readonly<Record<string, string | undefined>>;
}

export interface Ended {
  /** Exit code. */
  status: number;
  stdout: string;
  stderr: string;
  /** Standard output, undecoded. */
  bytes: Buffer;
  /** Standard output's lines of JSON. */
  events: Record<string, unknown>[];
}

let previous: Promise<unknown> = Promise.resolve();

/** Commands take turns: working folder, environment and exit code belong to the process. */
export function commandLine(args: readonly string[], given: Given = {}): Promise<Ended> {
  const turn = previous.then(() => run(args, given));
  previous = turn.catch(() => {});
  return turn;
}

async function run(args: readonly string[], { cwd = process.cwd(), input = '', env = {} }: Given): Promise<Ended> {
  const restore: (() => void)[] = [];
  const out = capture(process.stdout, restore);
  const err = capture(process.stderr, restore);
  const { exitCode } = process;
  const folder = process.cwd();
  const { stdin } = process;
  try {
    setVariables({ NO_COLOR: '1', FORCE_COLOR: undefined, ...env }, restore);
    process.chdir(cwd);
    process.exitCode = undefined;
    Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(input)]), configurable: true });
    // Loaded here, so that its colours are those of this environment.
    const { runCommandLine } = await import('../../src/cli/run-command-line.ts');
    await runCommandLine(args);
    const bytes = Buffer.concat(out);
    const stdout = bytes.toString();
    return {
      status: Number(process.exitCode ?? 0),
      stdout,
      stderr: Buffer.concat(err).toString(),
      bytes,
      get events() {
        return stdout.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
      },
    };
  } finally {
    Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
    process.exitCode = exitCode;
    process.chdir(folder);
    for (const put of restore) put();
  }
}

/** What is written to a stream from now on. */
function capture(stream: NodeJS.WriteStream, restore: (() => void)[]): Buffer[] {
  const chunks: Buffer[] = [];
  const { write } = stream;
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk));
    const done = rest.find((one) => typeof one === 'function') as (() => void) | undefined;
    if (done) process.nextTick(done);
    return true;
  };
  restore.push(() => {
    stream.write = write;
  });
  return chunks;
}

function setVariables(variables: Readonly<Record<string, string | undefined>>, restore: (() => void)[]): void {
  for (const [name, value] of Object.entries(variables)) {
    const before = process.env[name];
    const put = (text: string | undefined) => {
      if (text === undefined) delete process.env[name];
      else process.env[name] = text;
    };
    put(value);
    restore.push(() => put(before));
  }
}

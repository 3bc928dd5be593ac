/** Runs a program to its end and keeps its output: for short helpers such as `temporal --version` and pip. */
import { spawn } from 'node:child_process';

interface ProgramOutcome {
  /** Exit code; null if it could not be started, a signal ended it, or it timed out. */
  code: number | null;
  stdout: string;
  /** Its output, or why it could not be started or was ended. */
  stderr: string;
}

const MAX_KEPT_CHARACTERS = 64 * 1024;

/** Never rejects: a missing program is an outcome too. */
export function spawnProgram(
  program: string,
  args: readonly string[],
  options: { timeoutMs: number; env?: Readonly<Record<string, string | undefined>> },
): Promise<ProgramOutcome> {
  return new Promise((settle) => {
    let stdout = '';
    let stderr = '';
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: options.timeoutMs,
      killSignal: 'SIGKILL',
      ...(options.env ? { env: options.env as NodeJS.ProcessEnv } : {}),
    });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout = (stdout + text).slice(-MAX_KEPT_CHARACTERS);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-MAX_KEPT_CHARACTERS);
    });
    child.on('error', (error) => settle({ code: null, stdout, stderr: error.message }));
    child.on('close', (code, signal) =>
      settle({ code, stdout, stderr: signal ? `${stderr}\nended by ${signal}`.trim() : stderr }),
    );
  });
}

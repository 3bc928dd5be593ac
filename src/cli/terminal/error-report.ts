/** An error as people see it: what happened, what to do, and the exit code that says which kind. */
import { CommanderError } from 'commander';
import { EXIT, FilinglakeError } from '../../core/index.ts';
import { errorColours } from './colours.ts';

/**
 * Writes the error to stderr: as text, or with `FILINGLAKE_ERRORS=json` as a JSON object a line.
 * @returns the exit code that belongs to it
 */
export function reportError(error: unknown): number {
  const asJson = process.env.FILINGLAKE_ERRORS === 'json';
  if (error instanceof CommanderError) {
    const exitCode = error.exitCode === 0 ? EXIT.complete : EXIT.usage;
    // Commander has written its text already.
    if (asJson && exitCode !== EXIT.complete) writeJson('usage', error.message.replace(/^error: /, ''), null, exitCode);
    return exitCode;
  }
  if (error instanceof FilinglakeError) {
    for (const { code, message, remedy } of [error, ...error.others]) {
      if (asJson) writeJson(code, message, remedy, error.exitCode);
      else writeText(message, remedy);
    }
    return error.exitCode;
  }
  const detail = `unexpected: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  if (asJson) writeJson('unexpected', detail, null, EXIT.error);
  else writeText(detail, null);
  return EXIT.error;
}

function writeText(message: string, remedy: string | null): void {
  process.stderr.write(`${errorColours.red('error:')} ${message}\n`);
  if (remedy) process.stderr.write(`       ${remedy}\n`);
}

function writeJson(code: string, message: string, remedy: string | null, exitCode: number): void {
  process.stderr.write(`${JSON.stringify({ error: { code, exit_code: exitCode, message, remedy } })}\n`);
}

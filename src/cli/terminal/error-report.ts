/** An error for people: what happened, what to do, and the exit code. */
import { CommanderError } from 'commander';
import { ERRORS, type ErrorCode, EXIT, FilinglakeError } from '../../core/index.ts';
import { errorColours } from './colours.ts';

/** Writes the error to stderr: text, or with `FILINGLAKE_ERRORS=json` a line of JSON. @returns its exit code */
export function reportError(error: unknown): number {
  // What ended by it failed too: what went wrong first says more.
  if (error instanceof SuppressedError) return reportError(error.suppressed);
  const asJson = process.env.FILINGLAKE_ERRORS === 'json';
  if (error instanceof CommanderError) {
    const exitCode = error.exitCode === 0 ? EXIT.complete : EXIT.usage;
    // Commander has printed its text already.
    if (asJson && exitCode !== EXIT.complete)
      writeJson('argument-invalid', error.message.replace(/^error: /, ''), ERRORS['argument-invalid'].remedy);
    return exitCode;
  }
  if (error instanceof FilinglakeError) {
    const all = [error, ...error.others];
    for (const [i, { code, message, remedy }] of all.entries()) {
      if (asJson) writeJson(code, message, remedy, error.exitCode);
      // Mistakes with the same remedy share it: it follows the last of them.
      else writeText(message, remedy === all[i + 1]?.remedy ? null : remedy);
    }
    return error.exitCode;
  }
  const detail = `unexpected: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  if (asJson) writeJson('error-unexpected', detail, ERRORS['error-unexpected'].remedy);
  else writeText(detail, ERRORS['error-unexpected'].remedy);
  return EXIT.error;
}

function writeText(message: string, remedy: string | null): void {
  process.stderr.write(`${errorColours.red('error:')} ${message}\n`);
  if (remedy) process.stderr.write(`       ${remedy}\n`);
}

function writeJson(code: ErrorCode, message: string, remedy: string, exitCode = ERRORS[code].exitCode): void {
  process.stderr.write(`${JSON.stringify({ error: { code, exit_code: exitCode, message, remedy } })}\n`);
}

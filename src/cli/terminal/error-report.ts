/** An error as people see it: what happened, what to do, and the exit code that says which kind. */
import { CommanderError } from 'commander';
import { EXIT, FilinglakeError } from '../../core/index.ts';
import { errorColours } from './colours.ts';

/** Writes the error to stderr. @returns the exit code that belongs to it */
export function reportError(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.complete : EXIT.usage;
  if (error instanceof FilinglakeError) {
    for (const { message, remedy } of [error, ...error.others]) {
      process.stderr.write(`${errorColours.red('error:')} ${message}\n`);
      if (remedy) process.stderr.write(`       ${remedy}\n`);
    }
    return error.exitCode;
  }
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${errorColours.red('error:')} unexpected: ${detail}\n`);
  return EXIT.error;
}

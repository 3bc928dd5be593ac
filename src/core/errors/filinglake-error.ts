/** The error that users see. */
import type { ExitCode } from './exit-codes.ts';
import { ERRORS, type ErrorCode } from './table.ts';

/** An error with a code of the table, an exit code, and a remedy for people. */
export class FilinglakeError extends Error {
  override name = 'FilinglakeError';
  readonly code: ErrorCode;
  readonly exitCode: ExitCode;
  readonly remedy: string;
  /** Other mistakes in the same input. */
  readonly others: readonly FilinglakeError[];

  /**
   * @param message what happened, to which input
   * @param options `remedy` replaces the table's remedy, for example to name the input. `exitCode` is only for a run in another
   * process: its code may be unknown here, or it stopped for one of several reasons.
   */
  constructor(
    code: ErrorCode,
    message: string,
    options: { remedy?: string; cause?: unknown; others?: readonly FilinglakeError[]; exitCode?: ExitCode } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.exitCode = options.exitCode ?? ERRORS[code].exitCode;
    this.remedy = options.remedy ?? ERRORS[code].remedy;
    this.others = options.others ?? [];
  }
}

/** The wording for every refused value: `--limit must be a whole number from 1 to 1,000, not "x"`. */
export function invalidValue(
  code: 'argument-invalid' | 'setting-invalid',
  name: string,
  expected: string,
  given: string,
  remedy?: string,
): FilinglakeError {
  return new FilinglakeError(code, `${name} must be ${expected}, not "${given}"`, { ...(remedy && { remedy }) });
}

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
   * @param options `remedy`: one that names the input, instead of the table's; `exitCode`: only of a run that another
   * process did, which may know other codes or has stopped for one of several reasons
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

/** The one wording of a value that is refused: `--limit must be a whole number from 1 to 1,000, not "x"`. */
export function invalidValue(
  code: 'argument-invalid' | 'setting-invalid',
  name: string,
  expected: string,
  given: string,
  remedy?: string,
): FilinglakeError {
  return new FilinglakeError(code, `${name} must be ${expected}, not "${given}"`, { ...(remedy && { remedy }) });
}

/** The table of errors: every code, its exit code, its meaning and its remedy. docs/reference/errors.md is made from it. */
import { ACCOUNT_ERRORS } from './accounts.ts';
import { AGENT_ERRORS } from './agents.ts';
import { CATALOG_ERRORS } from './catalog.ts';
import { CLIENT_ERRORS } from './client.ts';
import { COMMAND_ERRORS } from './command.ts';
import { EDGAR_ERRORS } from './edgar.ts';
import { type ErrorsByExit, EXIT, type ExitCode } from './exit-codes.ts';
import { EXPORT_ERRORS } from './export.ts';
import { LAKE_ERRORS } from './lake.ts';
import { TEMPORAL_ERRORS } from './temporal.ts';

/** By area, in the order of the documentation. */
export const ERROR_AREAS = {
  'Commands and files': COMMAND_ERRORS,
  'Exports, runs and schedules': EXPORT_ERRORS,
  'Requests to a service': CLIENT_ERRORS,
  Lakes: LAKE_ERRORS,
  'Catalogs and their service': CATALOG_ERRORS,
  'Accounts of a service': ACCOUNT_ERRORS,
  'EDGAR and its files': EDGAR_ERRORS,
  Temporal: TEMPORAL_ERRORS,
  'Tools for agents': AGENT_ERRORS,
} as const satisfies Readonly<Record<string, ErrorsByExit>>;

type CodesOf<Area> = Area extends unknown ? { [Exit in keyof Area]: keyof Area[Exit] }[keyof Area] : never;
export type ErrorCode = CodesOf<(typeof ERROR_AREAS)[keyof typeof ERROR_AREAS]> & string;

export interface ErrorEntry {
  exitCode: ExitCode;
  meaning: string;
  remedy: string;
  /** The service's HTTP status for the error; null: the service never answers with it. */
  httpStatus: number | null;
}

/** The errors of one area, or of several, in their order. */
export function errorsOf(area: ErrorsByExit): [code: ErrorCode, entry: ErrorEntry][] {
  return Object.entries(area).flatMap(([exit, errors]) =>
    Object.entries(errors).map(([code, [meaning, remedy, httpStatus = null]]): [ErrorCode, ErrorEntry] => [
      code as ErrorCode,
      { exitCode: EXIT[exit as keyof typeof EXIT], meaning, remedy, httpStatus },
    ]),
  );
}

export const ERRORS = Object.fromEntries(Object.values(ERROR_AREAS).flatMap(errorsOf)) as Record<ErrorCode, ErrorEntry>;

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERRORS, text);
}

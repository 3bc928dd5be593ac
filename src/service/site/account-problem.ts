/** Errors of accounts as answers: the table of errors has their status. */
import { ERRORS, FilinglakeError, type HttpStatus } from '../../core/index.ts';
import { ServiceProblem, unavailable } from '../answers/problem.ts';
import { isWriteFailure } from '../catalog/index.ts';

const RETRY_AFTER_S: Readonly<Partial<Record<number, number>>> = { 429: 60, 503: 5 };

/** @returns the error itself if it is not one that the caller should see */
export function accountProblem(error: unknown): unknown {
  if (isWriteFailure(error)) return unavailable('the accounts can not be written', RETRY_AFTER_S[503]!);
  if (!(error instanceof FilinglakeError)) return error;
  const status = ERRORS[error.code].httpStatus;
  if (status === null) return error;
  const seconds = RETRY_AFTER_S[status];
  const headers = seconds === undefined ? {} : { 'retry-after': String(seconds) };
  return new ServiceProblem(status as HttpStatus, error.message, { headers, cause: error });
}

import { describe, expect, it } from 'vitest';
import { FilinglakeError } from '../../../src/core/index.ts';
import { accountProblem } from '../../../src/service/site/account-problem.ts';

const SQLITE_FULL = 13;
const SQLITE_IOERR_WRITE = 778;

describe('an error of accounts', () => {
  it.each([SQLITE_FULL, SQLITE_IOERR_WRITE])(
    'of a disk that is full or fails (%i) is 503, for a later try',
    (errcode) => {
      const error = Object.assign(new Error('database or disk is full'), { errcode });
      expect(accountProblem(error)).toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    },
  );

  it('has the status of the table of errors', () => {
    expect(accountProblem(new FilinglakeError('attempts-exceeded', 'too many'))).toMatchObject({ status: 429 });
    const other = new Error('another');
    expect(accountProblem(other)).toBe(other);
  });
});

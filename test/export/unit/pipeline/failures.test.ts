/** What of an activity's errors the workflow tries again. */
import type { ApplicationFailure } from '@temporalio/common';
import { describe, expect, it } from 'vitest';
import { activityFailure } from '../../../../activities/activity-failure.ts';
import { type ErrorCode, FilinglakeError } from '../../../../src/core/index.ts';
import { NOTHING_SENT } from '../../../../src/export/client/index.ts';

const failureOf = (code: ErrorCode, attempt: number) =>
  activityFailure(new FilinglakeError(code, 'it went wrong'), attempt, NOTHING_SENT) as ApplicationFailure;

describe('an error that an activity ends with', () => {
  it.each(['part-vanished', 'lake-busy'] as const)('is retried if another writer of the lake caused it: %s', (code) => {
    expect(failureOf(code, 1)).toMatchObject({ type: code, nonRetryable: false });
    expect(failureOf(code, 4)).toMatchObject({ nonRetryable: false });
    // At last it is the lake's own trouble.
    expect(failureOf(code, 5)).toMatchObject({ nonRetryable: true });
  });

  it('is final if its origin has retried', () => {
    expect(failureOf('lake-full', 1)).toMatchObject({ nonRetryable: true });
  });
});

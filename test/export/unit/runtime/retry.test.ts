/** When refused calls of Temporal are sent again. */
import { status } from '@grpc/grpc-js';
import { defaultGrpcRetryOptions } from '@temporalio/client';
import { describe, expect, it } from 'vitest';
import { spreadRetries } from '../../../../src/export/runtime/temporal/retry.ts';

const delays = (details: string, random: number) => {
  const { delayFunction } = spreadRetries(defaultGrpcRetryOptions({ maxJitter: 0 }), () => random);
  const refused = { code: status.RESOURCE_EXHAUSTED, details, metadata: null as never };
  return [1, 2, 3, 6].map((attempt) => delayFunction(attempt, refused));
};

describe('a call that Temporal refused', () => {
  it.each([
    'limit on number of concurrent in-flight updates has been reached (10)',
    'workflow update was aborted',
    'Update-with-Start could not be executed.',
  ])('because of a busy workflow is sent again at any moment of a growing span: %s', (details) => {
    expect(delays(details, 0)).toEqual([0, 0, 0, 0]);
    expect(delays(details, 1)).toEqual([2_000, 4_000, 8_000, 16_000]);
  });

  it('for another reason is sent again when the SDK says', () => {
    expect(delays('namespace rate limit exceeded', 0.5)).toEqual([1_700, 1.7 ** 2 * 1000, 1.7 ** 3 * 1000, 5_000]);
  });
});

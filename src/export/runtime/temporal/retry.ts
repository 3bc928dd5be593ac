/**
 * When calls of Temporal are sent again. The SDK repeats a refused call after fixed times, with a little randomness. Callers that
 * were refused together would collide again: one update too many aborts all updates in flight, so none would succeed.
 */
import type { GrpcRetryOptions } from '@temporalio/client';

type Status = Parameters<GrpcRetryOptions['delayFunction']>[1];

/** The server itself repeats such a call for about a second before it refuses it. */
const FIRST_MS = 2_000;
const MOST_MS = 16_000;

/** Temporal's messages for a busy workflow: too many updates; these updates were aborted; a workflow is locked. */
const BUSY = [
  /in-flight updates/,
  /update was aborted/,
  /Update-with-Start could not be executed/,
  /[Ww]orkflow is busy/,
] as const;

/** A busy workflow is called again at a random time, within a span that doubles each time; a closed channel never. @param random 0 to 1 */
export function spreadRetries(defaults: GrpcRetryOptions, random: () => number = Math.random): GrpcRetryOptions {
  return {
    ...defaults,
    // The SDK would call a closed channel again, which ends the process.
    retryableDecider: (attempt, status) =>
      !status.details.startsWith('Channel closed') && defaults.retryableDecider(attempt, status),
    delayFunction: (attempt: number, status: Status) =>
      BUSY.some((text) => text.test(status.details))
        ? random() * Math.min(MOST_MS, FIRST_MS * 2 ** (attempt - 1))
        : defaults.delayFunction(attempt, status),
  };
}

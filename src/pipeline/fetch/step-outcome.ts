/** What became of a step: one decision, made of what the service answered. */
import type { Step } from '../../export/index.ts';
import type { Verdict } from '../failures/failures.ts';

/**
 * `done`: its rows are delivered. `absent`: the service has none, and that is final. `failed`: recorded, and tried again by the next run.
 * `held`: recorded only when the operation is known to answer others; until then the service may be at fault.
 */
export type StepOutcomeKind = 'done' | 'absent' | 'failed' | 'held';

/** What is known of a request that failed. */
export interface FailedRequest {
  readonly step: Step['step'];
  /** Not `stopped` or `fatal`: those end the activity. */
  readonly verdict: Exclude<Verdict, 'stopped' | 'fatal'>;
  /** A 404 without an error of the service in it, as gateways send it too. */
  readonly isUnexplained: boolean;
  /** Refused for its size: says nothing of the operation, and mostly wasn't requested. */
  readonly isOfSize: boolean;
  /** A completed run has reported the same failure. */
  readonly isReported: boolean;
}

export interface StepDecision {
  readonly kind: Exclude<StepOutcomeKind, 'done'>;
  /** What it is recorded as, once it is recorded. */
  readonly as: 'absent' | 'failed';
  /** What the circuit breaker learns of the operation; null: nothing. */
  readonly breaker: 'answered' | 'failed' | null;
}

export function decideFailedStep(request: FailedRequest): StepDecision {
  const { step, verdict, isUnexplained, isOfSize, isReported } = request;
  // That there are no sections is an answer; that a document or a filing which was named is missing may be made good.
  const as = verdict === 'absent' && step === 'sections' ? 'absent' : 'failed';
  if (verdict === 'suspect' || (verdict === 'absent' && isUnexplained)) return { kind: 'held', as, breaker: null };
  if (verdict === 'absent') return { kind: as, as, breaker: 'answered' };
  return { kind: 'failed', as: 'failed', breaker: isReported || isOfSize ? null : 'failed' };
}

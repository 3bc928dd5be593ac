/** The outcome of a step, decided from the service's answer. */
import type { Step } from '../../selectors/index.ts';
import type { Verdict } from '../failures/verdict.ts';

/**
 * - `done`: its rows are written.
 * - `absent`: the service has none. It is requested again while the filing is young.
 * - `failed`: a failure is recorded. The next run requests it again.
 * - `held`: the service may be at fault. It is recorded when the operation has answered others.
 */
export type StepOutcomeKind = 'done' | 'absent' | 'failed' | 'held';

/** What is known of a failed request. */
export interface FailedRequest {
  readonly step: Step['step'];
  /** Not `stopped` or `fatal`: those end the activity. */
  readonly verdict: Exclude<Verdict, 'stopped' | 'fatal'>;
  /** A 404 without an error of the service in it. Gateways send such ones too. */
  readonly isUnexplained: boolean;
  /** Refused for its size. Usually no request was sent, so the operation is not blamed. */
  readonly isOfSize: boolean;
  /** The service answered, and its document can't be used: the fault of the data. */
  readonly isAnswered?: boolean;
  /** A completed run has reported the same failure. */
  readonly isReported: boolean;
  /** The lake has the document, and filing_info lists it no more. */
  readonly isUnlisted?: boolean;
  /** Another answer says that the service has it. */
  readonly isListed?: boolean | undefined;
}

export interface StepDecision {
  readonly kind: Exclude<StepOutcomeKind, 'done'>;
  /** The failure to record, if it is recorded. */
  readonly as: 'absent' | 'failed';
  /** What the circuit breaker learns of the operation; null if nothing. */
  readonly breaker: 'answered' | 'failed' | null;
}

export function decideFailedStep(request: FailedRequest): StepDecision {
  const {
    step,
    verdict,
    isUnexplained,
    isOfSize,
    isAnswered = false,
    isReported,
    isListed = false,
    isUnlisted = false,
  } = request;
  // "No sections" is an answer. A missing document, filing or section that was named elsewhere may appear later.
  const mayLack = isUnlisted || (step === 'sections' && !isListed);
  const as = verdict === 'absent' && mayLack ? 'absent' : 'failed';
  if (verdict === 'suspect' || (verdict === 'absent' && isUnexplained)) return { kind: 'held', as, breaker: null };
  if (isAnswered) return { kind: 'failed', as: 'failed', breaker: 'answered' };
  if (verdict === 'absent') return { kind: as, as, breaker: 'answered' };
  return { kind: 'failed', as: 'failed', breaker: isReported || isOfSize ? null : 'failed' };
}

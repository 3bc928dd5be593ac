/** What every operation is: a function of a store and checked parameters, without HTTP. Runs in a reader thread. */

import type { OperationName } from '../../api/index.ts';
import type { Outcome } from '../answers/outcome.ts';
import type { ParametersOf } from '../requests/parameters.ts';
import type { FilingStore } from '../store.ts';

export interface OperationContext {
  store: FilingStore;
  /** The request's Accept header */
  accept: string | undefined;
  /** The caller takes zstd: a stored frame may go out as it is */
  takesZstd: boolean;
  /** Of a page's JSON: beyond, it is cut short */
  maxResponseBytes: number;
  /** Called before work on so many bytes of documents: a job in too small a lane then starts anew in another */
  requireLaneFor: (bytes: number) => void;
  /** The request's If-None-Match: an answer that the caller has needs no work */
  ifNoneMatch: string | undefined;
  /** HEAD: only what the headers say is asked for */
  headOnly: boolean;
}

/** Throws ServiceProblem for what the caller has to hear. */
export type Operation<Name extends OperationName> = (
  parameters: ParametersOf<Name>,
  context: OperationContext,
) => Outcome;

/** What every operation is: a function of a store and checked parameters, without HTTP. Runs in a reader thread. */

import type { OperationName } from '../../contract/index.ts';
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
}

/** Throws ServiceProblem for what the caller has to hear. */
export type Operation<Name extends OperationName> = (
  parameters: ParametersOf<Name>,
  context: OperationContext,
) => Outcome;

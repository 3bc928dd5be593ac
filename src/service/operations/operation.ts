/** An operation as reader threads run it: from a store and checked parameters to an answer, without HTTP. */

import type { OperationName, ParametersOf } from '../../api/index.ts';
import type { CatalogQueries } from '../../catalog/index.ts';
import type { Outcome } from '../answers/outcome.ts';
import type { Lane } from '../readers/work-limits.ts';

export interface OperationContext {
  store: CatalogQueries;
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
  /** HEAD: only the headers are needed */
  headOnly: boolean;
}

export interface ReaderOperation<Name extends OperationName> {
  /** The lane in which its jobs start; longer pages start in `long` */
  lane: Lane;
  /** From arrival to answer, waiting included: beyond, 503 */
  deadlineMs: number;
  /** @throws ServiceProblem with what the caller has to hear */
  answer(parameters: ParametersOf<Name>, context: OperationContext): Outcome;
}

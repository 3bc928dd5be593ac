/** An operation as reader threads run it: from a store and checked parameters to an answer, without HTTP. */
import type { AccessionNumber, OperationName, ParametersOf } from '../../filings/api/index.ts';
import type { Outcome } from '../answers/outcome.ts';
import type { CatalogQueries } from '../catalog/index.ts';
import type { Lane } from './work-limits.ts';

/** Of `statements` and `form`. */
export interface FilingParameters {
  accession_number: AccessionNumber;
  /** Of `form`: all rows of this table as CSV, in place of the parts */
  table?: string;
}

/** Operations of /v2, and what pages alone ask for. */
export type JobName = OperationName | 'statements' | 'form' | 'search_facets';
export type JobParameters<Name extends JobName> = Name extends OperationName
  ? ParametersOf<Name>
  : Name extends 'statements' | 'form'
    ? FilingParameters
    : ParametersOf<'fulltext_search'>;

export interface OperationContext {
  store: CatalogQueries;
  /** The request's Accept header */
  accept: string | undefined;
  /** The caller accepts zstd: a stored frame can be sent unchanged */
  takesZstd: boolean;
  /** Maximum bytes of a page's JSON. A longer page is cut short */
  maxResponseBytes: number;
  /** Called before work on this many bytes of documents. A job in too small a lane then starts again in another */
  requireLaneFor: (bytes: number) => void;
  /** The request's If-None-Match: if the caller has the answer, no work is done */
  ifNoneMatch: string | undefined;
  /** HEAD: only the headers are needed */
  headOnly: boolean;
  /** The deadline of the job, in milliseconds from its arrival */
  limitMs?: number;
}

export interface ReaderOperation<Name extends JobName> {
  /** The lane in which its jobs start; longer pages start in `long` */
  lane: Lane;
  /** Maximum time from arrival to answer, with waiting; then 503 */
  deadlineMs: number;
  /** Called before `answer`, if it needs modules that are not loaded yet */
  load?: () => Promise<void>;
  /** @throws ServiceProblem with the message for the caller */
  answer(parameters: JobParameters<Name>, context: OperationContext): Outcome;
}

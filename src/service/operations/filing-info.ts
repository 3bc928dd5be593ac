/** GET /v2/filing_info: docs/api.md#filing_info. */
import type { AccessionNumber, FilingInfo } from '../../filings/api/index.ts';
import { jsonOutcome } from '../answers/outcome.ts';
import { notFound, type ServiceProblem } from '../answers/problem.ts';
import type { CatalogQueries } from '../catalog/index.ts';
import type { ReaderOperation } from './operation.ts';

export const filingInfo: ReaderOperation<'filing_info'> = {
  lane: 'short',
  deadlineMs: 15_000,
  answer(parameters, { store, requireLaneFor }) {
    const json = store.filingInfoJson(parameters.accession_number!, requireLaneFor);
    if (json === null) throw filingNotFound(parameters.accession_number!);
    return jsonOutcome(json, { tagged: true });
  },
};

/** @throws ServiceProblem 404 */
export function requireFiling(store: CatalogQueries, accessionNumber: AccessionNumber): FilingInfo {
  const filing = store.filing(accessionNumber);
  if (filing === null) throw filingNotFound(accessionNumber);
  return filing;
}

function filingNotFound(accessionNumber: AccessionNumber): ServiceProblem {
  return notFound(`filing ${accessionNumber} was not found`);
}

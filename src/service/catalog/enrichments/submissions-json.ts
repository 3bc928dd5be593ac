/** SEC's own record of an entity, and when EDGAR accepted its filings. */
import { acceptanceTimes, submissionsJsonKind } from '../../../filings/edgar/index.ts';
import { enrichment } from './enrichment.ts';

export const submissionsJson = enrichment(
  submissionsJsonKind,
  ['file of submissions JSON', 'files of submissions JSON'],
  (json, { entities, stateAcceptances }) => {
    const dated = stateAcceptances(acceptanceTimes(json));
    return entities.submissions(json) || dated;
  },
);

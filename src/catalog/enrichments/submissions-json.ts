/** SEC's own record of an entity. */
import { submissionsJsonKind } from '../../edgar/index.ts';
import { enrichment } from './enrichment.ts';

export const submissionsJson = enrichment(
  submissionsJsonKind,
  ['file of submissions JSON', 'files of submissions JSON'],
  (json, { entities }) => entities.submissions(json),
);

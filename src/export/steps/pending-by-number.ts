/** Pending steps of filings that are known only by their accession numbers. */
import type { Filing } from '../../filings/api/index.ts';
import type { ExportDefinition } from '../definition/index.ts';
import type { Step } from '../selectors/index.ts';
import { isRefreshed } from './asked-again.ts';
import { type CoveredStep, stepsNotCovered } from './pending-steps.ts';
import { selectorCovers } from './steps.ts';

/**
 * The steps of a filing that the lake has. Its row describes it. Steps of an older revision than the row's are pending.
 * @param filing from the lake's rows
 * @param covered with its step `filing`
 */
export function pendingByNumber(
  definition: ExportDefinition,
  filing: Filing,
  covered: ReadonlyMap<string, CoveredStep>,
  today: string | null = null,
): Step[] {
  // Documents that the lookup didn't write can only come from filing_info.
  const lacksDocuments =
    definition.tables.includes('documents') && !selectorCovers(covered.get('filing')!.selector, 'documents');
  const asked = lacksDocuments ? { ...definition, documents: { ...definition.documents, sizes: true } } : definition;
  const isOfRefresh = today !== null && isRefreshed(definition, filing, today);
  return stepsNotCovered(asked, filing, covered, covered.get('filing')!.revision, null, isOfRefresh);
}

/** What filings that were listed by their accession numbers owe, without a lookup's record of them. */
import type { Filing } from '../../api/index.ts';
import type { ExportDefinition } from '../definition/definition.ts';
import { type CoveredStep, stepsNotCovered } from './pending-steps.ts';
import type { Step } from './step.ts';
import { selectorCovers } from './steps.ts';

/**
 * The steps of a filing that the lake has: it is known as its row is. Steps of an older revision than the row's are asked again.
 * @param filing from the lake's own rows
 * @param covered with its step `filing`
 */
export function pendingByNumber(
  definition: ExportDefinition,
  filing: Filing,
  covered: ReadonlyMap<string, CoveredStep>,
): Step[] {
  // Documents that the lookup wasn't to write can come from filing_info only.
  const lacksDocuments =
    definition.tables.includes('documents') && !selectorCovers(covered.get('filing')!.selector, 'documents');
  const asked = lacksDocuments ? { ...definition, documents: { ...definition.documents, sizes: true } } : definition;
  return stepsNotCovered(asked, filing, covered, covered.get('filing')!.revision);
}

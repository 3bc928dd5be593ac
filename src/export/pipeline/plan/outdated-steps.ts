/**
 * Steps that a changed lookup record outdates although the filing's revision is the same. Coverage then has another revision for
 * them, so that any export that needs them fetches them again, in this run or a later one.
 */
import type { Filing } from '../../../filings/api/index.ts';
import { revisionOf } from '../../revisions/index.ts';
import type { CoveredStep } from '../../steps/index.ts';
import { tablesOfSelector } from '../coverage/coverage.ts';

/** A revision that no record has. */
const OUTDATED = 'outdated.outdated.outdated';

/** @param before the filing in the lake @returns its coverage, with the steps that must be fetched again */
export function withOutdatedSteps(
  filing: Filing,
  before: Filing,
  covered: ReadonlyMap<string, CoveredStep>,
): ReadonlyMap<string, CoveredStep> {
  // A service that states revisions shows by them which filings have changed. A first revision has nothing to compare with.
  if (isStated(revisionOf(filing)) && isStated(covered.get('filing')?.revision ?? '')) return covered;
  const isOfOtherSize = filing.size !== null && before.size !== null && filing.size !== before.size;
  const hasOtherDocument = saidOf(filing) !== saidOf({ ...before, documents: amongThese(filing, before) });
  const isOfOtherOwner = filing.cik !== null && before.cik !== null && filing.cik !== before.cik;
  const isOutdated = (step: string, { selector }: CoveredStep) => {
    if (isOfOtherSize || step !== 'info') return isOfOtherSize;
    const tables = tablesOfSelector('info', selector);
    return (isOfOtherOwner && tables.includes('parties')) || (hasOtherDocument && tables.includes('documents'));
  };
  if (!isOfOtherSize && !isOfOtherOwner && !hasOtherDocument) return covered;
  return new Map(
    [...covered].map(([step, of]) =>
      step === 'filing' || of.isOwn || of.status === 'failed' || !isOutdated(step, of)
        ? [step, of]
        : [step, { ...of, revision: OUTDATED }],
    ),
  );
}

/** Whether the service has stated a revision: the fourth member. */
function isStated(revision: string): boolean {
  return revision.split('.').length === 4;
}

function amongThese({ documents }: Filing, before: Filing): Filing['documents'] {
  const ids = new Set(documents.map(({ document_id }) => document_id));
  return before.documents.filter(({ document_id }) => ids.has(document_id));
}

/** The lookup's statements about documents, as a text to compare. */
function saidOf({ documents }: Filing): string {
  const said = documents.map(({ document_id, filename, description, type }) => [
    document_id,
    filename,
    description,
    type,
  ]);
  return JSON.stringify(said.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
}

/** Decides whether the service's own text of a lookup record says the same as its rows. */
import type { Filing } from '../../filings/api/index.ts';
import { INTEGER_MAX } from '../../lake/tables/index.ts';

const MEMBERS_OF_FILING = 9;
const MEMBERS_OF_DOCUMENT = 5;
/** Limit of documents: their ids are compared pair by pair. */
const FEW_DOCUMENTS = 8;

/**
 * Whether a JSON reader gets the same rows from a record's text as `rowsOf` makes from the record.
 * @param filing the record with the contract's members: every value fits its column, except a sequence that is too large
 * @param members that the text names, those of its documents too
 */
export function saysItsRows(filing: Filing, members: number, documents: boolean): boolean {
  let named = filing.revision === undefined ? MEMBERS_OF_FILING : MEMBERS_OF_FILING + 1;
  for (const document of filing.documents) {
    named += document.size === undefined ? MEMBERS_OF_DOCUMENT : MEMBERS_OF_DOCUMENT + 1;
    if (documents && Math.abs(document.sequence) > INTEGER_MAX) return false;
  }
  return named === members && (!documents || areDifferent(filing.documents));
}

function areDifferent(documents: Filing['documents']): boolean {
  if (documents.length > FEW_DOCUMENTS) return new Set(documents.map((d) => d.document_id)).size === documents.length;
  for (let i = 1; i < documents.length; i++) {
    for (let j = 0; j < i; j++) if (documents[i]!.document_id === documents[j]!.document_id) return false;
  }
  return true;
}

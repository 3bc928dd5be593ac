/** When a record of the lookup, as the service wrote it, says what its rows say. */
import type { Filing } from '../../api/index.ts';
import { INTEGER_MAX } from '../../tables/index.ts';

const MEMBERS_OF_FILING = 9;
const MEMBERS_OF_DOCUMENT = 5;
/** Documents whose ids are compared each with each. */
const FEW_DOCUMENTS = 8;

/**
 * Whether the rows that a reader of JSON takes from a record's text are those that `rowsOf` makes of the record.
 * @param filing the record, member by member in the form that the contract gives it: every value fits its column but for a sequence that is too large
 * @param members that the text names, those of its documents too
 */
export function saysItsRows(filing: Filing, members: number, documents: boolean): boolean {
  let named = MEMBERS_OF_FILING;
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

/** What tells that a filing's record in the lookup has changed. */
import type { Filing } from '../contract/index.ts';
import { hash64 } from './hash.ts';

const FIELD = '\u001f';
const RECORD = '\u001e';

/**
 * A hash of the lookup's record: another one means that the filing is to be fetched again. Made of the values in the contract's form, so that it doesn't
 * depend on a service's spelling. Sizes of documents are left out: the lookup of most services doesn't have them, and one that begins to changes nothing.
 */
export function revisionOf(filing: Filing): string {
  let text =
    filing.accession_number +
    FIELD +
    part(filing.cik) +
    part(filing.form_type) +
    part(filing.filing_date) +
    part(filing.acceptance_datetime) +
    part(filing.entity_name) +
    part(filing.report_date) +
    (filing.size ?? '') +
    RECORD;
  for (const document of filing.documents) {
    text +=
      document.document_id +
      FIELD +
      part(document.filename) +
      part(document.description) +
      part(document.type) +
      RECORD;
  }
  return hash64(text);
}

/**
 * The revision of a filing of which filing_info is all that was asked: it says of the filing itself what the lookup says, but for the size. A lookup that
 * says the same later brings the size, and nothing is fetched again. Documents are left out: a lookup may name none, or describe them otherwise.
 */
export function infoRevisionOf(filing: Filing): string {
  return `info:${revisionOf({ ...filing, size: null, documents: [] })}`;
}

/** Whether a filing's record is the one that a revision is of, from the lookup or from filing_info. */
export function isRevisionOf(revision: string, filing: Filing): boolean {
  return revision === (revision.startsWith('info:') ? infoRevisionOf(filing) : revisionOf(filing));
}

/** null and '' differ. */
function part(value: string | null): string {
  return value === null ? `\u0000${FIELD}` : value + FIELD;
}

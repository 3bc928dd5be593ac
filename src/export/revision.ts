/** What tells that a filing's record in the lookup has changed. */
import type { Filing } from '../contract/index.ts';
import { TextHash } from './hash.ts';

const FIELD = '\u001f';
const RECORD = '\u001e';
const NOTHING = '\u0000';

/** One for all: a revision is made in one go, and texts that are put together first cost more than the rest. */
const hash = new TextHash();

/**
 * A hash of the lookup's record: another one means that the filing is to be fetched again. Made of the values in the contract's form, so that it doesn't
 * depend on a service's spelling. Sizes of documents are left out: the lookup of most services doesn't have them, and one that begins to changes nothing.
 */
export function revisionOf(filing: Filing): string {
  hash.add(filing.accession_number).add(FIELD);
  add(filing.cik);
  add(filing.form_type);
  add(filing.filing_date);
  add(filing.acceptance_datetime);
  add(filing.entity_name);
  add(filing.report_date);
  hash.add(filing.size === null ? '' : String(filing.size)).add(RECORD);
  for (const document of filing.documents) {
    hash.add(document.document_id).add(FIELD);
    add(document.filename);
    add(document.description);
    add(document.type);
    hash.add(RECORD);
  }
  return hash.take();
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
function add(value: string | null): void {
  hash.add(value ?? NOTHING).add(FIELD);
}

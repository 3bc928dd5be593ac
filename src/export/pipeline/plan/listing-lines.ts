/** Rows of new filings from a lookup, written from the service's own text if that says the same as the rows. */
import type { Filing } from '../../../filings/api/index.ts';
import type { LinesShape, SegmentWriter } from '../../../lake/index.ts';
import { INTEGER_MAX } from '../../../lake/tables/index.ts';
import type { WorkLine } from '../coverage/coverage.ts';
import type { RecordText } from '../staging/staged-files.ts';

/** Lines with a filing's row and its coverage; and lines with its documents too. */
type Lines = 'filings' | 'filings-documents';

/** The member for our revision. The service's record may have a `revision` of its own. */
const REVISION = 'revision of the record';

export class ListingLines {
  readonly #writer: SegmentWriter;
  readonly #shapes: Readonly<Record<Lines, LinesShape>>;

  /**
   * @param selectorOf the filing's selector, by whether the lookup's documents are written
   * @param constants of all coverage rows: `fetched_at` (ISO 8601) and `run_id`
   */
  constructor(
    writer: SegmentWriter,
    selectorOf: (documents: boolean) => string,
    constants: { fetched_at: string; run_id: string },
  ) {
    this.#writer = writer;
    const coverage = (documents: boolean) => ({
      constants: { step: 'filing', selector: selectorOf(documents), status: 'done', ...constants },
      named: { revision: REVISION },
    });
    this.#shapes = {
      filings: { filings: {}, coverage: coverage(false) },
      'filings-documents': {
        filings: {},
        documents: { each: 'documents', ofLine: ['accession_number'] },
        coverage: coverage(true),
      },
    };
  }

  /**
   * @param line of a filing without any coverage in the lake
   * @param hash of the record, as coverage stores it
   * @param documents whether its documents are written
   * @returns false if its rows must be made from the parsed record
   */
  put({ filing, revision }: WorkLine, hash: string, documents: boolean, text: RecordText | null): boolean {
    if (text === null) return false;
    const { texts, record } = text;
    const members = texts.members(record);
    if (members === null || !saysItsRows(filing, members, documents)) return false;
    const lines: Lines = documents ? 'filings-documents' : 'filings';
    this.#writer.appendRecord(lines, this.#shapes[lines], 'accession_number', {
      bytes: texts.body,
      start: texts.start(record),
      end: texts.end(record),
      members: `"${REVISION}":"${revision}","record":"${hash}"`,
      key: filing.accession_number,
      ...(documents ? { rows: { documents: filing.documents.length } } : {}),
    });
    return true;
  }
}

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

/** Rows of new filings from a lookup, written from the service's own text if that says the same as the rows. */

import type { LinesShape, SegmentWriter } from '../../../lake/index.ts';
import { saysItsRows } from '../../index.ts';
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

/** New filings of a lookup on their way into the lake: as the service wrote them, where that says what their rows say. */
import { saysItsRows } from '../../export/index.ts';
import type { LinesShape, SegmentWriter } from '../../lake/index.ts';
import type { WorkLine } from './coverage.ts';
import type { RecordText } from './staged-files.ts';

/** Lines that hold a filing's row and its coverage, and those that hold its documents too. */
type Lines = 'filings' | 'filings-documents';

export class ListingLines {
  readonly #writer: SegmentWriter;
  readonly #shapes: Readonly<Record<Lines, LinesShape>>;

  /**
   * @param selectorOf what coverage remembers of a filing, by whether the lookup's documents are written
   * @param constants of all their coverage: `fetched_at` (ISO 8601) and `run_id`
   */
  constructor(
    writer: SegmentWriter,
    selectorOf: (documents: boolean) => string,
    constants: { fetched_at: string; run_id: string },
  ) {
    this.#writer = writer;
    const coverage = (documents: boolean) => ({
      constants: { step: 'filing', selector: selectorOf(documents), status: 'done', ...constants },
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
   * @param line of a filing of which the lake's coverage has nothing
   * @param hash of the record, as coverage keeps it
   * @param documents whether its documents are written
   * @returns false where its rows are to be made of the record
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
      members: `"revision":"${revision}","record":"${hash}"`,
      key: filing.accession_number,
      ...(documents ? { rows: { documents: filing.documents.length } } : {}),
    });
    return true;
  }
}

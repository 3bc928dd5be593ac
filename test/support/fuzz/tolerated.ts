/**
 * What may differ between a lake of many runs and a fresh one, each with its reason: the page "What an export notices"
 * (docs/guide/what-an-export-notices.md) says the same to users. Nothing else may differ.
 */
import type { Dialect } from './fuzz-service.ts';
import { type ChangeKind, type MadeChange, statesSize } from './world.ts';

export interface Tolerance {
  change: ChangeKind;
  /** Tables whose rows about the filing (or the company) may differ; `filings.report_date`: only this column. */
  in: readonly string[];
  /** Else it must be noticed. */
  when: (dialect: Dialect, change: MadeChange) => boolean;
  /** Row of the page: the change at the service. */
  row: string;
  reason: string;
}

/** Of a service that tells revisions, an export notices all that it says of a filing. */
const untold = ({ revision }: Dialect) => !revision;
const CORRECTED = 'a document corrected, with the same id and size';
const READ_ANEW = 'parties or sections that the service reads in another way';
const LATE_SECTIONS = 'sections that come later, of an older filing';
const ANOTHER_LIST = 'another form, acceptance time or list of documents';

const OF_INFO = [
  ...['documents', 'sections', 'items_8k', 'exhibits_8k', 'parties', 'party_addresses', 'party_former_names'],
  'filing_headers',
];
const OF_CONTENTS = ['document_contents', 'section_contents', 'annual_report_sections'];

export const TOLERATED: readonly Tolerance[] = [
  {
    change: 'removed',
    in: ['*'],
    when: () => true,
    row: 'a filing removed',
    reason: 'a filing that the service no longer lists stays in the lake',
  },
  {
    change: 'content',
    in: [...OF_INFO, ...OF_CONTENTS],
    when: (dialect, { salt }) => untold(dialect) && !statesSize(salt),
    row: CORRECTED,
    reason: 'without a revision or another size no lookup tells that a document was corrected',
  },
  {
    change: 'sections',
    in: [...OF_INFO, ...OF_CONTENTS],
    when: untold,
    row: READ_ANEW,
    reason: 'no lookup tells of sections',
  },
  { change: 'parties', in: OF_INFO, when: untold, row: READ_ANEW, reason: 'no lookup tells of parties' },
  {
    change: 'description',
    in: ['exhibits_8k', 'document_contents'],
    when: untold,
    row: READ_ANEW,
    reason: 'the lookup tells the description of a document, not those of an exhibit',
  },
  {
    change: 'description',
    in: ['documents'],
    when: (dialect) => untold(dialect) && dialect.documents !== 'named',
    row: READ_ANEW,
    reason: 'the lookup names no documents',
  },
  {
    change: 'sections-arrive',
    in: ['sections', 'section_contents'],
    when: (dialect, { age_days }) => untold(dialect) && age_days >= 30,
    row: LATE_SECTIONS,
    reason: 'the absence of a filing older than 30 days is final',
  },
  {
    change: 'stray-404',
    in: ['section_contents'],
    when: (dialect, { age_days }) => untold(dialect) && age_days >= 30,
    row: LATE_SECTIONS,
    reason: 'no index lists the sections',
  },
  {
    change: 'form',
    in: ['*'],
    when: (dialect) => untold(dialect) && !dialect.forms,
    row: ANOTHER_LIST,
    reason: 'the lookup names no form',
  },
  {
    change: 'document-added',
    in: [...OF_INFO, ...OF_CONTENTS],
    when: (dialect) => untold(dialect) && dialect.documents !== 'named',
    row: ANOTHER_LIST,
    reason: 'the lookup names no documents',
  },
  {
    change: 'document-removed',
    in: [...OF_INFO, ...OF_CONTENTS],
    when: (dialect) => untold(dialect) && dialect.documents !== 'named',
    row: ANOTHER_LIST,
    reason: 'the lookup names no documents',
  },
  {
    change: 'renamed',
    in: ['parties', 'filing_headers'],
    when: untold,
    row: READ_ANEW,
    reason: 'parties have the name of the day they were fetched',
  },
  {
    change: 'renamed',
    in: ['entities'],
    when: () => true,
    row: "a company's name, ticker or address",
    reason: 'a company is fetched again 30 days later',
  },
];

/** Lists of accession numbers send no lookups: what the lake has is not requested again. */
export const BY_NUMBER: Tolerance = {
  change: 'content',
  in: ['*'],
  when: () => true,
  row: CORRECTED,
  reason: 'a list of accession numbers looks nothing up',
};

/** Changes about a filing or a company that explain a difference in a column of a table; null column: the row is there in one lake only. */
export function toleranceOf(
  made: readonly MadeChange[],
  dialect: Dialect,
  { table, column, byNumber }: { table: string; column: string | null; byNumber: boolean },
): Tolerance | null {
  if (byNumber && made.length > 0) return BY_NUMBER;
  for (const change of made) {
    for (const tolerance of TOLERATED) {
      if (tolerance.change !== change.change || !tolerance.when(dialect, change)) continue;
      if (tolerance.in.some((one) => one === '*' || one === table || one === `${table}.${column}`)) return tolerance;
    }
  }
  return null;
}

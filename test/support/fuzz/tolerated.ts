/**
 * What may differ between a lake of many runs and a fresh one, each with its reason: the page "What an export notices"
 * (docs/guide/what-an-export-notices.md) says the same to users. Nothing else may differ.
 */
import type { Dialect } from './fuzz-service.ts';
import { OF_FORMS } from './scenario.ts';
import { type ChangeKind, type MadeChange, statesSize } from './world.ts';

export interface Tolerance {
  change: ChangeKind;
  /** Tables whose rows about the filing (or the company) may differ. */
  in: readonly string[];
  /** Else it must be noticed. */
  when: (circumstances: Circumstances, change: MadeChange) => boolean;
  /** Row of the page: the change at the service. */
  row: string;
  reason: string;
}

export interface Circumstances {
  dialect: Dialect;
  /** The service states a revision, or each definition that chooses the filing was run with a refresh: an export notices all changes. */
  isTold: boolean;
  now: Date;
  /** The age at which entities are requested again. */
  entityDays: number;
  /** Each definition wants companies, and a lookup or a refresh of one of them tells of this one. */
  isCompanyTold: boolean;
}

const untold = ({ isTold }: Circumstances) => !isTold;
const isUnnamed = ({ isTold, dialect }: Circumstances) => !isTold && dialect.documents !== 'named';
const CORRECTED = 'a document corrected, with the same id and size';
const READ_ANEW = 'parties or sections that the service reads in another way';
const LATE_SECTIONS = 'sections that come later, of an older filing';
const ANOTHER_LIST = 'another form, acceptance time or list of documents';

const DAY_MS = 86_400_000;
const OF_PARTIES = ['parties', 'filing_headers'];
const OF_SECTIONS = ['sections', 'section_contents'];
const OF_DOCUMENTS = ['documents', 'document_contents', 'annual_report_sections', ...OF_FORMS];

export const TOLERATED: readonly Tolerance[] = [
  {
    change: 'content',
    in: [...OF_SECTIONS, ...OF_DOCUMENTS],
    when: (of, { salt, isListed }) => untold(of) && !(statesSize(salt) && isListed),
    row: CORRECTED,
    reason: 'without a revision or another size than before no lookup tells that a document was corrected',
  },
  { change: 'sections', in: OF_SECTIONS, when: untold, row: READ_ANEW, reason: 'no lookup tells of sections' },
  { change: 'parties', in: OF_PARTIES, when: untold, row: READ_ANEW, reason: 'no lookup tells of parties' },
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
    when: isUnnamed,
    row: READ_ANEW,
    reason: 'the lookup names no documents',
  },
  {
    change: 'sections-arrive',
    in: OF_SECTIONS,
    when: (of, { age_days }) => untold(of) && age_days >= 30,
    row: LATE_SECTIONS,
    reason: 'the absence of a filing older than 30 days is final',
  },
  {
    change: 'stray-404',
    in: ['section_contents'],
    when: (of, { age_days }) => untold(of) && age_days >= 30,
    row: LATE_SECTIONS,
    reason: 'no index lists the sections',
  },
  {
    change: 'form',
    in: ['*'],
    when: (of) => untold(of) && !of.dialect.forms,
    row: ANOTHER_LIST,
    reason: 'the lookup names no form',
  },
  {
    change: 'document-added',
    in: ['exhibits_8k', ...OF_DOCUMENTS],
    when: isUnnamed,
    row: ANOTHER_LIST,
    reason: 'the lookup names no documents',
  },
  {
    change: 'document-removed',
    in: ['exhibits_8k', ...OF_DOCUMENTS],
    when: isUnnamed,
    row: ANOTHER_LIST,
    reason: 'the lookup names no documents',
  },
  {
    change: 'renamed',
    in: OF_PARTIES,
    when: untold,
    row: READ_ANEW,
    reason: 'parties have the name of the day they were fetched',
  },
  {
    change: 'renamed',
    in: ['entities'],
    when: ({ now, entityDays, isCompanyTold }, { at }) => !isCompanyTold && now.getTime() - at <= entityDays * DAY_MS,
    row: "a company's ticker or address",
    reason: 'no lookup tells of the company: it is fetched again when its row is old',
  },
];

/** Lists of accession numbers send no lookups: what the lake has is not requested again. */
export const BY_NUMBER: Tolerance = {
  change: 'content',
  in: ['*'],
  when: untold,
  row: CORRECTED,
  reason: 'a list of accession numbers looks nothing up',
};

/** Changes about a filing or a company that explain a difference in a column of a table; null column: the row is there in one lake only. */
export function toleranceOf(
  made: readonly MadeChange[],
  of: Circumstances,
  { table, byNumber }: { table: string; byNumber: boolean },
): Tolerance | null {
  for (const change of made) {
    if (byNumber && BY_NUMBER.when(of, change)) return BY_NUMBER;
    for (const tolerance of TOLERATED) {
      if (tolerance.change !== change.change || !tolerance.when(of, change)) continue;
      if (tolerance.in.some((one) => one === '*' || one === table)) return tolerance;
    }
  }
  return null;
}

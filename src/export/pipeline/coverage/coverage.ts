/** What a lake has of filings: which steps were done, for which revision and which selector. */
import { quoteText } from '../../../core/index.ts';
import { type Filing, parseAccessionNumber } from '../../../filings/api/index.ts';
import type { Lake, Replacement } from '../../../lake/index.ts';
import { namesFrom } from '../../../lake/tables/index.ts';
import type { ExportDefinition } from '../../definition/index.ts';
import {
  formsStepOf,
  joinedDocumentSelector,
  MADE_OF_DOCUMENTS,
  makesOfDocument,
  type Step,
  tablesMapped,
  tablesOfSections,
} from '../../selectors/index.ts';
import {
  type CoveredStep,
  isOlder,
  isRefreshed,
  joinedSelector,
  type KnownBy,
  type KnownFiling,
  MORE_DOCUMENTS,
} from '../../steps/index.ts';
import { AMONG_GIVEN, among, joined } from '../sql-values.ts';
import type { RunReference } from '../types.ts';
import { isAmongChosen, listedSections } from './listed-sections.ts';
import { isOfService } from './row-origin.ts';

/** One line of a window's work list: a filing with pending steps. */
export interface WorkLine {
  filing: KnownFiling;
  /** The revision of the filing's record. The fetched rows are of this one. */
  revision: string;
  steps: Step[];
  /** Coverage of those steps (and of `filing`): rows to be replaced. */
  covered: Record<string, CoveredStep>;
  /** Absent: by a lookup of this run */
  knownBy?: KnownBy;
  /** The lake has it as removed: an answer of filing_info deletes the mark. */
  isRemoved?: true;
  /** Its steps are requested again, whether or not coverage has them. */
  refresh?: true;
}

export type Covered = ReadonlyMap<string, CoveredStep>;

const NOTHING: Covered = new Map();

/** Coverage of some filings: a row a step, but one text for all documents of a filing. */
export class Coverage {
  readonly #rows = new Map<string, CoverageRow[]>();

  /** @param run the run that asks: in a refresh its plan needs the ETags and hashes of the answers */
  static async of(
    lake: Lake,
    accessionNumbers: readonly string[],
    { run_id, definition }: Partial<Pick<RunReference, 'run_id' | 'definition'>> = {},
  ): Promise<Coverage> {
    const coverage = new Coverage();
    if (!(await lake.mayHold('coverage', 'accession_number', accessionNumbers))) return coverage;
    // A first export finds none of thousands: without the other columns, that takes a third of the time.
    const [held] = await lake.query(
      `SELECT string_agg(DISTINCT accession_number, ',') AS numbers FROM coverage WHERE accession_number IN ${AMONG_GIVEN}`,
      { tables: ['coverage'], given: joined(accessionNumbers) },
    );
    if (held!.numbers === null) return coverage;
    const isRefresh = definition?.refresh !== undefined;
    // Another service may give the same ETag to another answer.
    const etag = `CASE WHEN ${isOfService(definition?.service.base_url ?? '')} THEN coalesce(etag, '') ELSE '' END`;
    const answer = isRefresh ? `${etag} || '${ANSWER}' || coalesce(content, '')` : 'NULL';
    const rows = await lake.query(
      `WITH these AS MATERIALIZED (SELECT accession_number, step, selector, revision, status, record, ${answer}::VARCHAR AS answer,
           coalesce(c.run_id = ${quoteText(run_id ?? '')}, false) AS is_own
         FROM coverage c ${isRefresh ? 'LEFT JOIN export_runs r ON r.run_id = c.run_id' : ''}
         WHERE accession_number IN ${AMONG_GIVEN})
       SELECT *, NULL AS documents FROM these WHERE NOT starts_with(step, 'document:')
       UNION ALL
       SELECT accession_number, 'document', selector, revision, status, NULL, NULL, is_own,
         string_agg(CASE WHEN starts_with(step, 'document:' || accession_number || '-') THEN substr(step, 31) ELSE '=' || substr(step, 10) END
           || coalesce('${ANSWER}' || answer, ''), '${DOCUMENT}')
       FROM these WHERE starts_with(step, 'document:') GROUP BY ALL`,
      { tables: isRefresh ? ['coverage', 'export_runs'] : ['coverage'], given: String(held!.numbers) },
    );
    for (const row of rows) {
      const { step, selector, revision, status, record, documents, answer, is_own } = row;
      const accession_number = String(row.accession_number);
      const of: CoverageRow = {
        step: String(step),
        documents: documents === null ? null : String(documents),
        covered: {
          selector: String(selector ?? ''),
          revision: String(revision ?? ''),
          status: String(status),
          ...(record === null ? {} : { record: String(record) }),
          ...(is_own === true ? { isOwn: true as const } : {}),
          ...(answer === null ? {} : answerOf(String(answer).split(ANSWER))),
        },
      };
      const before = coverage.#rows.get(accession_number);
      if (before === undefined) coverage.#rows.set(accession_number, [of]);
      else before.push(of);
    }
    await coverage.#doubtAbsences(lake);
    return coverage;
  }

  /** Sections that one answer lists and another lacks are requested again, however old the filing is. */
  async #doubtAbsences(lake: Lake): Promise<void> {
    const absent = new Map<string, CoverageRow>();
    for (const [number, rows] of this.#rows)
      for (const row of rows) if (row.step === 'sections' && row.covered.status === 'absent') absent.set(number, row);
    for (const [number, codes] of await listedSections(lake, [...absent.keys()])) {
      const { covered } = absent.get(number)!;
      if (isAmongChosen(covered.selector, codes)) covered.selector = '';
    }
  }

  /** Restores the steps of one row. */
  get(accessionNumber: string): Covered {
    const rows = this.#rows.get(accessionNumber);
    if (rows === undefined) return NOTHING;
    const steps = new Map<string, CoveredStep>();
    for (const { step, documents, covered } of rows) {
      if (documents === null) steps.set(step, covered);
      else
        for (const document of documents.split(DOCUMENT)) {
          const [end, ...answer] = document.split(ANSWER) as [string, ...string[]];
          const id = end.startsWith('=') ? end.slice(1) : `${accessionNumber}-${end}`;
          steps.set(`document:${id}`, answer.length === 0 ? covered : { ...covered, ...answerOf(answer) });
        }
    }
    return steps;
  }
}

/** Between documents, and before an ETag and a hash: no id and no ETag has them. */
const DOCUMENT = '\u001e';
const ANSWER = '\u001f';

function answerOf([etag = '', content = '']: readonly string[]): Pick<CoveredStep, 'etag' | 'content'> {
  return { ...(etag === '' ? {} : { etag }), ...(content === '' ? {} : { content }) };
}

interface CoverageRow {
  step: string;
  /** Ids without their common beginning, in a refresh each with its answer; null if the row is not of documents. */
  documents: string | null;
  covered: CoveredStep;
}

/**
 * Adds the earlier selectors to steps. Exports of different tables add up for filing_info, different choices add up for sections.
 * Rows of a step are replaced together, so a new choice alone would delete the rows of the first. A failed step may have rows of an
 * earlier answer.
 */
export function joinedSteps(
  steps: readonly Step[],
  covered: ReadonlyMap<string, CoveredStep>,
  { revision, documents }: { revision: string; documents: readonly Filing['documents'][number][] },
): Step[] {
  return steps.map((step) => {
    if (step.step !== 'info' && step.step !== 'sections' && step.step !== 'forms') {
      const before = covered.get(step.step);
      return before === undefined
        ? step
        : { ...step, selector: joinedDocumentSelector(before.selector, step.selector) };
    }
    const selector = joinedSelector(askedBefore(step.step, covered.get(step.step), revision), step.selector);
    // Omissions are recorded for all tables of a filing together, so the tables are made together, from all their documents.
    if (step.step === 'forms') return formsStepOf({ ...step, documents }, tablesMapped(selector)) ?? step;
    return { ...step, selector };
  });
}

/**
 * The part of an earlier selector to request again. Of an older or failed answer, only its tables: an export that wants contents
 * named only by filing_info fetches them afterwards.
 */
function askedBefore(step: StepOfTables, before: CoveredStep | undefined, revision: string): string | null {
  if (before === undefined) return null;
  if (step === 'sections' || (before.status === 'done' && !isOlder(before, revision))) return before.selector;
  return before.selector
    .split(',')
    .filter((word) => tablesOfSelector(step, word).length > 0)
    .join(',');
}

export function tablesOfDocument(selector: string): readonly string[] {
  return [
    'document_contents',
    ...(makesOfDocument(selector, 'annual_report') ? ['annual_report_sections'] : []),
    ...MADE_OF_DOCUMENTS.filter((table) => makesOfDocument(selector, table)),
  ];
}

/** Steps with rows in several tables of a filing. */
type StepOfTables = 'info' | 'sections' | 'forms';

/** Tables that such a step was requested for, from its selector. */
export function tablesOfSelector(step: StepOfTables, selector: string): readonly string[] {
  if (step === 'sections') return tablesOfSections(selector);
  const names = new Set(selector.split(',').map((word) => word.split(':')[0]!));
  return namesFrom(step).filter((table) => names.has(table));
}

/** A step's older rows: of the tables written again, its coverage, its failures. @param written tables of its rows */
export function replaceStep(
  { name }: Pick<ExportDefinition, 'name'>,
  accessionNumber: string,
  step: string,
  written: ReadonlySet<string>,
): Replacement[] {
  const replacements: Replacement[] = [
    { table: 'coverage', columns: ['accession_number', 'step'], values: [[accessionNumber, step]] },
    {
      table: 'export_failures',
      columns: ['export', 'step', 'subject'],
      values: [[name, step, subjectOf(accessionNumber, step)]],
    },
  ];
  if (step === 'info' || step === 'sections' || step === 'forms') {
    for (const table of namesFrom(step))
      if (written.has(table)) replacements.push({ table, columns: ['accession_number'], values: [[accessionNumber]] });
  } else if (step === 'filing') {
    replacements.push({ table: 'filings', columns: ['accession_number'], values: [[accessionNumber]] });
  } else {
    for (const table of namesFrom('document'))
      if (written.has(table)) replacements.push({ table, columns: ['document_id'], values: [[documentOf(step)!]] });
  }
  return replacements;
}

/** Whether a run has fetched a filing's documents with filing_info, which names more. Reads the lake once. */
export function filingsFetchedWithInfo(
  lake: Lake,
  run_id: string,
  numbers: readonly string[],
): (accessionNumber: string) => Promise<boolean> {
  const read = async () => {
    const rows = await lake.query(
      `SELECT accession_number FROM coverage WHERE step = 'info' AND run_id = ${quoteText(run_id)}
         AND list_contains(string_split(selector, ','), '${MORE_DOCUMENTS}') AND accession_number IN ${among(numbers)}`,
      { tables: ['coverage'] },
    );
    return new Set(rows.map(({ accession_number }) => String(accession_number)));
  };
  let these: Promise<ReadonlySet<string>> | null = null;
  return async (accessionNumber) => {
    these ??= read();
    return (await these).has(accessionNumber);
  };
}

export function documentOf(step: string): string | null {
  return step.startsWith('document:') ? step.slice('document:'.length) : null;
}

export function subjectOf(accessionNumber: string, step: string): string {
  return documentOf(step) ?? accessionNumber;
}

/** Whether a text is an accession number in its normal spelling. Records are checked before they become work. */
export function isAccessionNumber(text: string): boolean {
  return parseAccessionNumber(text) === text;
}

/** The day on which the run started, `YYYY-MM-DD`. */
export function dayOfRun({ started_at }: Pick<RunReference, 'started_at'>): string {
  return (started_at ?? new Date().toISOString()).slice(0, 10);
}

/** The mark of a line whose steps are requested again. */
export function refreshOf(definition: ExportDefinition, filing: Filing, today: string): Pick<WorkLine, 'refresh'> {
  return isRefreshed(definition, filing, today) ? { refresh: true } : {};
}

/** What a lake knows of filings: which steps were done for which revision, and for how much. */
import { type Filing, parseAccessionNumber } from '../../src/contract/index.ts';
import { type CoveredStep, type ExportDefinition, joinedSelector, owedOf, type Step } from '../../src/export/index.ts';
import type { Lake, Replacement } from '../../src/lake/index.ts';
import { among } from './sql-values.ts';

/** One line of a window's work list: a filing with steps owed. */
export interface WorkLine {
  filing: Filing;
  revision: string;
  /** The lookup's own rows are written with this filing: its record changed, and all its rows are replaced at once. */
  changed: boolean;
  steps: Step[];
  /** What coverage had of those steps (and of `filing`): rows to be replaced. */
  had: Record<string, CoveredStep>;
  /** Only its accession number is known: filing_info is to bring the filing's own row too, and with it what else is owed. */
  unlisted?: true;
}

export type FilingPlan =
  | { kind: 'known' }
  /** `listing`: the lookup's rows are new and go in with the plan's commit. */
  | { kind: 'owed'; listing: boolean; line: WorkLine };

/** What coverage has of these filings: step by step. */
export async function coverageOf(
  lake: Lake,
  accessionNumbers: readonly string[],
): Promise<Map<string, Map<string, CoveredStep>>> {
  const coverage = new Map<string, Map<string, CoveredStep>>();
  if (!(await lake.mayHold('coverage', 'accession_number', accessionNumbers))) return coverage;
  const rows = await lake.query(
    `SELECT accession_number, step, selector, revision, status FROM coverage
     WHERE accession_number IN ${among(accessionNumbers)}`,
    { tables: ['coverage'] },
  );
  for (const { accession_number, step, selector, revision, status } of rows) {
    const steps = coverage.get(String(accession_number)) ?? new Map<string, CoveredStep>();
    steps.set(String(step), {
      selector: String(selector ?? ''),
      revision: String(revision ?? ''),
      status: String(status),
    });
    coverage.set(String(accession_number), steps);
  }
  return coverage;
}

/** Works out what a filing of the lookup still needs. */
export function planFiling(
  definition: ExportDefinition,
  filing: Filing,
  had: ReadonlyMap<string, CoveredStep>,
): FilingPlan {
  const { revision, changed, listed, steps, known } = owedOf(definition, filing, had);
  if (known) return { kind: 'known' };
  const owed = changed ? steps : joinedSteps(steps, had);
  const line: WorkLine = { filing, revision, changed, steps: owed, had: Object.fromEntries(had) };
  return { kind: 'owed', listing: !listed && !changed, line };
}

/** Steps with what was asked of them before: rows of filing_info add up over exports of different tables, sections over different choices. */
export function joinedSteps(steps: readonly Step[], had: ReadonlyMap<string, CoveredStep>): Step[] {
  return steps.map((step) =>
    step.step === 'info' || step.step === 'sections'
      ? { ...step, selector: joinedSelector(doneBefore(had.get(step.step)), step.selector) }
      : step,
  );
}

function doneBefore(had: CoveredStep | undefined): string | null {
  return had?.status === 'done' ? had.selector : null;
}

/** Tables whose rows belong to a filing, all of them replaced when its record changes. */
const FILING_TABLES = [
  'filings',
  'parties',
  'documents',
  'sections',
  'section_contents',
  'items_8k',
  'exhibits_8k',
  'document_contents',
  'coverage',
  'export_failures',
] as const;

const STEP_TABLES: Record<'info' | 'sections', readonly string[]> = {
  info: ['parties', 'documents', 'sections', 'items_8k', 'exhibits_8k'],
  sections: ['section_contents'],
};

export function replaceWholeFiling(accessionNumber: string): Replacement[] {
  return FILING_TABLES.map((table) => ({ table, columns: ['accession_number'], values: [[accessionNumber]] }));
}

/** Older rows of one step: those of its tables that are written again, its coverage and its failures. */
export function replaceStep(definition: ExportDefinition, accessionNumber: string, step: string): Replacement[] {
  const replacements: Replacement[] = [
    { table: 'coverage', columns: ['accession_number', 'step'], values: [[accessionNumber, step]] },
    {
      table: 'export_failures',
      columns: ['export', 'step', 'subject'],
      values: [[definition.name, step, subjectOf(accessionNumber, step)]],
    },
  ];
  if (step === 'info' || step === 'sections') {
    const written = STEP_TABLES[step].filter((table) => (definition.tables as string[]).includes(table));
    for (const table of written)
      replacements.push({ table, columns: ['accession_number'], values: [[accessionNumber]] });
  } else if (step === 'filing') {
    replacements.push({ table: 'filings', columns: ['accession_number'], values: [[accessionNumber]] });
  } else {
    replacements.push({ table: 'document_contents', columns: ['document_id'], values: [[documentOf(step)!]] });
  }
  return replacements;
}

/** The document that a step is about, or null. */
export function documentOf(step: string): string | null {
  return step.startsWith('document:') ? step.slice('document:'.length) : null;
}

export function subjectOf(accessionNumber: string, step: string): string {
  return documentOf(step) ?? accessionNumber;
}

/** Whether a text is an accession number in its usual spelling: the guard before a record becomes work. */
export function isAccessionNumber(text: string): boolean {
  return parseAccessionNumber(text) === text;
}

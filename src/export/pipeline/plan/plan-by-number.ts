/**
 * Plans pending steps from accession numbers. No lookup record exists for them. A filing in the lake is taken in its stored
 * revision. For other filings, filing_info gives the filing's own row and everything else.
 */
import { quoteText } from '../../../core/index.ts';
import type { Filing, FilingInfo } from '../../../filings/api/index.ts';
import type { Lake } from '../../../lake/index.ts';
import { type RowViolation, rowsOf } from '../../../lake/tables/index.ts';
import type { ContractViolation } from '../../client/index.ts';
import type { ExportDefinition } from '../../definition/index.ts';
import { revisionWithoutDocuments } from '../../revisions/index.ts';
import { asKnown, type CoveredStep, filingSelector, infoSelector, pendingByNumber } from '../../steps/index.ts';
import { Coverage, dayOfRun, joinedSteps, refreshOf, type WorkLine } from '../coverage/coverage.ts';
import { filingsInLake } from '../coverage/filings-in-lake.ts';
import { ANY_COMPANY } from '../failures/earlier-failures.ts';
import { deleteFailures } from '../failures/recorded-failures.ts';
import { HITS, type KeptHit } from '../lookup/paged-lookups.ts';
import { among } from '../sql-values.ts';
import type { RowBatch } from '../staging/segment-sink.ts';
import { recordsOfWindow } from '../staging/staged-files.ts';
import type { PlanWindowRequest } from '../types.ts';
import type { WindowPlan } from './window-plan.ts';

/** @param alreadyPlanned accession numbers already planned by earlier windows; skipped here */
export async function planListed(plan: WindowPlan, alreadyPlanned: ReadonlySet<string>): Promise<void> {
  const { lake, request } = plan;
  const { run } = request;
  const { definition } = run;
  const { numbers, hits, violations } = await numbersOfWindow(lake, request);
  if (request.of === 'hits') plan.checkStaged(HITS, new Set(hits.map(HITS.keyOf)), violations);
  const coverage = await Coverage.of(lake, numbers, run);
  const filings = await filingsInLake(
    lake,
    numbers.filter((number) => coverage.get(number).has('filing')),
  );
  const removed = await removedAmong(lake, [...filings.keys()]);
  const failed = await failedFilings(lake, definition.name);
  const dropOver = await plan.earlierFailures(() => ({ numbers }));
  plan.see([ANY_COMPANY]);
  const lines: WorkLine[] = [];
  for (const number of numbers) {
    if (alreadyPlanned.has(number)) continue;
    const covered = coverage.get(number);
    const filing = filings.get(number);
    plan.entities.add(number, filing);
    const before = failed.has(number) ? new Set(['info']) : NOTHING_FAILED;
    const line = filing
      ? listedLine(definition, filing, covered, dayOfRun(run))
      : unlistedLine(definition, number, before);
    if (filing) dropOver(filing, covered, line?.steps ?? []);
    if (line === null) plan.known++;
    else lines.push(removed.has(number) ? { ...line, isRemoved: true } : line);
  }
  for (const { id } of hits) plan.right.add(id);
  await plan.recordFaults(violations, (document_id) => ({ document_id }));
  plan.filings = numbers.length;
  await plan.addWork(lines);
}

/** The accession numbers of a window, each once: the listed ones, or those of its hits; and these. */
export async function numbersOfWindow(
  lake: Lake,
  { run, window, pages, of }: Pick<PlanWindowRequest, 'run' | 'window' | 'pages' | 'of'>,
): Promise<{ numbers: string[]; hits: KeptHit[]; violations: ContractViolation[] }> {
  if (of === 'numbers') {
    const { records, violations } = await recordsOfWindow<string>(lake, run.run_id, window, pages, (number) => number);
    return { numbers: records, hits: [], violations };
  }
  const { records: hits, violations } = await recordsOfWindow<KeptHit>(lake, run.run_id, window, pages, HITS.keyOf);
  return { numbers: [...new Set(hits.map((hit) => hit.accession_number))], hits, violations };
}

/** The pending steps of a filing that the lake has; null if there are none. */
export function listedLine(
  definition: ExportDefinition,
  filing: Filing,
  covered: ReadonlyMap<string, CoveredStep>,
  today: string | null = null,
): WorkLine | null {
  const { revision } = covered.get('filing')!;
  const steps = joinedSteps(pendingByNumber(definition, filing, covered, today), covered, {
    revision,
    documents: filing.documents,
  });
  if (steps.length === 0) return null;
  const refresh = today === null ? {} : refreshOf(definition, filing, today);
  const known = asKnown(filing, covered.get('info')?.selector);
  return { filing: known, revision, steps, covered: Object.fromEntries(covered), knownBy: 'lake', ...refresh };
}

const NOTHING_FAILED: ReadonlySet<string> = new Set();

/** @param failed steps that failed in an earlier run */
export function unlistedLine(
  definition: ExportDefinition,
  accession_number: string,
  failed: ReadonlySet<string>,
): WorkLine {
  const nothing = { cik: null, form_type: null, filing_date: null, acceptance_datetime: null, entity_name: null };
  const filing: Filing = { accession_number, ...nothing, report_date: null, size: null, documents: [] };
  const inVain = { selector: '', revision: '', status: 'failed' };
  const covered: WorkLine['covered'] = Object.fromEntries([...failed].map((step) => [step, inVain]));
  const selector = infoSelector(definition, filing);
  return { filing, revision: '', steps: [{ step: 'info', selector }], covered, knownBy: 'number' };
}

/**
 * The filing's own row, by its filing_info. Coverage of filing_info gets the revision that the answer stated.
 * @returns also the line for the remaining steps, with filing_info's record, and the values of it that can't be stored
 */
export function listByInfo(
  definition: ExportDefinition,
  line: WorkLine,
  info: FilingInfo,
  { rows }: Pick<RowBatch, 'rows'>,
  run_id: string,
): { listed: WorkLine; own: RowBatch; violations: RowViolation[] } {
  const { accession_number } = line.filing;
  const { cik, form_type, filing_date, acceptance_datetime, entity_name, report_date } = info;
  const filing = { cik, form_type, filing_date, acceptance_datetime, entity_name, report_date, size: null };
  const stated = { revision: info.revision ?? null };
  const revision = revisionWithoutDocuments({ accession_number, ...filing, documents: [], ...stated });
  const {
    rows: { filings },
    violations,
  } = rowsOf('lookup', { accession_number, ...filing, documents: [] });
  const of = (step: string, selector: string) => ({ accession_number, step, selector, revision });
  const made = { status: 'done', fetched_at: new Date().toISOString(), run_id };
  const replace = line.covered.filing
    ? deleteFailures(definition.name, [{ step: 'filing', subject: accession_number }])
    : [];
  const coverage = [{ ...of('filing', filingSelector(definition, { documents: true })), ...made }];
  const [step] = line.steps;
  const tables = rows as Record<string, object[]>;
  // What filing_info adds to a lookup's record: here is none.
  tables.filings = [];
  tables.coverage = step && step.selector !== '' ? (tables.coverage ?? []).map((row) => ({ ...row, revision })) : [];
  return {
    listed: { ...line, revision, filing: { accession_number, ...filing, documents: [] } },
    own: { rows: { filings: filings ?? [], coverage } as RowBatch['rows'], done: [], replace, failures: 0 },
    violations,
  };
}

async function removedAmong(lake: Lake, numbers: readonly string[]): Promise<Set<string>> {
  if (numbers.length === 0) return new Set();
  const rows = await lake.query(
    `SELECT accession_number FROM filings WHERE removed_at IS NOT NULL AND accession_number IN ${among(numbers)}`,
    { tables: ['filings'] },
  );
  return new Set(rows.map(({ accession_number }) => String(accession_number)));
}

/** Filings whose filing_info failed in an earlier run of this export. */
async function failedFilings(lake: Lake, name: string): Promise<Set<string>> {
  const rows = await lake.query(
    `SELECT subject FROM export_failures WHERE export = ${quoteText(name)} AND step = 'info'`,
  );
  return new Set(rows.map(({ subject }) => String(subject)));
}

/**
 * `edgar_days`: the days of EDGAR that the service has complete. Read before the first lookup: a day that is proven then has all its
 * filings in the lookups. Read later, a day could be proven by filings that the lookups missed.
 */
import type { CoverageDay } from '../../../filings/api/index.ts';
import type { Lake, Replacement } from '../../../lake/index.ts';
import type { Row } from '../../../lake/tables/index.ts';
import { ContractViolationError, type FilingClient, ServiceFailedError } from '../../client/index.ts';
import { type FailureAbout, FailureLog } from '../failures/failure-log.ts';
import { deleteFailures } from '../failures/recorded-failures.ts';
import type { EdgarDaysRead, RunReference } from '../types.ts';
import type { Dependencies } from '../worker/dependencies.ts';
import { RequestBudget } from '../worker/request-budget.ts';

const FILE = 'edgar-days.json';
const PAGE_DAYS = 10_000;
const NOT_FOUND = 404;

type Staged =
  | { read_at: string; days: CoverageDay[] }
  /** The service has no such operation: its message */
  | { absent: string }
  /** What `export_failures` says of it, without the run's part */
  | { failure: Row };

function isWanted({ definition }: RunReference): boolean {
  return (definition.tables as readonly string[]).includes('edgar_days');
}

function failureAbout({ definition }: RunReference): FailureAbout {
  const none = { accession_number: null, document_id: null, cik: null };
  return { export: definition.name, step: 'days', subject: definition.service.base_url, ...none };
}

/** Reads the days and stages them, once for a run. A refusal costs the run nothing else: its end records it. */
export async function stageEdgarDays(dependencies: Dependencies, lake: Lake, run: RunReference): Promise<void> {
  if (!isWanted(run) || (await lake.readStaged(run.run_id, FILE)) !== null) return;
  const budget = RequestBudget.of(dependencies, lake, { run, work: 'days', expected: 1, inSequence: true });
  const client = await budget.client(dependencies, dependencies.signal);
  const read_at = new Date().toISOString();
  let staged: Staged;
  try {
    staged = { read_at, days: await daysOf(client) };
  } catch (error) {
    dependencies.signal.throwIfAborted();
    budget.refused(error);
    staged =
      error instanceof ServiceFailedError && error.status === NOT_FOUND
        ? { absent: error.message }
        : { failure: await new FailureLog(lake, run).failure(failureAbout(run), error) };
  } finally {
    await budget.settle().finally(() => client.close());
  }
  await lake.putStaged(run.run_id, FILE, JSON.stringify(staged));
}

/** @throws ContractViolationError if a day can't be read, or the pages don't have as many days as the service counts */
async function daysOf(client: FilingClient): Promise<CoverageDay[]> {
  const days = new Map<string, CoverageDay>();
  let count: number | null = null;
  for (let from = 0; from < PAGE_DAYS; ) {
    const { value, notes } = await client.coverage({ from, to: PAGE_DAYS });
    const [violation] = notes.violations;
    if (violation) throw new ContractViolationError('coverage', violation, 'the day is not read');
    count = value.count;
    for (const day of value.days) days.set(day.day, day);
    if (value.days.length === 0) break;
    from += value.days.length;
    if (!value.truncated) break;
  }
  if (count !== null && days.size < Math.min(count, PAGE_DAYS)) {
    const violation = { path: 'count', value: count, subject: null };
    throw new ContractViolationError('coverage', violation, `it gave ${days.size} days`);
  }
  return [...days.values()];
}

/** What the end of a run writes of the staged days. */
export async function edgarDaysRows(
  lake: Lake,
  run: RunReference,
): Promise<{ rows: Record<string, Row[]>; replace: Replacement[] }> {
  const staged = await stagedDays(lake, run);
  if (staged === null || 'absent' in staged) return { rows: {}, replace: [] };
  if ('failure' in staged) {
    const { step, subject } = staged.failure;
    const row = { ...staged.failure, first_reported_by: run.run_id };
    return { rows: { export_failures: [row] }, replace: deleteFailures(run.definition.name, [{ step, subject }]) };
  }
  const service = run.definition.service.base_url;
  const { read_at, days } = staged;
  const rows = days.map((day): Row => ({ service, ...day, read_at, run_id: run.run_id }));
  return {
    rows: { edgar_days: rows },
    replace: [
      { table: 'edgar_days', columns: ['service'], values: [[service]] },
      ...deleteFailures(run.definition.name, [{ step: 'days', subject: service }]),
    ],
  };
}

/** For the summary of the run; null: the export has no such table. */
export async function edgarDaysRead(lake: Lake, run: RunReference): Promise<EdgarDaysRead | null> {
  const staged = await stagedDays(lake, run);
  if (staged === null) return null;
  if ('absent' in staged) return { absent: staged.absent };
  if ('failure' in staged) return null;
  const { days } = staged;
  return { days: days.length, unproven: days.filter(({ proven_at }) => proven_at === null).length };
}

async function stagedDays(lake: Lake, run: RunReference): Promise<Staged | null> {
  if (!isWanted(run)) return null;
  const bytes = await lake.readStaged(run.run_id, FILE);
  return bytes === null ? null : (JSON.parse(bytes.toString('utf8')) as Staged);
}

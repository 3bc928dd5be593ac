/** Filings that a proven window lacks. A request decides about each: one that only moved must not be removed. */
import { quoteText } from '../../../core/index.ts';
import type { Filing } from '../../../filings/api/index.ts';
import type { Lake } from '../../../lake/index.ts';
import { hash64 } from '../../revisions/index.ts';
import { infoSelector } from '../../steps/index.ts';
import type { ExportWindow } from '../../windows/index.ts';
import { Coverage, type WorkLine } from '../coverage/coverage.ts';
import { filingsInLake } from '../coverage/filings-in-lake.ts';
import { rowsOfService } from '../coverage/row-origin.ts';
import type { PlanWindowRequest } from '../types.ts';

/** A service that has lost thousands of filings at once may find them again: the next runs look for the others. */
const CHECKED_MAX = 100;

/** Lines of the work list, each of one request. @param isListed whether the window has a filing */
export async function unlistedFilings(
  lake: Lake,
  { run, record }: Pick<PlanWindowRequest, 'run' | 'record'>,
  isListed: (number: string) => boolean,
): Promise<WorkLine[]> {
  const where = record?.read.proven ? conditionOf(record.window) : null;
  if (where === null) return [];
  const { date_from, date_to } = record!.window.filter;
  const days = [date_from || '0001-01-01', date_to || '9999-12-31'];
  // Rows without a date are in no window with dates.
  if ((date_from || date_to) && !(await lake.mayHold('filings', 'filing_date', days))) return [];
  const [row] = await lake.query(
    `SELECT string_agg(accession_number, ',') AS numbers FROM filings WHERE removed_at IS NULL AND ${where}`,
    { tables: ['filings'] },
  );
  const missing = String(row?.numbers ?? '')
    .split(',')
    .filter((number) => number !== '' && !isListed(number));
  if (missing.length === 0) return [];
  const ofService = await rowsOfService(lake, missing, run.definition.service.base_url);
  // Each run checks other filings, so that those that turn out to exist don't keep the rest from a check.
  const order = (number: string) => hash64(`${run.run_id} ${number}`);
  const checked = missing
    .filter((number) => ofService.has(number))
    .sort((a, b) => (order(a) < order(b) ? -1 : 1))
    .slice(0, CHECKED_MAX);
  const coverage = await Coverage.of(lake, checked, run);
  return [...(await filingsInLake(lake, checked)).values()].map((filing): WorkLine => {
    const covered = coverage.get(filing.accession_number);
    const steps = [{ step: 'info' as const, selector: infoSelector(run.definition, filing) }];
    const { revision } = covered.get('filing')!;
    return { filing, revision, steps, covered: Object.fromEntries(covered), knownBy: 'gap' };
  });
}

/** SQL for the lake's filings that a window must hold; null if the lake can't tell. */
function conditionOf({ of, filter }: ExportWindow): string | null {
  const { date_from, date_to, form_types, excluded_form_types, exclude_amendments, entity_query = {}, items } = filter;
  if (of !== undefined || (items?.length ?? 0) > 0) return null;
  const { ciks, ...others } = entity_query;
  if (Object.values(others).some((values) => (values?.length ?? 0) > 0)) return null;
  const conditions = ['true'];
  if (date_from) conditions.push(`filing_date >= ${quoteText(date_from)}`);
  if (date_to) conditions.push(`filing_date <= ${quoteText(date_to)}`);
  if (form_types?.length) conditions.push(`upper(form_type) IN (${listOf(form_types)})`);
  if (excluded_form_types?.length) conditions.push(`upper(form_type) NOT IN (${listOf(excluded_form_types)})`);
  if (exclude_amendments) conditions.push(`upper(form_type) NOT LIKE '%/A'`);
  if (ciks?.length) conditions.push(`cik IN (${listOf(ciks.map((cik) => cik.replace(/^0+/, '')))})`);
  return conditions.join(' AND ');
}

function listOf(values: readonly string[]): string {
  return values.map((value) => quoteText(value.toUpperCase())).join(', ');
}

/** Whether two records are in the same windows. */
export function isInSameWindows(one: Filing, other: Filing): boolean {
  return one.form_type === other.form_type && one.filing_date === other.filing_date && one.cik === other.cik;
}

/** Standard items of two fiscal years side by side, for `compare`. */
import { FilinglakeError, quoteList, quoteText } from '../../core/index.ts';
import type { Json } from '../answers/json-text.ts';
import { viewAsOf } from '../sources/as-of-view.ts';
import type { LakeRow } from '../sources/lake-tables.ts';
import { cikOf } from './arguments.ts';
import { type FoundRows, lakeOf, nothing, type ToolCall } from './tool.ts';

/** Digits behind the point of a change in percent. */
const PERCENT_DIGITS = 2;

interface Asked {
  readonly items: readonly string[];
  readonly company?: string | undefined;
  readonly fiscal_years?: readonly number[] | undefined;
}

/** @throws FilinglakeError `company-unknown` */
export async function compareItems(
  call: ToolCall<unknown>,
  { items, company, fiscal_years }: Asked,
): Promise<FoundRows> {
  if (company === undefined) throw new FilinglakeError('tool-input-invalid', 'items need a company');
  const { lake, version } = lakeOf(call);
  const { asOf: moment, position } = call;
  const cik = await cikOf(company, call);
  const empty = await lake.without(['fundamentals'], version);
  if (empty !== null) return nothing({ cik }, moment, empty);
  const of = `u.cik = ${quoteText(cik)} AND u.value IS NOT NULL AND u.known_until IS NULL AND u.fiscal_period = 'FY'`;
  const rows = await lake.rows(
    `${viewAsOf('fundamentals', moment)}SELECT u.cik, u.item, u.fiscal_year, u.fiscal_period, u.period_end, u.value, u.unit, u.method,
       u.known_from, u.accession_number
     FROM fundamentals u WHERE ${of} ${items.length > 0 ? `AND u.item IN ${quoteList([...items])}` : ''}
     ORDER BY u.item, u.period_end DESC, u.known_from DESC, u.method, u.accession_number`,
    version,
  );
  const years =
    fiscal_years ?? [...new Set(rows.map((row) => Number(row.fiscal_year)))].sort((a, b) => b - a).slice(0, 2);
  const [before, after] = [Math.min(...years), Math.max(...years)];
  const side = (row: LakeRow | undefined): Json => {
    if (row === undefined) return null;
    const { period_end, value, method, accession_number } = row;
    return { period_end, value, method, accession_number } as unknown as Json;
  };
  const named = [...new Set(rows.map(({ item }) => String(item)))];
  const changes = named.map((item): Json => {
    const inYear = (year: number) => rows.find((row) => row.item === item && Number(row.fiscal_year) === year);
    const [old, now] = [inYear(before), inYear(after)];
    return {
      item,
      unit: ((now ?? old)?.unit as string) ?? null,
      before: side(old),
      after: side(now),
      ...changeOf(old, now),
    };
  });
  return {
    head: { cik, fiscal_years: years.length === 2 ? { before, after } : null, count: changes.length },
    rows: years.length === 2 ? changes.slice(position) : [],
    total: years.length === 2 ? changes.length : 0,
    caveats: years.length === 2 ? [] : ['values of two fiscal years are not here'],
  };
}

/** Of two numbers in one unit; percent of the older one if that is positive. */
function changeOf(old: LakeRow | undefined, now: LakeRow | undefined): Record<string, Json> {
  if (old === undefined || now === undefined || old.unit !== now.unit) return { change: null, change_percent: null };
  const [a, b] = [Number(old.value), Number(now.value)];
  const percent = a > 0 ? Number((((b - a) / a) * 100).toFixed(PERCENT_DIGITS)) : null;
  return { change: String(b - a), change_percent: percent };
}

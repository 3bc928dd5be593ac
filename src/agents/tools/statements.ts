/** `statements`. Fiscal years are the company's own; models compare calendar years. */
import { z } from 'zod';
import { FilinglakeError, quoteList, quoteText } from '../../core/index.ts';
import type { Json } from '../answers/json-text.ts';
import { viewAsOf } from '../sources/as-of-view.ts';
import type { LakeRow } from '../sources/lake-tables.ts';
import { accession, asOf, cikOf, company, paging } from './arguments.ts';
import { filingIn } from './passages.ts';
import { type FoundRows, lakeOf, nothing, rowsMax, type ToolCall, tool } from './tool.ts';
import { whyNothing } from './why-nothing.ts';

const BEFORE_A_SPLIT =
  'values with split_factor are as filed before a split: compare adjusted with the other periods, which are on the newest share basis';

const input = z.strictObject({
  company,
  items: z.array(z.string().max(60)).max(60).optional().describe('revenue, net_income …; default all'),
  periods: z
    .array(z.enum(['FY', 'Q1', 'Q2', 'Q3', 'Q4', 'H1', '9M', 'TTM']))
    .max(8)
    .optional()
    .describe('default FY'),
  fiscal_years: z.array(z.int()).max(60).optional(),
  accession_number: accession.optional(),
  role: z.string().max(400).optional().describe('with accession_number: the role of outline; its lines as filed'),
  ...asOf,
  ...paging,
});

export const statements = tool({
  name: 'statements',
  title: 'Statements',
  description:
    "Standard items (revenue, net_income, total_assets …) of a company by fiscal period, as known at as_of: value, unit, method (reported; summed or solved from printed lines; quarter and ttm are derived from several filings), known_from and the filing. Method printed: read from a page without tags, or derived from that. fiscal_year is the company's own number: fiscal 2024 may end in January 2024 or 2025, so look at period_end. Costs and payments are positive. checks are identities that fail. With accession_number and role: the lines of that statement as filed.",
  input,
  needs: 'lake',
  async run(call) {
    const { args } = call;
    if (args.role !== undefined || (args.accession_number !== undefined && args.company === undefined))
      return asFiled(call);
    if (args.company === undefined)
      throw new FilinglakeError('tool-input-invalid', 'statements needs a company, or an accession_number');
    const { lake, version } = lakeOf(call);
    const cik = await cikOf(args.company, call);
    const { asOf: moment, position, budget } = call;
    const empty = await lake.without(['fundamentals'], version);
    if (empty !== null) {
      const why = await whyNothing(lake, version, { cik, accession_number: args.accession_number }, 'statements');
      return nothing({ cik }, moment, [empty, ...why].join('. '));
    }
    const where = [
      `u.cik = ${quoteText(cik)} AND u.value IS NOT NULL AND u.known_until IS NULL`,
      `u.fiscal_period IN ${quoteList(args.periods?.length ? args.periods : ['FY'])}`,
    ];
    if (args.items?.length) where.push(`u.item IN ${quoteList(args.items)}`);
    if (args.fiscal_years?.length) where.push(`u.fiscal_year IN (${args.fiscal_years.join(', ')})`);
    if (args.accession_number !== undefined) where.push(`u.accession_number = ${quoteText(args.accession_number)}`);
    const view = viewAsOf('fundamentals', moment);
    const rows = await lake.rows(
      `${view}SELECT u.cik, u.item, u.fiscal_year, u.fiscal_period, u.period_start, u.period_end, u.value, u.unit, u.method,
         u.known_from, u.accession_number, u.form_type, CASE WHEN list_contains(share_items(), u.item) AND x.factor <> 1 THEN x.factor END AS split_factor,
         CASE WHEN list_contains(share_items(), u.item) AND x.factor <> 1 THEN CAST(on_newest_basis(u.value, u.unit, x.factor) AS DOUBLE) END AS adjusted, count(*) OVER () AS total
       FROM fundamentals u LEFT JOIN split_factors(${moment === null ? 'NULL' : quoteText(moment)}, [${quoteText(cik)}]) x ON x.known_from = u.known_from
       WHERE ${where.join(' AND ')}
       ORDER BY u.period_end DESC, u.fiscal_period, u.statement, u.item, u.known_from, u.method, u.fiscal_year, u.accession_number
       LIMIT ${rowsMax(budget)} OFFSET ${position}`,
      version,
    );
    const total = rows[0] === undefined ? position : Number(rows[0].total);
    const checks = position === 0 ? await failing(call, cik, rows) : [];
    const isSplit = rows.some(({ split_factor }) => split_factor !== null);
    return {
      head: { cik, count: total, ...(checks.length > 0 && { checks }) },
      rows: rows.map((row) => {
        const { total: _, cik: __, split_factor, adjusted, ...plain } = row;
        return (isSplit ? { ...plain, split_factor, adjusted } : plain) as unknown as Json;
      }),
      total,
      caveats:
        rows.length === 0 && position === 0 && moment === null
          ? await whyNothing(lake, version, { cik, accession_number: args.accession_number }, 'statements')
          : isSplit
            ? [BEFORE_A_SPLIT]
            : [],
    };
  },
});

/** Failed checks of the periods that the answer has. */
async function failing(call: ToolCall<unknown>, cik: string, rows: readonly LakeRow[]): Promise<Json[]> {
  const { lake, version } = lakeOf(call);
  const ends = [...new Set(rows.map(({ period_end }) => String(period_end)))].slice(0, 20);
  if (ends.length === 0 || !(await lake.has('fundamental_checks', version))) return [];
  // All of them may be seen: the values are of these filings.
  const filings = [...new Set(rows.map(({ accession_number }) => String(accession_number)))];
  const found = await lake.rows(
    `SELECT c.identity, c.fiscal_period, c.period_end, c.left_value, c.right_value, c.likeliest_wrong, c.accession_number
     FROM fundamental_checks_as_filed c
     WHERE c.cik = ${quoteText(cik)} AND NOT c.holds AND CAST(c.period_end AS VARCHAR) IN ${quoteList(ends)} AND c.accession_number IN ${quoteList(filings)}
     ORDER BY c.period_end DESC, c.identity LIMIT 5`,
    version,
  );
  return found as unknown as Json[];
}

async function asFiled(call: ToolCall<z.output<typeof input>>): Promise<FoundRows> {
  const { args, position, budget } = call;
  const { lake, version } = lakeOf(call);
  if (args.accession_number === undefined)
    throw new FilinglakeError('tool-input-invalid', 'role needs accession_number');
  await filingIn(call, args.accession_number);
  const empty = await lake.without(['xbrl_presentation', 'xbrl_labels', 'xbrl_facts'], version);
  const about = { accession_number: args.accession_number };
  if (empty !== null) {
    const why = await whyNothing(lake, version, about, 'XBRL facts');
    return nothing(about, call.asOf, [empty, ...why].join('. '));
  }
  const role = args.role === undefined ? '' : ` AND s.role = ${quoteText(args.role)}`;
  const rows = await lake.rows(
    `SELECT s.role_definition AS statement, s.label, s.concept, s.depth, s.period_start, s.period_end, s.unit, s.shown, s.value, s.dimensions,
       s.file, s.position, count(*) OVER () AS total
     FROM statements s
     WHERE s.accession_number = ${quoteText(args.accession_number)}${role} AND coalesce(s.dimensions, '{}') = '{}'
     ORDER BY s.role, s.line, s.period_end DESC, s.period_start, s.unit, s.file, s.position LIMIT ${rowsMax(budget)} OFFSET ${position}`,
    version,
  );
  const total = rows[0] === undefined ? position : Number(rows[0].total);
  return {
    head: { accession_number: args.accession_number, count: total },
    rows: rows.map((row) => {
      const { total: _, value, ...shown } = row;
      const isText = shown.shown === null && value !== null;
      return { ...shown, ...(isText && { value: String(value).slice(0, 300) }) } as unknown as Json;
    }),
    total,
    caveats: total === 0 ? await whyNothing(lake, version, about, 'XBRL facts') : [],
  };
}

/** `facts`. One fact has several statements: comparatives, restatements, roundings. Models add up quarters and years. */
import { z } from 'zod';
import { quoteList, quoteText } from '../../core/index.ts';
import type { Json } from '../answers/json-text.ts';
import { acceptedSql, knownSql, standingSql } from '../sources/lake-tables.ts';
import { accession, asOf, cikOf, company, paging } from './arguments.ts';
import { lakeOf, nothing, rowsMax, tool } from './tool.ts';
import { whyNothing } from './why-nothing.ts';

/** Companies choose among concepts, and began to tag in 2009 to 2011. */
const NO_FACT = 'no such fact here: a company may use another concept. statements has standard items';

export const facts = tool({
  name: 'facts',
  title: 'XBRL facts',
  description:
    'Values that companies tagged in XBRL, by concept (us-gaap:Assets, or Assets) and period. Of each fact the newest statement of an annual or quarterly report, else of another form; revisions: true gives every statement with its filing. period_start null is an instant; a period may be a quarter, half, nine months or a year: compare equal lengths only. Values with dimensions (segments, classes) come with dimensions: true alone. value is exact text in full units; decimals -6 means rounded to millions. Fiscal years: statements.',
  input: z.strictObject({
    company,
    concepts: z.array(z.string().min(1).max(150)).min(1).max(30),
    accession_number: accession.optional(),
    from_period: z.string().date().optional().describe('period_end from'),
    to_period: z.string().date().optional(),
    revisions: z.boolean().optional(),
    dimensions: z.boolean().optional(),
    ...asOf,
    ...paging,
  }),
  needs: 'lake',
  async run(call) {
    const { args, asOf: moment, position, budget } = call;
    const { lake, version } = lakeOf(call);
    const cik = args.company === undefined ? undefined : await cikOf(args.company, call);
    const empty = await lake.without(['xbrl_facts'], version);
    const why = () => whyNothing(lake, version, { cik, accession_number: args.accession_number }, 'XBRL facts');
    if (empty !== null)
      return nothing({ ...(cik !== undefined && { cik }) }, moment, [empty, ...(await why())].join('. '));
    const named = args.concepts.map((name) => name.trim());
    const where = [
      `(t.concept IN ${quoteList(named)} OR split_part(t.concept, ':', 2) IN ${quoteList(named)})`,
      args.accession_number === undefined ? standingSql('f', moment) : knownSql('f', moment),
      't.value IS NOT NULL',
    ];
    if (cik !== undefined) where.push(`t.entity_cik = ${quoteText(cik)}`);
    if (args.accession_number !== undefined) where.push(`t.accession_number = ${quoteText(args.accession_number)}`);
    if (args.from_period !== undefined) where.push(`t.period_end >= DATE ${quoteText(args.from_period)}`);
    if (args.to_period !== undefined) where.push(`t.period_end <= DATE ${quoteText(args.to_period)}`);
    if (!args.dimensions) where.push("coalesce(t.dimensions, '{}') = '{}'");
    const same = 't.entity_cik, t.concept, t.period_start, t.period_end, t.unit, t.dimensions';
    // Of facts of one filing that say the same, the most exact; then, without revisions, the newest statement.
    const exact =
      "CASE t.decimals WHEN 'INF' THEN 99 ELSE try_cast(t.decimals AS INTEGER) END DESC NULLS LAST, t.file, t.position";
    const newest = args.revisions
      ? ''
      : `QUALIFY row_number() OVER (PARTITION BY entity_cik, concept, period_start, period_end, unit, dimensions
           ORDER BY is_report(form_type) DESC, accepted DESC, accession_number DESC) = 1`;
    const rows = await lake.rows(
      `WITH stated AS (SELECT t.accession_number, t.file, t.position, t.entity_cik, t.concept, t.period_start, t.period_end, t.unit, t.dimensions,
           t.decimals, CASE WHEN t.is_text_block THEN left(t.value, 300) ELSE t.value END AS value, t.is_text_block, t.start_index, t.end_index,
           f.form_type, ${acceptedSql('f')} AS accepted
         FROM xbrl_facts t JOIN filings f USING (accession_number) WHERE ${where.join(' AND ')}
         QUALIFY row_number() OVER (PARTITION BY t.accession_number, ${same} ORDER BY ${exact}) = 1),
       chosen AS (FROM stated ${newest})
       SELECT *, count(*) OVER () AS total FROM chosen
       ORDER BY try_cast(entity_cik AS BIGINT), entity_cik, concept, period_end DESC, period_start NULLS FIRST, unit, dimensions, accepted DESC, accession_number DESC
       LIMIT ${rowsMax(budget)} OFFSET ${position}`,
      version,
    );
    const caveats = rows.some(({ is_text_block }) => is_text_block)
      ? ['text blocks are shown by their first 300 characters: read the section for the whole']
      : [];
    if (rows.length === 0 && position === 0) caveats.push(NO_FACT, ...(moment === null ? await why() : []));
    return {
      head: { count: rows[0] === undefined ? position : Number(rows[0].total), ...(cik !== undefined && { cik }) },
      rows: rows.map(({ total: _, is_text_block: __, position: ___, ...row }) => row as Record<string, Json>),
      total: rows[0] === undefined ? position : Number(rows[0].total),
      caveats,
    };
  },
});

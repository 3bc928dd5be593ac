/** `ownership`. Models add up joint owners, take 13F thousands for dollars, and miss that a 13F amendment may add or restate. */
import { z } from 'zod';
import { FilinglakeError, quoteText } from '../../core/index.ts';
import { parseCik } from '../../filings/api/index.ts';
import type { Json } from '../answers/json-text.ts';
import { viewAsOf } from '../sources/as-of-view.ts';
import { acceptedSql, standingSql } from '../sources/lake-tables.ts';
import { asOf, cikOf, company, dates, paging } from './arguments.ts';
import { lakeOf, nothing, rowsMax, type ToolCall, tool } from './tool.ts';

const input = z.strictObject({
  kind: z.enum(['insider', '13f', '13dg']),
  company: company.describe('issuer: CIK, ticker or name; of 13f a part of the name as filed'),
  cusip: z.string().min(6).max(9).optional(),
  holder: z.string().min(1).max(150).optional().describe('person, manager or 13D/G filer: CIK or a part of the name'),
  quarter: z.string().date().optional().describe('13f: last day, 2024-03-31'),
  code: z.string().max(2).optional().describe('insider: P purchase, S sale, A grant, M exercise, F tax'),
  ...dates,
  ...asOf,
  ...paging,
});
type Call = ToolCall<z.output<typeof input>>;

export const ownership = tool({
  name: 'ownership',
  title: 'Owners and holders',
  description:
    'insider: transactions of Forms 3, 4, 5, newest first; a joint report names several owners for one transaction: never add it up per owner; price may be only in a footnote (null). 13f: positions of managers at the end of a quarter, amendments applied (restatements replace, new holdings add). value_usd is in dollars whatever unit was filed (thousands until 2022), null if the unit is not certain. One security may fill several rows: sum them. Never add puts and calls to shares. A 13F-NT has no holdings. 13dg: beneficial owners of Schedules 13D/G in XML (since December 2024); persons may report the same shares: never sum.',
  input,
  needs: 'lake',
  async run(call) {
    const { lake, version } = lakeOf(call);
    const { position, args } = call;
    const empty = await lake.without(TABLES[args.kind], version);
    const issuer = args.company === undefined || args.kind === '13f' ? undefined : await cikOf(args.company, call);
    if (empty !== null) return nothing({ kind: args.kind }, call.asOf, empty);
    const sql = QUESTIONS[args.kind](call, issuer);
    const rows = await lake.rows(`${sql} LIMIT ${rowsMax(call.budget)} OFFSET ${position}`, version);
    const total = rows[0] === undefined ? position : Number(rows[0].total);
    const caveats: string[] = [];
    if (args.kind === '13f' && rows.some(({ value_usd }) => value_usd === null))
      caveats.push('value_usd is null if the filing does not tell thousands from dollars; value is as filed');
    return {
      head: { kind: args.kind, count: total },
      rows: rows.map(({ total: _, ...shown }) => shown as unknown as Json),
      total,
      caveats,
    };
  },
});

const TABLES: Record<Call['args']['kind'], readonly string[]> = {
  insider: ['ownership_reports', 'ownership_owners', 'ownership_transactions'],
  '13f': ['f13_reports', 'f13_holdings'],
  '13dg': ['beneficial_reports', 'beneficial_persons'],
};

const QUESTIONS: Record<Call['args']['kind'], (call: Call, issuer: string | undefined) => string> = {
  insider(call, issuer) {
    const { args, asOf: moment } = call;
    const where = [...filed(call)];
    if (issuer !== undefined) where.push(`r.issuer_cik = ${quoteText(issuer)}`);
    if (args.code !== undefined) where.push(`t.transaction_code = ${quoteText(args.code.toUpperCase())}`);
    if (args.holder !== undefined)
      where.push(
        `t.accession_number IN (SELECT accession_number FROM ownership_owners o WHERE ${named('o.owner_cik', 'o.owner_name', args.holder)})`,
      );
    return `SELECT r.issuer_cik, r.issuer_name, r.form_type, f.filing_date,
          (SELECT string_agg(o.owner_name, '; ' ORDER BY o.owner) FROM ownership_owners o WHERE o.accession_number = t.accession_number) AS owners,
          t.accession_number, t.derivative, t.line, t.security_title, t.transaction_date, t.transaction_code, t.acquired_disposed, t.shares,
          t.price_per_share, t.shares_following, t.direct_indirect,
          count(*) OVER () AS total
        FROM ownership_transactions t JOIN ownership_reports r USING (accession_number) JOIN filings f USING (accession_number)
        WHERE ${where.join(' AND ')} AND ${standingSql('f', moment)}
        ORDER BY ${acceptedSql('f')} DESC NULLS LAST, t.accession_number DESC, t.derivative, t.line`;
  },
  '13f'(call) {
    const { args, asOf: moment } = call;
    if (args.cusip === undefined && args.company === undefined && args.holder === undefined)
      throw new FilinglakeError('tool-input-invalid', '13f needs a holder, a cusip, or the name of a company');
    const where = [...filed(call, 'p')];
    if (args.cusip !== undefined)
      where.push(`upper(p.cusip) LIKE ${quoteText(`${args.cusip.toUpperCase().replace(/[%_]/g, '')}%`)}`);
    if (args.company !== undefined)
      where.push(`contains(upper(p.name_of_issuer), ${quoteText(args.company.toUpperCase())})`);
    if (args.quarter !== undefined) where.push(`p.period_of_report = DATE ${quoteText(args.quarter)}`);
    if (args.holder !== undefined) where.push(named('p.filer_cik', 'r.manager_name', args.holder));
    const view = viewAsOf('f13_positions', moment);
    return `${view}SELECT p.filer_cik, r.manager_name, p.period_of_report, p.filing_date, p.applied_as, p.accession_number, p.position, p.name_of_issuer,
          p.title_of_class, p.cusip, p.value, p.value_unit, p.value_usd, p.shares_or_principal, p.shares_or_principal_type, p.put_call, count(*) OVER () AS total
        FROM f13_positions p JOIN f13_reports r USING (accession_number) JOIN f13_holdings h USING (accession_number, position)
        WHERE ${where.join(' AND ')}
        ORDER BY p.period_of_report DESC, p.value_usd DESC NULLS LAST, p.accession_number, p.position`;
  },
  '13dg'(call, issuer) {
    const { args, asOf: moment } = call;
    const where = [...filed(call), standingSql('f', moment)];
    if (issuer !== undefined) where.push(`r.issuer_cik = ${quoteText(issuer)}`);
    if (args.cusip !== undefined)
      where.push(
        `r.accession_number IN (SELECT accession_number FROM beneficial_cusips WHERE upper(cusip) = ${quoteText(args.cusip.toUpperCase())})`,
      );
    if (args.holder !== undefined)
      where.push(`(${named('p.cik', 'p.name', args.holder)} OR ${named('r.filer_cik', 'p.name', args.holder)})`);
    return `SELECT r.issuer_cik, r.issuer_name, r.form_type, r.event_date, f.filing_date, r.securities_class_title, p.accession_number, p.person, p.cik, p.name,
          p.aggregate_amount, p.percent_of_class, p.sole_voting, p.shared_voting,
          count(*) OVER () AS total
        FROM beneficial_persons p JOIN beneficial_reports r USING (accession_number) JOIN filings f USING (accession_number)
        WHERE ${where.join(' AND ')} ORDER BY ${acceptedSql('f')} DESC NULLS LAST, p.accession_number DESC, p.person`;
  },
};

function filed({ args }: Call, alias = 'f'): string[] {
  return [
    'true',
    ...(args.from_date === undefined ? [] : [`${alias}.filing_date >= DATE ${quoteText(args.from_date)}`]),
    ...(args.to_date === undefined ? [] : [`${alias}.filing_date <= DATE ${quoteText(args.to_date)}`]),
  ];
}

function named(cik: string, name: string, word: string): string {
  const number = parseCik(word.trim());
  return number === null
    ? `contains(upper(${name}), ${quoteText(word.trim().toUpperCase())})`
    : `${cik} = ${quoteText(number)}`;
}

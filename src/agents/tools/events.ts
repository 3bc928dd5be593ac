/** `events`. Each kind of event is a form, or an item of Form 8-K. */
import { z } from 'zod';
import { eightKItemTitle } from '../../filings/api/index.ts';
import type { FilingQuery } from '../sources/filing-source.ts';
import { asOf, cikOf, company, dates, paging, source } from './arguments.ts';
import { fromSources, tool } from './tool.ts';

const EIGHT_K = ['8-K', '8-K/A', '8-K12B', '8-K12G3', '8-K15D5'];
const PERIODIC = ['10-K', '10-Q', '10-KT', '10-QT', '10-K405', '10-KSB', '10-QSB', '20-F', '40-F', '11-K'];
const KINDS: Record<string, readonly string[]> = {
  '8-K': EIGHT_K,
  late: ['NT 10-K', 'NT 10-Q', 'NT 20-F', 'NT 11-K', 'NT 10-D', 'NT N-CEN', 'NT N-MFP', 'NTN 10K', 'NTN 10Q'],
  amendments: PERIODIC.map((form) => `${form}/A`),
  withdrawals: ['RW', 'RW WD', 'AW', 'AW WD'],
  deregistration: ['15-12B', '15-12G', '15-15D', '15F-12B', '15F-12G', '15F-15D', '25', '25-NSE'],
};

export const events = tool({
  name: 'events',
  title: 'Events',
  description:
    'Events as filings, newest first: 8-K items, late filings (NT), amendments of periodic reports, withdrawals (RW, AW), deregistrations and delistings (15, 25). 8-K items: 1.01 agreement, 1.03 bankruptcy, 2.01 acquisition, 2.02 results, 2.06 impairment, 3.01 delisting notice, 4.01 auditor change, 4.02 non-reliance on statements, 5.01 control, 5.02 officers and directors, 5.03 bylaws or fiscal year, 5.07 votes, 7.01 and 8.01 other. Before 23 August 2004 items were 1 to 12. An 8-K/A repeats items: never count it as a second event.',
  input: z.strictObject({
    kind: z.enum(['8-K', 'late', 'amendments', 'withdrawals', 'deregistration']),
    company,
    items: z.array(z.string().max(10)).max(30).optional().describe('8-K alone: any of these'),
    ...dates,
    source,
    ...asOf,
    ...paging,
  }),
  needs: 'filings',
  async run(call) {
    const { args, asOf: moment, version } = call;
    const cik = args.company === undefined ? undefined : await cikOf(args.company, call);
    const query: Omit<FilingQuery, 'from' | 'limit'> = {
      cik,
      forms: KINDS[args.kind],
      from_date: args.from_date,
      to_date: args.to_date,
      asOf: moment,
      ...(args.kind === '8-K' && { items: args.items }),
    };
    const { source: from, found } = await fromSources(call, args.source, (one, range) =>
      one.filings({ ...query, ...range }, version),
    );
    const untold = from.kind === 'service' && args.kind === '8-K';
    return {
      head: { source: from.kind, kind: args.kind, count: found.total, ...(cik !== undefined && { cik }) },
      rows: found.rows.map(({ items_8k, ...row }) => ({
        ...row,
        items_8k: items_8k?.map((item) => `${item} ${eightKItemTitle(item, row.filing_date) ?? ''}`.trim()) ?? null,
      })),
      total: found.total,
      caveats: untold
        ? [...found.caveats, 'a service lists no items here: filter by items, or call outline']
        : found.caveats,
    };
  },
});

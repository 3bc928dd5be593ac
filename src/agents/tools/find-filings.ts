/** `find_filings`. Models take 10-K for all annual reports, and forget that a filing has several parties. */
import { z } from 'zod';
import { FilinglakeError } from '../../core/index.ts';
import { readTerms } from '../answers/terms.ts';
import { accession, asOf, cikOf, company, dates, forms, paging, source } from './arguments.ts';
import { fromSources, tool } from './tool.ts';

const NO_FORM =
  'none of these forms: forms are whole names with their hyphens and blanks, as 10-K, 8-K, 4, DEF 14A, 13F-HR';

export const findFilings = tool({
  name: 'find_filings',
  title: 'Find filings',
  description:
    'Filings by company, form, filing date, 8-K item or accession number, newest first; `count` is the number of all matches. Forms are whole names: 10-K finds neither 10-K/A (amendment) nor 10-K405 nor 20-F. company matches any party: a filing of co-filers, or a Form 4 of an insider, is one filing of each of them. acceptance_datetime is Eastern time; filing_date may be a later day. words finds filings by their texts; search_text shows the passages.',
  input: z.strictObject({
    company,
    forms,
    ...dates,
    words: z.string().min(1).max(400).optional().describe('all in its texts: going concern "material weakness"'),
    items: z.array(z.string().max(10)).max(30).optional().describe('8-K items, any: 2.02'),
    amendments: z.enum(['with', 'without', 'only']).optional(),
    accession_numbers: z.array(accession).max(100).optional(),
    order: z.enum(['newest', 'oldest']).optional(),
    source,
    ...asOf,
    ...paging,
  }),
  needs: 'filings',
  async run(call) {
    const { args, asOf: moment, version } = call;
    const { from_date, to_date, items, amendments, accession_numbers } = args;
    if (from_date !== undefined && to_date !== undefined && from_date > to_date)
      throw new FilinglakeError('tool-input-invalid', `from_date ${from_date} is after to_date ${to_date}`);
    const cik = args.company === undefined ? undefined : await cikOf(args.company, call);
    const query = {
      cik,
      forms: args.forms,
      from_date,
      to_date,
      amendments,
      numbers: accession_numbers,
      asOf: moment,
      terms: args.words === undefined ? undefined : readTerms(args.words),
      items: items?.map((item) => item.replace(/^item\s*/i, '').trim()),
      oldestFirst: args.order === 'oldest',
    };
    const { source: from, found } = await fromSources(call, args.source, (one, range) =>
      one.filings({ ...query, ...range }, version),
    );
    return {
      head: {
        source: from.kind,
        count: found.total,
        ...('forms' in found && { by_form: found.forms as Record<string, number> }),
        ...(cik !== undefined && { cik }),
      },
      total: found.total,
      caveats: args.forms?.length && found.total === 0 ? [...found.caveats, NO_FORM] : found.caveats,
      rows: found.rows.map((row) => ({ ...row })),
    };
  },
});

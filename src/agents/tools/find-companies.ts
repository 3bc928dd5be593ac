/** `find_companies`. Models confuse a company with its ticker of today, and miss it under an older name. */
import { z } from 'zod';
import { FilinglakeError } from '../../core/index.ts';
import { normalTicker, parseCik } from '../../filings/api/index.ts';
import type { Json } from '../answers/json-text.ts';
import { asOf, paging, source } from './arguments.ts';
import { fromSources, tool } from './tool.ts';

const NO_TICKER = 'no company has this ticker here, where tickers may be missing: try a part of its name';
const NO_NAME = 'a service finds companies by their names of today: try another word of it, or the ticker';

export const findCompanies = tool({
  name: 'find_companies',
  title: 'Find companies',
  description:
    'Companies and persons with a CIK, by a part of their name (former names too), ticker (former ones too), CIK, SIC code or state. CIK is the only stable name: tickers are of today and companies rename themselves. `other_names` are those that their filings bear. With as_of, names are of that moment, and tickers are left out.',
  input: z.strictObject({
    name: z.string().min(1).max(150).optional(),
    ticker: z.string().min(1).max(20).optional(),
    cik: z.string().max(10).optional(),
    sic: z.string().max(4).optional().describe('industry code: 6021'),
    state: z.string().max(2).optional().describe("EDGAR's code of the state of incorporation: DE"),
    source,
    ...asOf,
    ...paging,
  }),
  needs: 'filings',
  async run(call) {
    const { args, asOf: moment, version, position } = call;
    const { name, ticker, sic, state } = args;
    const cik = args.cik === undefined ? undefined : parseCik(args.cik);
    if (cik === null)
      throw new FilinglakeError('tool-input-invalid', `cik "${args.cik}" is not a CIK, which has digits alone`);
    if ([name, ticker, cik, sic, state].every((given) => given === undefined))
      throw new FilinglakeError('tool-input-invalid', 'find_companies needs a name, ticker, cik, sic or state');
    const query = {
      asOf: moment,
      ...(cik !== undefined && { cik }),
      ...(ticker !== undefined && { ticker: normalTicker(ticker) }),
      ...(name !== undefined && { name: name.trim() }),
      ...(sic !== undefined && { sic }),
      ...(state !== undefined && { state }),
    };
    const { source: from, found } = await fromSources(call, args.source, (one, range) =>
      one.companies({ ...query, ...range }, version),
    );
    const rows = found.rows.map((row) => ({ ...row }) as unknown as Json);
    const isNone = rows.length === 0 && position === 0;
    const caveats = [...found.caveats];
    if (isNone && ticker !== undefined) caveats.push(NO_TICKER);
    if (isNone && name !== undefined && from.kind === 'service') caveats.push(NO_NAME);
    return { head: { source: from.kind, count: found.total }, ...found, rows, caveats };
  },
});

/** A quarter that is long over, which no feed names any more. */
import type { FetchSelection } from '../../../../src/service/edgar-sync/index.ts';
import { fetchSelected, selectFilings } from '../../../../src/service/edgar-sync/index.ts';
import type { LocalFiling } from './local-edgar.ts';
import type { SimulatedEdgar } from './simulated-edgar.ts';

/** Filings of a day years ago, in the index of their quarter. */
export function old(one: SimulatedEdgar, count: number, more: Partial<LocalFiling> = {}): LocalFiling[] {
  const at = Date.parse('2019-02-05T15:00:00Z');
  const filings = Array.from({ length: count }, (_, n) =>
    one.filing(at + n * 60_000, { form: '10-K', isLetter: true, ...more }),
  );
  one.edgar.publish(...filings);
  one.edgar.writeQuarter('2019/QTR1', '2019-03-29');
  return filings;
}

export const OLD: FetchSelection = { forms: ['10-K*'], from: '2019-01-01', to: '2019-03-31' };

export async function fetch(one: SimulatedEdgar, selection: FetchSelection = OLD) {
  return one.inSession(async (session) => {
    const selected = await selectFilings(session, selection);
    await fetchSelected(session, selected);
    return { plan: selected.plan, counts: { ...session.counts } };
  });
}

/** Rows that a reader gives of a case, against what is known of it. */
import type { Row } from '../../src/filings/forms/index.ts';
import { plainName } from '../../src/filings/statements/printed/cover.ts';
import { type Case, lengthOf, type Truth } from './corpus.ts';

export const CORE =
  'revenue cost_of_revenue gross_profit operating_income pretax_income income_tax net_income eps_basic eps_diluted total_assets current_assets cash inventory total_liabilities current_liabilities stockholders_equity retained_earnings cash_from_operations cash_from_investing cash_from_financing'.split(
    ' ',
  );

/** right; wrong: another value; invented: the filing states none; elsewhere: a period that the filing does not state of the item; missing: printed, and not given. */
export type Outcome = 'right' | 'wrong' | 'invented' | 'elsewhere' | 'missing';

export interface Miss {
  readonly case: Case;
  readonly outcome: Outcome;
  readonly item: string;
  readonly period: string;
  readonly given: string | null;
  readonly truth: string | null;
  readonly line: string;
}

export interface Tally {
  right: number;
  wrong: number;
  invented: number;
  elsewhere: number;
  /** Printed lines of the truth, and how many of them have a right value. */
  printed: number;
  given: number;
}

export const emptyTally = (): Tally => ({ right: 0, wrong: 0, invented: 0, elsewhere: 0, printed: 0, given: 0 });

const periodOf = ({ start, end }: { start: string | null; end: string }): string =>
  start === null ? end : `${start}/${end}`;

function isRight(value: string, truth: Truth, given: Row): boolean {
  const off = [truth.value, ...truth.accept].flatMap((each) =>
    each === null ? [] : [Math.abs(Number(each) - Number(value))],
  );
  // A page in thousands is rougher than a schedule in dollars.
  const half = truth.tolerance > 0 && /^-\d+$/.test(String(given.decimals)) ? 0.5 * 10 ** -Number(given.decimals) : 0;
  return off.some((each) => each <= Math.max(truth.tolerance, half) * 1.000001);
}

/** @param add one outcome of an item */
export function scoreCase(
  one: Case,
  rows: readonly Row[],
  add: (item: string, outcome: Outcome | 'printed' | 'given', miss: Miss | null) => void,
): void {
  const isFiler = (name: Row[string] | undefined) => !name || plainName(String(name)) === plainName(one.company ?? '');
  const given = rows.filter(({ value, registrant }) => value !== null && value !== undefined && isFiler(registrant));
  const byItem = Map.groupBy(given, ({ item }) => String(item));
  for (const [item, truths] of Map.groupBy(one.truths, (truth) => truth.item)) {
    const stated = truths.filter(({ value }) => value !== null);
    const met = new Map<Truth, boolean>();
    const miss = (outcome: Outcome, row: Row | null, truth: Truth | null): Miss => ({
      case: one,
      outcome,
      item,
      period:
        row === null
          ? periodOf(truth!)
          : periodOf({ start: row.period_start as string | null, end: String(row.period_end) }),
      given: row === null ? null : String(row.value),
      truth: truth === null ? null : truth.value,
      line: row === null ? '' : String(row.line ?? row.rule ?? ''),
    });
    for (const row of byItem.get(item) ?? []) {
      const length = lengthOf(row);
      const truth = stated.find(
        ({ end, quarters }) => end === row.period_end && (quarters === null || length === null || quarters === length),
      );
      const value = String(row.value);
      if (truth === undefined) {
        const absent = truths.filter((each) => each.value === null);
        const allowed = absent.some(({ accept }) =>
          accept.some((each) => each !== null && Number(each) === Number(value)),
        );
        // What may be given of the newest period may be given of the others, which labels leave out.
        if (
          allowed ||
          (one.set === 'labels' &&
            stated.length === 0 &&
            absent.some(
              ({ accept, end }) =>
                accept.some((each) => each !== null) &&
                (end !== row.period_end || /^(H1|9M)$/.test(String(row.fiscal_period))),
            ))
        )
          continue;
        // A schedule has the newest period only.
        if (one.set === 'schedules') continue;
        const outcome = stated.length === 0 ? 'invented' : 'elsewhere';
        // Labels of an absent item are of one period.
        add(item, outcome, miss(outcome, row, absent[0] ?? null));
      } else {
        const right = isRight(value, truth, row);
        met.set(truth, (met.get(truth) ?? true) && right);
        add(item, right ? 'right' : 'wrong', right ? null : miss('wrong', row, truth));
      }
    }
    for (const truth of stated) {
      if (!truth.isPrinted) continue;
      add(item, 'printed', null);
      if (met.get(truth) === true) add(item, 'given', null);
      else if (!met.has(truth)) add(item, 'missing', miss('missing', null, truth));
    }
  }
}

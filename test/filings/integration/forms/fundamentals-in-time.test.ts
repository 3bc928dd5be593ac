/** Fundamentals as filings arrive: nothing is known before its filing, and no answer about the past changes. */
import { describe, expect, it } from 'vitest';
import { FormDatabase } from '../../../support/forms/form-database.ts';
import { SPANS } from '../../../support/forms/spans.ts';
import { seeded } from '../../../support/seeded-chance.ts';

/** A value as a filing states it; null: the filing does not. */
interface Stated {
  readonly at: string;
  readonly period: 'Q1' | 'Q2' | 'H1' | 'Q3' | '9M' | 'Q4' | 'FY' | 'day';
  readonly year: number;
  readonly value: number | null;
  readonly decimals?: string;
  /** A schedule without the first day of its period. */
  readonly startless?: true;
}

async function databaseOf(stated: readonly Stated[]): Promise<FormDatabase> {
  const database = await FormDatabase.create();
  await file(database, stated);
  return database;
}

/** Adds the filings that state these values: one for each moment. */
async function file(database: FormDatabase, stated: readonly Stated[]): Promise<void> {
  const times = [...new Set(stated.map(({ at }) => at))];
  const name = (at: string) => `0000000042-${at.slice(2, 4)}-${at.slice(5, 10).replace('-', '').padStart(6, '0')}`;
  const filings = times.map((at) => ({
    accession_number: name(at),
    acceptance_datetime: at,
    filing_date: at.slice(0, 10),
  }));
  await database.insert('filings', filings);
  const rows = stated.map(({ at, period, year, value, decimals = '-6', startless = false }) => ({
    accession_number: name(at),
    file: `${at.slice(0, 10)}.htm`,
    cik: '42',
    fiscal_year: year,
    unit: 'USD',
    method: 'reported',
    fiscal_period: period === 'day' ? 'FY' : period,
    item: period === 'day' ? 'cash' : 'revenue',
    decimals,
    value,
    statement: period === 'day' ? 'balance' : 'income',
    period_start: startless || SPANS[period][0] === null ? null : `${year}-${SPANS[period][0]}`,
    period_end: `${year}-${SPANS[period][1]}`,
  }));
  await database.insert('fundamentals', rows);
}

const SHOWN = `fiscal_year, fiscal_period, CAST(value AS DOUBLE), method, strftime(known_from, '%Y-%m-%d'), strftime(known_until, '%Y-%m-%d')`;
const history = async (stated: readonly Stated[]) =>
  (await databaseOf(stated)).rows(`SELECT ${SHOWN} FROM fundamentals ORDER BY ALL`);

describe('a value', () => {
  it('has a row from its first filing; a restatement closes it, a rounding or a null does not', async () => {
    const of = (at: string, value: number | null, decimals?: string): Stated => ({
      at,
      value,
      period: 'FY',
      year: 2020,
      ...(decimals && { decimals }),
    });
    const rows = await history([
      of('2021-02-01', 96_662_000_000),
      of('2021-05-01', 96_700_000_000, '-8'),
      of('2021-08-01', null),
      of('2022-02-01', 96_662_000_000),
      of('2022-05-01', 95_000_000_000),
    ]);
    expect(rows).toEqual([
      [2020, 'FY', 95_000_000_000, 'reported', '2022-05-01', null],
      [2020, 'FY', 96_662_000_000, 'reported', '2021-02-01', '2022-05-01'],
    ]);
  });

  it('that only rounded statements hid is a restatement; a more exact one is given from then on', async () => {
    const of = (at: string, value: number, decimals: string): Stated => ({
      at,
      value,
      decimals,
      period: 'day',
      year: 2020,
    });
    expect(
      await history([of('2021-01-01', 10.4, '1'), of('2021-02-01', 10, '0'), of('2021-03-01', 10.1, '1')]),
    ).toEqual([
      [2020, 'FY', 10.1, 'reported', '2021-03-01', null],
      [2020, 'FY', 10.4, 'reported', '2021-01-01', '2021-03-01'],
    ]);
    expect(await history([of('2021-01-01', 10, '0'), of('2021-02-01', 10.3, '1')])).toEqual([
      [2020, 'FY', 10, 'reported', '2021-01-01', '2021-02-01'],
      [2020, 'FY', 10.3, 'reported', '2021-02-01', null],
    ]);
  });

  it('that no rule found is null until a filing states it', async () => {
    const of = (at: string, value: number | null): Stated => ({ at, value, period: 'FY', year: 2020 });
    expect(await history([of('2021-01-01', null), of('2021-02-01', 7)])).toEqual([
      [2020, 'FY', 7, 'reported', '2021-02-01', null],
      [2020, 'FY', null, 'reported', '2021-01-01', '2021-02-01'],
    ]);
  });
});

describe('a quarter that no filing states', () => {
  const months = { at: '2020-11-01', period: '9M', year: 2020, value: 66e6 } as const;
  const year = { at: '2021-02-01', period: 'FY', year: 2020, value: 96e6 } as const;
  const quarters = async (more: readonly Stated[]) =>
    (await databaseOf([months, year, ...more])).rows(
      `SELECT ${SHOWN} FROM fundamentals WHERE method = 'quarter' ORDER BY known_from`,
    );
  const first = (until: string | null) => [2020, 'Q4', 30e6, 'quarter', '2021-02-01', until];

  it('is known as soon as both numbers are, until a filing states it', async () => {
    expect(await quarters([])).toEqual([first(null)]);
    expect(await quarters([{ at: '2021-03-01', period: 'Q4', year: 2020, value: 29e6 }])).toEqual([
      first('2021-03-01'),
    ]);
    expect(await quarters([{ at: '2021-02-01', period: 'Q4', year: 2020, value: 29e6 }])).toEqual([]);
  });

  it('follows from three quarters, if no filing states nine months', async () => {
    const of = (at: string, period: Stated['period'], value: number, year = 2020): Stated => ({
      at,
      period,
      year,
      value,
    });
    const own = [of('2020-05-01', 'Q1', 20e6), of('2020-08-01', 'Q2', 22e6), of('2020-11-01', 'Q3', 24e6)];
    const derived = async (more: readonly Stated[]) =>
      (await databaseOf([...own, year, ...more])).rows(
        `SELECT ${SHOWN} FROM fundamentals WHERE method IN ('quarter', 'ttm') ORDER BY known_from, method`,
      );
    expect(await derived([])).toEqual([first(null)]);
    // Nine months that come later take its place: they are of another basis here.
    expect(await derived([{ ...months, at: '2021-11-01', value: 65e6 }])).toEqual([
      first('2021-11-01'),
      [2020, 'Q4', 31e6, 'quarter', '2021-11-01', null],
    ]);
    // One quarter was restated alone.
    expect(await derived([of('2021-05-01', 'Q1', 25e6)])).toEqual([first('2021-05-01')]);
    const next = [
      of('2021-05-02', 'Q1', 30e6, 2021),
      of('2021-08-01', 'Q2', 32e6, 2021),
      of('2021-11-01', 'Q3', 34e6, 2021),
    ];
    expect(await derived(next)).toEqual([
      first(null),
      [2021, 'TTM', 106e6, 'ttm', '2021-05-02', null],
      [2021, 'TTM', 116e6, 'ttm', '2021-08-01', null],
      [2021, 'TTM', 126e6, 'ttm', '2021-11-01', null],
    ]);
    expect(await derived([...next, of('2021-08-01', 'H1', 62e6, 2021), of('2021-08-01', 'H1', 42e6)])).toEqual([
      first(null),
      [2021, 'TTM', 106e6, 'ttm', '2021-05-02', null],
      [2021, 'TTM', 116e6, 'ttm', '2021-08-01', null],
      [2021, 'TTM', 126e6, 'ttm', '2021-11-01', null],
    ]);
  });

  it('is known of periods whose first day no schedule states', async () => {
    const of = (at: string, period: Stated['period'], year: number, value: number): Stated => ({
      at,
      period,
      year,
      value,
      startless: true,
    });
    const database = await databaseOf([
      of('1998-07-25', '9M', 1998, 4_385),
      of('1998-12-23', 'FY', 1998, 5_941),
      of('1998-12-23', 'day', 1998, 1_481),
      of('1999-07-25', '9M', 1999, 4_798),
    ]);
    expect(
      await database.rows(
        `SELECT fiscal_period, CAST(period_start AS VARCHAR), CAST(period_end AS VARCHAR), CAST(value AS DOUBLE) FROM fundamentals WHERE method = 'quarter'`,
      ),
    ).toEqual([['Q4', '1998-10-01', '1998-12-31', 1_556]]);
  });

  it('is not known while one number is restated and the other is of the old basis', async () => {
    const restated = { ...year, at: '2021-05-01', value: 91e6 };
    expect(await quarters([restated])).toEqual([first('2021-05-01')]);
    expect(await quarters([restated, { ...months, at: '2021-11-01', value: 62e6 }])).toEqual([
      first('2021-05-01'),
      [2020, 'Q4', 29e6, 'quarter', '2021-11-01', null],
    ]);
    // Stated again without a change.
    expect(await quarters([restated, { ...months, at: '2021-11-01' }])).toEqual([
      first('2021-05-01'),
      [2020, 'Q4', 25e6, 'quarter', '2021-11-01', null],
    ]);
  });

  it('is known from a number that was restated back before the other came', async () => {
    const stated = [
      { ...months, value: 60e6, at: '2020-12-01' },
      { ...months, at: '2021-01-01' },
    ];
    expect(await quarters(stated)).toEqual([first(null)]);
  });

  it('and the last twelve months are of one basis', async () => {
    const before = { at: '2020-08-01', period: 'H1', year: 2020, value: 40e6 } as const;
    const now = { at: '2021-08-01', period: 'H1', year: 2021, value: 50e6 } as const;
    const ttm = async (again: number) =>
      (await databaseOf([before, year, now, { ...before, at: '2021-08-01', value: again }])).rows(
        `SELECT ${SHOWN} FROM fundamentals WHERE method = 'ttm'`,
      );
    expect(await ttm(40e6)).toEqual([[2021, 'TTM', 106e6, 'ttm', '2021-08-01', null]]);
    expect(await ttm(38e6)).toEqual([]);
  });
});

describe('filings in their order', () => {
  it.each([1, 2])('never change what was known before, and nothing is known before its filing (%i)', async (seed) => {
    const chance = seeded(seed);
    const draw = <Kind>(list: readonly Kind[]) => list[Math.floor(chance() * list.length)]!;
    const times = Array.from({ length: 9 }, (_, k) => `2021-0${k + 1}-01`);
    const seen = new Set<string>();
    const stated = Array.from(
      { length: 60 },
      (): Stated => ({
        at: draw(times),
        period: draw(Object.keys(SPANS) as Stated['period'][]),
        year: draw([2019, 2020]),
        value: draw([null, 10e6, 20e6, 21e6, 24e6]),
        decimals: draw(['-6', '-7']),
      }),
    ).filter(({ at, period, year }) => seen.size < seen.add(`${at} ${period} ${year}`).size);
    const asOf = async (database: FormDatabase, moment: string) =>
      database.rows(
        `SELECT item, fiscal_year, fiscal_period, CAST(value AS DOUBLE), method, known_from::VARCHAR FROM fundamentals_as_of('${moment}') ORDER BY ALL`,
      );
    const whole = await databaseOf(stated);
    const sofar = await FormDatabase.create();
    let rows = 0;
    for (const moment of times) {
      const then = stated.filter(({ at }) => at === moment);
      await file(sofar, then);
      const known = await asOf(sofar, moment);
      expect(await asOf(whole, moment), moment).toEqual(known);
      rows += known.length;
    }
    expect(rows).toBeGreaterThan(100);
    const early = `SELECT 1 FROM fundamentals u JOIN filings g USING (accession_number) WHERE u.known_from < g.acceptance_datetime OR u.known_until <= u.known_from`;
    expect(await whole.rows(early)).toEqual([]);
    const twice = `SELECT 1 FROM fundamentals_as_of('2022-01-01') GROUP BY item, fiscal_period, period_end HAVING count(*) > 1`;
    expect(await whole.rows(twice)).toEqual([]);
    const elsewhere = `SELECT 1 FROM fundamentals u WHERE (accession_number, file) NOT IN (SELECT (accession_number, file) FROM fundamentals_as_filed)`;
    expect(await whole.rows(elsewhere)).toEqual([]);
  });
});

it.each(['USD', 'shares', 'units', 'USD/units'])('derives quarters of money alone: %s', async (unit) => {
  const year = { at: '2022-02-01', period: 'FY', year: 2021, value: 40 } as const;
  const database = await databaseOf([{ ...year, at: '2021-11-01', period: '9M', value: 30 }, year]);
  await database.rows(`UPDATE fundamentals_as_filed SET unit = '${unit}'`);
  const quarters = await database.rows(`SELECT CAST(value AS INTEGER) FROM fundamentals WHERE fiscal_period = 'Q4'`);
  expect(quarters).toEqual(unit === 'USD' ? [[10]] : []);
});

describe('a filter', () => {
  const QUERIES: Readonly<Record<string, [sql: string, rows: number]>> = {
    company: [`FROM fundamentals WHERE cik = '7'`, 24],
    'item as of a moment': [`FROM fundamentals_as_of('2021-01-01') WHERE item = 'item 3'`, 30],
    both: [`FROM fundamentals WHERE cik = '7' AND item = 'item 3'`, 3],
    'companies and items': [`FROM fundamentals_of(['7', '8'], ['item 3', 'item 4'])`, 12],
    'items of a panel': [`FROM panel_values('quarter', '2021-01-01', NULL, ['item 3', 'item 4'])`, 60],
  };

  it('reaches the rows before they are compared', async () => {
    const made = await FormDatabase.create();
    const companies = Array.from({ length: 10 }, (_, k) => String(k));
    const filings = companies.map((cik) => ({ accession_number: cik, filing_date: '2020-11-01' }));
    await made.insert('filings', filings);
    const periods = ['Q1', 'H1', '9M'] as const;
    const rows = companies.flatMap((cik) =>
      Array.from({ length: 8 }, (_, k) =>
        periods.map((fiscal_period) => ({
          accession_number: cik,
          file: 'a.htm',
          cik,
          fiscal_year: 2020,
          fiscal_period,
          item: `item ${k}`,
          value: 5,
          statement: 'income',
          unit: 'USD',
          decimals: '0',
          method: 'reported',
          period_start: `2020-${SPANS[fiscal_period][0]}`,
          period_end: `2020-${SPANS[fiscal_period][1]}`,
        })),
      ).flat(),
    );
    await made.insert('fundamentals', rows);
    for (const [name, [sql, compared]] of Object.entries(QUERIES)) {
      const [[, plan]] = (await made.rows(`EXPLAIN (ANALYZE, FORMAT JSON) SELECT * ${sql}`)) as [[string, string]];
      expect(Math.max(...windowRows(JSON.parse(plan))), name).toBe(compared);
    }
    const [[, plan]] = (await made.rows(`EXPLAIN (ANALYZE, FORMAT JSON) FROM fundamentals`)) as [[string, string]];
    expect(Math.max(...windowRows(JSON.parse(plan)))).toBe(rows.length);
  });

  interface Step {
    readonly operator_type?: string;
    readonly operator_cardinality?: number;
    readonly children?: readonly Step[];
  }

  /** Rows of each window of a plan. */
  function windowRows({ operator_type, operator_cardinality, children = [] }: Step): number[] {
    const own = operator_type === 'WINDOW' ? [operator_cardinality ?? 0] : [];
    return [...own, ...children.flatMap(windowRows)];
  }
});

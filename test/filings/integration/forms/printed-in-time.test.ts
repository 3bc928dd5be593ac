/** Rows of printed pages beside tagged ones: they fill what no tag states, and change nothing else. */
import { describe, expect, it } from 'vitest';
import { plainName } from '../../../../src/filings/statements/printed/cover.ts';
import { createView } from '../../../../src/lake/views/lake-sql.ts';
import { VIEWS } from '../../../../src/lake/views/views.ts';
import { FormDatabase } from '../../../support/forms/form-database.ts';
import { SPANS } from '../../../support/forms/spans.ts';
import { seeded } from '../../../support/seeded-chance.ts';

interface Stated {
  readonly at: string;
  /** A filing of the moment; several may have one. */
  readonly by?: string;
  readonly form?: string;
  readonly printed: boolean;
  readonly period: keyof typeof SPANS;
  readonly year: number;
  readonly value: number | null;
  readonly item?: string;
  /** MM-DD, if it is not the last day of the period's usual month. */
  readonly end?: string;
  readonly reportDate?: string;
  /** No first day is stated. */
  readonly startless?: true;
}

async function databaseOf(stated: readonly Stated[]): Promise<FormDatabase> {
  const database = await FormDatabase.create();
  await file(database, stated);
  return database;
}

const nameOf = ({ at, by = 'a' }: Stated) => `${at} ${by}`;

async function file(database: FormDatabase, stated: readonly Stated[]): Promise<void> {
  const filings = new Map(stated.map((one) => [nameOf(one), one]));
  await database.insert(
    'filings',
    [...filings].map(([accession_number, { at, form = '10-K', reportDate = null }]) => ({
      accession_number,
      cik: '42',
      form_type: form,
      acceptance_datetime: at,
      filing_date: at.slice(0, 10),
      report_date: reportDate,
    })),
  );
  for (const printed of [false, true])
    await database.insert(
      printed ? 'printed_fundamentals' : 'fundamentals',
      stated
        .filter((one) => one.printed === printed)
        .map((one) => ({
          accession_number: nameOf(one),
          file: printed ? 'page.txt' : 'page.htm',
          registrant: '',
          cik: printed ? null : '42',
          fiscal_year: one.year,
          fiscal_period: one.period === 'day' ? 'FY' : one.period,
          item: one.item ?? (one.period === 'day' ? 'cash' : 'revenue'),
          statement: one.period === 'day' ? 'balance' : 'income',
          unit: one.value === null ? null : 'USD',
          decimals: one.value === null ? null : '0',
          method: one.value === null ? null : printed ? 'printed' : 'reported',
          rule: one.value === null ? null : 'revenue/2',
          reason: one.value === null ? 'no_line' : null,
          value: one.value,
          period_start: SPANS[one.period][0] === null || one.startless ? null : `${one.year}-${SPANS[one.period][0]}`,
          period_end: `${one.year}-${one.end ?? SPANS[one.period][1]}`,
        })),
    );
}

const SHOWN = `item, fiscal_year, fiscal_period, CAST(value AS DOUBLE), method, rule, strftime(known_from, '%Y-%m-%d'), strftime(known_until, '%Y-%m-%d')`;
const history = async (stated: readonly Stated[]) =>
  (await databaseOf(stated)).rows(`SELECT ${SHOWN} FROM fundamentals ORDER BY known_from, fiscal_period, value`);
const row = (
  ...[period, value, method, rule, from, until]: [
    string,
    number | null,
    string | null,
    string | null,
    string,
    string | null,
  ]
) => [period === 'day' ? 'cash' : 'revenue', 2000, period === 'day' ? 'FY' : period, value, method, rule, from, until];

describe('a printed value', () => {
  const of = (printed: boolean, at: string, value: number | null, more: Partial<Stated> = {}): Stated => ({
    at,
    printed,
    value,
    period: 'FY',
    year: 2000,
    ...more,
  });

  it('is given from its filing until a tag states the item of the period; a later page changes nothing', async () => {
    expect(
      await history([of(true, '2001-03-01', 10), of(false, '2002-03-01', 10), of(true, '2003-03-01', 12)]),
    ).toEqual([
      row('FY', 10, 'printed', 'revenue/2', '2001-03-01', '2002-03-01'),
      row('FY', 10, 'reported', 'revenue/2', '2002-03-01', null),
    ]);
    expect(await history([of(false, '2001-03-01', 10), of(true, '2002-03-01', 12)])).toEqual([
      row('FY', 10, 'reported', 'revenue/2', '2001-03-01', null),
    ]);
  });

  it('gives way to the schedule of its own filing, unless that does not state it', async () => {
    expect(await history([of(false, '2001-03-01', 10), of(true, '2001-03-01', 11)])).toEqual([
      row('FY', 10, 'reported', 'revenue/2', '2001-03-01', null),
    ]);
    expect(await history([of(false, '2001-03-01', null), of(true, '2001-03-01', 11)])).toEqual([
      row('FY', 11, 'printed', 'revenue/2', '2001-03-01', null),
    ]);
  });

  it('is null with a reason if nothing has it, and then once', async () => {
    expect(await history([of(true, '2001-03-01', null), of(true, '2002-03-01', null)])).toEqual([
      row('FY', null, 'printed', null, '2001-03-01', null),
    ]);
    expect(await history([of(true, '2001-03-01', null), of(false, '2001-03-01', null)])).toEqual([
      row('FY', null, null, null, '2001-03-01', null),
    ]);
    expect(await history([of(true, '2001-03-01', null), of(false, '2002-03-01', 9)])).toEqual([
      row('FY', null, 'printed', null, '2001-03-01', '2002-03-01'),
      row('FY', 9, 'reported', 'revenue/2', '2002-03-01', null),
    ]);
  });

  it('is restated by a later page, and by an amendment', async () => {
    expect(
      await history([
        of(true, '2001-03-01', 10),
        of(true, '2001-06-01', 11, { form: '10-K/A' }),
        of(true, '2002-03-01', 12),
      ]),
    ).toEqual([
      row('FY', 10, 'printed', 'revenue/2', '2001-03-01', '2001-06-01'),
      row('FY', 11, 'printed', 'revenue/2', '2001-06-01', '2002-03-01'),
      row('FY', 12, 'printed', 'revenue/2', '2002-03-01', null),
    ]);
  });

  it('of a day near that of a schedule or of an older page is of the same period', async () => {
    const ends = async (stated: readonly Stated[]) =>
      (await databaseOf(stated)).rows(
        `SELECT item, CAST(period_end AS VARCHAR), CAST(value AS DOUBLE) FROM fundamentals WHERE value IS NOT NULL ORDER BY ALL`,
      );
    expect(
      await ends([
        of(false, '2001-03-01', 10),
        of(true, '2001-03-01', 10, { end: '12-29' }),
        of(true, '2001-03-01', 4, { end: '12-29', item: 'income_tax' }),
      ]),
    ).toEqual([
      ['income_tax', '2000-12-31', 4],
      ['revenue', '2000-12-31', 10],
    ]);
    // A comparative that only says the year.
    expect(
      await ends([
        of(true, '2001-03-01', 10, { end: '12-29' }),
        of(true, '2002-03-01', 10),
        of(true, '2002-03-01', 20, { year: 2001 }),
      ]),
    ).toEqual([
      ['revenue', '2000-12-29', 10],
      ['revenue', '2001-12-31', 20],
    ]);
  });

  it('of two documents of a filing, or of two days of it that fall together, is given once', async () => {
    const database = await databaseOf([
      of(true, '2001-03-01', 10),
      of(true, '2001-03-01', 11, { end: '12-28' }),
      of(false, '2001-03-01', 4, { item: 'income_tax' }),
    ]);
    await database.rows(
      `INSERT INTO printed_fundamentals SELECT * REPLACE ('exhibit.txt' AS file, value + 1 AS value) FROM printed_fundamentals WHERE period_end = '2000-12-31'`,
    );
    const rows = await database.rows(`SELECT CAST(value AS DOUBLE) FROM fundamentals WHERE item = 'revenue'`);
    expect(rows).toEqual([[11]]);
  });
});

describe('a joint report', () => {
  it('gives the filer what is printed under its name, and nothing of the others', async () => {
    const database = await databaseOf([
      { at: '2001-03-01', printed: true, period: 'FY', year: 2000, value: 10 },
      { at: '2001-03-01', printed: true, period: 'FY', year: 1999, value: 20 },
    ]);
    await database.rows(`UPDATE filings SET entity_name = 'ACME CORP /DE/'`);
    await database.rows(
      `UPDATE printed_fundamentals SET registrant = CASE fiscal_year WHEN 2000 THEN 'The Acme Corporation' ELSE 'Acme Power Co.' END`,
    );
    const rows = await database.rows(`SELECT cik, fiscal_year, CAST(value AS DOUBLE) FROM fundamentals`);
    expect(rows).toEqual([['42', 2000, 10]]);
  });

  it('gives the filer a row without a value if no statement has its name, and none beside its own', async () => {
    const stated = { at: '2001-03-01', printed: true, period: 'FY', year: 2000 } as const;
    const database = await databaseOf([
      { ...stated, value: 10 },
      { ...stated, year: 1999, value: null },
    ]);
    await database.rows(
      `UPDATE printed_fundamentals SET registrant = 'Central and South West Corporation' WHERE value IS NOT NULL`,
    );
    const values = async (name: string) => {
      await database.rows(`UPDATE filings SET entity_name = '${name}'`);
      return database.rows(`SELECT registrant, CAST(value AS DOUBLE) FROM fundamentals_filed(NULL, NULL, NULL)`);
    };
    expect(await values('CENTRAL & SOUTH WEST CORP')).toEqual([['Central and South West Corporation', 10]]);
    for (const name of ['CENTRAL & SOUTH WEST LP', 'ACME CORP']) expect(await values(name)).toEqual([['', null]]);
  });

  it('has names by the same rule in SQL as in pages', async () => {
    const database = await FormDatabase.create();
    const names = [
      'The Acme Corporation',
      'ACME CORP /DE/',
      "O'Acme & Co., Inc.",
      'ACME PARTNERS, L.P',
      'A.B. and C Company \\NV',
      'Ämter Incorporated',
    ];
    for (const name of names)
      expect(await database.rows(`SELECT plain_name('${name.replaceAll("'", "''")}')`)).toEqual([[plainName(name)]]);
    expect(plainName('ACME CORP /DE/')).toBe(plainName('The Acme Corporation'));
  });
});

describe('a lake without pages', () => {
  it('has the same columns, and nothing of pages is planned', async () => {
    const database = await FormDatabase.create();
    const macro = VIEWS.find(({ name }) => name === 'fundamentals_filed')!;
    const columns = () => database.rows('DESCRIBE SELECT * FROM fundamentals_filed(NULL, NULL, NULL)');
    const whole = await columns();
    const [without] = createView(macro, (table) => table !== 'printed_fundamentals') as [string];
    expect(without).not.toMatch(/printed_fundamentals/);
    await database.rows(without);
    expect(await columns()).toEqual(whole);
  });
});

describe('what is derived', () => {
  const months = { at: '2000-11-01', period: '9M', year: 2000, value: 60 } as const;
  const year = { at: '2001-03-01', period: 'FY', year: 2000, value: 90 } as const;

  it('of a printed number is printed, and gives way to what tags alone give', async () => {
    const derived = async (stated: readonly Stated[]) =>
      (await databaseOf(stated)).rows(
        `SELECT ${SHOWN} FROM fundamentals WHERE fiscal_period IN ('Q4', 'TTM') ORDER BY known_from, fiscal_period`,
      );
    const printed = (until: string | null) => row('Q4', 30, 'printed', 'quarter', '2001-03-01', until);
    expect(
      await derived([
        { ...months, printed: true },
        { ...year, printed: false },
      ]),
    ).toEqual([printed(null)]);
    expect(
      await derived([
        { ...months, printed: false },
        { ...year, printed: true },
      ]),
    ).toEqual([printed(null)]);
    expect(
      await derived([
        { ...months, printed: true },
        { ...year, printed: false },
        { ...months, at: '2001-11-01', printed: false },
      ]),
    ).toEqual([printed('2001-11-01'), row('Q4', 30, 'quarter', null, '2001-11-01', null)]);
    // Without a first day a schedule and a page may be of two years.
    expect(
      await derived([
        { at: '2000-05-01', period: 'Q1', year: 2000, value: 20, printed: false, startless: true },
        { ...year, printed: true, startless: true },
        { at: '2001-05-01', period: 'Q1', year: 2001, value: 25, printed: false },
      ]),
    ).toEqual([]);
    // Twelve months over the seam.
    const [rows] = [
      await derived([
        { at: '2000-05-01', period: 'Q1', year: 2000, value: 20, printed: false },
        { ...year, printed: false },
        { at: '2001-05-01', period: 'Q1', year: 2001, value: 25, printed: true },
      ]),
    ];
    expect(rows).toEqual([['revenue', 2001, 'TTM', 95, 'printed', 'ttm', '2001-05-01', null]]);
  });
});

describe('a panel', () => {
  const of = (printed: boolean, at: string, year: number, value: number, more: Partial<Stated> = {}): Stated => ({
    at,
    printed,
    value,
    period: 'FY',
    year,
    reportDate: `${Number(at.slice(0, 4)) - 1}-12-31`,
    ...more,
  });
  const stated = [
    of(false, '2001-03-01', 2000, 10),
    of(true, '2002-03-01', 2001, 11),
    of(true, '2002-03-01', 2000, 10.5),
    of(true, '2009-03-01', 2008, 18),
    of(false, '2010-03-01', 2009, 19),
    of(false, '2010-03-01', 2008, 18.5),
    of(true, '2009-03-01', 2008, 3, { item: 'income_tax' }),
  ];
  const panel = async (by: string, where: string, moment = '9999-12-31', rows = stated) =>
    (await databaseOf(rows)).rows(
      `SELECT fiscal_year, item, value, method, has_own_report, has_tagged_report FROM panel_values('${by}', '${moment}', NULL, ['revenue', 'income_tax']) WHERE ${where} ORDER BY ALL`,
    );

  it('has years whose first day no page states as it has others', async () => {
    const startless = stated.map((one): Stated => (one.printed ? { ...one, startless: true } : one));
    for (const by of ['year', 'first_reported']) {
      const whole = await panel(by, 'true');
      expect(whole.length).toBeGreaterThan(3);
      expect(await panel(by, 'true', '9999-12-31', startless)).toEqual(whole);
    }
  });

  it('says which values are printed, and is without them what a lake without them gives', async () => {
    expect(await panel('year', 'true')).toEqual([
      [2000, 'revenue', 10, 'reported', true, true],
      [2001, 'revenue', 11, 'printed', true, false],
      [2008, 'income_tax', 3, 'printed', true, false],
      [2008, 'revenue', 18.5, 'reported', true, false],
      [2009, 'revenue', 19, 'reported', true, true],
    ]);
    const tagged = stated.filter(({ printed }) => !printed);
    const asked = `method <> 'printed'`;
    for (const by of ['year', 'first_reported', 'ttm'])
      for (const moment of ['2002-06-01', '2009-06-01', '9999-12-31'])
        expect(await panel(by, `${asked} AND has_tagged_report`, moment)).toEqual(
          (await panel(by, 'has_own_report', moment, tagged)).map((each) => each),
        );
  });

  it('of years as first reported has the page of the first report, unless one of the year is tagged', async () => {
    const first = await panel('first_reported', 'true', '9999-12-31', [
      ...stated,
      of(false, '2002-04-01', 2001, 11.5, { form: '10-K/A', by: 'b' }),
    ]);
    expect(first).toEqual([
      [2000, 'revenue', 10, 'reported', true, true],
      [2001, 'revenue', 11.5, 'reported', true, true],
      [2008, 'income_tax', 3, 'printed', true, false],
      [2008, 'revenue', 18, 'printed', true, false],
      [2009, 'revenue', 19, 'reported', true, true],
    ]);
  });
});

describe('filings of both kinds in any order', () => {
  it.each([1, 2, 3])(
    'never change what tags give, what was known before, nor give a value twice (%i)',
    { timeout: 60_000 },
    async (seed) => {
      const chance = seeded(seed);
      const draw = <Kind>(list: readonly Kind[]) => list[Math.floor(chance() * list.length)]!;
      const times = Array.from({ length: 8 }, (_, k) => `2021-0${k + 1}-01`);
      const seen = new Set<string>();
      const stated = Array.from(
        { length: 110 },
        (): Stated => ({
          at: draw(times),
          printed: chance() < 0.6,
          period: draw(Object.keys(SPANS) as Stated['period'][]),
          year: draw([2019, 2020]),
          value: draw([null, 10e6, 20e6, 21e6, 24e6]),
        }),
      )
        .map((one) => ({ ...one, form: one.at === times[seed] ? '8-K' : '10-K' }))
        .filter(({ at, printed, period, year }) => seen.size < seen.add(`${at} ${printed} ${period} ${year}`).size);
      const columns = `item, fiscal_year, fiscal_period, period_end::VARCHAR, CAST(value AS DOUBLE), method, rule, known_from::VARCHAR`;
      const asOf = async (database: FormDatabase, moment: string) =>
        database.rows(`SELECT ${columns} FROM fundamentals_as_of('${moment}') ORDER BY ALL`);
      const whole = await databaseOf(stated);
      const tagged = await databaseOf(stated.filter(({ printed }) => !printed));
      const sofar = await FormDatabase.create();
      let printed = 0;
      for (const moment of times) {
        await file(
          sofar,
          stated.filter(({ at }) => at === moment),
        );
        const known = await asOf(sofar, moment);
        expect(await asOf(whole, moment), moment).toEqual(known);
        const values = `FROM fundamentals_as_of('${moment}') WHERE value IS NOT NULL`;
        const [[[all]], [[twice]], [[bare]]] = (await Promise.all([
          whole.rows(`SELECT count(*) ${values} AND method = 'printed'`),
          whole.rows(
            `SELECT count(*) FROM (SELECT 1 FROM fundamentals_as_of('${moment}') GROUP BY item, fiscal_period, period_end HAVING count(*) > 1)`,
          ),
          tagged.rows(`SELECT count(*) ${values}`),
        ])) as [[[string]], [[string]], [[string]]];
        expect(twice, moment).toBe('0');
        printed += Number(all);
        expect(Number(bare)).toBeGreaterThan(0);
      }
      expect(printed).toBeGreaterThan(20);
      const ofTags = `SELECT ${columns}, known_until::VARCHAR, value_before FROM fundamentals WHERE value IS NOT NULL AND method <> 'printed' ORDER BY ALL`;
      expect(await whole.rows(ofTags)).toEqual(await tagged.rows(ofTags));
      const early = `SELECT 1 FROM fundamentals u JOIN filings g USING (accession_number) WHERE u.known_from < g.acceptance_datetime OR u.known_until <= u.known_from`;
      expect(await whole.rows(early)).toEqual([]);
    },
  );
});

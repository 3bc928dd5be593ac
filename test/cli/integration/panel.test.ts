import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { isOfShares } from '../../../src/cli/terminal/statement-options.ts';
import { statementItems } from '../../../src/filings/statements/index.ts';
import { openLake, PANEL_PERIODS } from '../../../src/lake/index.ts';
import { panelSql } from '../../../src/lake/query/panel.ts';
import type { Row } from '../../../src/lake/tables/index.ts';
import { commandLine } from '../../support/command-line.ts';
import { accession, bring } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { seededChance } from '../../support/seeded-chance.ts';

interface Filed {
  readonly n: number;
  readonly cik: string;
  readonly accepted: string;
  readonly values: Row[];
  /** Values of its page. */
  readonly printed?: Row[];
  /** 10-K, if left out. */
  readonly form?: string;
}

const ENDS = { Q1: '03-31', H1: '06-30', '9M': '09-30', FY: '12-31' } as const;
const AGO = { Q1: '01-01', Q2: '04-01', Q3: '07-01' } as const;

function value(period: string, year: number, item: string, amount: number): Row {
  const cumulative = { Q1: 'Q1', Q2: 'H1', Q3: '9M' }[period] ?? period;
  const end = `${year}-${ENDS[cumulative as keyof typeof ENDS]}`;
  const start = AGO[period as keyof typeof AGO] ?? '01-01';
  const isBalance = item === 'total_assets';
  const isCover = item === 'shares_outstanding';
  return {
    file: 'a.htm',
    fiscal_year: year,
    fiscal_period: period,
    item,
    value: String(amount),
    decimals: '0',
    period_start: isBalance || isCover ? null : `${year}-${start}`,
    period_end: isCover ? `${year + 1}-01-20` : end,
    statement: isBalance ? 'balance' : isCover ? 'cover' : 'income',
    unit: isCover ? 'shares' : 'USD',
    registrant: '',
    method: 'reported',
  };
}

const isFlow = (item: string) => item === 'revenue' || item === 'net_income';

async function lakeOf(filed: readonly Filed[]): Promise<string> {
  const folder = path.join(temporaryFolder(), 'lake');
  const lake = await openLake(folder, { create: true });
  const rowsOf = (kind: 'values' | 'printed') =>
    filed.flatMap((one) =>
      (one[kind] ?? []).map((row) => ({ ...row, accession_number: accession(one.n), cik: one.cik })),
    );
  const pages = rowsOf('printed').map((row) => ({ ...row, cik: null, method: 'printed' }));
  await bring(
    lake,
    { batch: 'b' },
    {
      filings: filed.map(({ n, cik, accepted, form }) => ({
        accession_number: accession(n),
        cik,
        form_type: form ?? '10-K',
        filing_date: accepted.slice(0, 10),
        acceptance_datetime: accepted,
      })),
      fundamentals: rowsOf('values'),
      ...(pages.length > 0 && { printed_fundamentals: pages }),
      entity_tickers: [
        { cik: '1', position: 0, ticker: 'ONE' },
        { cik: '1', position: 1, ticker: 'ONE-A' },
      ],
    },
  );
  await lake.close();
  return folder;
}

const ITEMS = ['revenue', 'net_income', 'total_assets', 'shares_outstanding'];

const YEAR: Filed[] = [
  {
    n: 1,
    cik: '1',
    accepted: '2024-05-01T10:00:00',
    values: [value('Q1', 2024, 'revenue', 10), value('Q1', 2024, 'total_assets', 90)],
  },
  {
    n: 2,
    cik: '1',
    accepted: '2024-11-01T10:00:00',
    values: [value('9M', 2024, 'revenue', 36), value('Q3', 2024, 'revenue', 14)],
  },
  {
    n: 3,
    cik: '1',
    accepted: '2025-02-01T16:30:00',
    values: [
      value('FY', 2024, 'revenue', 50),
      value('FY', 2024, 'total_assets', 99),
      value('FY', 2024, 'shares_outstanding', 7),
    ],
  },
  { n: 4, cik: '22', accepted: '2025-03-01T10:00:00', values: [value('FY', 2024, 'revenue', 5)] },
];

describe('filinglake panel', () => {
  let lake: string;
  beforeAll(async () => {
    lake = await lakeOf(YEAR);
  });
  const panel = async (...args: string[]) => {
    const { status, stdout, stderr } = await commandLine(['panel', ...args, '--lake', lake], {
      cwd: path.dirname(lake),
    });
    return { status, stdout, stderr };
  };

  it('has a row for each year of each company', async () => {
    const { stdout } = await panel('--items', ITEMS.join(), '--json');
    expect(JSON.parse(stdout)).toEqual([
      {
        cik: '1',
        ticker: 'ONE',
        fiscal_year: 2024,
        fiscal_period: 'FY',
        period_end: '2024-12-31',
        known_from: '2025-02-01T16:30:00',
        accession_number: accession(3),
        filing_date: '2025-02-01',
        currency: 'USD',
        split_factor: 1,
        revenue: 50,
        net_income: null,
        total_assets: 99,
        shares_outstanding: 7,
      },
      expect.objectContaining({ cik: '22', ticker: null, revenue: 5, shares_outstanding: null }),
    ]);
  });

  it('has quarters that no filing states, with balances of their end and shares of the cover', async () => {
    const { stdout } = await panel('--items', ITEMS.join(), '--by', 'quarter', '--companies', 'one', '--json');
    const rows = JSON.parse(stdout) as Record<string, unknown>[];
    expect(rows.map((row) => [row.fiscal_period, row.revenue, row.total_assets, row.shares_outstanding])).toEqual([
      ['Q1', 10, 90, null],
      ['Q3', 14, null, null],
      ['Q4', 14, 99, 7],
    ]);
  });

  it('takes no year for a quarter, if a filing does not say when it began', async () => {
    const year = { ...value('FY', 2000, 'revenue', 40), period_start: null };
    const folder = await lakeOf([{ n: 1, cik: '9', accepted: '2001-03-01T10:00:00', values: [year] }]);
    const found = async (by: string) => {
      const { stdout } = await commandLine(['panel', '--items', 'revenue', '--by', by, '--json', '--lake', folder]);
      return JSON.parse(stdout).map((row: Row) => [row.fiscal_period, row.revenue]);
    };
    expect(await found('quarter')).toEqual([]);
    expect(await found('year')).toEqual([['FY', 40]]);
  });

  it('has a row for each value, if it is long', async () => {
    const { stdout } = await panel(
      '--items',
      'total_assets,revenue',
      '--by',
      'quarter',
      '--companies',
      '0000000001',
      '--long',
      '--json',
    );
    const rows = JSON.parse(stdout) as Record<string, unknown>[];
    expect(rows.map((row) => [row.fiscal_period, row.item, row.value, row.method, row.accession_number])).toEqual([
      ['Q1', 'total_assets', 90, 'reported', accession(1)],
      ['Q1', 'revenue', 10, 'reported', accession(1)],
      ['Q3', 'revenue', 14, 'reported', accession(2)],
      ['Q4', 'total_assets', 99, 'reported', accession(3)],
      ['Q4', 'revenue', 14, 'quarter', accession(3)],
    ]);
  });

  it('uses nothing of a day that it is as of, and all until a time', async () => {
    const years = async (moment: string) =>
      (JSON.parse((await panel('--items', 'revenue', '--as-of', moment, '--json')).stdout) as unknown[]).length;
    expect(await years('2025-02-01')).toBe(0);
    expect(await years('2025-02-01T16:29:59')).toBe(0);
    expect(await years('2025-02-01 16:30')).toBe(1);
  });

  it('writes files by their endings, and says what they have', async () => {
    const folder = temporaryFolder();
    for (const ending of ['csv', 'parquet', 'dta', 'json']) {
      const file = path.join(folder, `panel.${ending}`);
      expect(await panel('--items', 'revenue', '--out', file)).toEqual({
        status: 0,
        stderr: '',
        stdout: `${file}: 2 rows of 2 companies, 2024-12-31 to 2024-12-31\n`,
      });
      expect(existsSync(file)).toBe(true);
    }
    expect(readFileSync(path.join(folder, 'panel.dta'), 'latin1')).toMatch(/Fiscal year\0.*Revenue, money\0/s);
    expect(readFileSync(path.join(folder, 'panel.csv'), 'utf8')).toBe(
      `cik,ticker,fiscal_year,fiscal_period,period_end,known_from,accession_number,filing_date,currency,split_factor,revenue
1,ONE,2024,FY,2024-12-31,2025-02-01T16:30:00,${accession(3)},2025-02-01,USD,,50
22,,2024,FY,2024-12-31,2025-03-01T10:00:00,${accession(4)},2025-03-01,USD,,5
`,
    );
    expect((await panel('--items', 'goodwill', '--out', path.join(folder, 'b.csv'))).stdout).toContain('no row');
  });

  it('takes companies from a file, and ends with 3 if one has no value', async () => {
    const list = path.join(temporaryFolder(), 'companies.txt');
    writeFileSync(list, '\uFEFFONE\r\n22\r\n\r\n333\r\n');
    const { status, stdout, stderr } = await panel('--items', 'revenue', '--companies', list, '--json');
    expect(JSON.parse(stdout)).toHaveLength(2);
    expect([status, stderr]).toEqual([3, 'warning: the lake has no value of 333\n']);
  });

  it.each([
    [['--items', 'revenu'], /no item 'revenu'; did you mean revenue/],
    [['--items', 'earnings_per_share'], /no item 'earnings_per_share'; did you mean/],
    [['--items', ' , '], /--items names no item/],
    [['--items', 'revenue', '--as-of', '2020-06-30T16:00Z'], /--as-of must be a day/],
    [['--items', 'revenue', '--as-of', '2020-02-30'], /--as-of must be a day/],
    [['--items', 'revenue', '--out', 'panel.xlsx'], /--out must be a file that ends with \.csv/],
    [
      ['--items', 'revenue', '--companies', 'NONE'],
      /no company of the lake has the ticker 'NONE'.*company_tickers_exchange\.json/s,
    ],
    [['--items', 'revenue', '--by', 'month'], /Allowed choices are year, quarter, ttm/],
  ])('refuses %s', async (args, message) => {
    const { status, stderr } = await panel(...args);
    expect(stderr).toMatch(message);
    expect(status).toBe(2);
  });

  it('says what a lake without fundamentals needs', async () => {
    const folder = path.join(temporaryFolder(), 'empty');
    await (await openLake(folder, { create: true })).close();
    const { status, stderr } = await commandLine(['panel', '--items', 'revenue', '--lake', folder]);
    expect([status, stderr]).toEqual([2, expect.stringContaining('filinglake remap --tables statements')]);
  });
});

describe('a panel as first reported', () => {
  const years = (year: number, ...amounts: number[]) =>
    amounts.map((amount, ago) => value('FY', year - ago, 'revenue', amount));
  const report = (n: number, accepted: string, values: Row[], form?: string): Filed => ({
    ...{ n, cik: '1', accepted, values },
    ...(form === undefined ? {} : { form }),
  });
  it('has each year as the first annual report of its own stated it, and no year of comparatives alone', async () => {
    const lake = await lakeOf([
      report(1, '2023-01-15T10:00:00', years(2022, 99), 'S-1'),
      report(2, '2023-02-01T10:00:00', [
        ...years(2022, 100, 90),
        value('FY', 2022, 'shares_outstanding', 7),
        value('FY', 2022, 'total_assets', 40),
      ]),
      report(3, '2023-06-01T10:00:00', years(2022, 104, 90), '10-K/A'),
      report(4, '2024-02-01T10:00:00', years(2023, 130, 105)),
    ]);
    const panel = async (...args: string[]) => {
      const asked = ['panel', '--items', 'revenue,shares_outstanding,total_assets', '--by', 'first_reported', '--json'];
      const { stdout } = await commandLine([...asked, ...args, '--lake', lake], { cwd: path.dirname(lake) });
      return JSON.parse(stdout) as Row[];
    };
    const first = { fiscal_year: 2022, fiscal_period: 'FY', revenue: 100, shares_outstanding: 7, total_assets: 40 };
    const rows = [
      { ...first, accession_number: accession(2), known_from: '2023-02-01T10:00:00' },
      { fiscal_year: 2023, revenue: 130, total_assets: null, accession_number: accession(4) },
    ];
    expect(await panel()).toMatchObject(rows);
    expect(await panel()).toHaveLength(2);
    expect(await panel('--as-of', '2024-01-01')).toMatchObject([rows[0]]);
    expect((await panel('--long')).map(({ item, value }) => [item, value])).toEqual([
      ['revenue', 100],
      ['shares_outstanding', 7],
      ['total_assets', 40],
      ['revenue', 130],
    ]);
  });
});

describe('a panel as of a moment', () => {
  const random = seededChance();
  const whole = (below: number) => Math.floor(random() * below);
  const day = () =>
    `${2023 + whole(3)}-${String(1 + whole(12)).padStart(2, '0')}-${String(1 + whole(28)).padStart(2, '0')}`;
  const filed: Filed[] = Array.from({ length: 40 }, (_, n) => ({
    n: n + 1,
    cik: String(1 + whole(2)),
    accepted: `${day()}T${10 + whole(10)}:00:00`,
    values: ['Q1', 'H1', '9M', 'FY', 'Q2', 'Q3'].flatMap((period) =>
      ITEMS.filter((item) => (isFlow(item) || !/H1|9M/.test(period)) && random() < 0.5).map((item) =>
        value(period, 2021 + whole(3), item, whole(50)),
      ),
    ),
  }));
  // A filing has each value once.
  for (const { values } of filed) {
    const seen = new Set<string>();
    for (let k = values.length - 1; k >= 0; k--) {
      const { item, fiscal_period, period_end } = values[k]!;
      if (seen.has(`${item} ${fiscal_period} ${period_end}`)) values.splice(k, 1);
      seen.add(`${item} ${fiscal_period} ${period_end}`);
    }
  }

  it('is that of a lake which never had later filings', async () => {
    const all = await openLake(await lakeOf(filed));
    const times = filed.map(({ accepted }) => accepted.slice(0, 16).replace('T', ' ')).sort();
    for (let k = 0; k < 3; k++) {
      const asOf = times[10 + whole(25)]!;
      const early = await openLake(
        await lakeOf(filed.filter(({ accepted }) => accepted.slice(0, 16).replace('T', ' ') <= asOf)),
      );
      for (const by of PANEL_PERIODS) {
        for (const long of [k % 2 === 0]) {
          const comparatives = k === 0 ? 'taken in' : 'left out';
          const given = { items: ITEMS, by, ciks: null, long, asReported: false, printed: 'none' } as const;
          const found = await all.query(panelSql({ ...given, comparatives, asOf }));
          expect(found, `${asOf} ${by}`).toEqual(await early.query(panelSql({ ...given, comparatives, asOf: null })));
          for (const { known_from } of found) expect(String(known_from) <= `${asOf.replace(' ', 'T')}:00`).toBe(true);
          expect(found, `${asOf} ${by}`).not.toEqual([]);
        }
      }
      await early.close();
    }
    await all.close();
  });

  it('leaves out periods that only later reports state, says how many, and has them with --comparatives', async () => {
    const both = (year: number, revenue: number) => [
      value('FY', year, 'revenue', revenue),
      value('FY', year - 1, 'revenue', revenue - 1),
    ];
    const folder = await lakeOf([
      { n: 1, cik: '1', accepted: '2023-02-01T10:00:00', values: both(2022, 20) },
      { n: 2, cik: '1', accepted: '2024-02-01T10:00:00', values: both(2023, 30) },
      { n: 3, cik: '22', accepted: '2024-03-01T10:00:00', values: both(2023, 50), form: '20-F' },
    ]);
    const ask = async (...args: string[]) => {
      const asked = ['panel', '--items', 'revenue', '--json', '--lake', folder, ...args];
      const { stdout, stderr } = await commandLine(asked);
      const rows = JSON.parse(stdout) as Row[];
      return [rows.map((row) => [row.cik, row.fiscal_year, row.revenue, row.accession_number]), stderr];
    };
    const own = [
      ['1', 2022, 29, accession(2)],
      ['1', 2023, 30, accession(2)],
      ['22', 2023, 50, accession(3)],
    ];
    const all = [['1', 2021, 19, accession(1)], ...own.slice(0, 2), ['22', 2022, 49, accession(3)], own[2]];
    const sentence = 'left out: only later reports state them. --comparatives has them\n';
    expect(await ask()).toEqual([own, `2 periods of 2 companies ${sentence}`]);
    expect(await ask('--comparatives')).toEqual([all, '']);
    expect(await ask('--as-of', '2023-06-01')).toEqual([
      [['1', 2022, 20, accession(1)]],
      `1 period of 1 company ${sentence}`,
    ]);
  });

  it('has values of printed pages if no tag has them, names them, and leaves them out with --no-printed', async () => {
    const filed: Filed[] = [
      { n: 1, cik: '1', accepted: '2003-02-01T10:00:00', values: [], printed: [value('FY', 2002, 'revenue', 7)] },
      {
        n: 2,
        cik: '1',
        accepted: '2011-02-01T10:00:00',
        values: [],
        printed: [value('FY', 2010, 'revenue', 20), value('FY', 2010, 'net_income', 2)],
      },
      {
        n: 3,
        cik: '1',
        accepted: '2012-02-01T10:00:00',
        values: [value('FY', 2011, 'revenue', 21), value('FY', 2010, 'revenue', 20.5)],
        printed: [],
      },
    ];
    const ask = async (folder: string, ...args: string[]) => {
      const { stdout, stderr } = await commandLine([
        'panel',
        '--items',
        'revenue,net_income',
        '--json',
        '--lake',
        folder,
        ...args,
      ]);
      const rows = stdout === '' ? [] : (JSON.parse(stdout) as Row[]);
      return [...rows.map((row) => [row.fiscal_year, row.revenue, row.net_income, row.printed]), stderr];
    };
    const folder = await lakeOf(filed);
    const left = '1 period of 1 company left out: only later reports state them. --comparatives has them\n';
    expect(await ask(folder)).toEqual([
      [2002, 7, null, 'revenue'],
      [2010, 20.5, 2, 'net_income'],
      [2011, 21, null, null],
      '',
    ]);
    expect(await ask(folder, '--as-of', '2011-06-01')).toEqual([
      [2002, 7, null, 'revenue'],
      [2010, 20, 2, 'net_income revenue'],
      '',
    ]);
    expect(await ask(folder, '--no-printed')).toEqual([[2011, 21, null, undefined], left]);
    expect(await ask(folder, '--no-printed', '--comparatives')).toEqual([
      [2010, 20.5, null, undefined],
      [2011, 21, null, undefined],
      '',
    ]);
    expect(await ask(await lakeOf(filed.map(({ printed: _, ...one }) => one)))).toEqual([
      [2011, 21, null, undefined],
      left,
    ]);
    // A lake of pages alone.
    const pages = await lakeOf(filed.map((one) => ({ ...one, values: [] })));
    expect(await ask(pages)).toEqual([[2002, 7, null, 'revenue'], [2010, 20, 2, 'net_income revenue'], '']);
  });

  it('has one share basis over a split, or values as filed with --as-reported', async () => {
    const shares = (year: number, amount: number) => ({ ...value('FY', year, 'shares_basic', amount), unit: 'shares' });
    const earnings = (year: number, amount: number) => ({
      ...value('FY', year, 'eps_basic', amount),
      unit: 'USD/shares',
      decimals: '2',
    });
    const folder = await lakeOf([
      {
        n: 1,
        cik: '1',
        accepted: '2023-02-01T10:00:00',
        values: [earnings(2021, 20), shares(2021, 1000), earnings(2022, 24), shares(2022, 1000)],
      },
      {
        n: 2,
        cik: '1',
        accepted: '2024-02-01T10:00:00',
        values: [earnings(2022, 6), shares(2022, 4000), earnings(2023, 7), shares(2023, 4000)],
      },
    ]);
    const ask = async (...args: string[]) => {
      const { stdout, stderr } = await commandLine([
        'panel',
        '--items',
        'eps_basic,shares_basic',
        '--comparatives',
        '--json',
        '--lake',
        folder,
        ...args,
      ]);
      const rows = JSON.parse(stdout) as Row[];
      return [rows.map((row) => [row.fiscal_year, row.eps_basic, row.shares_basic, row.split_factor]), stderr];
    };
    const later = [
      [2022, 6, 4000, 1],
      [2023, 7, 4000, 1],
    ];
    expect(await ask()).toEqual([[[2021, 5, 4000, 4], ...later], '']);
    expect(await ask('--as-reported')).toEqual([
      [[2021, 20, 1000, 4], ...later],
      'warning: 2 values as filed before a split: see split_factor\n',
    ]);
    expect(await ask('--as-of', '2023-06-01')).toEqual([
      [
        [2021, 20, 1000, 1],
        [2022, 24, 1000, 1],
      ],
      '',
    ]);
    const { stderr } = await commandLine(['fundamentals', '1', 'eps_basic', '--lake', folder]);
    expect(stderr).toContain('1 value as filed before a split');
  });

  it('takes for counts of shares and amounts for each just the items that the rules do', async () => {
    const open = await openLake(await lakeOf(YEAR));
    const [row] = await open.query('SELECT share_items() AS items FROM fundamentals LIMIT 1');
    expect([...(row!.items as unknown as string[])].sort()).toEqual(statementItems().filter(isOfShares).sort());
    await open.close();
  });

  it('has every item that rules know', () => {
    expect(statementItems()).toEqual(expect.arrayContaining(ITEMS));
  });
});

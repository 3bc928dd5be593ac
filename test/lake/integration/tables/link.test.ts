/** Links to CRSP and Compustat: never a doubled or lost period, never a silent choice. Files have the columns of their public layouts, and made-up rows. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoteText } from '../../../../src/core/index.ts';
import { FormDatabase } from '../../../support/forms/form-database.ts';

type Row = Readonly<Record<string, string | null>>;
type Span = readonly [cik: string, kind: 'cusip' | 'ticker', value: string, from: string, last: string, more?: Row];

const [ONE, TWO, THREE] = ['037833100', '084670108', '084670702'];
const [ONE8, TWO8, THREE8] = [ONE, TWO, THREE].map((cusip) => cusip!.slice(0, 8));

function rowsSql(rows: readonly Row[]): string {
  const cell = (value: string | null) => (value === null ? 'NULL::VARCHAR' : quoteText(value));
  return rows
    .map((row) => `SELECT ${Object.entries(row).map(([name, value]) => `${cell(value)} AS "${name}"`)}`)
    .join(' UNION ALL BY NAME ');
}

function spansSql(spans: readonly Span[]): string {
  const lines = spans.map(
    ([cik, kind, value, from, last, more]) =>
      `SELECT '${cik}' AS cik, '${kind}' AS kind, '${value}' AS value, '${more?.class ?? 'common'}' AS class, DATE '${from}' AS from_day,
       ${more?.until ? `DATE '${more.until}'` : 'NULL::DATE'} AS until_day, DATE '${last}' AS last_day, ${more?.also ? `['${more.also}']` : 'NULL::VARCHAR[]'} AS contradicts`,
  );
  return lines.join(' UNION ALL ');
}

const opened = FormDatabase.create();

async function linksOf(asked: readonly (readonly [cik: string, day: string])[], files: Row[], spans: Span[]) {
  const periods = asked.map(([cik, day]) => `SELECT '${cik}' AS cik, DATE '${day}' AS period_end`).join(' UNION ALL ');
  const sqls = [periods, rowsSql(files), spans.length === 0 ? null : spansSql(spans)];
  const called = `panel_links(${sqls.map((sql) => (sql === null ? 'NULL' : quoteText(sql))).join(', ')})`;
  const database = await opened;
  const rows = await database.rows(
    `SELECT cik, CAST(period_end AS VARCHAR), permno, permno_by, permno_note, gvkey, gvkey_by, gvkey_note FROM ${called} ORDER BY 1, 2`,
  );
  return {
    rows: rows as (string | number | null)[][],
    permnos: rows.map((row) => (row as unknown[]).slice(2, 5)),
    gvkeys: rows.map((row) => (row as unknown[]).slice(5)),
    counts: await database.rows(`WITH links AS (FROM ${called}) SELECT sentence FROM link_counts('FROM links')`),
  };
}

const name = (PERMNO: string, NCUSIP: string | null, NAMEDT: string, NAMEENDDT: string, more: Row = {}): Row => ({
  ...{ PERMNO, NCUSIP, NAMEDT, NAMEENDDT },
  ...more,
});
const LONG = ['2000-01-01', '2024-12-31'] as const;

describe('a PERMNO', () => {
  it('is that of the name with one of the CUSIPs on the last day of the period', async () => {
    const files = [
      name('10001', ONE8!, '2000-01-01', '2015-06-30'),
      name('10002', ONE8!, '2015-07-01', '2020-06-30'),
      name('10003', TWO8!, '2020-07-01', '2024-12-31'),
    ];
    const spans: Span[] = [
      ['1', 'cusip', ONE, '2014-02-14', '2019-02-14'],
      ['1', 'cusip', TWO, '2021-02-14', '2023-02-14'],
    ];
    const days = ['1999-12-31', '2015-06-30', '2015-07-01', '2020-12-31', '2025-01-04', '2025-01-05'];
    const { permnos } = await linksOf(
      days.map((day) => ['1', day] as const),
      files,
      spans,
    );
    // Filings say a CUSIP from their own day on: the file's days count. The last one reaches over a weekend.
    expect(permnos).toEqual([
      [null, null, 'not matched: on other days'],
      [10001, 'cusip', null],
      [10002, 'cusip', null],
      [10003, 'cusip', null],
      [10003, 'cusip', null],
      [null, null, 'not matched: on other days'],
    ]);
  });

  it('is read from either layout of CRSP, from days as programs write them, and from CUSIPs of eight or nine', async () => {
    const layouts: Row[] = [
      { permno: '10001.0', ncusip: ONE8!, cusip: TWO8!, namedt: '20000101', nameenddt: '20241231', ticker: 'ONE' },
      { PERMNO: '10001', SecInfoStartDt: '01/01/2000', SecInfoEndDt: '12/31/2024', CUSIP: ONE8!, Ticker: 'ONE' },
      { PERMNO: '10001', NameDt: '01JAN2000', NameEndDt: '31dec2024', CUSIP9: ONE, HdrCUSIP: TWO8! },
      { permno: '10001', namedt: '2000-01-01 00:00:00', nameendt: '2024-12-31 00:00:00', ncusip: '0378 33-10' },
    ];
    for (const layout of layouts) {
      const { permnos } = await linksOf(
        [['1', '2010-12-31']],
        [layout],
        [['1', 'cusip', ONE, '2014-01-01', '2014-01-01']],
      );
      expect(permnos, JSON.stringify(layout)).toEqual([[10001, 'cusip', null]]);
    }
  });

  it('is none of two classes: both are named. The only common stock counts, or the only primary link, with a note', async () => {
    const spans: Span[] = [
      ['1', 'cusip', TWO, '2014-01-01', '2020-01-01', { class: 'class A' }],
      ['1', 'cusip', THREE, '2014-01-01', '2020-01-01', { class: 'class B' }],
    ];
    const files = (first: Row, second: Row, ...others: Row[]) => [
      name('17778', TWO8!, ...LONG, first),
      name('83443', THREE8!, ...LONG, second),
      ...others,
    ];
    const permnos = async (...given: Row[]) => (await linksOf([['1', '2018-12-31']], given, spans)).permnos[0];
    const none = [null, null, 'doubtful: several candidates: 17778, 83443'];
    expect(await permnos(...files({}, {}))).toEqual(none);
    expect(await permnos(...files({ SHRCD: '11' }, { SHRCD: '11' }))).toEqual(none);
    const note = 'one of several: 17778, 83443';
    expect(await permnos(...files({ SHRCD: '11' }, { SHRCD: '73' }))).toEqual([17778, 'cusip', note]);
    const equity = { SecurityType: 'EQTY', SecuritySubType: 'COM', ShareType: 'NS' };
    expect(await permnos(...files({ ...equity, SecuritySubType: 'PRF' }, equity))).toEqual([83443, 'cusip', note]);
    const link = (LPERMNO: string, LINKPRIM: string, more: Row = {}) => ({
      ...{ GVKEY: '002176', LPERMNO, LINKPRIM, LINKTYPE: 'LC', LINKDT: '1990-01-01', LINKENDDT: 'E' },
      ...more,
    });
    expect(await permnos(...files({}, {}, link('17778', 'J'), link('83443', 'P')))).toEqual([83443, 'cusip', note]);
    expect(await permnos(...files({}, {}, link('83443', 'P', { LINKTYPE: 'LD' })))).toEqual(none);
    expect(await permnos(...files({}, {}, link('83443', 'P', { LINKENDDT: '2010-12-31' })))).toEqual(none);
    // A way of its own: the link has the CIK.
    expect(await permnos(...files({}, {}, link('83443', 'P', { CIK: '0000000001' })))).toEqual([
      83443,
      'cik, cusip',
      note,
    ]);
  });

  it('counts on the days of its row, in a file that has names and companies side by side', async () => {
    const both = { ...name('10001', ONE8!, '2000-01-01', '2015-06-30'), GVKEY: '1690', CIK: '1' };
    const { permnos } = await linksOf(
      [
        ['1', '2014-12-31'],
        ['1', '2016-12-31'],
      ],
      [both],
      [],
    );
    expect(permnos).toEqual([
      [10001, 'cik', null],
      [null, null, 'not matched: on other days'],
    ]);
  });

  it('is none if CUSIP and CIK lead to different ones', async () => {
    const files = [
      name('10001', ONE8!, ...LONG),
      { GVKEY: '1', CIK: '1', LPERMNO: '10009', LINKDT: 'B', LINKENDDT: '.E' },
    ];
    const { permnos, gvkeys } = await linksOf([['1', '2018-12-31']], files, [
      ['1', 'cusip', ONE, '2014-01-01', '2019-01-01'],
    ]);
    expect(permnos).toEqual([[null, null, 'doubtful: CUSIP and CIK disagree: 10001, 10009']]);
    expect(gvkeys).toEqual([['000001', 'cik', null]]);
  });

  it('of a CUSIP that filings state of two companies goes by the days of these filings, and else to none', async () => {
    const spans: Span[] = [
      ['1', 'cusip', ONE, '2005-02-14', '2015-02-14'],
      ['2', 'cusip', ONE, '2016-02-14', '2020-02-14'],
      ['3', 'cusip', ONE, '2010-02-14', '2010-02-14'],
    ];
    const asked = ['1', '2', '3'].flatMap((cik) =>
      ['2009-12-31', '2010-02-14', '2015-12-31', '2018-12-31'].map((day) => [cik, day] as const),
    );
    const { permnos } = await linksOf(asked, [name('10001', ONE8!, ...LONG)], spans);
    const other = [null, null, 'not matched: CUSIP of another company then'];
    const doubtful = (ciks: string) => [null, null, `doubtful: CUSIP of several companies: also CIK ${ciks}`];
    expect(permnos).toEqual([
      ...[[10001, 'cusip', null], doubtful('2, 3'), doubtful('2, 3'), other],
      ...[other, other, doubtful('1, 3'), [10001, 'cusip', null]],
      ...[other, doubtful('1, 2'), doubtful('1, 2'), other],
    ]);
  });

  it('is of one company at a day: if two would have it, neither has', async () => {
    const files: Row[] = [
      { GVKEY: '1', CIK: '1', LPERMNO: '10001', LINKDT: '2000-01-01', LINKENDDT: 'E' },
      { GVKEY: '1', CIK: '2', LPERMNO: '10001', LINKDT: '2018-01-01', LINKENDDT: 'E' },
    ];
    const { permnos, gvkeys } = await linksOf(
      [
        ['1', '2017-12-31'],
        ['1', '2018-12-31'],
        ['2', '2018-12-31'],
      ],
      files,
      [],
    );
    const both = [null, null, 'doubtful: of several companies: PERMNO 10001 of CIK 1, 2'];
    expect(permnos).toEqual([[10001, 'cik', null], both, both]);
    const firm = [null, null, 'doubtful: of several companies: GVKEY 000001 of CIK 1, 2'];
    expect(gvkeys).toEqual([['000001', 'cik, permno', null], firm, firm]);
  });

  it('is of one company whatever else is asked: the files and the spans say who else has it on that day', async () => {
    const link = (CIK: string): Row => ({ GVKEY: '1', CIK, LPERMNO: '10001', LINKDT: '2000-01-01', LINKENDDT: 'E' });
    // No other company is asked, or one whose year ends in another month.
    for (const others of [[], [['2', '2018-06-30']]] as [string, string][][]) {
      const asked = [['1', '2018-12-31'], ...others] as [string, string][];
      const { permnos, gvkeys } = await linksOf(asked, [link('1'), link('2')], []);
      expect([...permnos, ...gvkeys].map(([id]) => id)).toEqual(Array(2 * asked.length).fill(null));
      expect(permnos[0]![2]).toBe('doubtful: of several companies: PERMNO 10001 of CIK 1, 2');
    }
    const files = [name('10001', ONE8!, ...LONG), link('1')];
    const stated: Span[] = [['2', 'cusip', ONE, '2014-01-01', '2020-01-01']];
    expect((await linksOf([['1', '2018-12-31']], files, stated)).permnos).toEqual([
      [null, null, 'doubtful: of several companies: PERMNO 10001 of CIK 1, 2'],
    ]);
    // A successor has the link now, with all days of it, but is not there before filings say so.
    const successor: Span[] = [
      ['1', 'cusip', ONE, '2014-01-01', '2018-06-30'],
      ['2', 'cusip', ONE, '2018-07-01', '2024-12-31'],
    ];
    const days = ['2016-12-31', '2017-12-31'].map((day) => ['1', day] as const);
    expect((await linksOf(days, [name('10001', ONE8!, ...LONG), link('2')], successor)).permnos).toEqual([
      [10001, 'cusip', null],
      [null, null, 'doubtful: of several companies: PERMNO 10001 of CIK 1, 2'],
    ]);
    // It had the name on other days.
    expect(
      (await linksOf([['1', '2018-12-31']], [name('10001', ONE8!, '2000-01-01', '2010-01-01'), link('1')], stated))
        .permnos,
    ).toEqual([[10001, 'cik', null]]);
  });

  it('is none of two classes of which filings state one', async () => {
    const files = (more: Row) => [name('17778', TWO8!, ...LONG, more), name('83443', THREE8!, ...LONG, more)];
    const spans: Span[] = [['1', 'cusip', THREE, '2014-01-01', '2020-01-01', { class: 'class B' }]];
    const permno = async (given: Row[], ...more: Span[]) =>
      (await linksOf([['1', '2018-12-31']], given, [...spans, ...more])).permnos[0];
    const none = [null, null, 'doubtful: several candidates: 17778, 83443'];
    expect(await permno(files({ SHRCD: '11' }))).toEqual(none);
    expect(await permno(files({}))).toEqual(none);
    const link = { GVKEY: '2176', LPERMNO: '83443', LINKPRIM: 'P', LINKDT: '1990-01-01', LINKENDDT: 'E' };
    expect(await permno([...files({ SHRCD: '11' }), link])).toEqual([83443, 'cusip', 'one of several: 17778, 83443']);
    // The other is a unit, or gone by then, or filings state it of another company.
    const [, stated] = files({ SHRCD: '11' });
    const alone = [83443, 'cusip', null];
    expect(await permno([name('17778', TWO8!, ...LONG, { SHRCD: '73' }), stated!])).toEqual(alone);
    expect(await permno([name('17778', TWO8!, '2000-01-01', '2010-01-01'), stated!])).toEqual(alone);
    expect(await permno(files({}), ['2', 'cusip', TWO, '2014-01-01', '2020-01-01'])).toEqual(alone);
  });

  it('is that of the only common stock only if the file says that the others are none', async () => {
    const spans: Span[] = [
      ['1', 'cusip', TWO, '2014-01-01', '2020-01-01'],
      ['1', 'cusip', ONE, '2014-01-01', '2020-01-01'],
    ];
    const files = [name('17778', TWO8!, ...LONG, { SHRCD: '11' }), name('83443', ONE8!, ...LONG)];
    const permno = async (...more: Row[]) =>
      (await linksOf([['1', '2018-12-31']], [...files, ...more], spans)).permnos[0];
    const link = (LPERMNO: string, LINKPRIM: string) => ({
      ...{ GVKEY: '2176', LPERMNO, LINKPRIM, LINKDT: '1990-01-01', LINKENDDT: 'E' },
    });
    expect(await permno()).toEqual([null, null, 'doubtful: several candidates: 17778, 83443']);
    expect(await permno(link('17778', 'J'), link('83443', 'P'))).toEqual([
      83443,
      'cusip',
      'one of several: 17778, 83443',
    ]);
  });

  it('keeps the CIK as it is asked, and refuses files with a row that it can not read', async () => {
    const link: Row = { GVKEY: '1', CIK: '1', LPERMNO: '10001', LINKDT: '2000-01-01', LINKENDDT: 'E' };
    const { rows } = await linksOf(
      [
        ['1', '2018-12-31'],
        ['0000000001', '2018-12-31'],
      ],
      [link],
      [],
    );
    expect(rows.map(([cik, , permno]) => [cik, permno])).toEqual([
      ['0000000001', 10001],
      ['1', 10001],
    ]);
    await expect(linksOf([['1', '2018-12-31']], [{ ...link, CIK: '1e+06' }], [])).rejects.toThrow(
      "a row of the files can't be read: 1E+06 is not a CIK",
    );
  });

  it('is found by a ticker only if nothing else finds one, and no CUSIP and no other company speaks against it', async () => {
    const files = [
      name('17778', TWO8!, ...LONG, { TICKER: 'BRK', SHRCLS: 'A' }),
      name('83443', THREE8!, ...LONG, { TICKER: 'BRK', SHRCLS: 'B' }),
      name('10001', ONE8!, ...LONG, { TICKER: 'ONE' }),
    ];
    const permno = async (...spans: Span[]) => (await linksOf([['1', '2018-12-31']], files, spans)).permnos[0];
    const ticker = (value: string, more: Row = {}): Span => ['1', 'ticker', value, '2010-01-01', '2018-06-30', more];
    expect(await permno(ticker('BRK-B'))).toEqual([83443, 'ticker', null]);
    expect(await permno(ticker('BRK'))).toEqual([null, null, 'doubtful: several candidates: 17778, 83443']);
    expect(await permno(ticker('ONE', { until: '2018-12-31' }))).toEqual([null, null, 'not matched: on other days']);
    expect(await permno(['1', 'ticker', 'ONE', '2010-01-01', '2016-12-31'])).toEqual([
      null,
      null,
      'not matched: on other days',
    ]);
    expect(await permno(ticker('ONE', { also: 'ticker ONE also of CIK 7' }))).toEqual([
      null,
      null,
      'doubtful: ticker of several companies',
    ]);
    expect(await permno(ticker('ONE'), ['7', 'cusip', ONE, '2010-01-01', '2010-01-01'])).toEqual([
      null,
      null,
      'not matched: on other days',
    ]);
    expect(await permno(ticker('ONE'), ['1', 'cusip', '594918104', '2010-01-01', '2020-01-01'])).toEqual([
      null,
      null,
      'not matched: on other days',
    ]);
    expect(await permno(ticker('BRK-B'), ['1', 'cusip', ONE, '2010-01-01', '2020-01-01'])).toEqual([
      10001,
      'cusip',
      null,
    ]);
    expect(await permno(ticker('NONE'))).toEqual([null, null, 'not matched: not in the files']);
  });

  it('is found by a ticker in the four days after the last name only if the company had it before them', async () => {
    const files = [name('10001', ONE8!, '2000-01-01', '2018-12-28', { TICKER: 'ONE' })];
    const from = async (day: string) =>
      (await linksOf([['1', '2018-12-31']], files, [['1', 'ticker', 'ONE', day, '2019-06-30']])).permnos[0];
    expect(await from('2018-12-28')).toEqual([10001, 'ticker', null]);
    expect(await from('2018-12-29')).toEqual([null, null, 'not matched: on other days']);
  });
});

describe('a GVKEY', () => {
  it('is found by CIK, by CUSIP and by PERMNO, and is none if these disagree or find several', async () => {
    const files: Row[] = [
      name('10001', ONE8!, ...LONG),
      { GVKEY: '1690.0', CIK: '0000000001', CUSIP: ONE, TIC: 'ONE', CONM: 'ONE INC' },
      { GVKEY: '001690', LPERMNO: '10001', LINKTYPE: 'LU', LINKPRIM: 'P', LINKDT: '1980-12-12', LINKENDDT: 'E' },
      { GVKEY: '012345', CIK: '2.0', CUSIP: null },
      { GVKEY: '012346', CIK: '2', CUSIP: TWO },
      { GVKEY: '012347', CIK: '3', CUSIP: null },
      { GVKEY: '012348', CIK: '3', CUSIP: null },
      { GVKEY: '1234567', CIK: null, CUSIP: THREE },
      { GVKEY: '7', CIK: 'CIK0000000005', LINKTYPE: 'NU', LINKDT: '2018-06-01', LINKENDDT: 'E' },
    ];
    const spans: Span[] = [
      ['1', 'cusip', ONE, '2014-01-01', '2020-01-01'],
      ['2', 'cusip', TWO, '2014-01-01', '2020-01-01'],
      ['6', 'cusip', THREE, '2014-01-01', '2020-01-01'],
    ];
    const asked = ['1', '2', '3', '5', '6', '7'].map((cik) => [cik, '2018-12-31'] as const);
    const { gvkeys } = await linksOf([...asked, ['5', '2017-12-31']], files, spans);
    expect(gvkeys).toEqual([
      ['001690', 'cik, cusip, permno', null],
      ['012346', 'cik, cusip', 'one of several: 012345, 012346'],
      [null, null, 'doubtful: several candidates: 012347, 012348'],
      [null, null, 'not matched: on other days'],
      ['000007', 'cik', null],
      ['1234567', 'cusip', null],
      [null, null, 'not matched: not in the files'],
    ]);
  });
});

describe('files', () => {
  it('say which rows and which CUSIPs can not be read', async () => {
    const database = await opened;
    const problems = async (...rows: Row[]) =>
      (await database.rows(
        `SELECT problem, unused_cusip FROM link_files(${quoteText(rowsSql(rows))}) ORDER BY ALL`,
      )) as unknown[];
    expect(await problems(name('10001', ONE8!, '31/12/2000', '2024-12-31'))).toEqual([
      ['31/12/2000 is not a day', null],
    ]);
    expect(await problems(name('10001', ONE8!, '2000-02-30', '2024-12-31'))).toEqual([
      ['2000-02-30 is not a day', null],
    ]);
    expect(await problems({ PERMNO: '10001', NCUSIP: ONE8!, DATE: '2000-01-31' })).toEqual([
      [expect.stringContaining('NAMEDT'), null],
    ]);
    expect(await problems({ CUSIP: ONE })).toEqual([['a row has neither PERMNO nor GVKEY', null]]);
    expect(await problems(name('A', ONE8!, ...LONG))).toEqual([['a row has neither PERMNO nor GVKEY', null]]);
    expect(await problems(name('10001', '3783310', ...LONG), name('10002', '3.78E+07', ...LONG))).toEqual([
      [null, '3.78E+07'],
      [null, '3783310'],
    ]);
    // Among CUSIPs of nine, 037833100 has lost its zero, and is not 37833100.
    expect(
      await problems({ GVKEY: '1', CUSIP: '37833100' }, { GVKEY: '2', CUSIP: TWO }, { GVKEY: '3', CUSIP: '084670109' }),
    ).toEqual([
      [null, '084670109'],
      [null, '37833100'],
      [null, null],
    ]);
    expect(await problems({ GVKEY: '1', CUSIP: '37833100' })).toEqual([[null, null]]);
    for (const cik of ['1e+06', '1,418,091', '1;2', 'N/A 3', '3.20193e+05', '-5', '12345678901'])
      expect(await problems({ GVKEY: '1', CIK: cik })).toEqual([[`${cik.toUpperCase()} is not a CIK`, null]]);
    for (const day of ['1/1/80', '12DEC80', '12-DEC-80', '2024111', '80/1/1'])
      expect(await problems(name('1', ONE8!, day, '2024-12-31'))).toEqual([[`${day} is not a day`, null]]);
    const { NAMEENDDT, ...endless } = name('1', ONE8!, ...LONG);
    expect(await problems(endless)).toEqual([[expect.stringMatching(/^no column says until when/), null]]);
    const link: Row = { GVKEY: '1', LPERMNO: '1', LINKDT: '2000-01-01', LINKENDDT: '' };
    expect(await problems(link)).toEqual([[null, null]]);
    const without = (gone: string) => Object.fromEntries(Object.entries(link).filter(([column]) => column !== gone));
    expect(await problems(without('LINKENDDT'))).toEqual([[expect.stringMatching(/^no column says until/), null]]);
    expect(await problems(without('LINKDT'))).toEqual([[expect.stringMatching(/^no column says from/), null]]);
    expect(await problems({ ...link, LPERMNO_1: '2' })).toEqual([['a column stands twice', null]]);
  });

  it('have CUSIPs of eight or nine each for itself, and the first column of CUSIPs that counts', async () => {
    const database = await opened;
    const cusips = async (...rows: Row[]) =>
      (
        (await database.rows(
          `SELECT permno, cusip FROM link_files(${quoteText(rowsSql(rows))}) ORDER BY ALL`,
        )) as unknown[][]
      ).map(([, cusip]) => cusip);
    const [old, newer] = [{ link_file: 'old.csv' }, { link_file: 'newer.csv' }];
    // 37833100 is a CUSIP of eight here, though 037833100 is one too.
    const eight = name('1', '37833100', ...LONG, old);
    expect(await cusips(eight, { ...name('2', null, ...LONG, newer), CUSIP9: TWO! })).toEqual(['37833100', TWO8]);
    expect(await cusips(eight, name('2', '084670109', ...LONG, old))).toEqual(['37833100', null]);
    expect(await cusips(eight, name('2', TWO!, ...LONG, old))).toEqual([null, TWO8]);
    const { NCUSIP, ...bare } = name('1', null, ...LONG);
    expect(await cusips({ ...bare, NCUSIP9: ONE!, CUSIP: TWO8! })).toEqual([ONE8]);
    // Beside NCUSIP, CUSIP is today's.
    expect(await cusips(name('1', null, ...LONG, { CUSIP: TWO8! }), name('2', ONE8!, ...LONG))).toEqual([null, ONE8]);
  });
});

describe('every link', () => {
  const cusip = fc.constantFrom(ONE, TWO, THREE, '594918104');
  const day = fc.integer({ min: 2000, max: 2020 }).map((year) => `${year}-12-31`);
  const cik = fc.constantFrom('1', '2', '3', '4');
  const span = fc
    .tuple(cik, fc.constantFrom('cusip', 'ticker'), cusip, day, day)
    .map(([of, kind, value, a, b]): Span => {
      const [from, last] = [a, b].sort() as [string, string];
      return [of, kind as 'cusip', kind === 'cusip' ? value : `T${value[0]}`, from, last];
    });
  const permno = fc.integer({ min: 10_001, max: 10_004 }).map(String);
  const crsp = fc.tuple(permno, cusip, day, day, fc.constantFrom('10', '73', null)).map(([of, value, a, b, SHRCD]) => {
    const [from, to] = [a, b].sort() as [string, string];
    return name(of, value.slice(0, 8), from, to, { TICKER: `T${value[0]}`, SHRCD });
  });
  const compustat = fc
    .tuple(
      fc.constantFrom('1', '2', '3'),
      fc.option(cik),
      fc.option(cusip),
      fc.option(permno),
      day,
      fc.constantFrom('P', 'J'),
    )
    .map(
      ([GVKEY, CIK, CUSIP, LPERMNO, LINKDT, LINKPRIM]): Row => ({
        GVKEY,
        CIK,
        CUSIP,
        LPERMNO,
        LINKDT,
        LINKENDDT: 'E',
        LINKPRIM,
      }),
    );

  it('has each period once; an id has a way, none has a reason; no id is of two companies at a day; counts add up', async () => {
    let matched = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(cik, day), { minLength: 1, maxLength: 12, selector: String }),
        fc.array(fc.oneof(crsp, compustat), { minLength: 1, maxLength: 8 }),
        fc.array(span, { maxLength: 6 }),
        async (asked, files, spans) => {
          const { rows, counts } = await linksOf(asked, files, spans);
          expect(rows.map(([of, end]) => `${of} ${end}`).sort()).toEqual(
            asked.map(([of, end]) => `${of} ${end}`).sort(),
          );
          for (const [, , one, by, note, key, keyBy, keyNote] of rows) {
            expect([one === null, one === null]).toEqual([by === null, /^(doubtful|not matched): /.test(String(note))]);
            expect([key === null, key === null]).toEqual([
              keyBy === null,
              /^(doubtful|not matched): /.test(String(keyNote)),
            ]);
          }
          for (const at of [2, 5]) {
            const taken = rows.filter((row) => row[at] !== null).map((row) => `${row[1]} ${row[at]}`);
            expect(new Set(taken).size).toBe(taken.length);
            matched += taken.length;
          }
          for (const [sentence] of counts as [string][]) {
            const numbers = [.../(?:matched|doubtful) ([\d,]+)/g[Symbol.matchAll](sentence)].map(([, n]) => Number(n));
            expect(numbers).toHaveLength(3);
            expect(numbers.reduce((sum, n) => sum + n)).toBe(asked.length);
          }
        },
      ),
      { numRuns: 40, seed: 7 },
    );
    expect(matched).toBeGreaterThan(20);
  });
});

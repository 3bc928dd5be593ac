import { describe, expect, it } from 'vitest';
import { columnsOfView } from '../../../../src/lake/views/view-columns.ts';
import { VIEWS } from '../../../../src/lake/views/views.ts';
import { FormDatabase } from '../../../support/forms/form-database.ts';

type Filed = [number: string, day: string, cik: string, name: string, form?: string];

/** Filings with a header each. */
async function filed(...rows: Filed[]) {
  const database = await FormDatabase.create();
  await database.insert(
    'filings',
    rows.map(([accession_number, filing_date, cik, , form_type = '4']) => ({
      accession_number,
      filing_date,
      acceptance_datetime: `${filing_date} 16:30:00`,
      cik,
      form_type,
    })),
  );
  await database.insert(
    'parties',
    rows.map(([accession_number, , cik, name]) => ({ accession_number, position: 0, role: 'filer', cik, name })),
  );
  return {
    database,
    rows: (sql: string) => database.rows(sql),
    /** Symbols that insiders typed. */
    symbols: (...stated: [number: string, cik: string, symbol: string][]) =>
      database.insert(
        'ownership_reports',
        stated.map(([accession_number, issuer_cik, issuer_trading_symbol]) => ({
          accession_number,
          issuer_cik,
          issuer_trading_symbol,
        })),
      ),
    /** Securities on the cover of a report. */
    covers: (...stated: [number: string, cik: string, title: string, ticker: string, exchange: string][]) =>
      database.insert(
        'xbrl_facts',
        stated.flatMap(([accession_number, entity_cik, title, ticker, exchange], security) =>
          Object.entries({ Security12bTitle: title, TradingSymbol: ticker, SecurityExchangeName: exchange }).map(
            ([concept, value], position) => ({
              accession_number,
              entity_cik,
              file: 'cover.htm',
              position: security * 3 + position,
              concept: `dei:${concept}`,
              value,
              dimensions: `{"us-gaap:StatementClassOfStockAxis":"m${security}"}`,
            }),
          ),
        ),
      ),
    schedules: async (...stated: [number: string, cik: string, title: string, cusip: string][]) => {
      await database.insert(
        'beneficial_reports',
        stated.map(([accession_number, issuer_cik, securities_class_title]) => ({
          accession_number,
          issuer_cik,
          securities_class_title,
        })),
      );
      await database.insert(
        'beneficial_cusips',
        stated.map(([accession_number, , , cusip]) => ({ accession_number, position: 0, cusip })),
      );
    },
    /** SEC's list, as seen in May 2024. */
    listed: async (...stated: [cik: string, ticker: string, exchange: string][]) => {
      const ciks = new Set(stated.map(([cik]) => cik));
      await database.insert(
        'entities',
        [...ciks].map((cik) => ({ cik, fetched_at: '2024-05-01 12:00:00+00' })),
      );
      await database.insert(
        'entity_tickers',
        stated.map(([cik, ticker, exchange], position) => ({ cik, position, ticker, exchange })),
      );
    },
    holdings: (...stated: [number: string, name: string, title: string, cusip: string][]) =>
      database.insert(
        'f13_holdings',
        stated.map(([accession_number, name_of_issuer, title_of_class, cusip], position) => ({
          accession_number,
          position,
          name_of_issuer,
          title_of_class,
          cusip,
        })),
      ),
  };
}

describe('check digits', () => {
  it('of CUSIP, ISIN and LEI tell one wrong digit, two that changed places, and what is none', async () => {
    const database = await FormDatabase.create();
    const proven = (kind: string, ...codes: string[]) =>
      database.rows(`SELECT ${codes.map((code) => `is_${kind}('${code}')`).join(', ')}`);
    expect(await proven('cusip', '037833100', '02079K305', 'G0176J109', '037833101', '073833100', '000000000')).toEqual(
      [[true, true, true, false, false, false]],
    );
    expect(await proven('isin', 'US0378331005', 'DE000BASF111', 'US0378331006', 'US0738331005', '037833100')).toEqual([
      [true, true, false, false, false],
    ]);
    expect(await proven('lei', 'HWUPKR0MPOU8FGXBT394', 'HWUPKR0MPOU8FGXBT395', 'HWUPKR0MOPU8FGXBT394')).toEqual([
      [true, false, false],
    ]);
  });

  it('fail for each other digit at each place of a CUSIP', async () => {
    const database = await FormDatabase.create();
    const [[wrong]] = (await database.rows(
      `SELECT count(*) FROM range(9) p(p), range(10) d(d), (SELECT '037833100' AS code) c
       WHERE substr(code, p + 1, 1) <> CAST(d AS VARCHAR) AND is_cusip(substr(code, 1, p) || d || substr(code, p + 2))`,
    )) as [[string]];
    expect(wrong).toBe('0');
  });
});

it('tickers_in: the symbols of what insiders type', async () => {
  const database = await FormDatabase.create();
  const typed: Record<string, string[]> = {
    'NYSE: ORC.A': ['ORC-A'],
    '[ORCH]': ['ORCH'],
    'ORC/A': ['ORC-A'],
    'ORCA/ORCB': ['ORCA', 'ORCB'],
    'orca, orcb': ['ORCA', 'ORCB'],
    'ORCH (NASDAQ)': ['ORCH'],
    'N/A': [],
    none: [],
    'ORC PR C': ['ORC-PC'],
    'ORC.PRC': ['ORC-PC'],
    'ORC WS': ['ORC-WT'],
    'ORC/32': ['ORC-32'],
    'ORC 25, ORC 27E': ['ORC-25', 'ORC-27E'],
    'O 25': ['O-25'],
    ORCpC: ['ORC-PC'],
    'ORC.U, ORC.RT': ['ORC-RI', 'ORC-UN'],
    'Not Applicable': [],
    'NYSE ORCH': ['ORCH'],
    'NYSE AMERICAN ORC': ['ORC'],
    'Nasdaq Global Select Market: ORCH': ['ORCH'],
    'See Remarks': [],
    'Orchards Inc': [],
    'COMMON STOCK': [],
    'TO BE DETERMINED': [],
    'orc b': ['ORC-B'],
    'a company whose shares nobody has listed yet': [],
  };
  for (const [text, tickers] of Object.entries(typed))
    expect(await database.rows(`SELECT list_sort(tickers_in('${text}'))`), text).toEqual([[tickers]]);
  const stated = {
    XOM39A: ['XOM39A'],
    OTCM: ['OTCM'],
    'ORC/A': ['ORC-A'],
    'N/A': [],
    none: [],
    'ORC, ORCA': ['ORC', 'ORCA'],
    'ORC/28A': ['ORC-28A'],
    'ORC /35': ['ORC-35'],
    'O 27E': ['O-27E'],
    'O PR B': ['O-PB'],
    'ORC-PRA': ['ORC-PA'],
    'ORC.PR.A': ['ORC-PA'],
    'ORC^A': ['ORC-A'],
    'ORC.WSA': ['ORC-WTA'],
    'ORC-U': ['ORC-UN'],
    'NYSE A': ['A'],
  };
  for (const [text, tickers] of Object.entries(stated))
    expect(await database.rows(`SELECT list_sort(tickers_stated('${text}'))`), text).toEqual([[tickers]]);
});

describe('identities', () => {
  it('are rows of what each filing says, known from its acceptance; a mistyped CUSIP stays, unproven', async () => {
    const { rows, symbols, schedules } = await filed(
      ['a1', '2015-03-02', '7', 'Orchards Inc'],
      ['a2', '2016-03-02', '7', 'Orchards Inc', 'SCHEDULE 13G'],
    );
    await symbols(['a1', '7', 'ORCH']);
    await schedules(['a2', '7', 'Common Stock', '037833109']);
    const columns = 'cik, kind, value, is_proven, accession_number, place';
    expect(await rows(`SELECT ${columns} FROM identities ORDER BY accession_number, kind`)).toEqual([
      ['7', 'name', 'Orchards Inc', null, 'a1', 'parties'],
      ['7', 'ticker', 'ORCH', null, 'a1', 'ownership_reports'],
      ['7', 'cusip', '037833109', false, 'a2', 'beneficial_cusips'],
      ['7', 'name', 'Orchards Inc', null, 'a2', 'parties'],
    ]);
    expect(await rows("SELECT kind FROM identities_as_of('2015-03-02 16:29')")).toEqual([]);
    expect(await rows("SELECT kind FROM identities_as_of('2015-03-02 16:30') ORDER BY 1")).toEqual([
      ['name'],
      ['ticker'],
    ]);
    expect(await rows('SELECT cusip, ticker FROM securities')).toEqual([[null, 'ORCH']]);
  });

  it('a list of tickers counts from the day on which it was seen, a name without a header from its filing', async () => {
    const database = await FormDatabase.create();
    await database.insert('filings', [
      { accession_number: 'a1', filing_date: '2015-03-02', cik: '7', entity_name: 'Orchards Inc', form_type: '10-K' },
    ]);
    await database.insert('entities', [{ cik: '7', name: 'Orchards Inc', fetched_at: '2024-05-01 12:00:00+00' }]);
    await database.insert('entity_tickers', [{ cik: '7', position: 0, ticker: 'ORC.B', exchange: 'NYSE' }]);
    const of = 'SELECT kind, value, CAST(known_from AS VARCHAR) FROM';
    expect(await database.rows(`${of} identities ORDER BY kind`)).toEqual([
      ['exchange', 'NYSE', '2024-05-01 07:00:00'],
      ['name', 'Orchards Inc', '2015-03-03 00:00:00'],
      ['ticker', 'ORC-B', '2024-05-01 07:00:00'],
    ]);
    expect(await database.rows(`${of} identities_as_of('2024-05-01 06:00') WHERE kind <> 'name'`)).toEqual([]);
  });

  it('letters and drafts are public some day after their acceptance: no moment knows them', async () => {
    const { rows } = await filed(
      ['a1', '2015-03-02', '7', 'Orchards Inc', 'CORRESP'],
      ['a2', '2014-03-02', '7', 'Gardens Inc', 'DRS/A'],
      ['a3', '2016-03-02', '7', 'Lawns Inc', 'DOSLTR'],
    );
    expect(await rows('SELECT value, known_from FROM identities ORDER BY 1')).toEqual([
      ['Gardens Inc', null],
      ['Lawns Inc', null],
      ['Orchards Inc', null],
    ]);
    expect(await rows("SELECT value FROM identities_as_of('2020-01-01')")).toEqual([]);
  });

  it('what a filing said that its service has removed is not said', async () => {
    const { database, rows, symbols } = await filed(['a1', '2015-03-02', '7', 'Orchards Inc']);
    await symbols(['a1', '7', 'ORCH']);
    await database.connection.run("UPDATE filings SET removed_at = '2020-01-01 12:00:00+00'");
    expect(await rows('SELECT 1 FROM identities')).toEqual([]);
    expect(await rows("SELECT kind FROM identities_as_of('2019-01-01') ORDER BY 1")).toEqual([['name'], ['ticker']]);
  });
});

describe('securities', () => {
  const SPANS =
    'SELECT cik, class, ticker, exchange, cusip, CAST(from_day AS VARCHAR), CAST(until_day AS VARCHAR), until_by FROM securities ORDER BY cik, class, from_day, ticker, cusip';

  it('a changed ticker ends where its successor begins; exchange and CUSIP are in its rows', async () => {
    const { rows, covers, schedules } = await filed(
      ['a1', '2019-02-01', '7', 'Orchards Inc', '10-K'],
      ['a2', '2020-02-01', '7', 'Orchards Inc', '10-K'],
      ['a3', '2021-02-01', '7', 'Meadows Inc', '10-K'],
      ['a4', '2019-02-01', '7', 'Orchards Inc', 'SCHEDULE 13G'],
    );
    await covers(
      ['a1', '7', 'Common Stock, $1 par', 'ORCH', 'NASDAQ'],
      ['a2', '7', 'Common Stock, $1 par', 'ORCH', 'NYSE'],
      ['a3', '7', 'Common Stock, $1 par', 'MEAD', 'NYSE'],
    );
    await schedules(['a4', '7', 'Common Shares', '037833100']);
    expect(await rows(SPANS)).toEqual([
      ['7', 'common', 'ORCH', 'NASDAQ', '037833100', '2019-02-01', '2020-02-01', 'NYSE'],
      ['7', 'common', 'ORCH', 'NYSE', '037833100', '2020-02-01', '2021-02-01', 'MEAD'],
      ['7', 'common', 'MEAD', 'NYSE', '037833100', '2021-02-01', null, null],
    ]);
    expect(await rows("SELECT ticker, until_day FROM securities_as_of('2020-06-01') WHERE until_day IS NULL")).toEqual([
      ['ORCH', null],
    ]);
  });

  it('two classes keep their own tickers and CUSIPs, side by side', async () => {
    const { rows, covers, holdings, schedules } = await filed(
      ['a1', '2020-02-01', '7', 'Orchards Inc', '10-K'],
      ['g1', '2020-02-01', '7', 'Orchards Inc', 'SCHEDULE 13G'],
      ['h1', '2020-02-14', '9', 'Manager LLC', '13F-HR'],
    );
    await covers(
      ['a1', '7', 'Class A Common Stock', 'ORCA', 'NYSE'],
      ['a1', '7', 'Class B Common Stock', 'ORCB', 'NYSE'],
    );
    await schedules(['g1', '7', 'Class A Common Stock', '02079K305']);
    await holdings(
      ['h1', 'ORCHARDS INC', 'CL A', '02079K305'],
      ['h1', 'ORCHARDS INC', 'CL B', '02079K107'],
      ['h1', 'STRANGER CORP', 'COM', '037833100'],
    );
    expect(
      await rows(
        'SELECT class, ticker, cusip, cusip_linked_by, contradicts FROM securities WHERE until_day IS NULL ORDER BY 1',
      ),
    ).toEqual([
      ['class A', 'ORCA', '02079K305', 'schedule', null],
      ['class B', 'ORCB', '02079K107', 'issuer number', null],
    ]);
  });

  it('of several tickers of one class nobody knows whose the CUSIP is: each has its own row', async () => {
    const { rows, symbols, schedules } = await filed(
      ['a1', '2015-03-02', '7', 'Orchards Inc'],
      ['g1', '2015-03-02', '7', 'Orchards Inc', 'SCHEDULE 13G'],
    );
    await symbols(['a1', '7', 'ORCH, ORC, ORC-PC']);
    await schedules(['g1', '7', 'Common Stock', '037833100']);
    expect(await rows('SELECT ticker, cusip FROM securities ORDER BY ALL')).toEqual([
      ['ORC', null],
      ['ORC-PC', null],
      ['ORCH', null],
      [null, '037833100'],
    ]);
  });

  it('a delisting by Form 25 ends ticker and CUSIP; a report after it shows that they did not end', async () => {
    const { rows, symbols } = await filed(
      ['a1', '2015-03-02', '7', 'Orchards Inc'],
      ['a2', '2018-03-02', '7', 'Orchards Inc', '25-NSE'],
      ['b1', '2015-03-02', '8', 'Bonds Inc'],
      ['b2', '2016-03-02', '8', 'Bonds Inc', '25-NSE'],
      ['b3', '2018-03-02', '8', 'Bonds Inc'],
      ['c1', '2015-03-02', '9', 'Days Inc'],
      ['c2', '2015-03-02', '9', 'Days Inc', '15-12G'],
    );
    await symbols(['a1', '7', 'ORCH'], ['b1', '8', 'BOND'], ['b3', '8', 'BOND'], ['c1', '9', 'DAY']);
    expect(await rows(SPANS)).toEqual([
      ['7', 'common', 'ORCH', null, null, '2015-03-02', '2018-03-02', 'form 25-NSE'],
      ['8', 'common', 'BOND', null, null, '2015-03-02', null, null],
      ['9', 'common', 'DAY', null, null, '2015-03-02', '2015-03-03', 'form 15-12G'],
    ]);
  });

  it('a list states no class: what it alone has is neither common nor a contradiction, but a sole symbol is of the sole class', async () => {
    const { rows, symbols, schedules, listed } = await filed(
      ['a1', '2020-02-03', '7', 'Orchards Inc'],
      ['a2', '2021-02-03', '7', 'Orchards Inc'],
      ['a3', '2022-02-03', '7', 'Orchards Inc'],
      ['g1', '2022-02-03', '8', 'Classes Inc', 'SCHEDULE 13G'],
    );
    await symbols(['a1', '7', 'ORCH'], ['a2', '7', 'ORCH'], ['a3', '7', 'ORCH']);
    await schedules(['g1', '8', 'Class A Common Stock', '02079K305']);
    await listed(
      ['7', 'MEAD', 'NYSE'],
      ['8', 'CLSA', 'NYSE'],
      ['9', 'BON-A', 'NYSE'],
      ['9', 'BON-B', 'NYSE'],
      ['9', 'BONWW', 'OTC'],
    );
    expect(
      await rows(
        'SELECT cik, class, ticker, cusip, ticker_filings, CAST(until_day AS VARCHAR), contradicts FROM securities WHERE ticker IS NOT NULL ORDER BY cik, ticker',
      ),
    ).toEqual([
      ['7', 'common', 'MEAD', null, '0', null, null],
      ['7', 'common', 'ORCH', null, '3', '2024-05-01', null],
      ['8', 'class A', 'CLSA', '02079K305', '0', null, null],
      ['9', null, 'BON-A', null, '0', null, null],
      ['9', null, 'BON-B', null, '0', null, null],
      ['9', null, 'BONWW', null, '0', null, null],
    ]);
    expect(await rows("SELECT ticker, class FROM ticker_of('9', '2024-06-01') WHERE ticker = 'BONWW'")).toEqual([
      ['BONWW', null],
    ]);
  });

  it('a stock on two exchanges is one row, with the exchange that most filings state, then NYSE or NASDAQ', async () => {
    const { rows, covers } = await filed(
      ['a1', '2020-02-03', '7', 'Orchards Inc', '10-K'],
      ['b1', '2020-02-03', '8', 'Meadows Inc', '10-K'],
      ['b2', '2021-02-03', '8', 'Meadows Inc', '10-K'],
    );
    await covers(
      ['a1', '7', 'Common Stock', 'ORCH', 'CHX'],
      ['a1', '7', 'Common Stock', 'ORCH', 'NYSE'],
      ['b1', '8', 'Common Stock', 'MEAD', 'CHX'],
      ['b2', '8', 'Common Stock', 'MEAD', 'CHX'],
      ['b2', '8', 'Common Stock', 'MEAD', 'NASDAQ'],
    );
    expect(
      await rows(
        'SELECT ticker, exchange, CAST(from_day AS VARCHAR), CAST(until_day AS VARCHAR), contradicts FROM securities ORDER BY ticker, 3',
      ),
    ).toEqual([
      ['MEAD', 'CHX', '2020-02-03', '2021-02-03', ['also exchange NASDAQ']],
      ['MEAD', 'CHX', '2021-02-03', null, ['also exchange NASDAQ']],
      ['ORCH', 'NYSE', '2020-02-03', null, ['also exchange CHX']],
    ]);
  });

  it("a preferred of a cover is the list's, and the exchange that the list gives by its family's name ends nothing", async () => {
    const { rows, covers, listed } = await filed(['a1', '2020-02-03', '7', 'Orchards Inc', '10-K']);
    await covers(
      ['a1', '7', 'Common\u00a0Stock', 'O', 'NYSEAMER'],
      ['a1', '7', '6% Preferred Stock', 'OPRB', 'NYSEAMER'],
      ['a1', '7', 'Notes due 2025', 'O 25', 'NYSE'],
    );
    await listed(['7', 'O', 'NYSE'], ['7', 'O-PB', 'NYSE']);
    expect(
      await rows(
        'SELECT title, ticker, exchange, ticker_filings, ticker_first, CAST(until_day AS VARCHAR), contradicts FROM securities ORDER BY ticker',
      ),
    ).toEqual([
      ['Common Stock', 'O', 'NYSE American', '1', 'a1', null, null],
      ['Notes due 2025', 'O-25', 'NYSE', '1', 'a1', null, null],
      ['6% Preferred Stock', 'O-PB', 'NYSE American', '1', 'a1', null, null],
    ]);
    expect(await rows("SELECT ticker FROM who_was('OPRB', '2021-01-01')")).toEqual([['O-PB']]);
    expect(await rows("SELECT class FROM who_was('O 25', '2021-01-01')")).toEqual([['NOTES DUE 2025']]);
  });

  it('after a Form 25, a Form 15 or a notice of a successor a ticker of another, or the same again, contradicts nothing', async () => {
    const { rows, symbols } = await filed(
      ['a1', '2009-02-01', '7', 'Orchards Inc'],
      ['a2', '2010-06-01', '7', 'Orchards Inc', '25-NSE'],
      ['b1', '2011-01-05', '8', 'Orchids Inc'],
      ['b2', '2011-09-05', '8', 'Orchids Inc', '15-12G'],
      ['b3', '2018-09-05', '8', 'Orchids Inc'],
      ['c1', '2015-02-01', '9', 'Meadows Inc'],
      ['c2', '2016-02-01', '9', 'Meadows Inc'],
      ['c3', '2017-02-01', '9', 'Meadows Inc'],
      ['d0', '2017-05-01', '10', 'Meadows Holdings', '8-K12B'],
      ['d1', '2017-06-01', '10', 'Meadows Holdings'],
    );
    await symbols(
      ['a1', '7', 'ORCH'],
      ['b1', '8', 'ORCH'],
      ['b3', '8', 'ORCH'],
      ['c1', '9', 'MEAD'],
      ['c2', '9', 'MEAD'],
      ['c3', '9', 'MEAD'],
      ['d1', '10', 'MEAD'],
    );
    expect(
      await rows(
        'SELECT cik, CAST(from_day AS VARCHAR), CAST(until_day AS VARCHAR), until_by, contradicts FROM securities ORDER BY from_day',
      ),
    ).toEqual([
      ['7', '2009-02-01', '2010-06-01', 'form 25-NSE', null],
      ['8', '2011-01-05', '2011-09-05', 'form 15-12G', null],
      ['9', '2015-02-01', '2017-06-01', 'CIK 10', null],
      ['10', '2017-06-01', null, null, null],
      ['8', '2018-09-05', null, null, null],
    ]);
  });

  it('a symbol that a cover runs together and the list parts is one, and both spellings find it', async () => {
    const { rows, covers, listed } = await filed(
      ['a1', '2020-02-03', '7', 'Orchards Inc', '10-K'],
      ['b1', '2020-02-03', '8', 'Strangers Inc', '10-K'],
    );
    await covers(
      ['a1', '7', 'Class A Common Stock', 'ORA', 'NYSE'],
      ['a1', '7', 'Class B Common Stock', 'ORB', 'NYSE'],
      ['b1', '8', 'Common Stock', 'OR-A', 'NYSE'],
    );
    await listed(['7', 'OR-A', 'NYSE'], ['7', 'OR-B', 'NYSE']);
    expect(await rows("SELECT ticker, class, ticker_first FROM securities WHERE cik = '7' ORDER BY 1")).toEqual([
      ['OR-A', 'class A', 'a1'],
      ['OR-B', 'class B', 'a1'],
    ]);
    expect(await rows("SELECT cik FROM who_was('ORB', '2021-01-01')")).toEqual([['7']]);
    expect(await rows("SELECT cik FROM who_was('ORA', '2021-01-01')")).toEqual([['7']]);
    expect(await rows("SELECT cik FROM who_was('or.a', '2021-01-01') ORDER BY 1")).toEqual([['7'], ['8']]);
  });

  it('a fund of several classes has the ticker of each, by the class that the fact is about', async () => {
    const { database, rows } = await filed(['a1', '2020-02-03', '7', 'Orchard Funds', '485BPOS']);
    await database.insert(
      'xbrl_facts',
      ['ORCAX', 'ORCCX'].map((value, position) => ({
        accession_number: 'a1',
        entity_cik: '7',
        file: 'cover.htm',
        position,
        concept: 'dei:TradingSymbol',
        value,
        dimensions: `{"dei:LegalEntityAxis":"orc:S000000001Member","oef:ClassAxis":"orc:C00000000${position}Member"}`,
      })),
    );
    expect(await rows('SELECT ticker, class, contradicts FROM securities ORDER BY 1')).toEqual([
      ['ORCAX', 'C000000000', null],
      ['ORCCX', 'C000000001', null],
    ]);
  });

  it("a fund's series, classes and tickers are those of a header, of the company that it names, once for a filing", async () => {
    const { database, rows } = await filed(
      ['a1', '2020-02-03', '7', 'Orchard Funds', '497'],
      ['b1', '2020-03-03', '8', 'Meadow Funds', 'N-14'],
    );
    // A company may stand in a header twice, for two acts.
    await database.insert('parties', [
      { accession_number: 'a1', position: 1, role: 'filer', cik: '7', name: 'Orchard Funds' },
    ]);
    const apple = {
      accession_number: 'a1',
      position: 0,
      owner_cik: '7',
      series_id: 'S000000001',
      series_name: 'Apple',
    };
    await database.insert('header_series', [
      { ...apple, class_position: 0, class_id: 'C000000001', class_name: 'Class A', ticker: 'ORCAX' },
      { ...apple, class_position: 1, class_id: 'C000000002', class_name: 'Apple', ticker: null },
      { ...apple, accession_number: 'b1', class_position: 0 },
      ...['target', 'existing'].map((status, k) => ({
        accession_number: 'b1',
        position: k + 1,
        class_position: 0,
        status,
        series_id: `S00000000${k + 2}`,
        series_name: status,
      })),
    ]);
    expect(
      await rows(
        "SELECT accession_number, cik, kind, value, title, name FROM identities WHERE place = 'header_series' ORDER BY ALL",
      ),
    ).toEqual([
      ['a1', '7', 'class', 'C000000001', 'Apple Class A', 'Orchard Funds'],
      ['a1', '7', 'class', 'C000000002', 'Apple', 'Orchard Funds'],
      ['a1', '7', 'series', 'S000000001', 'Apple', 'Orchard Funds'],
      ['a1', '7', 'ticker', 'ORCAX', 'C000000001 Apple Class A', 'Orchard Funds'],
      ['b1', '7', 'series', 'S000000001', 'Apple', null],
      // No owner is stated: a fund that is not of a merger is the only filer's.
      ['b1', '8', 'series', 'S000000003', 'existing', 'Meadow Funds'],
      ['b1', null, 'series', 'S000000002', 'target', null],
    ]);
    expect(await rows('SELECT cik, ticker, class, title FROM securities')).toEqual([
      ['7', 'ORCAX', 'C000000001', 'C000000001 Apple Class A'],
    ]);
    expect(await rows("SELECT cik, name FROM who_was('ORCAX', '2021-01-01')")).toEqual([['7', 'Orchard Funds']]);
  });

  it("a fund's ticker goes to another class of its company, or is of two in one filing, which both say; a Form 25 names no class", async () => {
    const { database, rows } = await filed(
      ...[10, 11, 12, 13, 14, 16, 17, 18].map((y): Filed => [`a${y}`, `20${y}-02-03`, '7', 'Orchard Funds', '485BPOS']),
      ['b1', '2020-02-03', '8', 'Meadow Funds', '485BPOS'],
      ['b2', '2020-06-01', '8', 'Meadow Funds', '25-NSE'],
    );
    const of = (accession_number: string, position: number, owner_cik: string, name: string, ticker: string) => ({
      accession_number,
      position,
      class_position: 0,
      owner_cik,
      series_id: `S00000000${position}`,
      series_name: name,
      class_id: `C00000000${position}`,
      class_name: name,
      ticker,
    });
    await database.insert('header_series', [
      ...[10, 11, 12, 13, 14].map((y) => of(`a${y}`, 1, '7', 'Apple', 'ORCHX')),
      ...[16, 17, 18].map((y) => of(`a${y}`, 9, '7', 'Pear', 'ORCHX')),
      of('b1', 2, '8', 'Rose', 'MEAD'),
      of('b1', 3, '8', 'Lily', 'MEAD'),
    ]);
    const [apple, pear] = ['C000000001 Apple', 'C000000009 Pear'];
    const days = 'CAST(from_day AS VARCHAR), CAST(until_day AS VARCHAR), until_by, contradicts';
    expect(await rows(`SELECT title, ticker, ticker_filings, ${days} FROM securities ORDER BY ALL`)).toEqual([
      [apple, 'ORCHX', '5', '2010-02-03', '2016-02-03', 'class C000000009', null],
      ['C000000002 Rose', 'MEAD', '1', '2020-02-03', null, null, ['ticker MEAD also of class C000000003']],
      ['C000000003 Lily', 'MEAD', '1', '2020-02-03', null, null, ['ticker MEAD also of class C000000002']],
      [pear, 'ORCHX', '3', '2016-02-03', null, null, null],
    ]);
    for (const [day, title] of [
      ['2015-06-01', apple],
      ['2018-06-01', pear],
    ])
      expect(await rows(`SELECT title FROM ticker_of('7', '${day}')`)).toEqual([[title]]);
  });

  it('a day is that of the filing, whatever the hour of its acceptance, and known from that', async () => {
    const { database, rows, symbols } = await filed(['a1', '2020-02-03', '7', 'Orchards Inc']);
    await symbols(['a1', '7', 'ORCH']);
    await database.connection.run('UPDATE filings SET acceptance_datetime = NULL');
    expect(await rows("SELECT CAST(from_day AS VARCHAR), name FROM who_was('ORCH', '2020-02-03')")).toEqual([
      ['2020-02-03', 'Orchards Inc'],
    ]);
    expect(await rows("SELECT CAST(first_day AS VARCHAR) FROM names_of('7')")).toEqual([['2020-02-03']]);
    expect(await rows("SELECT 1 FROM securities_as_of('2020-02-03 23:59')")).toEqual([]);
    expect(await rows("SELECT ticker FROM securities_as_of('2020-02-04')")).toEqual([['ORCH']]);
  });

  it('a ticker that another company takes later is two spans; at the same time it is said', async () => {
    const { rows, symbols } = await filed(
      ['a1', '2005-03-02', '7', 'Orchards Inc'],
      ['a2', '2008-03-02', '7', 'Orchards Inc', '25'],
      ['b1', '2012-03-02', '8', 'Orchids Inc'],
      ['c1', '2012-01-02', '9', 'Ores Inc'],
      ['c2', '2013-01-02', '9', 'Ores Inc'],
    );
    await symbols(['a1', '7', 'ORCH'], ['b1', '8', 'ORCH'], ['c1', '9', 'ORCH'], ['c2', '9', 'ORCH']);
    expect(await rows("SELECT cik, name, contradicts FROM who_was('orch', '2006-01-01')")).toEqual([
      ['7', 'Orchards Inc', null],
    ]);
    expect(await rows("SELECT cik, is_between, contradicts FROM who_was('ORCH', '2012-06-01')")).toEqual([
      ['9', true, ['ticker ORCH also of CIK 8']],
      ['8', false, ['ticker ORCH also of CIK 9']],
    ]);
    expect(await rows("SELECT 1 FROM who_was('ORCH', '2009-01-01')")).toEqual([]);
  });

  it('a ticker ends if another company takes it a year after the last filing with it, also without Form 25', async () => {
    const { rows, symbols } = await filed(
      ['a1', '2005-03-02', '7', 'Orchards Inc'],
      ['b1', '2012-03-02', '8', 'Orchids Inc'],
    );
    await symbols(['a1', '7', 'ORCH'], ['b1', '8', 'ORCH']);
    expect(await rows("SELECT cik, until_by, is_between FROM who_was('ORCH', '2009-01-01')")).toEqual([
      ['7', 'CIK 8', false],
    ]);
    expect(await rows("SELECT cik FROM who_was('ORCH', '2013-01-01')")).toEqual([['8']]);
  });

  it('a stray symbol in one report ends nothing, and both say that they contradict', async () => {
    const { rows, symbols } = await filed(
      ['a1', '2015-03-02', '7', 'Orchards Inc'],
      ['a2', '2015-06-02', '7', 'Orchards Inc'],
      ['a3', '2015-09-02', '7', 'Orchards Inc'],
    );
    await symbols(['a1', '7', 'ORCH'], ['a2', '7', 'OCRH'], ['a3', '7', 'ORCH']);
    expect(
      await rows("SELECT ticker, filings, until_day, contradicts FROM ticker_of('0000000007', '2016-01-01')"),
    ).toEqual([
      ['ORCH', '2', null, ['also ticker OCRH']],
      ['OCRH', '1', null, ['also ticker ORCH']],
    ]);
  });

  it('a ticker that its company left for a year and took again is two spans', async () => {
    const { rows, symbols } = await filed(
      ['a1', '2010-03-02', '7', 'Orchards Inc'],
      ['a2', '2011-03-02', '7', 'Orchards Inc'],
      ['a3', '2012-03-02', '7', 'Orchards Inc'],
      ['a4', '2013-03-02', '7', 'Orchards Inc'],
    );
    await symbols(['a1', '7', 'ORCH'], ['a2', '7', 'ORCHQ'], ['a3', '7', 'ORCHQ'], ['a4', '7', 'ORCH']);
    expect(
      await rows('SELECT ticker, CAST(from_day AS VARCHAR), CAST(until_day AS VARCHAR) FROM securities ORDER BY 2'),
    ).toEqual([
      ['ORCH', '2010-03-02', '2011-03-02'],
      ['ORCHQ', '2011-03-02', '2013-03-02'],
      ['ORCH', '2013-03-02', null],
    ]);
  });

  it('a ticker that came back after one report with another has a row for each stretch, the newest too', async () => {
    const days = ['2010-02-01', '2010-08-01', '2011-02-01', '2012-06-01', '2014-02-03'];
    const { rows, covers } = await filed(...days.map((day, k): Filed => [`a${k}`, day, '7', 'Orchards Inc', '10-K']));
    const [orch, mead] = ['ORCH', 'MEAD'].map((ticker) => ['7', 'Common Stock', ticker, 'NYSE'] as const);
    await covers(['a0', ...orch!], ['a1', ...orch!], ['a2', ...orch!], ['a3', ...mead!], ['a4', ...orch!]);
    expect(
      await rows(`SELECT CAST(from_day AS VARCHAR), CAST(until_day AS VARCHAR), ticker_first, ticker_last, ticker_filings
        FROM securities WHERE ticker = 'ORCH' ORDER BY 1`),
    ).toEqual([
      ['2010-02-01', '2012-06-01', 'a0', 'a2', '3'],
      ['2012-06-01', '2014-02-03', 'a0', 'a2', '3'],
      ['2014-02-03', null, 'a4', 'a4', '1'],
    ]);
  });

  it('CUSIPs: that of a schedule, another of its issuer number, and none by a name that two companies have', async () => {
    const { rows, schedules, holdings } = await filed(
      ['a1', '2020-02-01', '7', 'Orchards Inc', 'SCHEDULE 13G'],
      ['b1', '2020-02-01', '8', 'Twins Corp', '10-K'],
      ['c1', '2020-02-01', '6', 'TWINS CORPORATION', '10-K'],
      ['h1', '2020-02-14', '9', 'Manager LLC', '13F-HR'],
      ['h2', '2021-02-14', '9', 'Manager LLC', '13F-HR'],
    );
    await schedules(['a1', '7', 'Class A Common Stock', '02079K305']);
    await holdings(
      ['h1', 'ORCHRDS INC', 'CL A', '02079K305'],
      ['h1', 'ORCHRDS INC', 'CL C', '02079K107'],
      ['h2', 'TWINS CORP', 'COM', '037833100'],
    );
    expect(
      await rows("SELECT cusip, class, filings, linked_by FROM cusips_of(7, '2020-01-01', '2020-12-31') ORDER BY 1"),
    ).toEqual([
      ['02079K107', 'class C', '1', 'issuer number'],
      ['02079K305', 'class A', '2', 'schedule'],
    ]);
    expect(await rows("SELECT 1 FROM cusips_of(7, '2010-01-01', '2019-12-31')")).toEqual([]);
    expect(await rows("SELECT count(*) FROM securities WHERE cusip = '037833100'")).toEqual([['0']]);
  });
});

it('a schedule in text is of its subject company; of two subjects it tells neither', async () => {
  const { database, rows } = await filed(
    ['a1', '2010-02-01', '9', 'Manager LLC', 'SC 13G'],
    ['b1', '2010-02-01', '9', 'Manager LLC', 'SC 13G'],
  );
  const subjects: [string, number, string][] = [
    ['a1', 1, '7'],
    ['b1', 1, '7'],
    ['b1', 2, '8'],
  ];
  await database.insert(
    'parties',
    subjects.map(([accession_number, position, cik]) => ({ accession_number, position, role: 'subject_company', cik })),
  );
  const cusips = { a1: '037833100', b1: '02079K305' };
  await database.insert(
    'beneficial_text_cusips',
    Object.entries(cusips).map(([accession_number, cusip]) => ({ accession_number, position: 0, cusip })),
  );
  expect(await rows("SELECT cik, value, is_proven FROM identities WHERE kind = 'cusip' ORDER BY 2")).toEqual([
    [null, '02079K305', true],
    ['7', '037833100', true],
  ]);
});

describe('companies', () => {
  it("names_of and who_was: the name by the filings of the time, whatever EDGAR's days of change", async () => {
    const { database, rows, symbols } = await filed(
      ['a1', '2010-03-02', '7', 'Orchards Inc'],
      ['a2', '2015-03-02', '7', 'Meadows Inc'],
    );
    await symbols(['a1', '7', 'ORCH'], ['a2', '7', 'ORCH']);
    await database.insert('party_former_names', [
      { accession_number: 'a2', position: 0, name_position: 0, name: 'Gardens Inc', date_of_change: '2014-06-30' },
      { accession_number: 'a2', position: 0, name_position: 1, name: 'Orchards Inc', date_of_change: '2009-06-30' },
    ]);
    expect(
      await rows("SELECT name, CAST(first_day AS VARCHAR), CAST(changed_day AS VARCHAR), filings FROM names_of('7')"),
    ).toEqual([
      ['Orchards Inc', '2010-03-02', '2009-06-30', '1'],
      ['Gardens Inc', null, '2014-06-30', '0'],
      ['Meadows Inc', '2015-03-02', null, '1'],
    ]);
    for (const [day, name] of Object.entries({ '2011': 'Orchards', '2013': 'Orchards', '2016': 'Meadows' }))
      expect(await rows(`SELECT name FROM who_was('ORCH', '${day}-01-01')`)).toEqual([[`${name} Inc`]]);
  });

  it('who_was: a company of which only letters are there has the name of these', async () => {
    const { rows, listed } = await filed(['a1', '2023-03-02', '7', 'Orchards Inc', 'UPLOAD']);
    await listed(['7', 'ORCH', 'NYSE']);
    expect(await rows("SELECT name FROM who_was('ORCH', '2024-06-01')")).toEqual([['Orchards Inc']]);
  });

  it('names_of: a name that EDGAR began twice is two rows, each with the filings of its time, and each spelling its own', async () => {
    const { database, rows } = await filed(
      ['a1', '1999-03-02', '7', 'ORCHARDS CORP'],
      ['a2', '2008-03-02', '7', 'ORCHARDS CORP'],
      ['a3', '2015-03-02', '7', 'Meadows Inc'],
      ['a4', '2025-03-02', '7', 'ORCHARDS CORP'],
    );
    await database.insert('party_former_names', [
      { accession_number: 'a4', position: 0, name_position: 0, name: 'Meadows Inc', date_of_change: '2014-01-02' },
    ]);
    await database.insert(
      'party_former_names',
      Object.entries({
        '1998-05-15': 'ORCHARDS CORP',
        '2003-01-02': 'Orchards Corp',
        '2007-11-21': 'ORCHARDS CORP',
      }).map(([date_of_change, name], name_position) => ({
        accession_number: 'a3',
        position: 0,
        name_position,
        name,
        date_of_change,
      })),
    );
    expect(
      await rows("SELECT name, CAST(first_day AS VARCHAR), CAST(changed_day AS VARCHAR), filings FROM names_of('7')"),
    ).toEqual([
      ['ORCHARDS CORP', '1999-03-02', '1998-05-15', '1'],
      ['Orchards Corp', null, '2003-01-02', '0'],
      ['ORCHARDS CORP', '2008-03-02', '2007-11-21', '1'],
      ['Meadows Inc', '2015-03-02', '2014-01-02', '1'],
      ['ORCHARDS CORP', '2025-03-02', null, '1'],
    ]);
  });

  it('a ticker that another company takes over at once ends, and one slip ends none', async () => {
    const years = (cik: string, name: string, from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, k): [string, string, string, string] => [
        `${cik}-${from + k}`,
        `${from + k}-03-02`,
        cik,
        name,
      ]);
    const old = years('7', 'Orchards Inc', 2010, 2015);
    const taker = years('8', 'Orchards Holdings', 2016, 2019);
    const slip: [string, string, string, string] = ['8-slip', '2019-06-01', '8', 'Orchards Holdings'];
    const { rows, symbols } = await filed(...old, ...taker, slip);
    await symbols(...[...old, ...taker].map(([number, , cik]): [string, string, string] => [number, cik, 'ORCH']), [
      '8-slip',
      '8',
      'OCRH',
    ]);
    expect(await rows("SELECT cik FROM who_was('ORCH', '2018-06-01')")).toEqual([['8']]);
    expect(await rows("SELECT cik FROM who_was('NYSE: orch', '2014-06-01')")).toEqual([['7']]);
    expect(await rows("SELECT ticker FROM ticker_of('CIK0000000008', '2019-07-01') ORDER BY 1")).toEqual([
      ['OCRH'],
      ['ORCH'],
    ]);
  });

  it('a number of other letters than an LEI has is not proven, and stops nothing', async () => {
    const { rows, database } = await filed(['a1', '2020-03-02', '7', 'Orchards Inc']);
    await database.insert('nport_holdings', [
      { accession_number: 'a1', position: 0, name: 'Alm', lei: 'n/a' },
      { accession_number: 'a1', position: 1, name: 'Beck', lei: '529900d6bf99lw9r2e68' },
    ]);
    expect(await rows("SELECT value, is_proven FROM identities WHERE kind = 'lei' ORDER BY 1")).toEqual([
      ['529900d6bf99lw9r2e68', false],
      ['n/a', false],
    ]);
  });

  it('CUSIPs: an issuer number that two companies have with as many schedules gives neither more', async () => {
    const { rows, schedules, holdings } = await filed(
      ['a1', '2020-03-02', '9', 'Orchards Inc'],
      ['a2', '2020-03-03', '10', 'Orchards Partners'],
      ['h1', '2020-05-01', '8', 'A Manager', '13F-HR'],
    );
    await schedules(['a1', '9', 'Common', '02079K305'], ['a2', '10', 'Units', '02079K107']);
    await holdings(['h1', 'ORCHARDS', 'COM', '02079K206']);
    expect(await rows("SELECT cik, value FROM security_spans(NULL, ['cusip'], NULL) ORDER BY 1")).toEqual([
      ['10', '02079K107'],
      ['9', '02079K305'],
    ]);
  });

  it("CUSIPs: a schedule that states another company's takes neither its holdings nor its issuer number", async () => {
    const { rows, schedules, holdings } = await filed(
      ['a1', '2020-02-01', '7', 'Orchards Inc'],
      ['a2', '2020-03-01', '7', 'Orchards Inc'],
      ['a3', '2020-04-01', '8', 'Meadows Inc'],
      ['a4', '2020-05-01', '9', 'A Manager'],
    );
    await schedules(
      ['a1', '7', 'Class A', '02079K305'],
      ['a2', '7', 'Class A', '02079K305'],
      ['a3', '8', 'Class A', '02079K305'],
    );
    await holdings(['a4', 'ORCHARDS', 'CL A', '02079K305'], ['a4', 'ORCHARDS', 'CL C', '02079K107']);
    const cusips = (cik: number) =>
      rows(`SELECT cusip, filings, linked_by FROM cusips_of(${cik}, '2020-01-01', '2021-12-31') ORDER BY 1`);
    expect(await cusips(7)).toEqual([
      ['02079K107', '1', 'issuer number'],
      ['02079K305', '3', 'schedule'],
    ]);
    expect(await cusips(8)).toEqual([['02079K305', '1', 'schedule']]);
  });

  it("same_company: a holding company's new CIK by 8-K12B takes the ticker on; without a notice it is a stranger", async () => {
    const { rows, symbols } = await filed(
      ['a1', '2015-03-02', '7', 'Orchards Inc'],
      ['b0', '2015-10-02', '8', 'Orchard Holdings Inc', '8-K12B'],
      ['b1', '2015-11-02', '8', 'Orchard Holdings Inc'],
      ['c1', '2025-11-02', '9', 'Orchids Inc'],
    );
    await symbols(['a1', '7', 'ORCH'], ['b1', '8', 'ORCH'], ['c1', '9', 'ORCH']);
    const of = (cik: string) => rows(`SELECT other_cik, other_name, how, accession_number FROM same_company('${cik}')`);
    const ticker = 'same ticker, and a notice of a successor';
    expect(await of('7')).toEqual([['8', 'Orchard Holdings Inc', ticker, 'b1']]);
    expect(await of('8')).toEqual([
      ['7', 'Orchards Inc', ticker, 'a1'],
      [null, null, 'form 8-K12B', 'b0'],
    ]);
    expect(await of('9')).toEqual([]);
  });
});

it('each column of views of who is who, and of links, has a meaning, and not that of a column of a form with its name', async () => {
  const asked = [
    'identities',
    'securities',
    'who_was',
    'ticker_of',
    'cusips_of',
    'names_of',
    'same_company',
    'panel_links',
  ];
  for (const view of VIEWS.filter(({ name }) => asked.includes(name)))
    for (const { name, meaning } of await columnsOfView(view)) {
      expect(meaning, `${view.name}.${name}`).not.toBe('');
      expect(meaning, `${view.name}.${name}`).not.toMatch(
        /registrant|business or mailing$|as the XML|at this position/,
      );
    }
});

/** `panel --link`: files of CRSP and Compustat as people have them, over a lake whose filings state CUSIPs and tickers. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { openLake } from '../../../src/lake/index.ts';
import type { Row } from '../../../src/lake/tables/index.ts';
import { commandLine } from '../../support/command-line.ts';
import { accession, bring } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

const YEARS = [2017, 2018, 2019];

/** Annual reports of four companies; 1 and 4 have a CUSIP by a schedule of 2018, 2 has a ticker. */
async function linkLake(states: boolean): Promise<string> {
  const folder = path.join(temporaryFolder(), 'lake');
  const lake = await openLake(folder, { create: true });
  const reports = ['1', '2', '3', '4'].flatMap((cik) => YEARS.map((year) => ({ cik, year })));
  const schedules = [
    { n: 90, cik: '1', cusip: '037833100' },
    { n: 91, cik: '4', cusip: '084670108' },
    { n: 92, cik: '4', cusip: '084670702' },
  ];
  const filing = (n: number, cik: string, form_type: string, day: string) => ({
    ...{ accession_number: accession(n), cik, form_type },
    ...{ filing_date: day, acceptance_datetime: `${day}T16:00:00` },
  });
  const values = (n: number, cik: string, year: number) =>
    ['revenue', 'net_income'].map((item) => ({
      ...{ accession_number: accession(n), cik, file: 'a.htm', fiscal_year: year, fiscal_period: 'FY', item },
      ...{ value: String(100 * n), decimals: '0', period_start: `${year}-01-01`, period_end: `${year}-12-31` },
      ...{ statement: 'income', unit: 'USD', registrant: '', method: 'reported' },
    }));
  await bring(
    lake,
    { batch: 'b' },
    {
      filings: [
        ...reports.map(({ cik, year }, i) => filing(i + 1, cik, '10-K', `${year + 1}-02-01`)),
        ...schedules.map(({ n, cik }) => filing(n, cik, 'SC 13G', '2018-02-14')),
        filing(99, '2', '4', '2018-03-01'),
      ],
      fundamentals: reports.flatMap(({ cik, year }, i) => values(i + 1, cik, year)),
      ...(states && {
        beneficial_reports: schedules.map(({ n, cik }) => ({
          ...{
            accession_number: accession(n),
            issuer_cik: cik,
            securities_class_title: n === 92 ? 'Class B' : 'Class A',
          },
        })),
        beneficial_cusips: schedules.map(({ n, cusip }) => ({ accession_number: accession(n), position: 0, cusip })),
        ownership_reports: [{ accession_number: accession(99), issuer_cik: '2', issuer_trading_symbol: 'TWO' }],
      }),
    },
  );
  await lake.close();
  return folder;
}

const CRSP = `PERMNO,NAMEDT,NAMEENDDT,NCUSIP,CUSIP,TICKER,SHRCLS,SHRCD,EXCHCD
14593,1980-12-12,2019-12-27,03783310,03783310,ONE,,11,3
20002,2010-01-01,2019-12-27,11111111,11111111,TWO,,11,1
17778,1990-01-01,2019-12-27,08467010,08467010,FOUR,A,11,1
83443,1990-01-01,2019-12-27,08467070,08467070,FOUR,B,11,1
`;
const COMPUSTAT = `gvkey,conm,tic,cusip,cik,linkprim,linktype,lpermno,linkdt,linkenddt
001690,ONE INC,ONE,037833100,0000000001,P,LU,14593,1980-12-12,E
012345,THREE INC,THR,,0000000003,,NU,,2018-06-01,E
`;

describe('filinglake panel --link', () => {
  let lake: string;
  let folder: string;
  beforeAll(async () => {
    lake = await linkLake(true);
    folder = temporaryFolder();
    writeFileSync(path.join(folder, 'crsp.csv'), CRSP);
    writeFileSync(path.join(folder, 'ccm.csv'), COMPUSTAT);
    writeFileSync(path.join(folder, 'crsp.txt.gz'), gzipSync(CRSP.replaceAll(',', '\t')));
    await (await openLake(lake)).writeParquet(
      `SELECT CAST(permno AS DOUBLE) AS permno, CAST(namedt AS DATE) AS namedt, CAST(nameenddt AS TIMESTAMP) AS nameenddt, ncusip, ticker, shrcls
       FROM read_csv('${path.join(folder, 'crsp.csv')}', all_varchar = true)`,
      path.join(folder, 'crsp.parquet'),
    );
  });
  const panel = (...args: string[]) => {
    return commandLine(['panel', '--items', 'revenue,net_income', '--lake', lake, ...args], { cwd: folder });
  };
  const json = async (...args: string[]) => JSON.parse((await panel(...args, '--json')).stdout) as Row[];

  it('adds ids to the rows that are there, says how each was found, and counts what was not', async () => {
    const { stdout, stderr } = await panel('--link', 'crsp.csv', 'ccm.csv', '--json');
    const rows = JSON.parse(stdout) as Row[];
    expect(rows.map((row) => [row.cik, row.fiscal_year, row.permno, row.permno_by, row.gvkey, row.gvkey_by])).toEqual([
      ...YEARS.map((year) => ['1', year, 14593, 'cik, cusip', '001690', 'cik, cusip, permno']),
      ...YEARS.map((year) => ['2', year, ...(year === 2018 ? [20002, 'ticker'] : [null, null]), null, null]),
      ...YEARS.map((year) => ['3', year, null, null, ...(year === 2017 ? [null, null] : ['012345', 'cik'])]),
      ...YEARS.map((year) => ['4', year, null, null, null, null]),
    ]);
    expect(rows.at(-1)!.permno_note).toBe('doubtful: several candidates: 17778, 83443');
    expect(stderr).toBe(
      [
        'permno: matched 4 (cik, cusip 3; ticker 1); doubtful 3 (several candidates 3)',
        '; not matched 5 (no CUSIP and no ticker in the lake 3; on other days 2)\n',
        'gvkey: matched 5 (cik, cusip, permno 3; cik 2); doubtful 0; not matched 7 (not in the files 6; on other days 1)\n',
      ].join(''),
    );
    const without = ({ permno, permno_by, permno_note, gvkey, gvkey_by, gvkey_note, ...row }: Row) => row;
    expect(rows.map(without)).toEqual(await json());
    expect((await json('--long', '--link', 'crsp.csv', 'ccm.csv')).map(without)).toEqual(await json('--long'));
  });

  it('reads CSV, tabs, gzip and Parquet alike, and has the columns of the files alone', async () => {
    const rows = await json('--link', 'crsp.csv');
    expect(Object.keys(rows[0]!)).toEqual(expect.not.arrayContaining(['gvkey']));
    expect(await json('--link', 'crsp.txt.gz')).toEqual(rows);
    expect(await json('--link', 'crsp.parquet')).toEqual(rows);
    const both = await json('--link', 'crsp.csv', 'ccm.csv');
    expect(await json('--link', 'ccm.csv', '--link', 'crsp.parquet')).toEqual(both);
    const files = ['csv', 'dta', 'parquet'].map((ending) => path.join(folder, `out.${ending}`));
    for (const file of files) expect((await panel('--link', 'crsp.csv', 'ccm.csv', '--out', file)).status).toBe(0);
    expect(readFileSync(files[0]!, 'utf8').split('\n')[1]).toMatch(
      /^1,,14593,001690,2017,FY,.*,"cik, cusip",,"cik, cusip, permno",$/,
    );
    const [counted] = await (await openLake(lake)).query(
      `SELECT count(*) AS n, count(permno) AS permnos FROM '${files[2]}'`,
    );
    expect(counted).toEqual({ n: 12, permnos: 4 });
  });

  it('uses no CUSIP that filings stated later', async () => {
    const permnos = async (...more: string[]) =>
      (await json('--link', 'crsp.csv', '--companies', '1', ...more)).map(({ permno }) => permno);
    expect(await permnos('--as-of', '2018-02-14')).toEqual([null]);
    expect(await permnos('--as-of', '2018-02-15')).toEqual([14593]);
    expect(await permnos()).toEqual([14593, 14593, 14593]);
  });

  it('links by CIK alone, if no table of the lake states who is who', async () => {
    const bare = await linkLake(false);
    const { stdout, stderr } = await commandLine(
      ['panel', '--items', 'revenue', '--lake', bare, '--json', '--link', 'ccm.csv', 'crsp.csv'],
      { cwd: folder },
    );
    const rows = JSON.parse(stdout) as Row[];
    expect(rows.filter(({ permno }) => permno !== null).map(({ cik, permno_by }) => [cik, permno_by])).toEqual(
      Array(3).fill(['1', 'cik']),
    );
    expect(stderr).toContain('no CUSIP and no ticker in the lake 9');
  });

  it('says which CUSIPs of a file have no use', async () => {
    writeFileSync(path.join(folder, 'zeros.csv'), CRSP.replaceAll('03783310', '3783310'));
    const { stderr } = await panel('--link', 'zeros.csv');
    expect(stderr).toContain(
      'zeros.csv: 1 CUSIP without use, such as 3783310: neither eight characters nor nine with their check digit\npermno: matched 1 ',
    );
  });

  it('reads the file that has the name, also [1].csv, and lines that begin with #', async () => {
    writeFileSync(path.join(folder, 'g1.csv'), CRSP.replaceAll('03783310', '11111111'));
    writeFileSync(
      path.join(folder, 'g[1].csv'),
      `TICKER,NCUSIP,PERMNO,NAMEDT,NAMEENDDT\n#A,03783310,1,1990-01-01,2019-12-27\n`,
    );
    const { stderr } = await panel('--link', 'g[1].csv');
    expect(stderr).toContain('permno: matched 3 (cusip 3)');
  });

  it.each([
    ['nowhere.csv', null, /nowhere\.csv is not there/],
    ['names.dta', 'x', /names\.dta is neither CSV .* nor Parquet\. Stata writes CSV by `export delimited`/],
    ['empty.csv', 'PERMNO,NAMEDT,NCUSIP\n', /empty\.csv has no rows/],
    [
      'monthly.csv',
      'PERMNO,DATE,NCUSIP\n1,2000-01-31,03783310\n',
      /has 1 row that can't be read: .*no day from which it counts/,
    ],
    [
      'days.csv',
      CRSP.replaceAll('2019-12-27', '27/12/2019'),
      /has 4 rows that can't be read: 27\/12\/2019 is not a day/,
    ],
    ['other.csv', 'A,B\n1,2\n', /a row has neither PERMNO nor GVKEY/],
    ['bare.csv', 'GVKEY,CONM\n1,ONE\n', /has none of NCUSIP, CUSIP, TICKER, CIK and LPERMNO/],
    ['twice.csv', CRSP.replace('CUSIP,TICKER', 'ncusip,TICKER'), /a column stands twice/],
    ['ciks.csv', COMPUSTAT.replace('0000000001', '1e+06'), /has 1 row that can't be read: 1E\+06 is not a CIK/],
    ['unused.csv', 'PERMNO,CIK,NAMEDT,NAMEENDDT\n1,1,1990-01-01,2019-12-27\n', /has none of NCUSIP/],
    ['torn.csv', `${CRSP}14593,"1980\n${CRSP}`, /torn\.csv has .* rows? that can't be read/],
    ['short.csv', `${CRSP}14593\n${CRSP}`, /short\.csv has .* rows? that can't be read/],
    ['torn.parquet', 'PAR1', /torn\.parquet can't be read/],
  ])('refuses %s', async (file, text, message) => {
    if (text !== null) writeFileSync(path.join(folder, file), text);
    const { status, stdout, stderr } = await panel('--link', 'crsp.csv', file);
    expect(stderr).toMatch(message);
    expect(stderr).toContain('A link needs a file of CRSP with PERMNO');
    expect([status, stdout]).toEqual([2, '']);
  });
});

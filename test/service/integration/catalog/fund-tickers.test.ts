/** company_tickers_mf.json, from its bytes to a look-up. */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFundTickersJson } from '../../../../src/filings/edgar/fund-tickers/fund-tickers-json.ts';
import { Catalog, ingest } from '../../../../src/service/catalog/index.ts';
import { temporaryFolder, txtOf } from '../../../support/catalog/synthetic-filings.ts';

const FIELDS = ['cik', 'seriesId', 'classId', 'symbol'];
const fileOf = (data: unknown[][], fields = FIELDS) => Buffer.from(JSON.stringify({ fields, data }));
const [SERIES, CLASS_A, CLASS_C] = ['S000000007', 'C000000071', 'C000000072'];

describe("SEC's list of fund tickers", () => {
  it('is read by the names of its columns, without classes that have no ticker', () => {
    const rows = [
      [CLASS_A, 7, 'SAMPX', SERIES],
      [CLASS_C, 7, '', SERIES],
    ];
    expect(readFundTickersJson(fileOf(rows, ['classId', 'cik', 'symbol', 'seriesId']))).toEqual([
      { cik: '7', seriesId: SERIES, classId: CLASS_A, ticker: 'SAMPX' },
    ]);
  });

  it('names the row that is broken', () => {
    expect(() => readFundTickersJson(fileOf([[7, SERIES, CLASS_A, null]]))).toThrow(/row 0: symbol/);
    expect(() => readFundTickersJson(fileOf([['x', SERIES, CLASS_A, 'SAMPX']]))).toThrow(/row 0: 'x' is not a CIK/);
    expect(() => readFundTickersJson(Buffer.from('{"fields": ["cik"'))).toThrow(/fund tickers JSON/);
  });

  it('a symbol that the list with exchanges gives to another is not of who has it in a plain list, unless that is newer', async () => {
    const root = temporaryFolder();
    const folder = join(root, 'in');
    mkdirSync(folder);
    const write = (name: string, content: string | Buffer, at: number) => {
      writeFileSync(join(folder, name), content);
      utimesSync(join(folder, name), at, at);
    };
    const holders = async () => {
      await ingest([folder], join(root, 'catalog'), { threads: 0 });
      const catalog = Catalog.open(join(root, 'catalog'));
      const found = catalog
        .entityLookup({ tickers: ['SMPL'] })
        .records.map((record) => JSON.parse(record) as { cik: string });
      catalog.close();
      return found.map(({ cik }) => cik);
    };
    for (const cik of ['7', '8'])
      write(
        `${cik}.txt`,
        txtOf({
          accession: `000000000${cik}-25-000001`,
          form: '10-K',
          date: '2025-01-10',
          parties: [{ cik, name: `SAMPLE ${cik}` }],
          documents: [{ type: '10-K', content: 'Text.' }],
        }),
        1_700_000_000,
      );
    const plain = (cik: number) => JSON.stringify({ '0': { cik_str: cik, ticker: 'SMPL', title: 'SAMPLE' } });
    const exchange = (cik: number) =>
      JSON.stringify({ fields: ['cik', 'name', 'ticker', 'exchange'], data: [[cik, 'SAMPLE', 'SMPL', 'NYSE']] });
    write('company_tickers.json', plain(7), 1_700_000_000);
    expect(await holders()).toEqual(['7']);
    write('company_tickers_exchange.json', exchange(8), 1_700_000_000);
    expect(await holders()).toEqual(['8']);
    write('company_tickers_exchange.json', exchange(9), 1_700_000_100);
    expect(await holders()).toEqual([]);
    write('company_tickers.json', plain(7), 1_700_000_200);
    expect(await holders()).toEqual(['7']);
  });

  it('gives funds their tickers, behind those with an exchange; a newer list replaces it', async () => {
    const root = temporaryFolder();
    const folder = join(root, 'in');
    const catalogFolder = join(root, 'catalog');
    mkdirSync(folder);
    const write = (name: string, content: string | Buffer, at: number) => {
      writeFileSync(join(folder, name), content);
      utimesSync(join(folder, name), at, at);
    };
    const tickers = () => {
      const catalog = Catalog.open(catalogFolder);
      try {
        const found = catalog.entityLookup({ tickers: ['SAMPX'] }).records;
        return found.map((record) => (JSON.parse(record) as { tickers: string[] }).tickers);
      } finally {
        catalog.close();
      }
    };
    const parties = [{ cik: '7', name: 'SAMPLE TRUST' }];
    const filing = { accession: '0000000007-25-000001', form: 'N-CEN', date: '2025-01-10', parties };
    write('filing.txt', txtOf({ ...filing, documents: [{ type: 'N-CEN', content: 'Text.' }] }), 1_700_000_000);
    const listed = { fields: ['cik', 'name', 'ticker', 'exchange'], data: [[7, 'SAMPLE TRUST', 'SMPL', 'NYSE']] };
    write('company_tickers_exchange.json', JSON.stringify(listed), 1_700_000_000);
    write('company_tickers_mf.json', fileOf([[7, SERIES, CLASS_A, 'SAMPX']]), 1_700_000_000);
    const summary = await ingest([folder], catalogFolder, { threads: 0 });
    expect(summary.enriched).toMatchObject({ tickers_json: 1, fund_tickers_json: 1 });
    expect(summary.skipped).toEqual({});
    expect(tickers()).toEqual([['SMPL', 'SAMPX']]);

    write('company_tickers_mf.json', fileOf([]), 1_700_000_100);
    await ingest([folder], catalogFolder, { threads: 0 });
    expect(tickers()).toEqual([]);
  });
});

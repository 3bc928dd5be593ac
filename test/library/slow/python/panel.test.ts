/** Panels as Stata, Parquet and CSV files, read by pandas: the same values in all of them. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openLake } from '../../../../src/lake/index.ts';
import { commandLine } from '../../../support/command-line.ts';
import { pythonReaders } from '../../../support/lake/python-readers.ts';
import { accession, bring } from '../../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';

const python = pythonReaders();

const READ = `
import json, sys
import pandas as pd
folder = sys.argv[1]
dta = pd.read_stata(folder + "/panel.dta")
parquet = pd.read_parquet(folder + "/panel.parquet")
csv = pd.read_csv(folder + "/panel.csv", dtype={"cik": str, "ticker": str})
for frame in (dta, parquet, csv):
    for column in ("period_end", "known_from", "filing_date"):
        frame[column] = pd.to_datetime(frame[column]).dt.strftime("%Y-%m-%d %H:%M:%S")
    for column in ("ticker", "currency"):
        frame[column] = frame[column].fillna("")
print(json.dumps([frame.to_json(orient="values", double_precision=15) for frame in (dta, parquet, csv)]))
`;

describe.skipIf('missing' in python)('a panel in a file', () => {
  it('is the same to pandas from Stata, Parquet and CSV', async () => {
    if ('missing' in python) return;
    const folder = temporaryFolder();
    const lake = await openLake(path.join(folder, 'lake'), { create: true });
    const values = [1, 2, 3].flatMap((n) =>
      [2022, 2023, 2024].map((year) => ({
        accession_number: accession(n),
        file: 'a.htm',
        cik: String(n),
        fiscal_year: year,
        fiscal_period: 'FY',
        period_start: `${year}-01-01`,
        period_end: `${year}-12-31`,
        statement: 'income',
        item: 'revenue',
        value: `${n}23456789012.25`,
        unit: n === 1 ? 'EUR' : 'USD',
        decimals: '2',
        registrant: '',
        method: 'reported',
      })),
    );
    await bring(
      lake,
      { batch: 'b' },
      {
        filings: [1, 2, 3].map((n) => ({
          accession_number: accession(n),
          cik: String(n),
          form_type: '10-K',
          filing_date: '2025-02-01',
          acceptance_datetime: '2025-02-01T16:30:07',
        })),
        fundamentals: [...values, { ...values[0]!, item: 'net_income', value: '-7' }],
        entity_tickers: [{ cik: '2', position: 0, ticker: 'ZOË' }],
      },
    );
    await lake.close();
    for (const ending of ['dta', 'parquet', 'csv']) {
      const out = path.join(folder, `panel.${ending}`);
      const { status } = await commandLine([
        'panel',
        '--items',
        'revenue,net_income',
        '--comparatives',
        '--lake',
        path.join(folder, 'lake'),
        '--out',
        out,
      ]);
      expect(status).toBe(0);
    }
    const env = { ...process.env, PYTHONPATH: python.modules };
    const frames = JSON.parse(
      execFileSync(python.command, ['-c', READ, folder], { encoding: 'utf8', env }),
    ) as string[];
    const [stata, parquet, csv] = frames.map((frame) => JSON.parse(frame) as unknown[][]);
    expect(stata).toHaveLength(9);
    expect(stata![0]).toEqual([
      '1',
      '',
      2022,
      'FY',
      '2022-12-31 00:00:00',
      '2025-02-01 16:30:07',
      accession(1),
      '2025-02-01 00:00:00',
      'EUR',
      null,
      123456789012.25,
      -7,
    ]);
    expect(stata![3]!.slice(0, 2)).toEqual(['2', 'ZOË']);
    expect(parquet).toEqual(stata);
    expect(csv).toEqual(stata);
  });
});

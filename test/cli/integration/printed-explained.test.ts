/** Why a printed value is what it is: down to its number in a typewritten page, one or several. */
import path from 'node:path';
import { expect, it } from 'vitest';
import { pageRows } from '../../../src/filings/documents/index.ts';
import { mapFiling } from '../../../src/filings/statements/index.ts';
import { openLake } from '../../../src/lake/index.ts';
import type { Row } from '../../../src/lake/tables/index.ts';
import { commandLine } from '../../support/command-line.ts';
import { accession, bring } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';

const line = (label: string, ...cells: string[]) =>
  `  ${label.padEnd(44)}${cells.map((cell) => cell.padStart(14)).join('')}`;
const PAGE = `
   For the fiscal year ended December 31, 1997

               CONSOLIDATED BALANCE SHEETS
                     (In thousands)

                                              December 31,
                                                      1997          1996
                                                    --------      --------
${[
  line('Cash and cash equivalents', '$    500', '$    400'),
  line('Inventories', '1,500', '1,400'),
  line('Total current assets', '2,000', '1,800'),
  line('Property, plant and equipment, net', '3,000', '2,900'),
  line('Total assets', '$  5,000', '$  4,700'),
  line('Total current liabilities', '1,000', '900'),
  line('Long-term debt', '1,500', '1,600'),
  line('Common stock', '100', '100'),
  line('Retained earnings', '2,400', '2,100'),
  line("Total shareholders' equity", '2,500', '2,200'),
  line("Total liabilities and shareholders' equity", '$  5,000', '$  4,700'),
].join('\n')}
`;

it('--explain shows the number of a printed value, and each number of a sum', async () => {
  const folder = path.join(temporaryFolder(), 'lake');
  const accession_number = accession(0);
  const ids = { accession_number, document_id: `${accession_number}-1` };
  const documents = [{ name: 'a.txt', type: '10-K', text: () => PAGE }];
  const filing = { accessionNumber: accession_number, filingDate: null, formType: '10-K', documents };
  const printed: Row[] = [...mapFiling(filing, new Set(['printed_fundamentals']), pageRows)].map(({ row }) => row);
  const of = { cik: '42', form_type: '10-K', filing_date: '1998-03-01', acceptance_datetime: '1998-03-01T10:00:00' };
  {
    await using lake = await openLake(folder, { create: true });
    await bring(
      lake,
      { batch: 'b' },
      {
        filings: [{ accession_number, ...of }],
        documents: [{ ...ids, sequence: 1, filename: 'a.txt', type: '10-K' }],
        document_contents: [{ ...ids, encoding: 'utf-8', content: PAGE }],
        printed_fundamentals: printed,
      },
    );
  }
  const ask = (item: string) => commandLine(['fundamentals', '--explain', '42', item, '1997', '--lake', folder]);
  const assets = await ask('total_assets');
  expect(assets.stdout).toContain('total_assets 1997 FY (1997-12-31): 5,000,000 USD');
  expect(assets.stdout).toContain('method    printed');
  expect(assets.stdout).toMatch(/page {6}a\.txt, \d+ to \d+: 5,000\n {12}Total assets \$ 5,000 \$ 4,700\n/);
  const debts = await ask('total_liabilities');
  expect(debts.stdout).toMatch(/fact {6}\+ 5,000,000 {2}Total assets\n.*: 5,000\n/);
  expect(debts.stdout).toMatch(/fact {6}- 2,500,000 {2}Total shareholders' equity\n.*: 2,500\n/);
});

/** Printed statements from submissions to rows of a lake, over our own service: what is requested, and that rows stand once. */
import { afterAll, expect, it } from 'vitest';
import { remapLake } from '../../../../src/export/pipeline/index.ts';
import { openLake } from '../../../../src/lake/index.ts';
import { lakeReport } from '../../../../src/lake/report/index.ts';
import { type Exhibit, orbelFiling } from '../../../support/catalog/orbel.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { definitionOf, LakeOfRuns } from '../../../support/pipeline/lake-of-runs.ts';
import { OwnService } from '../../../support/pipeline/own-service.ts';
import { inlineReport, report } from '../../../support/statements.ts';

const filing = (n: number, form: string, main: string, ...exhibits: Exhibit[]) =>
  orbelFiling(2004, n, form, main, ...exhibits);
const row = (label: string, ...cells: string[]) =>
  `<tr><td>${label}</td>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
const cover = '<p>For the fiscal year ended December 31, 2003</p>';
const sheet = (assets: string) => `<p>CONSOLIDATED BALANCE SHEETS</p><p>December 31,</p><p>(In thousands)</p><table>
${row('', '2003', '2002')}${row('Cash and cash equivalents', '10', '20')}${row('Inventories', '30', '20')}
${row('Total current assets', '40', '40')}${row('Total assets', assets, '90')}
${row('Total current liabilities', '15', '15')}${row('Total liabilities', '60', '50')}
${row('Retained earnings', '40', '40')}${row("Total stockholders' equity", '40', '40')}
${row("Total liabilities and stockholders' equity", '100', '90')}</table>`;
const FILINGS = [
  filing(1, '10-K', cover + sheet('100'), ['EX-23', 'ex23.htm', '<p>We consent.</p>']),
  filing(2, '10-K405', cover, ['EX-13', 'ex13.htm', sheet('100')]),
  filing(
    3,
    '10-K',
    inlineReport(report({ balance: [['Total assets', 'Assets', '7']], income: [['Sales', 'Revenues', '9']] })),
  ),
  filing(4, '8-K', sheet('100')),
];
const ROWS = `SELECT concat_ws(' | ', right(accession_number, 1), file, item, period_end, value::BIGINT, line) AS row FROM printed_fundamentals
  WHERE item = 'total_assets' ORDER BY ALL`;

const service = new OwnService();
afterAll(() => service.stop());

it('printed statements come of the report and its Exhibit 13, once, if the table is named', async () => {
  for (const one of FILINGS) await service.ingest(one);
  await service.start();
  const lake = await openLake(temporaryFolder(), { create: true });
  const runs = new LakeOfRuns(lake);
  const rows = async () => (await runs.rows(ROWS)).map(({ row }) => row);
  const run = async (tables: string) =>
    (await service.exportTo(runs, definitionOf(tables, '', '{}'))).map((id) => id.slice(19)).sort();
  expect(await run('filings, ownership')).toEqual([]);
  expect(await run('printed')).toEqual(['1-1', '2-1', '2-2', '3-1']);
  const expected = [
    '1 | r.htm | total_assets | 2002-12-31 | 90000 | Total assets',
    '1 | r.htm | total_assets | 2003-12-31 | 100000 | Total assets',
    '2 | ex13.htm | total_assets | 2002-12-31 | 90000 | Total assets',
    '2 | ex13.htm | total_assets | 2003-12-31 | 100000 | Total assets',
  ];
  expect(await rows()).toEqual(expected);
  expect((await lakeReport(lake)).coverage.sum).toEqual({ filings: 4, whole: 4, failed: 0 });
  expect(await run('printed_fundamentals')).toEqual([]);
  expect(await rows()).toEqual(expected);
  await service.ingest(filing(1, '10-K', cover + sheet('999')));
  expect(await run('printed')).toEqual(['1-1']);
  // Both sides of the sheet differ now.
  expect(await rows()).toEqual([
    '1 | r.htm | total_assets | 2002-12-31 | 90000 | Total assets',
    '1 | r.htm | total_assets | 2003-12-31',
    ...expected.slice(2),
  ]);
  // The same rows from stored documents, without a request.
  await using stored = await openLake(temporaryFolder(), { create: true });
  const others = new LakeOfRuns(stored);
  await service.exportTo(
    others,
    definitionOf('filings, documents, document_contents', 'documents: { types: [all] }', '{}'),
  );
  await service.stop();
  await remapLake(stored, { tables: ['printed_fundamentals'] });
  const all = 'SELECT * FROM printed_fundamentals ORDER BY accession_number, item, period_end';
  expect(await others.rows(all)).toEqual(await runs.rows(all));
  await lake.close();
});

/** Exhibit 21 from submissions to rows of a lake, over our own service: what is requested, and that rows stand once. */
import { afterAll, expect, it } from 'vitest';
import { openLake } from '../../../../src/lake/index.ts';
import { lakeReport } from '../../../../src/lake/report/index.ts';
import { type Exhibit, orbelFiling } from '../../../support/catalog/orbel.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { definitionOf, LakeOfRuns } from '../../../support/pipeline/lake-of-runs.ts';
import { OwnService } from '../../../support/pipeline/own-service.ts';

const report = (n: number, form: string, ...exhibits: Exhibit[]) =>
  orbelFiling(2024, n, form, '<p>A report</p>', ...exhibits);
const list = (place: string) =>
  `<p>Exhibit 21</p><p>Subsidiaries</p><table><tr><td>Name</td><td>State</td></tr>\n<tr><td>Orbel One LLC</td><td>${place}</td></tr><tr><td>&nbsp;&nbsp;&nbsp;Orbel Two S.A.</td><td>Peru</td></tr></table>`;
const typed = (name: string) => `EXHIBIT 21\n\nOrbel ${name} Inc. .......  Ohio     100%\n`;
const FILINGS = [
  report(1, '10-K', ['EX-21.1', 'ex21.htm', list('Delaware')], ['EX-23', 'ex23.htm', '<p>We consent.</p>']),
  report(2, '10-K405', ['EX-21', 'ex21.txt', typed('Three')], ['EX-21.02', 'b.txt', typed('Four')]),
  report(3, '10-K'),
  report(4, '20-F', ['EX-8.1', 'ex81.htm', list('Jersey')]),
  report(5, 'S-4', ['EX-8.1', 'ex81.htm', list('Jersey')]),
  report(6, '10-K', ['EX-21', 'ex21.htm', '<p>Exhibit 21</p><p>See the report of last year.</p>']),
];
const ROWS = `SELECT concat_ws(' | ', right(accession_number, 1), position, document, line, name, jurisdiction_code, share_percent::INT, parent_position) AS row FROM subsidiaries ORDER BY ALL`;

const service = new OwnService();
afterAll(() => service.stop());

it('subsidiaries come of the exhibits alone, once, and again if their filing changes', async () => {
  for (const filing of FILINGS) await service.ingest(filing);
  await service.start();
  const lake = await openLake(temporaryFolder(), { create: true });
  const runs = new LakeOfRuns(lake);
  const rows = async () => (await runs.rows(ROWS)).map(({ row }) => row);
  const run = async (tables: string) =>
    (await service.exportTo(runs, definitionOf(tables, '', '{}'))).map((id) => id.slice(19)).sort();
  expect(await run('filings, ownership')).toEqual([]);
  expect(await run('subsidiaries')).toEqual(['1-2', '2-2', '2-3', '4-2', '6-2']);
  const expected = [
    '1 | 0 | ex21.htm | 2 | Orbel One LLC | DE',
    '1 | 1 | ex21.htm | 2 | Orbel Two S.A. | R5 | 0',
    '2 | 0 | ex21.txt | 3 | Orbel Three Inc. | OH | 100',
    '2 | 1 | b.txt | 3 | Orbel Four Inc. | OH | 100',
    '4 | 0 | ex81.htm | 2 | Orbel One LLC | Y9',
    '4 | 1 | ex81.htm | 2 | Orbel Two S.A. | R5 | 0',
  ];
  expect(await rows()).toEqual(expected);
  const problems = await runs.rows(`SELECT concat_ws(' | ', document, reason, value) AS row FROM form_problems`);
  expect(problems).toEqual([{ row: 'ex21.htm | no_rows | Exhibit 21 See the report of last year.' }]);
  expect((await lakeReport(lake)).coverage.sum).toEqual({ filings: 6, whole: 6, failed: 0 });
  expect(await run('subsidiaries')).toEqual([]);
  expect(await rows()).toEqual(expected);
  await service.ingest(report(1, '10-K', ['EX-21.1', 'ex21.htm', list('Nevada')]));
  expect(await run('subsidiaries')).toEqual(['1-2']);
  expect(await rows()).toEqual(expected.map((row) => row.replace('DE', 'NV')));
  await lake.close();
});

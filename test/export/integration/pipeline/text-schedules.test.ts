/** Schedules 13D and 13G in text beside those in XML: what is requested, what the lake's check says, and pages under their type. */
import { afterAll, expect, it } from 'vitest';
import { openLake } from '../../../../src/lake/index.ts';
import { checkLake } from '../../../../src/lake/report/index.ts';
import { txtOf } from '../../../support/catalog/synthetic-filings.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { definitionOf, LakeOfRuns } from '../../../support/pipeline/lake-of-runs.ts';
import { OwnService } from '../../../support/pipeline/own-service.ts';

const schedule = (n: number, form: string, ...documents: [filename: string, content: string][]) =>
  txtOf({
    accession: `0000000042-24-00000${n}`,
    form,
    date: '2004-03-01',
    acceptance: '2004-03-01T16:05:10',
    period: '2003-12-31',
    parties: [{ cik: '42', name: 'ORBEL CORP' }],
    documents: documents.map(([filename, content]) => ({ type: form, filename, content })),
  });
const cover = (cusip: string) =>
  `ORBEL CORP\n(Name of Issuer)\nCommon\n(Title of Class of Securities)\n${cusip}\n(CUSIP Number)\n`;
const XML = `<?xml version="1.0"?><edgarSubmission xmlns="http://www.sec.gov/edgar/schedule13D"><headerData><submissionType>SCHEDULE 13D</submissionType></headerData><formData><coverPageHeader><securitiesClassTitle>Common</securitiesClassTitle><issuerInfo><issuerCIK>0000000042</issuerCIK><issuerCUSIP>037833100</issuerCUSIP><issuerName>Orbel</issuerName></issuerInfo></coverPageHeader></formData></edgarSubmission>`;

const service = new OwnService();
afterAll(() => service.stop());

it('CUSIPs come of text once, tables of XML ask for no text, and the check has no fault', async () => {
  await service.ingest(schedule(1, 'SCHEDULE 13D', ['primary_doc.xml', XML]));
  await service.ingest(schedule(2, 'SC 13D', ['d.txt', cover('037833100')]));
  const page = cover('g0176j109').replaceAll('\n', '</p><p>');
  const styles = `<style>${'.a{margin:0}'.repeat(6_000)}</style><!-- 111111111 (CUSIP Number) -->`;
  const signatures = '<html><body><p>Signatures and powers of attorney</p></body></html>';
  await service.ingest(
    schedule(3, 'SC 13G', ['d.htm', `<html>${styles}<p>${page}</p></html>`], ['sig.htm', signatures]),
  );
  await service.ingest(schedule(4, 'SC 13G/A', ['d.txt', 'Schedule 13G of nobody']));
  await service.start();
  const lake = await openLake(temporaryFolder(), { create: true });
  const runs = new LakeOfRuns(lake);
  const run = async (tables: string) =>
    (await service.exportTo(runs, definitionOf(tables, '', '{}'))).map((id) => id.slice(19)).sort();
  expect(await run('beneficial_reports, beneficial_cusips')).toEqual(['1-1']);
  expect(await run('beneficial')).toEqual(['1-1', '2-1', '3-1', '3-2', '4-1']);
  expect(await run('beneficial')).toEqual([]);
  const rows = await runs.rows(
    `SELECT concat_ws(' | ', right(accession_number, 1), document, cusip, issuer_name) AS row FROM beneficial_text_cusips ORDER BY ALL`,
  );
  expect(rows.map(({ row }) => row)).toEqual([
    '2 | d.txt | 037833100 | ORBEL CORP',
    '3 | d.htm | G0176J109 | ORBEL CORP',
  ]);
  expect(await runs.rows('SELECT document, reason FROM form_problems')).toEqual([
    { document: 'd.txt', reason: 'no_rows' },
  ]);
  expect((await checkLake(lake)).problems).toEqual([]);
  await lake.close();
});

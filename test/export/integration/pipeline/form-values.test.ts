/** form_values in a lake: the documents that an export requests, broken ones, and the same rows by remap. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { remapLake } from '../../../../src/export/pipeline/index.ts';
import type { Lake } from '../../../../src/lake/index.ts';
import { closeSound } from '../../../support/pipeline/activity-harness.ts';
import { type FormService, fetchForms, formFiling, openForms } from '../../../support/pipeline/form-service.ts';
import type { LakeOfRuns } from '../../../support/pipeline/lake-of-runs.ts';

const notice = (type: string) =>
  `<?xml version="1.0"?><edgarSubmission><submissionType>${type}</submissionType><act>33</act></edgarSubmission>`;
const LOANS =
  '<?xml version="1.0"?><assetData xmlns="u"><assets><n>1</n></assets><assets><n>2</n></assets></assetData>';
const FILINGS: [form: string, [name: string, type: string, content: string][]][] = [
  [
    'ABS-EE',
    [
      ['primary_doc.xml', 'ABS-EE', notice('ABS-EE')],
      ['loans.xml', 'EX-102', LOANS],
      ['a.htm', 'EX-99', ''],
    ],
  ],
  ['EFFECT', [['primary_doc.xml', 'EFFECT', notice('EFFECT')]]],
  ['10-K', [['a.htm', '10-K', '<html/>']]],
];

describe('form_values', () => {
  let lake: Lake;
  let runs: LakeOfRuns;
  let service: FormService;

  const open = async () => {
    ({ lake, runs, service } = await openForms());
  };
  beforeEach(open);
  afterEach(() => closeSound(lake));

  async function run(tables: string, more = '', filings = FILINGS): Promise<readonly string[]> {
    const records = filings.map(([form, list], k) => {
      const documents = list.map(([name, type, content]) => ({ name, type, content }));
      return service.add(formFiling(k + 1, form, documents, {}), documents);
    });
    await fetchForms(runs, tables, records, service.client, more);
    return service.asked;
  }
  const rows = () =>
    runs.rows(
      'SELECT form_type, document, path, indices, value FROM form_values ORDER BY accession_number, document, position',
    );

  it('have the XML documents of any form, mapped or not, and nothing else is requested', async () => {
    expect(await run('form_values')).toHaveLength(3);
    expect(await rows()).toEqual([
      ...[1, 2].map((n) => ({
        form_type: 'ABS-EE',
        document: 'loans.xml',
        path: 'assetData/assets/n',
        indices: `[0,${n - 1},0]`,
        value: String(n),
      })),
      expect.objectContaining({ document: 'primary_doc.xml', value: 'ABS-EE' }),
      expect.objectContaining({ path: 'edgarSubmission/act', value: '33' }),
      expect.objectContaining({ form_type: 'EFFECT', path: 'edgarSubmission/submissionType', value: 'EFFECT' }),
      expect.objectContaining({ form_type: 'EFFECT', path: 'edgarSubmission/act', value: '33' }),
    ]);
    expect(await runs.rows('SELECT value FROM form_problems ORDER BY ALL')).toEqual([
      { value: 'ABS-EE' },
      { value: 'assetData' },
    ]);
  });

  it('come only if they are named', async () => {
    await run('effect_notices');
    expect(await rows()).toEqual([]);
    expect(service.asked).toHaveLength(1);
  });

  it('are the same by remap, without a request', async () => {
    await run('form_values');
    const exported = await rows();
    await lake.close();
    await open();
    const asked = [...(await run('filings, documents, document_contents', 'documents: { types: [all], xml: raw }'))];
    await remapLake(lake);
    expect(await rows()).toEqual([]);
    await remapLake(lake, { tables: ['form_values'] });
    expect(service.asked).toEqual(asked);
    expect(await rows()).toEqual(exported);
  });

  it('are missing for a broken document and one in another format, and the failure names it', async () => {
    await run('form_values', '', [
      ['N-MFP2', [['primary_doc.xml', 'N-MFP2', notice('N-MFP2').replace('</act>', '')]]],
      ['MA-I', [['primary_doc.xml', 'MA-I', 'Not found']]],
      ['TA-1', [['primary_doc.xml', 'TA-1', notice('TA-1')]]],
    ]);
    expect(await runs.rows('SELECT DISTINCT form_type FROM form_values')).toEqual([{ form_type: 'TA-1' }]);
    const failures = await runs.rows('SELECT message FROM export_failures ORDER BY ALL');
    expect(failures).toEqual([
      { message: expect.stringContaining('not well-formed XML') },
      { message: expect.stringContaining('it is not XML: "Not found"') },
    ]);
  });
});

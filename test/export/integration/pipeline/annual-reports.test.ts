/** Exhibits 13 and texts of documents: made of what the service gives, kept when a document is fetched again, and not lost between exports. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLake } from '../../../../src/lake/index.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { clientOf, closeSound } from '../../../support/pipeline/activity-harness.ts';
import { formFiling } from '../../../support/pipeline/form-service.ts';
import { definitionOf, LakeOfRuns } from '../../../support/pipeline/lake-of-runs.ts';

const PROSE = 'Net sales grew by four percent over the year, since prices rose. '.repeat(40);
const REPORT = `<html><body><p><b>Management's Discussion and Analysis</b></p><p>${PROSE}</p></body></html>`;
const TYPES = ['10-K', 'EX-13', 'EX-21'];

const CONTENTS = definitionOf('document_contents', 'documents: { types: [primary, exhibits] }');
const REPORTS = definitionOf('filings', 'documents: { annual_report: true }');
const TEXTS = definitionOf('document_contents', 'documents: { types: [all], text: true }');

const filing = (acceptance_datetime = '2024-03-01T10:00:00') => {
  const documents = TYPES.map((type, i) => ({ name: `d${i + 1}.htm`, type, content: '' }));
  return formFiling(1, '10-K', documents, { acceptance_datetime });
};

describe('an export of annual reports', () => {
  let runs: LakeOfRuns;
  let asked: string[] = [];
  beforeEach(async () => {
    runs = new LakeOfRuns(await openLake(temporaryFolder(), { create: true }));
  });
  afterEach(() => closeSound(runs.lake));

  /** Exports the filing, and gives the ends of the ids of the documents that were asked for. */
  async function run(definition: typeof CONTENTS, accepted?: string, report = REPORT): Promise<string[]> {
    asked = [];
    const client = clientOf({
      document: (id) => {
        asked.push(id.slice(-1));
        return id.endsWith('-2') ? report : '<html><body><p>Some&nbsp;text</p></body></html>';
      },
    });
    await runs.fetch(await runs.lookUp(definition, { records: [filing(accepted)] }), client);
    return asked;
  }

  const sections = () =>
    runs.rows("SELECT section, heading, text LIKE '%Net sales%' AS has_text FROM annual_report_sections");
  const FOUND = [{ section: '7', heading: "Management's Discussion and Analysis", has_text: true }];
  const texts = () => runs.rows('SELECT document_id[-1:] AS id, text FROM document_contents ORDER BY 1');

  it('fetches Exhibit 13 alone, with its content and its sections, once', async () => {
    expect(REPORTS.tables).toEqual(['filings', 'document_contents', 'annual_report_sections']);
    expect(await run(REPORTS)).toEqual(['2']);
    expect(await sections()).toEqual(FOUND);
    expect(await texts()).toEqual([{ id: '2', text: null }]);
    expect(await run(REPORTS)).toEqual([]);
  });

  it('fetches it again if an earlier export has its content alone; the other way round nothing is fetched twice', async () => {
    expect(await run(CONTENTS)).toEqual(['1', '2', '3']);
    expect(await sections()).toEqual([]);
    expect(await run(REPORTS)).toEqual(['2']);
    expect(await sections()).toEqual(FOUND);
    expect(await run(CONTENTS)).toEqual([]);
    expect(await sections()).toEqual(FOUND);
  });

  it('keeps sections and texts when another export fetches a changed filing, in the state of the new content', async () => {
    await run(REPORTS);
    expect(await run(TEXTS)).toEqual(['1', '2', '3']);
    expect(await sections()).toEqual(FOUND);
    const before = await texts();
    expect(before).toMatchObject([{ text: 'Some text' }, { id: '2' }, { text: 'Some text' }]);
    expect(await run(CONTENTS, '2024-03-02T10:00:00')).toEqual(['1', '2', '3']);
    expect(await sections()).toEqual(FOUND);
    expect(await texts()).toEqual(before);
    expect(await run(CONTENTS, '2024-03-03T10:00:00', '<html><body><p>Nothing</p></body></html>')).toHaveLength(3);
    expect(await sections()).toEqual([]);
  });
});

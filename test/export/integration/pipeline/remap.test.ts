/** `remap`: tables of forms and XBRL from the documents of a lake, with kills, other writers and older mappings. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { filingsOfOlderMapping, type RemapReport, remapLake } from '../../../../src/export/pipeline/index.ts';
import type { Filing } from '../../../../src/filings/api/index.ts';
import { MAPPING_VERSION } from '../../../../src/filings/forms/index.ts';
import type { Lake } from '../../../../src/lake/index.ts';
import type { Row } from '../../../../src/lake/tables/index.ts';
import { inlineDocument } from '../../../support/forms/xbrl-documents.ts';
import { bring } from '../../../support/lake/small-lake.ts';
import { closeSound } from '../../../support/pipeline/activity-harness.ts';
import {
  type FormService,
  fetchForms,
  formFiling,
  openForms,
  type ServedDocument,
} from '../../../support/pipeline/form-service.ts';
import type { LakeOfRuns } from '../../../support/pipeline/lake-of-runs.ts';

const fact = (value: string) =>
  `<ix:nonFraction id="f1" name="gaap:Assets" contextRef="year" unitRef="usd" decimals="-6" scale="6" format="ixt:num-dot-decimal">${value}</ix:nonFraction>`;
const form4 = (shares: string) =>
  `<?xml version="1.0"?><ownershipDocument><documentType>4</documentType><nonDerivativeTable><nonDerivativeTransaction><transactionAmounts><transactionShares><value>${shares}</value></transactionShares></transactionAmounts></nonDerivativeTransaction></nonDerivativeTable></ownershipDocument>`;
const report = (value: string): ServedDocument[] => [
  { name: 'acme.htm', type: '10-K', content: inlineDocument(fact(value)) },
  { name: 'acme.xsd', type: 'EX-101.SCH', content: '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"/>' },
];
const insider = (shares: string): ServedDocument[] => [{ name: 'form4.xml', type: '4', content: form4(shares) }];
const VALUES = `SELECT value FROM xbrl_facts ORDER BY accession_number`;
const STORED = 'documents: { types: [all], xml: raw }';

describe('a remap', () => {
  let lake: Lake;
  let runs: LakeOfRuns;
  let service: FormService;

  beforeEach(async () => {
    ({ lake, runs, service } = await openForms());
  });
  afterEach(() => closeSound(lake));

  const filed = (n: number, documents: ServedDocument[], form = '10-K', over: Partial<Filing> = {}) =>
    service.add(formFiling(n, form, documents, over), documents);
  const run = (tables: string, filings: Filing[], more = STORED) =>
    fetchForms(runs, tables, filings, service.client, more);
  const counts = ({ mapped, current, without, incomplete, unreadable }: RemapReport) => ({
    mapped,
    current,
    without,
    incomplete,
    unreadable,
  });
  const NONE = { mapped: 0, current: 0, without: 0, incomplete: 0, unreadable: 0 };

  it('makes the rows that an export makes, without a request, and nothing the second time', async () => {
    const filings = [
      filed(1, report('12')),
      filed(2, insider('7'), '4'),
      filed(3, [{ name: 'a.htm', type: '8-K', content: '' }], '8-K', { filing_date: '2015-03-02' }),
    ];
    await run('filings, documents, document_contents', filings);
    const asked = service.asked.length;
    const done = await remapLake(lake);
    expect(counts(done)).toEqual({ ...NONE, mapped: 2, without: 1 });
    expect(done).toMatchObject({ filings: 3, examined: 3, commits: 1, rows: { xbrl_facts: 1, ownership_reports: 1 } });
    expect(await runs.rows(VALUES)).toEqual([{ value: '12000000' }]);
    expect(await runs.rows('SELECT shares FROM ownership_transactions')).toEqual([{ shares: 7 }]);
    expect(counts(await remapLake(lake))).toEqual({ ...NONE, current: 2, without: 1 });
    // An export of the same tables asks for nothing.
    await run('ownership, xbrl_facts', filings);
    expect(service.asked).toHaveLength(asked);
  });

  it('replaces rows of an older mapping, never doubles them, and other tables that came with them', async () => {
    const filings = [filed(1, report('12')), filed(2, report('13'))];
    await run('filings, documents, document_contents, xbrl_facts, xbrl_dimensions', filings);
    expect(await filingsOfOlderMapping(lake)).toBe(0);
    const [row] = await runs.rows(`SELECT * FROM coverage WHERE step = 'forms' ORDER BY 1`);
    const older = { ...row, selector: 'mapping:0,xbrl_dimensions,xbrl_facts', fetched_at: '2024-01-01T00:00:00Z' };
    const key = { columns: ['accession_number', 'step'], values: [[String(row!.accession_number), 'forms']] };
    await bring(lake, { run: 'older', batch: 'b' }, { coverage: [older] }, [{ table: 'coverage', ...key }]);
    expect(await filingsOfOlderMapping(lake)).toBe(1);
    expect(counts(await remapLake(lake, { tables: ['xbrl_facts'] }))).toEqual({ ...NONE, mapped: 1, current: 1 });
    expect(await filingsOfOlderMapping(lake)).toBe(0);
    expect(await runs.rows(VALUES)).toEqual([{ value: '12000000' }, { value: '13000000' }]);
    expect(await runs.rows("SELECT DISTINCT selector FROM coverage WHERE step = 'forms'")).toEqual([
      { selector: `mapping:${MAPPING_VERSION},xbrl_dimensions,xbrl_facts` },
    ]);
  });

  it('continues where it was killed', async () => {
    await run(
      'filings, documents, document_contents',
      [1, 2, 3, 4, 5].map((n) => filed(n, report(String(n)))),
    );
    const kill = new AbortController();
    const killed = remapLake(lake, {
      limits: { filings: 2 },
      signal: kill.signal,
      onProgress: ({ examined }) => examined > 0 && kill.abort(),
    });
    await expect(killed).rejects.toThrow(/abort/i);
    expect(await runs.rows(VALUES)).toHaveLength(2);
    const done = await remapLake(lake, { limits: { filings: 2 } });
    expect(counts(done)).toEqual({ ...NONE, mapped: 3, current: 2 });
    expect(done.commits).toBe(2);
    expect((await runs.rows(VALUES)).map(({ value }) => value)).toEqual([
      '1000000',
      '2000000',
      '3000000',
      '4000000',
      '5000000',
    ]);
  });

  it('is refused once it has lost its turn to an export', async () => {
    const before = filed(1, report('12'));
    await run('filings, documents, document_contents', [before, filed(2, report('20'))]);
    const changed = { acceptance_datetime: '2024-03-02T10:00:00' };
    const commitBatch = lake.commitBatch.bind(lake);
    const spy = vi.spyOn(lake, 'commitBatch').mockImplementationOnce(async (batch) => {
      // Between its reading and its commit an export brings the changed filing.
      await run('filings, documents, document_contents, xbrl_facts', [filed(1, report('13'), '10-K', changed)]);
      return commitBatch(batch);
    });
    await expect(remapLake(lake)).rejects.toMatchObject({ code: 'plan-outdated' });
    spy.mockRestore();
    expect(await runs.rows(VALUES)).toEqual([{ value: '13000000' }]);
    await remapLake(lake);
    expect(await runs.rows(VALUES)).toEqual([{ value: '13000000' }, { value: '20000000' }]);
  });

  it('leaves filings as they are whose documents are not all there, or are of an older revision', async () => {
    const half = filed(1, [...report('12'), { name: 'ex99.htm', type: 'EX-99.1', content: '<html></html>' }]);
    await run('filings, documents, document_contents', [half], 'documents: { types: [primary], xml: raw }');
    const done = await remapLake(lake, { tables: ['xbrl_facts'] });
    expect(counts(done)).toEqual({ ...NONE, incomplete: 1 });
    expect(done.incomplete_examples).toEqual(['0000000001-24-000001']);
    expect(await runs.rows(`SELECT 1 FROM coverage WHERE step = 'forms'`)).toEqual([]);
    const changed = filed(2, report('14'), '10-K', { acceptance_datetime: '2024-03-02T10:00:00' });
    await run('filings, documents, document_contents', [filed(2, report('13'))]);
    await run('filings, documents', [changed], '');
    expect(counts(await remapLake(lake, { tables: ['xbrl_facts'] }))).toEqual({ ...NONE, incomplete: 2 });
    expect(await runs.rows(VALUES)).toEqual([]);
  });

  it('names a filing whose document is unreadable, and keeps its rows', async () => {
    const cut = report('12').map((document) => ({ ...document, content: document.content.slice(0, -20) }));
    await run('filings, documents, document_contents', [filed(1, cut), filed(2, report('13'))]);
    const done = await remapLake(lake, { tables: ['xbrl_facts'] });
    expect(counts(done)).toEqual({ ...NONE, mapped: 1, unreadable: 1 });
    expect(done.unreadable_examples).toEqual([
      { accession_number: '0000000001-24-000001', message: expect.stringContaining('0000000001-24-000001-1') },
    ]);
    expect(await runs.rows(VALUES)).toEqual([{ value: '13000000' }]);
  });

  const FAILED = `SELECT step FROM export_failures`;
  it('keeps rows of an older revision and the failure if it can make only some of the tables again', async () => {
    const labels = (document: string): ServedDocument => ({
      name: 'acme_lab.xml',
      type: 'EX-101.LAB',
      content: document,
    });
    const LINKBASE = `<linkbase xmlns="http://www.xbrl.org/2003/linkbase" xmlns:xlink="http://www.w3.org/1999/xlink"><labelLink xlink:type="extended"><loc xlink:type="locator" xlink:href="acme.xsd#us-gaap_Assets" xlink:label="a"/><labelArc xlink:type="arc" xlink:from="a" xlink:to="b"/><label xlink:type="resource" xlink:label="b" xml:lang="en-US">Assets</label></labelLink></linkbase>`;
    const primary = 'documents: { types: [primary], xml: raw }';
    const tables = 'filings, documents, document_contents, xbrl_facts, xbrl_labels';
    await run(tables, [filed(1, [...report('12'), labels(LINKBASE)])], primary);
    const changed = { acceptance_datetime: '2024-03-02T10:00:00' };
    await run(tables, [filed(1, [...report('13'), labels('nothing')], '10-K', changed)], primary);
    const before = await runs.rows('SELECT label FROM xbrl_labels');
    expect(before).toHaveLength(1);
    expect(await runs.rows(FAILED)).toEqual([{ step: 'forms' }]);
    for (const options of [{}, { tables: ['xbrl_facts'] }])
      expect(counts(await remapLake(lake, options))).toEqual({ ...NONE, incomplete: 1 });
    expect(await runs.rows('SELECT label FROM xbrl_labels')).toEqual(before);
    expect(await runs.rows(FAILED)).toEqual([{ step: 'forms' }]);
  });

  it('makes the other tables of an older revision too, if only one is asked for', async () => {
    const tables = 'filings, documents, document_contents';
    await run(`${tables}, xbrl_facts, ownership`, [filed(1, insider('7'), '4')]);
    const changed = { acceptance_datetime: '2024-03-02T10:00:00' };
    await run(tables, [filed(1, insider('8'), '4', changed)]);
    expect(counts(await remapLake(lake, { tables: ['ownership_reports'] }))).toEqual({ ...NONE, mapped: 1 });
    expect(await runs.rows('SELECT shares FROM ownership_transactions')).toEqual([{ shares: 8 }]);
  });

  it('does not take contents of an older revision whose new ones failed', async () => {
    const tables = 'filings, documents, document_contents';
    const unlisted = { documents: [] };
    const list = (value: string, over: Partial<Filing> = {}) => {
      const all = filed(1, report(value), '10-K', over);
      return { ...all, ...unlisted };
    };
    await run(tables, [list('12')]);
    expect(await runs.rows('SELECT 1 FROM document_contents')).toHaveLength(2);
    service.refused.add('0000000001-24-000001-1');
    await run(tables, [list('13', { acceptance_datetime: '2024-03-02T10:00:00' })]);
    await remapLake(lake, { tables: ['xbrl_facts'] });
    expect(await runs.rows(VALUES)).toEqual([]);
  });

  it('counts filings whose rows stay of an older mapping, since the lake has no documents of them', async () => {
    await run('filings, documents, xbrl_facts', [filed(1, report('12'))], '');
    const [row] = await runs.rows(`SELECT * FROM coverage WHERE step = 'forms'`);
    const older = { ...row, selector: 'mapping:0,xbrl_facts', fetched_at: '2024-01-01T00:00:00Z' };
    const key = { columns: ['accession_number', 'step'], values: [[String(row!.accession_number), 'forms']] };
    await bring(lake, { run: 'older', batch: 'b' }, { coverage: [older] }, [{ table: 'coverage', ...key }]);
    expect(await remapLake(lake)).toMatchObject({ filings: 0, mapped: 0, older: 1 });
  });

  it('reads documents that are stored as bytes, and leaves filings whose document has no content, while a lake is compacted', async () => {
    const list: ServedDocument[] = [{ name: 'table.txt', type: '13F-HR', content: 'no table' }];
    await run('filings, documents, document_contents', [filed(1, report('12')), filed(2, list, '13F-HR')]);
    const change = async (id: string, over: (text: string) => Record<string, unknown>) => {
      const [row] = await runs.rows(`SELECT * FROM document_contents WHERE document_id = '${id}'`);
      const changed = { ...row, ...over(String(row!.content)) };
      const of = { table: 'document_contents', columns: ['document_id'], values: [[id]] };
      await bring(lake, { run: 'change', batch: id }, { document_contents: [changed as Row] }, [of]);
    };
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    await change('0000000001-24-000001-1', (text) => ({ encoding: 'base64', content: null, bytes: base64(text) }));
    await change('0000000001-24-000002-1', () => ({ content: null }));
    const commitBatch = lake.commitBatch.bind(lake);
    const spy = vi.spyOn(lake, 'commitBatch').mockImplementationOnce(async (batch) => {
      await lake.compact();
      await lake.vacuum();
      return commitBatch(batch);
    });
    expect(counts(await remapLake(lake))).toEqual({ ...NONE, mapped: 1, incomplete: 1 });
    spy.mockRestore();
    expect(await runs.rows(VALUES)).toEqual([{ value: '12000000' }]);
  });
});

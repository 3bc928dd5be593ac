/** XBRL tables in a lake: their requests, rows of several documents together, and what happens if one of them does not arrive. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BudgetReachedError, type FilingClient, RecordNotFoundError } from '../../../../src/export/client/index.ts';
import type { Filing } from '../../../../src/filings/api/index.ts';
import { MAPPING_VERSION } from '../../../../src/filings/forms/index.ts';
import type { Lake } from '../../../../src/lake/index.ts';
import { COUNTED_TABLES, filingsWithout, repairLake, sentencesOfWithout } from '../../../../src/lake/report/index.ts';
import { inlineDocument, instance } from '../../../support/forms/xbrl-documents.ts';
import { closeSound } from '../../../support/pipeline/activity-harness.ts';
import {
  type FormService,
  fetchForms,
  formFiling,
  openForms,
  type ServedDocument,
} from '../../../support/pipeline/form-service.ts';
import type { LakeOfRuns } from '../../../support/pipeline/lake-of-runs.ts';

const number = (value: string, id = 'f1', context = 'year') =>
  `<ix:nonFraction id="${id}" name="gaap:Assets" contextRef="${context}" unitRef="usd" decimals="-6" scale="6" format="ixt:num-dot-decimal">${value}</ix:nonFraction>`;
const LINKS = 'xmlns:link="http://www.xbrl.org/2003/linkbase" xmlns:xlink="http://www.w3.org/1999/xlink"';
const LABELS = `<link:linkbase ${LINKS}><link:labelLink xlink:type="extended" xlink:role="http://www.xbrl.org/2003/role/link"><link:loc xlink:type="locator" xlink:href="gaap.xsd#gaap_Assets" xlink:label="a"/><link:labelArc xlink:type="arc" xlink:from="a" xlink:to="b"/><link:label xlink:type="resource" xlink:label="b" xlink:role="http://www.xbrl.org/2003/role/label" xml:lang="en-US">All assets</link:label></link:labelLink></link:linkbase>`;
const SCHEMA = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" ${LINKS}/>`;
const EXTRACTION = instance(
  '<gaap:Assets id="f1" contextRef="year" unitRef="usd" decimals="-6" xmlns:gaap="http://fasb.org/us-gaap/2024">12000000</gaap:Assets>',
);
/** An inline exhibit: its contexts are those of the report. */
const TAIL = `<html xmlns:ix="http://www.xbrl.org/2013/inlineXBRL" xmlns:ixt="http://www.xbrl.org/inlineXBRL/transformation/2020-02-12" xmlns:gaap="http://fasb.org/us-gaap/2024"><body>${number('7', 'f2', 'day')}</body></html>`;
const EMPTY_PAGE = '<html><body>EXHIBIT</body></html>';

const report = (page = inlineDocument(number('12')), more: ServedDocument[] = []): ServedDocument[] => [
  { name: 'acme.htm', type: '10-K', content: page },
  { name: 'acme.xsd', type: 'EX-101.SCH', content: SCHEMA },
  { name: 'acme_lab.xml', type: 'EX-101.LAB', content: LABELS },
  { name: 'acme_htm.xml', type: 'XML', content: EXTRACTION },
  ...more,
];
const FACTS = 'SELECT file, concept, value FROM xbrl_facts ORDER BY accession_number, file, position';
const COVERED = `SELECT status, reason, selector FROM coverage WHERE step = 'forms' ORDER BY accession_number`;

describe('XBRL tables', () => {
  let lake: Lake;
  let runs: LakeOfRuns;
  let service: FormService;

  beforeEach(async () => {
    ({ lake, runs, service } = await openForms());
  });
  afterEach(() => closeSound(lake));

  async function run(tables: string, filings: Filing[], client: FilingClient = service.client) {
    const asked = service.asked.length;
    const planned = await fetchForms(runs, tables, filings, client);
    return {
      requests: planned.pending.whole.requests,
      asked: service.asked.slice(asked).map((id) => id.replace(/^0000000001-24-0+/, '')),
    };
  }
  const filed = (n: number, documents: ServedDocument[], over: Partial<Filing> = {}, form = '10-K') =>
    service.add(formFiling(n, form, documents, over), documents);
  const changed = { acceptance_datetime: '2024-03-02T10:00:00' };

  it('come of the documents that they need; a filing without XBRL costs no request', async () => {
    const plain = filed(2, [{ name: 'a.htm', type: '10-K', content: '' }], { filing_date: '2015-03-02' });
    const filing = filed(1, report());
    expect(await run('xbrl_facts', [filing, plain])).toEqual({ requests: 1, asked: ['1-1'] });
    expect(await runs.rows(FACTS)).toEqual([{ file: 'acme.htm', concept: 'us-gaap:Assets', value: '12000000' }]);
    const selector = `mapping:${MAPPING_VERSION},xbrl_facts`;
    expect(await runs.rows(COVERED)).toEqual([
      { status: 'done', reason: null, selector },
      { status: 'absent', reason: 'no_such_document', selector },
    ]);
    // All tables of a filing are made together, and replace the rows that are there.
    expect(await run('xbrl', [filing, plain])).toEqual({ requests: 4, asked: ['1-1', '1-2', '1-3', '1-4'] });
    expect(await runs.rows(FACTS)).toHaveLength(1);
    expect(await runs.rows('SELECT facts, extracted, equal, differ FROM xbrl_checks')).toEqual([
      { facts: 1, extracted: 1, equal: 1, differ: 0 },
    ]);
    expect(await runs.rows('SELECT concept, label FROM xbrl_labels')).toEqual([
      { concept: 'gaap:Assets', label: 'All assets' },
    ]);
    expect((await run('xbrl', [filing, plain])).asked).toEqual([]);
    expect((await run('filings, xbrl_facts, xbrl_labels', [filing, plain])).asked).toEqual([]);
  });

  it('share contexts between the inline documents that the summary names, and no others are requested', async () => {
    const [head, tail] = [inlineDocument(number('12')), TAIL];
    const summary =
      '<FilingSummary><InputFiles><File doctype="10-K" original="acme.htm">acme.htm</File><File doctype="EX-13" original="ex13.htm">ex13.htm</File><File>ex99.htm</File></InputFiles></FilingSummary>';
    const more = [
      { name: 'ex13.htm', type: 'EX-13', content: tail },
      { name: 'ex99.htm', type: 'EX-99.1', content: EMPTY_PAGE },
      { name: 'ex31.htm', type: 'EX-31', content: EMPTY_PAGE },
    ];
    const listed = [...more, { name: 'FilingSummary.xml', type: 'XML', content: summary }];
    // The plan has the summary; that it names one more page is known then.
    expect(await run('xbrl_facts', [filed(1, report(head, listed))])).toEqual({
      requests: 2,
      asked: ['1-1', '1-8', '1-5'],
    });
    // Without a summary all pages are requested that may be inline.
    expect((await run('xbrl_facts', [filed(2, report(head, more))])).asked).toEqual(['2-1', '2-5', '2-6']);
    // So they are if the summary names a page that the listing does not have.
    const renamed = [...more, { name: 'FilingSummary.xml', type: 'XML', content: summary.replaceAll('ex13', 'part2') }];
    expect((await run('xbrl_facts', [filed(3, report(head, renamed))])).asked).toEqual(['3-1', '3-8', '3-5', '3-6']);
    const two = [
      { file: 'acme.htm', concept: 'us-gaap:Assets', value: '12000000' },
      { file: 'ex13.htm', concept: 'us-gaap:Assets', value: '7000000' },
    ];
    expect(await runs.rows(FACTS)).toEqual([...two, ...two, ...two]);
    expect(await runs.rows('SELECT reason FROM form_problems')).toEqual([]);
    expect(await runs.rows(`SELECT DISTINCT period_end::VARCHAR AS d FROM xbrl_facts WHERE file = 'ex13.htm'`)).toEqual(
      [{ d: '2024-12-31' }],
    );
  });

  it('come of a main document that nothing else of its filing shows to be inline, and of its inline exhibits', async () => {
    const page = inlineDocument(number('12'));
    const main = (content: string) => ({ name: 'primary-document.html', type: '10-K', content });
    const exhibits = [
      { name: 'ex13.htm', type: 'EX-13', content: TAIL },
      { name: 'ex31.htm', type: 'EX-31', content: EMPTY_PAGE },
    ];
    const filings = [
      filed(1, [main(`<?xml version="1.0" encoding="UTF-8"?>\n${page}`)]),
      filed(2, [main(page), ...exhibits]),
      filed(3, [main(EMPTY_PAGE), ...exhibits]),
    ];
    // The plan has the main documents; that one leads to an exhibit is known then.
    const tables = 'xbrl_facts, fundamentals';
    expect(await run(tables, filings)).toEqual({ requests: 3, asked: ['1-1', '2-1', '2-2', '3-1'] });
    expect((await runs.rows(FACTS)).map(({ file, value }) => `${file} ${value}`)).toEqual([
      'primary-document.html 12000000',
      'ex13.htm 7000000',
      'primary-document.html 12000000',
    ]);
    expect((await runs.rows(COVERED)).map(({ reason }) => reason)).toEqual([null, null, 'has_none']);
    const older = filed(4, [main(EMPTY_PAGE)], { filing_date: '2005-03-01' });
    await run(tables, [older, filed(5, [main(page.slice(0, -30))])]);
    const ask = (sql: string) => lake.query(sql, { tables: COUNTED_TABLES });
    const filed10K = await filingsWithout(ask);
    expect(filed10K).toEqual([
      {
        filings: 'annual report',
        rows: 'statements',
        with: 2,
        without: ['has_none', 'no_such_document', 'unreadable_document'].map((reason) => ({ reason, count: 1 })),
      },
    ]);
    expect(sentencesOfWithout(filed10K)).toEqual([
      '5 annual reports: 2 with statements, 3 without (1: the documents that may have XBRL were read, and state no facts; 1: no XBRL in their documents; 1: a document could not be read: table export_failures)',
    ]);
    expect((await run(tables, filings)).asked).toEqual([]);
  });

  it('of a changed filing replace all rows of the older one, also of documents that it has no more', async () => {
    await run('xbrl', [filed(1, report()), filed(2, report())]);
    const next = report(inlineDocument(number('13'))).filter(({ type }) => type !== 'EX-101.LAB');
    await run('xbrl', [filed(1, next, changed)]);
    expect((await runs.rows(FACTS)).map(({ value }) => value)).toEqual(['13000000', '12000000']);
    expect(await runs.rows('SELECT accession_number FROM xbrl_labels')).toHaveLength(1);
    // A list without XBRL leaves nothing of the older revision. Its main document is read: it may be an inline one.
    const bare = filed(2, [{ name: 'acme.htm', type: '10-K', content: EMPTY_PAGE }], changed);
    expect((await run('xbrl', [bare])).asked).toEqual(['2-1']);
    expect((await runs.rows(FACTS)).map(({ value }) => value)).toEqual(['13000000']);
    expect((await runs.rows(COVERED)).map(({ status }) => status)).toEqual(['done', 'absent']);
  });

  it.each([
    ['inline document is cut off', 0, inlineDocument(number('12')).slice(0, -30), 'form-unreadable', 1],
    ['page is another one', 0, EMPTY_PAGE, 'form-unreadable', 1],
    ['second inline document is cut off', 4, inlineDocument(number('1')).slice(0, -30), 'form-unreadable', 5],
    ['label linkbase is a web page', 2, EMPTY_PAGE, 'form-unreadable', 3],
    ['extraction is cut off', 3, EXTRACTION.slice(0, -10), 'form-unreadable', 4],
  ])('have no row of a filing whose %s, and the failure names the document', async (_, place, content, code, n) => {
    const right = report(undefined, [
      { name: 'ex99.htm', type: 'EX-99.1', content: inlineDocument(number('5', 'g1')) },
    ]);
    const wrong = right.map((document, i) => (i === place ? { ...document, content } : document));
    await run('xbrl', [filed(1, wrong), filed(2, report())]);
    expect(await runs.rows('SELECT step, subject, document_id, code FROM export_failures')).toEqual([
      { step: 'forms', subject: '0000000001-24-000001', document_id: `0000000001-24-000001-${n}`, code },
    ]);
    expect(await runs.rows(FACTS)).toHaveLength(1);
    await run('xbrl', [filed(1, right), filed(2, report())]);
    expect(await runs.rows('SELECT * FROM export_failures')).toEqual([]);
    expect(await runs.rows(FACTS)).toHaveLength(3);
  });

  it('of a document that the service does not have fail, with its name, and keep what an older answer gave', async () => {
    await run('xbrl', [filed(1, report())]);
    const client = service.client;
    const document = async (parameters: { document_id: string }, ...rest: unknown[]) => {
      if (parameters.document_id.endsWith('-3')) throw new RecordNotFoundError('no such document');
      return (client.document as never as (...all: unknown[]) => Promise<unknown>)(parameters, ...rest);
    };
    const missing = { ...client, document } as unknown as FilingClient;
    await run('xbrl', [filed(1, report(inlineDocument(number('13'))), changed)], missing);
    expect(await runs.rows('SELECT code, document_id FROM export_failures')).toEqual([
      { code: 'record-not-found', document_id: '0000000001-24-000001-3' },
    ]);
    expect((await runs.rows(FACTS)).map(({ value }) => value)).toEqual(['12000000']);
  });

  it('ask for the documents once that arrived before a budget ended', async () => {
    const filing = filed(1, report());
    const client = service.client;
    let left = 2;
    const document = async (...all: unknown[]) => {
      if (left-- <= 0) throw new BudgetReachedError('budget.max_requests is reached');
      return (client.document as never as (...all: unknown[]) => Promise<unknown>)(...all);
    };
    await expect(run('xbrl', [filing], { ...client, document } as unknown as FilingClient)).rejects.toThrow(/budget/);
    expect(service.asked).toHaveLength(2);
    expect(await runs.rows(FACTS)).toEqual([]);
    await run('xbrl', [filing]);
    expect(service.asked).toHaveLength(4);
    expect(await runs.rows(FACTS)).toHaveLength(1);
  });

  it('come of instances before 2019, and of schedules before 2001', async () => {
    const old = [
      { name: 'd10k.htm', type: '10-K', content: EMPTY_PAGE },
      { name: 'acme.xml', type: 'EX-101.INS', content: EXTRACTION },
    ];
    const older = [
      { name: null, type: '10-K', content: 'ANNUAL REPORT' },
      {
        name: null,
        type: 'EX-27',
        content: '<TABLE> <S> <C>\n<ARTICLE> 5\n<MULTIPLIER> 1,000\n<FISCAL-YEAR-END> DEC-31-1996\n<CASH> 46\n</TABLE>',
      },
    ];
    const { asked } = await run('xbrl', [filed(1, old), filed(2, older, { filing_date: '1997-03-31' })]);
    expect(asked.sort()).toEqual(['1-2', '2-2']);
    expect(await runs.rows(FACTS)).toEqual([{ file: 'acme.xml', concept: 'us-gaap:Assets', value: '12000000' }]);
    expect(await runs.rows('SELECT tag, value::INT AS value, multiplier::INT AS m FROM ex27_facts')).toEqual([
      { tag: 'CASH', value: 46, m: 1000 },
    ]);
    expect((await runs.rows(COVERED)).map(({ selector }) => selector)).toEqual([
      expect.stringContaining('xbrl_facts'),
      `ex27_facts,mapping:${MAPPING_VERSION}`,
    ]);
  });

  it('that 60 documents in a row do not give do not make the run wait: the service is well', async () => {
    const damaged = [{ name: 'form4.xml', type: '4', content: '<ownershipDocument><documentType>4' }];
    const filings = Array.from({ length: 60 }, (_, i) => filed(i + 1, damaged, {}, '4'));
    await run('ownership', [...filings, filed(61, report())]);
    expect(await runs.rows('SELECT count(*)::INT AS n, any_value(code) AS code FROM export_failures')).toEqual([
      { n: 60, code: 'form-unreadable' },
    ]);
    await run('xbrl_facts', [...filings, filed(61, report())]);
    expect(await runs.rows(FACTS)).toHaveLength(1);
  });

  it('of documents that are gone fail one by one, if those of an earlier run still come', async () => {
    await run('xbrl_facts', [filed(1, report())]);
    const client = service.client;
    const document = async (...all: [{ document_id: string }, ...unknown[]]) => {
      // As a gateway answers: without an explanation.
      if (!all[0].document_id.startsWith('0000000001-24-000001')) throw new RecordNotFoundError('not found', false);
      return (client.document as never as (...all: unknown[]) => Promise<unknown>)(...all);
    };
    const filings = Array.from({ length: 25 }, (_, i) => filed(i + 2, report()));
    await run('xbrl_facts', filings, { ...client, document } as unknown as FilingClient);
    expect(await runs.rows('SELECT count(*)::INT AS n FROM export_failures')).toEqual([{ n: 25 }]);
  });

  it('come again when a part of them is lost', async () => {
    const filing = filed(1, report());
    await run('xbrl', [filing, filed(2, report())]);
    const before = await runs.rows(FACTS);
    for (const part of (await lake.snapshot()).tables.get('xbrl_facts')!.parts.keys())
      rmSync(join(lake.root, 'xbrl_facts', part));
    expect((await repairLake(lake)).lost).toHaveLength(1);
    await run('xbrl', [filing, filed(2, report())]);
    expect(await runs.rows(FACTS)).toEqual(before);
    expect(await runs.rows('SELECT 1 FROM xbrl_labels')).toHaveLength(2);
  });

  it('of a report with many facts are whole', async () => {
    const many = Array.from({ length: 21_000 }, (_, i) => number(String(i + 1), `f${i}`)).join('');
    await run('xbrl_facts', [filed(1, report(inlineDocument(many)))]);
    expect(
      await runs.rows(
        'SELECT count(*)::INT AS n, count(DISTINCT position)::INT AS positions, sum(value_number) AS sum FROM xbrl_facts',
      ),
    ).toEqual([{ n: 21_000, positions: 21_000, sum: 220_510_500_000_000 }]);
  });
});

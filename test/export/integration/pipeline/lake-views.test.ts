/** Views over tables of forms in a lake: in queries, and in lake.sql for DuckDB itself. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Lake, openLake } from '../../../../src/lake/index.ts';
import { inlineDocument } from '../../../support/forms/xbrl-documents.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { FormService, formFiling, type ServedDocument } from '../../../support/pipeline/form-service.ts';
import { definitionOf, LakeOfRuns } from '../../../support/pipeline/lake-of-runs.ts';

const FACT =
  '<ix:nonFraction id="f1" name="gaap:Assets" contextRef="year" unitRef="usd" decimals="-6" scale="6" format="ixt:num-dot-decimal">12</ix:nonFraction>';
const REPORT: ServedDocument[] = [
  { name: 'acme.htm', type: '10-K', content: inlineDocument(FACT) },
  { name: 'acme.xsd', type: 'EX-101.SCH', content: '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"/>' },
];
const INSIDER: ServedDocument[] = [
  {
    name: 'form4.xml',
    type: '4',
    content:
      '<ownershipDocument><documentType>4</documentType><nonDerivativeTable><nonDerivativeTransaction><transactionAmounts><transactionShares><value>7</value></transactionShares></transactionAmounts></nonDerivativeTransaction></nonDerivativeTable></ownershipDocument>',
  },
];
const QUESTIONS: [string, unknown[]][] = [
  [`SELECT tag, version, ddate, qtrs, value FROM num`, [['Assets', 'us-gaap/2024', 20241231, 4, 12_000_000]]],
  [`SELECT value FROM facts_as_of('2030-01-01')`, [['12000000']]],
  [`SELECT value FROM Facts_As_Of('1999-01-01') JOIN filings USING (accession_number)`, []],
  [`SELECT * FROM fact_revisions`, []],
  [`SELECT form, instance FROM sub`, [['10-K', 'acme.htm']]],
  // The lake has no footnote: its table is not there.
  [`SELECT TRANS_SHARES::INTEGER, TRANS_SHARES_FN FROM sec345.NONDERIV_TRANS`, [[7, null]]],
  [
    `SELECT s.DOCUMENT_TYPE FROM sec345.SUBMISSION s JOIN filings f ON f.accession_number = s.ACCESSION_NUMBER`,
    [['4']],
  ],
];

describe('views over tables of forms', () => {
  let lake: Lake;

  beforeAll(async () => {
    lake = await openLake(temporaryFolder(), { create: true });
    const runs = new LakeOfRuns(lake);
    const service = new FormService();
    const filings = [
      service.add(formFiling(1, '10-K', REPORT), REPORT),
      service.add(formFiling(2, '4', INSIDER), INSIDER),
    ];
    const planned = await runs.lookUp(definitionOf('xbrl, ownership', '', '{}'), { records: filings });
    await runs.fetch(planned, service.client);
  });
  afterAll(() => lake?.close());

  it.for(QUESTIONS)('answer in queries of the lake: %s', async ([sql, rows]) => {
    expect((await lake.query(sql)).map((row) => Object.values(row))).toEqual(rows);
  });

  it('answer queries that run at the same time', async () => {
    const sql = ['SELECT * FROM sec345.SUBMISSION', 'SELECT TRANS_SHARES FROM sec345.NONDERIV_TRANS'];
    const answers = await Promise.all(Array.from({ length: 16 }, (_, i) => lake.query(sql[i % 2]!)));
    expect(answers.map((rows) => rows.length)).toEqual(answers.map(() => 1));
  });

  it('answer in DuckDB by lake.sql, in their own schemas too', async () => {
    const connection = await (await DuckDBInstance.create()).connect();
    await connection.run(`SET VARIABLE lake = '${lake.root}'`);
    await connection.run(readFileSync(join(lake.root, 'lake.sql'), 'utf8'));
    for (const [sql, rows] of QUESTIONS) expect((await connection.runAndReadAll(sql)).getRowsJson(), sql).toEqual(rows);
    await connection.run('USE sec345');
    const rows = await connection.runAndReadAll('SELECT count(*)::INTEGER FROM NONDERIV_TRANS');
    expect(rows.getRowsJson()).toEqual([[1]]);
  });
});

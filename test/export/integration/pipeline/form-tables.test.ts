/** Tables of structured forms in a lake: their requests, the rows of the answers, and when rows are replaced. */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Filing } from '../../../../src/filings/api/index.ts';
import type { Lake } from '../../../../src/lake/index.ts';
import { checkLake, lakeReport, repairLake } from '../../../../src/lake/report/index.ts';
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

const form4 = (...shares: string[]) =>
  `<?xml version="1.0"?><ownershipDocument><documentType>4</documentType><issuer><issuerCik>0000000007</issuerCik></issuer><nonDerivativeTable>${shares
    .map(
      (each) =>
        `<nonDerivativeTransaction><transactionAmounts><transactionShares><value>${each}</value></transactionShares></transactionAmounts></nonDerivativeTransaction>`,
    )
    .join('')}</nonDerivativeTable></ownershipDocument>`;
const report = (content: string, name: string | null = 'form4.xml'): ServedDocument[] => [
  { name, type: '4', content },
  { name: 'poa.txt', type: 'EX-24', content: 'I appoint' },
];
const SHARES = 'SELECT line, shares FROM ownership_transactions ORDER BY line';
const COVERED = `SELECT status, selector FROM coverage WHERE step = 'forms'`;

describe('tables of a form', () => {
  let lake: Lake;
  let runs: LakeOfRuns;
  let service: FormService;

  beforeEach(async () => {
    ({ lake, runs, service } = await openForms());
  });
  afterEach(() => closeSound(lake));

  async function run(tables: string, ...filings: Filing[]) {
    const asked = service.asked.length;
    const planned = await fetchForms(runs, tables, filings, service.client);
    return { requests: planned.pending.whole.requests, asked: service.asked.slice(asked) };
  }
  const filed = (n: number, documents: ServedDocument[], over: Partial<Filing> = {}, form = '4') =>
    service.add(formFiling(n, form, documents, over), documents);

  it('come of the documents that the mapping reads, with one request each, and of no other form', async () => {
    const other = filed(2, [{ name: 'a.htm', type: '10-K', content: '' }], {}, '10-K');
    const four = filed(1, report(form4('12345678901234567.000000000001', '-3')));
    expect(await run('ownership', four, other)).toEqual({
      requests: 1,
      asked: ['0000000001-24-000001-1'],
    });
    expect(await runs.rows('SELECT accession_number, issuer_cik, transactions FROM ownership_reports')).toEqual([
      { accession_number: '0000000001-24-000001', issuer_cik: '7', transactions: 2 },
    ]);
    expect(await runs.rows(SHARES)).toEqual([
      { line: 0, shares: '12345678901234567.000000000001' },
      { line: 1, shares: -3 },
    ]);
    expect(await runs.rows(COVERED)).toEqual([
      expect.objectContaining({ status: 'done', selector: expect.stringContaining('ownership_transactions') }),
    ]);
    expect((await run('ownership', four, other)).asked).toEqual([]);
    // A filing without such documents lacks nothing.
    expect((await lakeReport(lake)).coverage.sum).toEqual({ filings: 2, whole: 2, failed: 0 });
  });

  it('are replaced together when the filing changes, and left alone else', async () => {
    await run('ownership', filed(1, report(form4('1', '2', '3'))), filed(2, report(form4('9'))));
    const changed = filed(1, report(form4('7')), { acceptance_datetime: '2024-03-02T10:00:00' });
    await run('ownership', changed);
    expect(await runs.rows('SELECT shares FROM ownership_transactions ORDER BY accession_number')).toEqual([
      { shares: 7 },
      { shares: 9 },
    ]);
  });

  it('that another export asks for come beside those that are there', async () => {
    const four = filed(1, report(form4('1')));
    await run('ownership_transactions', four);
    expect(await runs.rows('SELECT 1 FROM ownership_reports')).toEqual([]);
    expect((await run('ownership_reports', four)).asked).toHaveLength(1);
    expect(await runs.rows(SHARES)).toEqual([{ line: 0, shares: 1 }]);
    expect((await run('ownership_reports, ownership_transactions', four)).asked).toEqual([]);
    // If the filing changed, either export fetches the tables of both.
    const changed = filed(1, report(form4('2')), { acceptance_datetime: '2024-03-02T10:00:00' });
    await run('ownership_reports', changed);
    expect(await runs.rows(SHARES)).toEqual([{ line: 0, shares: 2 }]);
  });

  it('are absent without a request where the filing has no XML, and after one where only the text can tell', async () => {
    expect(await run('ownership', filed(1, report('paper', 'form4.txt')))).toEqual({ requests: 0, asked: [] });
    expect((await run('ownership', filed(2, [{ name: null, type: '4', content: 'FORM 4' }]))).asked).toHaveLength(1);
    expect((await runs.rows(COVERED)).map(({ status }) => status)).toEqual(['absent', 'absent']);
    expect((await run('ownership', filed(2, [{ name: null, type: '4', content: 'FORM 4' }]))).asked).toEqual([]);
  });

  it('fail where a document without a name is wrapped or unknown XML, which no mapping reads', async () => {
    const unnamed = (content: string) => [{ name: null, type: '4', content }];
    const other = '<edgarSubmission><headerData><submissionType>X</submissionType></headerData></edgarSubmission>';
    await run('ownership', filed(1, unnamed(`<XML>\n${form4('1')}</XML>`)), filed(2, unnamed(other)));
    expect((await runs.rows(COVERED)).map(({ status }) => status)).toEqual(['failed', 'failed']);
    expect(await runs.rows('SELECT DISTINCT code FROM export_failures')).toEqual([{ code: 'form-unreadable' }]);
  });

  it('that failed for another export cost an export of other tables no request', async () => {
    const four = filed(1, report('damaged'));
    const bare = { ...four, documents: [] };
    expect((await run('ownership', bare)).asked).toHaveLength(2);
    const contents = 'filings, document_contents';
    expect((await run(contents, bare)).asked).not.toEqual([]);
    expect((await run(contents, bare)).asked).toEqual([]);
    expect((await run('ownership', bare)).asked).toHaveLength(2);
  });

  it.each(['form_problems', 'form_unknown_elements'])('come again when their %s are lost', async (table) => {
    const odd = form4('many').replace('<issuer>', '<novelty>x</novelty><issuer>');
    const [first, second] = [filed(1, report(odd)), filed(2, report(form4('1')), {}, '4/A')];
    await run('ownership', first, second);
    const rows = `SELECT * FROM ${table}`;
    const before = await runs.rows(rows);
    expect(before).toHaveLength(1);
    for (const part of (await lake.snapshot()).tables.get(table)!.parts.keys()) rmSync(join(lake.root, table, part));
    expect((await repairLake(lake)).lost).toHaveLength(1);
    expect((await run('ownership', first, second)).asked).toContain('0000000001-24-000001-1');
    expect(await runs.rows(rows)).toEqual(before);
    expect(await runs.rows(SHARES)).toHaveLength(2);
  });

  it.each([
    ['is cut off', form4('1').slice(0, -20), /malformed/],
    ['is a page of a proxy', '<html><body>Blocked</body></html>', /not XML of form 4.*Blocked/],
    ['is empty', '', /not XML of form 4/],
    [
      'is another form',
      '<edgarSubmission><headerData><submissionType>D</submissionType></headerData></edgarSubmission>',
      /not XML of form 4/,
    ],
  ])('fail with their reason if the document %s, and come when it is right', async (_, content, message) => {
    await run('ownership', filed(1, report(content)));
    const failures = await runs.rows('SELECT step, subject, code, message FROM export_failures');
    expect(failures).toEqual([
      {
        step: 'forms',
        subject: '0000000001-24-000001',
        code: 'form-unreadable',
        message: expect.stringMatching(message),
      },
    ]);
    expect(await runs.rows('SELECT 1 FROM form_problems')).toEqual([]);
    await run('ownership', filed(1, report(form4('5'))));
    expect(await runs.rows(SHARES)).toEqual([{ line: 0, shares: 5 }]);
    expect(await runs.rows('SELECT * FROM export_failures')).toEqual([]);
  });

  it('come by way of filing_info where the lookup names neither documents nor form', async () => {
    const four = filed(1, report(form4('5')));
    const bare = { ...four, documents: [], form_type: null };
    expect((await run('ownership', bare)).asked).toEqual(['0000000001-24-000001', '0000000001-24-000001-1']);
    expect(await runs.rows(SHARES)).toEqual([{ line: 0, shares: 5 }]);
    const forms = () => runs.rows('SELECT form_type FROM filings');
    // The row has it too, or views of forms would leave the filing out.
    expect(await forms()).toEqual([{ form_type: '4' }]);
    expect((await run('ownership', bare)).asked).toEqual([]);
    expect(await forms()).toEqual([{ form_type: '4' }]);
    // Changed records, of an unchanged revision too.
    for (const more of [{ size: 77 }, { revision: 'r' }, { revision: 'r', size: 78 }, { revision: 's', size: 78 }]) {
      await run('ownership', { ...bare, ...more });
      expect(await forms(), JSON.stringify(more)).toEqual([{ form_type: '4' }]);
    }
    await run('ownership', { ...bare, form_type: '4/A' });
    expect(await forms()).toEqual([{ form_type: '4/A' }]);
  });

  it('that coverage calls done without a report are found by the check', async () => {
    await run('ownership', filed(1, report(form4('1'))));
    const { accession_number } = filed(2, report(form4('2')));
    const coverage = { accession_number, step: 'forms', selector: 'ownership_reports', revision: '..', status: 'done' };
    await bring(lake, { run: 'other', batch: 'b' }, { filings: [{ accession_number }], coverage: [coverage] });
    expect((await checkLake(lake)).problems).toMatchObject([
      { code: 'coverage-without-rows', message: expect.stringContaining(accession_number) },
    ]);
    const withdrawn = { columns: ['accession_number'], values: [[accession_number]] };
    const replace = ['filings', 'coverage'].map((table) => ({ table, ...withdrawn }));
    await bring(lake, { run: 'other', batch: 'c' }, {}, replace);
  });

  it('say what did not fit, and what no mapping knows', async () => {
    await run('ownership', filed(1, report(form4('many').replace('<issuer>', '<novelty>x</novelty><issuer>'))));
    expect(await runs.rows('SELECT reason, path, table_name, column_name, value FROM form_problems')).toEqual([
      {
        reason: 'not_a_number',
        table_name: 'ownership_transactions',
        column_name: 'shares',
        value: 'many',
        path: expect.stringContaining('transactionShares'),
      },
    ]);
    expect(await runs.rows('SELECT path, occurrences, example FROM form_unknown_elements')).toEqual([
      { path: 'ownershipDocument/novelty', occurrences: 1, example: 'x' },
    ]);
  });

  it('of 13F come of all its documents at once, and of its text before 2013', async () => {
    const documents = [
      {
        name: 'primary_doc.xml',
        type: '13F-HR',
        content:
          '<edgarSubmission><headerData><submissionType>13F-HR</submissionType></headerData><formData><coverPage/></formData></edgarSubmission>',
      },
      { name: 'table.xml', type: 'INFORMATION TABLE', content: informationTable(3) },
    ];
    const text = [
      { name: 'report.txt', type: '13F-HR', content: 'FORM 13F\nACME INC COM 037833100 1234 500 SH SOLE\n' },
    ];
    const made = await run(
      'f13',
      filed(1, documents, {}, '13F-HR'),
      filed(2, text, { filing_date: '2010-05-01' }, '13F-HR'),
    );
    expect(made.requests).toBe(3);
    expect(await runs.rows('SELECT value_sum::VARCHAR AS sum, holdings FROM f13_reports')).toEqual([
      { sum: '6000.000000000000', holdings: 3 },
    ]);
    expect(await runs.rows('SELECT count(*)::INT AS n FROM f13_holdings')).toEqual([{ n: 3 }]);
    expect(await runs.rows('SELECT holdings FROM f13_text_reports')).toHaveLength(1);
  });

  it('have views in the lake and in lake.sql', async () => {
    await run('ownership', filed(1, report(form4('5'))));
    expect(await runs.rows('SELECT * FROM f13_positions')).toEqual([]);
    const owners = 'SELECT count(*)::INT AS n FROM ownership_owner_transactions';
    // The report names no owner: the table is in no lake before its first row.
    expect(await runs.rows(owners)).toEqual([{ n: 0 }]);
    const owned = form4('5').replace('<issuer>', '<reportingOwner/><reportingOwner/><issuer>');
    await run('ownership', filed(2, report(owned)));
    expect(await runs.rows(owners)).toEqual([{ n: 2 }]);
    const sql = readFileSync(join(lake.root, 'lake.sql'), 'utf8');
    expect(sql).toContain('VIEW "ownership_owner_transactions"');
    expect(sql).not.toContain('VIEW "f13_positions"');
  });

  it('of many rows are whole, and what no row can be made of leaves nothing', async () => {
    const table = (content: string) => [{ name: 'table.xml', type: 'INFORMATION TABLE', content }];
    await run('f13', filed(1, table(informationTable(24_000)), {}, '13F-HR'));
    const counts =
      'SELECT count(*)::INT AS n, count(DISTINCT position)::INT AS positions, sum(value)::VARCHAR AS sum FROM f13_holdings';
    expect(await runs.rows(counts)).toEqual([{ n: 24_000, positions: 24_000, sum: '288012000000.000000000000' }]);
    const cut = informationTable(25_000).slice(0, -100);
    await run('f13', filed(1, table(cut), { acceptance_datetime: '2024-03-02T10:00:00' }, '13F-HR'));
    expect(await runs.rows('SELECT code FROM export_failures')).toEqual([{ code: 'form-unreadable' }]);
    // The older answer stays until a better one is there.
    expect(await runs.rows('SELECT count(*)::INT AS n FROM f13_holdings')).toEqual([{ n: 24_000 }]);
  });
});

function informationTable(rows: number): string {
  const row = (i: number) =>
    `<infoTable><nameOfIssuer>Issuer ${i}</nameOfIssuer><cusip>037833100</cusip><value>${(i + 1) * 1000}</value><shrsOrPrnAmt><sshPrnamt>${i + 1}</sshPrnamt><sshPrnamtType>SH</sshPrnamtType></shrsOrPrnAmt></infoTable>`;
  return `<?xml version="1.0"?><informationTable>${Array.from({ length: rows }, (_, i) => row(i)).join('')}</informationTable>`;
}

import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { FORM_TABLES, FORM_VIEWS } from '../../../src/forms/index.ts';

async function connected() {
  const connection = await (await DuckDBInstance.create()).connect();
  for (const { name, columns } of FORM_TABLES)
    await connection.run(
      `CREATE TABLE ${name} (${columns.map((column) => `"${column.name}" ${column.type}`).join(', ')})`,
    );
  await connection.run('CREATE TABLE filings (accession_number VARCHAR, filing_date DATE)');
  for (const { name, sql } of FORM_VIEWS) await connection.run(`CREATE VIEW ${name} AS ${sql}`);
  return connection;
}

describe('views of forms', () => {
  it('run over the tables of the descriptors', async () => {
    const connection = await connected();
    for (const { name } of FORM_VIEWS) expect((await connection.runAndReadAll(`FROM ${name}`)).getRows()).toEqual([]);
  });

  it('f13_positions: a restatement replaces, new holdings add, a notice adds nothing, an addition alone counts', async () => {
    const connection = await connected();
    const filings: [string, string, string, string, string | null][] = [
      // number, day, form, filer, kind of amendment
      ['a1', '2024-05-01', '13F-HR', '1', null],
      ['a2', '2024-05-10', '13F-HR/A', '1', 'NEW HOLDINGS'],
      ['a3', '2024-05-20', '13F-HR/A', '1', 'RESTATEMENT'],
      ['a4', '2024-05-30', '13F-HR/A', '1', 'NEW HOLDINGS'],
      ['b1', '2024-05-01', '13F-HR', '2', null],
      ['b2', '2024-05-02', '13F-NT', '2', null],
      ['c1', '2024-05-02', '13F-HR/A', '3', 'NEW HOLDINGS'],
    ];
    for (const [number, day, form, filer, kind] of filings) {
      const amendment = kind === null ? 'NULL' : `'${kind}'`;
      await connection.run(`INSERT INTO filings VALUES ('${number}', '${day}')`);
      await connection.run(
        `INSERT INTO f13_reports BY NAME SELECT '${number}' AS accession_number, '${form}' AS form_type, '${filer}' AS filer_cik, DATE '2024-03-31' AS period_of_report, ${amendment} AS amendment_type`,
      );
      await connection.run(`INSERT INTO f13_holdings BY NAME SELECT '${number}' AS accession_number, 0 AS position`);
    }
    const rows = await connection.runAndReadAll('SELECT accession_number FROM f13_positions ORDER BY 1');
    expect(rows.getRows().flat()).toEqual(['a3', 'a4', 'b1', 'c1']);
  });
});

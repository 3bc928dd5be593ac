import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { viewsDocument } from '../../../scripts/views-doc.ts';
import { VIEWS } from '../../../src/tables/index.ts';
import { FormDatabase } from '../../support/forms/form-database.ts';

const connected = async () => (await FormDatabase.create()).connection;

describe('views of forms', () => {
  it('equal docs/reference/views.md (node scripts/views-doc.ts writes it)', () => {
    const document = readFileSync(new URL('../../../docs/reference/views.md', import.meta.url), 'utf8');
    expect(document).toBe(viewsDocument());
  });

  it('run over the tables of the descriptors', async () => {
    const connection = await connected();
    for (const { name, schema, parameters } of VIEWS) {
      const from = `${schema ? `${schema}.` : ''}${name}${parameters ? "('2024-03-01')" : ''}`;
      const rows = (await connection.runAndReadAll(`FROM ${from}`)).getRows();
      // A list of its own, of no lake's rows.
      expect(rows.length === 0, from).toBe(name !== 'places');
    }
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
      // Two agents on one day: the hour decides, not the number.
      ['d2', '2024-05-02 10:00', '13F-HR', '4', null],
      ['d1', '2024-05-02 15:00', '13F-HR/A', '4', 'RESTATEMENT'],
    ];
    for (const [number, day, form, filer, kind] of filings) {
      const amendment = kind === null ? 'NULL' : `'${kind}'`;
      await connection.run(
        `INSERT INTO filings (accession_number, filing_date, acceptance_datetime) VALUES ('${number}', '${day.slice(0, 10)}', '${day}')`,
      );
      await connection.run(
        `INSERT INTO f13_reports BY NAME SELECT '${number}' AS accession_number, '${form}' AS form_type, '${filer}' AS filer_cik, DATE '2024-03-31' AS period_of_report, ${amendment} AS amendment_type`,
      );
      await connection.run(`INSERT INTO f13_holdings BY NAME SELECT '${number}' AS accession_number, 0 AS position`);
    }
    const rows = await connection.runAndReadAll('SELECT accession_number FROM f13_positions ORDER BY 1');
    expect(rows.getRows().flat()).toEqual(['a3', 'a4', 'b1', 'c1', 'd1']);
  });

  it('xbrl_statements: lines in order, preferred labels, signs as shown, the most exact of equal facts', async () => {
    const connection = await connected();
    const usual = 'http://www.xbrl.org/2003/role/label';
    const negated = 'http://www.xbrl.org/2009/role/negatedLabel';
    const lines = [
      [1, 'x:Cost', `'${negated}'`],
      [0, 'x:Heading', 'NULL'],
      [2, 'x:Axis', 'NULL'],
    ];
    for (const [line, concept, label] of lines)
      await connection.run(
        `INSERT INTO xbrl_presentation BY NAME SELECT 'a' AS accession_number, 'r' AS role, ${line} AS line, '${concept}' AS concept, ${label} AS preferred_label`,
      );
    for (const [concept, role, label] of [
      ['x:Cost', usual, 'Cost'],
      ['x:Cost', negated, 'Less: cost'],
      ['x:Heading', usual, 'Heading'],
    ])
      await connection.run(
        `INSERT INTO xbrl_labels BY NAME SELECT 'a' AS accession_number, '${concept}' AS concept, '${role}' AS role, '${label}' AS label`,
      );
    for (const [position, value, decimals, dimensions] of [
      [0, 16_200, '-2', '{}'],
      [1, 16_177, '0', '{}'],
      [2, 5, '0', '{"x:Axis":"x:A"}'],
      [3, 6, '0', '{"x:Elsewhere":"x:A"}'],
    ])
      await connection.run(
        `INSERT INTO xbrl_facts BY NAME SELECT 'a' AS accession_number, ${position} AS position, 'x:Cost' AS concept, '${value}' AS value, ${value} AS value_number, '${decimals}' AS decimals, '${dimensions}' AS dimensions, 'USD' AS unit, DATE '2024-12-31' AS period_end`,
      );
    const rows = await connection.runAndReadAll(
      'SELECT line, label, value, shown FROM xbrl_statements ORDER BY line, value',
    );
    expect(rows.getRows()).toEqual([
      [0, 'Heading', null, null],
      [1, 'Less: cost', '16177', -16_177],
      [1, 'Less: cost', '5', -5],
      [2, null, null, null],
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { VIEWS } from '../../../../src/lake/views/views.ts';
import { calledIn, FormDatabase } from '../../../support/forms/form-database.ts';

async function connected() {
  const database = await FormDatabase.create();
  await database.makeViews();
  return database.connection;
}

it('every statement of the files is a view, and names the tables that it reads', () => {
  expect(VIEWS).toHaveLength(90);
  for (const { name, meaning, tables, sql } of VIEWS) {
    expect([meaning.length > 5, /^(SELECT|WITH|FROM)\b/.test(sql)], name).toEqual([true, true]);
    for (const table of tables)
      expect(sql, `${name} reads ${table}`).toMatch(
        new RegExp(`\\b${table}|VALUES|query\\(|FROM (?:fundamental|section_years|splits_|identities_|securit)`),
      );
  }
});

describe('views of forms', () => {
  it('run over the tables of the descriptors', async () => {
    const connection = await connected();
    for (const view of VIEWS) {
      const from = calledIn(view);
      const rows = (await connection.runAndReadAll(`FROM ${from}`)).getRows();
      // A list of its own, of no lake's rows.
      expect(rows.length === 0, from).toBe(view.name !== 'places');
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

  it('f13_positions: loses no holding of reports without kind, quarter or filer, or without a row in filings', async () => {
    const database = await FormDatabase.create();
    const report = (accession_number: string, over: Record<string, unknown> = {}) => ({
      accession_number,
      form_type: '13F-HR',
      filer_cik: '1',
      period_of_report: '2024-03-31',
      ...over,
    });
    const amendment = { form_type: '13F-HR/A' };
    await database.insert('f13_reports', [
      report('a1'),
      // Repeats both securities of a1, and has another.
      report('a2', amendment),
      report('b1', { filer_cik: '2' }),
      // One security that b1 lacks.
      report('b2', { ...amendment, filer_cik: '2' }),
      report('c1', { filer_cik: '3', period_of_report: null }),
      report('c2', { filer_cik: '3', period_of_report: null }),
      report('d1', { filer_cik: '4', period_of_report: null, report_calendar_or_quarter: '2024-03-31' }),
      report('d2', { ...amendment, filer_cik: '4', amendment_type: 'Restatement' }),
      report('e1', { filer_cik: null }),
      report('e2', { filer_cik: null }),
      report('f1', { ...amendment, filer_cik: '5' }),
      report('g1', { filer_cik: '6', form_type: null }),
    ]);
    const held: Record<string, string[]> = { a1: ['x', 'y'], a2: ['x', 'y', 'z'], b1: ['x', 'y'], b2: ['z'] };
    const all = ['a1', 'a2', 'b1', 'b2', 'c1', 'c2', 'd1', 'd2', 'e1', 'e2', 'f1', 'g1'];
    await database.insert(
      'f13_holdings',
      all.flatMap((accession_number) =>
        (held[accession_number] ?? ['x']).map((cusip, position) => ({ accession_number, position, cusip })),
      ),
    );
    await database.insert(
      'filings',
      all
        .filter((number) => number !== 'g1')
        .map((accession_number) => ({ accession_number, filing_date: `2024-05-0${accession_number[1]}` })),
    );
    expect(
      await database.rows(
        "SELECT accession_number, string_agg(cusip, '' ORDER BY cusip), any_value(applied_as) FROM f13_positions GROUP BY 1 ORDER BY 1",
      ),
    ).toEqual([
      ['a2', 'xyz', 'restatement by its content'],
      ['b1', 'xy', 'report'],
      ['b2', 'z', 'addition by its content'],
      ['c1', 'x', 'report'],
      ['c2', 'x', 'report'],
      ['d2', 'x', 'restatement'],
      ['e1', 'x', 'report'],
      ['e2', 'x', 'report'],
      ['f1', 'x', 'addition to nothing'],
      ['g1', 'x', 'report'],
    ]);
  });

  it('f13_positions: an amendment without a kind is compared with the report or restatement before it', async () => {
    const database = await FormDatabase.create();
    const reports: [string, string | null, string[]][] = [
      ['a1', null, ['p', 'q']],
      ['a2', 'RESTATEMENT', ['x', 'y']],
      ['a3', null, ['x', 'y', 'z']],
      // The lake lacks the report.
      ['b2', 'RESTATEMENT', ['x', 'y']],
      ['b3', null, ['x', 'y', 'z']],
      // The report has no holdings: the first amendment adds to nothing, the second repeats the first.
      ['c1', null, []],
      ['c2', null, ['x', 'y']],
      ['c3', null, ['x', 'y', 'z']],
      // Securities without CUSIP: names tell them apart.
      ['d1', null, ['', '']],
      ['d2', null, ['z']],
      ['e1', null, ['', '']],
      ['e2', null, ['', '', 'z']],
      ['f2', 'NEW HOLDINGS', ['x']],
      ['f3', null, ['y']],
    ];
    await database.insert(
      'f13_reports',
      reports.map(([accession_number, amendment_type]) => ({
        accession_number,
        amendment_type,
        period_of_report: '2024-03-31',
        filer_cik: accession_number[0],
        form_type: accession_number.endsWith('1') ? '13F-HR' : '13F-HR/A',
      })),
    );
    await database.insert(
      'f13_holdings',
      reports.flatMap(([accession_number, , cusips]) =>
        cusips.map((cusip, position) => ({
          accession_number,
          position,
          name_of_issuer: `issuer ${position}`,
          cusip: cusip === '' ? null : cusip,
        })),
      ),
    );
    await database.insert(
      'filings',
      reports.map(([accession_number]) => ({ accession_number, filing_date: `2024-05-0${accession_number[1]}` })),
    );
    expect(
      await database.rows(
        'SELECT accession_number, applied_as, count(*)::INTEGER FROM f13_positions GROUP BY ALL ORDER BY 1',
      ),
    ).toEqual([
      ['a3', 'restatement by its content', 3],
      ['b3', 'restatement by its content', 3],
      ['c3', 'restatement by its content', 3],
      ['d1', 'report', 2],
      ['d2', 'addition by its content', 1],
      ['e2', 'restatement by its content', 3],
      ['f2', 'addition', 1],
      ['f3', 'addition by its content', 1],
    ]);
  });

  it('statements and pre have English labels, if a filing has several languages', async () => {
    const database = await FormDatabase.create();
    const role = 'http://www.xbrl.org/2003/role/label';
    await database.insert('xbrl_presentation', [
      { accession_number: 'a', file: 'p.xml', position: 0, role: 'r', line: 0, concept: 'x:Cash' },
    ]);
    await database.insert('xbrl_labels', [
      {
        accession_number: 'a',
        file: 'l.xml',
        position: 0,
        concept: 'x:Cash',
        role,
        language: 'de',
        label: 'Barmittel',
      },
      { accession_number: 'a', file: 'l.xml', position: 1, concept: 'x:Cash', role, language: 'en-US', label: 'Cash' },
      { accession_number: 'a', file: 'l.xml', position: 2, concept: 'x:Cash', role, language: 'en', label: 'A cash' },
    ]);
    expect(await database.rows('SELECT label FROM statements')).toEqual([['Cash']]);
    expect(await database.rows('SELECT plabel FROM pre')).toEqual([['Cash']]);
    await database.rows("DELETE FROM xbrl_labels WHERE language LIKE 'en%'");
    expect(await database.rows('SELECT label FROM statements')).toEqual([['Barmittel']]);
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
        `INSERT INTO xbrl_presentation BY NAME SELECT 'a' AS accession_number, 'p.xml' AS file, ${line} AS position, 'r' AS role, ${line} AS line, '${concept}' AS concept, ${label} AS preferred_label`,
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
        `INSERT INTO xbrl_facts BY NAME SELECT 'a' AS accession_number, 'a.htm' AS file, ${position} AS position, 'x:Cost' AS concept, '${value}' AS value, ${value} AS value_number, '${decimals}' AS decimals, '${dimensions}' AS dimensions, 'USD' AS unit, DATE '2024-12-31' AS period_end`,
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

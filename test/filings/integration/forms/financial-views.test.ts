/** Views over XBRL facts: SEC's names, and what was known when. */
import { beforeEach, describe, expect, it } from 'vitest';
import { FormDatabase } from '../../../support/forms/form-database.ts';

const GAAP = 'http://fasb.org/us-gaap/2024';
let database: FormDatabase;

const fact = (accession_number: string, position: number, over: Record<string, unknown>) => ({
  accession_number,
  file: 'a.htm',
  position,
  concept: 'us-gaap:Assets',
  concept_namespace: GAAP,
  entity_cik: '7',
  period_end: '2024-12-31',
  unit: 'USD',
  decimals: '-6',
  dimensions: '{}',
  footnotes: '[]',
  ...((over.value ?? null) === null || Number.isNaN(Number(over.value)) ? {} : { value_number: Number(over.value) }),
  ...over,
});

beforeEach(async () => {
  database = await FormDatabase.create();
});

describe('num', () => {
  it('moves days to the nearest end of a month, and counts quarters', async () => {
    const days: [string | null, string, number, number][] = [
      [null, '2024-09-28', 20240930, 0],
      [null, '2025-01-03', 20241231, 0],
      ['2024-01-01', '2024-12-31', 20241231, 4],
      ['2023-12-31', '2024-12-28', 20241231, 4],
      ['2024-06-30', '2024-09-28', 20240930, 1],
      ['2024-01-01', '2024-09-30', 20240930, 3],
      [null, '2024-02-14', 20240131, 0],
      [null, '2024-02-15', 20240229, 0],
    ];
    await database.insert(
      'xbrl_facts',
      days.map(([period_start, period_end], i) =>
        fact(`a${i}`, 0, { period_start, period_end, value: '1', value_number: 1 }),
      ),
    );
    expect(await database.rows('SELECT ddate, qtrs FROM num ORDER BY adsh')).toEqual(
      days.map(([, , ddate, qtrs]) => [ddate, qtrs]),
    );
  });

  it('has names, versions, segments, the legal entity and footnotes as SEC has them', async () => {
    const dimensions = JSON.stringify({
      'dei:LegalEntityAxis': 'acme:SubsidiaryMember',
      'us-gaap:StatementEquityComponentsAxis': 'us-gaap:AdditionalPaidInCapitalMember',
      'acme:PlanAxis': 'Plan 2',
    });
    await database.insert('xbrl_facts', [
      fact('a', 0, { value: '5', value_number: 5, dimensions, footnotes: '["fn-1"]' }),
      fact('a', 1, { concept: 'acme:Own', concept_namespace: 'http://acme.example/2024', value: '6' }),
      fact('a', 2, { concept: 'dei:EntityRegistrantName', unit: null, value: 'ACME', decimals: null }),
    ]);
    await database.insert('xbrl_footnotes', [
      { accession_number: 'a', file: 'a.htm', position: 0, footnote_id: 'fn-1', text: 'Restated.' },
    ]);
    const columns = 'tag, version, segments, coreg, value, footnote';
    expect(await database.rows(`SELECT ${columns} FROM num ORDER BY tag`)).toEqual([
      ['Assets', 'us-gaap/2024', 'EquityComponents=AdditionalPaidInCapital;Plan=Plan 2;', 'Subsidiary', 5, 'Restated.'],
      ['Own', 'a', null, null, 6, null],
    ]);
    expect(await database.rows('SELECT tag, value FROM txt')).toEqual([['EntityRegistrantName', 'ACME']]);
  });

  it('has the most exact of equal facts once', async () => {
    await database.insert('xbrl_facts', [
      fact('a', 0, { value: '16200000', decimals: '-5' }),
      fact('a', 1, { value: '16177000', decimals: '-3' }),
      fact('a', 2, { value: '16177000', decimals: '-3' }),
      fact('a', 3, { value: null, decimals: null, is_nil: true }),
      fact('b', 0, { value: null, decimals: null, is_nil: true }),
    ]);
    expect(await database.rows('SELECT adsh, value FROM num ORDER BY adsh')).toEqual([
      ['a', 16_177_000],
      ['b', null],
    ]);
  });
});

describe('cal and tag', () => {
  it('have sums by group, and what the schema says of own tags', async () => {
    await database.insert('xbrl_facts', [
      fact('a', 0, { value: '9' }),
      fact('a', 1, { concept: 'us-gaap:AssetsNet', value: '9' }),
      fact('a', 2, { concept: 'acme:Boats', concept_namespace: 'http://acme/2024', value: '5' }),
    ]);
    const arc = (position: number, role: string, concept: string, weight: number) => ({
      accession_number: 'a',
      file: 'a_cal.xml',
      position,
      role,
      parent: 'us-gaap:AssetsNet',
      concept,
      weight,
    });
    await database.insert('xbrl_calculation', [
      arc(0, 'r/two', 'us-gaap:Assets', 1),
      arc(1, 'r/one', 'acme:Boats', 1),
      arc(2, 'r/one', 'us-gaap:Assets', -1),
    ]);
    const concept = (position: number, name: string, over: Record<string, unknown>) => ({
      accession_number: 'a',
      file: 'a.xsd',
      position,
      concept: name,
      is_abstract: false,
      ...over,
    });
    await database.insert('xbrl_concepts', [
      concept(0, 'acme:Boats', { type: 'xbrli:monetaryItemType', balance: 'debit', period_type: 'instant' }),
      concept(1, 'acme:FleetMember', { type: 'dtr-types:domainItemType', period_type: 'duration', is_abstract: true }),
    ]);
    await database.insert('xbrl_presentation', [
      { accession_number: 'a', file: 'a_pre.xml', position: 0, role: 'r/one', concept: 'acme:FleetMember' },
    ]);
    expect(
      await database.rows('SELECT grp, arc, negative, ptag, pversion, ctag, cversion FROM cal ORDER BY ALL'),
    ).toEqual([
      [1, 1, 0, 'AssetsNet', 'us-gaap/2024', 'Boats', 'a'],
      [1, 2, 1, 'AssetsNet', 'us-gaap/2024', 'Assets', 'us-gaap/2024'],
      [2, 1, 0, 'AssetsNet', 'us-gaap/2024', 'Assets', 'us-gaap/2024'],
    ]);
    expect(await database.rows('SELECT tag, custom, abstract, datatype, iord, crdr FROM tag ORDER BY ALL')).toEqual([
      ['Assets', 0, 0, 'monetary', 'I', null],
      ['AssetsNet', 0, 0, 'monetary', 'I', null],
      ['Boats', 1, 0, 'monetary', 'I', 'D'],
      ['FleetMember', 1, 1, null, null, null],
    ]);
  });
});

describe('facts of two registrants in one filing', () => {
  it('are all in num, txt and statements; coreg is the CIK of the one that is not the filer', async () => {
    const filing = { accession_number: 'a', filing_date: '2025-02-01' };
    await database.insert('filings', [
      { ...filing, cik: '7' },
      { ...filing, accession_number: 'b', cik: '9' },
    ]);
    const name = { concept: 'dei:EntityRegistrantName', unit: null, decimals: null };
    await database.insert('xbrl_facts', [
      fact('a', 0, { value: '1' }),
      fact('a', 1, { value: '2', entity_cik: '8', dimensions: '{"x:PlanAxis":"x:A"}' }),
      fact('a', 2, { value: '3', entity_cik: '8' }),
      fact('a', 3, { ...name, value: 'ACME' }),
      fact('a', 4, { ...name, value: 'ACME FINANCE', entity_cik: '8' }),
      // The only entity of its filing, which another one filed.
      fact('b', 0, { value: '5' }),
    ]);
    await database.insert('xbrl_presentation', [
      { ...filing, file: 'p.xml', position: 0, role: 'r', line: 0, depth: 0, concept: 'us-gaap:Assets' },
    ]);
    expect(await database.rows('SELECT adsh, value, coreg, segments, dimn FROM num ORDER BY value')).toEqual([
      ['a', 1, null, null, 0],
      ['a', 2, '8', 'Plan=A;', 1],
      ['a', 3, '8', null, 0],
      ['b', 5, null, null, 0],
    ]);
    expect(await database.rows('SELECT value, coreg, iprx FROM txt ORDER BY value')).toEqual([
      ['ACME', null, 0],
      ['ACME FINANCE', '8', 0],
    ]);
    expect(await database.rows('SELECT entity_cik, value FROM statements ORDER BY value')).toEqual([
      ['7', '1'],
      ['8', '3'],
    ]);
  });
});

describe('a fact that a filing states both as nil and with a value', () => {
  it('has the value in statements and at a moment', async () => {
    await database.insert('filings', [{ accession_number: 'a', filing_date: '2025-02-01' }]);
    const text = { concept: 'us-gaap:NoteTextBlock', unit: null };
    await database.insert('xbrl_facts', [
      fact('a', 0, { value: null, is_nil: true, decimals: null }),
      fact('a', 1, { value: '5', decimals: null }),
      fact('a', 2, { ...text, value: null, is_nil: true, decimals: null }),
      fact('a', 3, { ...text, value: 'note', decimals: null }),
    ]);
    await database.insert('xbrl_presentation', [
      { accession_number: 'a', file: 'p.xml', position: 0, role: 'r', line: 0, depth: 0, concept: 'us-gaap:Assets' },
    ]);
    expect(await database.rows('SELECT value FROM statements')).toEqual([['5']]);
    expect(await database.rows("SELECT value FROM facts_as_of('2026-01-01') ORDER BY value")).toEqual([
      ['5'],
      ['note'],
    ]);
  });
});

describe('facts without an end of their period', () => {
  it('are in num and txt, each context by itself', async () => {
    const undated = { period_end: null, dimensions: null };
    await database.insert('xbrl_facts', [
      fact('a', 0, { ...undated, context_id: 'c-1', value: '1' }),
      fact('a', 1, { ...undated, context_id: 'c-1', value: '1' }),
      fact('a', 2, { ...undated, context_id: 'c-2', value: '2' }),
      fact('a', 3, { ...undated, context_id: 'c-2', unit: null, concept: 'us-gaap:NoteTextBlock', value: 'note' }),
    ]);
    expect(await database.rows('SELECT tag, ddate, qtrs, value FROM num ORDER BY value')).toEqual([
      ['Assets', null, null, 1],
      ['Assets', null, null, 2],
    ]);
    expect(await database.rows('SELECT tag, ddate, qtrs, iprx, value FROM txt')).toEqual([
      ['NoteTextBlock', null, null, 0, 'note'],
    ]);
  });
});

describe('num of periods that fall together', () => {
  it('has the number of the period that is nearest to ddate and qtrs', async () => {
    const of = (position: number, period_start: string | null, period_end: string, value: string) =>
      fact('a', position, { period_start, period_end, value });
    await database.insert('xbrl_facts', [
      // An event after the balance sheet, and the balance sheet.
      of(0, null, '2025-01-10', '7'),
      of(1, null, '2024-12-31', '5'),
      of(2, '2024-11-01', '2024-12-31', '2'),
      of(3, '2024-10-01', '2024-12-31', '3'),
    ]);
    expect(await database.rows('SELECT ddate, qtrs, value FROM num ORDER BY qtrs')).toEqual([
      [20241231, 0, 5],
      [20241231, 1, 3],
    ]);
  });
});

describe('sub', () => {
  it('has the cover page, the filer and its addresses, once for each filing with facts', async () => {
    const cover = (position: number, tag: string, value: string) =>
      fact('0000000007-25-000001', position, { concept: `dei:${tag}`, unit: null, decimals: null, value });
    await database.insert('xbrl_facts', [
      cover(0, 'DocumentPeriodEndDate', '2024-12-28'),
      cover(1, 'DocumentFiscalYearFocus', '2024'),
      cover(2, 'DocumentFiscalPeriodFocus', 'FY'),
      cover(3, 'CurrentFiscalYearEndDate', '--12-28'),
      cover(4, 'EntityFilerCategory', 'Large Accelerated Filer'),
      cover(5, 'EntityWellKnownSeasonedIssuer', 'Yes'),
    ]);
    const accession_number = '0000000007-25-000001';
    await database.insert('filings', [
      {
        accession_number,
        cik: '7',
        form_type: '10-K',
        entity_name: 'ACME INC',
        filing_date: '2025-02-03',
        acceptance_datetime: '2025-02-01 16:05:09',
      },
      { accession_number: 'none', cik: '8', form_type: '4' },
    ]);
    await database.insert('parties', [
      {
        accession_number,
        position: 0,
        role: 'filer',
        cik: '7',
        name: 'ACME INC',
        sic: '3571',
        state_of_incorporation: 'DE',
      },
      { accession_number, position: 1, role: 'filer', cik: '9', name: 'ACME FINANCE' },
    ]);
    await database.insert('party_addresses', [
      { accession_number, position: 0, kind: 'business', city: 'CUPERTINO', state: 'CA' },
      { accession_number, position: 0, kind: 'mailing', city: 'RENO', state: 'NV' },
    ]);
    const columns =
      'adsh, cik, name, sic, cityba, cityma, stprinc, afs, wksi, fye, form, period, fy, fp, filed, accepted, instance';
    expect(await database.rows(`SELECT ${columns} FROM sub`)).toEqual([
      [
        accession_number,
        7,
        'ACME INC',
        3571,
        'CUPERTINO',
        'RENO',
        'DE',
        '1-LAF',
        1,
        '1228',
        '10-K',
        20241231,
        2024,
        'FY',
        20250203,
        '2025-02-01 16:05:09.0',
        'a.htm',
      ],
    ]);
  });
});

describe('sub beside a fee exhibit', () => {
  it('names the document with the cover page as its instance', async () => {
    await database.insert('xbrl_facts', [
      fact('a', 0, { file: 'exfilingfees.htm', concept: 'ffd:SubmissnTp', unit: null, value: 'S-3' }),
      fact('a', 0, { file: 'report.htm', concept: 'dei:DocumentType', unit: null, value: 'S-3' }),
      fact('b', 0, { file: 'exfilingfees.htm', concept: 'ffd:SubmissnTp', unit: null, value: 'S-3' }),
    ]);
    expect(await database.rows('SELECT adsh, instance FROM sub ORDER BY adsh')).toEqual([
      ['a', 'report.htm'],
      ['b', 'exfilingfees.htm'],
    ]);
  });
});

describe('what was known when', () => {
  beforeEach(async () => {
    const filings = [
      ['a', '2024-02-01', '2024-02-01 16:30:00'],
      ['b', '2024-05-01', '2024-05-01 08:00:00'],
      // A service that states no time: known when the day is over.
      ['c', '2024-08-01', null],
    ];
    await database.insert(
      'filings',
      filings.map(([accession_number, filing_date, acceptance_datetime]) => ({
        accession_number,
        filing_date,
        acceptance_datetime,
        form_type: '10-Q',
      })),
    );
    await database.insert('xbrl_facts', [
      fact('a', 0, { value: '16200000', decimals: '-5' }),
      fact('a', 1, { value: '16177000', decimals: '-3' }),
      fact('b', 0, { value: '16200000', decimals: '-5' }),
      fact('c', 0, { value: '15000000', decimals: '-3' }),
      fact('c', 1, { value: '1', dimensions: '{"x:Axis":"x:A"}', concept: 'us-gaap:Assets' }),
    ]);
  });
  const known = async (moment: string) =>
    database.rows(`SELECT accession_number, value FROM facts_as_of(${moment}) ORDER BY dimensions DESC, value`);

  it('is the newest statement that was accepted by then, the most exact of a filing', async () => {
    expect(await known(`'2024-02-01'`)).toEqual([]);
    expect(await known(`'2024-02-01 16:29:59'`)).toEqual([]);
    expect(await known(`'2024-02-01 16:30:00'`)).toEqual([['a', '16177000']]);
    expect(await known(`DATE '2024-05-01'`)).toEqual([['a', '16177000']]);
    // b only rounds what a said.
    expect(await known(`TIMESTAMP '2024-05-01 08:00:00'`)).toEqual([['a', '16177000']]);
    expect(await known(`'2024-08-01 23:59:59'`)).toEqual([['a', '16177000']]);
    expect(await known(`'2024-08-02'`)).toEqual([
      ['c', '15000000'],
      ['c', '1'],
    ]);
  });

  it('is one statement of a number whatever languages filings declare, and of a text in each language', async () => {
    const text = { concept: 'dei:EntityRegistrantName', unit: null, decimals: null };
    await database.insert('xbrl_facts', [
      fact('a', 10, { concept: 'us-gaap:Cash', value: '5' }),
      fact('b', 10, { concept: 'us-gaap:Cash', value: '6', language: 'en-US' }),
      fact('a', 11, { ...text, value: 'Acme' }),
      fact('a', 12, { ...text, value: 'Acmé', language: 'fr' }),
      fact('b', 11, { ...text, value: 'Acme Inc', language: 'en-US' }),
    ]);
    const rows = `SELECT value FROM facts_as_of('2024-06-01') WHERE concept <> 'us-gaap:Assets' ORDER BY 1`;
    expect(await database.rows(rows)).toEqual([['6'], ['Acme Inc'], ['Acmé']]);
  });

  it('keeps no exact number that was restated before it was rounded, or that a later filing leaves empty', async () => {
    await database.insert(
      'filings',
      ['p', 'q', 'r', 's'].map((accession_number, i) => ({
        accession_number,
        filing_date: `2025-02-0${i + 1}`,
        acceptance_datetime: `2025-02-0${i + 1} 10:00:00`,
      })),
    );
    const stated = (accession_number: string, value: string | null, decimals: string | null) =>
      fact(accession_number, 30, {
        concept: 'us-gaap:Loans',
        value,
        decimals,
        value_number: value === null ? null : Number(value),
      });
    await database.insert('xbrl_facts', [
      stated('p', '96662111', '0'),
      stated('q', '96680000', '-3'),
      stated('r', '96700000', '-5'),
      stated('s', null, null),
    ]);
    const asOf = (day: number) =>
      database.rows(
        `SELECT accession_number, value FROM facts_as_of('2025-02-0${day}') WHERE concept = 'us-gaap:Loans'`,
      );
    expect(await asOf(2)).toEqual([['p', '96662111']]);
    expect(await asOf(4)).toEqual([['q', '96680000']]);
    expect(await asOf(5)).toEqual([['s', null]]);
  });

  it('refuses a moment with a time zone: it would be taken for Eastern time', async () => {
    const zoned = ["'2024-02-01T16:30:00Z'", "'2024-02-01 16:30:00.5 UTC'", "'2024-02-01 16:30+00:00'", 'now()'];
    for (const moment of [...zoned, "'2024-02-01 16:30:00-05'"])
      await expect(known(moment), moment).rejects.toThrow(/Eastern time without a zone/);
    const eastern = `TIMESTAMPTZ '2024-02-01 21:30:00Z' AT TIME ZONE 'America/New_York'`;
    expect(await known(eastern)).toEqual([['a', '16177000']]);
    expect(await known(`'2024-02-01T16:30:00.000'`)).toEqual([['a', '16177000']]);
  });

  it('tells revisions from rounding', async () => {
    const columns = 'accession_number, value, previous_accession_number, previous_value, change';
    expect(await database.rows(`SELECT ${columns} FROM fact_revisions`)).toEqual([
      ['c', 15_000_000, 'b', 16_200_000, -1_200_000],
    ]);
  });

  it('finds a revision behind a rounded statement that fits both numbers, and each revision once', async () => {
    const days = ['k', 'l', 'm', 'n', 'o'];
    await database.insert(
      'filings',
      days.map((accession_number, i) => ({
        accession_number,
        filing_date: `2025-01-0${i + 1}`,
        acceptance_datetime: `2025-01-0${i + 1} 10:00:00`,
        form_type: '10-Q',
      })),
    );
    const stated = (accession_number: string, value: string, decimals: string) =>
      fact(accession_number, 20, { concept: 'us-gaap:Debt', value, decimals });
    await database.insert('xbrl_facts', [
      stated('k', '16177000', '-3'),
      stated('l', '16200000', '-5'),
      stated('m', '16190000', '-3'),
      stated('n', '15000000', '-5'),
      stated('o', '15000000', '-5'),
    ]);
    const asOf = (day: number) =>
      database.rows(
        `SELECT accession_number, value FROM facts_as_of('2025-01-0${day}') WHERE concept = 'us-gaap:Debt'`,
      );
    expect(await asOf(3)).toEqual([['k', '16177000']]);
    expect(await asOf(4)).toEqual([['m', '16190000']]);
    expect(await asOf(5)).toEqual([['n', '15000000']]);
    expect(await asOf(6)).toEqual([['o', '15000000']]);
    const columns = 'accession_number, previous_accession_number, previous_value, change';
    const rows = `SELECT ${columns} FROM fact_revisions WHERE concept = 'us-gaap:Debt' ORDER BY 1`;
    expect(await database.rows(rows)).toEqual([
      ['m', 'k', 16_177_000, 13_000],
      ['n', 'm', 16_190_000, -1_190_000],
    ]);
  });
});

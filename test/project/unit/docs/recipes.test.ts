/**
 * docs/recipes.md: every export is one that filinglake takes, and every query gives the answer that its heading promises.
 * docs/guide/which-table.md: every query has an answer.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseExportDefinitions } from '../../../../src/export/index.ts';
import type { Lake } from '../../../../src/lake/index.ts';
import { EXPORT_TABLES } from '../../../../src/lake/tables/index.ts';
import { VIEWS } from '../../../../src/lake/views/views.ts';
import { commandLine } from '../../../support/command-line.ts';
import { id, LONG, recipeLake } from '../../../support/docs/recipe-lake.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { codeBlocks, readMarkdown } from './markdown-files.ts';

const page = readMarkdown('docs/recipes.md');
const queries = new Map(codeBlocks(page, 'sql').map(({ heading, code }) => [heading, code]));
const definitions = new Map(codeBlocks(page, 'yaml').map(({ heading, code }) => [heading, code]));

type Stated = [concept: string, value: number, isRevised: boolean] | null;

function byYear(cik: string, fiscal_year: number, assets: Stated, income: Stated): Record<string, unknown>[] {
  return Object.entries({ assets, 'net income': income }).map(([item, stated]) => {
    const [concept, value, is_revised] = stated ?? [null, null, null];
    return { cik, fiscal_year, item, concept, value, is_revised };
  });
}

const ANSWERS: Record<string, Record<string, unknown>[]> = {
  '8-K items by month': [
    { month: '2024-01', item: '2.02', filings: 3, companies: 2 },
    { month: '2024-01', item: '9.01', filings: 1, companies: 1 },
    { month: '2024-02', item: '2.02', filings: 1, companies: 1 },
  ],
  'Risk factors as a corpus': [{ accession_number: id(5), cik: '1', text: LONG }],
  'Single risks by group': [
    { risk_group: 'Business Risks', companies: 1, risks: 2, characters: 25 },
    { risk_group: 'Cautionary Statement', companies: 1, risks: 1, characters: 24 },
  ],
  'How risk factors change': [{ cik: '24', words: 7, sentences: 2, cosine: 0.78, new_sentence_share: 0.5 }],
  'Sentences that came and went': [
    { cik: '24', accession_number: id(26), change: 'added', position: 2, sentence: 'Banks may fail.' },
    { cik: '24', accession_number: id(26), change: 'removed', position: 2, sentence: 'Widgets may break.' },
  ],
  'Words of your own lists': [
    { cik: '24', words: 7, hits: 1 },
    { cik: '24', words: 7, hits: 2 },
  ],
  'Outline of a section': [
    { section: '1A', outline: 'Item 1A. Risk Factors', characters: 90 },
    { section: '1A', outline: '  We may lose customers.', characters: 60 },
  ],
  'Numbers in the tables of notes': [
    { document_id: `${id(5)}-1`, label: 'Goodwill', column_number: 2, amount: 1_234_000 },
  ],
  'Pieces for retrieval': [{ document_id: `${id(1)}-2`, position: 1, path: 'Results', tokens: 3, text: 'Sales grew.' }],
  'Length of MD&A by company and year': [
    {
      cik: '1',
      company: 'Company 1',
      header_fiscal_year: 2023,
      characters: LONG.length,
      source: 'item',
      is_missing: false,
    },
    { cik: '1', header_fiscal_year: null, characters: null, is_missing: true },
    { cik: '2', company: 'Company 2', header_fiscal_year: 2000, characters: 40, source: 'exhibit', is_missing: false },
    { cik: '2', header_fiscal_year: null, characters: null, is_missing: true },
    ...['20', '22', '23', '24', '27', '3'].map((cik) => ({
      cik,
      header_fiscal_year: null,
      characters: null,
      is_missing: true,
    })),
  ],
  'Press releases of a sector': [
    {
      sic: '7372',
      name: 'Company 1',
      acceptance_datetime: expect.anything(),
      document_id: `${id(1)}-2`,
      characters: 15,
      text: 'release as text',
    },
  ],
  'Contracts that companies attach': [
    { form_type: '10-K', document_id: `${id(5)}-2` },
    { form_type: '8-K', document_id: `${id(1)}-3` },
  ],
  'Industry and state as of the filing': [
    { header_fiscal_year: 2000, sic: '7380', state: 'NY', companies: 1 },
    { header_fiscal_year: 2023, sic: '7372', state: 'CA', companies: 1 },
  ],
  'Who reports on which company': [
    { issuer_cik: '3', owner_cik: '90', owner: 'Party 90', filings: 2 },
    { issuer_cik: '3', owner_cik: '91', owner: 'Party 91', filings: 1 },
  ],
  'Insider trades on the market': [
    { issuer_cik: '3', symbol: 'THR', owners: 'Able Ann; Baker Ben', code: 'P', shares: 10, price: 2.5, dollars: 25 },
    { issuer_cik: '3', owners: 'Able Ann', code: 'S', shares: 4, price: null, dollars: null },
  ],
  'Trades by person and day': [
    {
      issuer_cik: '3',
      owner_cik: '90',
      person: 'Able Ann',
      bought: 10,
      sold: 4,
      dollars_received: -25,
      without_price: 1,
    },
  ],
  'Who holds a security': [
    { quarter: '2023-09-30', cusip: '037833100', managers: 1, shares: 10 },
    { quarter: '2023-09-30', cusip: '88160R101', managers: 1, shares: 4 },
    { quarter: '2023-12-31', cusip: '037833100', issuer: 'ISSUER 0', managers: 2, shares: 30, dollars: 300 },
    { quarter: '2023-12-31', cusip: '594918104', issuer: 'ISSUER 5', managers: 1, shares: 5, dollars: 50 },
  ],
  'Positions of a manager': [
    { manager: 'Company 1', quarter: '2023-12-31', cusip: '037833100', issuer: 'ISSUER 0', shares: 23, dollars: 230 },
    { manager: 'Company 2', quarter: '2023-12-31', cusip: '594918104', issuer: 'ISSUER 5', shares: 5, dollars: 50 },
  ],
  'What managers bought and sold': [
    { filer_cik: '71', quarter: '2023-12-31', cusip: '037833100', issuer: 'ISSUER 0', shares_before: 10, shares: 7 },
    { filer_cik: '71', quarter: '2023-12-31', cusip: '88160R101', shares_before: 4, shares: 0 },
  ],
  'Financial values by year': [
    ...byYear('1', 2023, ['us-gaap:Assets', 100, false], ['us-gaap:NetIncomeLoss', 8, false]),
    ...byYear('2', 2000, null, null),
    ...byYear('20', 2022, ['us-gaap:Assets', 187, false], ['us-gaap:NetIncomeLoss', 17, false]),
    ...byYear('20', 2023, ['us-gaap:Assets', 167, false], ['us-gaap:NetIncomeLoss', 35, false]),
    ...byYear('22', 2023, null, ['us-gaap:NetIncomeLoss', 7, false]),
    ...byYear('23', 2023, null, ['us-gaap:ProfitLoss', -3, false]),
    ...byYear('24', 2022, null, ['us-gaap:NetIncomeLoss', 10, true]),
    ...byYear('24', 2023, null, null),
    ...byYear('27', 2023, ['us-gaap:Assets', 70, false], null),
    ...byYear('28', 2023, ['us-gaap:Assets', 30, false], null),
  ],
  'Revenue as first reported and as revised': [
    { cik: '1', fiscal_year: 2023, filings: 0, first_reported: null, latest: null, concept: null },
    { cik: '2', fiscal_year: 2000, filings: 0, first_reported: null },
    { cik: '20', fiscal_year: 2023, filings: 1, first_reported: 851, latest: 851 },
    { cik: '22', fiscal_year: 2023, filings: 1, first_reported: 52, latest: 52 },
    { cik: '23', fiscal_year: 2023, filings: 1, first_reported: 37, latest: 37 },
    { cik: '24', fiscal_year: 2022, filings: 3, first_reported: 156, latest: 158, concept: 'us-gaap:Revenues' },
    { cik: '24', fiscal_year: 2023, filings: 1, first_reported: 172, latest: 172 },
    { cik: '27', fiscal_year: 2023, filings: 0, first_reported: null },
    { cik: '28', fiscal_year: 2023, filings: 0, first_reported: null },
  ],
  'A panel for a regression': [
    { cik: '20', fiscal_year: 2022, size: Math.log(187), return_on_assets: 17 / 187, growth: null },
    { cik: '20', fiscal_year: 2023, return_on_assets: 35 / 167, growth: expect.closeTo(0.05) },
    { cik: '24', fiscal_year: 2021, return_on_assets: 6 / 180, growth: null },
    { cik: '24', fiscal_year: 2022, return_on_assets: 0.05, growth: expect.closeTo(1 / 3) },
    { cik: '24', fiscal_year: 2023, return_on_assets: 0.05, growth: expect.closeTo(0.1) },
  ],
  Restatements: [
    { cik: '24', fiscal_year: 2022, item: 'net_income', stated: 9, restated: 10, change: expect.closeTo(100 / 9) },
    { cik: '24', fiscal_year: 2022, item: 'revenue', stated: 156, restated: 160, accession_number: id(25) },
  ],
  'Growth by sector': [
    { sector: '28', fiscal_year: 2023, companies: 1, growth: expect.closeTo(5) },
    { sector: '37', fiscal_year: 2022, companies: 1, growth: expect.closeTo(100 / 3) },
    { sector: '37', fiscal_year: 2023, companies: 1, growth: expect.closeTo(10) },
  ],
  'Point in time against latest': [
    { cik: '24', fiscal_year: 2022, item: 'net_income', known_then: 9, latest: 10 },
    { cik: '24', fiscal_year: 2022, item: 'revenue', known_then: 156, latest: 160 },
  ],
  'Pay of the chief executive': [
    {
      cik: '4',
      year: 2023,
      person: null,
      total: null,
      actually_paid: null,
      average_of_others: null,
      return_of_100: 120,
    },
    { cik: '4', year: 2023, person: 'x:AbleAnnMember', total: 900, actually_paid: 500, return_of_100: null },
  ],
  'Money raised by state and month': [
    { state: 'CA', month: '2024-01', notices: 2, dollars: 130 },
    { state: 'CA', month: '2024-02', notices: 1, dollars: 50.5 },
    { state: 'E9', month: '2024-03', notices: 1, dollars: null },
  ],
  'Filings after the market has closed': [
    { item: '2.02', filings: 3, after_close: 1, without_time: 1 },
    { item: '9.01', filings: 1, after_close: 1, without_time: 0 },
  ],
  'What changed since yesterday': [{ accession_number: id(3) }, { accession_number: id(7) }],
  'Coverage by year': [
    { year: 2001, reports: 1, per_cent: 100 },
    { year: 2023, reports: 2, per_cent: 50 },
    { year: 2024, reports: 7, per_cent: expect.closeTo(200 / 7) },
  ],
  'What is missing': [
    { form_type: '10-K405', step: 'sections', reason: 'absent', steps: 1 },
    { form_type: '8-K', step: 'document', reason: 'failed', steps: 1 },
    { form_type: '8-K', step: 'document', reason: 'record-not-found', steps: 1 },
  ],
};

describe('recipes', () => {
  const folder = temporaryFolder();
  let lake: Lake;
  beforeAll(async () => {
    lake = await recipeLake(join(folder, 'lake'));
  });
  afterAll(() => lake.close());

  it('are each tested', () => {
    expect([...queries.keys()].sort()).toEqual(Object.keys(ANSWERS).sort());
  });

  it.each([...queries])('%s: the query gives the answer', async (heading, sql) => {
    const rows = await lake.query(sql);
    expect(rows.map((row) => plain(row))).toEqual(ANSWERS[heading]!.map((answer) => expect.objectContaining(answer)));
  });

  it('of words: a list in a file counts as the words in the query do', async () => {
    const heading = 'Words of your own lists';
    // As the page says: in place of the parentheses after JOIN.
    const [, call] = /`(read_csv\([^`]*\))`/.exec(page.slice(page.indexOf(`## ${heading}`)))!;
    const query = queries.get(heading)!.replace(/(?<=JOIN )\(VALUES .*?\)\)/, call!);
    expect(query).toContain('read_csv');
    writeFileSync(join(folder, 'negative.txt'), 'fail\nlose\nlitigation\n');
    const { stdout } = await commandLine(['sql', query, '--lake', join(folder, 'lake'), '--json'], {
      cwd: folder,
    });
    const rows = JSON.parse(stdout) as object[];
    expect(rows.map((row) => ({ ...row, hits: Number((row as { hits: unknown }).hits) }))).toEqual(
      ANSWERS[heading]!.map((answer) => expect.objectContaining(answer)),
    );
  });

  it('of "Which table": each query has an answer, but those of tagged parts, of which this lake has none', async () => {
    const without: string[] = [];
    for (const { heading, code } of codeBlocks(readMarkdown('docs/guide/which-table.md'), 'sql'))
      if ((await lake.query(code)).length === 0) without.push(heading);
    expect(without).toEqual(['4. A number that is not an item', '5. Segments, products, regions']);
  });

  it.each([...definitions])('%s: the export can be run, and has the tables of the query', (heading, yaml) => {
    const [parsed] = parseExportDefinitions(yaml, 'recipe.yaml', {});
    expect(parsed!.warnings).toEqual([]);
    const isNamed = (name: string) => new RegExp(`\\b${name}\\b`).test(queries.get(heading)!);
    const ofViews = new Set(VIEWS.filter(({ name }) => isNamed(name)).flatMap(({ tables }) => tables));
    // Views read printed pages if the lake has them: no recipe needs them.
    ofViews.delete('printed_fundamentals');
    const used = EXPORT_TABLES.filter((table) => isNamed(table) || ofViews.has(table));
    expect(used.length).toBeGreaterThan(0);
    expect(parsed!.definition.tables).toEqual(expect.arrayContaining(used));
  });
});

/** Numbers of any size as numbers. */
function plain(row: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? Number(value) : value]),
  );
}

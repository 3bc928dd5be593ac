/** The view `statements`: which facts stand on a page, in which column; made-up pages, and SEC's own rendering of a filing. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FormDatabase } from '../../../support/forms/form-database.ts';
import { sharedFolder } from '../../../support/shared.ts';

const LABEL = 'http://www.xbrl.org/2003/role/';

/** A filing with roles and facts. A line is a concept, or a concept with the kind of its label, below a parent. */
class Report {
  readonly #lines: Record<string, unknown>[] = [];
  readonly #facts: Record<string, unknown>[] = [];

  role(role: string, lines: readonly [parent: string, concept: string, label?: string][], definition?: string): this {
    for (const [line, [parent, concept, label]] of lines.entries())
      this.#lines.push({
        accession_number: 'a',
        file: 'p.xml',
        position: this.#lines.length,
        role,
        line,
        parent,
        concept,
        depth: line === 0 ? 0 : 1,
        role_definition: definition ?? null,
        preferred_label: label === undefined ? null : `${LABEL}${label}`,
      });
    return this;
  }

  fact(concept: string, start: string | null, end: string, value: number, dimensions = {}): this {
    this.#facts.push({
      accession_number: 'a',
      file: 'a.htm',
      position: this.#facts.length,
      concept,
      entity_cik: '1',
      unit: 'USD',
      period_start: start,
      period_end: end,
      value: String(value),
      value_number: value,
      dimensions: JSON.stringify(dimensions),
    });
    return this;
  }

  /** Lines with a value: `concept start..end value`. */
  async shown(role: string): Promise<string[]> {
    const database = await FormDatabase.create();
    await database.insert('xbrl_presentation', this.#lines);
    await database.insert('xbrl_facts', this.#facts);
    const rows = await database.rows(
      `SELECT concept || ' ' || coalesce(CAST(period_start AS VARCHAR), '') || '..' || CAST(period_end AS VARCHAR) || ' ' || value
       FROM statements WHERE role = '${role}' AND value IS NOT NULL ORDER BY line, period_end, period_start, value`,
    );
    return rows.flat() as string[];
  }
}

const FLOW: [string, string, string?][] = [
  ['us-gaap:StatementOfCashFlowsAbstract', 'Cash', 'periodStartLabel'],
  ['us-gaap:StatementOfCashFlowsAbstract', 'NetIncome'],
  ['us-gaap:StatementOfCashFlowsAbstract', 'Depreciation'],
  ['us-gaap:StatementOfCashFlowsAbstract', 'Taxes'],
  ['us-gaap:StatementOfCashFlowsAbstract', 'Inventories'],
  ['us-gaap:StatementOfCashFlowsAbstract', 'Receivables'],
  ['us-gaap:StatementOfCashFlowsAbstract', 'Cash', 'periodEndLabel'],
];
const INCOME: [string, string, string?][] = [
  ['us-gaap:IncomeStatementAbstract', 'Sales'],
  ['us-gaap:IncomeStatementAbstract', 'NetIncome'],
];

describe('statements', () => {
  it('show opening and closing balances of their own periods, in these periods', async () => {
    const report = new Report().role('flow', FLOW);
    for (const [day, cash] of [
      ['2020-12-31', 1],
      ['2021-12-31', 2],
      ['2022-12-31', 3],
    ] as const)
      report.fact('Cash', null, day, cash);
    report.fact('NetIncome', '2021-01-01', '2021-12-31', 10).fact('NetIncome', '2022-01-01', '2022-12-31', 20);
    expect(await report.shown('flow')).toEqual([
      'Cash 2021-01-01..2021-12-31 1',
      'Cash 2022-01-01..2022-12-31 2',
      'NetIncome 2021-01-01..2021-12-31 10',
      'NetIncome 2022-01-01..2022-12-31 20',
      'Cash 2021-01-01..2021-12-31 2',
      'Cash 2022-01-01..2022-12-31 3',
    ]);
  });

  it('show the first balance of a company, and the two periods of a quarter that end on one day', async () => {
    const report = new Report().role('equity', [
      ['us-gaap:StatementOfStockholdersEquityAbstract', 'Equity', 'periodStartLabel'],
      ['us-gaap:StatementOfStockholdersEquityAbstract', 'Issued'],
      ['us-gaap:StatementOfStockholdersEquityAbstract', 'Equity', 'periodEndLabel'],
    ]);
    report
      .fact('Equity', null, '2024-03-31', 0)
      .fact('Equity', null, '2024-06-30', 5)
      .fact('Equity', null, '2024-09-30', 7);
    report.fact('Issued', '2024-04-01', '2024-09-30', 7).fact('Issued', '2024-07-01', '2024-09-30', 2);
    expect(await report.shown('equity')).toEqual([
      'Equity 2024-04-01..2024-09-30 0',
      'Equity 2024-07-01..2024-09-30 5',
      'Issued 2024-04-01..2024-09-30 7',
      'Issued 2024-07-01..2024-09-30 2',
      'Equity 2024-04-01..2024-09-30 7',
      'Equity 2024-07-01..2024-09-30 7',
    ]);
  });

  it('show balances by their day, if the page has no period', async () => {
    const report = new Report().role(
      'grants',
      [['x:Grants', 'Options', 'periodStartLabel']],
      '9 - Disclosure - Grants (Details)',
    );
    report.fact('Options', null, '2023-12-31', 4);
    expect(await report.shown('grants')).toEqual(['Options ..2023-12-31 4']);
  });

  it('leave out columns of values that belong to other statements, and no column of their own', async () => {
    const report = new Report().role('flow', FLOW).role('income', INCOME);
    report.role('position', [
      ...['Assets', 'Cash', 'Debt', 'Land', 'Tools'].map((concept): [string, string] => [
        'us-gaap:StatementOfFinancialPositionAbstract',
        concept,
      ]),
    ]);
    for (const concept of ['Assets', 'Cash', 'Debt', 'Land', 'Tools']) report.fact(concept, null, '2024-06-30', 9);
    report.fact('Cash', null, '2023-12-31', 1).fact('Cash', null, '2024-03-31', 5).fact('Tools', null, '2022-12-31', 2);
    for (const { concept, value } of ['Depreciation', 'Taxes', 'Inventories', 'Receivables', 'NetIncome'].map(
      (concept, value) => ({ concept, value }),
    ))
      report.fact(concept, '2024-01-01', '2024-06-30', value);
    report
      .fact('NetIncome', '2024-04-01', '2024-06-30', 3)
      .fact('Sales', '2024-01-01', '2024-06-30', 40)
      .fact('Sales', '2024-04-01', '2024-06-30', 20);
    const flow = await report.shown('flow');
    expect(flow).toContain('Cash 2024-01-01..2024-06-30 1');
    expect(flow).toContain('NetIncome 2024-01-01..2024-06-30 4');
    expect(flow.filter((line) => line.includes('2024-04-01'))).toEqual([]);
    expect(await report.shown('income')).toEqual([
      'Sales 2024-01-01..2024-06-30 40',
      'Sales 2024-04-01..2024-06-30 20',
      'NetIncome 2024-01-01..2024-06-30 4',
      'NetIncome 2024-04-01..2024-06-30 3',
    ]);
    const position = await report.shown('position');
    expect(position.filter((line) => line.startsWith('Cash'))).toEqual(['Cash ..2024-06-30 9']);
    expect(position).toContain('Tools ..2022-12-31 2');
  });

  it('show members of the page only, and values of typed axes, which no page lists', async () => {
    const report = new Report().role('income', [
      ['us-gaap:IncomeStatementAbstract', 'x:ProductAxis'],
      ['x:ProductAxis', 'x:ProductDomain'],
      ['x:ProductDomain', 'x:ServiceMember'],
      ['x:Lines', 'x:StartAxis'],
      ['x:Lines', 'Sales'],
    ]);
    const at = (value: number, dimensions = {}) => report.fact('Sales', '2024-01-01', '2024-12-31', value, dimensions);
    at(1);
    at(2, { 'x:ProductAxis': 'x:ServiceMember' });
    at(3, { 'x:ProductAxis': 'x:PhoneMember' });
    at(4, { 'x:StartAxis': '2025-01-01' });
    at(5, { 'x:RegionAxis': 'x:ServiceMember' });
    expect((await report.shown('income')).map((line) => line.at(-1))).toEqual(['1', '2', '4']);
  });

  it('pre: a role without a definition is a statement by its root, or nothing', async () => {
    const database = await FormDatabase.create();
    const roots: [string, string, string | null][] = [
      ['http://x/role/BalanceSheet', 'us-gaap:StatementOfFinancialPositionAbstract', null],
      ['http://x/role/IncomeParenthetical', 'us-gaap:IncomeStatementAbstract', null],
      ['http://x/role/IncomeDetails', 'us-gaap:IncomeStatementAbstract', null],
      ['http://xbrl.sec.gov/ecd/role/PvpDisclosure', 'ecd:PvpTable', null],
      ['http://x/role/Cover', 'dei:CoverAbstract', null],
      ['http://x/role/Odd', 'x:OddAbstract', '7 - Statement - ODDITIES'],
    ];
    await database.insert(
      'xbrl_presentation',
      roots.map(([role, parent, role_definition], position) => ({
        accession_number: 'a',
        file: 'p.xml',
        position,
        role,
        parent,
        role_definition,
        line: 0,
        depth: 0,
        concept: 'x:Line',
      })),
    );
    expect(await database.rows('SELECT stmt, inpth FROM pre ORDER BY report')).toHaveLength(roots.length);
    expect(
      Object.fromEntries(
        (await database.rows('SELECT roleuri, stmt || inpth FROM ren JOIN pre USING (adsh, report)')) as [
          string,
          string | null,
        ][],
      ),
    ).toEqual({
      'http://x/role/BalanceSheet': 'BS0',
      'http://x/role/IncomeParenthetical': 'IS1',
      'http://x/role/IncomeDetails': null,
      'http://xbrl.sec.gov/ecd/role/PvpDisclosure': null,
      'http://x/role/Cover': 'CP0',
      'http://x/role/Odd': 'UN0',
    });
  });
});

const folder = sharedFolder === null ? null : join(sharedFolder, 'xbrl');
const FILING = 'aapl-20250329';
const given = folder !== null && existsSync(join(folder, 'rpages', FILING));
const unpacked = (path: string) =>
  execFileSync('xz', ['-dc', join(folder!, `${path}.xz`)], { maxBuffer: 1 << 28 }).toString();

/** Numbers of a page of SEC's renderer: the concept, the column's title, and the number as shown, without the page's scale. */
function cellsOf(page: string): { concept: string; column: string; digits: number }[] {
  const table = page.slice(page.indexOf('<table'), page.indexOf('</table>'));
  const plain = (html: string) =>
    html
      .replace(/<[^>]*>/g, ' ')
      .replaceAll('&#160;', ' ')
      .replace(/\s+/g, ' ')
      .trim();
  const cells: { concept: string; column: string; digits: number }[] = [];
  let titles: string[] = [];
  let concept = '';
  for (const [row] of table.matchAll(/<tr[^>]*>[\s\S]*?<\/tr>/g)) {
    const heads = [...row.matchAll(/<th class="th"[^>]*>([\s\S]*?)<\/th>/g)].map(([, html]) => plain(html!));
    if (heads.length > 0) titles = heads;
    concept = /defref_([\w-]+)'/.exec(row)?.[1]?.replace('_', ':') ?? concept;
    const values = [...row.matchAll(/<td class="(nump?|text)"[^>]*>([\s\S]*?)<\/td>/g)];
    for (const [column, [, kind, html]] of values.entries()) {
      const text = plain(html!)
        .replace(/\[\d+\]/g, '')
        .replace(/[$,\s]/g, '');
      if (kind === 'text' || text === '') continue;
      const digits = Number(text.replace(/[()]/g, '')) * (text.startsWith('(') ? -1 : 1);
      cells.push({ concept, column: titles[column] ?? '', digits });
    }
  }
  return cells;
}

it.skipIf(!given)('statements have the cells of SEC’s own pages, and no others', async () => {
  const names = [
    `filings/${FILING}/${FILING}.xsd`,
    `filings/${FILING}/${FILING}_lab.xml`,
    `filings/${FILING}/${FILING}_pre.xml`,
  ];
  const database = await FormDatabase.create();
  await database.map({
    accessionNumber: FILING,
    filingDate: null,
    formType: '10-Q',
    documents: [`inline/${FILING}.htm`, ...names].map((path) => ({
      name: path.slice(path.lastIndexOf('/') + 1),
      type: null,
      text: () => unpacked(path),
    })),
  });
  const summary = unpacked(`filings/${FILING}/FilingSummary.xml`);
  let cells = 0;
  const extra: unknown[] = [];
  const missing: unknown[] = [];
  for (const page of ['R2.htm', 'R3.htm', 'R4.htm', 'R5.htm', 'R6.htm', 'R7.htm']) {
    const role = new RegExp(`<HtmlFileName>${page}</HtmlFileName>[\\s\\S]*?<Role>([^<]*)</Role>`).exec(summary)![1]!;
    const rows = (await database.rows(
      `SELECT concept, strftime(period_end, '%b. %d, %Y'), shown FROM statements WHERE role = '${role}' AND shown IS NOT NULL`,
    )) as [string, string, number][];
    const left = rows.map(([concept, column, shown]) => ({
      concept,
      column: page === 'R6.htm' ? null : column,
      shown,
    }));
    for (const { concept, column, digits } of cellsOf(unpacked(`rpages/${FILING}/${page}`))) {
      cells++;
      const place = left.findIndex(
        (row) =>
          row.concept === concept &&
          (row.column ?? column) === column &&
          [1, 1e3, 1e6].some((scale) => Math.abs(row.shown - digits * scale) < scale * 1e-6),
      );
      if (place < 0) missing.push({ page, concept, column, digits });
      else left.splice(place, 1);
    }
    extra.push(...left.map((row) => ({ page, ...row })));
  }
  expect({ missing, extra }).toEqual({ missing: [], extra: [] });
  expect(cells).toBe(311);
});

/** Statements on the page of a company: each number with its place in the filing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StatementValue, statementsPart } from '../../../../src/service/pages/statements.ts';
import {
  ANNUAL_REPORTS,
  QUARTERLY_REPORTS,
  QUARTERS,
  REPORTING_COMPANY,
  REPORTS,
} from '../../../support/service/annual-reports.ts';
import { TestService } from '../../../support/service/running-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await TestService.start({ others: [...ANNUAL_REPORTS, ...QUARTERLY_REPORTS] });
});
afterAll(() => service.stop());

const page = async (path: string) => (await service.ask(path)).bytes.toString();
const company = `/companies/${REPORTING_COMPANY}`;
const cells = (text: string, line: string) =>
  [...new RegExp(`<th scope="row">${line}</th>(.*?)</tr>`).exec(text)![1]!.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(
    ([, cell]) => cell!,
  );
const words = (cell: string) => cell.replace(/<[^>]*>/g, '');

describe('the page of a company', () => {
  it('shows its statements by year, the newest report first', async () => {
    const text = await page(company);
    expect([...text.matchAll(/<th scope="col" class="number">(\d+)/g)].slice(0, 3).map(([, year]) => year)).toEqual([
      '2024',
      '2023',
      '2022',
    ]);
    expect(cells(text, 'Revenue').map(words)).toEqual(['1,200', '91', '80', '+1,219%']);
    expect(cells(text, 'Net income').map(words)).toEqual(['−8', '−8', '−8', '0.0%']);
    expect(cells(text, 'Earnings per share, basic').map(words)).toEqual(['−0.80', '−0.80', '−0.80', '0.0%']);
    // No report states a balance of 2022.
    expect(cells(text, 'Total assets').map(words)).toEqual(['5,000', '5,000', '0.0%']);
    expect(text).toMatch(
      /<svg viewBox="0 0 560 220" role="img" aria-label="In millions, 2022: revenue 80, net income -8;/,
    );
  });

  it('links each number to its element in the document', async () => {
    const text = await page(company);
    const links = [...text.matchAll(/<a class="figure"( title="[^"]*")? href="([^"?]+)\?at=([^"]+)">([^<]+)</g)];
    expect(links.length).toBeGreaterThan(15);
    for (const [, derived, path, id, number] of links) {
      const document = await page(`${path}?frame=1`);
      expect(document).toContain('<style>:target {');
      expect(await page(`${path}?at=${id}`)).toContain(`src="${path}?frame=1#${id}"`);
      const [, shown] = new RegExp(`<ix:nonFraction id="${id}"[^>]*>([^<]*)<`).exec(document)!;
      const millions = number!.replace(/[,−]/g, '');
      if (derived === undefined) expect(Number(shown)).toBe(Number(millions));
    }
    expect(cells(text, 'Revenue')[1]).toContain(`/filings/${REPORTS[1]}/documents/1?at=`);
    expect(cells(text, 'Revenue')[2]).toContain(`/filings/${REPORTS[0]}/documents/1?at=`);
  });

  it('reads reports once, and only for its first view', async () => {
    const before = await page(company);
    expect(await page(company)).toBe(before);
    for (const view of ['?form=10-K', '?from=20']) expect(await page(company + view)).not.toContain('id="statements"');
    expect(await page('/companies/100001')).not.toContain('id="statements"');
  });
});

describe('the page of a quarterly report', () => {
  it('shows the quarter beside that of the year before, cash flows since the year began, and the last balance sheet', async () => {
    const text = await page(`/filings/${QUARTERS[1]}`);
    expect(text).toContain('Statements of Q2 2024');
    expect(text).not.toContain('<svg');
    for (const heads of [
      ['Q2 2024', 'Q2 2023'],
      ['2024-06-30', '2023-12-31'],
      ['Six months 2024', 'Six months 2023'],
    ])
      expect(text).toContain(heads.map((head) => `<th scope="col" class="number">${head}</th>`).join(''));
    expect(cells(text, 'Revenue').map(words)).toEqual(['100', '80', '+25%']);
    expect(cells(text, 'Stockholders’ equity').map(words)).toEqual(['3,000', '2,500', '+20%']);
    expect(cells(text, 'Cash from operations').map(words)).toEqual(['44', '40', '+10%']);
    expect(cells(text, 'Revenue')[0]).toContain(`href="/filings/${QUARTERS[1]}/documents/1`);
  });

  it('links the sections that changed since the report before, and nothing of the first one', async () => {
    const path = `/filings/${QUARTERS[1]}`;
    const text = await page(path);
    const [, changes] = /<h2>Changes<\/h2>([\s\S]*?)<\/section>/.exec(text)!;
    expect(changes).toContain(`Since the 10-Q <a href="/filings/${QUARTERS[0]}">for 2023-06-30</a>`);
    expect(changes).toContain('2 sections changed, 1 did not.');
    const rows = [...changes!.matchAll(/<tr><td>(.*?)<\/tr>/g)].map(([, row]) => row!);
    expect(rows.map((row) => row.replace(/<[^>]+>/g, ' ').trim())).toEqual([
      expect.stringMatching(/^II-1A Risk Factors +1 of \d +0 +before$/),
      expect.stringMatching(/^II-6 Exhibits +1 of \d +1 +before$/),
    ]);
    for (const [, link] of rows[0]!.matchAll(/href="([^"]+)"/g))
      expect(await page(`${link}?frame=1`)).toContain('Boats may sink.');
    expect(await page(`/filings/${QUARTERS[0]}`)).not.toContain('Changes</h2>');
    expect(await page(`${path}?section=II-1A`)).not.toContain('Changes</h2>');
  });
});

describe('statements by year', () => {
  const value = (over: Partial<StatementValue>): StatementValue => ({
    accession_number: 'a',
    item: 'revenue',
    statement: 'income',
    unit: 'EUR',
    fiscal_year: 2024,
    fiscal_period: 'FY',
    period_end: '2024-12-31',
    value: 4_560_000,
    method: 'reported',
    sequence: null,
    anchor: null,
    ...over,
  });

  it('have no part without a value, and no picture of one year', () => {
    expect(statementsPart([])).toBeNull();
    const { text } = statementsPart([value({})])!;
    expect(text).not.toContain('<svg');
    expect(text).toContain('EUR, millions');
    expect(text).toContain('<td class="number">4.6</td>');
  });

  it('have no column in which a statement has nothing', () => {
    const cover = value({ item: 'shares_outstanding', statement: 'cover', unit: 'shares' });
    const { text } = statementsPart([value({}), value({ fiscal_year: 2023 }), cover])!;
    const [income, ofCover] = text
      .split('<h3>')
      .slice(1)
      .map((part) => [...part.matchAll(/number">(20\d\d)</g)].map(([, year]) => year));
    expect([income, ofCover]).toEqual([['2024', '2023'], ['2024']]);
  });

  it('have shares and values per share on one basis over a split', () => {
    const eps = { item: 'eps_diluted', unit: 'USD/shares' };
    const shares = { item: 'shares_diluted', unit: 'shares' };
    const of = (accession_number: string, fiscal_year: number, per: number, count: number) =>
      [
        { ...eps, value: per },
        { ...shares, value: count },
      ].map((more) => value({ accession_number, fiscal_year, period_end: `${fiscal_year}-12-31`, ...more }));
    const before = of('a', 2018, 11.9, 4_648e6);
    const { text } = statementsPart([
      ...of('b', 2020, 3.3, 18_000e6),
      ...of('b', 2019, 2.98, 18_596e6),
      ...of('a', 2019, 11.91, 4_649e6),
      ...before,
    ])!;
    expect(cells(text, 'Earnings per share, diluted').map(words)).toEqual(['3.30', '2.98', '2.98', '+11%']);
    expect(cells(text, 'Shares, diluted').map(words)).toEqual(['18,000', '18,596', '18,592', '−3.2%']);
    expect(text.match(/as filed before a split: adjusted/g)).toHaveLength(2);
  });

  it('have a picture with an axis, its unit, and years at their distances', () => {
    const { text } = statementsPart(
      [2024, 2023, 2020].map((year) => value({ fiscal_year: year, value: (year - 2000) * 1e8 })),
    )!;
    expect(text).toContain('EUR, billions: <span class="bar0">■</span> Revenue');
    const ticks = [...text.matchAll(/text-anchor="end">([^<]+)</g)].map(([, tick]) => tick);
    expect(ticks).toEqual(['0', '1', '2', '3']);
    const years = [...text.matchAll(/<text x="([\d.]+)"[^>]+middle">(\d+)/g)];
    expect(years.map(([, , year]) => year)).toEqual(['2020', '2021', '2022', '2023', '2024']);
    const bars = [...text.matchAll(/class="bar0" x="([\d.]+)"/g)].map(([, x]) => Number(x));
    expect((bars[1]! - bars[0]!) / (bars[2]! - bars[1]!)).toBeCloseTo(3, 1);
  });

  it('state a change only from the year before', () => {
    const change = (year: number, before: number) =>
      cells(statementsPart([value({}), value({ fiscal_year: year, value: before })])!.text, 'Revenue').map(words)[2];
    expect([change(2023, 5_000_000), change(2023, -1_000_000), change(2022, 5_000_000), change(2023, 0)]).toEqual([
      '−8.8%',
      '+556%',
      undefined,
      '',
    ]);
  });

  it('escape what a filer wrote', () => {
    const { text } = statementsPart([value({ sequence: 1, anchor: '"><script>' })])!;
    expect(text).not.toContain('<script');
  });
});

/** The report of a lake: its figures against SQL, its page in a real browser. */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Lake, openLake } from '../../../src/lake/index.ts';
import { type LakeReport, lakeReport, reportPage } from '../../../src/lake/report/index.ts';
import { findBrowsers } from '../../../src/service/pdf/find-browser.ts';
import { bring } from '../../support/lake/small-lake.ts';
import { temporaryFolder } from '../../support/lake/temporary-folder.ts';
import { HOSTILE, makeReportLake } from './report-lake.ts';

let lake: Lake;
let hostile: Lake;
let report: LakeReport;

beforeAll(async () => {
  lake = await makeReportLake(path.join(temporaryFolder(), 'lake of months'), { filings: 5000, months: 30 });
  hostile = await makeReportLake(path.join(temporaryFolder(), 'hostile<b>'), {
    filings: 700,
    months: 500,
    text: HOSTILE,
  });
  report = await lakeReport(lake);
});
afterAll(async () => {
  await lake.close();
  await hostile.close();
});

async function number(sql: string): Promise<number> {
  const [row] = await lake.query(sql);
  return Number(Object.values(row!)[0]);
}

describe('the figures of a report', () => {
  it('are those of SQL: sums, forms, months', async () => {
    const { coverage } = report;
    expect(report).toMatchObject({ name: 'lake of months', filings: 5000, version: await lake.currentVersion() });
    expect(report.rows).toBe(report.tables.reduce((sum, { rows }) => sum + rows, 0));
    expect(coverage.unit).toBe('month');
    expect(coverage.columns).toHaveLength(30);
    expect(coverage.forms).toHaveLength(21);
    expect(coverage.forms.at(-1)).toMatchObject({ form: 'other', other: true });
    for (const { form, other, cells, sum } of coverage.forms) {
      if (other) continue;
      expect(sum.filings).toBe(await number(`SELECT count(*) FROM filings WHERE form_type = '${form}'`));
      expect(cells.reduce((n, cell) => n + (cell?.filings ?? 0), 0)).toBe(sum.filings);
    }
    const at = coverage.columns.indexOf('2025-03');
    const of10K = coverage.forms.find(({ form }) => form === '10-K')!;
    expect(of10K.cells[at]?.filings ?? 0).toBe(
      await number(
        `SELECT count(*) FROM filings WHERE form_type = '10-K' AND strftime(filing_date, '%Y-%m') = '2025-03'`,
      ),
    );
  });

  it('count as whole if every step that the exports planned is done, and none failed', async () => {
    const steps = `SELECT accession_number, form_type,
        max((step = 'info')::INT) + max((step = 'sections')::INT) + max((step LIKE 'document:%')::INT) AS had, max((status = 'failed')::INT) AS failed
      FROM filings JOIN coverage USING (accession_number) GROUP BY ALL`;
    const whole = `failed = 0 AND had = CASE WHEN form_type[:4] IN ('10-K', '10-Q') THEN 3 ELSE 2 END`;
    expect(report.coverage.sum).toEqual({
      filings: 5000,
      whole: await number(`SELECT count(*) FROM (${steps}) WHERE ${whole}`),
      failed: await number(`SELECT count(*) FROM (${steps}) WHERE failed = 1`),
    });
    expect(report.coverage.sum.whole).toBeGreaterThan(4000);
    expect(report.coverage.sum.whole).toBeLessThan(4950);
  });

  it('report unproven windows, failures, and the cost of runs', async () => {
    expect(report.windows.unproven).toMatchObject([{ window: 'w-2', expected: 12_000, found: 9990 }]);
    const marked = report.coverage.columns.filter((_, i) => report.coverage.unproven[i]);
    expect(marked).toEqual(['2024-05', '2024-06']);
    expect(report.failures_in_all).toBe(100);
    expect(report.failures.map(({ code, operation, failures }) => [code, operation, failures])).toEqual([
      ['contract-broken', 'document', 50],
      ['service-failed', 'document', 50],
    ]);
    expect(report.failures[0]!.examples).toHaveLength(3);
    expect(report.failures[0]!.last_at).toBe('2026-11-03T04:05:06.000Z');
    expect(report.runs).toHaveLength(12);
  });

  it('say how many filings are without what their exports want, and why', () => {
    const group = { filings: 'annual report', rows: 'statements', with: 6 };
    const without = [{ ...group, without: [{ reason: 'no_such_document', count: 107 }] }];
    expect(reportPage({ ...report, without })).toContain(
      '<p>113 annual reports: 6 with statements, 107 without (no XBRL in their documents).</p>',
    );
  });

  it('are of statements by fiscal year: with, without, and skipped between two others', async () => {
    const small = await openLake(temporaryFolder(), { create: true });
    const reports = [
      ['1', '10-K', '2021-01-02', 'done'], // fiscal 2020
      ['1', '10-K', '2021-12-31', 'absent'],
      ['1', '10-K/A', '2021-12-31', 'done'],
      ['1', '10-K', '2024-12-28', 'done'], // none of 2022 and 2023
      ['2', '20-F', '2021-12-31', 'absent'],
      ['2', '40-F', '2022-12-31', null], // no export wants its statements
      ['2', '10-Q', '2023-03-31', 'done'],
      ['2', '10-Q/A', '2023-03-31', 'absent'],
      ['2', '10-Q', '2023-09-30', 'absent'],
    ] as const;
    const filings = reports.map(([cik, form_type, report_date], n) => ({
      accession_number: `0000000001-24-${String(n).padStart(6, '0')}`,
      ...{ cik, form_type, report_date, filing_date: '2025-01-01' },
    }));
    const coverage = filings.flatMap(({ accession_number }, n) => {
      const status = reports[n]![3];
      const reason = status === 'absent' ? 'has_none' : null;
      return status === null ? [] : { accession_number, step: 'forms', selector: 'fundamentals', status, reason };
    });
    await bring(small, { run: 'made', batch: '1' }, { filings, coverage });
    const made = await lakeReport(small);
    expect(made.fiscal_years).toEqual([
      { fiscal_year: 2024, companies: 1, with_statements: 1, skipped: 0, quarters: 0, quarters_with_statements: 0 },
      { fiscal_year: 2023, companies: 0, with_statements: 0, skipped: 1, quarters: 2, quarters_with_statements: 1 },
      { fiscal_year: 2022, companies: 1, with_statements: 0, skipped: 1, quarters: 0, quarters_with_statements: 0 },
      { fiscal_year: 2021, companies: 2, with_statements: 1, skipped: 0, quarters: 0, quarters_with_statements: 0 },
      { fiscal_year: 2020, companies: 1, with_statements: 1, skipped: 0, quarters: 0, quarters_with_statements: 0 },
    ]);
    expect(reportPage(made).replace(/<[^>]+>/g, '')).toMatch(/2023000121\s+2022/);
    expect([report.fiscal_years, reportPage(report).includes('Statements by fiscal year')]).toEqual([[], false]);
    await small.close();
  });

  it('are by year beyond three years, and none for an empty lake', async () => {
    const { coverage } = await lakeReport(hostile);
    expect([coverage.unit, coverage.columns[0], coverage.columns.length]).toEqual(['year', '2024', 42]);
    const empty = await openLake(temporaryFolder(), { create: true });
    const none = await lakeReport(empty);
    expect(none).toMatchObject({
      version: -1,
      filings: 0,
      coverage: { columns: [], forms: [] },
      runs: [],
      years: [],
      companies: [],
    });
    expect(reportPage(none)).toContain('There are no filings in this lake.');
    await empty.close();
  });
});

describe('the page of a report', () => {
  it('has every text of the lake as text', async () => {
    const page = reportPage(await lakeReport(hostile));
    for (const tag of ['<script', '<img', '<b>', 'onerror=alert(2)>&amp;']) expect(page).not.toContain(tag);
    expect(page).toContain('&lt;script&gt;alert(&quot;1&quot;)');
    expect(page).toContain('hostile&lt;b&gt;');
  });

  it('has what the lake has of each year, a line for each kind of failure, and empty tables folded', async () => {
    expect(report.years.reduce((sum, { filings }) => sum + filings, 0)).toBe(report.filings);
    const withSections = report.years.reduce((sum, { with_sections }) => sum + with_sections, 0);
    const reports = "regexp_matches(form_type, '^(10-?[KQ]|[24]0-F)')";
    expect(withSections).toBe(
      await number(
        `SELECT count(DISTINCT accession_number) FROM sections JOIN filings USING (accession_number) WHERE ${reports}`,
      ),
    );
    const page = reportPage(report);
    expect(page).toMatch(/<tr><td>\d{4}<\/td><td class="n">[\d,]+<\/td>/);
    expect(page.match(/<details><summary>\d+ tables without rows<\/summary>/g)).toHaveLength(1);
    const [kind] = report.failures;
    const [line] = page.split('\n').filter((one) => one.includes(`<code>${kind!.code}</code>`));
    expect(line).toContain(`<code>${kind!.examples[0]!.subject}</code>`);
  });

  it('has each company with its newest name and what it lacks', async () => {
    const { companies, companies_in_all } = report;
    expect([companies.length, companies_in_all]).toEqual([
      100,
      await number('SELECT count(DISTINCT cik) FROM filings'),
    ]);
    const [first] = companies;
    for (const [figure, sql] of [
      ['filings', 'count(*)'],
      ['reports', "count(*) FILTER (regexp_matches(form_type, '^(10-?[KQ]|[24]0-F)'))"],
    ] as const)
      expect(first![figure]).toBe(await number(`SELECT ${sql} FROM filings WHERE cik = '${first!.cik}'`));
    const renamed = await openLake(temporaryFolder(), { create: true });
    const filing = { cik: '7', form_type: '10-K', accession_number: '0000000007-24-000001' };
    const filings = [
      { ...filing, filing_date: '2024-01-02', entity_name: 'Older & Co' },
      { ...filing, filing_date: '2025-01-02', entity_name: 'Newer & Co', accession_number: '0000000007-25-000001' },
      { ...filing, filing_date: '2025-01-02', cik: null, accession_number: '0000000008-25-000001' },
    ];
    await bring(renamed, { run: 'made', batch: '1' }, { filings });
    const page = reportPage(await lakeReport(renamed));
    expect(page).toContain('<summary>1 company</summary>');
    expect(page).toContain(
      '<td>Newer &amp; Co</td><td>7</td><td class="n">2</td><td class="w">2024-01-02</td><td class="w">2025-01-02</td><td class="n">2</td><td class="n">0</td><td class="n">2</td>',
    );
    await renamed.close();
  });

  it('describes failures with the words of a plan', () => {
    const [kind] = report.failures;
    const failures = [
      { ...kind!, code: 'service-failed', operation: 'filing_sections' },
      { ...kind!, code: 'value-unstorable', operation: 'filing_info' },
      { ...kind!, code: 'of-a-later-day', operation: 'pdf' },
    ];
    const page = reportPage({ ...report, failures });
    expect(page).toContain('<td>the service had a fault <code>service-failed</code></td><td>sections</td>');
    expect(page).toContain('<code>of-a-later-day</code></td><td>pdf</td>');
    expect(page).not.toContain('filing_sections');
    expect(page).toContain('tries again, except values that can’t be stored.');
    expect(reportPage(report)).toContain('<td>the answer did not match the published format <code>contract-broken');
    expect(reportPage(report)).toContain('tries again.');
  });

  it('reports files that no recent version needs, and that nothing is deleted automatically', async () => {
    expect(report.superseded).toEqual({ files: 0, bytes: 0 });
    expect(reportPage(report)).not.toContain('lake vacuum');
    const orphan = path.join(hostile.root, 'filings', 'part-00000000-0000-4000-8000-000000000000.zstd.parquet');
    writeFileSync(orphan, Buffer.alloc(5000));
    utimesSync(orphan, new Date('2024-01-01'), new Date('2024-01-01'));
    const later = await lakeReport(hostile);
    expect(later.superseded).toEqual({ files: 1, bytes: 5000 });
    expect(reportPage(later)).toContain('No version of the last 7 days needs 1 file of the lake: 5.0 kB. ');
  });

  it('has the newest month first', () => {
    const { columns } = report.coverage;
    const page = reportPage(report);
    const places = columns.map((column) => page.indexOf(`all forms, ${column}`)).filter((place) => place !== -1);
    expect(places.length).toBeGreaterThan(1);
    expect(places).toEqual([...places].sort((a, b) => b - a));
  });

  it('has the name of the lake as its title, with the word lake once', () => {
    expect(reportPage({ ...report, name: 'reports' })).toContain('<h1>Lake reports</h1>');
    for (const name of ['lake', 'my-lake']) expect(reportPage({ ...report, name })).toContain(`<h1>${name}</h1>`);
  });

  it('names no address except those in the lake, and stays small', () => {
    const page = reportPage(report);
    expect(new Set(page.match(/https?:\/\/[^\s",<]+/g))).toEqual(new Set(['https://filings.example']));
    expect(page).not.toMatch(/<(script|link|img|iframe|object)\b|url\(|@import/);
    expect(Buffer.byteLength(page)).toBeLessThan(100_000);
  });
});

let browser: Browser | null = null;
for await (const { executable, environment } of findBrowsers(process.env)) {
  const args = ['--no-sandbox', '--disable-gpu'];
  browser = await chromium
    .launch({ executablePath: executable, args, env: { ...process.env, ...environment } as Record<string, string> })
    .catch(() => null);
  if (browser) break;
}
if (!browser) process.stderr.write('tests of the report in a browser are skipped: no Chromium starts here\n');
afterAll(() => browser?.close());

describe.skipIf(!browser)('the page of a report in a browser', () => {
  async function shown(of: Lake, colorScheme: 'light' | 'dark', width: number) {
    const folder = temporaryFolder();
    mkdirSync(folder, { recursive: true });
    const file = path.join(folder, 'report.html');
    writeFileSync(file, reportPage(await lakeReport(of)));
    const page = await browser!.newPage({ viewport: { width, height: 800 }, colorScheme });
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', (error) => said.push(String(error)));
    page.on('dialog', (dialog) => said.push(dialog.message()));
    page.on('request', (request) => request.url().startsWith('file:') || said.push(request.url()));
    await page.goto(`file://${file}`);
    return { page, said };
  }

  it.each([360, 768, 1400])(
    'fits a window of %i pixels, and has nothing to complain of',
    { timeout: 120_000 },
    async (width) => {
      for (const shownLake of [lake, hostile]) {
        const { page, said } = await shown(shownLake, 'light', width);
        // As a function's text: the tests' own types know no page.
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        expect(said).toEqual([]);
        await page.close();
      }
    },
  );

  it.each(['light', 'dark'] as const)(
    'can be read when it is %s: text stands out from its background',
    { timeout: 120_000 },
    async (scheme) => {
      const { page } = await shown(lake, scheme, 1400);
      const lowest = await page.evaluate(`(() => {
      const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
      const rgb = (color) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data]; };
      const light = (color) => { const [r, g, b] = rgb(color).map((c) => { const s = c / 255; return s <= 0.03928 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
      const behind = (element) => { for (let e = element; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (rgb(c)[3] > 0) return c; } return 'white'; };
      let lowest = 99;
      for (const element of document.querySelectorAll('td, th, p, dd, dt, h1, h2, code, figcaption, summary')) {
        if (element.textContent.trim() === '') continue;
        const [a, b] = [light(getComputedStyle(element).color), light(behind(element))].sort((x, y) => y - x);
        lowest = Math.min(lowest, (a + 0.05) / (b + 0.05));
      }
      return lowest;
    })()`);
      expect(lowest).toBeGreaterThan(4.5);
      await page.close();
    },
  );

  it('fades at the right edge of what can be scrolled, and nowhere else', async () => {
    const { page } = await shown(lake, 'light', 400);
    const [more, fade, atEnd] = (await page.evaluate(`(() => {
      const scroller = document.querySelector('.scroll');
      const { position, right, backgroundImage, width } = getComputedStyle(scroller, '::after');
      const table = scroller.firstElementChild;
      scroller.scrollLeft = 1e6;
      const gap = scroller.getBoundingClientRect().right - table.getBoundingClientRect().right;
      return [scroller.scrollWidth > scroller.clientWidth, [position, right, backgroundImage.startsWith('linear-gradient')].join(), gap - parseFloat(width)];
    })()`)) as [boolean, string, number];
    expect(more).toBe(true);
    expect(fade).toBe('sticky,0px,true');
    // At the end it is behind the last column.
    expect(Math.abs(atEnd)).toBeLessThan(1);
    await page.close();
  });

  it('describes each cell’s colour in words', async () => {
    const { page } = await shown(lake, 'light', 1400);
    const titles = (await page.evaluate(
      `[...document.querySelectorAll('.heat tbody td[title]')].map((cell) => cell.title + ' | ' + cell.textContent)`,
    )) as string[];
    const { coverage } = report;
    const cells = coverage.forms.flatMap(({ cells: row }) => row.filter((cell) => cell !== null));
    expect(titles).toHaveLength(cells.length + coverage.forms.length);
    const all = coverage.forms.find(({ form }) => form === '10-K')!.sum;
    expect(titles.find((title) => title.startsWith('10-K, in all'))).toMatch(
      new RegExp(
        `^10-K, in all: ${all.filings.toLocaleString('en-US')} filings, ${all.whole.toLocaleString('en-US')} whole`,
      ),
    );
    await page.close();
  });
});

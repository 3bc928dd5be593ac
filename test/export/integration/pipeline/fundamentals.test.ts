/** Fundamentals in a lake: what an export asks for, quarters within one moment of knowledge, restatements, and the same rows by remap. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { remapLake } from '../../../../src/export/pipeline/index.ts';
import { type Lake, openLake } from '../../../../src/lake/index.ts';
import { temporaryFolder } from '../../../support/lake/temporary-folder.ts';
import { closeSound } from '../../../support/pipeline/activity-harness.ts';
import { type FormService, fetchForms, formFiling, openForms } from '../../../support/pipeline/form-service.ts';
import { LakeOfRuns } from '../../../support/pipeline/lake-of-runs.ts';
import { inlineReport, type Report, type StatementLine } from '../../../support/statements.ts';

const SCHEMA = '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"/>';
const line = (concept: string, label: string, ...values: string[]): StatementLine => [label, concept, ...values];

/** A report of sales and net income by period, with a balance sheet. */
function report(period: string, end: string, sales: Record<string, string>): Report {
  const durations = Object.keys(sales);
  const income = [
    line('Revenues', 'Sales', ...Object.values(sales)),
    line('IncomeTaxExpenseBenefit', 'Tax', ...durations.map(() => '2')),
    line('NetIncomeLoss', 'Net income', ...durations.map(() => '8')),
    line('EarningsPerShareBasic', 'Basic', ...durations.map(() => '0.80')),
  ];
  const balance = [
    line('Assets', 'Total assets', '50'),
    line('StockholdersEquity', 'Equity', '30'),
    line('LiabilitiesAndStockholdersEquity', 'Total', '50'),
  ];
  return { end, year: 2024, period, durations, days: [end], income, balance };
}
const Q2 = report('Q2', '2024-06-30', { '2024-04-01/2024-06-30': '22', '2024-01-01/2024-06-30': '42' });
const Q3 = report('Q3', '2024-09-30', { '2024-07-01/2024-09-30': '24', '2024-01-01/2024-09-30': '66' });
const YEAR = report('FY', '2024-12-31', { '2024-01-01/2024-12-31': '96' });
const RESTATED = report('FY', '2024-12-31', { '2024-01-01/2024-12-31': '91' });

const REVENUE = (moment: string) =>
  `SELECT fiscal_period, CAST(value AS BIGINT) AS value, method FROM fundamentals_as_of('${moment}') WHERE item = 'revenue' ORDER BY ALL`;

describe('fundamentals', () => {
  let lake: Lake;
  let runs: LakeOfRuns;
  let service: FormService;

  beforeEach(async () => {
    ({ lake, runs, service } = await openForms());
  });
  afterEach(() => closeSound(lake));

  async function run(
    filings: [form: string, accepted: string, of: Report][],
    tables = 'statements',
    more = '',
  ): Promise<string[]> {
    const records = filings.map(([form, acceptance_datetime, of], k) => {
      const documents = [
        { name: 'acme.htm', type: form, content: inlineReport(of) },
        { name: 'acme.xsd', type: 'EX-101.SCH', content: SCHEMA },
        { name: 'acme_lab.xml', type: 'EX-101.LAB', content: '' },
      ];
      const over = { acceptance_datetime, filing_date: acceptance_datetime.slice(0, 10), cik: '42' };
      return service.add(formFiling(k + 1, form, documents, over), documents);
    });
    await fetchForms(runs, tables, records, service.client, more);
    return service.asked;
  }

  it('need the page and the schema, and know a quarter that no filing states as soon as both of its numbers are known', async () => {
    const asked = await run([
      ['10-Q', '2024-08-01T10:00:00', Q2],
      ['10-Q', '2024-11-01T10:00:00', Q3],
      ['10-K', '2025-02-20T16:30:00', YEAR],
      ['10-K/A', '2025-05-01T09:00:00', RESTATED],
      ['8-K', '2025-06-01T09:00:00', YEAR],
    ]);
    expect(asked).toHaveLength(8);
    const quarters = [
      { fiscal_period: '9M', value: 66_000_000, method: 'reported' },
      { fiscal_period: 'H1', value: 42_000_000, method: 'reported' },
      { fiscal_period: 'Q2', value: 22_000_000, method: 'reported' },
      { fiscal_period: 'Q3', value: 24_000_000, method: 'reported' },
    ];
    expect(await runs.rows(REVENUE('2025-02-20 16:29'))).toEqual(quarters);
    expect(await runs.rows(REVENUE('2025-02-20 16:30'))).toContainEqual({
      fiscal_period: 'Q4',
      value: 30_000_000,
      method: 'quarter',
    });
    // A restated year less nine months of the old basis give nothing.
    expect(await runs.rows(REVENUE('2025-06-01'))).toEqual(
      [...quarters, { fiscal_period: 'FY', value: 91_000_000, method: 'reported' }].sort((a, b) =>
        a.fiscal_period < b.fiscal_period ? -1 : 1,
      ),
    );
    const history = await runs.rows(
      `SELECT CAST(value AS BIGINT) AS value, strftime(known_from, '%Y-%m-%d') AS known_from, strftime(known_until, '%Y-%m-%d') AS known_until
       FROM fundamentals WHERE item = 'revenue' AND fiscal_period = 'FY' ORDER BY ALL DESC`,
    );
    expect(history).toEqual([
      { value: 96_000_000, known_from: '2025-02-20', known_until: '2025-05-01' },
      { value: 91_000_000, known_from: '2025-05-01', known_until: null },
    ]);
    // An unchanged number has one row, from its first filing.
    expect(
      await runs.rows(`SELECT 1 FROM fundamentals WHERE item = 'net_income' AND fiscal_period = 'FY'`),
    ).toHaveLength(1);
    expect(
      await runs.rows(
        `SELECT DISTINCT fiscal_period FROM fundamentals_as_of('2026-01-01') WHERE item = 'eps_basic' AND method = 'quarter'`,
      ),
    ).toEqual([]);
    // Sales of the quarters add up, the made-up net income does not.
    const doubts = await runs.rows('SELECT DISTINCT identity FROM doubts');
    expect(doubts).toContainEqual({ identity: 'quarters net_income' });
    expect(doubts).not.toContainEqual({ identity: 'quarters revenue' });
    await expect(runs.rows(REVENUE('2025-02-20 16:30:00Z'))).rejects.toThrow(/without a zone/);
  });

  it('are the same rows by remap, without a request', async () => {
    const filings: [string, string, Report][] = [['10-K', '2025-02-20T16:30:00', YEAR]];
    const rows = () => runs.rows('SELECT * FROM fundamentals ORDER BY item, period_end');
    const asked = [
      ...(await run(filings, 'filings, documents, document_contents', 'documents: { types: [all], xml: raw }')),
    ];
    await remapLake(lake, { tables: ['fundamentals'] });
    expect(service.asked).toEqual(asked);
    const made = await rows();
    expect(made.filter(({ value }) => value !== null)).toHaveLength(11);
    await lake.close();
    lake = await openLake(temporaryFolder(), { create: true });
    runs = new LakeOfRuns(lake);
    await run(filings);
    expect(await rows()).toEqual(made);
  });
});

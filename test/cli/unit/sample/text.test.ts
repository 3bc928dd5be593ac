import { describe, expect, it } from 'vitest';
import { periodOf } from '../../../../src/cli/sample/companies/accounts.ts';
import { makeCompany } from '../../../../src/cli/sample/companies/company.ts';
import { Prose, type Subject } from '../../../../src/cli/sample/companies/prose.ts';
import { Random } from '../../../../src/cli/sample/companies/random.ts';
import { TEXTS } from '../../../../src/cli/sample/companies/texts.ts';
import { readSubmission } from '../../../../src/filings/edgar/index.ts';
import { twoCohorts } from './given.ts';

const reports = twoCohorts()
  .filter((file) => /^10-[KQ]$/.test(file.form))
  .map((file) => ({ file, main: readSubmission(file.bytes).documents[0]! }))
  .map(({ file, main }) => ({ file, text: main.read().toString('latin1') }));

describe('the text of reports', () => {
  it('has annual reports of moderate size', () => {
    for (const { file, text } of reports.filter((r) => r.file.form === '10-K')) {
      expect(text.length, file.path).toBeGreaterThan(30_000);
      expect(text.length, file.path).toBeLessThan(400_000);
    }
  });

  it('is the same in prose and tables', () => {
    let compared = 0;
    for (const { file, text } of reports.filter((r) => r.file.form === '10-K')) {
      const readable = text
        .replace(/<[^>]*>/g, ' ')
        .replace(/&#160;|&nbsp;/g, ' ')
        .replace(/\s+/g, ' ');
      const prose = /Revenue for fiscal \d{4} \w+ed [\d.]+% to \$([\d.]+) (million|billion) from/.exec(readable);
      if (!prose) continue;
      const table = /Total revenue[ .]+\$? *([\d,]+)/.exec(readable);
      const thousands = Number(table![1]!.replaceAll(',', ''));
      const told = prose[2] === 'million' ? (thousands / 1000).toFixed(1) : (thousands / 1_000_000).toFixed(2);
      expect(prose[1], file.path).toBe(told);
      compared++;
    }
    expect(compared).toBeGreaterThan(10);
  });
});

describe('accounts', () => {
  it('add up, whatever the company and the year', () => {
    for (let id = 0; id < 60; id++) {
      const company = makeCompany(5, id, id, 'operating', 2010);
      const of = (first?: number, last?: number) => periodOf(company, 2010 + (id % 14), first, last);
      const year = of();
      expect(year.segments.reduce((sum, s) => sum + s.revenue, 0)).toBe(year.revenue);
      expect(year.revenue - year.costOfSales - year.operatingExpenses - year.incomeTaxes).toBe(year.netIncome);
      expect(year.liabilities + year.equity).toBe(year.totalAssets);
      expect(year.operatingCash + year.investingCash + year.financingCash).toBe(year.cashChange);
      expect(year.cash - periodOf(company, 2009 + (id % 14)).cash).toBe(year.cashChange);
      for (const key of ['revenue', 'netIncome', 'operatingCash', 'cashChange'] as const) {
        const quarters = [1, 2, 3, 4].map((q) => of(q, q)[key]);
        expect(quarters.reduce((a, b) => a + b)).toBe(year[key]);
        expect(of(1, 2)[key]).toBe(quarters[0]! + quarters[1]!);
      }
    }
  });
});

describe('companies', () => {
  it('have CIKs, tickers and first names of their own', () => {
    const companies = Array.from({ length: 2000 }, (_, i) => makeCompany(1, i * 3, i, 'operating', 2015));
    expect(new Set(companies.map((c) => c.cik)).size).toBe(2000);
    expect(new Set(companies.map((c) => c.name.split(' ')[0])).size).toBe(2000);
    const tickers = companies.flatMap((c) => c.tickers.map((t) => t.ticker));
    expect(new Set(tickers).size).toBe(tickers.length);
    expect(new Set(companies.map((c) => c.cik.length))).toEqual(new Set([7, 8]));
  });
});

describe('random numbers', () => {
  it('follow from their keys alone', () => {
    expect(new Random(1, 'a', 7).bits()).toBe(new Random(1, 'a', 7).bits());
    const many = new Set(Array.from({ length: 5000 }, (_, i) => new Random(1, 'a', i).bits()));
    expect(many.size).toBeGreaterThan(4995);
    expect(new Random(2 ** 40, 'a').bits()).not.toBe(new Random(0, 'a').bits());
  });
});

describe('passages', () => {
  const taken = (id: number, year: number, subject: string, count = 99) =>
    new Prose(new Random(id), makeCompany(5, id, id, 'operating', 2010), year).take(subject as Subject, count);

  it.each(Object.keys(TEXTS))('about %s fit every company: no slot stays open, verbs fit its voice', (subject) => {
    for (const { heading, text } of Array.from({ length: 16 }, (_, id) => taken(id, 2012, subject)).flat()) {
      expect(`${heading} ${text}`).not.toMatch(/[{}|*]|undefined|\b(we|Company) (is|was|has|are|have)\b/);
      expect(text).toMatch(/^["A-Z].*\."?$/);
    }
  });

  it('differ within a chapter, and a year later most of them are there again', () => {
    const [before, after] = [2012, 2013].map((year) => taken(3, year, 'risk', 6).map(({ heading }) => heading));
    expect(new Set(before).size).toBe(6);
    expect(before!.slice(1)).toEqual(after!.slice(0, 5));
  });
});

import { constants, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readableText } from '../../../src/documents/index.ts';
import { readSubmission } from '../../../src/edgar/index.ts';
import { makeCompany } from '../../../src/sample/company.ts';
import { statementOf } from '../../../src/sample/finances.ts';
import { plural } from '../../../src/sample/prose.ts';
import { Random } from '../../../src/sample/random.ts';
import { twoCohorts } from './given.ts';

const reports = twoCohorts()
  .filter((file) => /^10-?[KQ](405)?$/.test(file.form))
  .map((file) => ({ file, main: readSubmission(file.bytes).documents[0]! }))
  .map(({ file, main }) => ({ file, text: main.read().toString('latin1'), inline: main.wrapper === 'XBRL' }));

function ratio(text: string): number {
  const bytes = Buffer.from(text, 'latin1');
  return bytes.length / zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 3 } }).length;
}

describe('the text of reports', () => {
  it('compresses as real reports do: HTML about tenfold, plain text about threefold', () => {
    // Real ones of 0.3 to 4 MB: inline XBRL 11 to 15, HTML of 2002 to 2010 6 to 11, plain text 3 to 4.
    for (const { file, text, inline } of reports) {
      const [low, high] = inline
        ? [8, 16]
        : text.includes('<HTML>')
          ? [5, 12]
          : text.includes('<html')
            ? [8, 16]
            : [2.3, 5];
      expect(ratio(text), `${file.form} ${file.path}`).toBeGreaterThan(low);
      expect(ratio(text), `${file.form} ${file.path}`).toBeLessThan(high);
    }
  });

  it('has annual reports of moderate size', () => {
    for (const { file, text } of reports.filter((r) => r.file.form === '10-K')) {
      expect(text.length, file.path).toBeGreaterThan(30_000);
      expect(text.length, file.path).toBeLessThan(350_000);
    }
  });

  it('has a vocabulary of thousands, a few words of which are most of the text', () => {
    const counts = new Map<string, number>();
    for (const { text } of reports) {
      for (const word of readableText(text, text.includes('<html') ? 'text/html' : 'text/plain')
        .toLowerCase()
        .match(/[a-z]{3,}/g) ?? []) {
        counts.set(word, (counts.get(word) ?? 0) + 1);
      }
    }
    const sorted = [...counts.values()].sort((a, b) => b - a);
    expect(sorted.length).toBeGreaterThan(2500);
    const total = sorted.reduce((a, b) => a + b);
    const top = sorted.slice(0, 100).reduce((a, b) => a + b);
    expect(top / total).toBeGreaterThan(0.3);
    expect(sorted.filter((n) => n < total / 10_000).length).toBeGreaterThan(sorted.length / 2);
  });

  it('says the same in prose and tables', () => {
    let compared = 0;
    for (const { file, text } of reports.filter((r) => r.file.form === '10-K')) {
      const readable = text
        .replace(/<[^>]*>/g, ' ')
        .replace(/&#160;|&nbsp;/g, ' ')
        .replace(/\s+/g, ' ');
      const prose = /Revenue for fiscal \d{4} \w+ed [\d.]+% to \$([\d.]+) (million|billion) from/.exec(readable);
      if (!prose) continue;
      // Thousands in the table's first column; dots lead to it in plain text.
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
      const year = statementOf(company, 2010 + (id % 14), null);
      expect(year.segments.reduce((sum, s) => sum + s.revenue, 0)).toBe(year.revenue);
      expect(year.grossProfit).toBe(year.revenue - year.costOfSales);
      expect(year.payables + year.debt + year.equity).toBe(year.totalAssets);
      expect(year.netIncome).toBe(year.pretaxIncome - year.tax);
      const quarters = [1, 2, 3, 4].map((q) => statementOf(company, 2010 + (id % 14), q).revenue);
      expect(quarters.reduce((a, b) => a + b)).toBe(year.revenue);
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

  it('draw early members of a list most often by Zipf', () => {
    const r = new Random(9);
    const list = Array.from({ length: 100 }, (_, i) => i);
    const counts = new Array<number>(100).fill(0);
    for (let i = 0; i < 20_000; i++) counts[r.zipf(list)]!++;
    expect(counts[0]!).toBeGreaterThan(counts[9]! * 4);
    expect(counts.every((n) => n > 0)).toBe(true);
  });
});

describe('endings of words', () => {
  it('are regular', () => {
    expect(['company', 'process', 'tax', 'day', 'branch'].map(plural)).toEqual([
      'companies',
      'processes',
      'taxes',
      'days',
      'branches',
    ]);
  });
});

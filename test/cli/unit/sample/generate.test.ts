import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planCohort } from '../../../../src/cli/sample/companies/plan.ts';
import { generateFiling } from '../../../../src/cli/sample/generate.ts';
import { type SampleFile, sampleSubmissions } from '../../../../src/cli/sample/index.ts';
import { runs } from '../../../support/property-runs.ts';
import { sha256, twoCohorts } from './given.ts';

const files = twoCohorts();
const digests = (list: Iterable<SampleFile>) => [...list].map((file) => [file.path, sha256(file.bytes)]);

describe('a sample', () => {
  it('is the same for the same number and seed, and another for another seed', () => {
    expect(digests(twoCohorts())).toEqual(digests(files));
    const other = new Set(digests(sampleSubmissions({ filings: 60, seed: 12 })).map(([, digest]) => digest));
    expect(files.some((file) => other.has(sha256(file.bytes)))).toBe(false);
  });

  it('begins with every smaller sample of its seed', () => {
    const few = digests(sampleSubmissions({ filings: 40, seed: 11 }));
    expect(digests(files).slice(0, few.length)).toEqual(few);
  });

  it('makes any filing without those before it', () => {
    const far = planCohort(11, 4000)[77]!;
    expect(far.index).toBe(1_000_077);
    const [file] = generateFiling(far).files;
    expect(sha256(generateFiling(planCohort(11, 4000)[77]!).files[0]!.bytes)).toBe(sha256(file!.bytes));
    const near = generateFiling(planCohort(11, 1)[3]!).files;
    expect(digests(near)).toEqual(digests(files.filter((f) => f.index === 253)));
  });

  it('has an accession number of its own for each filing, at most one file of it in each dialect', () => {
    const filings = new Map<number, Set<string>>();
    for (const file of files) {
      const of = filings.get(file.index) ?? new Set();
      filings.set(file.index, of.add(file.accessionNumber));
    }
    expect(filings.size).toBe(500);
    expect([...filings.values()].every((numbers) => numbers.size === 1)).toBe(true);
    expect(new Set(files.map((f) => f.accessionNumber)).size).toBe(500);
    expect(new Set(files.map((f) => f.path)).size).toBe(files.length);
  });

  it('comes in both dialects, mostly as .txt', () => {
    const feed = files.filter((file) => file.dialect === 'nc').length;
    expect(feed / files.length).toBeGreaterThan(0.04);
    expect(feed / files.length).toBeLessThan(0.25);
  });

  it('shows every kind of filing within the first sixty', () => {
    const forms = new Set(files.filter((f) => f.index < 60).map((f) => f.form));
    const all = ['10-K', '10-Q', '8-K', '4', '13F-HR', 'D', 'DEF 14A', 'S-1', 'SC 13G'];
    for (const form of all) expect(forms, form).toContain(form);
    const texts = files.filter((f) => f.index < 60).map((f) => f.bytes.toString('latin1', 0, 200_000));
    expect(texts.some((t) => t.includes('begin 644'))).toBe(true);
  });

  it('mixes forms roughly as EDGAR does: most are forms 4 and 8-K', () => {
    const share = (form: RegExp) => files.filter((f) => form.test(f.form)).length / files.length;
    expect(share(/^4$/)).toBeGreaterThan(0.1);
    expect(share(/^8-K/)).toBeGreaterThan(0.15);
    expect(share(/\/A$/)).toBeGreaterThan(0.02);
    expect(share(/^10-K/)).toBeLessThan(0.12);
  });

  it('files an annual report for each year of a company, and its amendments after it', () => {
    const plans = planCohort(11, 0).sort((a, b) => a.filed - b.filed);
    const busiest = Map.groupBy(plans, (p) => p.company.cik);
    const [company] = [...busiest.values()].sort((a, b) => b.length - a.length);
    const years = company!.filter((p) => p.form === '10-K').map((p) => p.fiscalYear);
    expect(years.length).toBeGreaterThanOrEqual(3);
    expect(years).toEqual(years.map((_, i) => years[0]! + i));
    for (const plan of plans) if (plan.amends) expect(plan.filed).toBeGreaterThan(plan.amends.filed);
  });

  it('is ASCII and names no person but by post and number', () => {
    for (const file of files) {
      const text = file.bytes.toString('latin1');
      expect(/[\x80-\xff]/.test(text), file.path).toBe(false);
      for (const [, name] of text.matchAll(/<rptOwnerName>([^<]*)</g))
        expect(name).toMatch(/^(Officer|Director|Holder) \d+ of /);
      for (const [, name] of text.matchAll(/\/s\/ ([^\n<]*)/g))
        expect(name).toMatch(/^(Officer|Director|Holder) \d+ of |^\w+ .*(LLC|LP|Inc|Counsel)/);
    }
  });

  it('holds to a period, however short', () => {
    const day = fc.integer({ min: 0, max: 9_000 }).map((n) => new Date(Date.UTC(2005, 0, 3) + n * 86_400_000));
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 900 }), (start, length) => {
        const from = start.toISOString().slice(0, 10);
        const to = new Date(start.getTime() + length * 86_400_000).toISOString().slice(0, 10);
        const dates = [...sampleSubmissions({ filings: 12, from, to })].map((file) => file.filingDate);
        expect(dates.every((date) => from <= date && date <= to)).toBe(true);
      }),
      { numRuns: runs(40) },
    );
  });
});

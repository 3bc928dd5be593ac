import { describe, expect, it } from 'vitest';
import { periodOf } from '../../../../src/cli/sample/companies/accounts.ts';
import { eightKItems, findSections } from '../../../../src/filings/documents/index.ts';
import { readSubmission } from '../../../../src/filings/edgar/index.ts';
import { rowsOf } from '../../../support/statements.ts';
import { asRead, asTrue, twoCohorts } from './given.ts';

const files = twoCohorts();

describe('a sample, read back', () => {
  it('gives every header, party and document byte for byte, and no warnings', () => {
    for (const file of files) expect(asRead(file.bytes), file.path).toEqual(asTrue(file));
    for (const file of files) expect(readSubmission(file.bytes).warnings, file.path).toEqual([]);
  });

  it('states the figures of its tables as facts, over several years, and every check of them holds', () => {
    const years = new Map<string, number>();
    for (const { bytes, form, filingDate, accessionNumber, submission } of files) {
      if (!/^10-[KQ]$/.test(form) || filingDate < '2019-06-15') continue;
      const read = readSubmission(bytes).documents;
      const documents = read.map((d) => ({ name: d.filename, type: d.type, text: () => d.read().toString('latin1') }));
      const filing = { accessionNumber, filingDate, formType: form, documents };
      const { fundamentals, fundamental_checks: checks } = rowsOf(filing);
      expect(checks!.length, accessionNumber).toBeGreaterThan(5);
      expect([...new Set(checks!.map(({ holds }) => holds))], accessionNumber).toEqual([true]);
      const { company, fiscalYear, fiscalQuarter: quarter } = submission.plan;
      const truth = (year: number, of = quarter) => periodOf(company, year, of ?? 1, of ?? 4);
      const period = quarter === null ? 'FY' : `Q${quarter}`;
      const statedOf = (year: number, of: string, item: string) =>
        Number(fundamentals!.find((r) => r.fiscal_year === year && r.fiscal_period === of && r.item === item)?.value);
      for (const year of [fiscalYear, fiscalYear - 1])
        expect(statedOf(year, period, 'revenue'), accessionNumber).toBe(truth(year).revenue * 1000);
      expect(statedOf(fiscalYear, period, 'total_assets')).toBe(truth(fiscalYear).totalAssets * 1000);
      expect(statedOf(fiscalYear - 1, 'FY', 'total_assets')).toBe(truth(fiscalYear - 1, null).totalAssets * 1000);
      if (quarter === null) years.set(company.cik, (years.get(company.cik) ?? 0) + 1);
    }
    expect(Math.max(...years.values())).toBeGreaterThan(2);
  });

  it('has the items of each annual and quarterly report at the headings that a reader finds', () => {
    let sections = 0;
    for (const file of files.filter((f) => /^10-[KQ]/.test(f.form))) {
      const text = readSubmission(file.bytes).documents[0]!.read().toString('latin1');
      const truth = file.submission.documents[0]!.sections;
      const expected = truth.map((s) => s.section).sort();
      const found = findSections(text, file.form, { filingDate: file.filingDate });
      expect(found.map((s) => s.section).sort(), file.path).toEqual(expected);
      sections += expected.length;
    }
    expect(sections).toBeGreaterThan(1000);
  });

  it('has the 8-K items that a reader finds', () => {
    const reports = files.filter((file) => file.form.startsWith('8-K'));
    expect(reports.length).toBeGreaterThan(50);
    for (const file of reports) {
      const submission = readSubmission(file.bytes);
      const found = eightKItems({
        formType: file.form,
        filingDate: file.filingDate,
        headerItems: submission.items,
        text: submission.documents[0]!.read().toString('latin1'),
        documents: submission.documents.map((d) => ({ ...d, document_id: `${file.accessionNumber}-${d.sequence}` })),
      });
      expect([...new Set(found.map((i) => i.item))].sort(), file.path).toEqual(
        [...new Set(file.submission.items.map(({ number }) => number))].sort(),
      );
    }
  });
});

import { describe, expect, it } from 'vitest';
import { periodOf } from '../../../../src/cli/sample/companies/accounts.ts';
import { eightKItems, findSections } from '../../../../src/filings/documents/index.ts';
import { readSubmission } from '../../../../src/filings/edgar/index.ts';
import { mapFiling } from '../../../../src/filings/statements/index.ts';
import { asRead, asTrue, twoCohorts } from './given.ts';

const files = twoCohorts();

describe('a sample, read back', () => {
  it('gives every header, party and document byte for byte', () => {
    for (const file of files) expect(asRead(file.bytes), file.path).toEqual(asTrue(file));
  });

  it('gives no warnings', () => {
    for (const file of files) expect(readSubmission(file.bytes).warnings, file.path).toEqual([]);
  });

  it('states the figures of its tables as facts, for whole fiscal years, and every check of them holds', () => {
    const years = new Map<string, number>();
    for (const { bytes, form, filingDate, accessionNumber, submission } of files) {
      if (!/^10-[KQ]$/.test(form) || filingDate < '2019-06-15') continue;
      const { company, fiscalYear, fiscalQuarter } = submission.plan;
      const documents = readSubmission(bytes).documents.map((d) => ({
        name: d.filename,
        type: d.type,
        text: () => d.read().toString('latin1'),
      }));
      const filing = { accessionNumber, filingDate, formType: form, documents };
      const rows = [...mapFiling(filing, new Set(['fundamentals', 'fundamental_checks']))];
      const checks = rows.filter(({ table }) => table === 'fundamental_checks').map(({ row }) => row);
      expect(checks.length, accessionNumber).toBeGreaterThan(5);
      expect(
        checks.filter(({ holds }) => holds !== true),
        accessionNumber,
      ).toEqual([]);
      const period = fiscalQuarter === null ? 'FY' : `Q${fiscalQuarter}`;
      const stated = (item: string) =>
        rows.find(({ row: r }) => r.item === item && r.fiscal_year === fiscalYear && r.fiscal_period === period)?.row;
      const truth = periodOf(company, fiscalYear, fiscalQuarter ?? 1, fiscalQuarter ?? 4);
      expect(Number(stated('revenue')?.value)).toBe(truth.revenue * 1000);
      expect(Number(stated('total_assets')?.value)).toBe(truth.totalAssets * 1000);
      if (fiscalQuarter === null) years.set(company.cik, (years.get(company.cik) ?? 0) + 1);
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

  it('reserves Item 6 since 2021', () => {
    const sixth = files.flatMap(({ form, filingDate, submission }) =>
      form === '10-K'
        ? submission.documents[0]!.sections.filter((s) => s.section === '6').map((s) => ({ ...s, filingDate }))
        : [],
    );
    expect(sixth.length).toBeGreaterThan(10);
    for (const { heading, filingDate } of sixth) {
      expect(/reserved/i.test(heading), filingDate).toBe(filingDate >= '2021-02-10');
    }
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
        documents: submission.documents.map((d) => ({
          document_id: `${file.accessionNumber}-${d.sequence}`,
          sequence: d.sequence,
          filename: d.filename,
          description: d.description,
          type: d.type,
        })),
      });
      expect([...new Set(found.map((i) => i.item))].sort(), file.path).toEqual(
        [...new Set(file.submission.items.map(({ number }) => number))].sort(),
      );
    }
  });
});

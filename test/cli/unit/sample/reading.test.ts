import { describe, expect, it } from 'vitest';
import { eightKItems, findSections } from '../../../../src/filings/documents/index.ts';
import { readSubmission } from '../../../../src/filings/edgar/index.ts';
import { asRead, asTrue, twoCohorts } from './given.ts';

const files = twoCohorts();

describe('a sample, read back', () => {
  it('gives every header, party and document byte for byte', () => {
    for (const file of files) expect(asRead(file.bytes), file.path).toEqual(asTrue(file));
  });

  it('gives no warnings', () => {
    for (const file of files) expect(readSubmission(file.bytes).warnings, file.path).toEqual([]);
  });

  it('has series and classes in the headers of funds, and the same registrant under two acts', () => {
    const funds = files.filter((file) => file.form === '485BPOS').map((file) => readSubmission(file.bytes));
    expect(funds.length).toBeGreaterThan(0);
    for (const fund of funds) {
      expect(fund.series.length).toBeGreaterThan(0);
      expect(fund.series.every((s) => /^S9+\d+$/.test(s.seriesId) && s.classes.length > 0)).toBe(true);
      expect(fund.parties.map((p) => p.cik)).toEqual([fund.parties[0]!.cik, fund.parties[0]!.cik]);
      expect(new Set(fund.parties.map((p) => p.file_number)).size).toBe(2);
    }
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

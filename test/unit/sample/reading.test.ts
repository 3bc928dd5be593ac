import { describe, expect, it } from 'vitest';
import { eightKItems, findSections } from '../../../src/documents/index.ts';
import { readSubmission } from '../../../src/edgar/index.ts';
import { sampleOddities } from '../../../src/sample/index.ts';
import { asRead, asTrue, twoCohorts } from './given.ts';

const files = twoCohorts();

describe('a sample, read back', () => {
  it('gives every header, party and document byte for byte', () => {
    for (const file of files) expect(asRead(file.bytes), file.path).toEqual(asTrue(file.truth()));
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
    for (const file of files.filter((f) => /^10-?[KQ]/.test(f.form))) {
      const text = readSubmission(file.bytes).documents[0]!.read().toString('latin1');
      const truth = file.truth().documents[0]!.sections;
      for (const section of truth) {
        const slice = text.slice(section.start, section.end);
        expect(slice, file.path).toMatch(/^Items? ?/i);
        expect(section.end).toBeGreaterThan(section.start);
      }
      const expected = truth.flatMap((s) => s.sections).sort();
      const found = findSections(text, file.form, { filingDate: file.filingDate });
      expect(found.map((s) => s.section).sort(), file.path).toEqual(expected);
      sections += expected.length;
    }
    expect(sections).toBeGreaterThan(1000);
  });

  it('combines Items 1 and 2 in some reports, and reserves Item 6 since 2021', () => {
    const all = files.flatMap((file) =>
      /^10-?K/.test(file.form)
        ? file.truth().documents[0]!.sections.map((s) => ({ ...s, filed: file.filingDate }))
        : [],
    );
    expect(all.some((s) => s.sections.join() === '1,2')).toBe(true);
    const six = all.filter((s) => s.sections[0] === '6');
    expect(six.some((s) => /\[Reserved\]/i.test(s.heading))).toBe(true);
    for (const s of six.filter((x) => x.filed < '2021-02-10')) expect(s.heading).not.toMatch(/reserved/i);
  });

  it('has the 8-K items of the numbering of the day', () => {
    const reports = files.filter((file) => file.form.startsWith('8-K'));
    const old = reports.filter((file) => file.filingDate < '2004-08-23');
    expect(old.length).toBeGreaterThan(5);
    expect(old.every((file) => file.truth().itemNumbers.every((n) => /^\d{1,2}$/.test(n)))).toBe(true);
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
        [...new Set(file.truth().itemNumbers)].sort(),
      );
    }
  });
});

describe('the oddities', () => {
  const oddities = [...sampleOddities(3)];

  it('are one file each, always the same', () => {
    expect(new Set(oddities.map((o) => o.name)).size).toBe(oddities.length);
    expect(new Set(oddities.map((o) => o.accessionNumber)).size).toBe(oddities.length);
    expect([...sampleOddities(3)].map((o) => o.bytes)).toEqual(oddities.map((o) => o.bytes));
  });

  it('can be read as they truly are, save those that are broken or that the truth leaves open', () => {
    for (const odd of oddities.filter((o) => !o.broken && !o.contested)) {
      expect(asRead(odd.bytes), odd.name).toEqual(asTrue(odd.truth()));
    }
  });

  it('match their names', () => {
    const bytes = (name: string) => oddities.find((o) => o.name === name)!.bytes;
    const text = (name: string) => bytes(name).toString('latin1');
    expect(text('crlf')).not.toMatch(/[^\r]\n/);
    expect(text('bare-cr').match(/\n/g)).toHaveLength(1);
    expect(text('windows-1252')).toMatch(/[\x80-\xff]/);
    expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes('windows-1252'))).toThrow();
    expect(bytes('utf-8').toString('utf8')).toContain('東京');
    expect(text('literal-text-tag')).toMatch(/\n<\/TEXT>\n(?!<\/DOCUMENT>)/);
    expect(text('header-unclosed')).not.toContain('</SEC-HEADER>');
    expect(text('zip-and-excel')).toMatch(/<ZIP>\nbegin 644[\s\S]*<EXCEL>\nbegin 644/);
    expect(text('empty-document')).toContain('<TEXT>\n</TEXT>');
    expect(text('paper')).toContain('<PAPER>');
    expect(text('correction')).toContain('<CORRECTION>');
    expect(text('deletion')).not.toContain('<DOCUMENT>');
    expect(text('header-of-2000')).toMatch(/CLASSIFICATION:\t \[\d+\n\]\t/);
    expect(() => readSubmission(bytes('truncated'))).toThrow(/ends within document/);
    expect(() => readSubmission(bytes('not-a-submission'))).toThrow();
  });
});

/**
 * Real 10-Ks made into annual reports to shareholders: Items 5 to 8 one after the other, without the words "Item 7." before their titles. Their labels
 * tell where each section is.
 */
import { describe, expect, it } from 'vitest';
import { findAnnualReportSections } from '../../../../src/filings/documents/index.ts';
import { readLines } from '../../../../src/filings/documents/lines/lines.ts';
import { labels as filings, filingText } from '../../../support/documents/labelled.ts';
import { sharedFolder } from '../../../support/shared.ts';

interface Label {
  section: string;
  kind: string;
  start_index: number;
  end_index: number;
}

const ITEMS = ['5', '6', '7', '7A', '8'];
const BLANK = String.raw`(?:\s|&nbsp;|&#160;|&#xa0;|\u00a0|<[^>]*>)*`;
const ITEM = new RegExp(String.raw`^[\s\S]{0,400}?i\s?tems?${BLANK}\d+${BLANK}[AB]?${BLANK}[.:\u2014\u2013-]*`, 'i');
/** Letters and digits: less is a reference, or nothing. */
const LEAST = 800;

/** A report, and where its sections stand in it. */
function reportOf(text: string, labels: readonly Label[]) {
  const isHtml = readLines(text).html;
  let report = isHtml ? '<html><body>' : 'ANNUAL REPORT\n\n';
  const sections: { section: string; start: number; end: number }[] = [];
  let end = -1;
  const own = labels.filter(({ section }) => ITEMS.includes(section));
  for (const { section, kind, start_index, end_index } of own.sort((a, b) => a.start_index - b.start_index)) {
    const source = text.slice(start_index, end_index);
    const item = ITEM.exec(source)?.[0];
    if (start_index < end || item === undefined) continue;
    end = end_index;
    const tags = isHtml ? (item.match(/<[^>]*>/g) ?? []).join('') : '';
    const bare = tags + source.slice(item.length);
    const letters = bare.replaceAll(/<[^>]*>|[^A-Za-z0-9]/g, '').length;
    if (kind === 'full' && letters >= LEAST)
      sections.push({ section, start: report.length, end: report.length + bare.length });
    report += `${bare}\n`;
  }
  return { report, sections };
}

describe.skipIf(sharedFolder === null)('annual reports made of 10-Ks', () => {
  it('give nine of ten sections, and nine of ten that they give are right', () => {
    let labelled = 0;
    let right = 0;
    let given = 0;
    for (const { file, form_type, sections: labels } of filings) {
      if (!form_type.startsWith('10-K')) continue;
      const { report, sections } = reportOf(filingText(`labelled/${file}`), labels as unknown as Label[]);
      const found = findAnnualReportSections(report);
      labelled += sections.length;
      given += found.length;
      for (const { section, start, end } of sections) {
        const one = found.find((candidate) => candidate.section === section);
        if (one === undefined) continue;
        const common = Math.min(end, one.end_index) - Math.max(start, one.start_index);
        if ((2 * common) / (end - start + one.end_index - one.start_index) >= 0.95) right++;
      }
    }
    expect(labelled).toBeGreaterThan(90);
    console.info(`annual reports made of 10-Ks: ${right} of ${labelled} sections found, ${given} given`);
    expect(right / labelled).toBeGreaterThanOrEqual(0.9);
    expect(right / given).toBeGreaterThanOrEqual(0.9);
  });
});

/** Form 10-KSB numbers its items in another way than Form 10-K: the titles are its own. */
import { expect, it } from 'vitest';
import { findSections } from '../../../../src/filings/documents/index.ts';

const ITEMS = [
  ['1', 'Description of Business'],
  ['3', 'Legal Proceedings'],
  ['5', 'Market for Common Equity'],
  ['6', "Management's Discussion and Analysis or Plan of Operation"],
  ['7', 'Financial Statements'],
  ['8', 'Changes in and Disagreements with Accountants'],
] as const;
const REPORT = ITEMS.map(
  ([code, title]) =>
    `<p><b>Item ${code}. ${title}</b></p><p>${`The company says this under item ${code}. `.repeat(12)}</p>`,
).join('');

it.each(['10-KSB', '10KSB', '10-KSB40', '10-KSB/A'])('sections of %s have its titles', (form) => {
  const found = findSections(REPORT, form).map(({ section, title }) => [section, title]);
  expect(found).toEqual(ITEMS);
});

it('sections of a 10-K have those of Form 10-K', () => {
  const titles = new Map(findSections(REPORT, '10-K').map(({ section, title }) => [section, title]));
  expect(titles.get('7')).toBe("Management's Discussion and Analysis (MD&A)");
  expect(titles.get('6')).toBe('Selected Financial Data');
});

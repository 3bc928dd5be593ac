import { describe, expect, it } from 'vitest';
import { eightKItems, findSections, readableText, sectionsHtml } from '../../../../src/filings/documents/index.ts';
import { filingText } from '../../../support/documents/labelled.ts';
import { sharedFolder } from '../../../support/shared.ts';

const LENGTH = 400_000;
const filled = (piece: string) => piece.repeat(Math.floor(LENGTH / piece.length));

/** Texts that make a careless reader quadratic; the benchmark `sections-worst` shows the doubling. Here they only have to come to an end. */
const WORST: readonly [string, string][] = [
  ['"Item "', filled('Item ')],
  ['lines of "Item 1."', filled('Item 1.\n')],
  ['headings', filled('<p>Item 7. Business</p>')],
  ['nested blocks', filled('<div>')],
  ['nested bold', filled('<b>')],
  ['nested tables', filled('<table><tr><td>')],
  ['end tags', filled('<p></div></td></b>')],
  ['ampersands', filled('&')],
  ['angle brackets', filled('<')],
  ['open tags', filled('<a ')],
  ['open comments', filled('<!--')],
  ['open quotes', filled('<a b="')],
  ['one line', `<p>${filled('x')}`],
  ['blanks', `<p>${filled(' ')}`],
  ['open titles', filled('<title>')],
  ['scripts that never end', filled('<script></scrip')],
  ['hidden paragraphs', filled('<p style="display:none">a')],
  ['rows of contents', filled('<tr><td>Item 1A.</td><td>Risk</td><td>12</td></tr>')],
  ['page numbers', filled('<p>3</p><hr>')],
  ['NUL and no-break spaces', filled('\u0000\u00a0')],
];

describe('documents made to hurt', () => {
  it.each(WORST)('comes to an end with 400,000 characters of %s', (_name, text) => {
    for (const form of ['10-K', '10-Q']) {
      for (const section of findSections(text, form)) expect(section.end_index).toBeGreaterThan(section.start_index);
    }
    expect(readableText(text, 'text/html').length).toBeLessThanOrEqual(text.length * 3);
    expect(sectionsHtml(text, [{ start_index: 100_000, end_index: text.length }])[0]).toBeTypeOf('string');
    const input = { formType: '8-K', filingDate: '2010-01-01', headerItems: [], text, documents: [] };
    expect(eightKItems(input).length).toBeLessThan(40);
  });

  it('reads 50 MB', () => {
    const page = `<p>Item 1. Business</p><p>${'We sell things to people. '.repeat(400)}</p>`;
    const text = `<html><body>${page.repeat(Math.ceil(50e6 / page.length))}</body></html>`;
    const [section] = findSections(text, '10-K');
    expect(section).toMatchObject({ section: '1' });
    expect(section!.end_index - section!.start_index).toBeGreaterThan(49e6);
  });
});

describe.skipIf(!sharedFolder)('a filing that breaks off', () => {
  const whole = sharedFolder ? filingText('labelled/walmart-2010-10k.htm.gz') : '';

  it.each([1, 100, 5000, 90_001, 200_003, 300_007])('finds the sections of its first %i characters', (length) => {
    const text = whole.slice(0, length);
    for (const section of findSections(text, '10-K')) {
      expect(section.end_index).toBeLessThanOrEqual(text.length);
      expect(sectionsHtml(text, [section])[0]!.length).toBeGreaterThan(0);
    }
  });
});

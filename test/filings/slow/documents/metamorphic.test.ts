/**
 * The real test of generality: a filing written differently has the same sections. Every filing goes through a share of the rearrangements, every
 * rearrangement through a share of the filings; FILINGLAKE_EVERY_REARRANGEMENT=1 takes all with all.
 */
import { describe, expect, it } from 'vitest';
import { indexAt, type Labelled, trimmed, visibleText } from '../../../../bench/section-score/score.ts';
import { findSections, looksLikeHtml } from '../../../../src/filings/documents/index.ts';
import { filingText, labels } from '../../../support/documents/labelled.ts';
import {
  HEADING_LAYOUTS,
  inLayoutTable,
  type ListedItem,
  REARRANGEMENTS,
  withContents,
  withHeadings,
  withoutType,
  withRunningHeaders,
} from '../../../support/documents/rearrange.ts';
import { sharedFolder } from '../../../support/shared.ts';

const SHARE = process.env.FILINGLAKE_EVERY_REARRANGEMENT ? 1 : 9;

/** What a reader sees of each section, letters and digits only, page furniture cut. */
function sectionTexts(source: string, form: string): Record<string, string> {
  const visible = visibleText(source);
  const texts: Record<string, string> = {};
  for (const section of findSections(source, form)) {
    const slice = visible.text.slice(indexAt(visible, section.start_index), indexAt(visible, section.end_index));
    texts[section.section] = trimmed(slice).text;
  }
  return texts;
}

function partOf(code: string): string {
  if (code.includes('-')) return code.split('-')[0]!;
  const number = Number.parseInt(code, 10);
  return number <= 4 ? 'I' : number <= 9 ? 'II' : number <= 14 ? 'III' : 'IV';
}

function listed(label: Labelled): ListedItem[] {
  let part = '';
  return label.sections.map(({ section, title }) => {
    const parsed = /^items?\s*(\S+?)[.:]?\s+(.*)$/i.exec(title);
    const item = { item: `Item ${parsed?.[1] ?? section}.`, title: parsed?.[2] ?? title, part: null as string | null };
    if (partOf(section) !== part) {
      part = partOf(section);
      item.part = `PART ${part}`;
    }
    return item;
  });
}

interface Variant {
  name: string;
  write(source: string): string;
}

function variantsOf(label: Labelled, html: boolean): Variant[] {
  const here = html ? 'html' : 'typed';
  const variants: Variant[] = [];
  for (const { name, of, apply } of REARRANGEMENTS) {
    if (of === 'both' || of === here) variants.push({ name, write: (source) => apply(source, html) });
  }
  for (const { name, of, pattern } of HEADING_LAYOUTS) {
    if (of === here)
      variants.push({
        name: `headings: ${name}`,
        write: (source) => withHeadings(source, html, label.sections, pattern),
      });
  }
  for (const style of ['pages', 'lines', 'links'] as const) {
    variants.push({
      name: `contents in front, ${style}`,
      write: (source) => withContents(source, html, listed(label), style),
    });
  }
  if (html)
    variants.push({ name: 'in a layout table', write: inLayoutTable }, { name: 'all type alike', write: withoutType });
  return variants;
}

describe.skipIf(!sharedFolder)('a filing written differently', () => {
  it.each(labels.map((label, i) => [label.file, i] as const))('has the same sections: %s', (file, i) => {
    const label = labels[i]!;
    const source = filingText(`labelled/${file}`);
    const html = looksLikeHtml(source);
    const expected = sectionTexts(source, label.form_type);
    expect(Object.keys(expected).length).toBeGreaterThan(5);
    let changed = 0;
    for (const [k, variant] of variantsOf(label, html).entries()) {
      if ((k + i) % SHARE !== 0) continue;
      const written = variant.write(source);
      // White space inside <pre> counts: some rearrangements find nothing to do.
      if (written === source) continue;
      changed++;
      const texts = sectionTexts(written, label.form_type);
      expect(lengths(texts), variant.name).toEqual(lengths(expected));
      expect(texts, variant.name).toEqual(expected);
    }
    expect(changed).toBeGreaterThan(0);
  });
});

describe.skipIf(!sharedFolder)('a filing with running headers', () => {
  // Naming the item at the top of the page, or the last item of the page, whose heading is further down.
  const cases = labels
    .flatMap((label, i) => (['first', 'last', 'number'] as const).map((style, k) => ({ label, style, k: i + k })))
    .filter(({ k }) => k % 6 === 0 || SHARE === 1);

  it.each(cases.map((each) => [each.label.file, each.style, each.label] as const))(
    'has the same sections: %s, %s item of the page',
    (file, style, label) => {
      const source = filingText(`labelled/${file}`);
      const html = looksLikeHtml(source);
      const expected = findSections(source, label.form_type);
      const { text, moved } = withRunningHeaders(source, html, expected, style);
      if (text === source) return;
      const visible = visibleText(text);
      const found = new Map(findSections(text, label.form_type).map((section) => [section.section, section]));
      expect([...found.keys()].sort()).toEqual(expected.map((section) => section.section).sort());
      for (const section of expected) {
        const [a, b] = [indexAt(visible, moved(section.start_index)), indexAt(visible, moved(section.end_index))];
        const own = found.get(section.section)!;
        const [c, d] = [indexAt(visible, own.start_index), indexAt(visible, own.end_index)];
        const shared = Math.max(0, Math.min(b, d) - Math.max(a, c));
        // A header on the page where a short section ends is a large part of it.
        const slack = Math.max(0.1 * (b - a), 130);
        expect(b - a - shared, `${section.section} lost`).toBeLessThanOrEqual(slack);
        expect(d - c - shared, `${section.section} too much`).toBeLessThanOrEqual(slack);
      }
    },
  );
});

/** Shown if texts differ: a difference of lengths is readable, one of texts isn't. */
function lengths(texts: Record<string, string>): Record<string, number> {
  return Object.fromEntries(Object.entries(texts).map(([code, text]) => [code, text.length]));
}

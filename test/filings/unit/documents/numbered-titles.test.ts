/** Annual reports that write the numbers of their items otherwise than "Item 1A. Risk Factors", made up. */
import { describe, expect, it } from 'vitest';
import { findSections } from '../../../../src/filings/documents/index.ts';

const ITEMS: readonly [code: string, title: string][] = [
  ['1', 'Business'],
  ['1A', 'Risk Factors'],
  ['2', 'Properties'],
  ['3', 'Legal Proceedings'],
  ['5', "Market for Registrant's Common Equity"],
  ['7', "Management's Discussion and Analysis of Financial Condition"],
  ['7A', 'Quantitative and Qualitative Disclosures About Market Risk'],
  ['8', 'Financial Statements and Supplementary Data'],
  ['9A', 'Controls and Procedures'],
  ['10', 'Directors, Executive Officers and Corporate Governance'],
  ['15', 'Exhibits and Financial Statement Schedules'],
];
const PROSE = 'The company describes its affairs here at some length, so that the item has a text of its own. '.repeat(
  5,
);
const ROMAN = ' I II III IV V VI VII VIII IX X XI XII XIII XIV XV'.split(' ');

type Heading = (number: string, title: string) => string;

function report(heading: Heading, before: (code: string) => string = () => ''): string {
  const body = ITEMS.map(([code, title]) => `${before(code)}${heading(code, title)}<p>${PROSE}</p>\n`).join('');
  return `<html><body><p>FORM 10-K</p>${body}<p>SIGNATURES</p></body></html>`;
}

/** Each item with its source. */
const found = (text: string) =>
  new Map(findSections(text, '10-K').map((one) => [one.section, text.slice(one.start_index, one.end_index)]));

describe('items that a report numbers in its own way', () => {
  it.each<[string, Heading]>([
    ['(Item 1A)   Risk Factors', (n, t) => `<p>(Item ${n}) &nbsp; ${t}</p>`],
    ['(ITEM 1A) above Risk Factors', (n, t) => `<p>(ITEM ${n})</p><p>${t}</p>`],
    ['[Item 1A] Risk Factors', (n, t) => `<p>[Item ${n}] ${t}</p>`],
    ['(1A) Risk Factors', (n, t) => `<p>(${n}) ${t}</p>`],
    ['#1A Risk Factors', (n, t) => `<p>#${n} ${t}</p>`],
    ['1A Risk Factors', (n, t) => `<p>${n} ${t}</p>`],
    ['IA. Risk Factors', (n, t) => `<p>${n.replace(/\d+/, (d) => ROMAN[Number(d)]!)}. ${t}</p>`],
    ['Form 10-K, Item 1A. Risk Factors', (n, t) => `<p>Form 10-K, Item ${n}. ${t}</p>`],
    ['Risk Factors (Item 1A)', (n, t) => `<p>${t} (Item ${n})</p>`],
    ['Risk Factors - Item 1A', (n, t) => `<p>${t} - Item ${n}</p>`],
    ['Risk Factors | Item 1A', (n, t) => `<table><tr><td>${t}</td><td>Item ${n}</td></tr></table>`],
    ['Item １Ａ．Risk Factors', (n, t) => `<p>Item ${wide(n)}．${t}</p>`],
  ])('are found: %s', (_way, heading) => {
    const sections = found(report(heading));
    expect([...sections.keys()]).toEqual(ITEMS.map(([code]) => code));
    for (const [code, title] of ITEMS) expect(sections.get(code)!.replace(/<[^>]*>/g, ' ')).toContain(title);
    for (const text of sections.values()) expect(text.split(PROSE)).toHaveLength(2);
  });

  it('are found with titles in words of its own, if these look like the others', () => {
    const own = (n: string, t: string) => (n === '2' || n === '9A' ? 'Our Sites' : t);
    const sections = found(report((n, t) => `<p><b>(Item ${n}) ${own(n, t)}</b></p>`));
    expect([...sections.keys()]).toEqual(ITEMS.map(([code]) => code));
    const plain = found(report((n, t) => (n === '2' ? `<p>(Item 2) Our Sites</p>` : `<p><b>(Item ${n}) ${t}</b></p>`)));
    expect([...plain.keys()]).not.toContain('2');
  });

  it('are not those that it writes in brackets in its text', () => {
    const mention = (code: string) => (code === '8' ? `<p>(Item 3) Legal Proceedings</p><p>${PROSE}</p>` : '');
    const sections = found(report((n, t) => `<p><b>Item ${n}. ${t}</b></p>`, mention));
    expect(sections.get('7A')!.split(PROSE)).toHaveLength(3);
    expect(sections.get('3')).toMatch(/^Item 3\./);
  });
});

describe('the end of an item', () => {
  const usual: Heading = (n, t) => `<p>Item ${n}. ${t}</p>`;

  it('is at signatures that stand before the last items', () => {
    const signed = `<p>SIGNATURES</p><p>Pursuant to the requirements of Section 13 of the Act, it is signed.</p><p>PART IV</p>`;
    const sections = found(report(usual, (code) => (code === '15' ? signed : '')));
    expect(sections.get('10')!).not.toContain('SIGNATURES');
    expect(sections.get('15')!).toContain(PROSE);
  });

  it('is at a PART heading in words', () => {
    const sections = found(report(usual, (code) => (code === '10' ? '<p>PART THREE</p>' : '')));
    expect(sections.get('9A')!).not.toContain('PART');
  });
});

describe('a combined heading', () => {
  it.each([
    'Items 5 through 9',
    'Items 5 to 9.',
    'Item 5-9',
    'ITEMS 5, 6, 7, 8 &amp; 9:',
    'Items V through IX',
    'Items Five through Nine',
    'ITEM 5, ITEM 6, ITEM 7, ITEM 8 AND ITEM 9.',
  ])('has the same text for each of its items: %s', (words) => {
    const text = `<p>Item 1. Business</p><p>${PROSE}</p><p>${words}</p><p>${PROSE}</p><p>Item 10. Directors</p><p>${PROSE}</p>`;
    const sections = found(text);
    expect([...sections.keys()]).toEqual(['1', '5', '6', '7', '8', '9', '10']);
    expect(new Set(['5', '6', '7', '8', '9'].map((code) => sections.get(code)!))).toHaveLength(1);
  });

  it('leaves an item to its own heading below', () => {
    const text = `<p>Items 10 through 12</p><p>${PROSE}</p><p>Item 11. Executive Compensation</p><p>Own.</p><p>Item 15. Exhibits</p>`;
    const sections = found(text);
    expect(sections.get('11')!).toContain('Own.');
    expect(sections.get('12')!).toBe(sections.get('10')!);
    expect(sections.get('10')!).not.toContain('Own.');
  });
});

function wide(text: string): string {
  return [...text].map((char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)).join('');
}

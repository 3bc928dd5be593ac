/** Random texts with odd characters, and random searches over them. */
import type { Cik, FulltextSearchParameters } from '../../../src/filings/api/index.ts';
import type { MadeUpSubmission } from './synthetic-filings.ts';

const LONG = 'x'.repeat(120);
/** Some words begin alike, some fold alike, some are letters for one version of Unicode alone. */
const WORDS = [
  'alpha',
  'alphabet',
  'Alpine',
  'beta',
  'BETA',
  'gamma',
  'delta',
  'income',
  'incoming',
  'inc',
  'stock',
  'stocks',
  'the',
  'the',
  'the',
  'café',
  'cafe',
  'CAFÉ',
  'nai\u0308ve',
  'naïve',
  'straße',
  'İstanbul',
  'istanbul',
  'Ωμέγα',
  'ωμεγα',
  'Ǆ',
  'ﬁnal',
  '\u1e9e',
  'risk-factors',
  '2.02',
  '1,000',
  "company's",
  'a\u00adb',
  'x\u200dy',
  '½',
  'Ⅷ',
  '\ue000pri',
  '株式会社',
  'Ꟃew',
  '\u{1e900}dlam',
  'o\u0301\u0327\u0301',
  `${LONG}one`,
  `${LONG}two`,
  'y'.repeat(300),
];
/** More words begin so than OpenSearch takes in a phrase. */
const MANY = 'zq';
const PREFIXES = [MANY, 'al', 'alph', 'in', 'inc', 'st', 'caf', 'ωμ', 'xx', LONG, 'th', 'zz', '20', 'Na'];
const FORMS = ['8-K', '8-K/A', '10-K', '4', '10-K/A'];
const TYPES = ['EX-99.1', 'EX-99.2', 'ex-10', 'EX-101.INS', 'GRAPHIC NOTE'];
const STATES = ['DE', 'CA', 'NV'];
const SICS = ['7372', '0100', '6022'];
const ITEMS = ['2.02', '9.01', '5.02'];

export class RandomSearches {
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  number(count: number): number {
    return Math.floor(this.#random() * count);
  }

  pick<Value>(values: readonly Value[]): Value {
    return values[this.number(values.length)]!;
  }

  #some<Value>(count: number, make: () => Value): Value[] {
    return Array.from({ length: count }, make);
  }

  text(): string {
    const word = () => (this.number(8) === 0 ? `${MANY}${this.number(4_000)}` : this.pick(WORDS));
    return this.#some(3 + this.number(40), () => word() + this.pick([' ', ' ', ' ', '. ', ', ', '\n', ' — '])).join('');
  }

  /** @param n of the filing: it gives the accession number, which does not grow with the date */
  submission(n: number): MadeUpSubmission {
    const form = this.pick(FORMS);
    const company = () => {
      const cik = 1 + this.number(9);
      return {
        cik: String(cik),
        name: `${cik % 2 ? 'OLD' : 'NEW'} CORP ${cik}`,
        state: STATES[cik % 3]!,
        sic: SICS[cik % 3]!,
      };
    };
    return {
      accession: `${String((n * 7_919) % 9_973).padStart(10, '0')}-24-${String(n % 1_000_000).padStart(6, '0')}`,
      form,
      date: `2024-0${1 + this.number(3)}-${String(1 + this.number(9)).padStart(2, '0')}`,
      ...(form.startsWith('8-K') ? { items: this.#some(this.number(3), () => this.pick(ITEMS)) } : {}),
      parties: this.#some(1 + this.number(2), company),
      documents: [
        { content: this.text() },
        ...this.#some(this.number(3), () => ({ type: this.pick(TYPES), content: this.text() })),
      ],
    };
  }

  /** A search, without a window. */
  search(): FulltextSearchParameters {
    const type = this.pick(['query_string', 'query_string', 'query_string', 'match', 'match_phrase'] as const);
    const words = () => this.#some(1 + this.number(3), () => this.pick(WORDS)).join(' ');
    const query = type === 'query_string' ? this.#alternatives(3) : words();
    return {
      query,
      query_type: type,
      ...this.#filter(),
      ...this.#filter(),
      ...(this.number(3) === 0 ? this.#filter() : {}),
    };
  }

  #alternatives(depth: number): string {
    return this.#some(this.pick([1, 1, 1, 2, 3]), () => this.#all(depth)).join(' OR ');
  }

  #all(depth: number): string {
    const members = this.#some(this.pick([1, 1, 2, 2, 3]), () => this.#operand(depth));
    const without = this.#some(this.pick([0, 0, 0, 1, 2]), () => this.pick(['-', 'NOT ']) + this.#operand(depth));
    return [...members, ...without].join(this.pick([' ', ' AND '])).replace(/AND (-|NOT )/g, '$1');
  }

  #operand(depth: number): string {
    const phrase = () => `"${this.#some(1 + this.number(3), () => this.pick(WORDS)).join(' ')}"`;
    const near = () => {
      const parts = this.#some(2 + this.number(3), () =>
        this.pick([() => this.pick(WORDS), () => this.pick(WORDS), phrase, () => `${this.pick(PREFIXES)}*`])(),
      );
      return `NEAR(${parts.join(' ')}${this.pick(['', `, ${1 + this.number(8)}`])})`;
    };
    const kinds = [
      () => this.pick(WORDS),
      () => this.pick(WORDS),
      phrase,
      near,
      () => `${this.pick(PREFIXES)}*`,
      () => `"${this.pick(WORDS)} ${this.pick(PREFIXES)}"*`,
      ...(depth > 0 ? [() => `(${this.#alternatives(depth - 1)})`] : []),
    ];
    return this.pick(kinds)();
  }

  #filter(): FulltextSearchParameters {
    const cik = () => String(1 + this.number(10)) as Cik;
    const digits = String((this.number(1_000) * 7_919) % 9_973).padStart(10, '0');
    return this.pick<() => FulltextSearchParameters>([
      () => ({}),
      () => ({}),
      () => ({ form_types: [this.pick(FORMS), this.pick(['10-k', '4', 'none'])] }),
      () => ({ excluded_form_types: [this.pick(FORMS), '10-K'] }),
      () => ({ exclude_amendments: true }),
      () => ({ items: [this.pick(ITEMS), 'Item 2.02'] }),
      () => ({ date_from: this.pick(['2023-01-01', '2024-01-05', '2024-02-29', '2024-03-09']) }),
      () => ({ date_to: this.pick(['2024-01-05', '2024-02-09', '2025-01-31']) }),
      () => ({ ciks: [cik(), cik()] }),
      () => ({ accession_numbers: [digits, `${digits}-24`] }),
      () => ({ document_types: [this.pick(['EX-99*', 'ex-10', '8-K', '*', 'GRAPHIC*']), 'EX-99.2'] }),
      () => ({ entity_query: { states: [this.pick(STATES)] } }),
      () => ({ entity_query: { sics: [this.pick(SICS)], name_excludes: ['NEW'] } }),
      () => ({ entity_query: { name_includes: [this.pick(['old', 'CORP 3', 'nobody'])] } }),
      () => ({ entity_query: { ciks: [cik(), cik(), cik()] } }),
    ])();
  }
}

/** Sentences and paragraphs from a small vocabulary, in the voice and with the trade of one company. */
import type { Random } from './random.ts';

export interface ProseSubject {
  voice: 'we' | 'company';
  /** nouns of the trade, plural */
  tradePlurals: readonly string[];
  products: readonly string[];
  segments: readonly string[];
  places: readonly string[];
}

/** The subject of a sentence: each has its own frames. */
export type Subject = keyof typeof FRAMES;

export function plural(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

const words = (text: string) => text.trim().split(/\s+/);

const NOUNS = words(`
customers costs agreements results prices risks assets rates sales programs suppliers plants employees systems estimates payments orders losses benefits
charges contracts margins licenses patents deliveries warranties loans leases warehouses lenders regulations claims shipments reserves vendors inventories
competitors standards markets volumes offices`);
const ADJECTIVES = words(`
significant certain additional material current financial annual foreign principal similar substantial higher lower recent temporary independent
commercial regional seasonal adequate technical legal critical unexpected deferred secured restricted obsolete complex`);
const VERBS = words(
  'increase affect reduce delay support limit improve change replace expand require secure settle review include',
);

/**
 * n nouns, a adjectives, v verbs; t nouns of the trade; p a product; seg a segment; place; co, our, us the registrant in its own voice;
 * pct, money, num, year facts. A capital letter stays one.
 */
const FRAMES = {
  business: [
    '{Co} sold {a} {t} and {t} in {place}, where {n} and {a} {n} {v} the {n} of {our} customers.',
    '{Our} {seg} segment offers {t} that {v} {a} {n} and {v} {n} in {place}.',
    '{p} is designed to {v} {t} without {a} {n}, and {n} order it about {num} weeks ahead.',
    'Suppliers in {place} and {place} deliver {t}; {a} {n} could {v} them.',
  ],
  risk: [
    'If {a} {n} {v} {n}, {our} {t} and {our} {n} could be harmed.',
    '{Co} depended on {num} suppliers of {t} in {place}, and {a} {n} could {v} {n} without notice.',
    'Changes of {a} {n} in {place} may {v} {t}, and insurance above {money} may not {v} {n}.',
    'A loss of {n} would {v} the {seg} segment and expose {us} to {a} {n}.',
  ],
  results: [
    'The change reflects {a} {n} in {place} and {n} of {t}.',
    'Volume of {t} moved by {pct}, while {a} {n} moved by {pct}.',
    '{Co} recorded {money} for {n} of the {seg} segment, and {a} {n} will {v} {n} for {num} months.',
  ],
  notes: [
    '{A} {n} are stated at cost; {n} of {t} are reviewed each year, and {money} was charged in {year}.',
    'The {seg} segment holds {t} and {a} {n} of {money}, which mature in {num} months.',
    'Estimates of {n} and {n} {v} when {a} {n} {v}.',
  ],
  legal: [
    'A customer in {place} claimed {money} for {t}; {co} will contest the claim and its {a} {n}.',
    'Proceedings about {n} of {t} are not expected to {v} {a} {n}.',
  ],
  property: ['{Co} leased {num} buildings in {place} for {t} and {n}, and owned {a} {n} there.'],
  governance: [
    'The committee reviewed {n} and {a} {n} {num} times in {year}.',
    'Officers hold {a} {n} that {v} with the {n} of the {seg} segment.',
  ],
  event: [
    'On the date of this report {co} signed an agreement about {t} with {a} {n} in {place} for {money}.',
    'The agreement may {v} {n}, and {a} {n} end it after {num} months.',
  ],
  agreement: [
    'The parties shall {v} {t} and {n} within {num} days.',
    'Neither party may {v} {a} {n} without consent of the other, save for {n}.',
  ],
  offering: [
    'Proceeds of {money} will {v} {n}, and {a} {n} pay {pct} a year.',
    'Holders may {v} {n} after {num} months; {a} {n} may {v} the {n}.',
  ],
} as const;

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export class Prose {
  readonly #random: Random;
  readonly #slots: Record<string, () => string>;

  /** @param year the year that the prose is about */
  constructor(r: Random, subject: ProseSubject, year: number) {
    this.#random = r;
    const we = subject.voice === 'we';
    this.#slots = {
      n: () => r.pick(NOUNS),
      a: () => r.pick(ADJECTIVES),
      v: () => r.pick(VERBS),
      t: () => r.pick(subject.tradePlurals),
      p: () => r.pick(subject.products),
      seg: () => r.pick(subject.segments),
      place: () => r.pick(subject.places),
      co: () => (we ? 'we' : 'the Company'),
      our: () => (we ? 'our' : "the Company's"),
      us: () => (we ? 'us' : 'the Company'),
      pct: () => `${(r.unit() * 40).toFixed(1)}%`,
      money: () => `$${(r.unit() * 90 + 0.4).toFixed(1)} million`,
      num: () => String(r.int(2, 90)),
      year: () => String(year),
    };
  }

  sentence(subject: Subject): string {
    const frame: string = this.#random.pick(FRAMES[subject] as readonly string[]);
    return capital(
      frame.replace(/\{(\w+)\}/g, (_, slot: string) => {
        const word = this.#slots[slot.toLowerCase()]!();
        return /^[A-Z]/.test(slot) ? capital(word) : word;
      }),
    );
  }

  /** A paragraph of `from` to `to` sentences. */
  paragraph(subject: Subject, from = 3, to = from + 3): string {
    return Array.from({ length: this.#random.int(from, to) }, () => this.sentence(subject)).join(' ');
  }

  /** A heading of a few words: `Seasonal Valves and Related Agreements`. */
  title(): string {
    const [a, t, b, n] = ['a', 't', 'a', 'n'].map((slot) => capital(this.#slots[slot]!()));
    return `${a} ${t} and ${b} ${n}`;
  }
}

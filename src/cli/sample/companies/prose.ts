/** Passages of the texts in the voice and with the trade of one company. */
import type { Company } from './company.ts';
import { Random } from './random.ts';
import { TEXTS } from './texts.ts';

export type Subject = keyof typeof TEXTS;

export interface Passage {
  heading: string | null;
  text: string;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export class Prose {
  readonly #company: Company;
  readonly #year: number;
  readonly #slots: Record<string, () => string>;
  readonly #taken = new Map<Subject, number>();

  /** @param r for figures and names within sentences; @param year the year that the prose is about */
  constructor(r: Random, company: Company, year: number) {
    this.#company = company;
    this.#year = year;
    const { industry, isWe: we } = company;
    let place = r.int(0, company.places.length - 1);
    this.#slots = {
      co: () => (we ? 'we' : 'the Company'),
      our: () => (we ? 'our' : "the Company's"),
      us: () => (we ? 'us' : 'the Company'),
      good: () => r.pick(industry.goods.split(', ')),
      goods: () => industry.goods.replace(/, ([^,]+)$/, ' and $1'),
      buyers: () => industry.buyers,
      inputs: () => industry.inputs,
      rule: () => industry.rule,
      p: () => r.pick(company.products),
      seg: () => r.pick(company.segments),
      // One after the other, so that no sentence names a place twice.
      place: () => company.places[place++ % company.places.length]!,
      pct: () => `${(r.unit() * 28 + 1).toFixed(1)}%`,
      money: () => `$${(r.unit() * 90 + 0.4).toFixed(1)} million`,
      num: () => String(r.int(12, 90)),
      year: () => String(year),
    };
  }

  /** A passage is about one product, one of the goods and one segment. */
  fill(text: string): string {
    const same = new Map<string, string>();
    return text.replace(/\{(\w+)\}/g, (_, slot: string) => {
      const name = slot.toLowerCase();
      const word = same.get(name) ?? this.#slots[name]!();
      if (['p', 'good', 'seg'].includes(name)) same.set(name, word);
      return /^[A-Z]/.test(slot) ? capital(word) : word;
    });
  }

  /** The next passages of a subject, in this company's order, which begins one later each year. */
  take(subject: Subject, count: number): Passage[] {
    const { seed, id } = this.#company;
    const all = TEXTS[subject].trim().slice(2).split('\n* ');
    const order = new Random(seed, 'passages', id, subject).shuffle(all);
    const length = Math.min(count, all.length);
    const start = this.#taken.get(subject) ?? this.#year;
    this.#taken.set(subject, start + length);
    return Array.from({ length }, (_, i) => {
      const parts = this.fill(order[(start + i) % order.length]!.replace(/\s+/g, ' ')).split(' | ');
      return { heading: parts.length > 1 ? capital(parts[0]!) : null, text: capital(parts.at(-1)!) };
    });
  }
}

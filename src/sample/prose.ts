/** Sentences and paragraphs: frames filled with words drawn by Zipf's law, in the voice and with the trade of one company. */
import { grouped } from './amounts.ts';
import type { Random } from './random.ts';
import { FRAMES, type Subject } from './words/frames.ts';
import { ADJECTIVES, ADVERBS, NOUNS, VERBS } from './words/general.ts';

/** What the prose speaks about. */
export interface ProseSubject {
  voice: 'we' | 'company';
  /** nouns of the trade, plural */
  tradePlurals: readonly string[];
  products: readonly string[];
  segments: readonly string[];
  places: readonly string[];
  /** noun phrases that it is fond of */
  phrases: readonly string[];
}

/** Noun phrases for a company to be fond of. */
export function petPhrases(random: Random, tradePlurals: readonly string[], count: number): string[] {
  return Array.from({ length: count }, () => nounPhrase(random, tradePlurals));
}

const CONSONANT_DOUBLED = new Set(['ship', 'plan', 'control', 'transfer', 'defer', 'permit', 'submit', 'trim', 'stop']);

export function plural(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  if (/(s|x|ch|sh)$/.test(noun)) return `${noun}es`;
  return `${noun}s`;
}
function stem(verb: string): string {
  return CONSONANT_DOUBLED.has(verb) ? verb + verb.at(-1) : verb;
}
function past(verb: string): string {
  if (verb.endsWith('e')) return `${verb}d`;
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ied`;
  return `${stem(verb)}ed`;
}
function gerund(verb: string): string {
  return verb.endsWith('e') && !verb.endsWith('ee') ? `${verb.slice(0, -1)}ing` : `${stem(verb)}ing`;
}

const NOUN_PLURALS = NOUNS.map(plural);
/** Verbs that are written alike in past and present are left out: `reset` would need `reset`. */
const REGULAR_VERBS = VERBS.filter((verb) => !/^(cut|let|put|set|reset|offset)$/.test(verb));
const PAST = REGULAR_VERBS.map(past);
const GERUNDS = REGULAR_VERBS.map(gerund);
const THIRD = REGULAR_VERBS.map(plural);
const QUARTERS = ['first', 'second', 'third', 'fourth'];
const PREPOSITIONS = ['of', 'for', 'in', 'with', 'from', 'under', 'against', 'across', 'by', 'to'];

type Piece = string | { slot: string };

function compile(frame: string): Piece[] {
  return frame
    .split(/(\{\w+\})/)
    .filter((piece) => piece !== '')
    .map((piece) => (piece.startsWith('{') ? { slot: piece.slice(1, -1) } : piece));
}

const COMPILED = Object.fromEntries(
  Object.entries(FRAMES).map(([subject, frames]) => [subject, frames.map(compile)]),
) as unknown as Record<Subject | 'tail', Piece[][]>;

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function nounPhrase(r: Random, trade: readonly string[]): string {
  const nouns = () => (r.chance(0.22) ? r.zipf(trade) : r.zipf(NOUN_PLURALS));
  switch (r.int(0, 7)) {
    case 0:
      return `${r.zipf(ADJECTIVES)} ${nouns()}`;
    case 1:
      return `${r.zipf(ADJECTIVES)} ${nouns()} and ${nouns()}`;
    case 2:
      return `${nouns()} ${r.pick(PREPOSITIONS)} ${r.zipf(ADJECTIVES)} ${nouns()}`;
    case 3:
      return `${r.zipf(NOUNS)} ${nouns()}`;
    case 4:
      return `${nouns()} and ${r.zipf(ADJECTIVES)} ${nouns()}`;
    case 5:
      return `${r.zipf(ADJECTIVES)} ${r.zipf(NOUNS)} ${nouns()}`;
    case 6:
      return `the ${nouns()} ${r.pick(PREPOSITIONS)} ${nouns()}`;
    default:
      return nouns();
  }
}

export class Prose {
  readonly #random: Random;
  readonly #subject: ProseSubject;
  readonly #year: number;

  /** @param year the year that the prose is about: "in 2019", "until 2026" are around it */
  constructor(random: Random, subject: ProseSubject, year: number) {
    this.#random = random;
    this.#subject = subject;
    this.#year = year;
  }

  sentence(subject: Subject): string {
    return this.#fill(this.#random.pick(COMPILED[subject]));
  }

  /** A paragraph of so many sentences (a few more or less where a range is given). */
  paragraph(subject: Subject, from = 3, to = from + 3): string {
    const count = this.#random.int(from, to);
    let text = this.sentence(subject);
    for (let i = 1; i < count; i++) text += ` ${this.sentence(subject)}`;
    return text;
  }

  /** A heading of a few words: `Specialized Valves and Related Agreements`. */
  title(): string {
    const r = this.#random;
    const first = r.chance(0.6) ? r.pick(this.#subject.tradePlurals) : r.zipf(NOUN_PLURALS);
    const text = r.chance(0.5)
      ? `${r.zipf(ADJECTIVES)} ${first}`
      : `${first} and ${r.zipf(ADJECTIVES)} ${r.zipf(NOUN_PLURALS)}`;
    return text.replace(/(^|[ -])([a-z])(?!nd )/g, (_, gap: string, letter: string) => gap + letter.toUpperCase());
  }

  /** One line that states a risk, as risk factors are headed. */
  riskTitle(): string {
    return this.sentence('risk');
  }

  #fill(frame: Piece[]): string {
    let text = '';
    for (const piece of frame) text += typeof piece === 'string' ? piece : this.#slot(piece.slot);
    return text;
  }

  /** Companies have pet phrases: every other noun phrase is one of some dozens that all its filings share. */
  #nounPhrase(): string {
    const r = this.#random;
    return r.chance(0.55) ? r.zipf(this.#subject.phrases) : nounPhrase(r, this.#subject.tradePlurals);
  }

  #slot(slot: string): string {
    const r = this.#random;
    const we = this.#subject.voice === 'we';
    switch (slot) {
      case 'np':
      case 'nps':
        return this.#nounPhrase();
      case 'Np':
      case 'Nps':
        return capital(this.#nounPhrase());
      case 'n':
        return r.zipf(NOUNS);
      case 'ns':
        return r.zipf(NOUN_PLURALS);
      case 'ins':
        return r.zipf(this.#subject.tradePlurals);
      case 'a':
        return r.zipf(ADJECTIVES);
      case 'A':
        return capital(r.zipf(ADJECTIVES));
      case 'adv':
        return r.zipf(ADVERBS);
      case 'v':
        return r.zipf(REGULAR_VERBS);
      case 'vd':
        return r.zipf(PAST);
      case 'vg':
        return r.zipf(GERUNDS);
      case 'v3':
        return r.zipf(THIRD);
      case 'p':
      case 'P':
        return r.zipf(this.#subject.products);
      case 'seg':
        return r.pick(this.#subject.segments);
      case 'place':
        return r.zipf(this.#subject.places);
      case 'co':
        return we ? 'we' : 'the Company';
      case 'Co':
        return we ? 'We' : 'The Company';
      case 'our':
        return we ? 'our' : "the Company's";
      case 'Our':
        return we ? 'Our' : "The Company's";
      case 'us':
        return we ? 'us' : 'the Company';
      case 's':
        return we ? '' : 's';
      case 'pct':
        return `${(r.unit() * r.int(4, 60)).toFixed(1)}%`;
      case 'money':
        return r.chance(0.7) ? `$${(r.unit() * 90 + 0.4).toFixed(1)} million` : `$${grouped(r.int(11, 990) * 1000)}`;
      case 'smallmoney':
        return `$${(r.unit() * 80 + 1).toFixed(2)}`;
      case 'num':
        return String(r.int(2, 90));
      case 'bignum':
        return grouped(r.int(8, 900) * 250);
      case 'pastyear':
        return String(this.#year - r.int(1, 9));
      case 'futureyear':
        return String(this.#year + r.int(1, 6));
      case 'latefutureyear':
        return String(this.#year + r.int(8, 18));
      case 'year':
        return String(this.#year);
      case 'date':
        return `${r.pick(['January', 'March', 'May', 'June', 'August', 'October'])} ${r.int(1, 28)}, ${this.#year}`;
      case 'quarter':
        return r.pick(QUARTERS);
      case 'tail':
        return r.chance(0.45) ? this.#fill(r.pick(COMPILED.tail)) : '';
      default:
        throw new Error(`a sentence frame has the unknown slot {${slot}}`);
    }
  }
}

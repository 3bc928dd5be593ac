/** Compares EDGAR's own extraction of inline facts (`…_htm.xml`) with our reading: a proof in each filing. */
import type { Row } from '../map/descriptor.ts';
import type { FilingProblems } from '../map/document-rows.ts';
import { MAPPING_VERSION } from '../map/problems.ts';
import { characterData } from './markup/character-data.ts';
import { xbrlFacts } from './model/tables.ts';

interface Waiting {
  readonly key: string;
  readonly path: string;
  count: number;
}

export class ExtractionCheck {
  readonly #file: string;
  readonly #problems: FilingProblems;
  /** Facts of the extraction without a match among ours yet, by all compared values. */
  readonly #waiting = new Map<string, Waiting>();
  /** Our facts without a match. */
  readonly #unmatched: { key: string; path: string; value: string }[] = [];
  #facts = 0;
  #extracted = 0;
  #equal = 0;

  /** @param extracted rows of the extraction, read like any instance */
  constructor(file: string, extracted: Iterable<Row>, problems: FilingProblems) {
    this.#file = file;
    this.#problems = problems;
    for (const row of extracted) {
      this.#extracted++;
      const key = keyOf(row);
      const whole = `${key}\n${restOf(row)}`;
      const waiting = this.#waiting.get(whole);
      if (waiting) waiting.count++;
      else this.#waiting.set(whole, { key, path: pathOf(row), count: 1 });
    }
  }

  /** One of our rows. */
  add(row: Row): void {
    this.#facts++;
    const key = keyOf(row);
    const waiting = this.#waiting.get(`${key}\n${restOf(row)}`);
    if (waiting !== undefined && waiting.count > 0) {
      waiting.count--;
      this.#equal++;
    } else this.#unmatched.push({ key, path: pathOf(row), value: String(row.value).slice(0, 1000) });
  }

  /** The result. Facts that differ, or that only one side has, are named among the problems. */
  row(): Row {
    const left = new Map<string, number>();
    for (const { key, count } of this.#waiting.values()) if (count > 0) left.set(key, (left.get(key) ?? 0) + count);
    let differ = 0;
    for (const { key, path, value } of this.#unmatched) {
      const count = left.get(key) ?? 0;
      if (count > 0) {
        left.set(key, count - 1);
        differ++;
      }
      this.#name(path, value);
    }
    for (const { key, path } of this.#waiting.values()) {
      const count = left.get(key) ?? 0;
      if (count === 0) continue;
      left.delete(key);
      this.#name(path, `${count} in the extraction only`);
    }
    return {
      accession_number: this.#problems.accessionNumber,
      file: this.#file,
      facts: this.#facts,
      extracted: this.#extracted,
      equal: this.#equal,
      differ,
      mapping_version: MAPPING_VERSION,
    };
  }

  #name(path: string, value: string): void {
    this.#problems.add(this.#file, 'differs', value, { path, table: xbrlFacts.name, column: 'value' });
  }
}

/** The identity of a fact. */
function keyOf(row: Row): string {
  const local = String(row.concept).replace(/^[^:]*:/, '');
  return [
    row.concept_namespace,
    local,
    row.entity_cik,
    row.period_start,
    row.period_end,
    row.unit,
    row.dimensions,
    row.fact_id,
  ].join('\n');
}

/** The value of a fact: spacing and attributes of markup don't count. */
function restOf({ decimals, is_nil, unit, value }: Row): string {
  const text = value as string | null;
  return [decimals, is_nil, text === null ? null : unit === null ? fingerprint(text) : plainNumber(text)].join('\n');
}

function pathOf(row: Row): string {
  return String(row.fact_id ?? row.concept);
}

function plainNumber(text: string): string {
  const number = text.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1');
  const short = number.includes('.') ? number.replace(/\.?0+$/, '') : number;
  return short === '-0' ? '0' : short;
}

/** A fingerprint of letters, digits and punctuation: two numbers of 32 bits, and the number of characters. */
function fingerprint(text: string): string {
  const squashed = characterData(text).replace(/\s+/g, '');
  let one = 0x811c9dc5;
  let two = 0x9747b28c;
  for (let i = 0; i < squashed.length; i++) {
    const code = squashed.charCodeAt(i);
    one = Math.imul(one ^ code, 0x01000193);
    two = Math.imul(two ^ code, 0x5bd1e995) ^ (two >>> 15);
  }
  return `${squashed.length} ${one >>> 0} ${two >>> 0}`;
}

/** Random numbers that depend on nothing but their keys: filing 70,000 is the same whether or not the 69,999 before it were made. */

/** Mixes 32-bit words into one (murmur3's finalizer between steps). */
function mix(hash: number, word: number): number {
  let h = Math.imul(hash ^ word, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

function textHash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}

/** A generator (sfc32) seeded by keys: numbers (53 bits are used) and words. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d = 1;

  constructor(...keys: readonly (number | string)[]) {
    let h = 0x9e3779b9;
    let g = 0x243f6a88;
    for (const key of keys) {
      const low = typeof key === 'number' ? key >>> 0 : textHash(key);
      const high = typeof key === 'number' ? Math.floor(key / 0x1_0000_0000) >>> 0 : key.length;
      h = mix(mix(h, low), high);
      g = mix(g ^ h, low + 0x7f4a7c15);
    }
    this.#a = h;
    this.#b = g;
    this.#c = mix(h, g);
    for (let i = 0; i < 8; i++) this.bits();
  }

  /** 32 random bits. */
  bits(): number {
    const t = (((this.#a + this.#b) | 0) + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + t;
    this.#c |= 0;
    return t >>> 0;
  }

  /** In [0, 1). */
  unit(): number {
    return this.bits() / 0x1_0000_0000;
  }

  /** An integer of [low, high], both ends included. */
  int(low: number, high: number): number {
    return low + Math.floor(this.unit() * (high - low + 1));
  }

  between(low: number, high: number): number {
    return low + this.unit() * (high - low);
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.unit() * list.length)]!;
  }

  /** One of the values, each as often as its weight says. */
  weighted<T>(choices: readonly (readonly [T, number])[]): T {
    let at = this.unit() * choices.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [value, weight] of choices) {
      at -= weight;
      if (at < 0) return value;
    }
    return choices[choices.length - 1]![0];
  }

  /** The same, from text: `8-K:52, 4:7`. */
  mix(choices: string): string {
    const pairs = choices.split(', ').map((one) => one.split(':') as [string, string]);
    return this.weighted(pairs.map(([value, weight]) => [value, Number(weight)]));
  }

  /** A copy. */
  shuffle<T>(list: readonly T[]): T[] {
    const copy = [...list];
    for (let i = copy.length - 1; i > 0; i--) {
      const j = this.int(0, i);
      [copy[i], copy[j]] = [copy[j]!, copy[i]!];
    }
    return copy;
  }

  /** Letters, digits or other symbols of an alphabet. */
  symbols(alphabet: string, length: number): string {
    return Array.from({ length }, () => this.pick([...alphabet])).join('');
  }
}

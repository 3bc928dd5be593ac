/** A hash in plain JavaScript: workflows bundle this room, and have no node:crypto. */

const LOW = 0xdeadbeef;
const HIGH = 0x41c6ce57;
const LOW_FACTOR = 0x9e3779b1;
const HIGH_FACTOR = 0x5f356495;

/**
 * A hash of a sequence of texts: 64 bits as 16 hexadecimal digits, over the UTF-16 code units. For telling versions of one record
 * apart, not for security: two versions of a filing collide once in 2^64.
 */
export class TextHash {
  #low = LOW;
  #high = HIGH;

  add(text: string): this {
    let low = this.#low;
    let high = this.#high;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      low = Math.imul(low ^ code, LOW_FACTOR);
      high = Math.imul(high ^ code, HIGH_FACTOR);
    }
    this.#low = low;
    this.#high = high;
    return this;
  }

  /** The digest of everything added so far. Then the hash starts again. */
  take(): string {
    let low = this.#low;
    let high = this.#high;
    this.#low = LOW;
    this.#high = HIGH;
    low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
    high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
    return hex(high) + hex(low);
  }
}

export function hash64(text: string): string {
  return new TextHash().add(text).take();
}

/** The two digits of each byte: Number.toString would take as long as everything else. */
const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function hex(word: number): string {
  return BYTES[word >>> 24]! + BYTES[(word >>> 16) & 255]! + BYTES[(word >>> 8) & 255]! + BYTES[word & 255]!;
}

/** JSON with the members of every object sorted by name: equal values, equal text. Absent members are left out. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}

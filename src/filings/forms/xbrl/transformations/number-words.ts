/** English words for whole numbers: `eighteen million three hundred thousand and fifty-one`. */

const SMALL = new Map(
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
    .split(' ')
    .map((word, index) => [word, index + 1]),
);
const TENS = new Map(
  'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ').map((word, index) => [word, 10 * (index + 2)]),
);
const SCALES = ['thousand', 'million', 'billion', 'trillion', 'quadrillion', 'quintillion'];

/** Hyphens and dashes within numbers. */
export const HYPHENS = '\\-\\u058a\\u05be\\u2010-\\u2015\\ufe58\\ufe63\\uff0d';
const HYPHENATED = new RegExp(`(\\w*ty)[${HYPHENS}](\\w+)`, 'g');

/** @param text in lower case. @returns null if it is not such a number; zero has its own words */
export function numberInWords(text: string): bigint | null {
  const words = text
    .replace(HYPHENATED, '$1 $2')
    .replace(/\s*,\s*/g, ' ')
    .split(/\s+/);
  let at = 0;
  let total = 0n;
  let below = SCALES.length;
  while (at < words.length) {
    if (words[at] === 'and' && at > 0) at++;
    const group = groupAt(words, at);
    if (group === null) return null;
    at = group.end;
    const scale = SCALES.indexOf(words[at] ?? '');
    if (scale >= 0) at++;
    if (scale >= below || below < 0) return null;
    below = scale;
    total += BigInt(group.value) * 1000n ** BigInt(scale + 1);
  }
  return total;
}

/** `three hundred and twelve`, `fifty one`, `seven`. */
function groupAt(words: readonly string[], start: number): { value: number; end: number } | null {
  const first = belowHundred(words, start);
  if (first === null || words[first.end] !== 'hundred') return first;
  if (first.value > 19) return null;
  const end = first.end + 1;
  const rest = belowHundred(words, words[end] === 'and' ? end + 1 : end);
  return rest === null ? { value: first.value * 100, end } : { value: first.value * 100 + rest.value, end: rest.end };
}

function belowHundred(words: readonly string[], at: number): { value: number; end: number } | null {
  const tens = TENS.get(words[at] ?? '');
  if (tens === undefined) {
    const small = SMALL.get(words[at] ?? '');
    return small === undefined ? null : { value: small, end: at + 1 };
  }
  const unit = SMALL.get(words[at + 1] ?? '');
  return unit !== undefined && unit < 10 ? { value: tens + unit, end: at + 2 } : { value: tens, end: at + 1 };
}

/** Numbers of tables as filers print them. */

export interface PrintedNumber {
  /** Decimal: `-1234.5` */
  number: string;
  unit: string | null;
  /** Marks of footnotes behind it */
  marks: string;
}

const NUMBER =
  /^(?<sign>[-\u2212\u2013]?)\s*(?<currency>(?:US|C|A|NT|HK)?[$\u20ac\u00a3\u00a5])?\s*(?<open>\()?\s*(?<sign2>[-\u2212\u2013]?)\s*(?<currency2>[$\u20ac\u00a3\u00a5])?\s*(?<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)\s*(?<percent>%)?\s*(?<close>\))?\s*(?<percent2>%|x|bps?)?\s*(?<marks>(?:\((?:\d{1,2}|[a-z])\)\s*|[*\u2020\u2021])*)$/i;
/** Digits and decimals that a number may have. */
const DIGITS_MAX = 26;

/** Null if the text is not one number. A dash alone is none: filers mean zero, or nothing. */
export function parseNumber(text: string): PrintedNumber | null {
  if (text.length > 60) return null;
  const groups = NUMBER.exec(text)?.groups;
  if (groups === undefined) return null;
  const { sign, sign2, open, close, digits, currency, currency2, percent, percent2, marks } = groups;
  // `(1)` alone is a mark or the number of a row as often as a negative one.
  if ((open === undefined) !== (close === undefined)) return null;
  if (open !== undefined && /^\d$/.test(digits!) && !currency && !currency2 && !percent && !percent2) return null;
  const plain = digits!.replaceAll(',', '');
  const [whole = '', decimals = ''] = plain.split('.');
  if (whole.length > DIGITS_MAX || decimals.length > 12) return null;
  const isNegative = open !== undefined || sign !== '' || sign2 !== '';
  const value = `${whole.replace(/^0+(?=\d)/, '') || '0'}${decimals === '' ? '' : `.${decimals}`}`;
  return {
    number: isNegative && /[1-9]/.test(value) ? `-${value}` : value,
    unit: currency ?? currency2 ?? percent ?? percent2 ?? null,
    marks: marks?.replace(/\s+/g, '') ?? '',
  };
}

const SCALES: readonly [RegExp, number][] = [
  [/\bin billions\b|\bbillions of (?:u\.?s\.? )?dollars\b|\b(?:dollars|amounts|\$|u\.s\. dollars) in billions\b/i, 9],
  [/\bin millions\b|\bmillions of (?:u\.?s\.? )?dollars\b|^millions\b|\bmillions except\b|\$ ?millions\b/i, 6],
  [/\bin thousands\b|\bthousands of (?:u\.?s\.? )?dollars\b|^thousands\b|^000(?:'s|s)?\b|\$ ?000/i, 3],
];

/** The scale that words state: the nearest to the table, its first: `in millions, except shares in thousands`. */
export function scaleOf(words: string): number | null {
  const statements = words.split(/[()\n]|\.\s/);
  for (let k = statements.length - 1; k >= 0; k--) {
    let found: { at: number; scale: number } | null = null;
    for (const [pattern, scale] of SCALES) {
      const at = statements[k]!.search(pattern);
      if (at >= 0 && (found === null || at < found.at)) found = { at, scale };
    }
    if (found !== null) return found.scale;
  }
  return null;
}

/** In what the numbers of a printed statement are: scale, currency, and unit of each line. */
export interface Scale {
  /** Power of ten; null: no words say it. */
  readonly money: number | null;
  readonly shares: number | null;
  /** Null: another than those that are known */
  readonly currency: string | null;
}

const POWERS: Readonly<Record<string, number>> = { thousand: 3, million: 6, billion: 9 };
const STATED =
  /\b(?:in|of|dollars|amounts|expressed|stated)\s+(?:(?:u\.?s\.?|\$)\s*)?(?:thousand|million|billion)s\b|(?:^|[(,;:$\n])\s*(?:thousand|million|billion)s\b|(?<![\d,.])0{3}(?:'|’)?s?\b(?! ?,)/gi;

function powerIn(words: string): number | null {
  const power = POWERS[/(thousand|million|billion)/i.exec(words)?.[1]?.toLowerCase() ?? ''];
  return power ?? (/(?<![\d,.])0{3}(?:'|’)?s?\b/.test(words) ? 3 : null);
}

/** Currencies and scales that nobody asked for yet */
const OTHERS =
  /\bten thousands\b|\bhundreds? of thousands\b|\bpesos?\b|\bfrancs?\b|\bmarks\b|\bdm\b|\bshekels?\b|\bnis\b|\bkron(?:or|er|e|a)\b|\brand\b|\brupees?\b|\bwon\b|\breais\b|\blir[ae]\b|\bguilders?\b|\b(?:hong kong|australian|new zealand|singapore|taiwan) dollars?|\b(?:hk|nt|[as])\$/i;

/** @param words above the numbers of a statement */
export function scaleIn(words: string): Scale {
  const currency = /\bcanadian dollars?|\bC(?:DN|AD)?\$|\bcdn\b/i.test(words)
    ? 'CAD'
    : /\b(?:renminbi|rmb)\b/i.test(words)
      ? 'CNY'
      : /\byen\b/i.test(words)
        ? 'JPY'
        : /\beuros?\b|€/i.test(words)
          ? 'EUR'
          : /\bpounds sterling\b|£/i.test(words)
            ? 'GBP'
            : OTHERS.test(words)
              ? null
              : 'USD';
  const money =
    [...words.matchAll(STATED)].map(({ 0: stated }) => powerIn(stated)).find((power) => power !== null) ??
    (/\(\s*(?:\w+ )?in (?:u\.?s\.? )?dollars\s*\)/i.test(words) ? 0 : null);
  return { money, shares: sharesScale(words, money), currency };
}

/** Words among a statement's rows that say its scale, and not that of a line of shares */
export const mayScale = (words: string): boolean =>
  words.length < 160 && (!/\bshares\b/i.test(words) || /\bexcept\b|\$|\bdollars\b/i.test(words));

/** `in millions, except number of shares, which are in thousands`, `in thousands, except share and per share data` */
function sharesScale(words: string, money: number | null): number | null {
  const plain = words.replace(/\bper[- ](?:\w+[- ])?(?:share|unit)(?: data| amounts| information)?/gi, '');
  const own =
    /\bshares?\b[^()$]{0,50}?\bin (thousand|million)s/i.exec(plain) ?? /\b(thousand|million)s of shares/i.exec(plain);
  if (own !== null && /\bexcept\b|\bshares in\b|of shares/i.test(plain)) return POWERS[own[1]!.toLowerCase()]!;
  return /\bexcept\b[^()]*\b(?:shares?|units?)\b/i.test(plain) ? 0 : money;
}

export type LineUnit = 'money' | 'per share' | 'shares';

const SHARES =
  /\b(?:weighted|average|number of|outstanding)\b.*\b(?:shares|units|stock)\b|\b(?:shares|units)\b.*\b(?:outstanding|used|average|weighted|basic|dilut\w*)\b|^\W*(?:common |ordinary )?shares\b/i;
const PER_SHARE = /\bper\b.{0,60}?\b(?:share|unit|ads)s?(?:\b|\d)|\b(?:earnings|income|loss)\b.{0,20} a share|\beps\b/i;

/** What the words of a line, or of a heading above it, say of its unit. */
export function unitIn(words: string): LineUnit | null {
  const [shares, per] = [words.search(SHARES), words.search(PER_SHARE)];
  if (shares >= 0 && (per < 0 || shares <= per)) return 'shares';
  return per >= 0 ? 'per share' : null;
}

/** The scale that a line states of itself: `Shares (in thousands)` */
export const ownScale = (words: string): number | null => {
  const inside = /\(([^()]*)\)/.exec(words)?.[1] ?? '';
  return /^\s*(?:in\s+|000|\$)/i.test(inside) || /\bin (?:thousands|millions)\b/i.test(words)
    ? powerIn(inside === '' ? words : `${inside} ${words}`)
    : null;
};

/** Names of columns and of XML elements as people write them, and numbers. */
import type { FormColumn } from '../../filings/forms/index.ts';
import { LABELS } from './layouts.ts';

const ACRONYMS = /\b(?:cik|cusip|lei|isin|figi|crd|irs|usd|sec|nav|id|url|lp|llc|ats|etf|var|inc)\b/gi;
/** What EDGAR shortens in names of elements. */
const SHORTENED: Readonly<Record<string, string>> = {
  rpt: 'reporting',
  shrs: 'shares',
  amt: 'amount',
  prnamt: 'principal amount',
  invst: 'investment',
  pct: 'percent',
  val: 'value',
  cur: 'currency',
  num: 'number',
  dt: 'date',
};

/** `is_director` as "Director", `total_amount_sold` in dollars as "Total amount sold, $". */
export function columnLabel({ name, type, meaning }: Pick<FormColumn, 'name' | 'type' | 'meaning'>): string {
  const known = LABELS[name];
  if (known !== undefined) return known;
  const label = sentence(
    name
      .replace(/^is_/, '')
      .replaceAll('_', ' ')
      .replace(/([a-z])(\d)/g, '$1 $2'),
  );
  if (!type.startsWith('DECIMAL')) return label;
  if (/\bdollars\b/.test(meaning)) return `${label}, $`;
  return /\bper cent\b/.test(meaning) ? `${label}, %` : label;
}

/** `ns1:nameOfIssuer` as "Name of issuer", `a/rptOwnerCik` as "A: reporting owner CIK". */
export function elementLabel(path: string): string {
  const parts = path.split('/').map((part) =>
    part
      .slice(part.indexOf(':') + 1)
      .replace(/^@/, '')
      .replace(/[._-]+/g, ' ')
      .replace(/([a-z\d])([A-Z])/g, '$1 $2')
      .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
      .replace(/([a-z])(\d)/g, '$1 $2')
      .replace(/\b[A-Z][a-z]+\b/g, (word) => word.toLowerCase())
      .replace(/\b[a-z]+\b/g, (word) => SHORTENED[word] ?? word),
  );
  return sentence(parts.join(': '));
}

function sentence(words: string): string {
  const text = words.replace(ACRONYMS, (word) => word.toUpperCase());
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** 1234567.500 as 1,234,567.5; years and numbers of things as they are, twelve decimals of a per cent as four. @param label of the column */
export function numberText(value: string, label = ''): string {
  const isLong = label.endsWith('%') && /\.\d{5}/.test(value) && Math.abs(Number(value)) >= 0.01;
  const [whole = '', rest = ''] = (isLong ? Number(value).toFixed(4) : value).split('.');
  const digits = rest.replace(/0+$/, '');
  const fraction = digits.length === 1 && /\$|price/i.test(label) ? `${digits}0` : digits;
  const grouped = /year|number|\bno$|^since$/i.test(label) ? whole : whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return `${grouped.replace('-', '−')}${fraction === '' ? '' : `.${fraction}`}`;
}

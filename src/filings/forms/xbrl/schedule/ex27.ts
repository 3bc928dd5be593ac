/** EX-27: financial data schedules of 1993 to 2001. Tags have values in columns. */
import type { Row } from '../../map/descriptor.ts';
import { MAPPING_VERSION } from '../../map/problems.ts';
import { convert, type Misfit } from '../../map/values.ts';

type Named = (reason: Misfit, value: string, tag: string, column: string) => void;

/** Tags about the values of a column. */
const ABOUT = 'PERIOD-TYPE FISCAL-YEAR-END PERIOD-START PERIOD-END MULTIPLIER CURRENCY EXCHANGE-RATE NAME CIK'.split(
  ' ',
);
/** Tags of the table and its words, not of its values. */
const FRAME = new Set('TABLE S C PAGE CAPTION LEGEND FN ARTICLE RESTATED SERIES NUMBER'.split(' '));

/** Tags of values per share, ratios and yields: the multiplier is of amounts alone. */
const UNSCALED = /^(?:EPS-|PER-SHARE-|RETURNS-OF-CAPITAL$|EXPENSE-RATIO$|YIELD-)|-PER-SHARE$/;

const TAG = /^[ \t]*<([A-Z][A-Z0-9&/.-]*)>(.*)$/;
const NOTE = /<F(\d+)>/g;

/** Whether a document is a schedule, by its type or, if it has none, by its tags. */
export function isSchedule(type: string | null, text: string): boolean {
  const head = type === null ? text.slice(0, 4000) : text;
  return (
    (type === null || /^EX-27/i.test(type)) &&
    /^[ \t]*<ARTICLE>/m.test(head) &&
    /^[ \t]*<(?:FISCAL-YEAR|PERIOD)-END>/m.test(head)
  );
}

/** Rows of a schedule, one for each tag and column with a value. */
export function* scheduleRows(
  accessionNumber: string | null,
  file: string,
  text: string,
  named: Named,
): Generator<Row> {
  const lines = text.split(/\r\n?|\n/);
  const notes = footnotes(lines);
  let article: string | null = null;
  let about = new Map<string, string[]>();
  let position = 0;
  let inWords = false;
  for (const line of lines) {
    const match = TAG.exec(line);
    if (/<\/(?:LEGEND|FN)>/.test(line)) inWords = false;
    if (match === null) continue;
    const [, tag, rest] = match as unknown as [string, string, string];
    if (tag === 'LEGEND' || tag === 'FN') inWords = !rest.includes(`</${tag}>`);
    if (inWords) continue;
    if (tag === 'ARTICLE') {
      // Several schedules in one document, each with all its tags.
      article = rest.trim() || null;
      about = new Map();
    } else if (tag === 'MULTIPLIER')
      about.set(
        tag,
        values(rest).map((value) => numberOf(value, (reason) => named(reason, value, tag, 'multiplier')) ?? ''),
      );
    else if (ABOUT.includes(tag)) about.set(tag, SPACED.has(tag) ? spaced(rest) : values(rest));
    if (FRAME.has(tag) || ABOUT.includes(tag) || /^F\d+$/.test(tag)) continue;
    for (const [column, value] of values(rest).entries()) {
      const of = (name: string) => about.get(name)?.[column] ?? about.get(name)?.[0] ?? null;
      const plain = value.replace(NOTE, '');
      if (plain === '') continue;
      const number = numberOf(plain, (reason) => named(reason, value, tag, 'value'));
      const multiplier = of('MULTIPLIER') || null;
      yield {
        accession_number: accessionNumber,
        file,
        position: position++,
        article,
        tag,
        column_number: column,
        text: plain,
        value: number,
        multiplier,
        value_scaled: UNSCALED.test(tag) ? number : scaled(number, multiplier),
        currency: of('CURRENCY'),
        period_type: of('PERIOD-TYPE'),
        fiscal_year_end: dayOf(of('FISCAL-YEAR-END')),
        period_start: dayOf(of('PERIOD-START')),
        period_end: dayOf(of('PERIOD-END')),
        name: of('NAME'),
        footnotes: [...value.matchAll(NOTE)].map(([, number]) => notes.get(number!) ?? '').join(' ') || null,
        mapping_version: MAPPING_VERSION,
      };
    }
  }
}

/** Tags whose values have spaces: `U.S. DOLLARS`. */
const SPACED = new Set(['CURRENCY', 'NAME']);

function spaced(text: string): string[] {
  return text
    .split(/\t+|\s{2,}/)
    .filter((value) => value !== '')
    .map((value) => value.trim());
}

/** Values of the columns: `(2,440)`, `0<F1>`, `SEP-30-1994`. */
function values(text: string): string[] {
  return text
    .replace(/\(\s+/g, '(')
    .replace(/\s+\)/g, ')')
    .replace(/\$\s*/g, '')
    .replace(/\s+(?=<F\d+>)/g, '')
    .split(/\s+/)
    .filter((value) => value !== '');
}

function numberOf(text: string | null, misfit: (reason: Misfit) => void): string | null {
  if (text === null) return null;
  const negative = /^\((.*)\)$/.exec(text);
  const digits = (negative?.[1] ?? text).replaceAll(',', '');
  const number = convert('DECIMAL(38,12)', digits, misfit) as string | null;
  return number !== null && negative && /[1-9]/.test(number) ? `-${number}` : number;
}

/** Value times multiplier, exactly. */
function scaled(value: string | null, multiplier: string | null): string | null {
  if (value === null || multiplier === null) return value;
  const [a, b] = [value, multiplier].map((text) => text.split('.') as [string, string?]);
  const places = (a![1] ?? '').length + (b![1] ?? '').length;
  const product = String(BigInt(a!.join('')) * BigInt(b!.join('')));
  if (places === 0) return product;
  const digits = product.replace('-', '').padStart(places + 1, '0');
  const text = `${digits.slice(0, -places)}.${digits.slice(-places)}`.replace(/\.?0+$/, '');
  return convert('DECIMAL(38,12)', product.startsWith('-') ? `-${text}` : text, () => {}) as string | null;
}

const MONTHS = 'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ');

/** `SEP-30-1994`; null if it is not a day. */
function dayOf(text: string | null): string | null {
  const match = /^([A-Z]{3})-(\d{1,2})-(\d{4})$/i.exec(text ?? '');
  const month = MONTHS.indexOf(match?.[1]?.toUpperCase() ?? '') + 1;
  if (match === null || month === 0) return null;
  return convert('DATE', `${month}/${match[2]}/${match[3]}`, () => {}) as string | null;
}

/** Words after `<F1>` in the list at the end. */
function footnotes(lines: readonly string[]): Map<string, string> {
  const start = lines.findIndex((line) => /^[ \t]*<FN>/.test(line));
  const notes = new Map<string, string>();
  if (start < 0) return notes;
  const list = lines
    .slice(start)
    .join(' ')
    .replace(/<\/FN>.*/, '');
  for (const [, number, words] of list.matchAll(/<F(\d+)>([^<]*)/g))
    notes.set(number!, words!.replace(/\s+/g, ' ').trim());
  return notes;
}

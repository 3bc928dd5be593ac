/** Transformation registries by namespace. One name may be another transformation in each. */
import { DATES_1, DATES_2, DATES_3, DATES_4, DATES_5 } from './dates.ts';
import { DURATIONS } from './durations.ts';
import { HYPHENS, numberInWords } from './number-words.ts';
import { NUMBERS_1, NUMBERS_2, NUMBERS_3, NUMBERS_4, NUMBERS_5, type Transformation } from './numbers.ts';
import { PLACES } from './places.ts';

type Registry = Readonly<Record<string, Transformation>>;

const always =
  (value: string): Transformation =>
  () =>
    value;

const FIXED_2: Registry = { booleanfalse: always('false'), booleantrue: always('true'), nocontent: always('') };
const FIXED_4: Registry = { 'fixed-empty': always(''), 'fixed-false': always('false'), 'fixed-true': always('true') };

const EDGES = /^[ \t\n\r]+|[ \t\n\r]+$/g;

function ballotBox(no: string, yes: string): Transformation {
  return (text) => {
    const box = text.replace(EDGES, '');
    return box === '\u2610' ? no : box === '\u2611' || box === '\u2612' ? yes : null;
  };
}

const WORDS = new RegExp(`^[A-Za-z](?:[A-Za-z\\s,]|[${HYPHENS}])*$`);

const numberWords: Transformation = (text) => {
  const words = text.replace(EDGES, '').toLowerCase();
  if (/^(?:zero|none|no|nil)$/.test(words)) return '0';
  if (!WORDS.test(words) || /\s$/.test(words)) return null;
  return numberInWords(words)?.toString() ?? null;
};

const QUARTERS: Readonly<Record<string, string>> = {
  1: '03-31',
  first: '03-31',
  2: '06-30',
  second: '06-30',
  3: '09-30',
  third: '09-30',
  4: '12-31',
  fourth: '12-31',
  last: '12-31',
};
const QUARTER = '(?<q>[1-4]|first|second|third|fourth|last)';
const QUARTER_YEAR = new RegExp(`^(?:(?!\\d{2})\\w\\D*)?${QUARTER}\\D*(?<y>\\d{4})$`, 'i');
const YEAR_QUARTER = new RegExp(`^(?<y>\\d{4})\\D*${QUARTER}(?:(?!\\d).*\\w)?$`, 'i');

const quarterEnd: Transformation = (text) => {
  const trimmed = text.replace(EDGES, '');
  const groups = (QUARTER_YEAR.exec(trimmed) ?? YEAR_QUARTER.exec(trimmed))?.groups;
  return groups ? `${groups.y}-${QUARTERS[groups.q!.toLowerCase()]}` : null;
};

const FILER_CATEGORIES: readonly (readonly [RegExp, string])[] = [
  [/^large\s+accelerated\s+filer$/i, 'Large Accelerated Filer'],
  [/^accelerated\s+filer$/i, 'Accelerated Filer'],
  [/^non[^\w]+accelerated\s+filer$/i, 'Non-accelerated Filer'],
];

const filerCategory: Transformation = (text) => {
  const trimmed = text.replace(EDGES, '');
  return FILER_CATEGORIES.find(([pattern]) => pattern.test(trimmed))?.[1] ?? null;
};

const SEC: Registry = {
  ...DURATIONS,
  ...PLACES,
  boolballotbox: ballotBox('false', 'true'),
  yesnoballotbox: ballotBox('No', 'Yes'),
  datequarterend: quarterEnd,
  entityfilercategoryen: filerCategory,
  numinf: always('INF'),
  numneginf: always('-INF'),
  numnan: always('NaN'),
  numwordsen: numberWords,
};

const XBRL = 'http://www.xbrl.org/inlineXBRL/transformation/';

const REGISTRIES: ReadonlyMap<string, Registry> = new Map<string, Registry>([
  ['http://www.xbrl.org/2008/inlineXBRL/transformation', { ...NUMBERS_1, ...DATES_1 }],
  [`${XBRL}2010-04-20`, { ...NUMBERS_1, ...DATES_1 }],
  [`${XBRL}2011-07-31`, { ...NUMBERS_2, ...DATES_2, ...FIXED_2 }],
  [`${XBRL}2015-02-26`, { ...NUMBERS_3, ...DATES_3, ...FIXED_2 }],
  [`${XBRL}2020-02-12`, { ...NUMBERS_4, ...DATES_4, ...FIXED_4 }],
  [`${XBRL}2022-02-16`, { ...NUMBERS_5, ...DATES_5, ...FIXED_4 }],
  ['http://www.sec.gov/inlineXBRL/transformation/2015-08-31', SEC],
]);

/** @returns null if no registry has such a transformation */
export function transformation(namespace: string, name: string): Transformation | null {
  const registry = REGISTRIES.get(namespace);
  return registry !== undefined && Object.hasOwn(registry, name) ? registry[name]! : null;
}

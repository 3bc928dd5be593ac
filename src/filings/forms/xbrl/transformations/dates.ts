/** Transformations of dates: to YYYY-MM-DD, YYYY-MM or --MM-DD. */
import { monthNames } from './month-names.ts';
import { asciiDigits, type Transformation } from './numbers.ts';

const EDGE = '[ \\t\\n\\r]*';
const DAY = '(?<d>\\d{1,2})';
const YEAR = '(?<y>\\d{4}|\\d{1,2})';
const BETWEEN = '\\D+';

/** @param order of the parts: `dmy`, `my`, `ym` … @param language of the month's name; null: a number */
function dateIn(order: string, language: string | null = null): Transformation {
  let found: { pattern: RegExp; month: (text: string) => number } | null = null;
  return (text) => {
    found ??= patternOf(order, language);
    const match = found.pattern.exec(normal(text, language));
    if (match === null) return null;
    const { d: day, m: month, y: year } = match.groups as Record<string, string | undefined>;
    return dateText(year, found.month(month!), day);
  };
}

function patternOf(order: string, language: string | null): { pattern: RegExp; month: (text: string) => number } {
  const names = language === null ? null : monthNames(language);
  const pieces = [...order].map((part, place) => {
    if (part === 'd') return place === order.length - 1 ? `${DAY}[A-Za-z]{0,2}` : DAY;
    if (part === 'y') return YEAR;
    if (names === null) return '(?<m>\\d{1,2})';
    // English names may follow a letter (`5thMarch`); in other languages beginnings of names occur within other words.
    const start = language === 'en' ? '' : '(?<![\\p{L}\\p{M}])';
    const end = language === 'en' ? '' : language === 'roman' ? '(?![\\p{L}])' : '\\D{0,9}?';
    return `${start}(?<m>${names.pattern})${end}`;
  });
  const tail = language === null || language === 'en' ? '' : '\\D{0,9}';
  return {
    pattern: new RegExp(`^${EDGE}${pieces.join(BETWEEN)}${tail}${EDGE}$`, 'iu'),
    month: names === null ? Number : names.number,
  };
}

function normal(text: string, language: string | null): string {
  const digits = asciiDigits(text);
  // Greek accents may be missing. NFD separates them from their letters.
  return language === 'el'
    ? digits.normalize('NFD').replace(/\p{M}/gu, '').replace(/[Ii]/g, 'ι').replace(/[Aa]/g, 'α').replace(/[Oo]/g, 'ο')
    : digits;
}

/** @returns null if there is no such day */
function dateText(year: string | undefined, month: number, day: string | undefined): string | null {
  const full = year === undefined ? null : year.length > 2 ? year : String(2000 + Number(year));
  if (!(month >= 1 && month <= 12)) return null;
  const mm = String(month).padStart(2, '0');
  if (day === undefined) return `${full}-${mm}`;
  const leap = full === null || (Number(full) % 4 === 0 && (Number(full) % 100 !== 0 || Number(full) % 400 === 0));
  const days = month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  if (Number(day) < 1 || Number(day) > days) return null;
  return full === null ? `--${mm}-${day.padStart(2, '0')}` : `${full}-${mm}-${day.padStart(2, '0')}`;
}

/** Years before the first of each era of Japan. */
const ERAS: Readonly<Record<string, number>> = { 令: 2018, 平: 1988, 昭: 1925, 大: 1911, 明: 1867 };
const ERA = '(?<era>令|平|昭|大|明)[和成正治]?\\s*(?<y>\\d{1,2}|元)\\s*年\\s*(?<m>\\d{1,2})\\s*月';

function era(withDay: boolean): Transformation {
  const pattern = new RegExp(`^\\s*${ERA}${withDay ? '\\s*(?<d>\\d{1,2})\\s*日' : ''}\\s*$`);
  return (text) => {
    const groups = pattern.exec(asciiDigits(text))?.groups;
    if (!groups) return null;
    const year = ERAS[groups.era!]! + (groups.y === '元' ? 1 : Number(groups.y));
    return dateText(String(year), Number(groups.m), groups.d);
  };
}

function cjk(withDay: boolean): Transformation {
  const day = withDay ? '\\s*(?<d>\\d{1,2})\\s*日' : '';
  const pattern = new RegExp(`^\\s*(?<y>\\d{4}|\\d{1,2})\\s*年\\s*(?<m>\\d{1,2})\\s*月${day}\\s*$`);
  return (text) => {
    const groups = pattern.exec(asciiDigits(text))?.groups;
    return groups ? dateText(groups.y, Number(groups.m), groups.d) : null;
  };
}

/** Months of the Saka calendar, and the day of the Gregorian year on which each begins. */
const SAKA: readonly (readonly [RegExp, number, number, number])[] = [
  [/^(?:C\S*ait|चैत्र)/, 3, 22, 30],
  [/^(?:Vai|वैशाख|बैसाख)/, 4, 21, 31],
  [/^(?:Jy|ज्येष्ठ)/, 5, 22, 31],
  [/^(?:\S*dha|\S*ḍha|आषाढ)/, 6, 22, 31],
  [/^(?:\S*vana|Śrāvaṇa|श्रावण|सावन)/, 7, 23, 31],
  [/^(?:Bh\S+dra|Proṣṭhapada|भाद्रपद|भादो)/, 8, 23, 31],
  [/^(?:K\S+rti|कार्तिक)/, 10, 23, 30],
  [/^(?:M\S+rga|Agra|मार्गशीर्ष|अगहन)/, 11, 22, 30],
  [/^(?:Pau|पौष)/, 12, 22, 30],
  [/^(?:M\S+gh|माघ)/, 1, 21, 30],
  [/^(?:Ph\S+lg|फाल्गुन)/, 2, 20, 30],
  // Tried last: in Latin letters its beginning is two common letters.
  [/^(?:\S*in|आश्विन)/, 9, 23, 30],
];

const saka: Transformation = (text) => {
  const match = /^[ \t\n\r]*(\d{1,2})[^\d]+?([\p{L}\p{M}]+)[^\d]+(\d{4}|\d{2})[ \t\n\r]*$/u.exec(asciiDigits(text));
  const month = match && SAKA.find(([name]) => name.test(match[2]!));
  if (!match || !month) return null;
  const [, gregorianMonth, firstDay, length] = month;
  const place = (gregorianMonth + 9) % 12;
  const day = Number(match[1]);
  const two = Number(match[3]);
  // Two digits: this century of the Saka era ended on 11 Pausha 1921, the end of 1999.
  const year =
    match[3]!.length === 4 ? two : two > 21 || (two === 21 && place >= 9 && day >= 11) ? 1900 + two : 2000 + two;
  const startsIn = year + 78;
  const leap = startsIn % 4 === 0 && (startsIn % 100 !== 0 || startsIn % 400 === 0);
  const first = place === 0 && leap ? firstDay - 1 : firstDay;
  if (day < 1 || day > (place === 0 && leap ? length + 1 : length)) return null;
  const gregorianYear = gregorianMonth <= 2 ? startsIn + 1 : startsIn;
  return new Date(Date.UTC(gregorianYear, gregorianMonth - 1, first + day - 1)).toISOString().slice(0, 10);
};

export const DATES_1: Readonly<Record<string, Transformation>> = {
  datedoteu: dateIn('dmy'),
  datedotus: dateIn('mdy'),
  datelongdaymonthuk: dateIn('dm', 'en'),
  datelongmonthdayus: dateIn('md', 'en'),
  datelongmonthyear: dateIn('my', 'en'),
  datelonguk: dateIn('dmy', 'en'),
  datelongus: dateIn('mdy', 'en'),
  datelongyearmonth: dateIn('ym', 'en'),
  dateshortdaymonthuk: dateIn('dm', 'en'),
  dateshortmonthdayus: dateIn('md', 'en'),
  dateshortmonthyear: dateIn('my', 'en'),
  dateshortuk: dateIn('dmy', 'en'),
  dateshortus: dateIn('mdy', 'en'),
  dateshortyearmonth: dateIn('ym', 'en'),
  dateslashdaymontheu: dateIn('dm'),
  dateslasheu: dateIn('dmy'),
  dateslashmonthdayus: dateIn('md'),
  dateslashus: dateIn('mdy'),
};

export const DATES_2: Readonly<Record<string, Transformation>> = {
  datedaymonth: dateIn('dm'),
  datedaymonthen: dateIn('dm', 'en'),
  datedaymonthyear: dateIn('dmy'),
  datedaymonthyearen: dateIn('dmy', 'en'),
  dateerayearmonthdayjp: era(true),
  dateerayearmonthjp: era(false),
  datemonthday: dateIn('md'),
  datemonthdayen: dateIn('md', 'en'),
  datemonthdayyear: dateIn('mdy'),
  datemonthdayyearen: dateIn('mdy', 'en'),
  datemonthyearen: dateIn('my', 'en'),
  dateyearmonthcjk: cjk(false),
  dateyearmonthdaycjk: cjk(true),
  dateyearmonthen: dateIn('ym', 'en'),
};

export const DATES_3: Readonly<Record<string, Transformation>> = {
  ...DATES_2,
  calindaymonthyear: saka,
  datedaymonthdk: dateIn('dm', 'da'),
  datedaymonthyeardk: dateIn('dmy', 'da'),
  datedaymonthyearin: (text) => dateIn('dmy', 'hi')(text) ?? dateIn('dmy')(text),
  datemonthyear: dateIn('my'),
  datemonthyeardk: dateIn('my', 'da'),
  datemonthyearin: dateIn('my', 'hi'),
  dateyearmonthday: dateIn('ymd'),
};

/** Languages with the order day, month, year. Swedish month names begin like the Danish ones. */
const DAY_FIRST = 'bg cs da de el en es et fi fr hr it nl no pl pt ro sk sl sv'.split(' ');

function dates4(languages: readonly string[]): Record<string, Transformation> {
  const table: Record<string, Transformation> = {
    'date-day-month': dateIn('dm'),
    'date-day-month-year': dateIn('dmy'),
    'date-day-monthname-lv': dateIn('dm', 'lv'),
    'date-day-monthname-year-hi': dateIn('dmy', 'hi'),
    'date-day-monthroman': dateIn('dm', 'roman'),
    'date-day-monthroman-year': dateIn('dmy', 'roman'),
    'date-ind-day-monthname-year-hi': saka,
    'date-jpn-era-year-month': era(false),
    'date-jpn-era-year-month-day': era(true),
    'date-month-day': dateIn('md'),
    'date-month-day-year': dateIn('mdy'),
    'date-month-year': dateIn('my'),
    'date-monthname-day-en': dateIn('md', 'en'),
    'date-monthname-day-hu': dateIn('md', 'hu'),
    'date-monthname-day-lt': dateIn('md', 'lt'),
    'date-monthname-day-year-en': dateIn('mdy', 'en'),
    'date-monthname-year-hi': dateIn('my', 'hi'),
    'date-monthroman-year': dateIn('my', 'roman'),
    'date-year-day-monthname-lv': dateIn('ydm', 'lv'),
    'date-year-month': dateIn('ym'),
    'date-year-month-day': dateIn('ymd'),
    'date-year-monthname-day-hu': dateIn('ymd', 'hu'),
    'date-year-monthname-day-lt': dateIn('ymd', 'lt'),
    'date-year-monthname-en': dateIn('ym', 'en'),
    'date-year-monthname-hu': dateIn('ym', 'hu'),
    'date-year-monthname-lt': dateIn('ym', 'lt'),
    'date-year-monthname-lv': dateIn('ym', 'lv'),
  };
  for (const language of languages) {
    const names = language === 'sv' ? 'da' : language;
    table[`date-day-monthname-${language}`] = dateIn('dm', names);
    table[`date-day-monthname-year-${language}`] = dateIn('dmy', names);
    table[`date-monthname-year-${language}`] = dateIn('my', names);
  }
  return table;
}

export const DATES_4: Readonly<Record<string, Transformation>> = dates4(DAY_FIRST);
export const DATES_5: Readonly<Record<string, Transformation>> = dates4([...DAY_FIRST, 'cy']);

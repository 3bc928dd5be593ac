/** Section codes of annual and quarterly reports, with their official titles, current and former by filing date. */

export type SectionFamily = '10-K' | '10-Q' | '20-F';

interface Era {
  /** The title is valid for filings made before this day; absent: still valid. */
  before?: string;
  title: string;
}

interface SectionDefinition {
  code: string;
  /** Oldest first, the current one last. */
  titles: readonly Era[];
}

const always = (code: string, title: string): SectionDefinition => ({ code, titles: [{ title }] });

// Release 33-9089A removed the item from 28 February 2010; Release 33-9286 gave its place to mine safety from 27 January 2012.
const VOTE_OR_MINES: readonly Era[] = [
  { before: '2010-02-28', title: 'Submission of Matters to a Vote of Security Holders' },
  { before: '2012-01-27', title: '(Removed and Reserved)' },
  { title: 'Mine Safety Disclosures' },
];
const EXHIBITS_AND_REPORTS = 'Exhibits, Financial Statement Schedules, and Reports on Form 8-K';

const TEN_K: readonly SectionDefinition[] = [
  always('1', 'Business'),
  always('1A', 'Risk Factors'),
  always('1B', 'Unresolved Staff Comments'),
  always('1C', 'Cybersecurity'),
  always('2', 'Properties'),
  always('3', 'Legal Proceedings'),
  { code: '4', titles: VOTE_OR_MINES },
  always('5', 'Market for Common Equity'),
  always('6', 'Selected Financial Data'),
  always('7', "Management's Discussion and Analysis (MD&A)"),
  always('7A', 'Quantitative and Qualitative Disclosures About Market Risk'),
  always('8', 'Financial Statements'),
  always('9', 'Changes in and Disagreements with Accountants'),
  always('9A', 'Controls and Procedures'),
  always('9B', 'Other Information'),
  always('9C', 'Disclosure Regarding Foreign Jurisdictions that Prevent Inspections'),
  always('10', 'Directors, Executive Officers and Corporate Governance'),
  always('11', 'Executive Compensation'),
  always('12', 'Security Ownership of Certain Beneficial Owners and Management'),
  always('13', 'Certain Relationships and Related Transactions'),
  {
    code: '14',
    // Release 33-8124 put Controls and Procedures here from 29 August 2002; Release 33-8238 moved them to 9A from 14 August 2003.
    titles: [
      { before: '2002-08-29', title: EXHIBITS_AND_REPORTS },
      { before: '2003-08-14', title: 'Controls and Procedures' },
      { title: 'Principal Accountant Fees and Services' },
    ],
  },
  {
    code: '15',
    // Reports on Form 8-K were no longer listed from 23 August 2004 (Release 33-8400).
    titles: [
      { before: '2004-08-23', title: EXHIBITS_AND_REPORTS },
      { title: 'Exhibits and Financial Statement Schedules' },
    ],
  },
  always('16', 'Form 10-K Summary'),
];

const TEN_Q: readonly SectionDefinition[] = [
  always('I-1', 'Financial Statements'),
  always('I-2', "Management's Discussion and Analysis (MD&A)"),
  always('I-3', 'Quantitative and Qualitative Disclosures About Market Risk'),
  always('I-4', 'Controls and Procedures'),
  always('II-1', 'Legal Proceedings'),
  always('II-1A', 'Risk Factors'),
  {
    code: 'II-2',
    // Use of proceeds: Release 33-7431; issuer purchases: Release 33-8335; today's words: Release 33-8400.
    titles: [
      { before: '1997-09-22', title: 'Changes in Securities' },
      { before: '2003-12-17', title: 'Changes in Securities and Use of Proceeds' },
      {
        before: '2004-08-23',
        title: 'Changes in Securities, Use of Proceeds and Issuer Purchases of Equity Securities',
      },
      { title: 'Unregistered Sales of Equity Securities and Use of Proceeds' },
    ],
  },
  always('II-3', 'Defaults Upon Senior Securities'),
  { code: 'II-4', titles: VOTE_OR_MINES },
  always('II-5', 'Other Information'),
  always('II-6', 'Exhibits'),
];

/** Items 1 to 19 of Form 20-F before 30 September 2000 (Release 33-7745). */
const UNTIL_2000 = [
  'Description of Business|Description of Property|Legal Proceedings|Control of Registrant|Nature of Trading Market',
  'Exchange Controls and Other Limitations Affecting Security Holders|Taxation|Selected Financial Data',
  "Management's Discussion and Analysis (MD&A)|Directors and Officers of Registrant|Compensation of Directors and Officers",
  'Options to Purchase Securities from Registrant or Subsidiaries|Interest of Management in Certain Transactions',
  'Description of Securities to be Registered|Defaults Upon Senior Securities',
  'Changes in Securities and Changes in Security for Registered Securities',
  'Financial Statements|Financial Statements|Financial Statements and Exhibits',
].flatMap((titles) => titles.split('|'));
const foreign = (code: string, title: string): SectionDefinition => {
  const former = UNTIL_2000[Number(code) - 1];
  return { code, titles: [...(former ? [{ before: '2000-09-30', title: former }] : []), { title }] };
};

/** With the items that were added later. Item 9A is of the form before. */
const TWENTY_F: readonly SectionDefinition[] = [
  foreign('1', 'Identity of Directors, Senior Management and Advisers'),
  foreign('2', 'Offer Statistics and Expected Timetable'),
  foreign('3', 'Key Information'),
  foreign('4', 'Information on the Company'),
  foreign('4A', 'Unresolved Staff Comments'),
  foreign('5', 'Operating and Financial Review and Prospects'),
  foreign('6', 'Directors, Senior Management and Employees'),
  foreign('7', 'Major Shareholders and Related Party Transactions'),
  foreign('8', 'Financial Information'),
  foreign('9', 'The Offer and Listing'),
  foreign('9A', 'Quantitative and Qualitative Disclosures About Market Risk'),
  foreign('10', 'Additional Information'),
  foreign('11', 'Quantitative and Qualitative Disclosures About Market Risk'),
  foreign('12', 'Description of Securities Other than Equity Securities'),
  foreign('13', 'Defaults, Dividend Arrearages and Delinquencies'),
  foreign('14', 'Material Modifications to the Rights of Security Holders and Use of Proceeds'),
  foreign('15', 'Controls and Procedures'),
  foreign('16', '(Reserved)'),
  foreign('16A', 'Audit Committee Financial Expert'),
  foreign('16B', 'Code of Ethics'),
  foreign('16C', 'Principal Accountant Fees and Services'),
  foreign('16D', 'Exemptions from the Listing Standards for Audit Committees'),
  foreign('16E', 'Purchases of Equity Securities by the Issuer and Affiliated Purchasers'),
  foreign('16F', "Change in Registrant's Certifying Accountant"),
  foreign('16G', 'Corporate Governance'),
  foreign('16H', 'Mine Safety Disclosure'),
  foreign('16I', 'Disclosure Regarding Foreign Jurisdictions that Prevent Inspections'),
  foreign('16J', 'Insider Trading Policies'),
  foreign('16K', 'Cybersecurity'),
  foreign('17', 'Financial Statements'),
  foreign('18', 'Financial Statements'),
  foreign('19', 'Exhibits'),
];

/**
 * Items of Form 10-KSB with another subject than those of the same number in Form 10-K: Item 6 is management's discussion, Item 7 the
 * financial statements. Form 10-KSB was in use from 1993 to March 2009.
 */
const SMALL_BUSINESS: ReadonlyMap<string, string> = new Map([
  ['1', 'Description of Business'],
  ['2', 'Description of Property'],
  ['6', "Management's Discussion and Analysis or Plan of Operation"],
  ['7', 'Financial Statements'],
  ['8', 'Changes in and Disagreements with Accountants'],
  ['9', 'Directors, Executive Officers, Promoters and Control Persons'],
  ['10', 'Executive Compensation'],
  ['11', 'Security Ownership of Certain Beneficial Owners and Management'],
  ['12', 'Certain Relationships and Related Transactions'],
  ['13', 'Exhibits'],
]);

/** The title of an item of Form 10-KSB, if it differs from that of Form 10-K; null for the others, and for other forms. */
export function smallBusinessTitle(formType: string, code: string): string | null {
  return /^10-?KSB/i.test(formType) ? (SMALL_BUSINESS.get(code) ?? null) : null;
}

const TABLES: Record<SectionFamily, ReadonlyMap<string, SectionDefinition>> = {
  '10-K': new Map(TEN_K.map((definition) => [definition.code, definition])),
  '10-Q': new Map(TEN_Q.map((definition) => [definition.code, definition])),
  '20-F': new Map(TWENTY_F.map((definition) => [definition.code, definition])),
};

/** The codes of a family in the order of the form: `1, 1A … 16` or `I-1 … II-6`. */
export const SECTION_CODES: Record<SectionFamily, readonly string[]> = {
  '10-K': TEN_K.map((definition) => definition.code),
  '10-Q': TEN_Q.map((definition) => definition.code),
  '20-F': TWENTY_F.map((definition) => definition.code),
};

/**
 * The official title of a section.
 * @param filingDate YYYY-MM-DD: returns the title valid on that day, for codes whose meaning changed; without it, the current one
 * @returns null for a code that the family does not have
 */
export function sectionTitle(family: SectionFamily, code: string, filingDate?: string | null): string | null {
  const definition = TABLES[family].get(code);
  if (!definition) return null;
  const era = filingDate ? definition.titles.find((t) => t.before === undefined || filingDate < t.before) : undefined;
  return (era ?? definition.titles.at(-1)!).title;
}

const ROMAN_PARTS = ['I', 'II', 'III', 'IV'];
/**
 * `Item 1A`, `ITEM 1A.`, `1a`, `item_1a`, `Part II, Item 7`, `PartII-Item2`, `part2item1a`, `9A(T)`, `Item 7. MD&A`: the part, the number,
 * its letter, and the rest. A rest that names further items is not one: `Items 1 and 2` has two codes.
 */
const SPELLED = new RegExp(
  [
    String.raw`^(?:(?:PART[ .,:-]*)?(I{1,3}|IV)(?=[ .,:/-]|ITEM|\d)[ .,:/-]*|PART[ .,:-]*([1-4])(?=[ .,:/-]|ITEM)[ .,:/-]*)?`,
    String.raw`(ITEM[ .:#-]*|SECTION[ .:#-]*)?0?(\d{1,2})(?:[ .-]?([A-K])(?![A-Z0-9])|\(([A-C])\)|([A-C])T\b)?(?:T\b)?(?:\(T\))?`,
    String.raw`(?!\d)(?! *(?:AND|&|,|;|\/|-|TO|THROUGH) *(?:ITEMS? *)?\d)(.*)$`,
  ].join(''),
);

/**
 * The code of a section however it is spelled: the one reading of codes of services and of people.
 * @param family null: unknown. Then a number alone is of a 10-K, else of a 20-F, and one with a part of a 10-Q if that has it
 * @returns null for a name that is not a code of the family, or not surely one: `Item 2` of a 10-Q is in both parts
 */
export function sectionCode(name: string, family: SectionFamily | null): string | null {
  if (family !== null && TABLES[family].has(name)) return name;
  const spelled = name
    .normalize('NFKC')
    .replace(/[\s_]+/g, ' ')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .trim()
    .toUpperCase();
  const [, roman, arabic, word, number, ...rest] = SPELLED.exec(spelled) ?? [];
  if (number === undefined) return null;
  const tail = rest.at(-1) ?? '';
  // A title follows: `1A. Risk Factors`, `Item 1A Risk Factors`. `10-K405 header` and `10 pages` have none.
  if (tail !== '' && !/^(?:[.:)]+(?: |$)| ?- )/.test(tail) && !(word !== undefined && /^ *[-(,A-Z ]/.test(tail)))
    return null;
  if (/\bCONT(?:INUED|'?D|\.)/.test(tail)) return null;
  const item = `${Number(number)}${rest.slice(0, -1).find((letter) => letter !== undefined) ?? ''}`;
  const part = roman ?? (arabic === undefined ? null : ROMAN_PARTS[Number(arabic) - 1]!);
  const foreign = TABLES['20-F'].has(item) ? item : null;
  if (family === '20-F') return foreign;
  if (family === null)
    return part === null ? (tenKCode(item, null) ?? foreign) : (tenQCode(item, part) ?? tenKCode(item, part));
  return family === '10-K' ? tenKCode(item, part) : tenQCode(item, part);
}

function tenKCode(item: string, part: string | null): string | null {
  if (!TABLES['10-K'].has(item)) return null;
  const number = Number.parseInt(item, 10);
  const parts =
    number < 5 ? ['I'] : number < 10 ? ['II'] : number < 14 ? ['III'] : number === 14 ? ['III', 'IV'] : ['IV'];
  return part === null || parts.includes(part) ? item : null;
}

function tenQCode(item: string, part: string | null): string | null {
  const codes = part === null ? ['I', 'II'].map((one) => `${one}-${item}`) : [`${part}-${item}`];
  const known = codes.filter((code) => TABLES['10-Q'].has(code));
  return known.length === 1 ? known[0]! : null;
}

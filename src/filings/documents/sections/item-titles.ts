/**
 * Titles of items as filings print them, of all years and of the small-business forms. Compared squeezed (letters and digits,
 * lower case), so that case, spaces, quotes and punctuation don't matter. A bar ends the shortest beginning that counts as the
 * title. The words after it are consumed as far as they match.
 */
import { SECTION_CODES, type SectionFamily, sectionTitle } from '../../api/index.ts';
import { squeeze } from '../lines/units.ts';

export { squeeze };

/** Of the item that was about votes until 2009. */
const FORMER_VOTES = [
  'submission of matter|s to a vote of security holders',
  'submission of matters to vote|',
  'mine safety| disclosures',
  'removed and reserved|',
  'reserved|',
];

const TEN_K_TITLES: Readonly<Record<string, readonly string[]>> = {
  '1': [
    'business|',
    'description of business|',
    'description of the business|',
    'our business|',
    'the business|',
    'general description of business|',
    'general development of business|',
  ],
  '1A': ['risk factors|', 'certain risk factors|', 'risk factor|', 'factors that may affect| future results'],
  '1B': ['unresolved staff| comments', 'unresolved sec staff| comments'],
  '1C': ['cybersecurity|', 'cyber security|'],
  '2': [
    'propert|ies',
    'property|',
    'description of propert|y',
    'description of properties|',
    'our properties|',
    'real estate|',
  ],
  '3': ['legal proceeding|s', 'legal matters|', 'pending legal proceedings|'],
  '4': [...FORMER_VOTES, 'executive officers of| the registrant'],
  '5': [
    'market for| the registrants common equity related stockholder matters and issuer purchases of equity securities',
    'market for| registrants common equity and related stockholder matters',
    'market for| registrants common equity related stockholder matters and issuer purchases of equity securities',
    'market for| registrants common equity related shareholder matters and issuer purchases of equity securities',
    'market for| registrants common equity and related security holder matters',
    'market for| common equity related stockholder matters and small business issuer purchases of equity securities',
    'market for| common equity and related stockholder matters',
    'markets for|',
    'market price|',
    'market information|',
  ],
  '6': [
    'selected financial| data',
    'selected consolidated| financial data',
    'selected historical|',
    'reserved|',
    'removed and reserved|',
  ],
  '7': [
    'managements discussion| and analysis of financial condition and results of operations',
    'managements discussion| and analysis of results of operations and financial condition',
    'managements discussion| and analysis or plan of operation',
    'management discussion| and analysis of financial condition and results of operations',
    'managements financial| discussion',
    'plan of operation|',
  ],
  '7A': [
    'quantitative and qualitative| disclosures about market risk',
    'quantitative and qualitative| disclosure about market risk',
    'quantitative and qualitative| disclosures of market risk',
    'qualitative and quantitative| disclosures about market risk',
    'quantitative qualitative|',
    'disclosures about market risk|',
  ],
  '8': [
    'financial statement|s and supplementary data',
    'financial statement|s and supplemental data',
    'financial statements and financial statement schedules|',
    'consolidated financial| statements and supplementary data',
    'consolidated financial statements and supplemental data|',
    'consolidated statement|s',
    'index to financial statements|',
    'index to consolidated|',
  ],
  '9': [
    'changes in and disagreement|s with accountants on accounting and financial disclosure',
    'changes in and disagreement|s with accountants on accounting and financial disclosures',
    'changes in disagreement|s',
    'changes in or disagreement|s with accountants',
    'changes and disagreement|s with accountants',
    'disagreement|s with accountants on accounting and financial disclosure',
    'disagreement|s on accounting and financial disclosure',
    'change in accountants|',
    'changes in accountants|',
    'changes in registrants certifying accountant|',
    'change in and disagreement|s',
  ],
  '9A': [
    'controls and procedure|s',
    'control and procedure|s',
    'evaluation of disclosure controls|',
    'disclosure controls and procedures|',
    'managements report on internal|',
  ],
  '9B': ['other information|'],
  '9C': [
    'disclosure regarding foreign| jurisdictions that prevent inspections',
    'disclosures regarding foreign| jurisdictions that prevent inspections',
    'disclosure regarding foreign jurisdiction|s that prevents inspections',
  ],
  '10': [
    'director|s and executive officers of the registrant',
    'director|s executive officers and corporate governance',
    'director|s executive officers promoters and control persons compliance with section 16a of the exchange act',
    'director|s executive officers promoters control persons and corporate governance compliance with section 16a of the exchange act',
    'our directors|',
    'executive officers|',
    'identity of director|s',
  ],
  '11': [
    'executive compensation|',
    'compensation of director|s and executive officers',
    'management compensation|',
    'remuneration of|',
  ],
  '12': [
    'security ownership| of certain beneficial owners and management and related stockholder matters',
    'security ownership| of certain beneficial owners and management and related shareholder matters',
    'security ownership| of certain beneficial owners and management',
    'security ownership| of management and certain beneficial owners',
    'beneficial ownership|',
    'ownership of securities|',
  ],
  '13': [
    'certain relationship|s and related transactions and director independence',
    'certain relationship|s and related party transactions and director independence',
    'certain relationship|s and related transactions',
    'certain relationship|s related transactions and director independence',
    'certain transaction|s',
    'transactions with related|',
    'interest of management|',
  ],
  '14': [
    'principal account|ant fees and services',
    'principal account|ing fees and services',
    'principal auditor fees|',
    'principal independent|',
    'exhibit|s financial statement schedules and reports on form 8k',
    'exhibit|s financial statements schedules and reports on form 8k',
    'exhibit|s and reports on form 8k',
    'financial statement schedules| exhibits and reports on form 8k',
    'controls and procedure|s',
    'independent registered| public accounting',
  ],
  '15': [
    'exhibit|s and financial statement schedules',
    'exhibit|s financial statement schedules and reports on form 8k',
    'exhibit|s financial statement schedules',
    'exhibit|s financial statements and schedules',
    'financial statement| schedules and exhibits',
    'financial statements and exhibits|',
    'principal account|ant fees and services',
  ],
  '16': ['form 10k| summary', '10k summary|', 'principal account|ant fees and services'],
};

/** Official titles of Form 20-F, of which the first letters must match. @param day YYYY-MM-DD; all codes without it */
const foreignTitles = (day?: string) =>
  Object.fromEntries(
    SECTION_CODES['20-F']
      .map((code) => [code, sectionTitle('20-F', code, day)!] as const)
      .filter(([code, title]) => day === undefined || title !== sectionTitle('20-F', code))
      .map(([code, title]) => [code, [`${title.slice(0, 18)}|${title.slice(18)}`]]),
  );
/** Those until 30 September 2000 that changed. */
const OLD_TWENTY_F_TITLES = foreignTitles('2000-01-01');
/** Other words for them. */
const TWENTY_F_VARIANTS: Readonly<Record<string, readonly string[]>> = {
  '2': ['description of properties|', 'properties|'],
  '4': ['information about the company|', 'information on the group|'],
  '9': ['the offering and listing|', 'the listing|', 'offer and listing|', ...TEN_K_TITLES['7']!],
  '9A': TEN_K_TITLES['7A']!,
  '11': TEN_K_TITLES['7A']!,
  '13': ['default dividend| arrearages and delinquencies', 'interests of management| in certain transactions'],
  '15': ['reserved|'],
  '16B': ['code of business conduct|', 'code of conduct|'],
  '16C': ['principal accounting fees| and services', 'principal auditor| fees and services'],
  '16D': ['exemption from| the listing standards for audit committees'],
  '16E': ['purchase of equity| securities by the issuer and affiliated purchasers'],
  '16F': ['changes in registrants| certifying accountant'],
  '16K': ['cyber security|'],
  '18': ['consolidated financial statements|'],
  '19': ['financial statements and exhibits|'],
};

/** Titles of the small-business forms, whose items have other numbers. */
const SMALL_TEN_K_TITLES: Readonly<Record<string, readonly string[]>> = {
  '6': TEN_K_TITLES['7']!,
  '7': TEN_K_TITLES['8']!,
  '8': TEN_K_TITLES['9']!,
  '8A': TEN_K_TITLES['9A']!,
  '9': TEN_K_TITLES['10']!,
  '10': TEN_K_TITLES['11']!,
  '11': TEN_K_TITLES['12']!,
  '12': TEN_K_TITLES['13']!,
  '13': TEN_K_TITLES['15']!.concat(TEN_K_TITLES['14']!),
};

const TEN_Q_TITLES: Readonly<Record<string, readonly string[]>> = {
  'I-1': [
    'financial statement|s',
    'financial information|',
    'condensed consolidated| financial statements',
    'consolidated financial| statements',
    'consolidated condensed| financial statements',
    'condensed financial| statements',
    'interim financial| statements',
    'interim condensed| financial statements',
    'interim consolidated| financial statements',
    'unaudited|condensed consolidated financial statements',
    'consolidated balance| sheets',
    'consolidated statement|s',
    'index to|',
  ],
  'I-2': TEN_K_TITLES['7']!,
  'I-3': [...TEN_K_TITLES['7A']!, 'controls and procedure|s'],
  'I-4': TEN_K_TITLES['9A']!,
  'II-1': ['legal proceeding|s', 'legal matters|', 'litigation|'],
  'II-1A': ['risk factors|', 'risk factor|'],
  'II-2': [
    'unregistered sale|s of equity securities and use of proceeds',
    'unregistered sale|s of equity securities use of proceeds and issuer purchases of equity securities',
    'unregistered sale|s of equity securities',
    'changes in securities| and use of proceeds',
    'changes in securities| use of proceeds and issuer purchases of equity securities',
    'change in securities|',
    'changes in rights|',
    'issuer purchases| of equity securities',
    'repurchases of|',
    'share repurchase|',
    'purchases of equity|',
    'recent sales|',
  ],
  'II-3': ['default|s upon senior securities', 'default|s on senior securities'],
  'II-4': FORMER_VOTES,
  'II-5': ['other information|', 'other items|', 'other matters|', 'other events|'],
  'II-6': ['exhibit|s and reports on form 8k', 'exhibit|s', 'index to exhibits|'],
};

interface TitleVariant {
  /** Squeezed. */
  text: string;
  /** How many characters of it must match. */
  least: number;
}

export type TitleTable = ReadonlyMap<string, readonly TitleVariant[]>;

/** Words that a filer adds to a title, or puts in place of others, squeezed. */
const ADDED =
  /^(?:and|or|of|the|in|to|for|on|by|with|about|regarding|concerning|our|its|any|certain|related|other|general|information|matters?|common|equity|stocks?|shares?|securit(?:y|ies)|security?holders?|holders?|stockholders?|shareholders?|shareowners?|unitholders?|members?|issuer|small|business|purchases?|repurchases?|dividends?|prices?|sec|staff|comments?|companys?|registrants?|corporations?|partnerships?|trusts?|banks?|financial|conditions?|position|results?|operations?|plans?|consolidated|condensed|interim|statements?|supplement(?:ary|al)|data|schedules?|notes|reports?|form(?:8k|10k|10q)|account(?:ants?|ing)|auditors?|audit|independent|registered|public|firm|disclosures?|controls?|procedures?|directors?|executive|officers?|promoters?|persons?|corporate|governance|compensation|compliance|section16a|exchangeact|beneficial|owners?|ownership|management|principal|relationships?|transactions?|independence|party|parties|fees?|services?|risks?|factors?|market|uncertainties|propert(?:y|ies)|facilities|legal|proceedings|contingencies|litigation|unaudited|use|proceeds|sales?|unregistered|exhibits|mine|safety|changes|disagreements|votes?|submission)*$/;

/** Whether squeezed text is made of the words of titles only. */
export function isTitleWords(squeezed: string): boolean {
  return ADDED.test(squeezed);
}

/** Letters of a line that may be a title */
export const LONGEST_TITLE = 170;

/** More letters and digits than any title has */
export const TITLE_LETTERS = 200;

function table(...tables: Readonly<Record<string, readonly string[]>>[]): TitleTable {
  return new Map(
    [...new Set(tables.flatMap((titles) => Object.keys(titles)))].map((code) => [
      code,
      tables
        .flatMap((titles) => titles[code] ?? [])
        .map((variant) => ({
          text: squeeze(variant),
          least: squeeze(variant.slice(0, variant.indexOf('|'))).length,
        })),
    ]),
  );
}

export const TITLES: Readonly<Record<SectionFamily, TitleTable>> = {
  '10-K': table(TEN_K_TITLES),
  '10-Q': table(TEN_Q_TITLES),
  '20-F': table(foreignTitles(), OLD_TWENTY_F_TITLES, TWENTY_F_VARIANTS),
};

/** Titles that Form 20-F had until 2000. */
export const OLD_TITLES: TitleTable = table(OLD_TWENTY_F_TITLES);

/** Titles of small-business annual reports, if they differ. */
export const SMALL_TITLES: TitleTable = table(SMALL_TEN_K_TITLES);

/** How many squeezed characters at the beginning of `squeezed` are the title of `code`; 0: it doesn't begin with one. */
export function titleLength(titles: TitleTable, code: string, squeezed: string): number {
  let longest = 0;
  for (const variant of titles.get(code) ?? []) {
    const common = commonPrefix(variant.text, squeezed);
    if (common >= variant.least && common > longest) longest = common;
  }
  return longest;
}

/** As `titleLength`, for a printed number: in a quarterly report the item of either part. */
export function titleOfNumber(family: SectionFamily, number: string, squeezed: string): number {
  if (family !== '10-Q') return titleLength(TITLES[family], number, squeezed);
  return Math.max(...['I', 'II'].map((part) => titleLength(TITLES[family], `${part}-${number}`, squeezed)));
}

/** The codes with a title at the beginning of `squeezed`, the longest match first. */
export function codesTitled(titles: TitleTable, squeezed: string): { code: string; length: number }[] {
  const found: { code: string; length: number }[] = [];
  for (const code of titles.keys()) {
    const length = titleLength(titles, code, squeezed);
    if (length > 0) found.push({ code, length });
  }
  return found.sort((a, b) => b.length - a.length);
}

function commonPrefix(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let i = 0;
  while (i < end && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  return i;
}

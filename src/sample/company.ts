/** An invented registrant: its name, place, business, and the look of its filings. Everything follows from its id. */

import { type ProseSubject, plural } from './prose.ts';
import { Random } from './random.ts';
import { INDUSTRIES, type Industry } from './words/industries.ts';
import * as words from './words/places.ts';

/** What a registrant is, which decides what it files. */
export type CompanyKind = 'operating' | 'manager' | 'fund' | 'private' | 'depositor';

export interface Address {
  street1: string;
  street2: string | null;
  city: string;
  state: string;
  zip: string;
}

export interface FormerName {
  name: string;
  /** day number, see calendar.ts */
  changedOn: number;
}

export interface Entity {
  /** decimal digits, no padding */
  cik: string;
  /** as written in prose: `Cedarhaven Instruments Corp` */
  name: string;
  person: boolean;
  address: Address;
  phone: string | null;
  sic: string | null;
  sicDescription: string | null;
  office: string | null;
  irsNumber: string | null;
  stateOfIncorporation: string | null;
  /** MMDD */
  fiscalYearEnd: string | null;
  formerNames: FormerName[];
}

export interface Company extends Entity, ProseSubject {
  kind: CompanyKind;
  id: number;
  seed: number;
  industry: Industry;
  fileNumber: string;
  tickers: { ticker: string; exchange: string | null }[];
  category: string;
  entityType: 'operating' | 'investment' | 'other';
  /** month in which the fiscal year ends */
  fiscalMonth: number;
  foundedYear: number;
  stateName: string;
  /** the style of the company's reports: 0 to 1; each use takes other digits of it */
  style: number;
  agent: FilingAgent;
  place: words.Place;
}

/** The sender of the files: the first ten digits of accession numbers, and the names of files. */
export interface FilingAgent {
  prefix: number;
  fileNames: 'd' | 'form' | 'ticker' | 'tm';
}

const AGENTS: readonly FilingAgent[] = [
  { prefix: 9_100_125, fileNames: 'd' },
  { prefix: 9_100_170, fileNames: 'ticker' },
  { prefix: 9_100_152, fileNames: 'form' },
  { prefix: 9_100_659, fileNames: 'tm' },
  { prefix: 9_100_280, fileNames: 'ticker' },
];

/** Primes below the sizes of the CIK ranges: a product modulo a prime visits every number once. */
const CIK_RANGE = 999_983;
const CIK_STEP = 618_033;

/**
 * CIKs from 3,000,003 up, and one in seven from 10,000,003 up. They are above all of EDGAR's, so that a sample stored beside real
 * filings mixes with none of them. They have different lengths, so that a sort as text shows.
 */
export function sampleCik(id: number): string {
  const base = id % 7 === 3 ? 10_000_003 : 3_000_003;
  const lap = Math.floor(id / CIK_RANGE);
  return String(base + lap * 20_000_000 + (((id % CIK_RANGE) * CIK_STEP) % CIK_RANGE));
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Two letters of the name and three (or more) that no other company has. */
function ticker(name: string, id: number): string {
  const initials = name
    .split(' ')
    .slice(0, 2)
    .map((word) => word[0]!.toUpperCase())
    .join('');
  let rest = id < 17_576 ? (id * 6_101) % 17_576 : id;
  let letters = '';
  while (rest > 0 || letters.length < 3) {
    letters = LETTERS[rest % 26] + letters;
    rest = Math.floor(rest / 26);
  }
  return initials + letters;
}

function nameRoot(serial: number): string {
  const at = (serial * NAME_STEP) % (words.NAME_STARTS.length * words.NAME_ENDS.length);
  return `${words.NAME_STARTS[at % words.NAME_STARTS.length]}${words.NAME_ENDS[Math.floor(at / words.NAME_STARTS.length)]}`;
}

function product(random: Random): string {
  let name = '';
  for (let i = random.int(2, 3); i > 0; i--) name += random.pick(words.SYLLABLES);
  return name[0]!.toUpperCase() + name.slice(1);
}

export function streetAddress(random: Random): string {
  return `${random.int(1, 98) * 50} ${random.pick(words.STREETS)} ${random.pick(words.STREET_KINDS)}`;
}

const SUFFIXES: Record<CompanyKind, readonly string[]> = {
  operating: ['Corp', 'Inc.', 'Co', 'Holdings, Inc.', 'Group Inc'],
  manager: ['Capital Management LLC', 'Advisors LP', 'Asset Management Inc', 'Investment Counsel'],
  fund: ['Funds Trust', 'Series Trust', 'Investment Trust'],
  private: ['Partners Fund II, LP', 'Ventures LLC', 'Real Estate Fund, L.P.', 'Holdings LLC'],
  depositor: ['Funding LLC', 'Receivables Corp', 'Finance Corp'],
};

const CATEGORIES =
  'Large accelerated filer|Accelerated filer|Non-accelerated filer|Non-accelerated filer<br>Smaller reporting company'.split(
    '|',
  );

/** No two companies share the first word of their names before all words are used up. */
const NAME_STEP = 1009;

/** @param id unique in the sample; @param serial number of the company, from 0; @param era year of the company's first filings */
export function makeCompany(seed: number, id: number, serial: number, kind: CompanyKind, era: number): Company {
  const r = new Random(seed, 'company', id);
  const industry = kind === 'operating' ? r.pick(INDUSTRIES) : INDUSTRIES.find((i) => i.sic === '6022')!;
  const root = nameRoot(serial + (seed % 97) * 13);
  const middle = kind === 'operating' ? ` ${r.pick(industry.nameWords)}` : '';
  const name = `${root}${middle} ${r.pick(SUFFIXES[kind])}`;
  const place = r.chance(0.06) ? r.pick(words.FOREIGN_PLACES) : r.pick(words.PLACES);
  const fiscalMonth = kind === 'fund' ? r.pick([10, 11, 8]) : Number(r.mix('12:7, 6:1, 9:1, 3:1'));
  const listed = kind === 'operating' && r.chance(0.85);
  const exchange = r.mix('Nasdaq:5, NYSE:4, OTC:1, CBOE:0.3');
  const symbol = ticker(name, id);
  const style = r.unit();
  const foundedYear = era - r.int(3, 60);
  const mail = streetAddress(r);
  const tradePlurals = r.shuffle(industry.nouns).map(plural);
  return {
    kind,
    id,
    seed,
    industry,
    cik: sampleCik(id),
    name,
    person: false,
    address: {
      street1: mail,
      street2: r.chance(0.3) ? `Suite ${r.int(1, 40) * 100}` : null,
      city: place.city,
      state: place.state,
      zip: place.zip,
    },
    phone: `${place.area}-555-01${String(r.int(0, 99)).padStart(2, '0')}`,
    ...classOf(kind, industry),
    irsNumber: kind === 'private' && r.chance(0.5) ? '000000000' : `${r.int(10, 98)}${r.symbols('0123456789', 7)}`,
    stateOfIncorporation: r.chance(0.6) ? 'DE' : place.state,
    fiscalYearEnd: `${String(fiscalMonth).padStart(2, '0')}${fiscalMonth === 6 || fiscalMonth === 9 || fiscalMonth === 11 ? '30' : '31'}`,
    formerNames: [],
    fileNumber: fileNumber(kind, r),
    tickers: listed ? listings(symbol, exchange, r) : [],
    category: kind === 'operating' ? r.pick(CATEGORIES) : '',
    entityType: kind === 'operating' ? 'operating' : kind === 'fund' ? 'investment' : 'other',
    fiscalMonth,
    foundedYear,
    stateName: place.stateName,
    style,
    agent: r.pick(AGENTS),
    place,
    voice: style < 0.55 ? 'we' : 'company',
    tradePlurals,
    products: Array.from({ length: 6 }, () => product(r)),
    segments: r.some(industry.segments, Math.min(industry.segments.length, r.int(2, 3))),
    places: r.shuffle(words.MARKETS),
  };
}

/** The common stock, and for some companies a preferred one. */
function listings(ticker: string, exchange: string, r: Random): Company['tickers'] {
  const common = { ticker, exchange };
  if (!r.chance(0.1)) return [common];
  return [common, { ticker: `${ticker}-PA`, exchange: r.chance(0.5) ? exchange : null }];
}

/** SIC code and office of a registrant that has them. */
function classOf(kind: CompanyKind, { sic, sicDescription, office }: Industry) {
  if (kind === 'operating') return { sic, sicDescription, office };
  if (kind !== 'depositor') return { sic: null, sicDescription: null, office: null };
  return { sic: '6189', sicDescription: 'ASSET-BACKED SECURITIES', office: 'Office of Structured Finance' };
}

function fileNumber(kind: CompanyKind, r: Random): string {
  const digits = (n: number) => r.symbols('123456789', n);
  const prefix = { manager: '028', fund: '811', private: '021', depositor: '333' };
  if (kind === 'operating') return `${r.pick(['001', '000'])}-${digits(5)}`;
  return `${prefix[kind]}-${digits(kind === 'private' || kind === 'depositor' ? 6 : 5)}`;
}

/** The name as EDGAR conforms it: upper case for half of the companies, unchanged for the others. */
export function conformedName(entity: Entity, style: number): string {
  return style < 0.5 ? entity.name.toUpperCase().replace(/,/g, '') : entity.name;
}

/** An insider of a company. Named by post and number: no real person can be meant. */
export interface Insider extends Entity {
  post: 'director' | 'officer' | 'owner';
  title: string | null;
}

const OFFICER_TITLES =
  'Chief Executive Officer|Chief Financial Officer|General Counsel|Chief Operating Officer|SVP, Operations|Chief Accounting Officer'.split(
    '|',
  );

/** How many insiders a company has, each with an id of its own. */
export const INSIDERS = 8;

export function makeInsider(company: Company, id: number, number: number): Insider {
  const r = new Random(company.seed, 'insider', id);
  const post = number % 8 === 7 ? 'owner' : number % 2 === 0 ? 'officer' : 'director';
  const word = post === 'owner' ? 'Holder' : post === 'officer' ? 'Officer' : 'Director';
  return {
    cik: sampleCik(id),
    name: `${word} ${number + 1} of ${company.name}`,
    person: true,
    address: { ...company.address, street1: `C/O ${company.name.toUpperCase()}`, street2: company.address.street1 },
    ...{ phone: null, sic: null, sicDescription: null, office: null, irsNumber: null, stateOfIncorporation: null },
    ...{ fiscalYearEnd: null, formerNames: [], post },
    title: post === 'officer' ? r.pick(OFFICER_TITLES) : null,
  };
}

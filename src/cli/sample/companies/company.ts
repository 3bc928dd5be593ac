/** An invented registrant: its name, place, business, and the look of its filings. Everything follows from its id. */
import { Random } from './random.ts';
import * as words from './words.ts';

/** What a registrant is, which decides what it files. */
export type CompanyKind = 'operating' | 'manager' | 'private';

export interface Entity {
  /** decimal digits, no padding */
  cik: string;
  /** as written in prose: `Cedarhaven Instruments Corp` */
  name: string;
  person: boolean;
  address: { street1: string; street2: string | null; city: string; state: string; zip: string };
  phone?: string | null;
  sic?: string | null;
  sicDescription?: string | null;
  office?: string | null;
  irsNumber?: string | null;
  stateOfIncorporation?: string | null;
  /** MMDD */
  fiscalYearEnd?: string;
  /** the day is a number, see calendar.ts */
  formerNames: { name: string; changedOn: number }[];
}

export type Company = ReturnType<typeof makeCompany>;

const AGENTS = [9_100_125, 9_100_170, 9_100_152, 9_100_659, 9_100_280];

/** Primes below the sizes of the CIK ranges: a product modulo a prime visits every number once. */
const CIK_RANGE = 999_983;
const CIK_STEP = 618_033;

/**
 * CIKs from 3,000,003 up, and one in seven from 10,000,003 up. They are above all of EDGAR's, so that a sample stored beside real
 * filings mixes with none of them. They have different lengths, so that tests notice a sort as text.
 */
function sampleCik(id: number): string {
  const base = id % 7 === 3 ? 10_000_003 : 3_000_003;
  const lap = Math.floor(id / CIK_RANGE);
  return String(base + lap * 20_000_000 + (((id % CIK_RANGE) * CIK_STEP) % CIK_RANGE));
}

/** Two letters of the name and three (or more) that no other company has. */
function tickerOf(name: string, id: number): string {
  const initials = /^(\w)\w* (\w)/.exec(name)!.slice(1).join('');
  let rest = id < 17_576 ? (id * 6_101) % 17_576 : id;
  let letters = '';
  while (rest > 0 || letters.length < 3) {
    letters = String.fromCharCode(65 + (rest % 26)) + letters;
    rest = Math.floor(rest / 26);
  }
  return initials + letters;
}

/** No two companies share the first word of their names before all words are used up. */
function nameRoot(serial: number): string {
  const { NAME_STARTS: starts, NAME_ENDS: ends } = words;
  const at = (serial * 1009) % (starts.length * ends.length);
  return `${starts[at % starts.length]}${ends[Math.floor(at / starts.length)]}`;
}

function product(r: Random): string {
  const name = Array.from({ length: r.int(2, 3) }, () => r.pick(words.SYLLABLES)).join('');
  return name[0]!.toUpperCase() + name.slice(1);
}

/** What each kind of registrant is called, and how its file number begins. */
const KINDS: Record<CompanyKind, { suffixes: string[]; file: string }> = {
  operating: { suffixes: ['Corp', 'Inc.', 'Co', 'Holdings, Inc.', 'Group Inc'], file: '001' },
  manager: { suffixes: ['Capital Management LLC', 'Advisors LP', 'Investment Counsel'], file: '028' },
  private: { suffixes: ['Partners Fund II, LP', 'Ventures LLC', 'Real Estate Fund, L.P.'], file: '021' },
};

const CATEGORIES = [
  'Large accelerated filer',
  'Accelerated filer',
  'Non-accelerated filer',
  'Non-accelerated filer<br>Smaller reporting company',
];

/** @param id unique in the sample; @param serial number of the company, from 0; @param era year of the company's first filings */
export function makeCompany(seed: number, id: number, serial: number, kind: CompanyKind, era: number) {
  const r = new Random(seed, 'company', id);
  const operating = kind === 'operating';
  const industry = operating ? r.pick(words.INDUSTRIES) : words.INDUSTRIES.find((i) => i.sic === '6022')!;
  const middle = operating ? ` ${r.pick(industry.nameWords.split(', '))}` : '';
  const name = `${nameRoot(serial + (seed % 97) * 13)}${middle} ${r.pick(KINDS[kind].suffixes)}`;
  const place = r.pick(words.PLACES);
  const fiscalMonth = Number(r.mix('12:7, 6:1, 9:1, 3:1'));
  const ticker = tickerOf(name, id);
  const common = { ticker, exchange: r.mix('Nasdaq:5, NYSE:4, OTC:1, CBOE:0.3') };
  const style = r.unit();
  const entity: Entity = {
    name,
    cik: sampleCik(id),
    person: false,
    address: {
      street1: `${r.int(1, 98) * 50} ${r.pick(words.STREETS)} ${r.pick(['Road', 'Street', 'Avenue', 'Parkway'])}`,
      street2: r.chance(0.3) ? `Suite ${r.int(1, 40) * 100}` : null,
      city: place.city,
      state: place.state,
      zip: place.zip,
    },
    phone: `${place.area}-555-01${r.symbols('0123456789', 2)}`,
    ...(operating && { sic: industry.sic, sicDescription: industry.sicDescription, office: industry.office }),
    irsNumber: kind === 'private' && r.chance(0.5) ? '000000000' : `${r.int(10, 98)}${r.symbols('0123456789', 7)}`,
    stateOfIncorporation: r.chance(0.6) ? 'DE' : place.state,
    fiscalYearEnd: `${String(fiscalMonth).padStart(2, '0')}${[6, 9, 11].includes(fiscalMonth) ? '30' : '31'}`,
    formerNames: [],
  };
  return {
    ...entity,
    id,
    seed,
    kind,
    /** month in which the fiscal year ends */
    fiscalMonth,
    /** the style of the company's reports: 0 to 1; each use takes other digits of it */
    style,
    fileNumber: `${KINDS[kind].file}-${r.symbols('123456789', kind === 'private' ? 6 : 5)}`,
    tickers: operating && r.chance(0.85) ? [common] : ([] as (typeof common)[]),
    category: operating ? r.pick(CATEGORIES) : '',
    entityType: operating ? 'operating' : 'other',
    foundedYear: era - r.int(3, 60),
    stateName: place.stateName,
    /** the first ten digits of its accession numbers */
    agent: r.pick(AGENTS),
    /** "we" or "the Company" */
    isWe: style < 0.55,
    industry,
    products: Array.from({ length: 6 }, () => product(r)),
    segments: r.shuffle(industry.segments.split(', ')).slice(0, r.int(2, 3)),
    places: r.shuffle(words.MARKETS),
  };
}

/** The name as EDGAR conforms it: upper case for persons and half of the companies, unchanged for the others. */
export function headerName(entity: Entity, style: number): string {
  return entity.person || style < 0.5 ? entity.name.toUpperCase().replace(/,/g, '') : entity.name;
}

/** An insider of a company. Named by post and number: no real person can be meant. */
export interface Insider extends Entity {
  post: 'director' | 'officer' | 'owner';
  title: string | null;
}

const TITLES = ['Chief Executive Officer', 'Chief Financial Officer', 'General Counsel', 'SVP, Operations'];

/** Insiders of a company, each with an id of its own. */
export const INSIDERS = 8;

export function makeInsider(company: Company, id: number, number: number): Insider {
  const post = number % 8 === 7 ? 'owner' : number % 2 === 0 ? 'officer' : 'director';
  const word = post === 'owner' ? 'Holder' : post === 'officer' ? 'Officer' : 'Director';
  return {
    cik: sampleCik(id),
    name: `${word} ${number + 1} of ${company.name}`,
    person: true,
    address: { ...company.address, street1: `C/O ${company.name.toUpperCase()}`, street2: company.address.street1 },
    formerNames: [],
    post,
    title: post === 'officer' ? TITLES[(number / 2) % TITLES.length]! : null,
  };
}

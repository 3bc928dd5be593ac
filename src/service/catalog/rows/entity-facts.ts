/**
 * Facts about an entity, with their sources. They are merged by their own stamps (latest filing, newest JSON), never by the order
 * of arrival: any order of ingest gives the same entity.
 */
import { type Address, baseForm, type Entity, type Party } from '../../../filings/api/index.ts';
import type { SubmissionsEntity, SubmissionsJson } from '../../../filings/edgar/index.ts';

/** A value and the stamp of the header that said it: filing date, acceptance, accession number, place in the header. */
type Stamped<T> = [value: T, stamp: string];

interface HeaderFacts {
  name?: Stamped<string>;
  state?: Stamped<string>;
  fiscalYearEnd?: Stamped<string>;
  sic?: Stamped<string>;
  /** With the code that it describes: a description of a former code is not used */
  sicDescription?: Stamped<{ sic: string; text: string }>;
  business?: Stamped<Address>;
  mailing?: Stamped<Address>;
  /** A header shows it as a fund: series and classes, forms of the Investment Company Act */
  investment: boolean;
  /** It has filed reports that only a company with registered securities files */
  periodic: boolean;
}

export interface EntityFacts {
  /** null: no header of a stored filing names it */
  header: HeaderFacts | null;
  submissions: { asOf: string; entity: SubmissionsEntity } | null;
}

export const NO_FACTS: EntityFacts = { header: null, submissions: null };

/** The facts of one header about one party. */
export interface PartyMention {
  party: Party;
  position: number;
  accession: string;
  formType: string;
  filingDate: string;
  acceptance: string | null;
  hasSeries: boolean;
}

const POSITION_MAX = 9_999;

/** Later filings are greater; in one header the first mention of a CIK is. */
function stampOf(mention: PartyMention): string {
  const fromTheEnd = String(POSITION_MAX - Math.min(mention.position, POSITION_MAX)).padStart(4, '0');
  return `${mention.filingDate} ${mention.acceptance ?? ''} ${mention.accession} ${fromTheEnd}`;
}

/** Roles of those who file for themselves, not about others. */
const REGISTRANT_ROLES = new Set(['filer', 'issuer', 'subject_company']);
/** Forms under the Investment Company Act. N-PX is not among them: since 2024 managers file it too. */
const FUND_FORM = /^(N-(?!PX)|NPORT|NSAR|NT-N|485|486|497|24F-2|N14|40-17)/i;
/** Reports under Section 13 or 15(d) of the Exchange Act. Who files current reports must file periodic ones too. */
const PERIODIC_FORM = /^(10-[KQD]|8-K|20-F|40-F|6-K|11-K)/;

export function mergeMention(known: HeaderFacts | null, mention: PartyMention): HeaderFacts {
  const { party } = mention;
  const stamp = stampOf(mention);
  const facts: HeaderFacts = known ?? { investment: false, periodic: false };
  const take = <Key extends keyof Omit<HeaderFacts, 'investment' | 'periodic'>>(
    key: Key,
    value: NonNullable<HeaderFacts[Key]>[0] | null,
  ) => {
    if (value === null || value === '') return;
    const before = facts[key];
    if (!before || before[1] < stamp) (facts[key] as Stamped<unknown>) = [value, stamp];
  };
  take('name', party.name);
  take('state', party.state_of_incorporation);
  take('fiscalYearEnd', party.fiscal_year_end);
  take('sic', party.sic);
  take('sicDescription', party.sic && party.sic_description ? { sic: party.sic, text: party.sic_description } : null);
  take('business', party.addresses.business ?? null);
  take('mailing', party.addresses.mailing ?? null);
  if (REGISTRANT_ROLES.has(party.role)) {
    if (mention.hasSeries || FUND_FORM.test(mention.formType)) facts.investment = true;
    if (PERIODIC_FORM.test(baseForm(mention.formType))) facts.periodic = true;
  }
  return facts;
}

/** Takes SEC's own record of the entity, unless a newer one is known. */
export function mergeSubmissions(known: EntityFacts, json: SubmissionsJson): EntityFacts {
  if (!json.entity) return known;
  const asOf = json.filings.reduce((latest, f) => {
    const stamp = `${f.filingDate} ${f.accessionNumber}`;
    return stamp > latest ? stamp : latest;
  }, '');
  const before = known.submissions;
  // Two files of the same day: the choice must not depend on which came first.
  const newer =
    !before ||
    asOf > before.asOf ||
    (asOf === before.asOf && JSON.stringify(json.entity) > JSON.stringify(before.entity));
  return newer ? { ...known, submissions: { asOf, entity: json.entity } } : known;
}

/** A ticker as SEC's lists have it. */
export interface ListedTicker {
  ticker: string;
  exchange: string | null;
}

/** Funds by their SIC code: open-end and closed-end management offices, unit trusts. */
const FUND_SIC = new Set(['6722', '6726']);

/**
 * The Entity record. Name, SIC, state, fiscal year and addresses are those of the headers. SEC's submissions JSON fills their
 * gaps, and alone has the category and SEC's entity type. Tickers are those of the JSON, else those of the lists.
 */
export function entityRecord(cik: string, facts: EntityFacts, listed: readonly ListedTicker[]): Entity {
  const { header } = facts;
  const json = facts.submissions?.entity ?? null;
  const sic = header?.sic?.[0] ?? json?.sic ?? null;
  const described = header?.sicDescription?.[0];
  const tickers = tickersOf(json, listed);
  const addresses: Record<string, Address> = {};
  for (const kind of ['business', 'mailing'] as const) {
    const address = header?.[kind]?.[0] ?? json?.addresses[kind];
    if (address) addresses[kind] = address;
  }
  return {
    cik,
    name: header?.name?.[0] ?? json?.name ?? null,
    tickers: tickers.map((t) => t.ticker),
    exchanges: tickers.map((t) => t.exchange ?? ''),
    sic,
    sic_description:
      described && described.sic === sic ? described.text : json?.sic === sic ? (json?.sic_description ?? null) : null,
    state_of_incorporation: header?.state?.[0] ?? json?.state_of_incorporation ?? null,
    fiscal_year_end: header?.fiscalYearEnd?.[0] ?? json?.fiscal_year_end ?? null,
    entity_type: json?.entity_type ?? typeByHeaders(header, sic),
    category: json?.category ?? null,
    addresses,
  };
}

/** `entity_type` if SEC doesn't say (docs/api.md#entity_lookup). */
function typeByHeaders(header: HeaderFacts | null, sic: string | null): Entity['entity_type'] {
  if (header?.investment || (sic !== null && FUND_SIC.has(sic))) return 'INVESTMENT';
  return sic !== null && header?.periodic ? 'OPERATING' : 'OTHER';
}

function tickersOf(json: SubmissionsEntity | null, listed: readonly ListedTicker[]): ListedTicker[] {
  const own = (json?.tickers ?? [])
    .map((ticker, i) => ({ ticker, exchange: json?.exchanges[i] ?? null }))
    .filter((t) => t.ticker !== '');
  return own.length > 0 ? own : [...listed];
}

/**
 * Filings that nobody stores: number i is made from i. There are enough of them, crowded on one day and into few forms like
 * EDGAR's, to test that an export loses none. They are answered as in sections 4 to 6 of the contract.
 */

import type { LookupRequest } from '../../src/export/windows/index.ts';
import type { Filing } from '../../src/filings/api/index.ts';

export interface RegisterOptions {
  filings: number;
  /** The first so many filings are all of this day. */
  busy?: { day: string; filings: number };
}

/** The searchable members of a filing; the rest of its record is made on request. */
interface Entry {
  index: number;
  filing_date: string;
  form_type: string;
  entity: number;
  entity_name: string;
  acceptance_datetime: string | null;
  size: number;
}

export interface RegisterPage {
  count: number;
  /** JSON texts of the single records. */
  records: string[];
  truncated: boolean;
}

/** Shares of a day of EDGAR's, roughly: few forms make most of it. */
const FORMS: readonly [string, number][] = [
  ['4', 360],
  ['8-K', 130],
  ['SC 13G', 60],
  ['SC 13G/A', 60],
  ['424B2', 70],
  ['10-Q', 60],
  ['6-K', 50],
  ['497', 40],
  ['3', 40],
  ['D', 40],
  ['10-K', 20],
  ['13F-HR', 20],
  ['DEF 14A', 15],
  ['S-8', 10],
  ['10-K/A', 5],
  ['8-K12B', 2],
  ['SB-2', 2],
  ['15-12G', 2],
];
/** Of the crowded day: one form that only its names can cut, one that both ends of its order reach, and many rare ones. */
const BUSY_FORMS: readonly [string, number][] = [
  ['4', 600],
  ['SC 13G/A', 280],
  ['SC 13G', 60],
  ['8-K', 30],
  ['13F-HR', 20],
  ['5', 6],
  ['10-K', 2],
  ['40-F', 1],
  ['NT 10-K', 1],
];
const WORDS =
  'ALPHA BEACON CEDAR DELTA EAGLE FALCON GRANITE HARBOR IRON JUNIPER KEYSTONE LIBERTY MERIDIAN NORTH OAK PIONEER QUARTZ RIVER SUMMIT TITAN UNION VALLEY WEST YORK ZENITH'.split(
    ' ',
  );
const KINDS = [
  'INC',
  'CORP',
  'HOLDINGS LTD',
  'PARTNERS LP',
  'TRUST',
  'GROUP PLC',
  '/DE/',
  'BANCORP',
  'FUND VI',
  'Š.A.',
];
const ENTITIES = 9_000;
const FIRST_YEAR = 1993;
const YEARS = 33;
/** Acceptance times are in headers since then. */
const TIMES_SINCE = '2001-05-01';

export class FilingRegister {
  /** In the main order: filing date, acceptance time, accession number. */
  readonly #entries: Entry[];
  #total: number;
  /** The selection asked last, since a reading asks for its pages one after the other. */
  #last: { key: string; entries: readonly Entry[] } | null = null;

  constructor({ filings, busy }: RegisterOptions) {
    this.#total = filings;
    this.#entries = Array.from({ length: filings }, (_, i) =>
      entryOf(i, busy && i < busy.filings ? { filing_date: busy.day, busy: true } : {}),
    ).sort(mainOrder);
  }

  get filings(): number {
    return this.#entries.length;
  }

  /** A filing that came just now. @returns its accession number */
  arrive(of: { filing_date: string; form_type?: string; entity_name?: string }): string {
    const entry = entryOf(this.#total++, of);
    const at = lowerBound(this.#entries, (other) => mainOrder(other, entry) < 0);
    this.#entries.splice(at, 0, entry);
    this.#last = null;
    return accessionOf(entry);
  }

  /** Every record, in the main order. */
  *records(): Generator<Filing> {
    for (const entry of this.#entries) yield recordOf(entry);
  }

  /** @param bytesMax the page is cut short before its records have more; one is always given */
  lookUp(request: LookupRequest, bytesMax: number): RegisterPage {
    const matching = this.#select(request);
    const to = Math.min(request.to, matching.length);
    const records: string[] = [];
    let bytes = 0;
    let at = request.from;
    for (; at < to; at++) {
      const record = JSON.stringify(recordOf(matching[at]!));
      bytes += Buffer.byteLength(record) + 1;
      if (bytes > bytesMax && records.length > 0) break;
      records.push(record);
    }
    return { count: matching.length, records, truncated: at < to };
  }

  #select(request: LookupRequest): readonly Entry[] {
    const { from: _from, to: _to, ...selection } = request;
    const key = JSON.stringify(selection);
    if (this.#last?.key !== key) this.#last = { key, entries: this.#selected(request) };
    return this.#last.entries;
  }

  #selected(request: LookupRequest): readonly Entry[] {
    const { date_from, date_to, sort_by, sort_order } = request;
    const first = date_from === undefined ? 0 : lowerBound(this.#entries, (e) => e.filing_date < date_from);
    const last =
      date_to === undefined ? this.#entries.length : lowerBound(this.#entries, (e) => e.filing_date <= date_to);
    const inRange = this.#entries.slice(first, last).filter(filterOf(request));
    if (sort_by === 'filing_date' && sort_order === 'asc') return inRange;
    return inRange.sort(orderOf(sort_by, sort_order));
  }
}

function entryOf(
  index: number,
  given: { filing_date?: string; form_type?: string; entity_name?: string; busy?: boolean },
): Entry {
  const filing_date = given.filing_date ?? dayOf(index);
  // Some file much, most little; nobody files thousands of papers on one day.
  const entity = Math.floor(ENTITIES * chance(index, 'entity') ** 1.5);
  const second = 21_600 + Math.floor(57_600 * chance(index, 'time'));
  return {
    index,
    filing_date,
    form_type: given.form_type ?? weighted(given.busy ? BUSY_FORMS : FORMS, chance(index, 'form')),
    entity,
    entity_name: given.entity_name ?? nameOf(entity),
    acceptance_datetime:
      filing_date < TIMES_SINCE ? null : `${filing_date}T${new Date(second * 1000).toISOString().slice(11, 19)}`,
    size: 2_000 + Math.floor(chance(index, 'size') ** 4 * 4_000_000),
  };
}

function recordOf(entry: Entry): Filing {
  const { filing_date, acceptance_datetime, form_type, entity_name, size } = entry;
  const accession_number = accessionOf(entry);
  const documents = Array.from({ length: 1 + Math.floor(3 * chance(entry.index, 'documents') ** 2) }, (_, i) => ({
    document_id: `${accession_number}-${i + 1}`,
    sequence: i + 1,
    filename: i === 0 ? `d${entry.index}.htm` : `d${entry.index}ex99_${i}.htm`,
    description: i === 0 ? form_type : null,
    type: i === 0 ? form_type : `EX-99.${i}`,
  }));
  return {
    accession_number,
    cik: String(1_000 + entry.entity * 37),
    form_type,
    filing_date,
    acceptance_datetime,
    entity_name,
    report_date: /^(4|10-|8-K)/.test(form_type) ? filing_date : null,
    size,
    documents,
  };
}

function accessionOf({ index, filing_date }: Entry): string {
  const agent = 9_000 + Math.floor(40 * chance(index, 'agent')) + Math.floor(index / 1_000_000) * 100;
  return `${String(agent).padStart(10, '0')}-${filing_date.slice(2, 4)}-${String(index % 1_000_000).padStart(6, '0')}`;
}

/** More in later years, and crowded in the weeks of quarterly reports. */
function dayOf(index: number): string {
  const year = FIRST_YEAR + Math.floor(YEARS * chance(index, 'year') ** 0.7);
  const quarterly = chance(index, 'season') < 0.35;
  const day = quarterly
    ? 40 + 91 * Math.floor(4 * chance(index, 'quarter')) + Math.floor(8 * chance(index, 'day'))
    : 1 + Math.floor(364 * chance(index, 'day'));
  return new Date(Date.UTC(year, 0, day)).toISOString().slice(0, 10);
}

function nameOf(entity: number): string {
  const word = (salt: string) => WORDS[Math.floor(WORDS.length * chance(entity, salt))]!;
  return `${word('first')} ${word('second')} ${KINDS[entity % KINDS.length]} ${entity % 7 === 0 ? entity : ''}`.trim();
}

/** In [0, 1): the same for the same number and purpose. */
function chance(number: number, purpose: string): number {
  let hash = 2166136261 ^ Math.imul(number + 1, 0x9e3779b1);
  for (let i = 0; i < purpose.length; i++) hash = Math.imul(hash ^ purpose.charCodeAt(i), 16777619);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

function weighted(of: readonly [string, number][], draw: number): string {
  let left = draw * of.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [value, weight] of of) {
    left -= weight;
    if (left < 0) return value;
  }
  return of[0]![0];
}

function filterOf({ form_types, excluded_form_types, entity_query }: LookupRequest): (entry: Entry) => boolean {
  const asked = upper(form_types);
  const excluded = upper(excluded_form_types);
  const includes = (entity_query?.name_includes ?? []).map((text) => text.toUpperCase());
  const excludes = (entity_query?.name_excludes ?? []).map((text) => text.toUpperCase());
  return ({ form_type, entity_name }) => {
    const form = form_type.toUpperCase();
    const name = entity_name.toUpperCase();
    if (asked && !asked.has(form)) return false;
    if (excluded?.has(form)) return false;
    return includes.every((text) => name.includes(text)) && !excludes.some((text) => name.includes(text));
  };
}

function upper(values: readonly string[] | undefined): Set<string> | null {
  return values?.length ? new Set(values.map((value) => value.toUpperCase())) : null;
}

function mainOrder(a: Entry, b: Entry): number {
  return compare(a.filing_date, b.filing_date, 1) || byAcceptance(a, b, 1);
}

function orderOf(sortBy: LookupRequest['sort_by'], sortOrder: 'asc' | 'desc'): (a: Entry, b: Entry) => number {
  const sign = sortOrder === 'asc' ? 1 : -1;
  if (sortBy === 'acceptance_date_time') return (a, b) => byAcceptance(a, b, sign);
  const value = (entry: Entry): string | number =>
    sortBy === 'size' ? entry.size : sortBy === 'filing_date' ? entry.filing_date : entry.entity_name.toUpperCase();
  return (a, b) => compare(value(a), value(b), sign) || byAcceptance(a, b, sign);
}

/** Without a time: last in both orders. */
function byAcceptance(a: Entry, b: Entry, sign: number): number {
  const [x, y] = [a.acceptance_datetime, b.acceptance_datetime];
  if (x !== y) {
    if (x === null) return 1;
    if (y === null) return -1;
    return compare(x, y, sign);
  }
  return compare(accessionOf(a), accessionOf(b), 1);
}

function compare<T extends string | number>(a: T, b: T, sign: number): number {
  return a === b ? 0 : a < b ? -sign : sign;
}

/** How many entries, in order, are before. */
function lowerBound(entries: readonly Entry[], isBefore: (entry: Entry) => boolean): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(entries[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Plans the filing of each number. 250 consecutive numbers are a cohort: the filings of twelve registrants over some years, mixed
 * roughly like EDGAR's. A cohort follows from the seed and its number alone. So any filing can be made without those before it.
 */
import { businessDay, businessDayBefore, dayOf, lastDayOfMonth, partsOf, quarterOf, yearOf } from './calendar.ts';
import { type Company, type CompanyKind, INSIDERS, makeCompany, makeInsider } from './company.ts';
import type { PlannedFiling } from './filing.ts';
import { annualForm, occasionalForm, quarterlyForm } from './form-mix.ts';
import { Random } from './random.ts';

export const COHORT_FILINGS = 250;
/** Ids available to a cohort's companies and insiders. */
const COHORT_IDS = 128;
const FIRST_INSIDER_ID = 16;

/** First and last day of the sample's filings, both included. */
export interface SamplePeriod {
  from: number;
  to: number;
}

export const DEFAULT_PERIOD: SamplePeriod = { from: dayOf(1994, 1, 3), to: dayOf(2025, 12, 31) };

interface Life {
  kind: CompanyKind;
  filings: number;
  /** years of its life within a long period */
  years: readonly [number, number];
  /** files 10-KSB and 10-QSB while there are such forms */
  small?: true;
  /** begins with an S-1 */
  offering?: true;
}

const LIVES: readonly Life[] = [
  { kind: 'operating', filings: 60, years: [2022, 2025] },
  { kind: 'operating', filings: 34, years: [2024, 2025] },
  { kind: 'operating', filings: 24, years: [2018, 2019], offering: true },
  { kind: 'operating', filings: 32, years: [2003, 2005] },
  { kind: 'operating', filings: 22, years: [2010, 2011] },
  { kind: 'operating', filings: 28, years: [1996, 1998] },
  { kind: 'operating', filings: 12, years: [1999, 2000], small: true },
  { kind: 'manager', filings: 10, years: [2011, 2025] },
  { kind: 'fund', filings: 8, years: [2018, 2025] },
  { kind: 'private', filings: 6, years: [2010, 2024] },
  { kind: 'private', filings: 6, years: [2019, 2025] },
  { kind: 'depositor', filings: 8, years: [2004, 2025] },
];

const FORM_D_ELECTRONIC_SINCE = dayOf(2009, 3, 16);
const N_CEN_SINCE = dayOf(2018, 7, 30);

/** An event of a company's life, before it has a number. */
type Event = Omit<PlannedFiling, 'index' | 'accessionNumber' | 'amends'> & { amends: Event | null };

/** The filings of a cohort, by number. */
export function planCohort(seed: number, cohort: number, period: SamplePeriod = DEFAULT_PERIOD): PlannedFiling[] {
  const companies = LIVES.map((life, slot) => settle(seed, cohort, slot, life, period));
  const events = companies.flatMap(({ company, life, start, end }, slot) => {
    const own = liveThrough(company, life, start, end, cohort, slot, companies[slot % 6]!.company);
    own.forEach((event, ordinal) => {
      event.ordinal = ordinal;
    });
    return own;
  });
  const ordered = varietyFirst(events, new Random(seed, 'order', cohort));
  const planned = new Map<Event, PlannedFiling>();
  ordered.forEach((event, i) => {
    const index = cohort * COHORT_FILINGS + i;
    planned.set(event, { ...event, index, accessionNumber: accessionOf(event, index), amends: null });
  });
  return ordered.map((event) => {
    const filing = planned.get(event)!;
    if (event.amends) filing.amends = planned.get(event.amends) ?? null;
    return filing;
  });
}

interface Settled {
  company: Company;
  life: Life;
  start: number;
  end: number;
}

function settle(seed: number, cohort: number, slot: number, life: Life, period: SamplePeriod): Settled {
  const r = new Random(seed, 'life', cohort, slot);
  const shift = cohort === 0 ? 0 : r.int(-2, 1);
  let start = Math.max(period.from, dayOf(life.years[0] + shift, 1, 1));
  let end = Math.min(period.to, dayOf(life.years[1] + shift, 12, 31));
  if (start > end) {
    // The life is outside the period: the company gets some years within it.
    const span = Math.min(period.to - period.from, 365 * r.int(2, 4));
    start = period.from + r.int(0, period.to - period.from - span);
    end = start + span;
  }
  const kind = life.kind === 'private' && end < FORM_D_ELECTRONIC_SINCE + 90 ? 'operating' : life.kind;
  const company = makeCompany(seed, cohort * COHORT_IDS + slot, cohort * LIVES.length + slot, kind, yearOf(start));
  if (kind === 'private') start = Math.max(start, FORM_D_ELECTRONIC_SINCE);
  if (r.chance(0.4)) {
    const [first, ...rest] = company.name.split(' ');
    company.formerNames.push({
      name: `OLD ${first} ${rest.join(' ')}`.toUpperCase().replace(/,/g, ''),
      changedOn: start - r.int(-300, 2000),
    });
  }
  return { company, life: { ...life, kind }, start, end };
}

function liveThrough(
  company: Company,
  life: Life,
  start: number,
  end: number,
  cohort: number,
  slot: number,
  neighbour: Company,
): Event[] {
  const r = new Random(company.seed, 'events', company.id);
  const event = (form: string, filed: number, more: Partial<Event> = {}): Event => ({
    ...{ form, filed, company, fiscalYear: yearOf(filed), ordinal: 0 },
    ...{ period: null, fiscalQuarter: null, insider: null, other: null, amends: null },
    ...more,
  });
  const inside = (filed: number) => filed >= start && filed <= end;
  const anyDay = (from = start) => {
    const day = businessDayBefore(r.int(Math.min(from, end), end));
    const later = businessDay(start);
    return day >= start ? day : later <= end ? later : start;
  };
  const small = life.small ?? false;
  const events: Event[] = [];
  const regular = (form: string, filed: number, more: Partial<Event>) => {
    if (inside(filed)) events.push(event(form, filed, more));
  };

  if (life.offering) regular('S-1', businessDay(start + 3), {});
  for (let year = yearOf(start) - 1; year <= yearOf(end); year++) {
    if (life.kind === 'operating') {
      const yearEnd = lastDayOfMonth(year, company.fiscalMonth);
      const annual = businessDay(yearEnd + r.int(54, 88));
      regular(annualForm(company, small, annual), annual, { period: yearEnd, fiscalYear: year });
      regular('DEF 14A', businessDay(yearEnd + r.int(92, 112)), { period: yearEnd + 140, fiscalYear: year });
      for (let quarter = 1; quarter <= 3; quarter++) {
        const quarterEnd = lastDayOfMonth(year, company.fiscalMonth - 12 + quarter * 3);
        const filed = businessDay(quarterEnd + r.int(33, 44));
        regular(quarterlyForm(small, filed), filed, { period: quarterEnd, fiscalYear: year, fiscalQuarter: quarter });
      }
    } else if (life.kind === 'manager') {
      for (let quarter = 1; quarter <= 4; quarter++) {
        const quarterEnd = lastDayOfMonth(year, quarter * 3);
        regular('13F-HR', businessDay(quarterEnd + r.int(20, 45)), { period: quarterEnd, fiscalYear: year });
      }
    } else if (life.kind === 'fund') {
      const yearEnd = lastDayOfMonth(year, company.fiscalMonth);
      regular('485BPOS', businessDay(yearEnd + r.int(100, 118)), { fiscalYear: year });
      const census = businessDay(yearEnd + 74);
      if (census >= N_CEN_SINCE) regular('N-CEN', census, { period: yearEnd, fiscalYear: year });
    }
  }
  events.sort((a, b) => a.filed - b.filed);
  if (events.length > life.filings) events.length = life.filings;

  const insider = () => {
    const number = r.int(0, INSIDERS - 1);
    return makeInsider(company, cohort * COHORT_IDS + FIRST_INSIDER_ID + slot * INSIDERS + number, number);
  };
  while (events.length < life.filings) {
    const filed = anyDay();
    const form = occasionalForm(life.kind, filed, r);
    if (/^[345]$/.test(form)) events.push(event(form, filed, { insider: insider(), period: filed - r.int(0, 2) }));
    else if (form === '10-K/A' || form === '8-K/A' || form === '13F-HR/A' || form === 'D/A') {
      const isOpen = (e: Event) => !e.amends && e.filed + 14 <= end && !events.some((o) => o.amends === e);
      const original = events.find((e) => e.form.startsWith(form.slice(0, -2)) && isOpen(e));
      if (!original) events.push(event(form.slice(0, -2).replace('10-K', '8-K'), filed, eventPeriod(form, filed, r)));
      else {
        const later = anyDay(original.filed + 14);
        const { period, fiscalYear, fiscalQuarter } = original;
        const more = { period, fiscalYear, fiscalQuarter, amends: original };
        events.push(event(`${original.form}/A`, Math.max(later, original.filed), more));
      }
    } else {
      const other = life.kind === 'manager' && form.startsWith('SC') ? neighbour : null;
      events.push(event(form, filed, { ...eventPeriod(form, filed, r), other }));
    }
  }
  return events.sort((a, b) => a.filed - b.filed);
}

/** 8-Ks report an event of the days before; 13Fs a quarter. */
function eventPeriod(form: string, filed: number, r: Random): Partial<Event> {
  if (form.startsWith('8-K')) return { period: filed - r.int(0, 4) };
  if (form.startsWith('13F')) {
    const { year } = partsOf(filed);
    return { period: lastDayOfMonth(year, (quarterOf(filed) - 1) * 3) };
  }
  return {};
}

/** One filing of each kind first, so that a sample of forty has them all. Then the others in random order. */
function varietyFirst(events: Event[], r: Random): Event[] {
  const seen = new Set<string>();
  const firsts: Event[] = [];
  const rest: Event[] = [];
  for (const event of r.shuffle(events)) {
    const kind = `${event.form} ${Math.floor((event.filed - dayOf(1994, 1, 1)) / (365.25 * 8))}`;
    // An amendment would come before what it amends.
    if (seen.has(kind) || event.amends) rest.push(event);
    else {
      seen.add(kind);
      firsts.push(event);
    }
  }
  return [...firsts, ...rest];
}

/** Unique for every number: six digits of it, and another prefix each time they run over. */
function accessionOf(event: Event, index: number): string {
  const r = new Random(event.company.seed, 'accession', index);
  const lap = Math.floor(index / 999_999);
  const sequence = String((index % 999_999) + 1).padStart(6, '0');
  const year = String(yearOf(event.filed) % 100).padStart(2, '0');
  if (event.form === 'UPLOAD' && lap === 0) return `0000000000-${year}-${sequence}`;
  const prefix = r.chance(0.15) ? Number(event.company.cik) : event.company.agent.prefix + lap * 1000;
  return `${String(prefix).padStart(10, '0')}-${year}-${sequence}`;
}

/**
 * Plans the filing of each number. 250 consecutive numbers are a cohort: the filings of twelve registrants over some years, mixed
 * roughly like EDGAR's. A cohort follows from the seed and its number alone. So any filing can be made without those before it.
 */
import { businessDay, dayOf, lastDayOfMonth, quarterOf, yearOf } from './calendar.ts';
import { type Company, type CompanyKind, INSIDERS, makeCompany, makeInsider } from './company.ts';
import type { PlannedFiling } from './filing.ts';
import { Random } from './random.ts';

export const COHORT_FILINGS = 250;
/** Ids available to a cohort's companies, insiders and trusts. */
export const COHORT_IDS = 128;
const FIRST_INSIDER_ID = 16;

/** First and last day of the sample's filings, both included. */
export interface SamplePeriod {
  from: number;
  to: number;
}

/** The forms of the sample are those of this time. */
export const DEFAULT_PERIOD: SamplePeriod = { from: dayOf(2005, 1, 3), to: dayOf(2025, 12, 31) };

interface Life {
  kind: CompanyKind;
  filings: number;
  /** years of its life within a long period */
  years: readonly [number, number];
  /** begins with an S-1 */
  offering?: true;
}

const LIVES: readonly Life[] = [
  { kind: 'operating', filings: 60, years: [2022, 2025] },
  { kind: 'operating', filings: 34, years: [2024, 2025] },
  { kind: 'operating', filings: 24, years: [2018, 2019], offering: true },
  { kind: 'operating', filings: 32, years: [2006, 2008] },
  { kind: 'operating', filings: 22, years: [2010, 2011] },
  { kind: 'operating', filings: 28, years: [2013, 2015] },
  { kind: 'operating', filings: 12, years: [2020, 2021] },
  { kind: 'manager', filings: 10, years: [2014, 2025] },
  { kind: 'manager', filings: 8, years: [2018, 2025] },
  { kind: 'private', filings: 6, years: [2010, 2024] },
  { kind: 'private', filings: 6, years: [2019, 2025] },
  { kind: 'private', filings: 8, years: [2009, 2025] },
];

/** Their forms have been XML since this day. */
const XML_SINCE: Partial<Record<CompanyKind, number>> = { manager: dayOf(2013, 5, 20), private: dayOf(2009, 3, 16) };

/** Filings between the regular reports, mixed about as on a day of EDGAR. */
const MIXES: Record<CompanyKind, string> = {
  operating: '4:48, 8-K:36, 3:3, 5:1, 8-K/A:3, 10-K/A:2, SC 13G:4, 8-K:6',
  manager: '13F-HR/A:1, SC 13G:3',
  private: 'D:3, D/A:2',
};

export function planCohort(seed: number, cohort: number, period: SamplePeriod = DEFAULT_PERIOD): PlannedFiling[] {
  const companies = LIVES.map((life, slot) => settle(seed, cohort, slot, life, period));
  const filings = companies.flatMap((one, slot) => liveThrough(one, cohort, slot, companies[slot % 6]!.company));
  const ordered = varietyFirst(filings, new Random(seed, 'order', cohort));
  for (const [i, filing] of ordered.entries()) {
    filing.index = cohort * COHORT_FILINGS + i;
    filing.accessionNumber = accessionOf(filing);
  }
  return ordered;
}

function settle(seed: number, cohort: number, slot: number, life: Life, period: SamplePeriod) {
  const r = new Random(seed, 'life', cohort, slot);
  const shift = cohort === 0 ? 0 : r.int(-1, 1);
  let start = Math.max(period.from, dayOf(life.years[0] + shift, 1, 1));
  let end = Math.min(period.to, dayOf(life.years[1] + shift, 12, 31));
  if (start > end) {
    // The life is outside the period: the company gets some years within it.
    const span = Math.min(period.to - period.from, 365 * r.int(2, 4));
    start = period.from + r.int(0, period.to - period.from - span);
    end = start + span;
  }
  const since = XML_SINCE[life.kind] ?? start;
  const kind = end < since + 90 ? 'operating' : life.kind;
  if (kind === life.kind) start = Math.max(start, since);
  const company = makeCompany(seed, cohort * COHORT_IDS + slot, cohort * LIVES.length + slot, kind, yearOf(start));
  if (r.chance(0.4)) {
    const name = `OLD ${company.name}`.toUpperCase().replace(/,/g, '');
    company.formerNames.push({ name, changedOn: start - r.int(-300, 2000) });
  }
  return { company, life: { ...life, kind }, start, end };
}

/** What a company files in its life; the filings have no numbers yet. */
function liveThrough(
  one: ReturnType<typeof settle>,
  cohort: number,
  slot: number,
  neighbour: Company,
): PlannedFiling[] {
  const { company, life, start, end } = one;
  const r = new Random(company.seed, 'events', company.id);
  const events: PlannedFiling[] = [];
  const add = (form: string, filed: number, more: Partial<PlannedFiling> = {}) =>
    events.push({
      form,
      filed,
      company,
      fiscalYear: yearOf(filed),
      index: 0,
      ordinal: 0,
      accessionNumber: '',
      period: null,
      fiscalQuarter: null,
      insider: null,
      other: null,
      amends: null,
      ...more,
    });
  const regular = (form: string, filed: number, more: Partial<PlannedFiling> = {}) => {
    if (filed >= start && filed <= end) add(form, filed, more);
  };
  const anyDay = (from = start) => {
    return Math.min(businessDay(r.int(Math.min(from, end), end)), end);
  };

  if (life.offering) regular('S-1', businessDay(start + 3));
  for (let year = yearOf(start) - 1; year <= yearOf(end); year++) {
    const yearEnd = lastDayOfMonth(year, company.fiscalMonth);
    if (life.kind === 'operating') {
      regular('10-K', businessDay(yearEnd + r.int(54, 88)), { period: yearEnd, fiscalYear: year });
      regular('DEF 14A', businessDay(yearEnd + r.int(92, 112)), { period: yearEnd + 140, fiscalYear: year });
      for (let quarter = 1; quarter <= 3; quarter++) {
        const period = lastDayOfMonth(year, company.fiscalMonth - 12 + quarter * 3);
        regular('10-Q', businessDay(period + r.int(33, 44)), { period, fiscalYear: year, fiscalQuarter: quarter });
      }
    } else if (life.kind === 'manager') {
      for (let quarter = 1; quarter <= 4; quarter++) {
        const period = lastDayOfMonth(year, quarter * 3);
        regular('13F-HR', businessDay(period + r.int(20, 45)), { period, fiscalYear: year });
      }
    }
  }
  events.sort((a, b) => a.filed - b.filed);
  if (events.length > life.filings) events.length = life.filings;

  while (events.length < life.filings) {
    const filed = anyDay();
    const form = r.mix(MIXES[life.kind]);
    if (/^[345]$/.test(form)) {
      const number = r.int(0, INSIDERS - 1);
      const id = cohort * COHORT_IDS + FIRST_INSIDER_ID + slot * INSIDERS + number;
      add(form, filed, { insider: makeInsider(company, id, number), period: filed - r.int(0, 2) });
    } else if (form.endsWith('/A')) {
      const first = form.slice(0, -2);
      const isOpen = (e: PlannedFiling) => !e.amends && e.filed + 14 <= end && !events.some((o) => o.amends === e);
      const original = events.find((e) => e.form === first && isOpen(e));
      if (original) {
        const { period, fiscalYear, fiscalQuarter } = original;
        add(form, anyDay(original.filed + 14), { period, fiscalYear, fiscalQuarter, amends: original });
      } else if (first === '13F-HR')
        add(first, filed, { period: lastDayOfMonth(yearOf(filed), (quarterOf(filed) - 1) * 3) });
      else add(first === 'D' ? 'D' : '8-K', filed, first === 'D' ? {} : { period: filed - r.int(0, 4) });
    } else {
      const other = life.kind === 'manager' && form.startsWith('SC') ? neighbour : null;
      add(form, filed, { other, ...(form === '8-K' && { period: filed - r.int(0, 4) }) });
    }
  }
  events.sort((a, b) => a.filed - b.filed);
  for (const [ordinal, event] of events.entries()) event.ordinal = ordinal;
  return events;
}

/** One filing of each kind first, so that a sample of forty has them all. Then the others in random order. */
function varietyFirst(events: PlannedFiling[], r: Random): PlannedFiling[] {
  const seen = new Set<string>();
  const isFirst = ({ form, filed, amends }: PlannedFiling) => {
    const kind = `${form} ${Math.floor(yearOf(filed) / 8)}`;
    // An amendment must not come before the filing that it amends.
    return !amends && !seen.has(kind) && seen.add(kind);
  };
  const { true: firsts = [], false: rest = [] } = Object.groupBy(r.shuffle(events), (event) => `${!!isFirst(event)}`);
  return [...firsts, ...rest];
}

/** Unique for every number: six digits of it, and another prefix each time they run over. */
function accessionOf({ company, filed, index }: PlannedFiling): string {
  const r = new Random(company.seed, 'accession', index);
  const lap = Math.floor(index / 999_999);
  const prefix = r.chance(0.15) ? Number(company.cik) : company.agent + lap * 1000;
  const [year, sequence] = [yearOf(filed) % 100, (index % 999_999) + 1];
  return `${String(prefix).padStart(10, '0')}-${String(year).padStart(2, '0')}-${String(sequence).padStart(6, '0')}`;
}

/** A filing_lookup in memory with the variants of services, for the window tests. */
import type { LookupPage, LookupRequest, SampleRecord } from '../../../src/export/index.ts';

export interface SimulatedFiling extends SampleRecord {
  accession_number: string;
  form_type: string;
  /** Empty: it has none, is in no range of dates, and comes last in both orders. */
  filing_date: string;
  entity_name: string;
  size: number;
}

export interface Liberties {
  /** `page`: of the page; `none`: not stated */
  count?: 'all' | 'page' | 'none';
  /** Maximum of records in a page, marked as truncated. */
  truncateAt?: number;
  /** Maximum of records in a page, not marked. */
  silentLimit?: number;
  /** Newest first, whatever is asked. */
  ignoresOrder?: boolean;
}

export class LookupService {
  readonly filings: SimulatedFiling[];
  readonly liberties: Liberties;
  requests = 0;
  /** Called before each answer: filings arrive or vanish here. */
  meanwhile: (request: number) => void = () => {};

  constructor(filings: readonly SimulatedFiling[], liberties: Liberties = {}) {
    this.filings = [...filings];
    this.liberties = liberties;
  }

  ask(request: LookupRequest): LookupPage {
    this.meanwhile(++this.requests);
    const { count = 'all', truncateAt, silentLimit, ignoresOrder = false } = this.liberties;
    const matching = this.filings.filter((filing) => matches(filing, request)).sort(order(request, ignoresOrder));
    const whole = matching.slice(request.from, Math.min(request.to, request.from + (silentLimit ?? Infinity)));
    const page = whole.slice(0, truncateAt);
    return {
      count: count === 'all' ? matching.length : count === 'page' ? page.length : null,
      truncated: page.length < whole.length,
      received: page.length,
      records: page.map((filing) => ({ ...filing, filing_date: filing.filing_date || null })),
    };
  }
}

function matches(filing: SimulatedFiling, request: LookupRequest): boolean {
  const { date_from, date_to, form_types, excluded_form_types, entity_query } = request;
  const form = filing.form_type.toUpperCase();
  if ((date_from ?? date_to) !== undefined && filing.filing_date === '') return false;
  if (date_from !== undefined && filing.filing_date < date_from) return false;
  if (date_to !== undefined && filing.filing_date > date_to) return false;
  if (form_types && !form_types.some((f) => f.toUpperCase() === form)) return false;
  if (excluded_form_types?.some((f) => f.toUpperCase() === form)) return false;
  const name = filing.entity_name.toUpperCase();
  if (entity_query?.name_includes?.some((text) => !name.includes(text.toUpperCase()))) return false;
  return !entity_query?.name_excludes?.some((text) => name.includes(text.toUpperCase()));
}

/** As the contract has it: the field, then (here) the accession number, ascending in both orders. */
function order(request: LookupRequest, ignoresOrder: boolean) {
  const field = ignoresOrder ? 'filing_date' : request.sort_by;
  const sign = ignoresOrder || request.sort_order === 'desc' ? -1 : 1;
  const value = (filing: SimulatedFiling) =>
    field === 'size' ? filing.size : field === 'entity_name' ? filing.entity_name : filing.filing_date;
  return (a: SimulatedFiling, b: SimulatedFiling): number => {
    const [x, y] = [value(a), value(b)];
    if (x !== y) return x === '' ? 1 : y === '' ? -1 : x < y ? -sign : sign;
    return a.accession_number < b.accession_number ? -1 : 1;
  };
}

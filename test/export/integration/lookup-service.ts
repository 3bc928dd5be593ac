/** A filing_lookup in memory with the variants of services, for the window tests. */
import type { LookupRequest, SampleRecord } from '../../../src/export/windows/index.ts';
import type { LookupPage } from '../../../src/export/windows/window-reading.ts';

type ListedRecord = LookupPage['records'][number];

export interface SimulatedFiling extends SampleRecord {
  accession_number: string;
  form_type: string;
  /** Empty: it has none, is in no range of dates, and comes last in both orders. */
  filing_date: string;
  entity_name: string;
  size: number;
}

export interface Liberties {
  /** `page`: of the page; `none`: not stated; a number: added to the true count */
  count?: 'all' | 'page' | 'none' | number;
  /** What the service says of a page: the truth about `truncateAt` (default), always the same, or nothing. */
  truncated?: boolean | 'unstated';
  /** By position in the main order: the record there stands at the place of the next one too, which is never listed. */
  repeatAt?: number;
  /** By position: the record there is listed once more, with other content if `other`. The service's count includes it. */
  twiceAt?: { position: number; other: boolean };
  /** Maximum of records in a page, marked as truncated. */
  truncateAt?: number;
  /** Maximum of records in a page, not marked. */
  silentLimit?: number;
  /** A later position is taken for this one. */
  lastPosition?: number;
  /** Newest first, whatever is asked. */
  ignoresOrder?: boolean;
}

const COUNTS = {
  all: (matching: readonly unknown[]) => matching.length,
  page: (_matching: readonly unknown[], page: readonly unknown[]) => page.length,
  none: () => null,
};

export class LookupService {
  readonly filings: SimulatedFiling[];
  readonly liberties: Liberties;
  requests = 0;
  #sorted = { of: [] as SimulatedFiling[], by: new Map<string, SimulatedFiling[]>() };
  /** Called before each answer: filings arrive or vanish here. */
  meanwhile: (request: number) => void = () => {};

  constructor(filings: readonly SimulatedFiling[], liberties: Liberties = {}) {
    this.filings = [...filings];
    this.liberties = liberties;
  }

  ask(request: LookupRequest): LookupPage {
    this.meanwhile(++this.requests);
    const { count = 'all', truncateAt, silentLimit, ignoresOrder = false } = this.liberties;
    const matching = this.#listed(this.#inOrder(request, ignoresOrder).filter((filing) => matches(filing, request)));
    const from = Math.min(request.from, this.liberties.lastPosition ?? Infinity);
    const to = from + request.to - request.from;
    const whole = matching.slice(from, Math.min(to, from + (silentLimit ?? Infinity)));
    const page = whole.slice(0, truncateAt);
    const { truncated = page.length < whole.length } = this.liberties;
    return {
      count: typeof count === 'number' ? Math.max(0, matching.length + count) : COUNTS[count](matching, page),
      truncated: truncated === 'unstated' ? null : truncated,
      received: page.length,
      records: page.map((filing) => (filing.filing_date === '' ? { ...filing, filing_date: null } : filing)),
    };
  }

  /** Sorted once for the pages of a window: a filing that arrives or vanishes makes another list. */
  #inOrder(request: LookupRequest, ignoresOrder: boolean): readonly SimulatedFiling[] {
    const { of } = this.#sorted;
    if (of.length !== this.filings.length || of.some((filing, i) => filing !== this.filings[i]))
      this.#sorted = { of: [...this.filings], by: new Map() };
    const name = `${request.sort_by} ${request.sort_order}`;
    const sorted = this.#sorted.by.get(name) ?? this.filings.toSorted(order(request, ignoresOrder));
    this.#sorted.by.set(name, sorted);
    return sorted;
  }

  #listed(matching: readonly SimulatedFiling[]): ListedRecord[] {
    const { repeatAt = matching.length, twiceAt } = this.liberties;
    const listed: ListedRecord[] = [...matching];
    if (repeatAt + 1 < listed.length) listed[repeatAt + 1] = listed[repeatAt]!;
    const twice = twiceAt && listed[twiceAt.position];
    if (twice) listed.splice(twiceAt.position + 1, 0, twiceAt.other ? { ...twice, variant: 'other' } : twice);
    return listed;
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

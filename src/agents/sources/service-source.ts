/** Filings and texts of a /v2 service. Each question costs requests of the key's quota. */
import { baseForm, type Filing, sectionFamily } from '../../api/index.ts';
import { type FilingClient, RecordNotFoundError, type RequestOf } from '../../client/index.ts';
import { FilinglakeError } from '../../core/index.ts';
import { readableText, sectionTexts } from '../../documents/index.ts';
import type { Moment } from '../moment.ts';
import {
  type Company,
  type CompanyQuery,
  type FiledText,
  type FilingDetail,
  type FilingQuery,
  type FilingRow,
  type FilingSource,
  isKnown,
  type Listed,
  type SearchHit,
  type SearchQuery,
  type TextPlace,
} from './filing-source.ts';

/** Positions of a /v2 list end here. */
const POSITIONS = 10_000;
/** Companies whose past is looked up for one answer: a request or two each. */
const PAST_COMPANIES_MAX = 25;
const PAGE = 100;
const TEXTS_KEPT = 8;

export class ServiceSource implements FilingSource {
  readonly kind = 'service';
  readonly #client: FilingClient;
  readonly #texts = new Map<string, FiledText | null>();

  constructor(client: FilingClient) {
    this.#client = client;
  }

  async companies(query: CompanyQuery): Promise<Listed<Company>> {
    const { asOf, cik, ticker, name, sic, state, from, limit } = query;
    const filter = {
      ...(cik !== undefined && { ciks: [cik] }),
      ...(ticker !== undefined && { tickers: [ticker] }),
      ...(name !== undefined && { name_includes: [name] }),
      ...(sic !== undefined && { sics: [sic] }),
      ...(state !== undefined && { states: [state.toUpperCase()] }),
    };
    if (asOf !== null) return this.#pastCompanies(query, filter, asOf);
    const { value } = await this.#client.entityLookup({ ...filter, from, to: Math.min(POSITIONS, from + limit) });
    return {
      rows: value.entities.map((entity) => ({
        ...{ cik: entity.cik, name: entity.name, tickers: entity.tickers, sic: entity.sic },
        ...{ sic_description: entity.sic_description, state_of_incorporation: entity.state_of_incorporation },
        ...{ fiscal_year_end: entity.fiscal_year_end, filings: null, first_filed: null, last_filed: null },
      })),
      total: value.count,
      caveats: [],
    };
  }

  /** The registry is of today: of the past, a filing's own header says what a company was called. */
  async #pastCompanies(
    query: CompanyQuery,
    filter: RequestOf<'entity_lookup'>,
    asOf: Moment,
  ): Promise<Listed<Company>> {
    const { value } = await this.#client.entityLookup({ ...filter, from: 0, to: PAST_COMPANIES_MAX });
    const rows: Company[] = [];
    for (const { cik } of value.entities) {
      const { rows: found, total } = await this.filings({ cik, asOf, from: 0, limit: 1 });
      const newest = found[0];
      if (newest === undefined) continue;
      const { value: info } = await this.#client.filingInfo(newest.accession_number);
      const party = info.parties?.find((one) => one.cik === cik);
      const name = party?.name ?? (newest.cik === cik ? newest.entity_name : null);
      if (query.name !== undefined && !name?.toUpperCase().includes(query.name.toUpperCase())) continue;
      if (query.sic !== undefined && party?.sic !== query.sic) continue;
      if (query.state !== undefined && party?.state_of_incorporation !== query.state.toUpperCase()) continue;
      rows.push({
        ...{ cik, name, sic: party?.sic ?? null, sic_description: party?.sic_description ?? null },
        state_of_incorporation: party?.state_of_incorporation ?? null,
        ...{ fiscal_year_end: party?.fiscal_year_end ?? null, filings: total },
        ...{ first_filed: null, last_filed: newest.filing_date },
      });
    }
    const caveats = ['over a service, a company that has changed its name is found under both names only'];
    if (value.entities.length >= PAST_COMPANIES_MAX) caveats.push('more companies may match: narrow the search');
    return { rows: rows.slice(query.from, query.from + query.limit), total: rows.length, caveats };
  }

  async filings(query: FilingQuery): Promise<Listed<FilingRow>> {
    const { numbers, asOf } = query;
    if (numbers?.length) return this.#listed(numbers, query);
    const filter = filterOf(query);
    const known = asOf === null ? null : await this.#knownCount(filter, asOf);
    const caveats: string[] = [];
    if (known === null) {
      const order = { sort_by: 'acceptance_date_time', sort_order: query.oldestFirst ? 'asc' : 'desc' } as const;
      const to = Math.min(POSITIONS, query.from + query.limit);
      const { value } = await this.#client.filingLookup({ ...filter, ...order, from: Math.min(query.from, to), to });
      return { rows: value.filings.map(filingOf), total: value.count, caveats };
    }
    const { count, more, undated } = known;
    if (more) caveats.push(`more than ${POSITIONS} filings match: narrow by dates or forms to reach the newest`);
    // The known ones are the first in the order of acceptance; those without a time are merged into them.
    const wanted = query.from + query.limit;
    const first = query.oldestFirst ? 0 : Math.max(0, count - wanted);
    const last = query.oldestFirst ? Math.min(count, wanted) : count;
    const dated = last > first ? await this.#page(filter, first, last) : [];
    const all = [...dated.map(filingOf).filter((row) => isKnown(row, asOf)), ...undated].sort(byTime);
    if (!query.oldestFirst) all.reverse();
    const rows = all.slice(query.from, wanted);
    return { rows, total: more ? null : count + undated.length, caveats };
  }

  async #page(filter: RequestOf<'filing_lookup'>, from: number, to: number): Promise<readonly Filing[]> {
    return (await this.#client.filingLookup({ ...filter, ...ASCENDING, from, to })).value.filings;
  }

  /**
   * How many filings of a list in the order of acceptance were accepted by a moment, and those without a time that were public then:
   * they stand at the end of the list.
   */
  async #knownCount(
    filter: RequestOf<'filing_lookup'>,
    asOf: Moment,
  ): Promise<{ count: number; more: boolean; undated: readonly FilingRow[] }> {
    const { value: head } = await this.#client.filingLookup({ ...filter, ...ASCENDING, from: 0, to: PAGE });
    const all = head.count ?? head.filings.length;
    const end = Math.min(all, POSITIONS);
    const seen = (at: number) => head.filings[at];
    const first = async (from: number, holds: (filing: Filing) => boolean) => {
      let [low, high] = [from, end];
      while (low < high) {
        const middle = (low + high) >> 1;
        const filing = seen(middle) ?? (await this.#page(filter, middle, middle + 1))[0];
        if (filing === undefined || holds(filing)) high = middle;
        else low = middle + 1;
      }
      return low;
    };
    const count = await first(0, ({ acceptance_datetime: at }) => at === null || at > asOf);
    const dated = await first(count, ({ acceptance_datetime: at }) => at === null);
    const undated = dated < end ? (await this.#page(filter, dated, end)).map(filingOf) : [];
    return { count, more: all > POSITIONS, undated: undated.filter((row) => isKnown(row, asOf)) };
  }

  async #listed(numbers: readonly string[], query: FilingQuery): Promise<Listed<FilingRow>> {
    const rows: FilingRow[] = [];
    for (const number of numbers) {
      const found = await this.filing(number, query.asOf);
      if (found !== null) rows.push(found.filing);
    }
    return { rows: rows.slice(query.from, query.from + query.limit), total: rows.length, caveats: [] };
  }

  async filing(accessionNumber: string, asOf: Moment | null): Promise<FilingDetail | null> {
    const info = await found(this.#client.filingInfo(accessionNumber));
    if (info === null) return null;
    const filing: FilingRow = {
      ...{ accession_number: info.accession_number, cik: info.cik, entity_name: info.entity_name },
      ...{ form_type: info.form_type, filing_date: info.filing_date, report_date: info.report_date },
      acceptance_datetime: info.acceptance_datetime,
      ...(info.items_8k && { items_8k: info.items_8k.map(({ item }) => item) }),
    };
    if (!isKnown(filing, asOf)) return null;
    return {
      filing,
      documents: info.documents.map(({ document_id, type, filename, description, size }) => ({
        ...{ document_id, type, filename, description, size: size ?? null },
      })),
      sections: info.sections.map(({ section, title, heading, kind, document_id, by_reference }) => ({
        ...{ section, title, heading, kind: kind ?? null, document_id: document_id ?? null, characters: null },
        refers_to: by_reference
          ? [by_reference.exhibit, by_reference.pages && `pages ${by_reference.pages}`, by_reference.heading]
              .filter(Boolean)
              .join(', ')
          : null,
      })),
      items: (info.items_8k ?? []).map(({ item, title }) => ({ item, title })),
      parties: (info.parties ?? []).map(({ role, cik, name }) => ({ role, cik, name })),
    };
  }

  async known(accessionNumber: string, asOf: Moment | null): Promise<FilingRow | null> {
    return (await this.filing(accessionNumber, asOf))?.filing ?? null;
  }

  /** A text of late costs no request again: its pages are asked for one after the other. */
  async text(place: TextPlace): Promise<FiledText | null> {
    const name = JSON.stringify(place);
    const kept = this.#texts.get(name);
    const text = kept === undefined ? await this.#readText(place) : kept;
    this.#texts.set(name, text);
    for (const oldest of this.#texts.keys()) if (this.#texts.size > TEXTS_KEPT) this.#texts.delete(oldest);
    return text;
  }

  async #readText(place: TextPlace): Promise<FiledText | null> {
    if ('section' in place) return this.#section(place.accession_number, place.section);
    const document = await found(this.#client.document({ ...place, output_format: 'raw' }));
    if (document === null || document.encoding !== 'utf-8' || typeof document.content !== 'string') return null;
    return {
      ...{ accession_number: document.accession_number, document_id: document.document_id, section: null },
      text: readableText(document.content, document.content_type),
      source: 'service',
    };
  }

  async #section(accessionNumber: string, section: string): Promise<FiledText | null> {
    const info = await found(this.#client.filingInfo(accessionNumber));
    const form_type = sectionFamily(info?.form_type ?? '');
    if (form_type === null) return null;
    const answer = await found(this.#client.filingSections({ accession_number: accessionNumber, form_type }));
    if (answer === null) return null;
    const at = answer.sections.findIndex((one) => one.section === section);
    if (at < 0) return null;
    const texts = sectionTexts(answer.sections.map(({ html }) => html));
    const document_id = answer.sections[at]!.document_id ?? null;
    return { accession_number: accessionNumber, document_id, section, text: texts[at]!, source: 'service' };
  }

  async search(query: SearchQuery): Promise<Listed<SearchHit>> {
    const { terms, asOf, from, limit } = query;
    const filter = {
      ...filterOf(query),
      query: terms.map((words) => `"${words.join(' ')}"`).join(' '),
      query_type: 'query_string' as const,
      ...(query.numbers?.length && { accession_numbers: [...query.numbers] }),
    };
    // By date, not by score: a score counts words of all documents, later ones too.
    const order = { sort_by: 'filing_date', sort_order: 'desc' } as const;
    const kept: SearchHit[] = [];
    let total: number | null = null;
    let position = 0;
    const caveats: string[] = [];
    if (asOf === null) {
      const { value } = await this.#client.fulltextSearch({ ...filter, ...order, from, to: from + limit });
      for (const hit of value.hits) kept.push(await this.#hit(hit));
      return { rows: kept, total: value.count, caveats };
    }
    // The count must not say anything of later filings: every hit is looked at.
    if (filter.date_from !== undefined && filter.date_from > dayAfter(asOf)) return { rows: [], total: 0, caveats };
    const before = { ...filter, date_to: earlier(filter.date_to, dayAfter(asOf)) };
    let counted = 0;
    for (;;) {
      const to = Math.min(POSITIONS, position + PAGE);
      const { value } = await this.#client.fulltextSearch({ ...before, ...order, from: position, to });
      for (const hit of value.hits) {
        const filing = { acceptance_datetime: hit.acceptance_date_time, filing_date: hit.filing_date };
        if (!isKnown(filing, asOf)) continue;
        if (counted >= from && kept.length < limit) kept.push(await this.#hit(hit));
        counted++;
      }
      position += value.hits.length;
      if (value.hits.length === 0 || position >= (value.count ?? 0)) total = counted;
      if (total !== null || position >= POSITIONS || position >= SEARCHED_MAX) break;
    }
    if (total === null) caveats.push(`only the newest ${SEARCHED_MAX} hits were looked at: narrow the search`);
    return { rows: kept, total, caveats };
  }

  async #hit(hit: HitOf): Promise<SearchHit> {
    const filing: FilingRow = {
      ...{ accession_number: hit.accession_number, cik: hit.ciks[0] ?? null, entity_name: null },
      ...{ form_type: hit.form_type, filing_date: hit.filing_date, report_date: null },
      acceptance_datetime: hit.acceptance_date_time,
    };
    const text = await this.text({ document_id: hit.id });
    const none: FiledText = {
      ...{ accession_number: hit.accession_number, document_id: hit.id, section: null, text: '', source: 'service' },
    };
    return { filing, document_id: hit.id, section: null, count: null, text: text ?? none };
  }
}

type HitOf = Awaited<ReturnType<FilingClient['fulltextSearch']>>['value']['hits'][number];

const ASCENDING = { sort_by: 'acceptance_date_time', sort_order: 'asc' } as const;
/** Hits that are looked at to count those of a moment: ten requests. */
const SEARCHED_MAX = 1_000;

function filterOf(query: Omit<FilingQuery, 'from' | 'limit'>) {
  const { cik, forms, from_date, to_date, items, amendments } = query;
  if (amendments === 'only' && !forms?.length)
    throw new FilinglakeError('tool-input-invalid', 'amendments "only" over a service needs forms', {
      remedy: 'Give forms too: ["10-K"] finds 10-K/A.',
    });
  const base = forms?.map((form) => form.trim().toUpperCase());
  const wanted =
    amendments === 'only' ? base?.map((form) => (form.endsWith('/A') ? form : `${baseForm(form)}/A`)) : base;
  return {
    ...(cik !== undefined && { entity_query: { ciks: [cik] } }),
    ...(wanted?.length && { form_types: wanted }),
    ...(items?.length && { items: [...items] }),
    ...(from_date !== undefined && { date_from: from_date }),
    ...(to_date !== undefined && { date_to: to_date }),
    ...(amendments === 'without' && { exclude_amendments: true }),
  };
}

function filingOf(filing: Filing): FilingRow {
  const { accession_number, cik, entity_name, form_type, filing_date, acceptance_datetime, report_date } = filing;
  return { accession_number, cik, entity_name, form_type, filing_date, acceptance_datetime, report_date };
}

/** By acceptance; without a time a filing is public at the end of its day. */
function byTime(a: FilingRow, b: FilingRow): number {
  const [x, y] = [a, b].map(({ acceptance_datetime, filing_date, accession_number }) => {
    const at = acceptance_datetime ?? `${filing_date}T24:00:00`;
    return `${at} ${accession_number}`;
  });
  return x! < y! ? -1 : 1;
}

/** Null for a 404. */
async function found<Value>(call: Promise<{ value: Value }>): Promise<Value | null> {
  try {
    return (await call).value;
  } catch (error) {
    if (error instanceof RecordNotFoundError) return null;
    throw error;
  }
}

/** A filing is dated up to some days after its acceptance. */
function dayAfter(asOf: Moment): string {
  return new Date(Date.parse(`${asOf.slice(0, 10)}T00:00:00Z`) + 10 * 86_400_000).toISOString().slice(0, 10);
}

function earlier(given: string | undefined, limit: string): string {
  return given !== undefined && given < limit ? given : limit;
}

/** Filings and texts of a /v2 service. Each question costs requests of the key's quota. */
import { addDays, FilinglakeError } from '../../core/index.ts';
import { type FilingClient, RecordNotFoundError, type RequestOf } from '../../export/client/index.ts';
import { baseForm, type Filing, type FilingInfo, familyToRequest } from '../../filings/api/index.ts';
import { readableText, readSections } from '../../filings/documents/index.ts';
import type { Moment } from '../answers/moment.ts';
import {
  type Company,
  type CompanyQuery,
  type FiledText,
  type FilingDetail,
  type FilingQuery,
  type FilingRow,
  type FilingSource,
  type Heading,
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
        cik: entity.cik,
        name: entity.name,
        tickers: entity.tickers,
        sic: entity.sic,
        sic_description: entity.sic_description,
        state_of_incorporation: entity.state_of_incorporation,
        fiscal_year_end: entity.fiscal_year_end,
        filings: null,
        first_filed: null,
        last_filed: null,
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
      const party = partyOf(info, cik);
      const name = party?.name ?? null;
      if (query.name !== undefined && !name?.toUpperCase().includes(query.name.toUpperCase())) continue;
      if (query.sic !== undefined && party?.sic !== query.sic) continue;
      if (query.state !== undefined && party?.state_of_incorporation !== query.state.toUpperCase()) continue;
      rows.push({
        cik,
        name,
        sic: party?.sic ?? null,
        sic_description: party?.sic_description ?? null,
        state_of_incorporation: party?.state_of_incorporation ?? null,
        fiscal_year_end: party?.fiscal_year_end ?? null,
        filings: total,
        first_filed: null,
        last_filed: newest.filing_date,
      });
    }
    const caveats = ['over a service, a company that has changed its name is found under both names only'];
    if (value.entities.length >= PAST_COMPANIES_MAX) caveats.push('more companies may match: narrow the search');
    return { rows: rows.slice(query.from, query.from + query.limit), total: rows.length, caveats };
  }

  async filings(query: FilingQuery): Promise<Listed<FilingRow>> {
    const { numbers, asOf } = query;
    if (query.terms?.length) return this.#withWords(query, query.terms);
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

  /** Filings of the hits of a search. Hits are documents: how many filings they are is known at their end alone. */
  async #withWords(query: FilingQuery, terms: readonly (readonly string[])[]): Promise<Listed<FilingRow>> {
    if (query.items?.length || query.oldestFirst)
      throw new FilinglakeError('tool-input-invalid', 'words over a service go without items, newest first');
    const { rows: hits, total, caveats } = await this.#hits({ ...query, terms, from: 0, limit: WORDS_MAX });
    const filings = [...new Map(hits.map((hit) => [hit.accession_number, hit])).values()].map(filingOfHit);
    const whole = total !== null && hits.length >= total;
    const rows = filings.slice(query.from, query.from + query.limit);
    const more = `only the filings of the newest ${WORDS_MAX} hits were looked at: narrow the search`;
    return { rows, total: whole ? filings.length : null, caveats: whole ? caveats : [...caveats, more] };
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
      ...filingOf(info),
      items_8k: info.items_8k?.map(({ item }) => item) ?? null,
    };
    if (!isKnown(filing, asOf)) return null;
    return {
      filing,
      documents: info.documents.map(({ document_id, type, filename, description, size }) => ({
        document_id,
        type,
        filename,
        description,
        size: size ?? null,
      })),
      sections: info.sections.map(
        ({ section, title, heading, kind, document_id, by_reference, substance_start, substance_end }) => ({
          section,
          title,
          heading,
          kind: kind ?? null,
          document_id: document_id ?? null,
          characters: null,
          substance: substance_start == null ? null : { start: substance_start, end: substance_end! },
          refers_to: by_reference
            ? [by_reference.exhibit, by_reference.pages && `pages ${by_reference.pages}`, by_reference.heading]
                .filter(Boolean)
                .join(', ')
            : null,
        }),
      ),
      items: (info.items_8k ?? []).map(({ item, title }) => ({ item, title })),
      parties: (info.parties ?? []).map(({ role, cik, name }) => ({ role, cik, name })),
    };
  }

  /** Recent texts are kept, because their pages are requested one by one. */
  async text(place: TextPlace): Promise<FiledText | null> {
    const name = JSON.stringify(place);
    const kept = this.#texts.get(name);
    const text = kept === undefined ? await this.#readText(place) : kept;
    this.#texts.set(name, text);
    for (const oldest of this.#texts.keys()) if (this.#texts.size > TEXTS_KEPT) this.#texts.delete(oldest);
    return text;
  }

  async #readText(place: TextPlace): Promise<FiledText | null> {
    const { format, ...which } = place;
    if ('section' in place) {
      const section = await this.#section(place.accession_number, place.section, { format: format ?? 'plain' });
      if (section === null) return null;
      const { document_id, text } = section;
      const { accession_number, section: code } = place;
      return { accession_number, document_id, section: code, text, ...(format && { format }), source: 'service' };
    }
    const document = await found(this.#client.document({ ...which, output_format: 'raw' }));
    if (document === null || document.encoding !== 'utf-8' || typeof document.content !== 'string') return null;
    return {
      accession_number: document.accession_number,
      document_id: document.document_id,
      section: null,
      text: readableText(document.content, document.content_type, place.format),
      ...(place.format && { format: place.format }),
      source: 'service',
    };
  }

  async headings(accessionNumber: string, section: string): Promise<Heading[] | null> {
    const read = await this.#section(accessionNumber, section, { structure: true });
    return (
      read?.headings.map(({ position, level, heading, start_index: start, end_index: end }) => ({
        position,
        level,
        heading,
        start,
        end,
      })) ?? null
    );
  }

  async #section(accessionNumber: string, section: string, options: Parameters<typeof readSections>[1]) {
    const info = await found(this.#client.filingInfo(accessionNumber));
    const form_type = familyToRequest(info?.form_type ?? '', info);
    if (form_type === null) return null;
    const answer = await found(this.#client.filingSections({ accession_number: accessionNumber, form_type }));
    if (answer === null) return null;
    const at = answer.sections.findIndex((one) => one.section === section);
    if (at < 0) return null;
    const sections = answer.sections.map(({ section: code, html, substance_html }) => ({
      section: code,
      html: substance_html || html,
    }));
    const { text, headings } = readSections(sections, options)[at]!;
    return { document_id: answer.sections[at]!.document_id ?? null, text, headings };
  }

  async search(query: SearchQuery): Promise<Listed<SearchHit>> {
    const { rows, total, caveats } = await this.#hits(query);
    const hits: SearchHit[] = [];
    for (const hit of rows) {
      const none = { accession_number: hit.accession_number, document_id: hit.id, section: null, text: '' };
      const text = (await this.text({ document_id: hit.id })) ?? { ...none, source: 'service' };
      hits.push({ filing: filingOfHit(hit), document_id: hit.id, section: null, count: null, text });
    }
    return { rows: hits, total, caveats };
  }

  /** Hits of a search: of the past, as many of the newest as are looked at. */
  async #hits(query: SearchQuery): Promise<Listed<HitOf>> {
    const { terms, asOf, from, limit } = query;
    const filter = {
      ...filterOf(query),
      query: terms.map((words) => `"${words.join(' ')}"`).join(' '),
      query_type: 'query_string' as const,
      ...(query.numbers?.length && { accession_numbers: [...query.numbers] }),
    };
    // By date, not by score: a score counts words of all documents, later ones too.
    const order = { sort_by: 'filing_date', sort_order: 'desc' } as const;
    const last = asOf === null ? filter.date_to : earlier(filter.date_to, dayAfter(asOf));
    if (filter.date_from !== undefined && last !== undefined && filter.date_from > last)
      return { rows: [], total: 0, caveats: [] };
    const asked = { ...filter, ...order, ...(last !== undefined && { date_to: last }) };
    // The count must not say anything of later filings: every hit is looked at.
    const wanted = asOf === null ? Math.min(POSITIONS, from + limit) : SEARCHED_MAX;
    const known: HitOf[] = [];
    for (let position = asOf === null ? from : 0; ; ) {
      const to = Math.min(wanted, position + PAGE);
      const { value } = position < to ? await this.#client.fulltextSearch({ ...asked, from: position, to }) : NO_HITS;
      known.push(
        ...value.hits.filter((hit) => isKnown({ ...hit, acceptance_datetime: hit.acceptance_date_time }, asOf)),
      );
      position += value.hits.length;
      const isEnd = value.hits.length === 0 || position >= (value.count ?? 0);
      if (!isEnd && position < wanted) continue;
      if (asOf === null) return { rows: known, total: value.count, caveats: [] };
      const caveats = isEnd ? [] : [`only the newest ${SEARCHED_MAX} hits were looked at: narrow the search`];
      return { rows: known.slice(from, from + limit), total: isEnd ? known.length : null, caveats };
    }
  }
}

const NO_HITS = { value: { hits: [] as HitOf[], count: null } };

function filingOfHit(hit: HitOf): FilingRow {
  return {
    accession_number: hit.accession_number,
    cik: hit.ciks[0] ?? null,
    entity_name: null,
    form_type: hit.form_type,
    filing_date: hit.filing_date,
    report_date: null,
    acceptance_datetime: hit.acceptance_date_time,
    items_8k: null,
  };
}

type HitOf = Awaited<ReturnType<FilingClient['fulltextSearch']>>['value']['hits'][number];

const ASCENDING = { sort_by: 'acceptance_date_time', sort_order: 'asc' } as const;
/** Hits that are looked at to count those of a moment: ten requests. */
const SEARCHED_MAX = 1_000;
/** Hits whose filings are listed: three requests. */
const WORDS_MAX = 300;

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

function filingOf(filing: Filing | FilingInfo): FilingRow {
  const { accession_number, cik, entity_name, form_type, filing_date, acceptance_datetime, report_date } = filing;
  const row = { accession_number, cik, entity_name, form_type, filing_date, acceptance_datetime, report_date };
  return { ...row, items_8k: null };
}

/** What a filing says of a party; without a header it names its company alone. */
function partyOf(info: FilingInfo, cik: string) {
  const party = info.parties?.find((one) => one.cik === cik);
  return party ?? (info.cik === cik ? { ...NO_DETAILS, name: info.entity_name } : null);
}

const NO_DETAILS = { sic: null, sic_description: null, state_of_incorporation: null, fiscal_year_end: null };

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
  return addDays(asOf.slice(0, 10), 10);
}

function earlier(given: string | undefined, limit: string): string {
  return given !== undefined && given < limit ? given : limit;
}

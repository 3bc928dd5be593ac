/** A `/v2` service over a world, in a dialect, with faults. What it answers depends on the request and on counts, never on the time. */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LookupRequest } from '../../../src/export/windows/index.ts';
import { xmlToJson } from '../../../src/filings/documents/index.ts';
import { LocalServer } from '../local-server.ts';
import { accessionOf, CIKS, numberOf, type World, type WorldDocument, type WorldFiling } from './world.ts';

export interface Dialect {
  /** Lookups name documents, the first one of each filing, have an empty list, or say nothing of them. */
  documents: 'named' | 'first' | 'empty' | 'absent';
  /** Lookups have forms. */
  forms: boolean;
  /** `filing_info` states the sizes of documents. */
  sizes: boolean;
  /** What the answer to `document` states of its content. */
  measures: 'all' | 'size' | 'none';
  /** How `filing_info` and `filing_sections` spell the codes of sections. */
  codes: { info: Spelling; sections: Spelling };
  count: 'all' | 'page' | 'absent';
  /** A page has no more records, whatever is asked; null: no limit. */
  page_limit: number | null;
  truncated: 'true' | 'absent';
  /** Some filings have a record for each of two filers. */
  co_registrants: boolean;
  /** Filings have a `revision`. */
  revision: boolean;
  /** Answers have ETags, and one that did not change has no body. */
  etags: boolean;
  /** Forms of 20-F, whose sections the service has or knows nothing of; null: it has no 20-Fs. */
  annual_20f: 'sections' | 'none' | null;
}

/** `Item 1A`, `ITEM 1A.`, `1a`, `Item 1A. Its title`, and a title alone. */
export type Spelling = 'code' | 'item' | 'shouted' | 'small' | 'titled' | 'named';

export const PLAIN: Dialect = {
  ...{ documents: 'named', forms: true, sizes: true, count: 'all', page_limit: null, truncated: 'true' },
  ...{
    co_registrants: false,
    revision: false,
    etags: true,
    annual_20f: null,
    measures: 'all',
    codes: { info: 'code', sections: 'code' },
  },
};

export type Refusal = 404 | 422 | 500 | 'broken' | 'page';

export type Fault =
  /** Every request of an operation about a filing is refused; `times`: only the first so many of them. */
  | { fault: 'refuse'; operation: string; n: number; how: Refusal; times: number | null }
  /** On a page with both, the record of a filing stands in place of another's; `other`: with another content. */
  | { fault: 'repeat'; n: number; instead: number; other: boolean }
  /** A document's text is cut, or empty; `told`: cut, and the answer says so. `times` as above. */
  | { fault: 'cut'; n: number; how: 'cut' | 'empty' | 'told'; times: number | null };

export interface Asked {
  operation: string;
  /** An accession number or a document id; empty for lookups. */
  subject: string;
  /** What the service refused it with. */
  refused: Refusal | null;
}

const CO_REGISTRANT_EVERY = 5;

export function hasCoRegistrant({ co_registrants }: Dialect, { n }: { n: number }): boolean {
  return co_registrants && n % CO_REGISTRANT_EVERY === 0;
}

/** The published interface has no sections of 20-Fs. */
export function hasSections({ annual_20f }: Dialect, { form_type }: { form_type: string }): boolean {
  return form_type !== '20-F' || annual_20f === 'sections';
}

export class FuzzService extends LocalServer {
  world: World;
  dialect: Dialect;
  faults: readonly Fault[] = [];
  /** Called before each answer with the number of the request, from 1. */
  meanwhile: (n: number) => void = () => {};
  asked: Asked[] = [];
  /** Requests that came, of any path. */
  received = 0;
  /** How often each fault had an occasion. */
  readonly #struck = new Map<Fault, number>();

  private constructor(world: World, dialect: Dialect) {
    super();
    this.world = world;
    this.dialect = dialect;
  }

  static start(world: World, dialect: Dialect): Promise<FuzzService> {
    return new FuzzService(world, dialect).listen();
  }

  /** A new run begins. */
  begin(faults: readonly Fault[], meanwhile: (n: number) => void): void {
    this.faults = faults;
    this.meanwhile = meanwhile;
    this.asked = [];
    this.received = 0;
    this.#struck.clear();
  }

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.received++;
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://service');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const operation = pathname.replace('/v2/', '');
    if (pathname === '/openapi.json') {
      response.writeHead(404).end();
      return;
    }
    const text = Buffer.concat(chunks).toString('utf8');
    const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
    const given: Record<string, unknown> = { ...Object.fromEntries(searchParams), ...body };
    const subject = String(given.document_id ?? given.accession_number ?? '');
    this.meanwhile(this.asked.length + 1);
    const refused = this.#refusalOf(operation, subject);
    this.asked.push({ operation, subject, refused });
    if (refused !== null) {
      refuse(response, refused);
      return;
    }
    const answer = this.#say(operation, given);
    if (answer === null) {
      refuse(response, 404);
      return;
    }
    const bytes = JSON.stringify(answer);
    const etag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 24)}"`;
    const headers = this.dialect.etags ? { etag } : {};
    if (this.dialect.etags && request.headers['if-none-match'] === etag) {
      response.writeHead(304, headers).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(bytes);
  }

  #refusalOf(operation: string, subject: string): Refusal | null {
    for (const fault of this.faults) {
      if (fault.fault !== 'refuse' || fault.operation !== operation) continue;
      if (!subject.startsWith(accessionOf(fault.n)) && !operation.endsWith('lookup')) continue;
      if (this.#strikes(fault)) return fault.how;
    }
    return null;
  }

  #strikes(fault: Fault & { times: number | null }): boolean {
    const times = (this.#struck.get(fault) ?? 0) + 1;
    this.#struck.set(fault, times);
    return fault.times === null || times <= fault.times;
  }

  #say(operation: string, given: Record<string, unknown>): unknown {
    if (operation === 'filing_lookup') return this.#filings(given as unknown as LookupRequest);
    if (operation === 'entity_lookup') return this.#entities(given);
    const filing = this.world.of(String(given.document_id ?? given.accession_number).slice(0, 20));
    if (filing === undefined || filing.removed) return null;
    if (operation === 'filing_info') return this.#info(filing);
    if (operation === 'filing_sections') return this.#sections(filing);
    if (operation === 'document') return this.#document(filing, given);
    return null;
  }

  #document(filing: WorldFiling, given: Record<string, unknown>): object | null {
    const answer = documentOf(filing, given);
    if (answer === null) return null;
    const { size, sha256, content, ...about } = answer;
    const { measures } = this.dialect;
    const stated = { size: measures === 'none' ? null : size, sha256: measures === 'all' ? sha256 : null };
    const fault = this.faults.find((one) => one.fault === 'cut' && one.n === filing.n);
    const isStruck = fault?.fault === 'cut' && typeof content === 'string' && this.#strikes(fault);
    if (!isStruck) return { ...about, ...stated, content };
    const left = fault.how === 'empty' ? '' : content.slice(0, Math.floor(content.length / 3));
    return { ...about, ...stated, content: left, ...(fault.how === 'told' ? { truncated: true } : {}) };
  }

  #filings(asked: LookupRequest): unknown {
    const { world, dialect } = this;
    const matching = world.listed.filter((filing) => matches(filing, asked)).sort(orderOf(world, asked));
    const all = matching.flatMap((filing) => this.#listed(filing));
    return this.#page('filings', all, asked);
    function matches(filing: WorldFiling, { form_types, excluded_form_types, ...more }: LookupRequest): boolean {
      const { exclude_amendments, date_from, date_to, entity_query, items } = more;
      if (form_types?.length && !form_types.includes(filing.form_type)) return false;
      if (excluded_form_types?.includes(filing.form_type)) return false;
      if (String(exclude_amendments) === 'true' && filing.form_type.endsWith('/A')) return false;
      if (date_from !== undefined && filing.filing_date < date_from) return false;
      if (date_to !== undefined && filing.filing_date > date_to) return false;
      if (items?.length && filing.form_type !== '8-K') return false;
      const ciks = entity_query?.ciks?.map(Number);
      const isOther = hasCoRegistrant(dialect, filing) && ciks?.includes(Number(otherCik(filing.cik)));
      return ciks === undefined || ciks.includes(Number(filing.cik)) || isOther === true;
    }
  }

  #listed(filing: WorldFiling): object[] {
    const record = this.#record(filing);
    if (!hasCoRegistrant(this.dialect, filing)) return [record];
    const cik = otherCik(filing.cik);
    return [record, { ...record, cik, entity_name: this.world.nameOf(cik) }];
  }

  #record(filing: WorldFiling): object {
    const { accession_number, cik, form_type, filing_date, acceptance_datetime, report_date, size } = filing;
    const { documents, forms, revision } = this.dialect;
    return {
      ...{ accession_number, cik, form_type: forms ? form_type : null, filing_date, acceptance_datetime },
      ...{ entity_name: this.world.nameOf(cik), report_date, size },
      ...(documents === 'named' ? { documents: filing.documents.map(reference) } : {}),
      ...(documents === 'first' ? { documents: filing.documents.slice(0, 1).map(reference) } : {}),
      ...(documents === 'empty' ? { documents: [] } : {}),
      ...(revision ? { revision: this.world.revisionOf(filing) } : {}),
    };
  }

  #entities(given: Record<string, unknown>): unknown {
    const { ciks } = (given.entity_query ?? {}) as { ciks?: string[] };
    const wanted = ciks?.map(Number);
    const all = Array.from({ length: CIKS }, (_, i) => 1001 + i)
      .filter((cik) => wanted === undefined || wanted.includes(cik))
      .map((cik) => ({
        ...{ cik: String(cik), name: this.world.nameOf(String(cik)), tickers: [`T${cik}`], exchanges: ['NYSE'] },
        ...{ sic: '3571', sic_description: 'COMPUTERS', state_of_incorporation: 'DE', fiscal_year_end: '1231' },
        ...{ entity_type: 'OPERATING', category: null, addresses: {} },
      }));
    return this.#page('entities', all, given as never);
  }

  #page(
    list: 'filings' | 'entities',
    all: readonly object[],
    { from = 0, to = 10_000 }: { from?: number; to?: number },
  ) {
    const { count, page_limit, truncated } = this.dialect;
    const wanted = all.slice(Number(from), Number(to));
    const page = list === 'filings' ? this.#repeated(wanted.slice(0, page_limit ?? wanted.length)) : wanted;
    return {
      ...(count === 'absent' ? {} : { count: count === 'all' ? all.length : page.length }),
      [list]: page,
      ...(truncated === 'absent' ? {} : { truncated: page.length < wanted.length }),
    };
  }

  #repeated(page: readonly object[]): object[] {
    const numbers = page.map((record) => numberOf((record as { accession_number: string }).accession_number));
    const records = [...page];
    for (const fault of this.faults) {
      if (fault.fault !== 'repeat') continue;
      const [from, to] = [numbers.indexOf(fault.n), numbers.indexOf(fault.instead)];
      if (from < 0 || to < 0 || from === to) continue;
      records[to] = fault.other ? { ...page[from], entity_name: 'ANOTHER NAME' } : page[from]!;
    }
    return records;
  }

  #info(filing: WorldFiling): object {
    const { accession_number, cik, form_type, filing_date, acceptance_datetime, report_date } = filing;
    const entity_name = this.world.nameOf(cik);
    const sections = filing.late_sections === null && hasSections(this.dialect, filing) ? filing.sections : [];
    const exhibits = filing.documents.filter(({ type }) => type.startsWith('EX-99'));
    return {
      ...{ accession_number, cik, form_type, filing_date, acceptance_datetime, report_date, entity_name },
      documents: filing.documents.map((document) => ({
        ...reference(document),
        ...(this.dialect.sizes ? { size: Buffer.byteLength(document.content) } : {}),
      })),
      sections: sections.map(({ section, title, html }, i) => ({
        ...{
          section: spelled(section, title, this.dialect.codes.info),
          title,
          heading: null,
          start_index: i * 10,
          end_index: i * 10 + html.length,
        },
      })),
      items_8k:
        form_type === '8-K'
          ? [
              {
                ...{ item: '9.01', title: 'Financial Statements and Exhibits' },
                exhibits: exhibits.map(({ document_id, description, type }) => ({
                  ...{ exhibit: type.slice(3), description, document_id },
                })),
              },
            ]
          : null,
      parties: [
        {
          ...{ role: 'filer', cik, name: entity_name, former_names: [], state_of_incorporation: filing.party_state },
          ...{ fiscal_year_end: '1231', sic: '3571', sic_description: 'COMPUTERS', addresses: {} },
        },
      ],
      ...(this.dialect.revision ? { revision: this.world.revisionOf(filing) } : {}),
    };
  }

  #sections(filing: WorldFiling): object | null {
    const { accession_number, form_type, sections, late_sections } = filing;
    if (late_sections === 'not-found' || !hasSections(this.dialect, filing)) return null;
    const known = late_sections === 'empty' ? [] : sections;
    const { sections: spelling } = this.dialect.codes;
    return {
      ...{ accession_number, form_type },
      sections: known.map((one) => ({ ...one, section: spelled(one.section, one.title, spelling), heading: null })),
    };
  }
}

function reference({ document_id, sequence, filename, description, type }: WorldDocument): object {
  return { document_id, sequence, filename, description, type };
}

function otherCik(cik: string): string {
  return String(1001 + ((Number(cik) - 1001 + 1) % CIKS));
}

/** A section's name in answers. */
export function spelled(code: string, title: string, how: Spelling): string {
  if (how === 'code') return code;
  if (how === 'named') return `${title} (of the report)`;
  const [part, item] = code.includes('-') ? code.split('-') : [null, code];
  const full = `${part === null ? '' : `Part ${part}, `}Item ${item}`;
  if (how === 'small') return code.toLowerCase();
  if (how === 'shouted') return `${full.toUpperCase()}.`;
  return how === 'titled' ? `${full}. ${title}` : full;
}

interface DocumentAnswer {
  size: number;
  sha256: string;
  content: unknown;
}

function documentOf(
  filing: WorldFiling,
  { document_id, output_format }: Record<string, unknown>,
): DocumentAnswer | null {
  const document = filing.documents.find((one) => one.document_id === document_id);
  if (document === undefined || document.late) return null;
  const { content, ...about } = document;
  const isXml = document.filename.endsWith('.xml');
  const asJson = isXml && output_format === 'json';
  return {
    ...{ ...about, late: undefined, accession_number: filing.accession_number },
    ...{ content_type: isXml ? 'text/xml' : 'text/html', encoding: asJson ? 'json' : 'utf-8' },
    ...{ size: Buffer.byteLength(content), sha256: createHash('sha256').update(content).digest('hex') },
    content: asJson ? xmlToJson(content, 'simple') : content,
  };
}

function orderOf(world: World, { sort_by = 'filing_date', sort_order = 'desc' }: Partial<LookupRequest>) {
  const sign = sort_order === 'asc' ? 1 : -1;
  const value = (filing: WorldFiling): string | number => {
    if (sort_by === 'size') return filing.size;
    if (sort_by === 'filing_date') return filing.filing_date;
    return sort_by === 'acceptance_date_time' ? filing.acceptance_datetime : world.nameOf(filing.cik);
  };
  return (a: WorldFiling, b: WorldFiling): number =>
    sign * compare(value(a), value(b)) ||
    sign * compare(a.acceptance_datetime, b.acceptance_datetime) ||
    compare(a.accession_number, b.accession_number);
}

function compare<T extends string | number>(a: T, b: T): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function refuse(response: ServerResponse, how: Refusal): void {
  if (how === 'broken')
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"accession_number": "0000');
  else if (how === 'page')
    response.writeHead(502, { 'content-type': 'text/html' }).end('<html><title>502</title></html>');
  else response.writeHead(how, { 'content-type': 'application/json' }).end('{"error":"it was refused"}');
}

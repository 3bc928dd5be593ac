/** A /v2 service of a few filings, played locally. A test changes what it has between two runs. */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Entity, Filing, FilingInfo } from '../../../src/filings/api/index.ts';
import { LocalServer } from '../local-server.ts';
import { filingOfLookup, partyOf } from './activity-harness.ts';

/** A filing as the service has it. */
export interface HeldFiling {
  filing: Filing;
  parties: FilingInfo['parties'];
  /** Codes that filing_info lists (null: it has no list), and the HTML that filing_sections gives; null: 404. */
  listed: string[] | null;
  sections: Record<string, string> | null;
  /** Text by document id. */
  contents: Record<string, string>;
  /** filing_lookup leaves it out. */
  isHidden?: boolean;
  /** What filing_lookup states otherwise. */
  inLookup?: Partial<Filing>;
}

export function heldFiling(n: number, over: Partial<Filing> = {}): HeldFiling {
  const filing = filingOfLookup(n, { report_date: '2023-12-31', entity_name: 'COMPANY 1', size: 1_000 + n, ...over });
  return {
    filing,
    parties: [partyOf(String(filing.cik), String(filing.entity_name))],
    listed: ['1A', '7'],
    sections: { '1A': `<p>Risks of ${n}</p>`, 7: `<p>Discussion of ${n}</p>` },
    contents: Object.fromEntries(filing.documents.map(({ document_id: id }) => [id, `<p>Text of ${id}</p>`])),
  };
}

export function entityOf(cik: string): Entity {
  return {
    cik,
    name: `COMPANY ${cik}`,
    tickers: ['A', 'B'],
    exchanges: ['NYSE', 'NYSE'],
    sic: '3571',
    sic_description: 'COMPUTERS',
    state_of_incorporation: 'DE',
    fiscal_year_end: '1231',
    entity_type: 'OPERATING',
    category: null,
    addresses: { business: { street1: '1 MAIN ST', street2: null, city: 'TOWN', state: 'NY', zip: '10001' } },
  };
}

interface Answer {
  status: number;
  body: unknown;
}

export class ChangingService extends LocalServer {
  readonly filings = new Map<string, HeldFiling>();
  readonly entities = new Map<string, Entity>();
  /** Operations and subjects, in order: `document 0000000001-24-000001-1`. */
  asked: string[] = [];
  /** Bytes of bodies. */
  bytes = 0;
  /** Whether it sends ETags, and answers 304 to them. */
  hasEtags = true;
  /** Whether filing_lookup names documents. */
  namesDocuments = true;
  /** Whether a 404 has its own explanation. */
  explains = true;
  /** Documents that it answers 404 for. */
  readonly lost = new Set<string>();
  /** The ETag of each answer; null: of its content. */
  etag: string | null = null;
  /** The records for some CIKs. */
  entityAnswer: (found: Entity[]) => Entity[] = (found) => found;
  /** Requests that the key's month has left; null: no limit is stated. */
  left: number | null = null;
  /** Called before each answer. */
  beforeAnswer: (asked: string) => void = () => {};

  static start(...held: HeldFiling[]): Promise<ChangingService> {
    const service = new ChangingService();
    for (const one of held) service.hold(one);
    return service.listen();
  }

  hold(held: HeldFiling): void {
    this.filings.set(held.filing.accession_number, held);
    const cik = String(held.filing.cik);
    if (!this.entities.has(cik)) this.entities.set(cik, entityOf(cik));
  }

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    if (!pathname.startsWith('/v2/')) return void response.writeHead(404).end();
    const inBody = chunks.length === 0 ? {} : (JSON.parse(Buffer.concat(chunks).toString()) as object);
    const given = { ...Object.fromEntries(searchParams), ...inBody } as Record<string, string>;
    const operation = pathname.slice('/v2/'.length);
    const asked = `${operation} ${given.document_id ?? given.accession_number ?? ''}`.trim();
    this.asked.push(asked);
    this.beforeAnswer(asked);
    const quota = this.left === null ? {} : { ratelimit: `"requests";r=${Math.max(0, this.left - 1)};t=86400` };
    if (this.left === 0)
      return void response.writeHead(429, quota).end('{"error":"the requests of the month are used up"}');
    if (this.left !== null) this.left--;
    const { status, body } = this.#answerOf(operation, given);
    const text = JSON.stringify(body);
    const etag = this.etag ?? `"${createHash('sha1').update(text).digest('hex')}"`;
    const headers = {
      'content-type': 'application/json',
      ...quota,
      ...(this.hasEtags && status === 200 ? { etag } : {}),
    };
    if (this.hasEtags && request.headers['if-none-match'] === etag) return void response.writeHead(304, headers).end();
    this.bytes += text.length;
    response.writeHead(status, headers).end(text);
  }

  #answerOf(operation: string, given: Record<string, string>): Answer {
    if (operation === 'filing_lookup') return page('filings', this.#lookedUp(given), given);
    if (operation === 'entity_lookup') {
      const ciks = (given.ciks ?? []) as unknown as string[];
      return page(
        'entities',
        this.entityAnswer([...this.entities.values()].filter(({ cik }) => ciks.includes(cik))),
        given,
      );
    }
    const number = (given.accession_number ?? given.document_id ?? '').slice(0, 20);
    const held = this.filings.get(number);
    if (!held) return { status: 404, body: { error: this.explains ? `filing ${number} was not found` : 'Not Found' } };
    if (operation === 'filing_info') return { status: 200, body: infoOf(held) };
    if (operation === 'filing_sections') return sectionsOf(held);
    const content = held.contents[String(given.document_id)];
    if (content === undefined || this.lost.has(String(given.document_id)))
      return { status: 404, body: { error: `document ${given.document_id} was not found` } };
    return { status: 200, body: documentOf(held, String(given.document_id), content) };
  }

  #lookedUp({ form_types, date_from, date_to }: Record<string, unknown>): Filing[] {
    const forms = form_types as string[] | undefined;
    return [...this.filings.values()]
      .filter(({ isHidden }) => !isHidden)
      .map(({ filing, inLookup }) => ({ ...filing, ...inLookup, ...(this.namesDocuments ? {} : { documents: [] }) }))
      .filter(({ form_type }) => forms === undefined || forms.includes(String(form_type)))
      .filter(({ filing_date }) => date_from === undefined || String(filing_date) >= String(date_from))
      .filter(({ filing_date }) => date_to === undefined || String(filing_date) <= String(date_to));
  }
}

function page(list: string, records: readonly unknown[], { from = '0', to = '100' }: Record<string, string>): Answer {
  return {
    status: 200,
    body: { count: records.length, [list]: records.slice(Number(from), Number(to)), truncated: false },
  };
}

function infoOf({ filing: { size: _size, ...filing }, parties, listed, contents }: HeldFiling): unknown {
  return {
    ...filing,
    documents: filing.documents.map((document) => ({ ...document, size: contents[document.document_id]?.length ?? 0 })),
    sections: listed?.map((section) => ({ section, title: null, heading: null, start_index: 0, end_index: 1 })),
    items_8k: null,
    parties,
  };
}

function sectionsOf({ filing: { accession_number, form_type }, sections }: HeldFiling): Answer {
  if (sections === null) return { status: 404, body: { error: `filing ${accession_number} has no sections yet` } };
  const list = Object.entries(sections).map(([section, html]) => ({ section, title: null, heading: null, html }));
  return { status: 200, body: { accession_number, form_type, sections: list } };
}

function documentOf({ filing }: HeldFiling, document_id: string, content: string): unknown {
  const { sequence, type, filename } = filing.documents.find((one) => one.document_id === document_id)!;
  const { accession_number } = filing;
  return {
    document_id,
    accession_number,
    sequence,
    type,
    filename,
    description: null,
    content_type: 'text/html',
    encoding: 'utf-8',
    size: Buffer.byteLength(content),
    sha256: null,
    content,
  };
}

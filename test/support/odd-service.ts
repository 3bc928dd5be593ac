/** A /v2 service of a few filings, some of whose answers have an oddity each: in a member of a record, or in a header. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LocalServer } from './local-server.ts';
import { type OddMember, writtenOddly } from './odd-values.ts';

export type OddOperation = 'filing_lookup' | 'entity_lookup' | 'filing_info' | 'filing_sections' | 'document';

/** The oddity in the answers of an operation about one filing (of a lookup: in its record; of its headers: in all). */
export interface Oddity {
  operation: OddOperation;
  member?: OddMember;
  header?: readonly [string, string];
}

export function accessionOf(n: number): string {
  return `0000000001-24-${String(n).padStart(6, '0')}`;
}

export function filingRecord(n: number) {
  const accession_number = accessionOf(n);
  return {
    accession_number,
    cik: String(n),
    form_type: n % 2 === 0 ? '10-K' : '8-K',
    filing_date: '2024-03-01',
    acceptance_datetime: '2024-03-01T10:00:00',
    entity_name: `COMPANY ${n}`,
    report_date: '2023-12-31',
    size: 1000 + n,
    documents: [1, 2].map((sequence) => ({
      document_id: `${accession_number}-${sequence}`,
      sequence,
      filename: `d${sequence}.htm`,
      description: `Document ${sequence}`,
      type: sequence === 1 ? '10-K' : 'EX-1',
    })),
  };
}

const ADDRESS = { street1: '1 MAIN ST', street2: null, city: 'TOWN', state: 'NY', zip: '10001' };

export function entityRecord(n: number) {
  return {
    cik: String(n),
    name: `COMPANY ${n}`,
    tickers: ['A', 'B'],
    exchanges: ['NYSE', 'NASDAQ'],
    sic: '3571',
    sic_description: 'COMPUTERS',
    state_of_incorporation: 'DE',
    fiscal_year_end: '1231',
    entity_type: 'OPERATING',
    category: null,
    addresses: { business: ADDRESS, mailing: ADDRESS },
  };
}

export function infoRecord(n: number) {
  const { size: _size, ...filing } = filingRecord(n);
  return {
    ...filing,
    documents: filing.documents.map((document) => ({ ...document, size: 10 })),
    sections: [{ section: '1A', title: 'Risk Factors', heading: null, start_index: 1, end_index: 9 }],
    items_8k: [
      {
        item: '9.01',
        title: 'Exhibits',
        exhibits: [{ exhibit: '99.1', description: 'Press release', document_id: filing.documents[1]!.document_id }],
      },
    ],
    parties: [
      {
        role: 'filer',
        cik: String(n),
        name: `COMPANY ${n}`,
        former_names: [{ name: 'OLD', date_of_change: '2001-01-01' }],
        state_of_incorporation: 'DE',
        fiscal_year_end: '1231',
        sic: '3571',
        sic_description: 'COMPUTERS',
        irs_number: '1',
        file_number: '1-1',
        film_number: '2',
        sec_act: '34',
        relationship: null,
        addresses: { business: ADDRESS },
      },
    ],
  };
}

export function sectionsRecord(n: number) {
  return {
    accession_number: accessionOf(n),
    form_type: '10-K',
    sections: [{ section: '1A', title: 'Risk Factors', heading: 'Item 1A', html: `<p>Risks of ${n}</p>` }],
  };
}

export function documentRecord(id: string) {
  return {
    document_id: id,
    accession_number: id.slice(0, 20),
    sequence: Number(id.slice(21)),
    type: '10-K',
    filename: 'd1.htm',
    description: null,
    content_type: 'text/html',
    encoding: 'utf-8',
    size: null,
    sha256: null,
    content: `<p>${id}</p>`,
  };
}

export const WELL_FORMED: Record<OddOperation, unknown> = {
  filing_lookup: filingRecord(2),
  entity_lookup: entityRecord(2),
  filing_info: infoRecord(2),
  filing_sections: sectionsRecord(2),
  document: documentRecord(`${accessionOf(2)}-1`),
};

export class OddService extends LocalServer {
  /** By number of the filing. */
  oddities = new Map<number, Oddity>();
  /** An oddity of the lookups' envelopes: of the whole answer. */
  envelope: OddMember | null = null;
  /** Documents that a test answers itself, by their id. */
  readonly given = new Map<string, (response: ServerResponse) => void>();
  /** Requested documents, in order. */
  readonly documentsAsked: string[] = [];
  /** Filings 1 to this one are filed. */
  filings: number;

  private constructor(filings: number) {
    super();
    this.filings = filings;
  }

  static start(filings: number): Promise<OddService> {
    return new OddService(filings).listen();
  }

  protected answer(request: IncomingMessage, response: ServerResponse): void {
    request.resume();
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    const operation = pathname.replace('/v2/', '') as OddOperation;
    const id = searchParams.get('document_id') ?? searchParams.get('accession_number') ?? '';
    const n = Number(id.slice(14, 20));
    if (operation === 'document') this.documentsAsked.push(id);
    const given = this.given.get(id);
    if (operation === 'document' && given) {
      given(response);
      return;
    }
    const isLookup = operation === 'filing_lookup' || operation === 'entity_lookup';
    const oddity = isLookup ? this.#oddLookup(operation) : this.oddities.get(n);
    const odd = oddity?.operation === operation ? oddity : undefined;
    const record = () => {
      if (operation === 'filing_info') return infoRecord(n);
      return operation === 'filing_sections' ? sectionsRecord(n) : documentRecord(id);
    };
    const body = isLookup ? this.#lookup(operation, searchParams) : writtenOddly(record(), odd?.member ?? null);
    if (odd?.header) sendRaw(response, body, odd.header);
    else response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  }

  /** Headers of a lookup are of all its records. */
  #oddLookup(operation: OddOperation): Oddity | undefined {
    return [...this.oddities.values()].find((odd) => odd.operation === operation && odd.header);
  }

  #lookup(operation: 'filing_lookup' | 'entity_lookup', asked: URLSearchParams): string {
    const from = Number(asked.get('from') ?? 0);
    const to = Math.min(Number(asked.get('to') ?? 100), this.filings);
    const records: string[] = [];
    for (let n = from + 1; n <= to; n++) {
      const odd = this.oddities.get(n);
      const member = odd?.operation === operation ? (odd.member ?? null) : null;
      records.push(writtenOddly(operation === 'filing_lookup' ? filingRecord(n) : entityRecord(n), member));
    }
    const list = operation === 'filing_lookup' ? 'filings' : 'entities';
    const plain = `{"count":${this.filings},"${list}":[${records.join(',')}],"truncated":false}`;
    return this.envelope === null ? plain : writtenOddly(JSON.parse(plain), this.envelope);
  }
}

/** Node's server would not send most of these. */
function sendRaw(response: ServerResponse, body: string, [name, value]: readonly [string, string]): void {
  const bytes = Buffer.from(body);
  const headers = new Map([
    ['Content-Type', 'application/json'],
    ['Content-Length', String(bytes.length)],
    ['Connection', 'close'],
  ]);
  headers.set(name, value);
  const head = [...headers].map(([key, text]) => `${key}: ${text}\r\n`).join('');
  response.socket?.end(Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${head}\r\n`, 'latin1'), bytes]));
}

/**
 * The service of the benchmark `shards`, a process of its own: a register of filings whose every answer takes a given time. It says
 * what it was asked: requests, repeated ones, the most in flight, and the time from the first filing_info to the last.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LookupRequest } from '../../src/export/windows/index.ts';
import { FilingRegister } from '../../test/support/filing-register.ts';
import { LocalServer } from '../../test/support/local-server.ts';

export interface Asked {
  lookups: number;
  infos: number;
  repeated: number;
  mostInFlight: number;
  seconds: number;
}

class SlowService extends LocalServer {
  readonly #register: FilingRegister;
  readonly #delayMs: number;
  readonly #records = new Map<string, object>();
  readonly #infos = new Set<string>();
  #asked: Asked = { lookups: 0, infos: 0, repeated: 0, mostInFlight: 0, seconds: 0 };
  #inFlight = 0;
  #firstAt = 0;

  constructor(filings: number, delayMs: number) {
    super();
    this.#register = new FilingRegister({ filings });
    this.#delayMs = delayMs;
    for (const record of this.#register.records()) this.#records.set(record.accession_number, record);
  }

  /** The requests since the last call. */
  take(): Asked {
    const asked = this.#asked;
    this.#asked = { lookups: 0, infos: 0, repeated: 0, mostInFlight: 0, seconds: 0 };
    this.#infos.clear();
    return asked;
  }

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    request.resume();
    const asked = this.#asked;
    asked.mostInFlight = Math.max(asked.mostInFlight, ++this.#inFlight);
    await sleep(this.#delayMs);
    const body = this.#body(pathname, searchParams);
    this.#inFlight--;
    const bytes = Buffer.from(body ?? '{"error":"no such path"}');
    response.writeHead(body === null ? 404 : 200, {
      'content-type': 'application/json',
      'content-length': bytes.length,
    });
    response.end(bytes);
  }

  #body(path: string, query: URLSearchParams): string | null {
    const asked = this.#asked;
    if (path === '/v2/filing_lookup') {
      asked.lookups++;
      const { from = '0', to = '10000', api_key: _, ...more } = Object.fromEntries(query);
      const order = { sort_by: 'filing_date', sort_order: 'desc' } as const;
      const request = { ...order, ...more, from: Number(from), to: Number(to) } as LookupRequest;
      const { count, records, truncated } = this.#register.lookUp(request, 16 * 2 ** 20);
      return `{"count":${count},"filings":[${records.join(',')}],"truncated":${truncated}}`;
    }
    const record = this.#records.get(query.get('accession_number') ?? '');
    if (path !== '/v2/filing_info' || record === undefined) return null;
    const number = query.get('accession_number')!;
    if (this.#infos.has(number)) asked.repeated++;
    this.#infos.add(number);
    if (asked.infos++ === 0) this.#firstAt = performance.now() - this.#delayMs;
    asked.seconds = (performance.now() - this.#firstAt) / 1_000;
    return JSON.stringify({ ...record, sections: [], items_8k: null, parties: [] });
  }
}

const [filings, delayMs] = process.argv.slice(2).map(Number) as [number, number];
const service = await new SlowService(filings, delayMs).listen();
process.send!({ url: service.url });
process.on('message', () => process.send!({ asked: service.take() }));
process.on('disconnect', () => process.exit());

/** A service that breaks a sentence of the interface is found out, by the check of that sentence. */
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHECKS } from '../../../src/conformance/index.ts';
import { findSample } from '../../../src/conformance/sample.ts';
import { Wire } from '../../../src/conformance/wire.ts';
import { type LocalServer, serve } from '../../support/local-server.ts';
import { TestService } from '../../support/service/running-service.ts';
import { ANNUAL } from '../../support/service/small-catalog.ts';

let service: TestService;
let limitedKey: string;
/** Its month is used up. */
let spentKey: string;
beforeAll(async () => {
  service = await TestService.start();
  limitedKey = service.newKey('roomy');
  spentKey = service.newKey('twenty');
  for (let i = 0; i < 20; i++) await service.ask(`/v2/filing_lookup?to=0&api_key=${spentKey}`);
});
afterAll(() => service.stop());

type Tamper = (json: Record<string, unknown>, path: string) => unknown;

/** What a tampering service changes in an answer, apart from its JSON. */
interface Change {
  status?: ((path: string, real: number) => number) | undefined;
  headers?(headers: Record<string, string>, path: string): Record<string, string | undefined>;
  /** An answer without asking ours: whole bytes of HTTP */
  raw?(method: string, path: string): string | null;
}

const PASSED_ON = ['content-type', 'etag', 'ratelimit', 'retry-after', 'allow', 'content-encoding'];

/** A service before ours that changes answers. */
function startTampering(tamper: Tamper, change: Change = {}): Promise<LocalServer> {
  return serve(async (incoming, outgoing) => {
    const path = incoming.url!;
    const raw = change.raw?.(incoming.method!, path) ?? null;
    if (raw !== null) return void incoming.socket.end(raw);
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { connection: _, host: __, 'accept-encoding': ___, ...headers } = incoming.headers;
    const real = await request(`${service.service.url}${path}`, {
      method: incoming.method as 'GET',
      headers: headers as Record<string, string>,
      ...(body.length > 0 ? { body } : {}),
    });
    const bytes = Buffer.from(await real.body.arrayBuffer());
    const kept = Object.entries(real.headers).filter(([name]) => PASSED_ON.includes(name)) as [string, string][];
    const changed = change.headers?.(Object.fromEntries(kept), path) ?? Object.fromEntries(kept);
    outgoing.writeHead(
      change.status?.(path, real.statusCode) ?? real.statusCode,
      Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined)),
    );
    const isJson = String(real.headers['content-type']).startsWith('application/json') && bytes.length > 0;
    outgoing.end(isJson ? JSON.stringify(tamper(JSON.parse(bytes.toString('utf8')), path)) : bytes);
  });
}

const inFilings =
  (change: (filings: Record<string, unknown>[]) => unknown): Tamper =>
  (json) =>
    Array.isArray(json.filings) ? { ...json, filings: change(json.filings as Record<string, unknown>[]) } : json;
const inEntities =
  (change: (entities: Record<string, unknown>[]) => unknown): Tamper =>
  (json) =>
    Array.isArray(json.entities) ? { ...json, entities: change(json.entities as Record<string, unknown>[]) } : json;
const inInfo =
  (change: (info: Record<string, unknown>) => object): Tamper =>
  (json, path) =>
    path.startsWith('/v2/filing_info') && json.documents ? { ...json, ...change(json) } : json;

type Broken = [what: string, id: string, reason: RegExp, tamper: Tamper, change?: Change];

const same: Tamper = (json) => json;
/** True at every second call. */
function everySecond(): () => boolean {
  let calls = 0;
  return () => calls++ % 2 === 1;
}
const isTurned = everySecond();
const without = (member: string) => (record: Record<string, unknown>) => {
  const { [member]: _, ...rest } = record;
  return rest;
};
const inHits =
  (change: (json: Record<string, unknown>) => object): Tamper =>
  (json) =>
    Array.isArray(json.hits) ? { ...json, ...change(json) } : json;
const noHeader = (name: string): Change => ({ headers: ({ [name]: _, ...headers }) => headers });
const withHeader = (name: string, value: string): Change => ({ headers: (headers) => ({ ...headers, [name]: value }) });
const statusOf =
  (from: number, to: number, part = '/v2/'): Change['status'] =>
  (path, real) =>
    real === from && path.includes(part) ? to : real;

/** A limit that each request lowers, whatever its answer. */
function countingEverything(): Change {
  let left = 90;
  return { headers: (headers) => ({ ...headers, ratelimit: `"requests";r=${left--};t=9` }) };
}

function countingUsage(): Tamper {
  let requests = 0;
  return (json, path) => (path.startsWith('/v2/usage') ? { ...json, requests: requests++ } : json);
}

function newEtags(): Change {
  let made = 0;
  return {
    headers: (headers) => ({ ...headers, etag: `"${made++}"` }),
    status: (_path, real) => (real === 304 ? 200 : real),
  };
}

/** Answers 304 as soon as anyone has seen its ETag. */
function oneEtag(): Change {
  let seen = 0;
  return { ...withHeader('etag', '"1"'), status: (_path, real) => (seen++ > 0 ? 304 : real) };
}

/** A filing in the published form. */
function everyFiling(): Record<string, unknown> {
  return { accession_number: ANNUAL, form_type: '10-K', documents: [] };
}

/** What a service does wrong, the check that says so, and words of its reason. */
const BROKEN: Broken[] = [
  ['answers 400 to an unknown key', 'key.unknown', /400/, same, { status: statusOf(401, 400) }],
  ['has words of its own for 401', 'key.message', /no entry/, (json) => (json.error ? { error: 'no entry' } : json)],
  ['gives PDFs to everyone', 'key.every-operation', /^pdf: .*404/, same, { status: statusOf(401, 404, 'pdf') }],
  ['looks at parameters before the key', 'key.first', /400/, same, { status: statusOf(401, 400) }],
  [
    'answers 404 without a body',
    'error.shape',
    /unknown filing is answered 404/,
    (json) => (/not found/.test(String(json.error)) ? '' : json),
  ],
  ['adds a code to errors', 'error.shape', /no api_key/, (json) => (json.error ? { ...json, code: 7 } : json)],
  [
    "has the framework's errors",
    'error.shape-early',
    /unknown path is answered 404/,
    (json, path) => (path.includes('no_such') ? { statusCode: 404, message: 'Not Found' } : json),
  ],
  ['sends JSON as text', 'answer.media-type', /text\/html/, same, withHeader('content-type', 'text/html')],
  [
    'sends errors as text',
    'answer.media-type',
    /400 .*text\/plain/,
    same,
    {
      headers: (headers, path) =>
        path.includes('accession_number') || path.includes('to=')
          ? headers
          : { ...headers, 'content-type': 'text/plain' },
    },
  ],
  ['takes any sort_by', 'request.sort-by', /200/, same, { status: statusOf(400, 200) }],
  ['takes from after to', 'request.from-after-to', /200/, same, { status: statusOf(400, 200) }],
  [
    'counts one too many',
    'filing_lookup.count',
    /count is \d+, with/,
    (json) => (json.filings ? { ...json, count: Number(json.count) + 1 } : json),
  ],
  [
    'counts entities wrong',
    'entity_lookup.count',
    /count is 8, with 1/,
    (json) => (json.entities ? { ...json, count: 8 } : json),
  ],
  [
    'ignores the default end',
    'filing_lookup.default-end',
    /gives 30/,
    inFilings((all) =>
      Array.from({ length: 30 }, (_, i) => ({
        ...everyFiling(),
        accession_number: `0000000001-24-${String(i).padStart(6, '0')}`,
        all: all.length,
      })),
    ),
  ],
  [
    'counts what it does not give',
    'filing_lookup.page',
    /count is 1, with/,
    (json) => (json.filings ? { ...json, count: 1 } : json),
  ],
  ['loses the end of a page', 'filing_lookup.page', /truncated is false/, inFilings((all) => all.slice(0, 2))],
  [
    'loses the end of a page, and counts only the page',
    'filing_lookup.page',
    /truncated false, and from=2 gives 1/,
    (json, path) =>
      Array.isArray(json.filings)
        ? { ...json, filings: json.filings.slice(0, 2), count: Math.min(2, json.filings.length), path: path.length }
        : json,
  ],
  [
    'says truncated of a whole page',
    'entity_lookup.page',
    /truncated true/,
    (json) => (json.entities ? { ...json, truncated: true } : json),
  ],
  [
    'says truncated of a full page',
    'filing_lookup.truncated-only-if-cut',
    /truncated is true/,
    (json) => (json.filings ? { ...json, truncated: true } : json),
  ],
  [
    'lists an entity twice',
    'entity_lookup.page',
    /twice/,
    inEntities((all) => (all.length > 1 ? [all[0], ...all.slice(0, -1)] : all)),
  ],
  [
    'sorts equal values differently each time',
    'filing_lookup.window-of-equals',
    /differ/,
    inFilings((all) => (isTurned() ? all.toReversed() : all)),
  ],
  ['sorts equal values its own way', 'filing_lookup.sort.ties', /too late/, inFilings((all) => all.toReversed())],
  ['sorts entities down', 'entity_lookup.order', /comes after/, inEntities((all) => all.toReversed())],
  [
    'loses filings to a filter',
    'filing_lookup.forms-divide',
    /its two parts/,
    (json, path) => (path.length > 0 && Array.isArray(json.filings) && isTurned() ? { ...json, filings: [] } : json),
  ],
  ['has no entity_name', 'filing_lookup.members', /entity_name/, inFilings((all) => all.map(without('entity_name')))],
  ['has no report_date', 'filing_info.members', /report_date/, inInfo((info) => ({ ...info, report_date: undefined }))],
  ['has no addresses', 'entity_lookup.members', /addresses/, inEntities((all) => all.map(without('addresses')))],
  [
    'leaves empty members out',
    'entity_lookup.members-without-value',
    /lacks the member tickers/,
    inEntities((all) => all.map((e, i) => (i === 0 ? without('tickers')(e) : e))),
  ],
  [
    'states wrong response_bytes',
    'entity_lookup.response-bytes',
    /response_bytes is 1/,
    (json) => (json.entities ? { ...json, response_bytes: 1 } : json),
  ],
  ['counts nothing', 'quota.counts', /by 0/, same, withHeader('ratelimit', '"requests";r=50;t=9')],
  ['counts twice', 'quota.refused-is-free', /by [34]/, same, countingEverything()],
  ['has no Retry-After', 'quota.spent-retry-after', /no Retry-After/, same, noHeader('retry-after')],
  [
    'has a date for Retry-After',
    'quota.spent-retry-after',
    /Sun/,
    same,
    withHeader('retry-after', 'Sun, 06 Nov 2044 08:49:37 GMT'),
  ],
  ['answers 403 at the limit', 'quota.spent', /403/, same, { status: statusOf(429, 403) }],
  [
    'does not link to the plans',
    'quota.spent-message',
    /no link/,
    (json) => (json.error ? { error: 'monthly request limit' } : json),
  ],
  ['counts /v2/usage', 'quota.usage', /then/, countingUsage()],
  ['has no ETag', 'answer.etag-filing_info', /no ETag/, same, noHeader('etag')],
  ['has a new ETag each time', 'answer.etag-document', /200/, same, { ...newEtags() }],
  ['has one ETag for everything', 'answer.etag-of-another', /304/, same, oneEtag()],
  [
    'sends a body with HEAD',
    'request.head',
    /2 bytes/,
    same,
    { raw: (method) => (method === 'HEAD' ? 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}' : null) },
  ],
  ['does not say which methods it has', 'request.other-method', /Allow/, same, noHeader('allow')],
  [
    'gives numbers without dashes back',
    'request.accession-without-dashes',
    /is of/,
    inInfo((info) => ({ accession_number: String(info.accession_number).replaceAll('-', '') })),
  ],
  [
    'states a wrong digest',
    'document.digest',
    /sha256/,
    (json) => (json.sha256 ? { ...json, sha256: '0'.repeat(64) } : json),
  ],
  ['states a wrong size', 'document.digest', /size/, (json) => (json.sha256 ? { ...json, size: 1 } : json)],
  ['gives fewer hits than it counts', 'fulltext_search.match', /total_hits/, inHits(() => ({ hits: [] }))],
  [
    'has section codes of its own',
    'filing_sections.10-K',
    /part1item1/,
    (json) =>
      json.sections && !json.documents
        ? { ...json, sections: [{ section: 'part1item1', title: '', html: 'x' }] }
        : json,
  ],
  [
    'lists other sections than it gives',
    'filing_sections.as-listed',
    /filing_info lists/,
    (json) => (json.sections && !json.documents ? { ...json, sections: [] } : json),
  ],
  ['has another shape of error', 'key.missing', /error/, (json) => (json.error ? { message: json.error } : json)],
  [
    'gives numbers for ids',
    'entity_lookup.ciks',
    /cik/,
    inEntities((all) => all.map((e) => ({ ...e, cik: Number(e.cik) }))),
  ],
  ['leaves truncated out', 'filing_lookup.types', /truncated/, ({ truncated: _, ...json }) => json],
  [
    'finds other forms too',
    'filing_lookup.form_types',
    /also finds/,
    inFilings((all) => [...all, { ...all[0], form_type: '10-K/A' }]),
  ],
  ['sorts the other way', 'filing_lookup.sort.filing_date.asc', /comes after/, inFilings((all) => all.toReversed())],
  [
    'repeats a filing',
    'filing_lookup.window',
    /twice/,
    inFilings((all) => (all.length > 1 ? [all[0], ...all.slice(0, -1)] : all)),
  ],
  ['ignores to', 'filing_lookup.types', /to=20/, inFilings((all) => Array.from({ length: 30 }, () => all[0]))],
  [
    'writes dates another way',
    'filing_lookup.types',
    /filing_date/,
    inFilings((all) => all.map((f) => ({ ...f, filing_date: '1/2/2024' }))),
  ],
  ['has items for a 10-K', 'filing_info.sections', /items_8k/, inInfo(() => ({ items_8k: [] }))],
  ['contradicts the lookup', 'filing_info.types', /form_type/, inInfo(() => ({ form_type: '8-K' }))],
  [
    'numbers documents from 0',
    'filing_info.document-ids',
    /sequence/,
    inInfo((info) => ({
      documents: (info.documents as { sequence: number }[]).map((d) => ({ ...d, sequence: d.sequence - 1 })),
    })),
  ],
];

/** They look at the sample alone. */
const SAMPLE_CHECKS = [
  'filing_info.sections',
  'filing_info.document-ids',
  'filing_lookup.members',
  'filing_info.members',
];

/** The quota is counted for a key that has one. */
const keyFor = (id: string) => (id.startsWith('quota.') ? limitedKey : service.key);

describe('a service that breaks the interface', () => {
  it.each<Broken>(BROKEN)('%s: found by %s', async (_what, id, reason, tamper, change) => {
    const server = await startTampering(tamper, change);
    const wire = new Wire(server.url, keyFor(id));
    const spentWire = new Wire(server.url, spentKey);
    try {
      // The sample is of the real service, so that one fault at a time is looked for.
      const real = new Wire(service.service.url, service.key);
      const sample = await findSample(SAMPLE_CHECKS.includes(id) ? wire : real);
      await real.close();
      expect(await CHECKS.find((check) => check.id === id)!.run({ wire, spentWire, sample })).toMatch(reason);
    } finally {
      await wire.close();
      await spentWire.close();
      await server.close();
    }
  });

  it('is not found out by a check that it passes', async () => {
    const server = await startTampering(same);
    const [wire, limited, spentWire] = [service.key, limitedKey, spentKey].map((key) => new Wire(server.url, key));
    const sample = await findSample(wire!);
    for (const id of new Set(BROKEN.map(([, name]) => name))) {
      const context = { wire: id.startsWith('quota.') ? limited! : wire!, spentWire: spentWire!, sample };
      expect([id, await CHECKS.find((check) => check.id === id)!.run(context)]).toEqual([id, null]);
    }
    for (const one of [wire, limited, spentWire]) await one!.close();
    await server.close();
  });
});

/** What services do differently around the operations: spellings of requests, headers of answers, other paths. */
import { type Check, type CheckContext, expectStatus, firstFault, need } from '../check.ts';
import type { AskOptions } from '../wire.ts';

const cikOf = ({ sample }: CheckContext) => need(sample.entity, 'entity').cik;
const numberOf = ({ sample }: CheckContext) => need(sample.annual ?? sample.filings[0], 'filing').accession_number;

function mayCheck(id: string, title: string, run: (context: CheckContext) => Promise<string | null>): Check {
  return { id, level: 'may', title, run };
}

/** The same entity is found by another spelling of the array. */
function spellingCheck(name: string, title: string, queryOf: (cik: string) => string): Check {
  return mayCheck(`request.array-${name}`, title, async (context) => {
    const cik = cikOf(context);
    const answer = await context.wire.ask('entity_lookup', {}, { query: queryOf(cik) });
    const found = (answer.json as { entities?: { cik?: string }[] } | undefined)?.entities?.map((entity) => entity.cik);
    return expectStatus(answer, 200) ?? (found?.includes(cik) ? null : `entity ${cik} is not found`);
  });
}

/** An operation asked in another way is answered with one of these statuses. */
function statusCheck(
  id: string,
  title: string,
  statuses: readonly number[],
  operation: string,
  parametersOf: (context: CheckContext) => Record<string, unknown>,
  options: AskOptions = {},
): Check {
  return mayCheck(id, title, async (context) =>
    expectStatus(await context.wire.ask(operation, parametersOf(context), options), ...statuses),
  );
}

function headerCheck(name: string, title: string, headers: Record<string, string>, faultOf: (of: Headers) => boolean) {
  return mayCheck(`answer.${name}`, title, async (context) => {
    const answer = await context.wire.ask('filing_info', { accession_number: numberOf(context) }, { headers });
    return expectStatus(answer, 200) ?? (faultOf(answer.headers) ? 'the header is missing' : null);
  });
}
type Headers = Readonly<Record<string, string | string[] | undefined>>;

function pathCheck(path: string, title: string): Check {
  return mayCheck(`path.${path.slice(1)}`, title, async ({ wire }) => expectStatus(await wire.get(path), 200));
}

export const LIBERTY_CHECKS: readonly Check[] = [
  statusCheck(
    'request.post',
    'POST with a JSON body means the same as GET',
    [200],
    'filing_lookup',
    () => ({ to: 1 }),
    {
      ...{ method: 'POST', place: 'body', key: 'body' },
    },
  ),
  statusCheck('request.head', 'HEAD answers the headers alone', [200], 'filing_lookup', () => ({ to: 1 }), {
    method: 'HEAD',
  }),
  statusCheck('request.other-method', 'another method is refused with 405', [405], 'filing_lookup', () => ({ to: 1 }), {
    method: 'DELETE',
  }),
  spellingCheck('repeated', 'an array may be repeated in the query string', (cik) => `ciks=${cik}&ciks=1`),
  spellingCheck('brackets', 'an array may be written ciks[]=… in the query string', (cik) => `ciks[]=${cik}`),
  spellingCheck('commas', 'an array may be written with commas in the query string', (cik) => `ciks=${cik},1`),
  spellingCheck('json', 'an array may be written as JSON in the query string', (cik) => `ciks=["${cik}"]`),
  mayCheck('request.entity-query-dotted', 'entity_query may be written entity_query.ciks=…', async (context) => {
    const query = `entity_query.ciks=${cikOf(context)}&to=1`;
    return expectStatus(await context.wire.ask('filing_lookup', {}, { query }), 200);
  }),
  statusCheck(
    'request.accession-without-dashes',
    'an accession number of 18 digits without dashes is accepted',
    [200],
    'filing_info',
    (context) => ({ accession_number: numberOf(context).replaceAll('-', '') }),
  ),
  statusCheck('request.cik-padded', 'a CIK with leading zeros is accepted', [200], 'entity_lookup', (context) => ({
    ciks: [cikOf(context).padStart(10, '0')],
  })),
  statusCheck('request.unknown-parameter', 'an unknown parameter is refused with 400', [400], 'filing_lookup', () => ({
    ...{ form_type: '10-K', to: 1 },
  })),
  statusCheck('request.impossible-date', 'a date that is none is refused with 400', [400], 'filing_lookup', () => ({
    ...{ date_from: '2024-02-30', to: 1 },
  })),
  statusCheck(
    'request.given-twice',
    'two different values of one parameter are refused with 400',
    [400],
    'filing_info',
    (context) => ({ accession_number: numberOf(context) }),
    {
      rawBody: JSON.stringify({ accession_number: '0000000001-01-000001' }),
    },
  ),
  statusCheck(
    'request.bad-json',
    'a body that is not a JSON object is refused with 400',
    [400],
    'filing_lookup',
    () => ({}),
    {
      ...{ method: 'POST', rawBody: '[1' },
    },
  ),
  statusCheck(
    'request.media-type',
    'a body of another media type is refused with 415',
    [415],
    'filing_lookup',
    () => ({}),
    {
      ...{ method: 'POST', rawBody: 'to=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    },
  ),
  ...(['zstd', 'br', 'gzip'] as const).map((coding) =>
    headerCheck(
      `coding-${coding}`,
      `a larger answer is compressed with ${coding} if asked`,
      { 'accept-encoding': coding },
      (headers) => headers['content-encoding'] !== coding && Number(headers['content-length'] ?? 1024) >= 1024,
    ),
  ),
  mayCheck('answer.etag', 'filing_info has an ETag, and 304 answers If-None-Match', async (context) => {
    const parameters = { accession_number: numberOf(context) };
    const { etag } = (await context.wire.ask('filing_info', parameters)).headers;
    if (typeof etag !== 'string') return 'there is no ETag';
    const again = await context.wire.ask('filing_info', parameters, { headers: { 'if-none-match': etag } });
    return firstFault(expectStatus(again, 304));
  }),
  headerCheck(
    'request-id',
    'X-Request-Id is that of the request',
    { 'x-request-id': 'conformance-1' },
    (headers) => headers['x-request-id'] !== 'conformance-1',
  ),
  headerCheck('quota', 'RateLimit states what the key has left', {}, (headers) => headers.ratelimit === undefined),
  headerCheck(
    'other-origins',
    'pages of other origins may read the answer (CORS)',
    { origin: 'https://example.org' },
    (headers) => headers['access-control-allow-origin'] === undefined,
  ),
  pathCheck('/openapi.json', 'the interface is described at /openapi.json'),
  pathCheck('/healthz', '/healthz answers without a key'),
  pathCheck('/readyz', '/readyz answers without a key'),
];

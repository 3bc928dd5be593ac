/** What services do differently around the operations: spellings of requests, headers of answers, other paths. */
import { type Check, type CheckContext, expectStatus, may, need } from '../check.ts';
import type { AskOptions } from '../wire.ts';

const cikOf = ({ sample }: CheckContext) => need(sample.entity, 'entity').cik;
const numberOf = ({ sample }: CheckContext) => need(sample.annual ?? sample.filings[0], 'filing').accession_number;

const documentOf = ({ sample }: CheckContext) =>
  need((sample.annual ?? sample.filings[0])?.documents[0], 'document').document_id;

function mayCheck(id: string, title: string, run: (context: CheckContext) => Promise<string | null>): Check {
  return may(id, title, run);
}

/** The same entity is found by another spelling of its CIK. */
function spellingCheck(name: string, title: string, queryOf: (cik: string) => string): Check {
  return mayCheck(`request.${name}`, title, async (context) => {
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

/** The answer has an ETag, the same each time, and 304 without a body answers it. */
function etagCheck(operation: string, parametersOf: (context: CheckContext) => Record<string, unknown>): Check {
  return mayCheck(
    `answer.etag-${operation}`,
    `${operation} has an ETag, and 304 answers If-None-Match`,
    async (context) => {
      const parameters = parametersOf(context);
      const { etag } = (await context.wire.ask(operation, parameters)).headers;
      if (typeof etag !== 'string') return 'there is no ETag';
      const again = await context.wire.ask(operation, parameters, { headers: { 'if-none-match': etag } });
      return expectStatus(again, 304) ?? (again.bytes.length === 0 ? null : 'the answer 304 has a body');
    },
  );
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
      method: 'POST',
      place: 'body',
      key: 'body',
    },
  ),
  mayCheck('request.head', 'HEAD answers the headers alone', async ({ wire }) => {
    const { status, bodyBytes } = await wire.head('filing_lookup', { to: '1' });
    if (status !== 200) return `the answer is ${status}, not 200`;
    return bodyBytes === 0 ? null : `${bodyBytes} bytes come behind the headers`;
  }),
  mayCheck(
    'request.other-method',
    'another method is refused with 405, and Allow names the others',
    async ({ wire }) => {
      const answer = await wire.ask('filing_lookup', { to: 1 }, { method: 'DELETE' });
      const allowed = String(answer.headers.allow ?? '');
      return expectStatus(answer, 405) ?? (/\bGET\b/.test(allowed) ? null : `Allow is '${allowed}'`);
    },
  ),
  spellingCheck('array-repeated', 'an array may be repeated in the query string', (cik) => `ciks=${cik}&ciks=1`),
  spellingCheck('array-brackets', 'an array may be written ciks[]=… in the query string', (cik) => `ciks[]=${cik}`),
  spellingCheck('array-commas', 'an array may be written with commas in the query string', (cik) => `ciks=${cik},1`),
  spellingCheck('array-json', 'an array may be written as JSON in the query string', (cik) => `ciks=["${cik}"]`),
  mayCheck('request.entity-query-dotted', 'entity_query may be written entity_query.ciks=…', async (context) => {
    const query = `entity_query.ciks=${cikOf(context)}&to=1`;
    return expectStatus(await context.wire.ask('filing_lookup', {}, { query }), 200);
  }),
  mayCheck(
    'request.accession-without-dashes',
    'an accession number of 18 digits means the same as with dashes',
    async (context) => {
      const number = numberOf(context);
      const answer = await context.wire.ask('filing_info', { accession_number: number.replaceAll('-', '') });
      const given = (answer.json as { accession_number?: unknown } | undefined)?.accession_number;
      return expectStatus(answer, 200) ?? (given === number ? null : `the answer is of ${given}`);
    },
  ),
  spellingCheck(
    'cik-padded',
    'a CIK with leading zeros means the same as without',
    (cik) => `ciks=${cik.padStart(10, '0')}`,
  ),
  mayCheck('request.case', 'form types are compared without regard to case', async (context) => {
    const { form_type } = need(context.sample.annual ?? context.sample.current, '10-K or 8-K');
    const answer = await context.wire.ask('filing_lookup', { form_types: [form_type.toLowerCase()], to: 1 });
    const { filings } = (answer.json ?? {}) as { filings?: unknown[] };
    return (
      expectStatus(answer, 200) ?? (filings?.length === 1 ? null : `nothing is found with ${form_type.toLowerCase()}`)
    );
  }),
  statusCheck('request.unknown-parameter', 'an unknown parameter is refused with 400', [400], 'filing_lookup', () => ({
    form_type: '10-K',
    to: 1,
  })),
  statusCheck('request.impossible-date', 'a date that is none is refused with 400', [400], 'filing_lookup', () => ({
    date_from: '2024-02-30',
    to: 1,
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
      method: 'POST',
      rawBody: '[1',
    },
  ),
  statusCheck(
    'request.media-type',
    'a body of another media type is refused with 415',
    [415],
    'filing_lookup',
    () => ({}),
    {
      method: 'POST',
      rawBody: 'to=1',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
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
  etagCheck('filing_info', (context) => ({ accession_number: numberOf(context) })),
  etagCheck('document', (context) => ({ document_id: documentOf(context) })),
  mayCheck(
    'answer.etag-of-another',
    'an ETag stands for one content: that of another filing is not answered 304',
    async (context) => {
      const [one, other] = context.sample.filings;
      const number = need(other, 'second filing').accession_number;
      const { etag } = (await context.wire.ask('filing_info', { accession_number: one!.accession_number })).headers;
      const headers = { 'if-none-match': String(need(etag, 'ETag')) };
      return expectStatus(await context.wire.ask('filing_info', { accession_number: number }, { headers }), 200);
    },
  ),
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

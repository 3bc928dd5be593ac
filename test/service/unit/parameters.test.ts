import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OperationName } from '../../../src/filings/api/index.ts';
import { ServiceProblem } from '../../../src/service/answers/problem.ts';
import { readJsonBody } from '../../../src/service/requests/json-body.ts';
import { apiKeyOf, keysBeforeBody, keysOfBody, readParameters } from '../../../src/service/requests/parameters.ts';
import { readQueryString } from '../../../src/service/requests/query-string.ts';
import { runs } from '../../support/property-runs.ts';

type Body = Record<string, unknown>;

function read(operation: OperationName, query: string, body: Body = {}): unknown {
  return readParameters(operation, readQueryString(query), body);
}

function problemOf(run: () => unknown): ServiceProblem {
  try {
    run();
  } catch (error) {
    if (error instanceof ServiceProblem) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('parameters in the query string', () => {
  it.each<[string, OperationName, string, Body]>([
    ['one value for an array', 'entity_lookup', 'tickers=AAPL', { tickers: ['AAPL'] }],
    ['repeated', 'entity_lookup', 'tickers=AAPL&tickers=MSFT', { tickers: ['AAPL', 'MSFT'] }],
    ['bracketed', 'entity_lookup', 'tickers[]=AAPL&tickers%5B%5D=MSFT', { tickers: ['AAPL', 'MSFT'] }],
    ['separated by commas', 'entity_lookup', 'tickers=AAPL,%20MSFT', { tickers: ['AAPL', 'MSFT'] }],
    ['a JSON array', 'entity_lookup', 'tickers=["AAPL","MSFT"]', { tickers: ['AAPL', 'MSFT'] }],
    ['a JSON array beside a value', 'entity_lookup', 'tickers=["AAPL"]&tickers=MSFT', { tickers: ['AAPL', 'MSFT'] }],
    ['names are never split', 'entity_lookup', 'name_includes=Smith,+Barney', { name_includes: ['Smith, Barney'] }],
    ['names may be a JSON array', 'entity_lookup', 'name_includes=["a","b"]', { name_includes: ['a', 'b'] }],
    ['a name may start with a bracket', 'entity_lookup', 'name_excludes=[old', { name_excludes: ['[old'] }],
    [
      'enumerated values in any case',
      'entity_lookup',
      'exchanges=nasdaq&entity_types=other',
      { exchanges: ['NASDAQ'], entity_types: ['OTHER'] },
    ],
    ['a CIK with leading zeros', 'entity_lookup', 'ciks=0000320193', { ciks: ['320193'] }],
    ['numbers', 'entity_lookup', 'sics=7372&from=5&to=007', { sics: ['7372'], from: 5, to: 7 }],
    ['booleans in words', 'filing_lookup', 'exclude_amendments=true', { exclude_amendments: true }],
    ['booleans as digits', 'filing_lookup', 'exclude_amendments=0', { exclude_amendments: false }],
    ['an object literal', 'filing_lookup', 'entity_query={"tickers":"AAPL"}', { entity_query: { tickers: ['AAPL'] } }],
    [
      'dotted members',
      'filing_lookup',
      'entity_query.tickers=AAPL&entity_query.ciks=1,2',
      { entity_query: { tickers: ['AAPL'], ciks: ['1', '2'] } },
    ],
    [
      'a literal and other dotted members',
      'filing_lookup',
      'entity_query={"ciks":["1"]}&entity_query.sics=1',
      { entity_query: { ciks: ['1'], sics: ['1'] } },
    ],
    [
      'an accession number without dashes',
      'filing_info',
      'accession_number=000032019324000123',
      { accession_number: '0000320193-24-000123' },
    ],
    [
      'a document id without dashes',
      'document',
      'document_id=000032019324000123-2',
      { document_id: '0000320193-24-000123-2' },
    ],
    ['a window up to its default end', 'filing_lookup', 'from=10000', { from: 10_000 }],
    ['a scalar twice with one value', 'filing_lookup', 'from=3&from=3', { from: 3 }],
    ['an empty array is not a filter', 'filing_lookup', 'form_types=[]', {}],
    ['percent-encoding and plus', 'entity_lookup', 'name%5Fincludes=A%26B+caf%C3%A9', { name_includes: ['A&B café'] }],
  ])('%s', (_name, operation, query, expected) => {
    expect(read(operation, query)).toEqual(expected);
  });

  it.each<[OperationName, string, string]>([
    ['filing_lookup', 'form_type=10-K', "unknown parameter 'form_type'; did you mean 'form_types'?"],
    [
      'filing_lookup',
      'entity_query.ticker=A',
      "unknown parameter 'entity_query.ticker'; did you mean 'entity_query.tickers'?",
    ],
    [
      'filing_lookup',
      'entity_query={"cik":"1"}',
      "unknown parameter 'entity_query.cik'; did you mean 'entity_query.ciks'?",
    ],
    ['filing_info', 'zzzzzz=1', "unknown parameter 'zzzzzz'"],
    ['filing_info', '__proto__=1&toString=1', "unknown parameter '__proto__'"],
    ['filing_lookup', 'from[]=1', "unknown parameter 'from[]'; did you mean 'from'?"],
    ['entity_lookup', 'tickers=', 'tickers is invalid: must not be empty'],
    [
      'entity_lookup',
      `name_includes=b&name_includes=${'a'.repeat(1_001)}`,
      'name_includes is invalid: must have at most 1000 characters',
    ],
    ['entity_lookup', 'tickers=A,,B', 'tickers is invalid: must not be empty'],
    ['entity_lookup', 'tickers=[AAPL]', 'tickers is invalid: starts with [ but is not a valid JSON array'],
    ['entity_lookup', 'ciks=[1]', 'ciks is invalid: 1 must be a string'],
    ['entity_lookup', 'ciks=abc', "ciks is invalid: 'abc' must be a CIK of 1 to 10 digits"],
    ['entity_lookup', 'exchanges=LSE', "exchanges is invalid: 'LSE' must be one of NASDAQ, NYSE, OTC, CBOE"],
    ['filing_lookup', 'from=1.5', 'from is invalid: must be a whole number'],
    ['filing_lookup', 'to=1e3', 'to is invalid: must be a whole number'],
    ['filing_lookup', 'from=-1', 'from is invalid: -1 must be at least 0'],
    ['filing_lookup', 'to=10001', 'to is invalid: 10001 must be at most 10000'],
    ['filing_lookup', 'exclude_amendments=yes', 'exclude_amendments is invalid: must be true, false, 1 or 0'],
    ['filing_lookup', 'from=1&from=2', 'from is given twice with different values'],
    ['filing_lookup', 'entity_query={"ciks":["1"]}&entity_query.ciks=1', 'entity_query.ciks is given twice'],
    [
      'filing_lookup',
      'entity_query=AAPL',
      'entity_query is invalid: must be a JSON object, or entity_query.<name>=<value>',
    ],
    ['filing_lookup', 'date_from=2024-02-30', "date_from is invalid: '2024-02-30' must be a date, YYYY-MM-DD"],
    [
      'filing_lookup',
      'date_from=2024-02-02&date_to=2024-02-01',
      'date_from (2024-02-02) is after date_to (2024-02-01)',
    ],
    ['entity_lookup', 'sics=1&from=20&to=10', 'from (20) is after to (10)'],
    ['entity_lookup', 'sics=1&from=200', 'from (200) is after to (100, the default)'],
    ['entity_lookup', 'from=0', 'entity filter is required'],
    ['entity_lookup', 'tickers=[]', 'entity filter is required'],
    ['filing_lookup', 'entity_query={}', 'entity filter is required'],
    ['filing_lookup', 'entity_query={"ciks":[]}', 'entity filter is required'],
    ['filing_info', '', 'accession_number is required'],
    [
      'filing_info',
      'accession_number=12-34',
      "accession_number is invalid: '12-34' must be an accession number, 0000000000-00-000000",
    ],
    ['filing_sections', '', 'document_id is required'],
    [
      'filing_sections',
      'accession_number=0000000000-00-000000&form_type=8-K',
      "form_type is invalid: '8-K' must be 10-K, 10-Q or 20-F",
    ],
    ['document', 'output_format=raw', 'document_id is required'],
    ['document', 'filename=a.htm', 'accession_number is required'],
    [
      'document',
      'filename=a.htm&document_id=0000000000-00-000000-1',
      'filename goes with accession_number, not with document_id',
    ],
    [
      'document',
      'accession_number=0000000000-00-000001&document_id=0000000000-00-000000-1',
      'document_id (0000000000-00-000000-1) is not a document of accession_number (0000000000-00-000001)',
    ],
    ['pdf', '', 'accession_number or document_id is required'],
    [
      'pdf',
      'accession_number=0000000000-00-000000&document_id=0000000000-00-000000-1',
      'give accession_number or document_id, not both',
    ],
    [
      'pdf',
      'accession_number=0000000000-00-000000&page_size=a5',
      "page_size is invalid: 'a5' must be one of letter, a4",
    ],
    ['fulltext_search', 'from=0', 'query is required'],
    ['fulltext_search', 'query=+', 'query is required'],
    ['fulltext_search', `query=${'a'.repeat(2001)}`, 'query is invalid: must have at most 2000 characters'],
    [
      'fulltext_search',
      'query=a&accession_numbers=123456789',
      "accession_numbers is invalid: '123456789' must have at least 10 characters",
    ],
    [
      'fulltext_search',
      'query=a&accession_numbers=12345678901-2',
      "accession_numbers is invalid: '12345678901-2' must be an accession number or its first 10 digits or more",
    ],
  ])('refuses a mistake of %s: %3$s', (operation, query, message) => {
    const problem = problemOf(() => read(operation, query));
    expect([problem.status, problem.message]).toEqual([400, message]);
  });

  it('refuses bytes that are not UTF-8', () => {
    for (const query of ['tickers=%zz', 'tickers=%FF', '%C3=1']) {
      expect(problemOf(() => readQueryString(query)).message).toMatch(/percent-encoded/);
    }
  });

  it('takes 1,000 values in an array and no more', () => {
    const values = Array.from({ length: 1001 }, (_, index) => `${index + 1}`);
    expect(read('entity_lookup', `ciks=${values.slice(0, 1000).join(',')}`)).toEqual({ ciks: values.slice(0, 1000) });
    expect(problemOf(() => read('entity_lookup', `ciks=${values.join(',')}`)).message).toBe(
      'ciks is invalid: at most 1000 values in one array',
    );
  });
});

describe('parameters in the body', () => {
  it('takes a lone value for an array as an array of one', () => {
    expect(read('entity_lookup', '', { tickers: 'BRK.B' })).toEqual({ tickers: ['BRK.B'] });
  });

  it('accepts the same parameter in query and body if the values are equal', () => {
    expect(read('entity_lookup', 'ciks=0001', { ciks: ['1'] })).toEqual({ ciks: ['1'] });
    expect(problemOf(() => read('entity_lookup', 'ciks=1', { ciks: ['2'] })).message).toBe(
      'ciks is given twice with different values',
    );
  });

  it.each<[string, Body, string]>([
    ['a number for a text', { ciks: 320193 }, 'ciks is invalid: 320193 must be a string'],
    ['a text for a number', { from: '5' }, "from is invalid: '5' must be a number"],
    ['a fraction', { from: 1.5 }, 'from is invalid: 1.5 must be a whole number'],
    ['null', { tickers: null }, 'tickers is invalid: must not be null; leave it out'],
    ['an unknown name', { ticker: 'A' }, "unknown parameter 'ticker'; did you mean 'tickers'?"],
    [
      'too many values',
      { ciks: Array.from({ length: 1001 }, () => '1') },
      'ciks is invalid: at most 1000 values in one array',
    ],
  ])('refuses %s', (_name, body, message) => {
    expect(problemOf(() => read('entity_lookup', '', body)).message).toBe(message);
  });

  it.each<[string, string, number, RegExp]>([
    ['an array', '[]', 400, /must be a JSON object/],
    ['null', 'null', 400, /must be a JSON object/],
    ['no JSON', '{"a":', 400, /not valid JSON/],
    ['nesting too deep', `{"a":${'['.repeat(8)}1${']'.repeat(8)}}`, 400, /nested at most 8 deep/],
  ])('refuses %s', (_name, text, status, message) => {
    const problem = problemOf(() => readJsonBody(Buffer.from(text), 'application/json'));
    expect(problem.status).toBe(status);
    expect(problem.message).toMatch(message);
  });

  it('refuses bytes that are not UTF-8', () => {
    expect(problemOf(() => readJsonBody(Buffer.from([0x7b, 0xff, 0x7d]), 'application/json')).message).toMatch(
      /not UTF-8/,
    );
  });

  it.each<[string | undefined, number | null]>([
    ['application/json', null],
    ['application/json; charset=utf-8', null],
    ['Application/JSON;charset="UTF-8"', null],
    ['application/json; charset=latin1', 415],
    ['text/plain', 415],
    ['application/x-www-form-urlencoded', 415],
    [undefined, 415],
  ])('of media type %s', (contentType, status) => {
    const run = () => readJsonBody(Buffer.from('{}'), contentType);
    if (status === null) expect(run()).toEqual({});
    else expect(problemOf(run).status).toBe(status);
  });

  it('may be empty, with any media type', () => {
    expect(readJsonBody(Buffer.alloc(0), 'text/plain')).toEqual({});
  });
});

describe('the key', () => {
  it('is taken from query or body', () => {
    const keyOf = (query: [string, string][], body: Record<string, unknown>) =>
      apiKeyOf([...keysBeforeBody(query, {}), ...keysOfBody(body)]);
    expect(keyOf([['api_key', 'k']], {})).toBe('k');
    expect(keyOf([], { api_key: 'k' })).toBe('k');
    expect(keyOf([['api_key', 'k']], { api_key: 'k' })).toBe('k');
    expect(keyOf([['api_key', '']], {})).toBeUndefined();
    expect(keyOf([], { api_key: 5 })).toBeUndefined();
    expect(problemOf(() => keyOf([['api_key', 'a']], { api_key: 'b' })).status).toBe(400);
  });
});

describe('query and body', () => {
  const word = fc.stringMatching(/^[A-Za-z0-9.\-/&é ]{0,12}[A-Za-z0-9]$/).map((text) => text.trim());
  const words = fc.array(word, { minLength: 1, maxLength: 5 });
  const parameters = fc.record(
    {
      entity_query: fc
        .record(
          {
            tickers: words,
            name_includes: words,
            ciks: fc.array(fc.integer({ min: 1, max: 9e9 }).map(String), { minLength: 1 }),
          },
          { requiredKeys: [] },
        )
        .filter((filter) => Object.keys(filter).length > 0),
      form_types: words,
      items: words,
      exclude_amendments: fc.boolean(),
      from: fc.integer({ min: 0, max: 10_000 }),
      sort_order: fc.constantFrom('asc', 'desc', 'ASC'),
    },
    { requiredKeys: [] },
  );
  const encode = encodeURIComponent;
  type Written = (name: string, values: readonly string[]) => string;
  const ways: Record<string, Written> = {
    repeated: (name, values) => values.map((value) => `${name}=${encode(value)}`).join('&'),
    bracketed: (name, values) => values.map((value) => `${encode(`${name}[]`)}=${encode(value)}`).join('&'),
    'as JSON literals': (name, values) => `${name}=${encode(JSON.stringify(values))}`,
  };

  function queryOf(values: Body, array: Written, prefix = ''): string {
    return Object.entries(values)
      .map(([name, value]) => {
        const path = `${prefix}${name}`;
        if (Array.isArray(value)) return array(path, value as string[]);
        if (typeof value === 'object' && value !== null) return queryOf(value as Body, array, `${path}.`);
        return `${path}=${encode(String(value))}`;
      })
      .join('&');
  }

  it.each(Object.entries(ways))('mean the same with arrays %s', (_name, array) => {
    fc.assert(
      fc.property(parameters, (body) => {
        const fromBody = readParameters('filing_lookup', [], body as Body);
        expect(readParameters('filing_lookup', readQueryString(queryOf(body as Body, array)), {})).toEqual(fromBody);
      }),
      { numRuns: runs(150) },
    );
  });

  it('mean the same together as alone, however they are split', () => {
    fc.assert(
      fc.property(parameters, fc.integer(), (body, seed) => {
        const names = Object.keys(body);
        const inQuery = names.filter((_, index) => (seed >> (index % 30)) & 1);
        const pick = (wanted: (name: string) => boolean) =>
          Object.fromEntries(Object.entries(body).filter(([name]) => wanted(name)));
        const query = queryOf(
          pick((name) => inQuery.includes(name)),
          ways.repeated!,
        );
        const rest = pick((name) => !inQuery.includes(name));
        expect(readParameters('filing_lookup', readQueryString(query), rest)).toEqual(
          readParameters('filing_lookup', [], body as Body),
        );
      }),
      { numRuns: runs(150) },
    );
  });

  it('never end in anything but parameters or a 400', () => {
    fc.assert(
      fc.property(fc.webQueryParameters(), fc.jsonValue({ maxDepth: 4 }), (query, value) => {
        const body = typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : {};
        try {
          read('filing_lookup', query, body);
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceProblem);
          expect((error as ServiceProblem).status).toBe(400);
        }
      }),
    );
  });
});

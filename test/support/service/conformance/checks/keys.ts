/** Which keys are accepted, and how errors look. */
import { type Check, expectStatus, firstFault, may, must } from '../check.ts';
import { publishedError, typeFault } from '../published-types.ts';

const FILING = { accession_number: '0000000001-01-000001' };

/** The published operations, each with parameters that would do if there were a key. */
const PUBLISHED_OPERATIONS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  entity_lookup: { ciks: ['1'] },
  filing_lookup: { to: 1 },
  fulltext_search: { query: 'report', to: 1 },
  document: { document_id: `${FILING.accession_number}-1` },
  filing_info: FILING,
  filing_sections: { ...FILING, form_type: '10-K' },
  pdf: FILING,
};

export const KEY_CHECKS: readonly Check[] = [
  must('key.missing', 'a request without api_key is answered 401, with {"error": message}', async ({ wire }) => {
    const answer = await wire.ask('filing_lookup', { to: 1 }, { key: 'none' });
    return firstFault(expectStatus(answer, 401), typeFault(publishedError, answer.json));
  }),
  must('key.message', "the message of 401 is 'Invalid or missing API key'", async ({ wire }) => {
    const { text } = await wire.ask('filing_lookup', { to: 1 }, { key: 'none' });
    return /invalid or missing api key/i.test(text) ? null : `the message is ${text.slice(0, 120)}`;
  }),
  must('key.every-operation', 'every operation answers 401 without api_key', async ({ wire }) => {
    for (const [operation, parameters] of Object.entries(PUBLISHED_OPERATIONS)) {
      const answer = await wire.ask(operation, parameters, { key: 'none' });
      const fault = expectStatus(answer, 401);
      if (fault !== null) return `${operation}: ${fault}`;
    }
    return null;
  }),
  may('key.first', 'the key is checked before the other parameters', async ({ wire }) =>
    expectStatus(await wire.ask('filing_info', {}, { key: 'none' }), 401),
  ),
  must(
    'key.unknown',
    'a request with an unknown api_key is answered 401, with {"error": message}',
    async ({ wire }) => {
      const answer = await wire.ask('filing_lookup', { to: 1 }, { key: 'none', query: 'api_key=unknown-key' });
      return firstFault(expectStatus(answer, 401), typeFault(publishedError, answer.json));
    },
  ),
  must('key.in-query', 'api_key in the query string is accepted', async ({ wire }) =>
    expectStatus(await wire.ask('filing_lookup', { to: 1 }), 200),
  ),
  must('key.in-body', 'api_key as a member of the JSON body of a GET is accepted', async ({ wire }) =>
    expectStatus(await wire.ask('filing_lookup', { to: 1 }, { key: 'body', place: 'body' }), 200),
  ),
  may('key.bearer', 'the key is accepted as Authorization: Bearer', async ({ wire }) =>
    expectStatus(
      await wire.ask('filing_lookup', { to: 1 }, { key: 'none', headers: { authorization: `Bearer ${wire.apiKey}` } }),
      200,
    ),
  ),
  may('key.header', 'the key is accepted as X-API-Key', async ({ wire }) =>
    expectStatus(
      await wire.ask('filing_lookup', { to: 1 }, { key: 'none', headers: { 'x-api-key': wire.apiKey } }),
      200,
    ),
  ),
  may('key.two-differ', 'two different keys in one request are refused with 400', async ({ wire }) =>
    expectStatus(await wire.ask('filing_lookup', { to: 1 }, { headers: { 'x-api-key': 'another-key' } }), 400),
  ),
  may('key.in-no-message', 'a misspelt address is answered without an echo of the key', async ({ wire }) => {
    const answer = await wire.get(`/v2/filing_info&api_key=${wire.apiKey}`);
    return answer.text.includes(wire.apiKey) ? 'the key is in the answer' : null;
  }),
];

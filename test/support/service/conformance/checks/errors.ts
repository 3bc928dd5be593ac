/** How answers and errors look, for all operations. */
import { type Check, type CheckContext, expectStatus, firstFault, may, must, need } from '../check.ts';
import { publishedError, typeFault } from '../published-types.ts';
import type { WireAnswer } from '../wire.ts';

const UNKNOWN_FILING = '9999999999-99-999999';

/** One request for each kind of error: the service chooses the message, the shape is published. */
const REFUSED: readonly { what: string; ask(context: CheckContext): Promise<WireAnswer> }[] = [
  { what: 'no api_key', ask: ({ wire }) => wire.ask('filing_info', {}, { key: 'none' }) },
  { what: 'no accession_number', ask: ({ wire }) => wire.ask('filing_info') },
  { what: 'an unknown filing', ask: ({ wire }) => wire.ask('filing_info', { accession_number: UNKNOWN_FILING }) },
  { what: 'an unknown document', ask: ({ wire }) => wire.ask('document', { document_id: `${UNKNOWN_FILING}-1` }) },
  {
    what: 'sections of an unknown filing',
    ask: ({ wire }) => wire.ask('filing_sections', { accession_number: UNKNOWN_FILING, form_type: '10-K' }),
  },
  { what: 'a date that is none', ask: ({ wire }) => wire.ask('filing_lookup', { date_from: 'yesterday', to: 1 }) },
];

/** What HTTP frameworks refuse themselves, often in another shape. */
const REFUSED_EARLY: typeof REFUSED = [
  { what: 'an unknown path', ask: ({ wire }) => wire.ask('no_such_operation') },
  { what: 'another method', ask: ({ wire }) => wire.ask('filing_lookup', { to: 1 }, { method: 'DELETE' }) },
  { what: 'broken JSON', ask: ({ wire }) => wire.ask('filing_lookup', {}, { method: 'POST', rawBody: '{"to":' }) },
];

async function shapeFault(context: CheckContext, refused: typeof REFUSED): Promise<string | null> {
  for (const { what, ask } of refused) {
    const answer = await ask(context);
    const fault = answer.status < 400 ? null : typeFault(publishedError, answer.json);
    if (fault !== null) return `${what} is answered ${answer.status} with ${answer.text.slice(0, 120)}: ${fault}`;
  }
  return null;
}

function mediaTypeFault({ status, headers }: WireAnswer): string | null {
  const type = String(headers['content-type'] ?? '');
  return /^application\/json\b/i.test(type) ? null : `the answer ${status} has the Content-Type '${type}'`;
}

/** A value outside the published ones, or an impossible combination. */
function refusalCheck(name: string, title: string, operation: string, parameters: Record<string, unknown>): Check {
  return may(`request.${name}`, `${title} with 400`, async ({ wire }) => {
    const answer = await wire.ask(operation, parameters);
    return firstFault(expectStatus(answer, 400), typeFault(publishedError, answer.json));
  });
}

export const ERROR_CHECKS: readonly Check[] = [
  must('error.shape', 'an error is {"error": message}, with no other member', (context) =>
    shapeFault(context, REFUSED),
  ),
  may(
    'error.shape-early',
    'unknown paths, other methods and broken JSON are answered with {"error": message} too',
    (context) => shapeFault(context, REFUSED_EARLY),
  ),
  must('answer.media-type', 'answers and errors are application/json', async ({ wire, sample }) => {
    const known = need(sample.filings[0], 'filing').accession_number;
    return firstFault(
      mediaTypeFault(await wire.ask('filing_lookup', { to: 1 })),
      mediaTypeFault(await wire.ask('filing_info', { accession_number: known })),
      mediaTypeFault(await wire.ask('filing_info')),
      mediaTypeFault(await wire.ask('filing_info', { accession_number: known }, { key: 'none' })),
    );
  }),
  refusalCheck('from-after-to', 'from after to is refused', 'filing_lookup', { from: 5, to: 2 }),
  refusalCheck('negative-from', 'a negative position is refused', 'filing_lookup', { from: -1, to: 2 }),
  refusalCheck('dates-crossed', 'date_from after date_to is refused', 'filing_lookup', {
    date_from: '2024-02-01',
    date_to: '2024-01-01',
    to: 1,
  }),
  refusalCheck('sort-by', 'an unknown sort_by is refused', 'filing_lookup', { sort_by: 'colour', to: 1 }),
  refusalCheck('sort-order', 'an unknown sort_order is refused', 'filing_lookup', { sort_order: 'up', to: 1 }),
  refusalCheck('exchange', 'an unknown exchange is refused', 'entity_lookup', { exchanges: ['MARS'] }),
  refusalCheck('entity-type', 'an unknown entity type is refused', 'entity_lookup', { entity_types: ['SHIP'] }),
  refusalCheck('accession-invalid', 'an accession number of another form is refused', 'filing_info', {
    accession_number: '12-34',
  }),
  refusalCheck('empty-text', 'an empty text in an array is refused', 'filing_lookup', { form_types: [''], to: 1 }),
  refusalCheck('entity-query-empty', 'an entity_query without a filter is refused', 'filing_lookup', {
    entity_query: {},
    to: 1,
  }),
  refusalCheck('many-values', 'more than 1,000 values in one array are refused', 'entity_lookup', {
    ciks: Array.from({ length: 1_001 }, (_, i) => String(i + 1)),
  }),
];

/** GET /v2/filing_lookup: docs/api.md#filing_lookup. */
import { jsonOutcome } from '../answers/outcome.ts';
import { ENVELOPE_BYTES } from '../answers/page.ts';
import { windowOf } from '../requests/combinations.ts';
import type { Operation } from './operation.ts';

export const filingLookup: Operation<'filing_lookup'> = (parameters, { store, maxResponseBytes }) => {
  const asked = { ...parameters, ...windowOf('filing_lookup', parameters) };
  const { count, records, truncated } = store.filingLookup(asked, { maxBytes: maxResponseBytes - ENVELOPE_BYTES });
  return jsonOutcome(`{"count":${count},"filings":[${records.join(',')}],"truncated":${truncated}}`, { tagged: false });
};

/** GET /v2/filing_lookup: docs/api.md#filing_lookup. */
import { jsonOutcome } from '../answers/outcome.ts';
import { ENVELOPE_BYTES } from '../answers/page.ts';
import type { ReaderOperation } from './operation.ts';

export const filingLookup: ReaderOperation<'filing_lookup'> = {
  lane: 'short',
  deadlineMs: 30_000,
  answer(parameters, { store, maxResponseBytes }) {
    const { count, records, truncated } = store.filingLookup(parameters, {
      maxBytes: maxResponseBytes - ENVELOPE_BYTES,
    });
    return jsonOutcome(`{"count":${count},"filings":[${records.join(',')}],"truncated":${truncated}}`, {
      tagged: false,
    });
  },
};

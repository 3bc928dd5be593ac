/** GET /v2/filing_lookup: docs/api.md#filing_lookup. */
import { jsonBytesOutcome } from '../answers/outcome.ts';
import { ENVELOPE_BYTES } from '../answers/page.ts';
import type { ReaderOperation } from './operation.ts';

export const filingLookup: ReaderOperation<'filing_lookup'> = {
  lane: 'short',
  deadlineMs: 30_000,
  answer(parameters, { store, maxResponseBytes }) {
    const { count, pieces, truncated } = store.filingLookup(parameters, {
      maxBytes: maxResponseBytes - ENVELOPE_BYTES,
    });
    const head = Buffer.from(`{"count":${count},"filings":[`);
    return jsonBytesOutcome([head, ...pieces, Buffer.from(`],"truncated":${truncated}}`)]);
  },
};
